#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

namespace highwater::ui {

/// Quoting rules of a command line.
enum class CommandSyntax {
    Posix,   ///< single quotes, double quotes and backslashes as in a shell; nothing is expanded
    Windows, ///< double quotes; three of them are a literal one
};
/// Syntax of the system that the program was built for.
[[nodiscard]] CommandSyntax ownCommandSyntax();

/// Splits a command line into words. Error (Usage): an unclosed quote, a backslash at the end.
[[nodiscard]] Result<QStringList> commandWords(const QString& line, CommandSyntax syntax = ownCommandSyntax());
/// The inverse: a line that commandWords() splits into these words.
[[nodiscard]] QString commandLineOf(const QStringList& words, CommandSyntax syntax = ownCommandSyntax());

} // namespace highwater::ui

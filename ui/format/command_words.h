#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

namespace highwater::ui {

/// How a command line is written.
enum class CommandSyntax {
    Posix,   ///< single quotes, double quotes and backslashes as in a shell; nothing is expanded
    Windows, ///< double quotes; three of them are one
};
/// Of the system that the program was built for.
[[nodiscard]] CommandSyntax ownCommandSyntax();

/// The words of a command line. Error (Usage): a quote that is not closed, a backslash at the end.
[[nodiscard]] Result<QStringList> commandWords(const QString& line, CommandSyntax syntax = ownCommandSyntax());
/// A line that commandWords() makes these words of.
[[nodiscard]] QString commandLineOf(const QStringList& words, CommandSyntax syntax = ownCommandSyntax());

} // namespace highwater::ui

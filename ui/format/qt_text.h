#pragma once

#include <QCoreApplication>
#include <QString>

#include <filesystem>
#include <string_view>

namespace highwater::ui {

/// UTF-8 of the core as the widgets have it.
[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The words of what is no QObject, in the language of the program.
[[nodiscard]] inline QString tr(const char* text) { return QCoreApplication::translate("Highwater", text); }

/// What widgets know of a file, as the core has it.
[[nodiscard]] inline std::filesystem::path toPath(const QString& path) { return {path.toStdU16String()}; }

} // namespace highwater::ui

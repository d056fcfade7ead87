#pragma once

#include <QCoreApplication>
#include <QString>

#include <filesystem>
#include <string_view>

namespace highwater::ui {

/// Converts UTF-8 of the core to a QString.
[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Translates text of code outside QObjects.
[[nodiscard]] inline QString tr(const char* text) { return QCoreApplication::translate("Highwater", text); }

/// Converts a widget's path to the core's type.
[[nodiscard]] inline std::filesystem::path toPath(const QString& path) { return {path.toStdU16String()}; }

} // namespace highwater::ui

#pragma once

#include <QString>

#include <filesystem>
#include <string_view>

namespace highwater::ui {

/// UTF-8 of the core as the widgets have it.
[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What widgets know of a file, as the core has it.
[[nodiscard]] inline std::filesystem::path toPath(const QString& path) { return {path.toStdU16String()}; }

} // namespace highwater::ui

#pragma once

#include <QString>

#include <string_view>

namespace highwater::ui {

/// UTF-8 of the core as the widgets have it.
[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace highwater::ui

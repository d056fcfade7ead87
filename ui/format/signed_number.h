#pragma once

#include <QChar>

#include <cstdint>

namespace highwater::ui {

inline constexpr QChar kMinus{0x2212};

/// The most negative value has no positive counterpart.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

} // namespace highwater::ui

#pragma once

#include <cstdint>

namespace highwater::ui {

/// Where time 0 of a trace stands on the clock of the traced machine. A plain value.
struct TimeBase {
    std::int64_t startFileTime = 0; ///< UTC, 100 ns since 1601; 0: not known
    std::int32_t biasMinutes = 0;   ///< UTC = local time + bias
    [[nodiscard]] bool isKnown() const { return startFileTime > 0; }
    friend bool operator==(const TimeBase&, const TimeBase&) = default;
};

} // namespace highwater::ui

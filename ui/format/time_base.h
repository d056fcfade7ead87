#pragma once

#include <cstdint>

namespace highwater::ui {

/// Wall-clock time of time 0 of a trace on the traced machine. A plain value.
struct TimeBase {
    std::int64_t startFileTime = 0; ///< UTC, 100 ns since 1601; 0: unknown
    std::int32_t biasMinutes = 0;   ///< UTC = local time + bias
    [[nodiscard]] bool isKnown() const { return startFileTime > 0; }
    friend bool operator==(const TimeBase&, const TimeBase&) = default;
};

} // namespace highwater::ui

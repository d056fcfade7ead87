#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// The value that the bars divide.
enum class HistogramOf : std::uint8_t { Size, LifeTime };
/// "size", "lifetime": the words of the command line.
[[nodiscard]] std::string_view histogramWord(HistogramOf of);

/// The rows whose size (bytes) or lifetime (nanoseconds) is in [from, to).
struct HistogramBar {
    enum class Kind : std::uint8_t {
        Range,
        Outstanding, ///< for LifeTime: not freed before the end of the trace
        Unknown,     ///< for LifeTime: freed, but the time of the allocation is unknown
    };
    Kind kind = Kind::Range;
    std::uint64_t from = 0;
    std::optional<std::uint64_t> to = std::nullopt; ///< nothing: no upper limit

    std::uint64_t count = 0;     ///< rows
    std::uint64_t bytes = 0;     ///< sum of their sizes
    std::uint64_t keptCount = 0; ///< rows that were not freed by the end of the interval
    std::uint64_t keptBytes = 0; ///< their outstanding bytes at that time

    [[nodiscard]] bool isOneValue() const { return to && *to - from == 1; }
    friend bool operator==(const HistogramBar&, const HistogramBar&) = default;
};

/// The bars for all values, empty, without gaps: for sizes, 0 and powers of two; for lifetimes, 0 and 1 and 3 times the
/// powers of ten.
[[nodiscard]] std::vector<HistogramBar> emptyBars(HistogramOf of);
/// The index in emptyBars() for a value.
[[nodiscard]] std::size_t barOf(HistogramOf of, std::uint64_t value);

/// "64 B to <128 B", "3 ms to <10 ms", "still outstanding"; "64 B" for a single value.
[[nodiscard]] std::string barText(HistogramOf of, const HistogramBar& bar);
/// The query for the rows of the bar in that table: "[Allocation Size]:>=64 AND [Allocation Size]:<128".
[[nodiscard]] std::string barQuery(Table table, HistogramOf of, const HistogramBar& bar);

} // namespace highwater::analysis

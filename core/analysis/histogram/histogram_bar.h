#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// What rows are told apart by.
enum class HistogramOf : std::uint8_t { Size, LifeTime };
/// "size", "lifetime": the command line's words.
[[nodiscard]] std::string_view histogramWord(HistogramOf of);

/// The rows whose size (bytes), or lifetime (nanoseconds), lies in [from, to).
struct HistogramBar {
    enum class Kind : std::uint8_t {
        Range,
        Outstanding, ///< of LifeTime: not freed before the end of the trace
        Unknown,     ///< of LifeTime: freed, but when it was allocated is not known
    };
    Kind kind = Kind::Range;
    std::uint64_t from = 0;
    std::optional<std::uint64_t> to = std::nullopt; ///< nothing: whatever is larger

    std::uint64_t count = 0;     ///< rows
    std::uint64_t bytes = 0;     ///< their Sizes
    std::uint64_t keptCount = 0; ///< of these, not freed by the end of the interval
    std::uint64_t keptBytes = 0; ///< what is outstanding then

    [[nodiscard]] bool isOneValue() const { return to && *to - from == 1; }
    friend bool operator==(const HistogramBar&, const HistogramBar&) = default;
};

/// The bars of all values, empty, without gaps between them: of sizes 0 and powers of two, of lifetimes 0 and 1 and 3
/// times the powers of ten.
[[nodiscard]] std::vector<HistogramBar> emptyBars(HistogramOf of);
/// Which of emptyBars() a value belongs to.
[[nodiscard]] std::size_t barOf(HistogramOf of, std::uint64_t value);

/// "64 B to 128 B", "3 ms to 10 ms", "still outstanding"; of one value "64 B".
[[nodiscard]] std::string barText(HistogramOf of, const HistogramBar& bar);
/// The query that finds the rows of the bar in that table: "[Allocation Size]:>=64 AND [Allocation Size]:<128".
[[nodiscard]] std::string barQuery(Table table, HistogramOf of, const HistogramBar& bar);

} // namespace highwater::analysis

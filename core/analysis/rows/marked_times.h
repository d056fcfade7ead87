#pragma once

#include "core/base/units.h"
#include "core/event/trace_notes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::analysis {

/// Determines between which marks a row was allocated, and at how many of them it was outstanding (docs/numbers.md 16).
/// Immutable; any thread.
class MarkedTimes {
  public:
    /// marks: in the trace, in any order; null: none. within: survived() counts the marks in this range.
    MarkedTimes(const SharedMarks& marks, TimeRange within);

    /// The key in Column::Generation: 0 for rows older than the trace, 1 for rows allocated before the first mark,
    /// otherwise a key for the time of the last mark at or before the allocation. The key therefore does not change
    /// when other marks are added or renamed.
    [[nodiscard]] std::uint64_t generation(TraceTime begin) const;
    /// "2. Warm to Full". The number comes first, so that texts sort in the order of the generations.
    [[nodiscard]] std::string text(std::uint64_t generation) const;
    /// Marks after `begin` and before or at `end`; events at the time of a mark count as after it.
    [[nodiscard]] std::uint64_t survived(TraceTime begin, TraceTime end) const;
    /// The boundaries of generations in time order; of several marks at one instant, the last.
    [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }

  private:
    [[nodiscard]] std::size_t countUpTo(TraceTime time) const;
    [[nodiscard]] std::string words(std::size_t before) const;

    std::vector<Mark> marks_;
    std::vector<TraceTime> within_; ///< times of the marks that survived() counts
};

} // namespace highwater::analysis

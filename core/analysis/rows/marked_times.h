#pragma once

#include "core/base/units.h"
#include "core/event/trace_notes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::analysis {

/// Between which marks a row was allocated, and at how many of them it was outstanding (docs/numbers.md 16). Immutable;
/// any thread.
class MarkedTimes {
  public:
    /// marks: of the trace, in any order; null: none. within: survived() counts those of this range.
    MarkedTimes(const SharedMarks& marks, TimeRange within);

    /// The key of Column::Generation: 0 of what is older than the trace, 1 of what was allocated before the first mark,
    /// else one that stands for the time of the last mark that it was not allocated before. So it stays what it is when
    /// marks are made and renamed elsewhere.
    [[nodiscard]] std::uint64_t generation(TraceTime begin) const;
    /// "2. Warm to Full". The number comes first, so that texts sort as the generations follow each other.
    [[nodiscard]] std::string text(std::uint64_t generation) const;
    /// Marks after `begin`, up to `end` with what happens then left out.
    [[nodiscard]] std::uint64_t survived(TraceTime begin, TraceTime end) const;
    /// What generations lie between, in the order of time: of several marks at one instant the last.
    [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }

  private:
    [[nodiscard]] std::size_t countUpTo(TraceTime time) const;
    [[nodiscard]] std::string words(std::size_t before) const;

    std::vector<Mark> marks_;
    std::vector<TraceTime> within_; ///< times of those that survived() counts
};

} // namespace highwater::analysis

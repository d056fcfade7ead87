#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The edges of `slices` equal parts of an interval, including its end: start + i * length / slices.
[[nodiscard]] std::vector<TraceTime> sliceEdges(TimeRange interval, std::uint32_t slices);

/// A value per slice and group. Levels: the peak of the outstanding amount, from changes in time order. Amounts: sums
/// of events.
class SliceLevels {
  public:
    /// Whether to record the first time of the peak of each slice; for levels only.
    enum class Times : std::uint8_t { Forgotten, Kept };
    /// edges: one more than slices; must outlive it.
    SliceLevels(std::span<const TraceTime> edges, std::size_t groups, Times times = Times::Forgotten);
    [[nodiscard]] Times keptTimes() const { return times_; }

    /// The initial level of a group; call it before any change.
    void open(std::uint32_t group, std::uint64_t level) { groups_[group].level += level; }
    /// In time order, within the edges.
    void change(TraceTime time, std::uint32_t group, std::uint64_t delta);
    /// Carries the levels to the last slice.
    void finish();
    /// Sets the slices from `first` on from `next`, which is finished and contains only the changes, and continues from
    /// there. Slices before `first` must be set.
    void append(const SliceLevels& next, std::size_t first);
    /// In any time order. Do not mix it with the other functions.
    void add(TraceTime time, std::uint32_t group, std::uint64_t amount);

    [[nodiscard]] const std::vector<SignedByteCount>& values(std::uint32_t group) const {
        return groups_[group].values;
    }
    [[nodiscard]] std::vector<SignedByteCount>& values(std::uint32_t group) { return groups_[group].values; }

    /// When the highest of all values was reached first; at the start for the initial level.
    [[nodiscard]] TraceTime timeOfHighest(std::uint32_t group) const;

  private:
    struct Group {
        std::uint64_t level = 0;
        std::size_t filled = 0; ///< slices with a value so far
        std::vector<SignedByteCount> values;
        std::vector<TraceTime> times; ///< times of values; empty if not recorded
    };
    void fill(Group& group, std::size_t slices) const;

    std::span<const TraceTime> edges_;
    std::vector<Group> groups_;
    Times times_;
    std::size_t slice_ = 0;
};

} // namespace highwater::analysis

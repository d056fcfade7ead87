#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Collects a value per slice and group from changes that come in time order. Levels: the peak of what is outstanding.
/// Amounts: the sum of what happened.
class SliceLevels {
  public:
    /// edges: one more than there are slices; must outlive it.
    SliceLevels(const std::vector<TraceTime>& edges, std::size_t groups);

    /// Before any change.
    void open(std::uint32_t group, std::uint64_t level) { groups_[group].level += level; }
    void change(TraceTime time, std::uint32_t group, std::uint64_t delta);
    /// In any order of time. Not together with open and change.
    void add(TraceTime time, std::uint32_t group, std::uint64_t amount);
    /// Of levels: carries the last level to the end. Call once.
    void finishLevels();

    [[nodiscard]] const std::vector<SignedByteCount>& values(std::uint32_t group) const { return groups_[group].values; }
    [[nodiscard]] std::vector<SignedByteCount>& values(std::uint32_t group) { return groups_[group].values; }

  private:
    struct Group {
        std::uint64_t level = 0;
        std::size_t filled = 0; ///< slices with a value so far
        std::vector<SignedByteCount> values;
    };
    void fill(Group& group, std::size_t slices);

    const std::vector<TraceTime>& edges_;
    std::vector<Group> groups_;
    std::size_t slice_ = 0;
};

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/interval_rows.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace highwater::analysis {

/// A group: consecutive entries.
struct EntryRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    friend auto operator<=>(const EntryRange&, const EntryRange&) = default;
};

/// The cells of several traces, sorted by path, so that every group of every level is a range whose sums are available
/// immediately. First add() all, then sort(), then read, on any thread.
class DifferenceEntries {
  public:
    /// One group of one key: the number of the key in the high half, the number of the place in the low half.
    using Step = std::uint64_t;
    struct Entry {
        std::uint32_t trace = 0;
        std::uint32_t cell = 0;
        std::uint32_t firstStep = 0;
        std::uint32_t steps = 0;
        Sums sums;
    };

    explicit DifferenceEntries(std::size_t traces) : traces_(traces) {}

    /// Adds `entry` with the steps in `path`; its own steps are ignored. False: full.
    [[nodiscard]] bool add(Entry entry, std::span<const Step> path);
    void sort();

    [[nodiscard]] EntryRange all() const { return {0, static_cast<std::uint32_t>(entries_.size())}; }
    [[nodiscard]] std::span<const Entry> of(EntryRange range) const {
        return std::span(entries_).subspan(range.first, range.last - range.first);
    }
    [[nodiscard]] std::span<const Step> path(const Entry& entry) const {
        return std::span(steps_).subspan(entry.firstStep, entry.steps);
    }
    /// The sums of the rows of a group in one trace.
    [[nodiscard]] Sums sums(EntryRange range, std::size_t trace) const;
    /// Whether there is a group below this one, which has `depth` steps.
    [[nodiscard]] bool hasGroups(EntryRange range, std::uint32_t depth) const;
    /// The groups below, in the order of their places.
    [[nodiscard]] std::vector<EntryRange> groups(EntryRange range, std::uint32_t depth) const;
    /// All distinct groups of all levels, `all` first. Groups with the same rows appear once.
    [[nodiscard]] std::vector<EntryRange> differentGroups() const;

  private:
    std::size_t traces_;
    std::vector<Entry> entries_;
    std::vector<Step> steps_;
    std::vector<Sums> before_; ///< by entry (and one past the last) and trace: sums of all previous entries
};

/// Divides the groups into layers without common rows, by place: first those that are in no other group, then those in
/// one other group, and so on.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> layersOf(std::span<const EntryRange> groups);

} // namespace highwater::analysis

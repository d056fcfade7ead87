#pragma once

#include "core/analysis/rows/interval_rows.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace highwater::analysis {

/// A group: entries that follow each other.
struct EntryRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    friend auto operator<=>(const EntryRange&, const EntryRange&) = default;
};

/// The cells of several traces by their paths, sorted, so that every group of every level is a range, whose sums are
/// known at once. First add() all, then sort(), then read, on any thread.
class DifferenceEntries {
  public:
    /// One group of one key: the number of the key in the high half, that of the place in the low one.
    using Step = std::uint64_t;
    struct Entry {
        std::uint32_t trace = 0;
        std::uint32_t cell = 0;
        std::uint32_t firstStep = 0;
        std::uint32_t steps = 0;
        Sums sums;
    };

    explicit DifferenceEntries(std::size_t traces) : traces_(traces) {}

    /// `entry` without steps, which are `path`. False: there is no room for more.
    [[nodiscard]] bool add(Entry entry, std::span<const Step> path);
    void sort();

    [[nodiscard]] EntryRange all() const { return {0, static_cast<std::uint32_t>(entries_.size())}; }
    [[nodiscard]] std::span<const Entry> of(EntryRange range) const {
        return std::span(entries_).subspan(range.first, range.last - range.first);
    }
    [[nodiscard]] std::span<const Step> path(const Entry& entry) const {
        return std::span(steps_).subspan(entry.firstStep, entry.steps);
    }
    /// The sums of a group's rows in one trace.
    [[nodiscard]] Sums sums(EntryRange range, std::size_t trace) const;
    /// Whether there is a group below this one, which has so many steps.
    [[nodiscard]] bool hasGroups(EntryRange range, std::uint32_t depth) const;
    /// The groups below, in the order of their places.
    [[nodiscard]] std::vector<EntryRange> groups(EntryRange range, std::uint32_t depth) const;
    /// All different groups of all levels, `all` first: those with the same rows once.
    [[nodiscard]] std::vector<EntryRange> differentGroups() const;

  private:
    std::size_t traces_;
    std::vector<Entry> entries_;
    std::vector<Step> steps_;
    std::vector<Sums> before_; ///< by entry, and the end of the last one, and trace: sums of all entries before
};

/// Groups that share no row, by their places: those in none of the others, then those in one of them, and so on.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> layersOf(std::span<const EntryRange> groups);

} // namespace highwater::analysis

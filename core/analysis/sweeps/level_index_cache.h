#pragma once

#include "core/analysis/sweeps/level_index.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Indexes of the most recent groupings. An index with finer groups also serves a coarser grouping, so other keys,
/// filters or intervals need no sweep over all events. Any thread.
class LevelIndexCache {
  public:
    /// Maximum sum of LevelIndex::bytes.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

    /// The instance of the program.
    static LevelIndexCache& shared();

    struct Found {
        std::shared_ptr<const LevelIndex> index;
        std::vector<std::uint32_t> groupOf; ///< by group of the index, from 0: the group of the question, or kNoLine
    };
    /// From the cache or new. The view must be that of the trace. Nothing: stopped.
    [[nodiscard]] std::optional<Found> find(const store::PublishedTrace& trace, store::TableKind kind,
                                            RowSweep::Measure measure, const GroupsOfSites& groups,
                                            const std::stop_token& stop);
    /// Only from the cache.
    [[nodiscard]] std::optional<Found> findKnown(const store::PublishedTrace& trace, store::TableKind kind,
                                                 RowSweep::Measure measure, const GroupsOfSites& groups);
    /// Sum over the cache.
    [[nodiscard]] std::uint64_t bytes();
    /// Empties the cache, for benchmarks and tests.
    void clear();

  private:
    /// Everything that an index depends on except its groups.
    struct Key {
        std::weak_ptr<const store::TraceColumns> trace; ///< not an owner; its identity is never reused
        store::TableKind table = store::TableKind::VirtualAlloc;
        RowSweep::Measure measure = RowSweep::Measure::Bytes;
        TraceTime horizon;
        std::uint64_t events = 0;
        std::uint64_t olderRows = 0; ///< additional ones change the levels of all blocks

        /// Also true for another publication of it.
        [[nodiscard]] bool isOfSameTable(const Key& other) const;
        friend bool operator==(const Key& a, const Key& b) {
            return a.isOfSameTable(b) && a.horizon == b.horizon && a.events == b.events && a.olderRows == b.olderRows;
        }
    };
    struct Entry {
        Key key;
        std::shared_ptr<const LevelIndex> index;
    };

    static Key keyOf(const store::PublishedTrace& trace, store::TableKind kind, RowSweep::Measure measure);
    [[nodiscard]] std::optional<Found> findKnown(const Key& key, const GroupsOfSites& groups);
    /// The same grouping in an earlier publication; null: none.
    [[nodiscard]] std::shared_ptr<const LevelIndex> findEarlier(const Key& key, const GroupsOfSites& groups,
                                                                std::uint64_t blockEvents);
    void add(Entry entry);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< most recently used first
};

} // namespace highwater::analysis

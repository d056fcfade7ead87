#pragma once

#include "core/analysis/sweeps/level_index.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Indexes of the last few groupings. One that tells more apart answers for a coarser grouping, too: other keys, a
/// filter, another interval need no sweep over all events. Any thread.
class LevelIndexCache {
  public:
    /// More are not kept: LevelIndex::bytes of all together.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

    /// The one of the program.
    static LevelIndexCache& shared();

    struct Found {
        std::shared_ptr<const LevelIndex> index;
        std::vector<std::uint32_t> groupOf; ///< by group of the index, from 0 on: that of the question, or kNoLine
    };
    /// Known or new. The view is that of the trace. Nothing when stopped.
    [[nodiscard]] std::optional<Found> find(const store::PublishedTrace& trace, store::TableKind kind,
                                            RowSweep::Measure measure, const GroupsOfSites& groups,
                                            const std::stop_token& stop);
    /// Only if it is known.
    [[nodiscard]] std::optional<Found> findKnown(const store::PublishedTrace& trace, store::TableKind kind,
                                                 RowSweep::Measure measure, const GroupsOfSites& groups);
    /// Of all that are kept.
    [[nodiscard]] std::uint64_t bytes();
    /// Forgets all, as one that was not asked yet: for benchmarks and tests.
    void clear();

  private:
    /// All that an index depends on, but for its groups.
    struct Key {
        std::weak_ptr<const store::TraceColumns> trace; ///< does not keep it; no other ever has its place
        store::TableKind table = store::TableKind::VirtualAlloc;
        RowSweep::Measure measure = RowSweep::Measure::Bytes;
        TraceTime horizon;
        std::uint64_t events = 0;
        std::uint64_t olderRows = 0; ///< more of them change the levels of all blocks

        /// Another publication of it, too.
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
    /// What an earlier publication has of the same grouping; null: nothing.
    [[nodiscard]] std::shared_ptr<const LevelIndex> findEarlier(const Key& key, const GroupsOfSites& groups,
                                                                std::uint64_t blockEvents);
    void add(Entry entry);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< the one that was asked for last comes first
};

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/indexed_population.h"
#include "core/analysis/rows/instances.h"
#include "core/base/result.h"

namespace highwater::analysis {

/// The rows of Heap Snapshot: every block that is outstanding at an instant, once for each such instance
/// (docs/numbers.md 20). For most instances, these are rows of Heap Allocations; some have their own blocks. A RowRef
/// packs (number in instances(), row id or number of the block). The trace must outlive it.
class SnapshotPopulation final : public IndexedPopulation {
  public:
    /// Each site of each instance at which it has blocks is a cell. This is about 600 MB; a thousand instances of a
    /// program with twenty thousand sites would need 3 GB.
    static constexpr std::uint64_t kMostCells = 4'000'000;

    /// `instances`: the available instances. Errors: Cancelled, and Usage for more than kMostCells.
    static Result<std::unique_ptr<SnapshotPopulation>> make(const store::PublishedTrace& trace,
                                                            std::vector<Instance> instances, bool processExitFreesHeap,
                                                            const std::stop_token& stop);

    bool visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const override;
    [[nodiscard]] unsigned workers() const override;

  private:
    /// Instances [first, last) in ofRows_, or in instances_ if they have their own blocks.
    struct Outstanding {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        [[nodiscard]] bool isEmpty() const { return first == last; }
    };
    struct Counted {
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
    };
    /// The counters of a worker, by site and instances.
    using Counts = tsl::robin_map<std::uint64_t, Counted, SeededHash>;

    SnapshotPopulation(const store::PublishedTrace& trace, std::vector<Instance> instances, bool processExitFreesHeap);

    [[nodiscard]] std::uint64_t spans() const;
    [[nodiscard]] std::uint64_t pieces() const;
    /// The instances at which the row is outstanding.
    [[nodiscard]] Outstanding instancesAt(RowId row) const;
    /// The instance that the block belongs to.
    [[nodiscard]] Outstanding instanceOf(const store::SnapshotBlockRow& block) const;
    template <typename Take>
    void forEachBlock(std::uint64_t piece, Take take) const;
    [[nodiscard]] bool isOfInstance(const Instance& instance, SiteId site) const;
    [[nodiscard]] CellKey keyOf(const Instance& instance, SiteId site) const;
    /// The maximum number of cells that would be created.
    [[nodiscard]] static std::uint64_t cellsOf(const std::vector<Counts>& counts);
    void addCells(const Counts& counts);
    [[nodiscard]] RowFacts plainFacts(RowRef block) const override;

    const store::PublishedTrace& trace_;
    std::vector<Instance> instances_;
    /// Indexes in instances_ of those whose blocks are rows, in time order, and their times.
    std::vector<std::uint32_t> ofRows_;
    std::vector<TraceTime> times_;
    IntervalRows rows_;
};

} // namespace highwater::analysis

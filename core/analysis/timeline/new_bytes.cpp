#include "core/analysis/timeline/new_bytes.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/timeline/timeline_groups.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

/// More slices than this are counted by one worker because each worker has all of them.
constexpr std::size_t kMostSlicesOfMany = std::size_t{1} << 16;

/// Bytes by slice. Sums wrap instead of overflowing because sizes come from files.
class NewBytes {
  public:
    explicit NewBytes(std::span<const TraceTime> edges)
        : edges_(edges), allocated_(edges.size() - 1), kept_(edges.size() - 1) {}

    /// A row that started within the edges.
    void add(TraceTime begin, const Sums& sums) {
        const auto slice = sliceOf(begin);
        allocated_[slice] += sums.size;
        kept_[slice] += sums.impacting;
    }
    void add(const NewBytes& other) {
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            allocated_[i] += other.allocated_[i];
            kept_[i] += other.kept_[i];
        }
    }
    [[nodiscard]] std::vector<TimelineSeries> series() const {
        std::vector<TimelineSeries> series(2);
        series[kFreedSeries].name = "Freed";
        series[kKeptSeries].name = "Kept";
        series[kKeptSeries].key = kKeptSeries;
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            series[kFreedSeries].peaks.push_back(static_cast<SignedByteCount>(allocated_[i] - kept_[i]));
            series[kKeptSeries].peaks.push_back(static_cast<SignedByteCount>(kept_[i]));
        }
        return series;
    }

  private:
    /// Rows are in the order of their starts within spans, so most belong to the slice of the previous row.
    std::size_t sliceOf(TraceTime begin) {
        if (begin < edges_[slice_] || begin >= edges_[slice_ + 1]) {
            const auto after = std::upper_bound(edges_.begin(), edges_.end(), begin) - edges_.begin();
            slice_ = std::clamp<std::size_t>(static_cast<std::size_t>(after), 1, kept_.size()) - 1;
        }
        return slice_;
    }

    std::span<const TraceTime> edges_;
    std::vector<std::uint64_t> allocated_;
    std::vector<std::uint64_t> kept_;
    std::size_t slice_ = 0;
};

bool countAll(const RowPopulation& population, std::vector<NewBytes>& parts, const std::stop_token& stop) {
    const auto& rows = population.rows();
    const auto workers = static_cast<unsigned>(parts.size());
    return population.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
        for (const auto& member : members) {
            const auto row = static_cast<RowId>(member.row);
            const auto begin = rows.view().begin(row);
            if (begin.ns >= rows.bounds().t0) parts[worker].add(begin, rows.sumsOf(row));
        }
    });
}

bool countRowByRow(const RowPopulation& population, std::span<const RowRef> selected, NewBytes& bytes,
                   const std::stop_token& stop) {
    const auto& rows = population.rows();
    for (const auto ref : selected) {
        const auto row = static_cast<RowId>(ref);
        const auto begin = rows.view().begin(row);
        if (begin.ns >= rows.bounds().t0) bytes.add(begin, rows.sumsOf(row));
    }
    return !stop.stop_requested();
}

std::optional<Error> refusalOf(const TimelineQuery& query) {
    if (!isOfAllocations(query.table))
        return Error{ErrorKind::Usage, "Cannot show new bytes for this table. Use virtualalloc or heap."};
    if (std::uint64_t{query.points} * 2 <= kMaxTimelinePoints) return std::nullopt;
    return Error{ErrorKind::Usage,
                 fmt::format("{} points are too many for a timeline. Request fewer points.", query.points)};
}

} // namespace

Result<std::vector<TimelineSeries>> newBytesOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                               const TimelineQuery& query, const std::vector<TraceTime>& edges,
                                               const std::stop_token& stop) {
    if (auto refusal = refusalOf(query)) return *std::move(refusal);
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Table,
                                        {},
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks,
                                        query.annotations.get()};
    const auto made = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    const auto& selection = *made;
    const auto& population = static_cast<const RowPopulation&>(selection.population());
    const bool needsOne = selection.singleRows().has_value() || edges.size() > kMostSlicesOfMany;
    std::vector<NewBytes> parts(needsOne ? 1 : population.workers(), NewBytes(edges));
    const bool finished = selection.singleRows()
                              ? countRowByRow(population, *selection.singleRows(), parts.front(), stop)
                              : countAll(population, parts, stop);
    if (!finished) return cancelled();
    for (std::size_t i = 1; i < parts.size(); ++i)
        parts.front().add(parts[i]);
    return parts.front().series();
}

} // namespace highwater::analysis

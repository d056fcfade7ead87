#include "core/analysis/balance/used_pages.h"

#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace highwater::analysis {
namespace {

using store::AllocationTable;

/// Pages of the blocks of one process, as one thread finds them. Blocks begin in the order of time, except for those
/// that are older than the trace.
class PageCollector {
  public:
    explicit PageCollector(const FollowedProcess& process) : process_(&process) {}

    /// `end` is a function because few ends are needed.
    template <typename End>
    void add(Address address, ByteCount size, TraceTime begin, End end) {
        const auto extent = extentOf(address, size, process_->rules);
        if (extent.isEmpty() || !isInArea(extent)) return;
        eachPage(
            extent, [&](PageNumber page, const PagePiece&) { add(page, kNever); }, [](PageRange) {});
        if (!extent.hasOwnMapping)
            return add(address / kResidentPageBytes, begin); // it may be wholly part of the block
        const auto pages = pagesOf(extent.begin, extent.end - extent.begin);
        process_->eachMissing(begin, end(), [&](std::size_t sample) { changed_.push_back({sample, pages, true}); });
    }
    void appendTo(UsedMemory& memory) const {
        for (const auto& [page, since] : sinceOfPage_)
            memory.pages.push_back({page, since});
        memory.changed.insert(memory.changed.end(), changed_.begin(), changed_.end());
    }

  private:
    bool isInArea(const BlockExtent& extent) {
        const auto first = extent.begin / kResidentPageBytes, last = (extent.end - 1) / kResidentPageBytes;
        if (area_.first <= first && first < area_.last) return true;
        const auto next = std::ranges::upper_bound(process_->areas, last, {}, &PageRange::first);
        if (next == process_->areas.begin() || std::prev(next)->last <= first) return false;
        area_ = *std::prev(next);
        return true;
    }
    /// Most blocks are on pages that an earlier one used recently.
    void add(PageNumber page, TraceTime since) {
        auto& recent = recent_[page % recent_.size()];
        const auto isKnown = recent.page == page && (since == kNever || (recent.hasTime && since != kBeforeTrace));
        if (isKnown) return;
        const auto [place, isNew] = sinceOfPage_.try_emplace(page, since);
        if (!isNew && since < place->second) place.value() = since;
        recent = {page, place->second != kNever};
    }

    static constexpr std::size_t kRecent = 4096;
    static constexpr PageNumber kNoPage = std::numeric_limits<PageNumber>::max();
    struct Recent {
        PageNumber page = kNoPage;
        bool hasTime = false; ///< an earlier block began there
    };

    const FollowedProcess* process_;
    PageRange area_; ///< area of the last block
    tsl::robin_map<PageNumber, TraceTime, SeededHash> sinceOfPage_;
    std::vector<Recent> recent_ = std::vector<Recent>(kRecent);
    std::vector<ChangedMemory> changed_;
};

void merge(std::vector<UsedPage>& pages) {
    std::ranges::sort(pages, {}, [](const UsedPage& used) { return std::tuple(used.page, used.heapSince); });
    const auto rest = std::ranges::unique(pages, {}, &UsedPage::page);
    pages.erase(rest.begin(), rest.end());
}

/// Few, compared with blocks.
bool addChangedRows(const store::PublishedTrace& trace, const std::vector<FollowedProcess>& processes,
                    std::vector<UsedMemory>& memory, const std::stop_token& stop) {
    const auto& view = trace.virtualAlloc;
    const auto& rows = view.columns->rows;
    const auto followed = followedSites(trace, store::TableKind::VirtualAlloc, processes);
    for (std::uint64_t row = 0; row < view.rows; ++row) {
        constexpr std::uint64_t kStopEvery = 1 << 16;
        if (row % kStopEvery == 0 && stop.stop_requested()) return false;
        const auto id = static_cast<RowId>(row);
        const auto process = followed[rows.site(id).value];
        const auto begin = rows.beginTime(id);
        if (process == kNotFollowed) continue;
        processes[process].eachMissing(begin, view.end(id), [&](std::size_t sample) {
            memory[process].changed.push_back({sample, pagesOf(rows.address(id), view.size(id)), false});
        });
    }
    return true;
}

} // namespace

std::vector<std::uint32_t> followedSites(const store::PublishedTrace& trace, store::TableKind kind,
                                         const std::vector<FollowedProcess>& processes) {
    const auto& view = trace.table(kind);
    std::vector<std::uint32_t> followed(view.sites, kNotFollowed);
    for (std::uint32_t site = 0; site < view.sites; ++site) {
        const auto process = trace.heapOf(view.columns->sites[SiteId{site}]).process;
        const auto found = std::ranges::find(processes, process, &FollowedProcess::process);
        if (found != processes.end()) followed[site] = static_cast<std::uint32_t>(found - processes.begin());
    }
    return followed;
}

std::optional<std::vector<UsedMemory>> findUsedMemory(const store::PublishedTrace& trace,
                                                      const std::vector<FollowedProcess>& processes,
                                                      const std::stop_token& stop) {
    const auto& view = trace.heap;
    const auto& rows = view.columns->rows;
    const auto followed = followedSites(trace, store::TableKind::Heap, processes);
    const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
    std::vector<PageCollector> ofProcesses;
    for (const auto& process : processes)
        ofProcesses.emplace_back(process);
    std::vector<std::vector<PageCollector>> ofWorkers(workersFor(spans), ofProcesses);
    const auto collect = [&](unsigned worker, std::uint64_t span) {
        const auto first = span << AllocationTable::kSpanShift;
        const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
        for (auto row = first; row < last; ++row) {
            const auto id = static_cast<RowId>(row);
            const auto process = followed[rows.site(id).value];
            if (process == kNotFollowed) continue;
            const auto begin = rows.beginTime(id);
            if (begin < processes[process].last())
                ofWorkers[worker][process].add(rows.address(id), rows.size(id), begin, [&] { return view.end(id); });
        }
    };
    if (!forEachSpan(spans, static_cast<unsigned>(ofWorkers.size()), stop, collect)) return std::nullopt;
    std::vector<UsedMemory> memory(processes.size());
    if (!addChangedRows(trace, processes, memory, stop)) return std::nullopt;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        for (const auto& worker : ofWorkers)
            worker[i].appendTo(memory[i]);
        merge(memory[i].pages);
        std::ranges::sort(memory[i].changed, {}, &ChangedMemory::sample);
    }
    return memory;
}

} // namespace highwater::analysis

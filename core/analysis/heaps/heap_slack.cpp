#include "core/analysis/heaps/heap_slack.h"

#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>
#include <vector>

namespace highwater::analysis {
namespace {

using store::AllocationTable, store::TableKind;

struct Place {
    HeapKey key;
    const AddressRanges* ranges = nullptr;
};

/// Adds up one table. Places are numbered, and uses are indexed by number.
class UseCount {
  public:
    UseCount(const std::vector<Place>& places, const IntervalRows& rows) : places_(places), rows_(rows) {
        // By heap, or by process, whose pages may be in ranges of any of its heaps.
        const auto& heaps = rows.trace().columns->heaps;
        const auto& view = rows.view();
        placesOfSite_.resize(view.sites);
        for (std::uint32_t site = 0; site < view.sites; ++site) {
            const auto& heap = heaps[view.columns->sites[SiteId{site}].heap.value];
            for (std::uint32_t i = 0; i < places.size(); ++i) {
                const bool isHere = places[i].key.process == heap.process &&
                                    (rows.kind() == TableKind::VirtualAlloc || places[i].key.handle == heap.handle);
                if (isHere) placesOfSite_[site].push_back(i);
            }
        }
    }

    /// False: stopped.
    bool count(std::vector<RangeUse>& uses, const std::stop_token& stop) const {
        const auto& view = rows_.view();
        const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
        std::vector<std::vector<RangeUse>> found(workersFor(spans), std::vector<RangeUse>(places_.size()));
        const bool finished =
            forEachSpan(spans, static_cast<unsigned>(found.size()), stop, [&](unsigned worker, std::uint64_t span) {
                if (rows_.spanIsOutside(span)) return;
                const auto first = span << AllocationTable::kSpanShift;
                const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
                for (auto row = first; row < last; ++row)
                    add(static_cast<RowId>(row), found[worker]);
            });
        for (const auto& part : found) {
            for (std::size_t i = 0; i < uses.size(); ++i) {
                uses[i].committed += part[i].committed;
                uses[i].hasCommits = uses[i].hasCommits || part[i].hasCommits;
                uses[i].live += part[i].live;
            }
        }
        return finished;
    }

  private:
    void add(RowId row, std::vector<RangeUse>& uses) const {
        const auto& table = rows_.view().columns->rows;
        const auto& places = placesOfSite_[table.site(row).value];
        if (places.empty()) return;
        const auto begin = table.beginTime(row).ns;
        const auto end = rows_.end(row).ns;
        if (!rows_.isMember(begin, end) || end < rows_.bounds().t1) return;
        const auto size = table.size(row);
        const auto outstanding = size - std::min(size, rows_.releasedBefore(row, TraceTime{rows_.bounds().t1}));
        for (const auto place : places) {
            const auto& ranges = *places_[place].ranges;
            if (rows_.kind() == TableKind::Heap) {
                if (ranges.contains(table.address(row))) uses[place].live += outstanding;
                continue;
            }
            // It is unknown which pages of a commit were released. Assume those outside the ranges first.
            const auto within = std::min(ranges.bytesWithin(table.address(row), size), outstanding);
            uses[place].committed += within;
            uses[place].hasCommits = uses[place].hasCommits || within > 0;
        }
    }

    const std::vector<Place>& places_;
    const IntervalRows& rows_;
    std::vector<std::vector<std::uint32_t>> placesOfSite_;
};

} // namespace

std::optional<std::map<HeapKey, RangeUse>> usesOfRanges(const store::PublishedTrace& trace,
                                                        const std::map<HeapKey, HeapLife>& lives,
                                                        const IntervalRows::Options& options,
                                                        const std::stop_token& stop) {
    std::vector<Place> places;
    for (const auto& [key, life] : lives) {
        if (!life.ranges.isEmpty()) places.push_back({key, &life.ranges});
    }
    std::map<HeapKey, RangeUse> uses;
    if (places.empty()) return uses;
    std::vector<RangeUse> counted(places.size());
    for (const auto kind : {TableKind::VirtualAlloc, TableKind::Heap}) {
        const IntervalRows rows(trace, kind, options);
        if (!UseCount(places, rows).count(counted, stop)) return std::nullopt;
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        uses.emplace(places[i].key, counted[i]);
    return uses;
}

} // namespace highwater::analysis

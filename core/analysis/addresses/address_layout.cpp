#include "core/analysis/addresses/address_layout.h"

#include "core/analysis/addresses/process_rows.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <limits>

namespace highwater::analysis {
namespace {

constexpr unsigned kGranuleShift = 16;
static_assert(AddressLayout::kGranule == ByteCount{1} << kGranuleShift);

using Granules = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The granules that one worker has seen. Most rows are within one granule, the one of the previous row.
struct Seen {
    tsl::robin_set<std::uint64_t, SeededHash> single;
    Granules wide;
    std::uint64_t newest = std::numeric_limits<std::uint64_t>::max();

    void add(Address first, ByteCount size) {
        const auto most = std::numeric_limits<Address>::max() - first;
        const auto last = first + std::min<Address>(size == 0 ? 0 : size - 1, most);
        const auto begin = first >> kGranuleShift;
        const auto end = last >> kGranuleShift;
        if (begin == end && begin == newest) return;
        if (begin == end)
            single.insert(newest = begin);
        else
            wide.emplace_back(begin, end + 1);
    }
};

} // namespace

AddressLayout::AddressLayout(Granules granules) {
    std::sort(granules.begin(), granules.end());
    constexpr auto kGapGranules = kGap >> kGranuleShift;
    Granules joined;
    for (const auto& [begin, end] : granules) {
        if (!joined.empty() && begin <= joined.back().second + kGapGranules)
            joined.back().second = std::max(joined.back().second, end);
        else
            joined.emplace_back(begin, end);
    }
    std::uint64_t position = 0;
    for (const auto& [begin, end] : joined) {
        // The granules of the last address end after it; only the overflowing number is lost.
        const auto count = std::min(end - begin, (kMostPositions - position) >> kGranuleShift);
        if (count == 0) break;
        parts_.push_back({begin << kGranuleShift, count << kGranuleShift, position});
        position += count << kGranuleShift;
    }
}

const AddressLayout::Part* AddressLayout::partOf(Address address) const {
    auto part = std::upper_bound(parts_.begin(), parts_.end(), address,
                                 [](Address wanted, const Part& candidate) { return wanted < candidate.first; });
    if (part == parts_.begin()) return nullptr;
    --part;
    return address - part->first < part->size ? &*part : nullptr;
}

std::optional<std::uint64_t> AddressLayout::positionOf(Address address) const {
    const auto* part = partOf(address);
    return part == nullptr ? std::nullopt : std::optional(part->position + (address - part->first));
}

std::uint64_t AddressLayout::positionFrom(Address address) const {
    if (const auto position = positionOf(address)) return *position;
    const auto next = std::upper_bound(parts_.begin(), parts_.end(), address,
                                       [](Address wanted, const Part& part) { return wanted < part.first; });
    return next == parts_.end() ? size() : next->position;
}

Address AddressLayout::addressAt(std::uint64_t position) const {
    auto part = std::upper_bound(parts_.begin(), parts_.end(), position,
                                 [](std::uint64_t wanted, const Part& other) { return wanted < other.position; });
    --part;
    return part->first + (position - part->position);
}

std::optional<AddressLayout> layOutAddresses(const store::PublishedTrace& trace, ProcessIndex process,
                                             std::uint32_t sample, const std::stop_token& stop) {
    Granules granules;
    for (const auto kind : {store::TableKind::VirtualAlloc, store::TableKind::Heap}) {
        const auto& view = trace.table(kind);
        const auto& rows = view.columns->rows;
        std::vector<Seen> seen(workersFor(view.rows >> store::AllocationTable::kSpanShift));
        const bool finished = visitRowsOf(
            view, sitesOf(trace, view, process), sample, static_cast<unsigned>(seen.size()), stop,
            [](std::uint64_t) { return false; },
            [&](unsigned worker, RowId row) { seen[worker].add(rows.address(row), rows.size(row)); });
        if (!finished) return std::nullopt;
        for (const auto& part : seen) {
            for (const auto granule : part.single)
                granules.emplace_back(granule, granule + 1);
            granules.insert(granules.end(), part.wide.begin(), part.wide.end());
        }
    }
    return AddressLayout(std::move(granules));
}

} // namespace highwater::analysis

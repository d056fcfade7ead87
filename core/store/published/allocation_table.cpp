#include "core/store/published/allocation_table.h"

#include <algorithm>

namespace highwater::store {

/// The wide value of `row`. `values` are in ascending order of their rows. The caller checks that `row` has a value.
WideValue wideValueAt(const ChunkedColumn<WideValue>& values, std::uint64_t row) {
    std::uint64_t low = 0;
    std::uint64_t high = values.size();
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (values[middle].row <= row ? low : high) = middle;
    }
    return values[low];
}

std::uint64_t wideValue(const ChunkedColumn<WideValue>& values, std::uint64_t row) {
    return wideValueAt(values, row).value;
}

void RisingTimes::read(std::uint64_t first, std::span<std::int64_t> times) const {
    static_assert(ChunkedColumn<std::uint32_t>::kRowsPerChunk % kGroupRows == 0);
    while (!times.empty()) {
        const auto part = times.first(std::min<std::size_t>(times.size(), kGroupRows - first % kGroupRows));
        const auto base = bases_[first / kGroupRows];
        const auto* distances = &distances_[first];
        std::uint32_t largest = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + distances[i]);
            largest = std::max(largest, distances[i]);
        }
        for (std::size_t i = 0; largest >= kWide && i < part.size(); ++i)
            part[i] = (*this)[first + i].ns;
        first += part.size();
        times = times.subspan(part.size());
    }
}

bool RowEnds::set(RowId row, TraceTime time, SiteId site) {
    const auto distance = static_cast<std::uint64_t>(time.ns) - static_cast<std::uint64_t>(bases_[row / kGroupRows]);
    auto cell = (distance << kSiteBits) | site.value;
    if (distance > kMostDistance || site.value > kMostSite) [[unlikely]] {
        cell = kLate | late_.size();
        if (!late_.append(Late{time.ns, site.value, 0})) return false;
    }
    std::atomic_ref(cells_.cell(row)).store(cell, std::memory_order_release);
    return true;
}

void RowEnds::read(std::uint64_t first, std::span<std::int64_t> times) const {
    static_assert(ChunkedColumn<std::uint64_t>::kRowsPerChunk % kGroupRows == 0);
    while (!times.empty()) {
        const auto part = times.first(std::min<std::size_t>(times.size(), kGroupRows - first % kGroupRows));
        const auto base = bases_[first / kGroupRows];
        auto* cells = &cells_.sharedCell(first);
        bool isSomeLate = false;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const auto cell = std::atomic_ref(cells[i]).load(std::memory_order_acquire);
            part[i] = cell < kLate ? base + static_cast<std::int64_t>(cell >> kSiteBits) : kNever.ns;
            isSomeLate |= (cell >= kLate) & (cell != kOutstanding);
        }
        for (std::size_t i = 0; isSomeLate && i < part.size(); ++i)
            part[i] = time(static_cast<RowId>(first + i)).ns;
        first += part.size();
        times = times.subspan(part.size());
    }
}

/// Programs use few parts of their address space at a time. One of the first halves matches, usually that of the
/// previous row.
bool RowAddresses::prepare(Address address) {
    if (size() % kGroupRows == 0) {
        known_ = 0;
        for (std::uint64_t i = 0; i < kGroupHalves; ++i)
            halves_.appendInRoom(0); // chunks hold whole groups
    }
    const auto half = static_cast<std::uint32_t>(address >> 32);
    const auto first = size() / kGroupRows * kGroupHalves;
    if (prepared_ < known_ && halves_[first + prepared_] == half) return true;
    for (prepared_ = 0; prepared_ < known_; ++prepared_) {
        if (halves_[first + prepared_] == half) return true;
    }
    if (prepared_ == kWide) return wide_.append({size(), address});
    halves_.cell(first + known_++) = half;
    return true;
}

AllocationTable::AllocationTable() = default;

/// Makes room in every column for the rows of one more span. Chunks hold whole spans, so this is rarely more than a
/// check.
bool AllocationTable::makeRoom(TraceTime time) {
    static_assert(ChunkedColumn<std::int64_t>::kRowsPerChunk % kSpanRows == 0);
    return begin_.makeRoom() && ends_.makeRoom() && size_.makeRoom() && site_.makeRoom() && addresses_.makeRoom() &&
           spans_.append(Span{time.ns, kBeforeTrace.ns, 0, 0});
}

bool AllocationTable::begin(TraceTime time, Address address, ByteCount size, SiteId site, RowId& row) {
    const auto index = rowCount();
    if (full_ || index >= kMaxRows) return false;
    full_ = true; // until all operations that can fail have succeeded: the columns always have the same length
    if ((index & (kSpanRows - 1)) == 0 && !makeRoom(time)) return false;
    row = static_cast<RowId>(index);
    const bool fits = size < kWide;
    if (!fits && !wideSizes_.append({index, size})) return false;
    if (!addresses_.prepare(address)) return false;
    if (!begin_.prepare(time)) return false;
    if (time == kBeforeTrace) {
        if (!olderRows_.append(row)) return false;
        olderBytes_ = static_cast<SignedByteCount>(static_cast<std::uint64_t>(olderBytes_) + size);
    } else if (!order_.appendBegin(row, time, size)) {
        return false;
    }
    auto& span = spans_.cell(index >> kSpanShift);
    // With a single writer, a read and a store are enough and do not delay earlier stores.
    std::atomic_ref(span.open).store(span.open + 1, std::memory_order_relaxed);
    if (time.ns < span.minBegin) std::atomic_ref(span.minBegin).store(time.ns, std::memory_order_relaxed);
    ends_.appendInRoom(time);
    size_.appendInRoom(fits ? static_cast<std::uint32_t>(size) : kWide);
    site_.appendInRoom(site.value);
    addresses_.appendInRoom(address);
    begin_.appendInRoom(time);
    full_ = false;
    return true;
}

void AllocationTable::noteEnd(RowId row, TraceTime time, SiteId endSite) {
    if (!ends_.set(row, time, endSite)) full_ = true; // stays outstanding; missing rows are reported from now on
    auto& span = spans_.cell(row >> kSpanShift);
    if (time.ns > span.maxEnd) std::atomic_ref(span.maxEnd).store(time.ns, std::memory_order_relaxed);
    std::atomic_ref(span.open).store(span.open - 1, std::memory_order_release);
}

void AllocationTable::end(RowId row, TraceTime time, SiteId endSite, ByteCount size) {
    (void)order_.appendEnd(row, time, size);
    noteEnd(row, time, endSite);
}

void AllocationTable::release(RowId row, TraceTime time, ByteCount bytes, SiteId endSite, bool isFinal) {
    const auto index = static_cast<std::uint32_t>(partials_.size());
    if (partials_.append(PartialRelease{row, endSite, time, bytes, isFinal ? 1u : 0u})) {
        (void)order_.appendEnd(EventOrder::kPartial | index, time, bytes);
    }
    if (isFinal) noteEnd(row, time, endSite);
}

ByteCount AllocationTable::size(RowId row) const {
    const auto narrow = size_[row];
    return narrow != kWide ? narrow : wideValue(wideSizes_, row);
}

std::uint64_t AllocationTable::objects(RowId row) const {
    if (wideObjects_.size() == 0) return 1;
    const auto found = wideValueAt(wideObjects_, row);
    return found.row == row ? found.value : 1;
}

bool AllocationTable::spanIsOutside(std::uint64_t span, TimeRange interval) const {
    auto& summary = spans_.sharedCell(span);
    if (std::atomic_ref(summary.minBegin).load(std::memory_order_relaxed) >= interval.end.ns) return true;
    if (std::atomic_ref(summary.open).load(std::memory_order_acquire) != 0) return false;
    // Rows that begin and end at t0 belong to the interval although they do not end after it.
    return std::atomic_ref(summary.maxEnd).load(std::memory_order_relaxed) < interval.start.ns;
}

std::uint64_t AllocationTable::bytesReserved() const {
    return begin_.bytesReserved() + ends_.bytesReserved() + size_.bytesReserved() + site_.bytesReserved() +
           addresses_.bytesReserved() + spans_.bytesReserved() + partials_.bytesReserved() +
           reallocMarks_.bytesReserved() + olderRows_.bytesReserved() + wideSizes_.bytesReserved() +
           wideObjects_.bytesReserved() + order_.bytesReserved();
}

std::uint64_t AllocationTable::bytesUsed() const {
    return begin_.bytesUsed() + ends_.bytesUsed() + size_.bytesUsed() + site_.bytesUsed() + addresses_.bytesUsed() +
           spans_.bytesUsed() + partials_.bytesUsed() + reallocMarks_.bytesUsed() + olderRows_.bytesUsed() +
           wideSizes_.bytesUsed() + wideObjects_.bytesUsed() + order_.bytesUsed();
}

} // namespace highwater::store

#include "core/analysis/heaps/heap_lives.h"

#include "core/store/published/processes_by_pid.h"

#include <algorithm>
#include <limits>

namespace highwater::analysis {
namespace {

Address endOf(Address first, ByteCount size) {
    const auto most = std::numeric_limits<Address>::max() - first;
    return first + std::min<Address>(most, size);
}

void apply(const store::HeapEvent& event, HeapLife& life) {
    switch (event.operation) {
    case MemoryOperation::HeapCreate:
        ++life.creations;
        life.creation = event;
        life.destroyed.reset();
        return;
    case MemoryOperation::HeapDestroy:
        life.destroyed = event.time;
        life.hasRanges = false;
        return life.ranges.clear();
    case MemoryOperation::HeapRangeReserve:
        life.hasRanges = true;
        return life.ranges.add(event.address, event.size);
    case MemoryOperation::HeapRangeRelease:
        return life.ranges.remove(event.address, event.size);
    case MemoryOperation::HeapRangeDestroy:
        return life.ranges.clear();
    default:
        return;
    }
}

} // namespace

void AddressRanges::add(Address first, ByteCount size) {
    auto last = endOf(first, size);
    if (first >= last) return;
    // Ranges that it touches are merged into it.
    auto next = ends_.upper_bound(first);
    if (next != ends_.begin() && std::prev(next)->second >= first) --next;
    while (next != ends_.end() && next->first <= last) {
        first = std::min(first, next->first);
        last = std::max(last, next->second);
        next = ends_.erase(next);
    }
    ends_.emplace(first, last);
}

void AddressRanges::remove(Address first, ByteCount size) {
    const auto last = endOf(first, size);
    if (first >= last) return;
    auto next = ends_.upper_bound(first);
    if (next != ends_.begin() && std::prev(next)->second > first) --next;
    while (next != ends_.end() && next->first < last) {
        const auto [begin, end] = *next;
        next = ends_.erase(next);
        if (begin < first) ends_.emplace(begin, first);
        if (end > last) next = std::next(ends_.emplace(last, end).first);
    }
}

bool AddressRanges::contains(Address address) const {
    const auto next = ends_.upper_bound(address);
    return next != ends_.begin() && std::prev(next)->second > address;
}

ByteCount AddressRanges::bytes() const {
    ByteCount sum = 0;
    for (const auto& [begin, end] : ends_)
        sum += end - begin;
    return sum;
}

ByteCount AddressRanges::bytesWithin(Address first, ByteCount size) const {
    const auto last = endOf(first, size);
    auto next = ends_.upper_bound(first);
    if (next != ends_.begin()) --next;
    ByteCount sum = 0;
    for (; next != ends_.end() && next->first < last; ++next) {
        const auto begin = std::max(first, next->first);
        const auto end = std::min(last, next->second);
        if (begin < end) sum += end - begin;
    }
    return sum;
}

std::map<HeapKey, HeapLife> heapLivesAt(const store::PublishedTrace& trace, TraceTime instant) {
    const auto end = std::min(instant, trace.horizon);
    const store::ProcessesByPid instances(*trace.processes);
    std::map<HeapKey, HeapLife> lives;
    for (std::uint64_t i = 0; i < trace.heapEvents; ++i) {
        const auto& event = trace.columns->names->heapEvents[i];
        if (event.time >= end) continue;
        if (const auto process = instances.at(event.pid, event.time)) apply(event, lives[{*process, event.heap}]);
    }
    return lives;
}

} // namespace highwater::analysis

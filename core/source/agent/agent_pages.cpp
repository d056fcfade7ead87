#include "core/source/agent/agent_pages.h"

#include <algorithm>
#include <limits>

namespace highwater::source {
namespace {

constexpr Address kPageBytes = 4096;

Address endOf(Address address, ByteCount size) {
    constexpr auto kLast = std::numeric_limits<Address>::max() - kPageBytes;
    const auto end = size > kLast - std::min(address, kLast) ? kLast : address + size;
    return (end + kPageBytes - 1) / kPageBytes * kPageBytes;
}

} // namespace

std::vector<AgentPages::Change> AgentPages::set(Address address, ByteCount size, State to) {
    return change(address, size, to, true);
}

std::vector<AgentPages::Change> AgentPages::setKnown(Address address, ByteCount size, State to) {
    return change(address, size, to, false);
}

AgentPages::State AgentPages::at(Address address) const {
    const auto after = regions_.upper_bound(address);
    if (after == regions_.begin()) return State::Free;
    const auto& region = std::prev(after)->second;
    return address < region.end ? region.state : State::Free;
}

void AgentPages::split(Address at) {
    const auto after = regions_.upper_bound(at);
    if (after == regions_.begin()) return;
    const auto holder = std::prev(after);
    if (holder->first == at || holder->second.end <= at) return;
    regions_.emplace_hint(after, at, holder->second);
    holder->second.end = at;
}

/// Merges neighbors with the same state, so that programs that grow page by page do not create a million regions.
void AgentPages::join(Address from, Address to) {
    auto region = regions_.upper_bound(from);
    if (region != regions_.begin()) --region;
    while (region != regions_.end() && region->first <= to) {
        const auto next = std::next(region);
        if (next == regions_.end()) return;
        if (region->second.end == next->first && region->second.state == next->second.state) {
            region->second.end = next->second.end;
            regions_.erase(next);
        } else {
            region = next;
        }
    }
}

std::vector<AgentPages::Change> AgentPages::change(Address address, ByteCount size, State to, bool fillsGaps) {
    std::vector<Change> changes;
    const auto begin = address / kPageBytes * kPageBytes;
    const auto end = endOf(address, size);
    if (size == 0 || begin >= end) return changes;
    split(begin);
    split(end);
    const auto note = [&](Address from, Address until, State before) {
        if (from < until && before != to) changes.push_back({from, until - from, before, to});
    };
    auto reached = begin;
    for (auto region = regions_.lower_bound(begin); region != regions_.end() && region->first < end;) {
        if (fillsGaps) note(reached, region->first, State::Free);
        note(region->first, region->second.end, region->second.state);
        reached = region->second.end;
        if (fillsGaps || to == State::Free) {
            region = regions_.erase(region);
        } else {
            region->second.state = to;
            ++region;
        }
    }
    if (fillsGaps) {
        note(reached, end, State::Free);
        if (to != State::Free) regions_[begin] = {end, to};
    }
    join(begin, end);
    return changes;
}

} // namespace highwater::source

#include "core/analysis/difference/difference_entries.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace highwater::analysis {
namespace {

/// Sums wrap, and so do their differences.
Sums difference(const Sums& a, const Sums& b) {
    return {a.count - b.count, a.size - b.size,           a.allocated - b.allocated,
            a.freed - b.freed, a.impacting - b.impacting, a.opening - b.opening};
}

} // namespace

bool DifferenceEntries::add(Entry entry, std::span<const Step> path) {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    if (path.size() > kMost - steps_.size() || entries_.size() == kMost) return false;
    entry.firstStep = static_cast<std::uint32_t>(steps_.size());
    entry.steps = static_cast<std::uint32_t>(path.size());
    steps_.insert(steps_.end(), path.begin(), path.end());
    entries_.push_back(entry);
    return true;
}

void DifferenceEntries::sort() {
    std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
        const auto left = path(a);
        const auto right = path(b);
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    before_.assign((entries_.size() + 1) * traces_, Sums());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        for (std::size_t trace = 0; trace < traces_; ++trace)
            before_[(i + 1) * traces_ + trace] = before_[i * traces_ + trace];
        before_[(i + 1) * traces_ + entries_[i].trace] += entries_[i].sums;
    }
}

Sums DifferenceEntries::sums(EntryRange range, std::size_t trace) const {
    return difference(before_[range.last * traces_ + trace], before_[range.first * traces_ + trace]);
}

bool DifferenceEntries::hasGroups(EntryRange range, std::uint32_t depth) const {
    return range.first < range.last && entries_[range.last - 1].steps > depth;
}

std::vector<EntryRange> DifferenceEntries::groups(EntryRange range, std::uint32_t depth) const {
    std::vector<EntryRange> groups;
    auto first = range.first;
    while (first < range.last && entries_[first].steps <= depth)
        ++first; // those that end here
    while (first < range.last) {
        const auto step = path(entries_[first])[depth];
        auto last = first + 1;
        while (last < range.last && path(entries_[last])[depth] == step)
            ++last;
        groups.push_back({first, last});
        first = last;
    }
    return groups;
}

std::vector<EntryRange> DifferenceEntries::differentGroups() const {
    std::vector<EntryRange> different;
    std::vector<std::pair<EntryRange, std::uint32_t>> waiting{{all(), 0}};
    different.push_back(all());
    while (!waiting.empty()) {
        auto [range, depth] = waiting.back();
        waiting.pop_back();
        if (!hasGroups(range, depth)) continue;
        for (const auto group : groups(range, depth)) {
            if (group != range) different.push_back(group);
            waiting.emplace_back(group, depth + 1);
        }
    }
    return different;
}

std::vector<std::vector<std::uint32_t>> layersOf(std::span<const EntryRange> groups) {
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return groups[a].first != groups[b].first ? groups[a].first < groups[b].first : groups[a].last > groups[b].last;
    });
    std::vector<std::vector<std::uint32_t>> layers;
    std::vector<std::uint32_t> ends; ///< for the groups that contain the current group
    for (const auto group : order) {
        while (!ends.empty() && ends.back() <= groups[group].first)
            ends.pop_back();
        if (layers.size() <= ends.size()) layers.emplace_back();
        layers[ends.size()].push_back(group);
        ends.push_back(groups[group].last);
    }
    return layers;
}

} // namespace highwater::analysis

#include "core/analysis/balance/page_ranges.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// Appends a range that does not start before the last one.
void append(PageRanges& merged, PageRange range) {
    if (!merged.empty() && range.first <= merged.back().last)
        merged.back().last = std::max(merged.back().last, range.last);
    else
        merged.push_back(range);
}

} // namespace

PageRange pagesOf(Address address, ByteCount size) {
    if (address >= kLastMappingEnd || size == 0) return {};
    const auto end = address + std::min(size, kLastMappingEnd - address);
    return {address / kResidentPageBytes, (end - 1) / kResidentPageBytes + 1};
}

bool arePagesKnown(const Mapping& mapping) {
    return (mapping.flags & mapping_flag::kPages) != 0 || mapping.resident == mapping.end - mapping.begin;
}

PageRanges unionOf(PageRanges ranges) {
    std::ranges::sort(ranges);
    PageRanges merged;
    for (const auto& range : ranges) {
        if (!range.isEmpty()) append(merged, range);
    }
    return merged;
}

PageRanges unionOf(const PageRanges& a, const PageRanges& b) {
    PageRanges merged;
    merged.reserve(a.size() + b.size());
    auto left = a.begin(), right = b.begin();
    while (left != a.end() || right != b.end()) {
        const bool isLeft = right == b.end() || (left != a.end() && *left < *right);
        append(merged, isLeft ? *left++ : *right++);
    }
    return merged;
}

void ChangingRanges::add(PageRange range) {
    if (range.isEmpty()) return;
    ranges_.insert(range);
    isStale_ = true;
}

void ChangingRanges::remove(PageRange range) {
    const auto found = ranges_.find(range);
    if (found == ranges_.end()) return;
    ranges_.erase(found);
    isStale_ = true;
}

const PageRanges& ChangingRanges::merged() {
    if (std::exchange(isStale_, false)) {
        merged_.clear();
        for (const auto& range : ranges_)
            append(merged_, range);
    }
    return merged_;
}

} // namespace highwater::analysis

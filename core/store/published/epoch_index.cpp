#include "core/store/published/epoch_index.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>

namespace highwater::store {
namespace {

constexpr Address kHighestAddress = std::numeric_limits<Address>::max();

Address lastByteOf(const EpochSpan& span) {
    return span.base + std::min<ByteCount>(span.size - 1, kHighestAddress - span.base);
}

} // namespace

EpochIndex::Layers::Layers(const std::vector<EpochSpan>& spans, const std::vector<std::uint32_t>& numbers) {
    std::map<Address, Stretch> stretches; // by first
    for (const auto number : numbers) {
        const auto first = spans[number].base;
        const auto last = lastByteOf(spans[number]);
        auto next = stretches.upper_bound(first);
        if (next != stretches.begin() && std::prev(next)->second.last >= first) --next;
        while (next != stretches.end() && next->first <= last) {
            const auto hidden = next->second;
            next = stretches.erase(next);
            if (hidden.first < first) stretches.emplace(hidden.first, Stretch{hidden.first, first - 1, hidden.span});
            if (hidden.last <= last) continue;
            next = stretches.emplace(last + 1, Stretch{last + 1, hidden.last, hidden.span}).first;
        }
        stretches.emplace(first, Stretch{first, last, number});
    }
    stretches_.reserve(stretches.size());
    for (const auto& [first, stretch] : stretches)
        stretches_.push_back(stretch);
}

std::optional<std::uint32_t> EpochIndex::Layers::find(Address address) const {
    const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), address,
                                        [](Address a, const auto& stretch) { return a < stretch.first; });
    if (after == stretches_.begin() || std::prev(after)->last < address) return std::nullopt;
    return std::prev(after)->span;
}

EpochIndex::EpochIndex(const std::vector<EpochSpan>& spans, std::uint32_t epochs)
    : epochs_(std::max(epochs, 1u)), leaves_(std::bit_ceil(epochs_)) {
    std::vector<std::vector<std::uint32_t>> numbers(std::size_t{leaves_} * 2);
    for (std::uint32_t number = 0; number < spans.size(); ++number) {
        auto first = std::size_t{spans[number].firstEpoch} + leaves_;
        auto last = std::size_t{std::min(spans[number].lastEpoch, epochs_)} + leaves_;
        for (; first < last; first /= 2, last /= 2) {
            if (first % 2 != 0) numbers[first++].push_back(number);
            if (last % 2 != 0) numbers[--last].push_back(number);
        }
    }
    nodes_.reserve(numbers.size());
    for (const auto& ofNode : numbers)
        nodes_.emplace_back(spans, ofNode);
}

std::optional<std::uint32_t> EpochIndex::find(std::uint32_t epoch, Address address) const {
    std::optional<std::uint32_t> latest;
    for (auto n = std::size_t{std::min(epoch, epochs_ - 1)} + leaves_; n > 0; n /= 2)
        latest = std::max(latest, nodes_[n].find(address)); // none is less than any
    return latest;
}

} // namespace highwater::store

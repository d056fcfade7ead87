#include "core/analysis/sweeps/order_index.h"

#include "core/analysis/sweeps/event_reader.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace highwater::analysis {

using store::EventOrder;

namespace {

constexpr auto kLowest = std::numeric_limits<SignedByteCount>::min();

SignedByteCount plus(SignedByteCount level, std::uint64_t delta) {
    return static_cast<SignedByteCount>(static_cast<std::uint64_t>(level) + delta);
}

} // namespace

OrderIndex::OrderIndex(const store::TableView& view)
    : view_(view), events_(EventReader::firstFrom(view, view.horizon)) {}

// Always inline because GCC considers a function that only prefetches to have no effect, and drops its calls.
[[gnu::always_inline]] inline void OrderIndex::fetchEnds(std::uint64_t block) const {
    const auto& rows = view_.columns->rows;
    const auto& first = rows.order().blocks()[block];
    if (first.firstEnd < rows.order().ends().size()) {
        __builtin_prefetch(&rows.order().ends()[first.firstEnd]);
        __builtin_prefetch(&rows.order().ends()[first.firstEnd] + EventOrder::kBlockEvents / 4);
    }
    if (first.firstRow < view_.rows) {
        rows.begins().prefetch(first.firstRow);
        __builtin_prefetch(&rows.narrowSizes()[first.firstRow]);
    }
}

[[gnu::always_inline]] inline void OrderIndex::fetchRows(std::uint64_t block) const {
    const auto& rows = view_.columns->rows;
    const auto& order = rows.order();
    const auto ends = order.ends().size();
    const std::uint64_t first = order.blocks()[block].firstEnd;
    const auto last = first + EventOrder::kBlockEvents - static_cast<std::uint64_t>(std::popcount(order.bits(block)));
    for (auto i = first; i < last && i < ends; ++i) {
        const auto entry = order.ends()[i];
        if ((entry & EventOrder::kPartial) != 0) continue;
        rows.ends().prefetch(entry);
        __builtin_prefetch(&rows.narrowSizes()[entry]);
    }
}

std::uint64_t OrderIndex::blockOf(TraceTime t, std::uint64_t from, std::uint64_t guess) const {
    const auto& blocks = view_.columns->rows.order().blocks();
    const auto count = (events_ + EventOrder::kBlockEvents - 1) >> EventOrder::kBlockShift;
    auto low = from;
    auto high = count;
    // Doubles the step away from the guess. Events are spread evenly enough that a few steps suffice, and they stay in
    // nearby memory.
    for (std::uint64_t step = 8; guess > low && guess < high; step *= 2) {
        if (blocks[guess].firstTime < t) {
            low = guess;
            guess += step;
        } else {
            high = guess;
            guess -= std::min(step, guess);
        }
    }
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (blocks[middle].firstTime < t ? low : high) = middle;
    }
    return low;
}

OrderIndex::Edge OrderIndex::edgeAt(TraceTime t, std::uint64_t block) const {
    const auto first = block << EventOrder::kBlockShift;
    const auto last = std::min(events_, first + EventOrder::kBlockEvents);
    Edge edge{first, view_.columns->rows.order().blocks()[block].levelBefore, kLowest, kLowest};
    EventReader reader(view_, first);
    auto level = edge.level;
    bool reached = false;
    while (reader.position() < last) {
        const auto event = reader.next();
        level = plus(level, event.delta);
        reached = reached || event.time >= t;
        if (reached) {
            edge.peakToBlockEnd = std::max(edge.peakToBlockEnd, level);
        } else {
            edge.event = reader.position();
            edge.level = level;
            edge.peakFromBlockStart = std::max(edge.peakFromBlockStart, level);
        }
    }
    return edge;
}

SignedByteCount OrderIndex::peakOfBlocks(std::uint64_t first, std::uint64_t last) const {
    const auto& order = view_.columns->rows.order();
    auto peak = kLowest;
    // Climb to the widest groups inside the range, then descend. Only full blocks are queried, and all groups that end
    // at or before the last full block exist.
    unsigned level = 0;
    while (first < last) {
        constexpr std::uint64_t kMask = EventOrder::kBlockEvents - 1;
        if (level < 2 && (first & kMask) == 0 && (last & kMask) == 0) {
            first >>= EventOrder::kBlockShift;
            last >>= EventOrder::kBlockShift;
            ++level;
        } else if (level < 2 && last - first > EventOrder::kBlockEvents) {
            for (; (first & kMask) != 0; ++first)
                peak = std::max(peak, order.peaks(level)[first]);
            for (; (last & kMask) != 0; --last)
                peak = std::max(peak, order.peaks(level)[last - 1]);
        } else {
            for (; first < last; ++first)
                peak = std::max(peak, order.peaks(level)[first]);
        }
    }
    return peak;
}

SignedByteCount OrderIndex::peakInBlock(std::uint64_t first, std::uint64_t last) const {
    auto level = view_.columns->rows.order().blocks()[first >> EventOrder::kBlockShift].levelBefore;
    auto peak = kLowest;
    EventReader reader(view_, first & ~(EventOrder::kBlockEvents - 1));
    while (reader.position() < last) {
        const auto position = reader.position();
        level = plus(level, reader.next().delta);
        if (position >= first) peak = std::max(peak, level);
    }
    return peak;
}

std::vector<SignedByteCount> OrderIndex::peaks(const std::vector<TraceTime>& edges) const {
    std::vector<SignedByteCount> peaks(edges.size() - 1, view_.olderBytes);
    if (events_ == 0) return peaks;
    std::vector<std::uint64_t> blockOfEdge{blockOf(edges[0], 0, 0)};
    std::uint64_t step = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) {
        const auto before = blockOfEdge.back();
        blockOfEdge.push_back(blockOf(edges[i], before, before + step));
        step = blockOfEdge.back() - before;
    }
    auto left = edgeAt(edges[0], blockOfEdge[0]);
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        if (i + 5 < edges.size()) fetchEnds(blockOfEdge[i + 5]);
        if (i + 3 < edges.size()) fetchRows(blockOfEdge[i + 3]);
        const auto block = blockOfEdge[i];
        const auto nextBlock = blockOfEdge[i + 1];
        const auto right = edgeAt(edges[i + 1], nextBlock);
        auto peak = left.level;
        if (nextBlock == block) {
            if (right.event > left.event) peak = std::max(peak, peakInBlock(left.event, right.event));
        } else {
            peak = std::max({peak, left.peakToBlockEnd, peakOfBlocks(block + 1, nextBlock), right.peakFromBlockStart});
        }
        peaks[i] = plus(peak, static_cast<std::uint64_t>(view_.olderBytes));
        left = right;
    }
    return peaks;
}

} // namespace highwater::analysis

#include "core/store/published/event_order.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace highwater::store {
namespace {
constexpr auto kLowest = std::numeric_limits<SignedByteCount>::min();
}

EventOrder::EventOrder()
    : peaks_{ChunkedColumn<SignedByteCount>(kMaxEvents >> kBlockShift),
             ChunkedColumn<SignedByteCount>(kMaxEvents >> (2 * kBlockShift)),
             ChunkedColumn<SignedByteCount>(kMaxEvents >> (3 * kBlockShift))},
      blockPeak_(kLowest), groupPeak_{kLowest, kLowest} {}

std::uint64_t EventOrder::bits(std::uint64_t block) const {
    return std::atomic_ref(blocks_.sharedCell(block).bits).load(std::memory_order_relaxed);
}

bool EventOrder::appendBegin(RowId row, TraceTime time, ByteCount size) {
    if (!append(true, time, row, size)) return false;
    nextRow_ = row + 1;
    return true;
}

bool EventOrder::appendEnd(std::uint32_t entry, TraceTime time, ByteCount bytes) {
    // The entry first because append() may open a block that refers to the position after it.
    const auto index = ends_.size();
    if (!ends_.append(entry)) return false;
    if (!append(false, time, nextRow_, 0 - bytes)) return false;
    if ((events_ - 1) % kBlockEvents == 0) blocks_.cell(blocks_.size() - 1).firstEnd = static_cast<std::uint32_t>(index);
    return true;
}

bool EventOrder::append(bool begins, TraceTime time, RowId nextRow, std::uint64_t delta) {
    const auto position = events_ % kBlockEvents;
    if (position == 0) {
        const Block block{0, time, level_, nextRow, static_cast<std::uint32_t>(ends_.size())};
        if (!blocks_.append(block)) return false;
    }
    if (begins) {
        auto& bits = blocks_.cell(blocks_.size() - 1).bits;
        std::atomic_ref(bits).store(bits | (std::uint64_t{1} << position), std::memory_order_relaxed);
    }
    level_ = static_cast<SignedByteCount>(static_cast<std::uint64_t>(level_) + delta);
    blockPeak_ = std::max(blockPeak_, level_);
    ++events_;
    if (position == kBlockEvents - 1) closeBlock();
    return true;
}

void EventOrder::closeBlock() {
    (void)peaks_[0].append(blockPeak_);
    auto peak = blockPeak_;
    blockPeak_ = kLowest;
    for (unsigned level = 0; level < 2; ++level) {
        groupPeak_[level] = std::max(groupPeak_[level], peak);
        if (peaks_[level].size() % kBlockEvents != 0) return;
        peak = groupPeak_[level];
        groupPeak_[level] = kLowest;
        (void)peaks_[level + 1].append(peak);
    }
}

std::uint64_t EventOrder::bytesReserved() const {
    return blocks_.bytesReserved() + ends_.bytesReserved() + peaks_[0].bytesReserved() + peaks_[1].bytesReserved() +
           peaks_[2].bytesReserved();
}

std::uint64_t EventOrder::bytesUsed() const {
    return blocks_.bytesUsed() + ends_.bytesUsed() + peaks_[0].bytesUsed() + peaks_[1].bytesUsed() +
           peaks_[2].bytesUsed();
}

} // namespace highwater::store

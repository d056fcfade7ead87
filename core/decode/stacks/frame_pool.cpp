#include "core/decode/stacks/frame_pool.h"

#include <algorithm>
#include <bit>

namespace highwater::decode {
namespace {

constexpr std::size_t kSmallestBlock = 8;

std::size_t sizeClassOf(std::size_t frames) {
    return static_cast<std::size_t>(std::bit_width((std::max(frames, kSmallestBlock) - 1) / kSmallestBlock));
}

} // namespace

std::span<const Address> FramePool::keep(std::span<const Address> frames) {
    if (frames.empty()) return {};
    const auto kept = frames.first(std::min(frames.size(), kChunkFrames)); // a record is smaller than 64 KiB
    const auto sizeClass = sizeClassOf(kept.size());
    Address* block = takeBlock(sizeClass);
    std::copy(kept.begin(), kept.end(), block);
    framesInUse_ += kSmallestBlock << sizeClass;
    return {block, kept.size()};
}

void FramePool::release(std::span<const Address> kept) {
    if (kept.empty()) return;
    const auto sizeClass = sizeClassOf(kept.size());
    free_[sizeClass].push_back(const_cast<Address*>(kept.data()));
    framesInUse_ -= kSmallestBlock << sizeClass;
    if (framesInUse_ == 0 && chunks_.size() > kKeptChunks) giveBack();
}

void FramePool::giveBack() {
    for (auto& blocks : free_)
        blocks = {};
    chunks_.clear();
    usedInLastChunk_ = kChunkFrames;
}

Address* FramePool::takeBlock(std::size_t sizeClass) {
    auto& free = free_[sizeClass];
    if (!free.empty()) {
        auto* block = free.back();
        free.pop_back();
        return block;
    }
    const std::size_t frames = kSmallestBlock << sizeClass;
    if (usedInLastChunk_ + frames > kChunkFrames) {
        chunks_.push_back(std::make_unique_for_overwrite<Address[]>(kChunkFrames));
        usedInLastChunk_ = 0;
    }
    auto* block = chunks_.back().get() + usedInLastChunk_;
    usedInLastChunk_ += frames;
    return block;
}

} // namespace highwater::decode

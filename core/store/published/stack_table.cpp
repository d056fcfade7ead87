#include "core/store/published/stack_table.h"

#include "core/base/seeded_hash.h"

#include <algorithm>
#include <atomic>

namespace highwater::store {
namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 31;

} // namespace

bool isCutByRecorder(std::span<const Address> frames) {
    if (frames.size() <= kMostRecordedFrames) return frames.size() == kMostRecordedFrames;
    const auto outermostOfKernel =
        std::find_if(frames.rbegin(), frames.rend(), [](Address frame) { return (frame & kKernelBit) != 0; });
    return outermostOfKernel - frames.rbegin() == static_cast<std::ptrdiff_t>(kMostRecordedFrames);
}

StackTable::StackTable() : nodes_(kMaxNodes), stacks_(kMaxNodes) {
    (void)nodes_.append(FrameNode{});
    (void)stacks_.append(Stack{});
}

std::size_t StackTable::DeferredHash::operator()(const DeferredKey& k) const noexcept {
    const auto root = (std::uint64_t{k.root.epoch} << 32) | k.root.process.value;
    return static_cast<std::size_t>(seededHash(root, k.deferred));
}

FrameNodeId StackTable::rootNode(StackRoot root) {
    if (root == lastRoot_) return lastRootNode_;
    lastRootNode_ = child(FrameNodeId{0}, (std::uint64_t{root.epoch} << 32) | root.process.value);
    lastRoot_ = root;
    return lastRootNode_;
}

FrameNodeId StackTable::child(FrameNodeId parent, Address address) {
    const auto key = seededHash(address, parent.value);
    const auto known = children_.find(
        key, [&](std::uint32_t node) { return nodes_[node].parent == parent && nodes_[node].address == address; });
    if (known != IdIndex::kNone) return FrameNodeId{known};
    const auto id = nodeCount();
    const bool isRoot = parent.value == 0;
    if (!isRoot && !hasRoom()) return parent;
    if (!nodes_.append(FrameNode{parent, isRoot ? 0 : nodes_[parent.value].depth + 1, address})) return parent;
    children_.insert(key, id);
    return FrameNodeId{id};
}

FrameNodeId StackTable::addFrames(FrameNodeId root, std::span<const Address> frames) {
    auto node = isCutByRecorder(frames) ? child(root, kStackCut) : root;
    auto left = std::min(frames.size(), kMostFrames);
    for (; left > 0; --left) {
        const auto next = child(node, frames[left - 1]);
        if (next == node) break;
        node = next;
    }
    if (left > 0 || isTooDeep(frames)) ++shortenedStacks_;
    return node;
}

StackTable::Prepared StackTable::prepare(StackRoot root, const FramesHash& frames) {
    const auto rootId = rootNode(root);
    const auto& seed = processHashSeed.words;
    const FramesHash key{foldedProduct(frames.first ^ rootId.value, seed[0]),
                         foldedProduct(frames.second ^ seed[1], seed[2] ^ rootId.value)};
    ids_.prefetch(key.first);
    return {rootId, key};
}

StackId StackTable::intern(const Prepared& stack, std::span<const Address> frames) {
    ++uses_;
    const auto known = ids_.find(stack.hash.first, stack.hash);
    if (known != ids_.kNone) [[likely]]
        return StackId{known};
    const auto id = stackCount();
    if (!stacks_.append(Stack{addFrames(stack.root, frames).value, 0})) return StackId{0};
    ids_.insert(stack.hash, id);
    return StackId{id};
}

/// 0 only if there was no memory for it.
StackId StackTable::known(const Prepared& stack) {
    ++uses_;
    const auto id = ids_.find(stack.hash.first, stack.hash);
    return StackId{id != ids_.kNone ? id : 0};
}

StackId StackTable::internDeferred(StackRoot root, std::uint32_t deferred) {
    ++uses_;
    auto& stacks = deferred_[deferred];
    for (std::size_t i = 0; i < std::min(stacks.size(), kFewRoots); ++i) {
        if (stacks[i].root == root) return stacks[i].stack;
    }
    if (stacks.size() >= kFewRoots) {
        const auto known = deferredOf_.find(DeferredKey{deferred, root});
        if (known != deferredOf_.end()) return known->second;
    }
    const StackId id{stackCount()};
    if (!stacks_.append(Stack{})) return StackId{0};
    if (stacks.size() >= kFewRoots) deferredOf_.emplace(DeferredKey{deferred, root}, id);
    stacks.push_back(Deferred{root, id});
    return id;
}

void StackTable::resolveDeferred(std::uint32_t deferred, std::span<const Address> frames) {
    ++revision_;
    const auto found = deferred_.find(deferred);
    if (found == deferred_.end()) return;
    for (const auto& kept : found->second) {
        if (found->second.size() > kFewRoots) deferredOf_.erase(DeferredKey{deferred, kept.root});
        const auto leafNode = addFrames(rootNode(kept.root), frames);
        auto& stack = stacks_.cell(kept.stack.value);
        std::atomic_ref(stack.resolvedAt).store(revision_, std::memory_order_relaxed);
        std::atomic_ref(stack.leaf).store(leafNode.value, std::memory_order_release);
    }
    deferred_.erase(found);
}

FrameNodeId StackTable::leaf(StackId stack, std::uint32_t revision) const {
    auto& entry = stacks_.sharedCell(stack.value);
    const auto leafNode = std::atomic_ref(entry.leaf).load(std::memory_order_acquire);
    if (leafNode == 0) return FrameNodeId{0};
    if (std::atomic_ref(entry.resolvedAt).load(std::memory_order_relaxed) > revision) return FrameNodeId{0};
    return FrameNodeId{leafNode};
}

std::uint64_t StackTable::bytesReserved() const {
    return nodes_.bytesReserved() + stacks_.bytesReserved() + ids_.bytesReserved() + children_.bytesReserved();
}

} // namespace highwater::store

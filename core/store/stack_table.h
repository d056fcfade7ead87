#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/chunked_column.h"
#include "core/store/prefetched_index.h"

#include <tsl/robin_map.h>

#include <array>
#include <span>
#include <vector>

namespace highwater::store {

/// One entry of a stack as a node of the tree of all stacks. parent id < child id, so a sum over subtrees is one sweep
/// from the last node to the first.
///   depth 0: the root of one address space (a process and its image epoch; `address` packs both, see unpackRoot)
///   depth n: the n-th frame from the outermost
struct FrameNode {
    FrameNodeId parent;
    std::uint32_t depth = 0;
    Address address = 0;
};
static_assert(sizeof(FrameNode) == 16);

/// An address space at one time: frames of stacks under it mean the same thing. The epoch counts how often an image of
/// the process was replaced by another one at the same addresses (see ProcessTable).
struct StackRoot {
    ProcessIndex process;
    std::uint32_t epoch = 0;
    friend bool operator==(StackRoot, StackRoot) = default;
};
[[nodiscard]] constexpr StackRoot unpackRoot(const FrameNode& root) {
    return {ProcessIndex{static_cast<std::uint32_t>(root.address)}, static_cast<std::uint32_t>(root.address >> 32)};
}

/// Every distinct stack once, as parent-linked frames. StackId 0 is "(no stack)".
/// The pipeline thread interns; readers read stacks and nodes below the published counts.
/// Stacks are recognised by a 128-bit hash with a random seed per table: frames are not compared again.
class StackTable {
  public:
    StackTable();

    /// frames: innermost first. An empty span is StackId 0.
    [[nodiscard]] StackId intern(StackRoot root, std::span<const Address> frames) {
        return frames.empty() ? StackId{0} : intern(prepare(root, frames), frames);
    }

    struct Hash128 {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        friend bool operator==(const Hash128&, const Hash128&) = default;
    };
    /// A stack on its way in: what is computed ahead of the look-up, so that the look-up's memory can be fetched.
    struct Prepared {
        FrameNodeId root;
        Hash128 hash;
    };
    /// frames must not be empty. intern() of what is returned follows soon, with the same frames.
    [[nodiscard]] Prepared prepare(StackRoot root, std::span<const Address> frames);
    [[nodiscard]] StackId intern(const Prepared& stack, std::span<const Address> frames);

    /// A stack whose frames are promised: one id per (promise, root).
    [[nodiscard]] StackId internPending(StackRoot root, std::uint32_t promise);
    /// The promise is kept: all its stacks get their frames. Adds one to revision().
    void definePending(std::uint32_t promise, std::span<const Address> frames);

    /// The innermost frame's node, or node 0 for "no stack" and for a promise not kept by `revision`. Any thread.
    [[nodiscard]] FrameNodeId leaf(StackId stack, std::uint32_t revision) const;
    [[nodiscard]] const FrameNode& node(FrameNodeId id) const { return nodes_[id.value]; }

    // Writer only: what to publish.
    [[nodiscard]] std::uint32_t stackCount() const { return static_cast<std::uint32_t>(stacks_.size()); }
    [[nodiscard]] std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] std::uint32_t revision() const { return revision_; }
    /// About what stacks cost: nodes, and the tables that recognise them.
    [[nodiscard]] std::uint64_t bytesReserved() const;

  private:
    struct Stack { // leaf 0: a promise
        std::uint32_t leaf = 0;
        std::uint32_t resolvedAt = 0; ///< revision since which leaf counts
    };
    struct TakeFirst {
        std::uint64_t operator()(const Hash128& h) const noexcept { return h.first; }
    };
    struct NodeKey {
        std::uint32_t parent;
        Address address;
        friend bool operator==(const NodeKey&, const NodeKey&) = default;
    };
    struct NodeHash {
        std::size_t operator()(const NodeKey& k) const noexcept;
    };
    struct Promise {
        StackRoot root;
        StackId stack;
    };

    [[nodiscard]] Hash128 hash(FrameNodeId root, std::span<const Address> frames) const;
    FrameNodeId rootNode(StackRoot root);
    FrameNodeId child(FrameNodeId parent, Address address);
    FrameNodeId addFrames(FrameNodeId root, std::span<const Address> frames);

    ChunkedColumn<FrameNode> nodes_;
    ChunkedColumn<Stack> stacks_;
    PrefetchedIndex<Hash128, TakeFirst> ids_;
    tsl::robin_map<NodeKey, std::uint32_t, NodeHash> children_;
    tsl::robin_map<std::uint32_t, std::vector<Promise>> promises_;
    StackRoot lastRoot_{ProcessIndex{0xFFFFFFFFu}, 0};
    FrameNodeId lastRootNode_;
    std::uint32_t revision_ = 0;
    std::array<std::uint64_t, 4> seed_{};
};

} // namespace highwater::store

#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"
#include "core/store/published/id_index.h"

#include <tsl/robin_map.h>

#include <array>
#include <span>
#include <vector>

namespace highwater::store {

/// Set in addresses of the kernel on 64-bit systems.
inline constexpr Address kKernelBit = Address{1} << 63;

/// Windows and the agent of Linux record so many frames at most, the innermost ones: of a record, and of the user half
/// of a stack whose halves come apart. Neither says that there were more.
inline constexpr std::size_t kMostRecordedFrames = 192;
/// The outermost frame of a stack that its recorder cut: not an address, as no code lies at the end of all addresses.
inline constexpr Address kStackCut = ~Address{0};
/// Whether the recorder reached its limit. frames: innermost first.
[[nodiscard]] bool isCutByRecorder(std::span<const Address> frames);

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
///
/// By keys a small file can name one deep stack from any number of processes, each of which has its own nodes. So
/// frames further out than Windows and the Linux agent record are left out, and there are only so many nodes for so
/// many events, far more than recorded programs need: beyond that stacks end early. Both are counted. Stacks are
/// recognised by a 128-bit hash that nobody knows beforehand: frames are not compared again.
///
/// A stack that its recorder cut has a node more between its root and its frames: kStackCut.
class StackTable {
  public:
    StackTable();

    /// frames: innermost first. An empty span is StackId 0.
    [[nodiscard]] StackId intern(StackRoot root, std::span<const Address> frames) {
        return frames.empty() ? StackId{0} : intern(prepare(root, hashFrames(frames)), frames);
    }

    /// A stack on its way in: what is computed ahead of the look-up, so that the look-up's memory can be fetched.
    struct Prepared {
        FrameNodeId root;
        FramesHash hash; ///< of root and frames
    };
    /// `frames`: their hash; there must be some. intern() of what is returned follows soon, with the same frames.
    [[nodiscard]] Prepared prepare(StackRoot root, const FramesHash& frames);
    [[nodiscard]] StackId intern(const Prepared& stack, std::span<const Address> frames);
    /// The same for one that was interned before.
    [[nodiscard]] StackId known(const Prepared& stack);

    /// A stack that nobody will ask for went by: there is room for so many nodes more.
    void noteUse() { ++uses_; }
    /// Whether some of its frames are left out however few stacks there are.
    [[nodiscard]] static bool isTooDeep(std::span<const Address> frames) { return frames.size() > kMostFrames; }

    /// A stack whose frames are deferred: one id per (deferred stack, root).
    [[nodiscard]] StackId internDeferred(StackRoot root, std::uint32_t deferred);
    /// All stacks of the deferred one get their frames. Adds one to revision().
    void resolveDeferred(std::uint32_t deferred, std::span<const Address> frames);

    /// The innermost frame's node, or node 0 for "no stack" and for a deferred stack that was not resolved by
    /// `revision`. Any thread.
    [[nodiscard]] FrameNodeId leaf(StackId stack, std::uint32_t revision) const;
    [[nodiscard]] const FrameNode& node(FrameNodeId id) const { return nodes_[id.value]; }

    /// No stack comes any more: what finds them is given back.
    void endInterning() {
        ids_ = {};
        children_ = {};
    }

    // Writer only: what to publish.
    [[nodiscard]] std::uint32_t stackCount() const { return static_cast<std::uint32_t>(stacks_.size()); }
    [[nodiscard]] std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] std::uint32_t revision() const { return revision_; }
    /// Stacks that are not whole: too deep, or one of too many.
    [[nodiscard]] std::uint64_t shortenedStacks() const { return shortenedStacks_; }
    /// About what stacks cost: nodes, and the tables that recognise them.
    [[nodiscard]] std::uint64_t bytesReserved() const;

    /// All columns, for who writes them to a file or takes them from there (core/pipeline/index): visit(column). `self`
    /// may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.nodes_);
        visit(self.stacks_);
    }

  private:
    struct Stack { // leaf 0: deferred
        std::uint32_t leaf = 0;
        std::uint32_t resolvedAt = 0; ///< revision since which leaf counts
    };
    struct TakeFirst {
        std::uint64_t operator()(const FramesHash& h) const noexcept { return h.first; }
    };
    struct Deferred {
        StackRoot root;
        StackId stack;
    };
    struct DeferredKey {
        std::uint32_t deferred;
        StackRoot root;
        friend bool operator==(const DeferredKey&, const DeferredKey&) = default;
    };
    struct DeferredHash {
        std::size_t operator()(const DeferredKey& k) const noexcept;
    };
    static constexpr std::size_t kMostFrames = 512; ///< ETW and the agent: 192 for each half
    static constexpr std::size_t kFewRoots = 8;
    static constexpr std::uint64_t kFreeNodes = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kNodesPerUse = 2;

    FrameNodeId rootNode(StackRoot root);
    /// The parent itself: there is no room for another node.
    FrameNodeId child(FrameNodeId parent, Address address);
    [[nodiscard]] bool hasRoom() const { return nodeCount() < kFreeNodes + uses_ * kNodesPerUse; }
    FrameNodeId addFrames(FrameNodeId root, std::span<const Address> frames);

    ChunkedColumn<FrameNode> nodes_;
    ChunkedColumn<Stack> stacks_;
    PrefetchedIndex<FramesHash, TakeFirst> ids_;
    IdIndex children_; ///< of nodes, by parent and address
    tsl::robin_map<std::uint32_t, std::vector<Deferred>, SeededHash> deferred_;
    tsl::robin_map<DeferredKey, StackId, DeferredHash> deferredOf_; ///< of deferred stacks with more than a few roots
    StackRoot lastRoot_{ProcessIndex{0xFFFFFFFFu}, 0};
    FrameNodeId lastRootNode_;
    std::uint32_t revision_ = 0;
    std::uint64_t uses_ = 0; ///< of stacks, by events
    std::uint64_t shortenedStacks_ = 0;
};

} // namespace highwater::store

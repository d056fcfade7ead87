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

/// Set in kernel addresses on 64-bit systems.
inline constexpr Address kKernelBit = Address{1} << 63;

/// Maximum number of frames, the innermost ones, that Windows and the Linux agent record: of a record, and of the user
/// half of a stack that is recorded in two halves. Neither reports that there were more.
inline constexpr std::size_t kMostRecordedFrames = 192;
/// The outermost frame of a stack that its recorder truncated. It is not a valid address because no code is at the end
/// of the address space.
inline constexpr Address kStackCut = ~Address{0};
/// Whether the recorder reached its limit. frames: innermost first.
[[nodiscard]] bool isCutByRecorder(std::span<const Address> frames);

/// One entry of a stack as a node of the tree of all stacks. parent id < child id, so a sum over subtrees is one pass
/// from the last node to the first.
///   depth 0: the root of one address space (a process and its image epoch; `address` packs both, see unpackRoot)
///   depth n: the n-th frame from the outermost
struct FrameNode {
    FrameNodeId parent;
    std::uint32_t depth = 0;
    Address address = 0;
};
static_assert(sizeof(FrameNode) == 16);

/// An address space at one time, in which frames of stacks have the same meaning. The epoch counts how often another
/// image replaced an image of the process at the same addresses (see ProcessTable).
struct StackRoot {
    ProcessIndex process;
    std::uint32_t epoch = 0;
    friend bool operator==(StackRoot, StackRoot) = default;
};
[[nodiscard]] constexpr StackRoot unpackRoot(const FrameNode& root) {
    return {ProcessIndex{static_cast<std::uint32_t>(root.address)}, static_cast<std::uint32_t>(root.address >> 32)};
}

/// Every distinct stack once, as parent-linked frames. StackId 0 is "(no stack)". The pipeline thread interns; readers
/// read stacks and nodes below the published counts.
///
/// With stack keys, a small file can refer to one deep stack from any number of processes, each of which has its own
/// nodes. Therefore frames beyond the depth that Windows and the Linux agent record are left out, and the number of
/// nodes per event is limited, far above the needs of real programs. Beyond the limit, stacks are truncated. Both cases
/// are counted. Stacks are identified by a 128-bit hash that cannot be predicted, so frames are not compared again.
///
/// A stack that its recorder truncated has an additional node between its root and its frames: kStackCut.
class StackTable {
  public:
    StackTable();

    /// frames: innermost first. An empty span is StackId 0.
    [[nodiscard]] StackId intern(StackRoot root, std::span<const Address> frames) {
        return frames.empty() ? StackId{0} : intern(prepare(root, hashFrames(frames)), frames);
    }

    /// A stack before it is interned: values computed ahead of the look-up so that its memory can be prefetched.
    struct Prepared {
        FrameNodeId root;
        FramesHash hash; ///< over root and frames
    };
    /// `frames`: their hash; there must be at least one. Call intern() of the result soon afterwards, with the same
    /// frames.
    [[nodiscard]] Prepared prepare(StackRoot root, const FramesHash& frames);
    [[nodiscard]] StackId intern(const Prepared& stack, std::span<const Address> frames);
    /// The same for a stack that was interned before.
    [[nodiscard]] StackId known(const Prepared& stack);

    /// Counts a stack that is not interned. It allows as many additional nodes as an interned one.
    void noteUse() { ++uses_; }
    /// Whether frames are left out because of its depth, regardless of the number of stacks.
    [[nodiscard]] static bool isTooDeep(std::span<const Address> frames) { return frames.size() > kMostFrames; }

    /// A stack whose frames are deferred: one id per (deferred stack, root).
    [[nodiscard]] StackId internDeferred(StackRoot root, std::uint32_t deferred);
    /// Sets the frames of all stacks of the deferred one. Increments revision().
    void resolveDeferred(std::uint32_t deferred, std::span<const Address> frames);

    /// The node of the innermost frame, or node 0 for "no stack" and for a deferred stack that was not resolved by
    /// `revision`. Any thread.
    [[nodiscard]] FrameNodeId leaf(StackId stack, std::uint32_t revision) const;
    [[nodiscard]] const FrameNode& node(FrameNodeId id) const { return nodes_[id.value]; }

    /// No more stacks follow. Frees the look-up tables.
    void endInterning() {
        ids_ = {};
        children_ = {};
    }

    // Writer only: values to publish.
    [[nodiscard]] std::uint32_t stackCount() const { return static_cast<std::uint32_t>(stacks_.size()); }
    [[nodiscard]] std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] std::uint32_t revision() const { return revision_; }
    /// Stacks that are incomplete: too deep, or beyond the node limit.
    [[nodiscard]] std::uint64_t shortenedStacks() const { return shortenedStacks_; }
    /// Approximate memory of stacks: nodes and look-up tables.
    [[nodiscard]] std::uint64_t bytesReserved() const;

    /// Visits all columns, for code that writes them to or reads them from a file (core/pipeline/index): visit(column).
    /// `self` may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.nodes_);
        visit(self.stacks_);
    }

  private:
    struct Stack { // leaf 0: deferred
        std::uint32_t leaf = 0;
        std::uint32_t resolvedAt = 0; ///< revision from which leaf is valid
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
    static constexpr std::size_t kMostFrames = 512; ///< ETW and the agent record 192 for each half
    static constexpr std::size_t kFewRoots = 8;
    static constexpr std::uint64_t kFreeNodes = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kNodesPerUse = 2;

    FrameNodeId rootNode(StackRoot root);
    /// Returns the parent if there is no room for another node.
    FrameNodeId child(FrameNodeId parent, Address address);
    [[nodiscard]] bool hasRoom() const { return nodeCount() < kFreeNodes + uses_ * kNodesPerUse; }
    FrameNodeId addFrames(FrameNodeId root, std::span<const Address> frames);

    ChunkedColumn<FrameNode> nodes_;
    ChunkedColumn<Stack> stacks_;
    PrefetchedIndex<FramesHash, TakeFirst> ids_;
    IdIndex children_; ///< nodes by parent and address
    tsl::robin_map<std::uint32_t, std::vector<Deferred>, SeededHash> deferred_;
    tsl::robin_map<DeferredKey, StackId, DeferredHash>
        deferredOf_; ///< only for deferred stacks with more than a few roots
    StackRoot lastRoot_{ProcessIndex{0xFFFFFFFFu}, 0};
    FrameNodeId lastRootNode_;
    std::uint32_t revision_ = 0;
    std::uint64_t uses_ = 0; ///< number of stacks by events
    std::uint64_t shortenedStacks_ = 0;
};

} // namespace highwater::store

#pragma once

#include "core/base/result.h"
#include "core/event/memory_picture.h"
#include "core/references/reference_graph.h"
#include "core/references/stop_watch.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::references {

/// Finds the dominator of each block, which is a block or a root (the number of its node), by the algorithm of Lengauer
/// and Tarjan with path compression: O(r log n) for r references and n nodes, whatever the program has in its memory.
/// (Semi-NCA is quadratic in the worst case.) Memory: 28 bytes per node, and 4 per reference. No recursion. One thread
/// at a time.
class DominatorSearch {
  public:
    /// Both must outlive the search.
    DominatorSearch(std::span<PictureBlock> blocks, const ReferenceGraph& graph, const std::stop_token& stop);

    /// Sets the dominators of all blocks that can be reached from `starts` and not from those of earlier calls.
    /// References to blocks of earlier calls do not count: call it with the nodes of roots, then with the unreachable
    /// blocks, because a leak does not keep what the program can reach. Changes nothing else of the blocks.
    /// Errors: Cancelled.
    [[nodiscard]] Result<void> findFrom(std::span<const std::uint32_t> starts);

  private:
    /// A number of a node in the order of a depth-first search. 0: the virtual root, which refers to all starts.
    using Number = std::uint32_t;
    using Numbers = LargeVector<Number>;
    static constexpr std::size_t kPrefetched = 8; ///< references of a node
    struct Visit {
        std::uint32_t node;
        std::uint32_t next; ///< reference
    };

    [[nodiscard]] bool numberNodes(std::span<const std::uint32_t> starts);
    void enter(std::uint32_t node, Number parent);
    template <typename Take>
    [[nodiscard]] bool eachReference(const Take& take);
    void prefetchReferences(Number from) const;
    [[nodiscard]] bool gatherPredecessors(std::span<const std::uint32_t> starts);
    [[nodiscard]] bool findSemidominators();
    void emptyBucket(Number semi, Number linked);
    Number lowestOnPath(Number at, Number linked);
    void write();

    std::span<PictureBlock> blocks_;
    const ReferenceGraph& graph_;
    StopWatch watch_;
    Numbers number_;                  ///< by node, above those of earlier calls; 0: not found yet
    Number found_ = 0;                ///< by earlier calls
    LargeVector<std::uint32_t> node_; ///< by number without earlier calls, as all that follow
    Numbers parent_;                  ///< in the tree of the search; of numbers that are done, some number above
    Numbers semi_;                    ///< semidominator
    Numbers label_;                   ///< with the lowest semidominator on the path to parent_
    Numbers dominator_;
    Numbers bucket_; ///< the first number with this semidominator
    LargeVector<std::uint32_t> firstPredecessor_;
    Numbers predecessors_;
    std::vector<Visit> path_;
    std::vector<Number> compressed_;
};

} // namespace highwater::references

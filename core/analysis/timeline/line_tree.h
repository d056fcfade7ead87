#pragma once

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The groups of a timeline by the keys of its query, opened according to GroupOpening. Rows are assigned to groups
/// that are not open, its leaves. A group is created with its first row.
///
/// A stack that ends at a frame where others continue is below the next key beside the further frames or, at the last
/// key, in its own leaf, so that all rows of an open group are in its groups. The selection must outlive it.
class LineTree {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0;

    struct Node {
        KeyStep step;
        NodeId parent = kRoot;
        std::uint32_t depth = 0;    ///< steps from the root
        std::uint32_t frames = 0;   ///< frames of the stack column up to this node; 0: not a stack column
        std::int32_t keyIndex = -1; ///< index of the step's column among the keys
        bool isOpen = false;
        bool canOpen = false;
        bool isOwn = false; ///< the rest of its parent, not a group of the table
        std::vector<NodeId> children;
        /// The toggled paths that start with this one, in sorted order.
        std::size_t firstToggled = 0;
        std::size_t lastTurned = 0;
    };

    LineTree(const RowSelection& selection, const TimelineQuery& query);

    /// The columns that the tree of this query reads.
    [[nodiscard]] static ColumnSet columnsOf(const TimelineQuery& query);

    /// The leaf for a row of this cell; nothing: the rows of the cell must be distinguished.
    std::optional<NodeId> leafOf(const CellKey& cell) { return walk(cell, nullptr); }
    /// Whether the stack of this cell has further frames below the node.
    [[nodiscard]] bool goesOn(NodeId id, const CellKey& cell) const { return goesOn(nodes_[id], cell); }
    NodeId leafOf(const RowFacts& row) { return *walk(row.key, &row); }

    [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] KeyPath pathOf(NodeId id) const;

  private:
    struct Step {
        KeyStep step;
        std::int32_t keyIndex = 0;
        std::uint32_t frames = 0;
        bool canOpen = false;
        bool isOwn = false;
    };
    struct Edge {
        NodeId parent = kRoot;
        std::int32_t keyIndex = 0;
        std::uint64_t key = 0;
        friend bool operator==(const Edge&, const Edge&) = default;
    };
    struct HashEdge {
        std::size_t operator()(const Edge& edge) const noexcept {
            const auto place = (std::uint64_t{edge.parent} << 32) | static_cast<std::uint32_t>(edge.keyIndex);
            return static_cast<std::size_t>(seededHash(edge.key, place));
        }
    };
    [[nodiscard]] bool goesOn(const Node& node, const CellKey& cell) const {
        return node.frames > 0 && selection_.reader().stack(node.step.column, cell).size() > node.frames;
    }
    std::optional<NodeId> walk(const CellKey& cell, const RowNumbers* row);
    [[nodiscard]] std::optional<Step> stepBelow(const Node& node, const CellKey& cell, const RowNumbers* row) const;
    NodeId childOf(NodeId parent, const Step& step);
    void decideOpening(Node& child) const;

    const RowSelection& selection_;
    std::vector<Column> keys_;
    GroupOpening opening_;
    std::vector<KeyPath> turned_; ///< sorted
    std::deque<Node> nodes_;
    tsl::robin_map<Edge, NodeId, HashEdge> children_;
};

} // namespace highwater::analysis

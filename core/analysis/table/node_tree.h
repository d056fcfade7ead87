#pragma once

#include "core/analysis/rows/cell_rows.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/table_query.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// A group. It owns a range of a list of elements. Opening it sorts the range by the next key and distributes the
/// parts.
struct TreeNode {
    std::uint64_t key = 0;
    Sums sums;
    std::uint32_t parent = 0;
    std::uint32_t list = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t depth = 0; ///< frames of the stack column up to this node; 0: not a stack column
    std::int16_t keyIndex = -1;
    Column column = Column::Process;
    bool canOpen = false;
    bool isOpen = false;
    std::optional<SignedByteCount> peak;
    std::optional<std::int64_t> peakCount;
    std::vector<std::uint32_t> children;
};

/// The open groups of a grouped table.
///
/// Elements are cells or, below a key of single rows (an address, a time), rows. If a stack ends at a frame where
/// others continue, its rows appear below the next key beside the further frames or, at the last key, only in the node
/// itself.
class NodeTree {
  public:
    using NodeId = std::uint32_t; ///< same as in GroupedTable
    /// A cell number, or kRow | RowRef.
    using Element = std::uint64_t;
    static constexpr Element kRow = Element{1} << 63;

    /// Both must outlive it.
    NodeTree(const Query& query, const RowSelection& selection);

    [[nodiscard]] const TreeNode& node(NodeId id) const { return nodes_[id]; }
    [[nodiscard]] TreeNode& node(NodeId id) { return nodes_[id]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::span<const Element> elements(NodeId id) const;
    /// Groups the node's elements; its children are unsorted. False: stopped, and nothing has changed.
    bool open(NodeId id, const std::stop_token& stop);
    /// Removes the children of the most recently opened node.
    void close(NodeId id);
    [[nodiscard]] CellKey keyOf(Element element) const;

    /// The rows of a node, in row order; does not change its elements. Nothing: stopped.
    std::optional<std::vector<Element>> rowsIn(NodeId id, const std::stop_token& stop);
    /// For addRow().
    std::uint32_t addList(std::vector<Element> rows);
    [[nodiscard]] const std::vector<Element>& list(std::uint32_t number) const { return lists_[number]; }
    /// Adds a node of Column::Allocation for a row of the list, below `parent` but not among its children.
    NodeId addRow(NodeId parent, std::uint32_t list, std::uint32_t position);

  private:
    /// The next step of an element.
    struct Step {
        std::int16_t keyIndex = 0;
        std::uint32_t depth = 0;
        std::uint64_t key = 0;
        bool canOpen = false;
    };
    /// A part of a list.
    struct Range {
        std::uint32_t list = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    struct ElementFacts {
        CellKey key;
        Sums sums;
        std::optional<RowFacts> row;
    };

    [[nodiscard]] ElementFacts factsOf(Element element) const;
    /// Nothing: the element stays in the node.
    [[nodiscard]] std::optional<Step> step(const TreeNode& node, const ElementFacts& facts) const;
    [[nodiscard]] bool needsRows(const TreeNode& node, const CellKey& key) const;
    [[nodiscard]] bool goesOnInStack(const TreeNode& node, const CellKey& key) const;
    std::optional<std::vector<Range>> rangesToGroup(const TreeNode& node, const std::stop_token& stop);
    /// The rows of these cells, in row order. Nothing: stopped.
    std::optional<std::vector<RowRef>> rowsOf(std::span<const Element> cells, const std::stop_token& stop);
    bool group(NodeId id, Range range, const std::stop_token& stop);
    /// Sorts the range by group, and assigns the parts to the new nodes, whose `last` is their number of elements.
    void placeGroups(Range range, NodeId firstChild, const std::vector<std::uint32_t>& groupOf);

    const Query& query_;
    const RowSelection& selection_;
    std::deque<TreeNode> nodes_; ///< a deque, so that references to children stay valid
    std::deque<std::vector<Element>> lists_;
    bool hasDistinguishedRows_ = false;
    std::optional<CellRows> rowsOfCells_; ///< set the second time that rows are distinguished
};

/// The sort key of rows: a column of RowValues; rows without a value come last.
struct RowOrder {
    Column column = Column::RowSize;
    bool descending = true;
};

/// The single rows of nodes that have no children, and the nodes for rows that were requested.
class LeafRows {
  public:
    using NodeId = NodeTree::NodeId;

    /// Both must outlive it.
    LeafRows(NodeTree& tree, const RowSelection& selection) : tree_(tree), selection_(selection) {}

    /// Nodes for the rows starting at `first`, at most `count`; empty: stopped. order: nothing: in order of allocation;
    /// the first call determines it.
    std::vector<NodeId> rows(NodeId leaf, std::size_t first, std::size_t count, std::optional<RowOrder> order,
                             const std::stop_token& stop);

    /// Whether no rows of any leaf were requested.
    [[nodiscard]] bool isEmpty() const { return rows_.empty(); }

  private:
    struct Rows {
        std::uint32_t list = 0;
        std::vector<NodeId> nodes; ///< for the first rows
    };

    const Rows* find(NodeId leaf, std::optional<RowOrder> order, const std::stop_token& stop);
    void sort(std::vector<NodeTree::Element>& rows, RowOrder order) const;

    NodeTree& tree_;
    const RowSelection& selection_;
    std::map<NodeId, Rows> rows_;
};

} // namespace highwater::analysis

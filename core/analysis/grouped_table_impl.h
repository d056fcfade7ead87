#pragma once

#include "core/analysis/grouped_table.h"
#include "core/analysis/node_tree.h"
#include "core/analysis/row_selection.h"

#include <map>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// Private to grouped_table*.cpp.
class GroupedTable::Impl {
  public:
    Impl(std::shared_ptr<const store::PublishedTrace> ofTrace, std::shared_ptr<FrameLabels> withLabels, Query asked)
        : trace(std::move(ofTrace)), labels(std::move(withLabels)), query(std::move(asked)) {}

    /// Lowest and highest key of a cell's rows; equal when they share one value.
    struct KeySpan {
        std::uint64_t low = ~std::uint64_t{0};
        std::uint64_t high = 0;
        void add(std::uint64_t key) {
            low = std::min(low, key);
            high = std::max(high, key);
        }
        void add(const KeySpan& other) {
            low = std::min(low, other.low);
            high = std::max(high, other.high);
        }
    };

    [[nodiscard]] ColumnSet usedColumns() const;
    /// The values of single rows that were asked for, per cell.
    bool collectSingleValues(const std::stop_token& stop);
    [[nodiscard]] CellValue aggregate(const TreeNode& node, Column column) const;
    [[nodiscard]] CellValue sharedValue(NodeId id, Column column) const;
    /// Not of stacks. Nothing: the rows have several, or it was not asked for.
    [[nodiscard]] std::optional<CellValue> sharedKey(NodeId id, Column column) const;
    [[nodiscard]] CellValue sharedStack(NodeId id, Column column) const;
    [[nodiscard]] KeySpan keySpan(NodeId id, Column column) const;
    void sortChildren(NodeId id);
    [[nodiscard]] CellValue sortValue(NodeId id, Column column) const;

    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels;
    Query query;
    ColumnSet used;
    std::unique_ptr<RowSelection> selection;
    std::unique_ptr<NodeTree> tree;
    std::map<Column, std::vector<KeySpan>> singleValues; ///< [column][cell]
    std::vector<NodeId> noChildren;
};

} // namespace highwater::analysis

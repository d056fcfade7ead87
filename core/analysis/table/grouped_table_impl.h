#pragma once

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/table/node_tree.h"
#include "core/analysis/table/row_statistics.h"
#include "core/analysis/table/shared_values.h"
#include "core/analysis/table/trends.h"
#include "core/analysis/table/weighted_sum.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// Numbers of nodes that were computed on demand, by node.
template <typename Value>
class ByNode {
  public:
    [[nodiscard]] const Value* find(std::uint32_t node) const {
        return node < values_.size() && values_[node] ? &*values_[node] : nullptr;
    }
    const Value& set(std::uint32_t node, const Value& value) {
        if (node >= values_.size()) values_.resize(node + std::size_t{1});
        return values_[node].emplace(value);
    }
    [[nodiscard]] std::vector<std::uint32_t> missing(std::span<const std::uint32_t> nodes) const {
        std::vector<std::uint32_t> found;
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
                     [&](auto node) { return find(node) == nullptr; });
        return found;
    }
    /// Nodes from here on are no more.
    void forgetFrom(std::size_t node) { values_.resize(std::min(values_.size(), node)); }

  private:
    std::vector<std::optional<Value>> values_;
};

/// Private to grouped_table*.cpp.
class GroupedTable::Impl {
  public:
    Impl(std::shared_ptr<const store::PublishedTrace> ofTrace, std::shared_ptr<FrameLabels> withLabels, Query asked)
        : trace(std::move(ofTrace)), labels(std::move(withLabels)), query(std::move(asked)) {}

    /// What the query says that cannot be answered.
    [[nodiscard]] std::optional<Error> refusal() const;
    [[nodiscard]] ColumnSet usedColumns() const;
    /// The columns of query.columns and query.sort, normalized.
    [[nodiscard]] std::vector<ValueColumn> askedValues() const;
    /// The columns of single rows that the asked values are made of.
    [[nodiscard]] std::vector<Column> askedRowColumns() const;
    /// Those of which weighted averages are asked.
    [[nodiscard]] std::vector<Column> askedWeightedColumns() const;
    /// Those of which nothing is asked but what all rows share.
    [[nodiscard]] bool isAskedAsShared(Column rowColumn) const;
    /// One pass, or two, over the rows for all row columns. False when stopped.
    bool collectRowColumns(const std::stop_token& stop);

    /// Adds the steps of one stack column as they are now.
    void addRenewed(std::span<const KeyStep> steps, bool isWhole, KeyPath& path) const;
    [[nodiscard]] CellValue value(NodeId id, ValueColumn column) const;
    [[nodiscard]] CellValue aggregate(NodeId id, Column column) const;
    [[nodiscard]] CellValue sharedValue(NodeId id, Column column) const;
    /// Not of stacks. Nothing: the rows have several, or it was not asked for.
    [[nodiscard]] std::optional<CellValue> sharedKey(NodeId id, Column column) const;
    /// The line, or the lines of one file, of the frame that a node of a stack column is; nothing: of several files.
    [[nodiscard]] std::optional<CellValue> sourceOfFrame(NodeId id) const;
    [[nodiscard]] std::vector<RowCode> codeOf(NodeId id) const;
    [[nodiscard]] CellValue sharedStack(NodeId id, Column column) const;
    /// The key that all rows of the element share, the inner nothing being no value; nothing: several.
    using ElementKey = std::optional<std::uint64_t>;
    [[nodiscard]] std::optional<ElementKey> rowKey(NodeTree::Element element, Column rowColumn) const;
    [[nodiscard]] CellValue sum(NodeId id, Column column) const;
    [[nodiscard]] CellValue average(NodeId id, Column column) const;
    [[nodiscard]] CellValue extreme(NodeId id, ValueColumn column) const;
    [[nodiscard]] CellValue count(NodeId id, Column column) const;
    [[nodiscard]] CellValue weightedAverage(NodeId id, Column column) const;
    /// Null if the query does not ask for anything of the column.
    [[nodiscard]] const WeightedSum* weightedSum(NodeId id, Column rowColumn) const;
    [[nodiscard]] const RowSummary* summary(NodeId id, Column rowColumn) const;
    /// Whether the keys of the column are told apart.
    [[nodiscard]] bool isKnown(Column column) const;

    Result<void> compute(std::span<const NodeId> nodes, std::span<const ValueColumn> columns,
                         const std::stop_token& stop);
    Result<void> computeUnique(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    Result<void> computeTrendsOf(std::span<const NodeId> nodes, const std::stop_token& stop);
    Result<void> computePeakTimes(std::span<const NodeId> nodes, const std::stop_token& stop);
    /// Those of a sum column, which say of a group what its rows do not say one by one.
    Result<void> computeOwn(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    /// As summary() and weightedSum() have them.
    enum class Summary : std::uint8_t { Plain, Weighted };
    bool computeSummaries(std::span<const NodeId> nodes, Column rowColumn, Summary summary,
                          const std::stop_token& stop);
    bool computeSources(std::span<const NodeId> nodes, const std::stop_token& stop);
    bool computeCounts(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    void forgetFrom(std::size_t node);

    /// The first of query.sort that says something of a single row.
    [[nodiscard]] std::optional<RowOrder> rowOrder() const;
    [[nodiscard]] bool canSortBy(const std::vector<SortKey>& sort) const;
    /// The values that decide the order of siblings.
    [[nodiscard]] std::vector<ValueColumn> sortingValues() const;
    /// Of an open node whose children are in an order that was asked for before. False when stopped.
    bool sortAgain(NodeId id, const std::stop_token& stop);
    void sortChildren(NodeId id);
    /// Siblings by numbers that are read once, as there may be millions of them; only those that share one are compared
    /// further. False, and nothing has happened, where the first sort key is no number.
    bool sortByNumbers(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// Siblings of which nothing is known yet to tell them apart.
    void sortEquals(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// The same, with all that decides read before: what nodes are called is made anew each time that it is asked for.
    void sortByTexts(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// What the sort keys from this one on say of two siblings, and their keys, which are numbers.
    [[nodiscard]] bool comesBefore(NodeId a, NodeId b, std::span<const SortKey> sort) const;
    /// Whether the sort key is a key column, which orders its own level only.
    [[nodiscard]] bool isOfOneLevel(const SortKey& key) const;
    /// What orders these siblings.
    [[nodiscard]] std::vector<SortKey> sortOf(const std::vector<NodeId>& siblings) const;
    /// The value that decides the node's place; nothing where the key column is another level's.
    [[nodiscard]] CellValue sortValue(NodeId id, const SortKey& key) const;

    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels;
    Query query;
    ColumnSet used;
    std::unique_ptr<RowSelection> selection;
    std::unique_ptr<NodeTree> tree;
    std::unique_ptr<LeafRows> leafRows;
    RowStatistics statistics;
    SharedValues sharedValues;
    std::vector<Column> sharedColumns; ///< what sharedValues knows, where cells are not told apart row by row
    std::map<Column, ByNode<std::uint64_t>> uniqueCounts;
    std::map<Column, ByNode<std::uint64_t>> keyCounts;
    ByNode<Trend> trends;
    ByNode<TraceTime> peakTimes;
    ByNode<CellValue> sources;                                  ///< of frames
    mutable std::map<Column, ByNode<RowSummary>> summaries;     ///< by row column; an entry for each that is asked for
    mutable std::map<Column, ByNode<WeightedSum>> weightedSums; ///< the same
    std::vector<NodeId> noChildren;
    std::uint32_t sorts = 0;          ///< how often the order was changed
    ByNode<std::uint32_t> sortedWith; ///< by open node: `sorts` when its children were sorted
};

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/table/held_memory.h"
#include "core/analysis/table/node_tree.h"
#include "core/analysis/table/retained_memory.h"
#include "core/analysis/table/row_statistics.h"
#include "core/analysis/table/shared_values.h"
#include "core/analysis/table/trends.h"
#include "core/analysis/table/weighted_sum.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// Values of nodes that are computed on demand, by node.
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
    /// Nodes from here on no longer exist.
    void forgetFrom(std::size_t node) { values_.resize(std::min(values_.size(), node)); }

  private:
    std::vector<std::optional<Value>> values_;
};

/// Private to grouped_table*.cpp.
class GroupedTable::Impl {
  public:
    Impl(std::shared_ptr<const store::PublishedTrace> ofTrace, std::shared_ptr<FrameLabels> withLabels, Query asked)
        : trace(std::move(ofTrace)), labels(std::move(withLabels)), query(std::move(asked)) {}

    /// Why the query cannot be answered.
    [[nodiscard]] std::optional<Error> refusal() const;
    [[nodiscard]] ColumnSet usedColumns() const;
    /// The columns in query.columns and query.sort, normalized.
    [[nodiscard]] std::vector<ValueColumn> requestedValues() const;
    /// The per-row columns that the requested values need.
    [[nodiscard]] std::vector<Column> requestedRowColumns() const;
    /// The columns whose weighted averages are requested.
    [[nodiscard]] std::vector<Column> requestedWeightedColumns() const;
    /// Whether the column is only requested for values that all rows share.
    [[nodiscard]] bool isRequestedAsShared(Column rowColumn) const;
    /// One or two passes over the rows for all row columns. False: stopped.
    bool collectRowColumns(const std::stop_token& stop);

    /// Appends the current steps of one stack column.
    void addRenewed(std::span<const KeyStep> steps, bool isWhole, KeyPath& path) const;
    [[nodiscard]] CellValue value(NodeId id, ValueColumn column) const;
    [[nodiscard]] CellValue aggregate(NodeId id, Column column) const;
    [[nodiscard]] CellValue sharedValue(NodeId id, Column column) const;
    /// Not for stacks. Nothing: the rows have several values, or the column was not requested.
    [[nodiscard]] std::optional<CellValue> sharedKey(NodeId id, Column column) const;
    /// The line, or the lines in one file, of the frame of a stack column's node; nothing: several files.
    [[nodiscard]] std::optional<CellValue> sourceOfFrame(NodeId id) const;
    [[nodiscard]] std::vector<RowCode> codeOf(NodeId id) const;
    [[nodiscard]] CellValue sharedStack(NodeId id, Column column) const;
    /// The key that all rows of the element share (inner nothing: no value); nothing: several keys.
    using ElementKey = std::optional<std::uint64_t>;
    [[nodiscard]] std::optional<ElementKey> rowKey(NodeTree::Element element, Column rowColumn) const;
    [[nodiscard]] CellValue sum(NodeId id, Column column) const;
    [[nodiscard]] CellValue average(NodeId id, Column column) const;
    [[nodiscard]] CellValue extreme(NodeId id, ValueColumn column) const;
    [[nodiscard]] CellValue count(NodeId id, Column column) const;
    [[nodiscard]] CellValue weightedAverage(NodeId id, Column column) const;
    /// Null: the query does not request this column.
    [[nodiscard]] const WeightedSum* weightedSum(NodeId id, Column rowColumn) const;
    [[nodiscard]] const RowSummary* summary(NodeId id, Column rowColumn) const;
    /// Whether rows are distinguished by the keys of the column.
    [[nodiscard]] bool isKnown(Column column) const;

    Result<void> compute(std::span<const NodeId> nodes, std::span<const ValueColumn> columns,
                         const std::stop_token& stop);
    Result<void> computeUnique(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    Result<void> computeTrendsOf(std::span<const NodeId> nodes, const std::stop_token& stop);
    Result<void> computeRetained(std::span<const NodeId> nodes, const std::stop_token& stop);
    Result<void> computeHeldMemory(std::span<const NodeId> nodes, const std::stop_token& stop);
    Result<void> computePeakTimes(std::span<const NodeId> nodes, const std::stop_token& stop);
    /// The values of a sum column that exist for a group but not for its single rows.
    Result<void> computeOwn(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    /// For summary() and weightedSum().
    enum class Summary : std::uint8_t { Plain, Weighted };
    bool computeSummaries(std::span<const NodeId> nodes, Column rowColumn, Summary summary,
                          const std::stop_token& stop);
    bool computeSources(std::span<const NodeId> nodes, const std::stop_token& stop);
    bool computeCounts(std::span<const NodeId> nodes, Column column, const std::stop_token& stop);
    void forgetFrom(std::size_t node);

    /// The first key in query.sort that has values for single rows.
    [[nodiscard]] std::optional<RowOrder> rowOrder() const;
    [[nodiscard]] bool canSortBy(const std::vector<SortKey>& sort) const;
    /// The values that determine the order of siblings.
    [[nodiscard]] std::vector<ValueColumn> sortingValues() const;
    /// For an open node whose children have an outdated order. False: stopped.
    bool sortAgain(NodeId id, const std::stop_token& stop);
    void sortChildren(NodeId id);
    /// Sorts siblings by numbers that are read once, because there may be millions; only equal ones are compared
    /// further. False: unchanged, because the first sort key is not numeric.
    bool sortByNumbers(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// Siblings that are equal so far.
    void sortEquals(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// The same with all sort values read beforehand, because the texts of nodes are generated on each request.
    void sortByTexts(std::span<NodeId> nodes, std::span<const SortKey> sort) const;
    /// Compares two siblings by the remaining sort keys, then by their keys, which are numbers.
    [[nodiscard]] bool comesBefore(NodeId a, NodeId b, std::span<const SortKey> sort) const;
    /// Whether the sort key is a key column, which only orders its own level.
    [[nodiscard]] bool isOfOneLevel(const SortKey& key) const;
    /// The sort order of these siblings.
    [[nodiscard]] std::vector<SortKey> sortOf(const std::vector<NodeId>& siblings) const;
    /// The value that determines the position of the node; nothing if the key column belongs to another level.
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
    std::vector<Column> sharedColumns; ///< columns in sharedValues, if cells are not divided into rows
    std::map<Column, ByNode<std::uint64_t>> uniqueCounts;
    std::map<Column, ByNode<std::uint64_t>> keyCounts;
    ByNode<Trend> trends;
    ByNode<TraceTime> peakTimes;
    std::optional<HeldMemoryCounter> heldMemoryCounter; ///< made when first needed
    ByNode<std::optional<HeldMemory>> heldMemory;
    std::optional<RetainedMemory> retainedMemory; ///< made when first needed
    ByNode<std::optional<ByteCount>> retained;
    std::uint64_t rowsOnUnknownPages = 0;                       ///< of all rows; set with heldMemoryCounter
    ByNode<CellValue> sources;                                  ///< for frames
    mutable std::map<Column, ByNode<RowSummary>> summaries;     ///< by row column; an entry for each requested column
    mutable std::map<Column, ByNode<WeightedSum>> weightedSums; ///< likewise
    std::vector<NodeId> noChildren;
    std::uint32_t sorts = 0;          ///< number of changes of the order
    ByNode<std::uint32_t> sortedWith; ///< by open node: value of `sorts` when its children were sorted
};

} // namespace highwater::analysis

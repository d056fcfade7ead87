#pragma once

#include "core/analysis/frames/frame_facts.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

class KeyReader;
struct Cell;
struct RowNumbers;

/// The answer: a tree of groups, opened level by level where it is looked at. docs/numbers.md 4 defines the numbers.
///
/// compute() may run on any thread. Afterwards one thread at a time may use the object; children() does the work of
/// grouping one more level of one node (proportional to what is in the node), so a tree of any depth opens at once.
class GroupedTable {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0; ///< all rows that take part; its values are the totals

    /// Error only for Cancelled and Usage (a column that the table does not have).
    static Result<std::shared_ptr<GroupedTable>> compute(std::shared_ptr<const store::PublishedTrace> trace,
                                                         std::shared_ptr<FrameLabels> labels, Query query,
                                                         std::stop_token stop = {});
    ~GroupedTable();

    [[nodiscard]] const Query& query() const;
    [[nodiscard]] const store::PublishedTrace& trace() const;

    /// From now on children are sorted so, those of opened nodes as well; query().sort is this. False, and all is as it
    /// was, where that needs another question: for values that were not asked for, or if rows() were.
    [[nodiscard]] bool sortBy(std::vector<SortKey> sort);

    /// Sorted. Empty for a node below the last key. A stop leaves the node unopened and returns nothing.
    const std::vector<NodeId>& children(NodeId node, std::stop_token stop = {});
    /// What children() does, of many nodes: in one pass over the rows for all of them. False after a stop: none was
    /// opened.
    bool open(std::span<const NodeId> nodes, std::stop_token stop = {});
    /// The single rows of a node that has no children, as nodes of Column::Allocation, whose key is the row; they are
    /// not among the children. At most `count`, from `first` on: sorted by the first of query.sort that says something
    /// of a row, else as they were made. The first time, takes time with the rows of the trace. Empty after a stop.
    std::vector<NodeId> rows(NodeId leaf, std::size_t first, std::size_t count, std::stop_token stop = {});
    /// How many they are; 0 of nodes that have children, and of single rows.
    [[nodiscard]] std::uint64_t rowCount(NodeId node) const;
    /// Of a node of Column::Allocation: what its row is, and its thread, if that is known.
    [[nodiscard]] RowNumbers numbersOf(NodeId row) const;
    [[nodiscard]] std::optional<std::uint64_t> threadOf(NodeId row) const;
    /// Without opening it.
    [[nodiscard]] bool hasChildren(NodeId node) const;
    [[nodiscard]] NodeId parent(NodeId node) const;
    /// The key column this node is a group of, its key and its text ("MemoryTestApp.exe (4242)", "ntdll.dll!+0x1234").
    [[nodiscard]] Column column(NodeId node) const;
    [[nodiscard]] std::uint64_t key(NodeId node) const;
    [[nodiscard]] std::string keyText(NodeId node) const;
    [[nodiscard]] KeyPath path(NodeId node) const;
    /// The row of the owner's frame on the way from the root to a node: of the frames in the innermost stack column
    /// there, the one that docs/numbers.md 12 calls the owner. Nothing: none of these rows is a frame.
    [[nodiscard]] std::optional<NodeId> ownerOnWayTo(NodeId node) const;
    /// A path of an earlier answer as this one has it: frames that were named since by their new labels, and without
    /// allocator frames that are left out now that they have a name.
    [[nodiscard]] KeyPath renewed(const KeyPath& path) const;

    /// What the column says about the rows of the node (monostate: nothing, or, of Own, several values).
    /// Anything but sums, Count, counts and averages of sums, and keys only if query.columns or query.sort has it;
    /// Peak and UniqueCount after computeValues.
    [[nodiscard]] CellValue value(NodeId node, ValueColumn column) const;
    /// value() as it is shown and written: where no row of the node has a label, Annotation says so in words.
    [[nodiscard]] CellValue shownValue(NodeId node, ValueColumn column) const;
    /// The value of a column that is no aggregate, if all rows of the node share it (monostate: none of them has one);
    /// nothing if there are several. Of the same columns as value(), except for stacks.
    [[nodiscard]] std::optional<CellValue> sharedValue(NodeId node, Column column) const;
    /// What is known of the frame that a node of a stack column is; nothing of other nodes. Takes time with the number
    /// of different stacks below the node.
    [[nodiscard]] std::optional<FrameFacts> frameFacts(NodeId node) const;
    /// For searches below nodes that were not opened: whether `visit` says yes to any cell of the node. Where single
    /// rows are told apart, rows stand for cells.
    [[nodiscard]] bool anyCell(NodeId node, const std::function<bool(const Cell&)>& visit) const;
    /// How many cells it is made of: what its memory grows with.
    [[nodiscard]] std::size_t cellCount() const;
    /// Reads the keys of such cells.
    [[nodiscard]] const KeyReader& reader() const;
    /// Peaks, unique counts and what else takes long, for those of query.columns and query.sort that need it: one pass
    /// over the rows or events for all of these nodes. Nothing to do for most queries; what is there is not computed
    /// again. Call it for the nodes that are shown, before value(). Error: Cancelled.
    Result<void> computeValues(std::span<const NodeId> nodes, std::stop_token stop = {});
    /// Peak(Size) alone, whether or not the query asks for it.
    Result<void> computePeaks(std::span<const NodeId> nodes, std::stop_token stop = {});

  private:
    class Impl;
    explicit GroupedTable(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis

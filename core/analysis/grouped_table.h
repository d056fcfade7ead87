#pragma once

#include "core/analysis/columns.h"
#include "core/analysis/frame_labels.h"
#include "core/analysis/row_filter.h"
#include "core/base/result.h"
#include "core/store/published_trace.h"

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

struct SortKey {
    Column column = Column::Size;
    bool descending = true;
    friend bool operator==(const SortKey&, const SortKey&) = default;
};

/// A question to a table. Plain value; equal queries on the same publication have equal answers.
struct Query {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    std::vector<Column>
        keys; ///< left of the gold bar, in order; a stack column opens frame by frame; repetitions are dropped
    std::vector<Column>
        columns; ///< values wanted besides the sums (times, addresses, Peak Size cost a pass of their own)
    std::vector<SortKey> sort; ///< then by key; default: Size descending
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for StackBottomUp; null: none are skipped
};

/// The answer: a tree of groups, opened level by level where it is looked at. design.md section 4 defines the numbers.
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

    /// Sorted. Empty for a node below the last key. A stop leaves the node unopened and returns nothing.
    const std::vector<NodeId>& children(NodeId node, std::stop_token stop = {});
    /// Without opening it.
    [[nodiscard]] bool hasChildren(NodeId node) const;
    [[nodiscard]] NodeId parent(NodeId node) const;
    /// The key column this node is a group of, its key and its text ("MemoryTestApp.exe (4242)", "ntdll.dll!+0x1234").
    [[nodiscard]] Column column(NodeId node) const;
    [[nodiscard]] std::uint64_t key(NodeId node) const;
    [[nodiscard]] std::string keyText(NodeId node) const;
    [[nodiscard]] KeyPath path(NodeId node) const;

    /// An aggregate, or the one value that all rows of the node share (monostate: none, or several).
    /// Times, addresses and other values of single rows only if query.columns has them; Peak Size after computePeaks.
    [[nodiscard]] CellValue value(NodeId node, Column column) const;
    /// The value of a column that is no aggregate, if all rows of the node share it (monostate: none of them has one);
    /// nothing if there are several. Of the same columns as value(), except for stacks.
    [[nodiscard]] std::optional<CellValue> sharedValue(NodeId node, Column column) const;
    /// For searches below nodes that were not opened: whether `visit` says yes to any cell of the node. Where single
    /// rows are told apart, rows stand for cells.
    [[nodiscard]] bool anyCell(NodeId node, const std::function<bool(const Cell&)>& visit) const;
    /// Reads the keys of such cells.
    [[nodiscard]] const KeyReader& reader() const;
    /// Sweeps the order of events once for all of these nodes.
    Result<void> computePeaks(std::span<const NodeId> nodes, std::stop_token stop = {});

  private:
    class Impl;
    explicit GroupedTable(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// What a value reads like on the command line and in exports: bytes and counts as integers, times in seconds, hex with
/// 0x.
[[nodiscard]] std::string plainText(Column column, const CellValue& value);

} // namespace highwater::analysis

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
class OwnerFrames;
struct Cell;
struct RowNumbers;

/// The answer: a tree of groups whose levels are opened on demand. docs/numbers.md 4 defines the numbers.
///
/// compute() may run on any thread. Afterwards one thread at a time may use the object. children() groups one more
/// level of one node (in time proportional to the size of the node), so a tree of any depth opens immediately.
class GroupedTable {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0; ///< all rows of the query; its values are the totals

    /// Errors: Cancelled, Usage (a column that the table does not have).
    static Result<std::shared_ptr<GroupedTable>> compute(std::shared_ptr<const store::PublishedTrace> trace,
                                                         std::shared_ptr<FrameLabels> labels, Query query,
                                                         std::stop_token stop = {});
    ~GroupedTable();

    [[nodiscard]] const Query& query() const;
    [[nodiscard]] const store::PublishedTrace& trace() const;

    /// From now on, children have this order, including those of opened nodes; query().sort returns it. False: nothing
    /// has changed because a new question is necessary, for values that were not requested, or after a call of rows().
    [[nodiscard]] bool sortBy(std::vector<SortKey> sort);

    /// Sorted. Empty for a node below the last key. If stopped, leaves the node unopened and returns nothing.
    const std::vector<NodeId>& children(NodeId node, std::stop_token stop = {});
    /// Opens many nodes like children(), in one pass over the rows for all of them. False: stopped, and no node is
    /// open.
    bool open(std::span<const NodeId> nodes, std::stop_token stop = {});
    /// The single rows of a node without children, as nodes of Column::Allocation whose key is the row; they are not
    /// among the children. At most `count`, starting at `first`: sorted by the first column in query.sort that has
    /// values for rows, otherwise in order of allocation. The first call takes time proportional to the rows of the
    /// trace. Empty: stopped.
    std::vector<NodeId> rows(NodeId leaf, std::size_t first, std::size_t count, std::stop_token stop = {});
    /// The number of rows; 0 for nodes with children and for single rows.
    [[nodiscard]] std::uint64_t rowCount(NodeId node) const;
    /// For a node of Column::Allocation: the data of its row, with its thread if known.
    [[nodiscard]] RowNumbers numbersOf(NodeId row) const;
    [[nodiscard]] std::optional<std::uint64_t> threadOf(NodeId row) const;
    /// Does not open the node.
    [[nodiscard]] bool hasChildren(NodeId node) const;
    [[nodiscard]] NodeId parent(NodeId node) const;
    /// The key column of this node's group, its key and its text ("MemoryTestApp.exe (4242)", "ntdll.dll!+0x1234").
    [[nodiscard]] Column column(NodeId node) const;
    [[nodiscard]] std::uint64_t key(NodeId node) const;
    [[nodiscard]] std::string keyText(NodeId node) const;
    [[nodiscard]] KeyPath path(NodeId node) const;
    /// The row of the owner's frame on the path from the root to a node: among the frames in the innermost stack column
    /// on this path, the owner (docs/numbers.md 12). Nothing: none of these rows is a frame, or stopped. The first call
    /// takes time proportional to the rows of the trace.
    [[nodiscard]] std::optional<NodeId> ownerOnWayTo(NodeId node, const std::stop_token& stop = {}) const;
    /// Converts a path of an earlier answer to this one: frames with a new name get their new labels, and allocator
    /// frames that are now skipped because of their name are removed.
    [[nodiscard]] KeyPath renewed(const KeyPath& path) const;

    /// The value of the column for the rows of the node (monostate: none or, for Own, several values). Columns other
    /// than sums, Count, counts and averages of sums, and keys must be in query.columns or query.sort; Peak and
    /// UniqueCount also need computeValues.
    [[nodiscard]] CellValue value(NodeId node, ValueColumn column) const;
    /// value() for display and export: if no row of the node has a label, Annotation contains the text for it.
    [[nodiscard]] CellValue shownValue(NodeId node, ValueColumn column) const;
    /// The value of a column that is not an aggregate, if all rows of the node share it (monostate: none of them has
    /// one); nothing: several values. Supports the same columns as value(), except stacks.
    [[nodiscard]] std::optional<CellValue> sharedValue(NodeId node, Column column) const;
    /// Facts about the frame of a node in a stack column; nothing for other nodes. Takes time proportional to the
    /// number of distinct stacks below the node.
    [[nodiscard]] std::optional<FrameFacts> frameFacts(NodeId node) const;
    /// For searches below unopened nodes: whether `visit` returns true for any cell of the node. If the selection
    /// distinguishes single rows, rows replace cells.
    [[nodiscard]] bool anyCell(NodeId node, const std::function<bool(const Cell&)>& visit) const;
    /// The number of its cells, which determines its memory use.
    [[nodiscard]] std::size_t cellCount() const;
    /// Reads the keys of these cells.
    [[nodiscard]] const KeyReader& reader() const;
    /// Computes peaks, unique counts and other slow values that query.columns and query.sort need: one pass over the
    /// rows or events for all of these nodes. Most queries need none; existing values are not recomputed. Call it for
    /// the displayed nodes before value(). Error: Cancelled.
    Result<void> computeValues(std::span<const NodeId> nodes, std::stop_token stop = {});
    /// Rows of the query that Resident and Held Pages leave out, at least in part, because it is unknown which of their
    /// pages are resident. After computeValues(); 0 if the query needs neither column.
    [[nodiscard]] std::uint64_t rowsOnUnknownPages() const;
    /// Only Peak(Size), whether or not the query requests it.
    Result<void> computePeaks(std::span<const NodeId> nodes, std::stop_token stop = {});

  private:
    class Impl;
    explicit GroupedTable(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The index of the owner's frame (docs/numbers.md 12) among the frames in the innermost stack column of a path.
/// Nothing: no step is a frame.
[[nodiscard]] std::optional<std::size_t> ownerStepIn(const KeyPath& path, ProcessIndex process, OwnerFrames& owners);

} // namespace highwater::analysis

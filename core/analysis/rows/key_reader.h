#pragma once

#include "core/analysis/columns/column_set.h"
#include "core/analysis/frames/source_lines.h"
#include "core/analysis/frames/stack_paths.h"
#include "core/analysis/frames/tag_paths.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/query/text_condition.h"
#include "core/analysis/rows/instances.h"
#include "core/analysis/rows/marked_times.h"
#include "core/analysis/rows/population.h"
#include "core/store/published/page_owners.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace highwater::analysis {

/// Reads keys off cells and rows, and says what keys read like. KeyStep::key defines what a key is, by column. Times
/// that do not exist (not freed, older than the trace) are kNever and kBeforeTrace. The trace must outlive it. Reading
/// is for any thread once the stacks are added.
class KeyReader {
  public:
    /// marks: of the trace; null: none.
    KeyReader(const store::PublishedTrace& trace, FrameLabels& labels, TimeRange interval, Table table,
              const SharedMarks& marks = nullptr);

    /// All of the trace, by number. Once, before Snap Time is asked for.
    void setInstances(std::vector<Instance> instances) { instances_ = std::move(instances); }

    /// Flattens the stacks of these cells for a stack column. Once per column, before stack() is asked.
    void addStacks(Column column, std::span<const Cell> cells, const AllocatorFrames* skipped);

    /// Finds the stack tags of these cells for a column of tags. Once per column, before it is asked for.
    void addTags(Column column, std::span<const Cell> cells);

    /// Finds the source lines of these cells. Once, before keys of SourceLine are asked for.
    void addSources(std::span<const Cell> cells, const AllocatorFrames* skipped);

    /// Finds out who had which addresses. Once, before keys of Owner are asked for.
    void addOwners() { owners_ = std::make_unique<store::PageOwners>(trace_); }

    /// Not for stacks, not for columns of single rows.
    [[nodiscard]] std::uint64_t key(Column column, const CellKey& cell) const;
    /// The key of a row in a column of single rows.
    [[nodiscard]] std::uint64_t key(Column column, const RowNumbers& row) const;
    [[nodiscard]] std::span<const std::uint32_t> stack(Column column, const CellKey& cell) const;
    /// With the allocator frames that stack() leaves out.
    [[nodiscard]] StackPaths::Whole wholeStack(Column column, const CellKey& cell) const;
    /// The frames of a path, which may be older than their names: its steps of one stack column. Once the stacks are
    /// added. isWhole: the path ends with the whole stack.
    [[nodiscard]] std::vector<RenewedFrame> renewedFrames(std::span<const KeyStep> steps, bool isWhole,
                                                          LabelHistory::Wanted wanted) const;
    /// Whether the key reads so, with or without the mark of an inlined function.
    [[nodiscard]] bool textMatches(Column column, std::uint64_t key, const TextCondition& condition) const;
    /// The code behind a row of a stack column: row number `row` of stack() of these cells' stacks, as in StackPaths.
    [[nodiscard]] std::vector<RowCode> codeOf(Column column, std::span<const StackId> stacks, std::uint32_t row) const;
    [[nodiscard]] StackId stackId(Column column, const CellKey& cell) const;
    /// The key in a stack column: equal for equal sequences of addresses.
    [[nodiscard]] std::uint64_t stackKey(Column column, const CellKey& cell) const;
    /// Whether a key (or stackKey) says something: not that there is no thread, no heap, no stack, no such time.
    [[nodiscard]] static bool exists(Column column, std::uint64_t key);

    /// The key of a label of Column::Annotation; 0 is that of rows without one.
    [[nodiscard]] static std::uint32_t annotationKey(LabelId label) { return label.value + 1; }

    /// Keys of several groups may mean the same (process indices of one name): the one that stands for them.
    [[nodiscard]] std::uint64_t canonical(Column column, std::uint64_t key) const;
    [[nodiscard]] std::string text(Column column, std::uint64_t key) const;
    /// What value() says for a group of rows with this key. Nothing for times that do not exist.
    [[nodiscard]] CellValue value(Column column, std::uint64_t key) const;

  private:
    [[nodiscard]] const store::Site* beginSite(const CellKey& cell) const;
    [[nodiscard]] const store::Site* endSite(const CellKey& cell) const;
    /// Of the call that the table is about; null: no call ended it.
    [[nodiscard]] const store::Site* callSite(const CellKey& cell) const;
    [[nodiscard]] const store::Heap& owner(const CellKey& cell) const;
    [[nodiscard]] store::PageOwner pageOwner(const RowNumbers& row) const;
    [[nodiscard]] std::int64_t selectionLifeTime(const RowNumbers& row) const;
    [[nodiscard]] std::uint64_t tagOf(Column column, const CellKey& cell) const;
    [[nodiscard]] TraceTime timeOf(std::uint32_t instance) const;
    [[nodiscard]] std::uint32_t depthOf(const CellKey& cell) const;
    void nameProcesses();

    const store::PublishedTrace& trace_;
    FrameLabels& labels_;
    TimeRange interval_;
    Table table_;
    MarkedTimes marks_;
    std::vector<Instance> instances_;
    std::vector<std::uint32_t> firstOfName_;           ///< [process] -> the first process of that name
    std::shared_ptr<const NodeLabels> labelOfNode_;    ///< one set of names for all columns
    std::array<std::unique_ptr<StackPaths>, 4> paths_; ///< Stack, StackBottomUp, AllocStack, AllocStackBottomUp
    std::array<std::unique_ptr<TagPaths>, 2> tags_;    ///< of the call, of the allocation
    std::unique_ptr<SourceLines> sources_;             ///< null: not asked for
    std::unique_ptr<store::PageOwners> owners_;        ///< null: not asked for
};

} // namespace highwater::analysis

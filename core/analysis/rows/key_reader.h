#pragma once

#include "core/analysis/columns/column_set.h"
#include "core/analysis/frames/source_lines.h"
#include "core/analysis/frames/stack_paths.h"
#include "core/analysis/frames/tag_paths.h"
#include "core/analysis/pictures/picture_rows.h"
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

/// Reads the keys of cells and rows, and converts keys to text. KeyStep::key defines the keys by column. Times that do
/// not exist (not freed, older than the trace) are kNever and kBeforeTrace. The trace must outlive it. After the stacks
/// are added, any thread may read.
class KeyReader {
  public:
    /// marks: in the trace; null: none.
    KeyReader(const store::PublishedTrace& trace, FrameLabels& labels, TimeRange interval, Table table,
              const SharedMarks& marks = nullptr);

    /// All instances of the trace, by number. Call it once, before Snap Time is read.
    void setInstances(std::vector<Instance> instances) { instances_ = std::move(instances); }

    /// Flattens the stacks of these cells for a stack column. Call it once per column, before stack().
    void addStacks(Column column, std::span<const Cell> cells, const AllocatorFrames* skipped);

    /// Finds the stack tags of these cells for a tag column. Call it once per column, before the column is read.
    void addTags(Column column, std::span<const Cell> cells);

    /// Finds the source lines of these cells. Call it once, before keys of SourceLine are read.
    void addSources(std::span<const Cell> cells, const AllocatorFrames* skipped);

    /// Determines the owners of addresses. Call it once, before keys of Owner are read.
    void addOwners() { owners_ = std::make_unique<store::PageOwners>(trace_); }

    /// Finds the pictures of the interval. Call it once, before keys of their columns are read.
    void addPictures() { pictures_ = std::make_unique<PictureRows>(trace_, interval_); }

    /// Neither for stacks nor for per-row columns.
    [[nodiscard]] std::uint64_t key(Column column, const CellKey& cell) const;
    /// The key of a row in a per-row column.
    [[nodiscard]] std::uint64_t key(Column column, const RowNumbers& row) const;
    [[nodiscard]] std::span<const std::uint32_t> stack(Column column, const CellKey& cell) const;
    /// Includes the allocator frames that stack() skips.
    [[nodiscard]] StackPaths::Whole wholeStack(Column column, const CellKey& cell) const;
    /// The current frames of a path, which may have been created before their names were known: its steps of one stack
    /// column. Call it after the stacks are added. isWhole: the path covers the whole stack.
    [[nodiscard]] std::vector<RenewedFrame> renewedFrames(std::span<const KeyStep> steps, bool isWhole,
                                                          LabelHistory::Wanted wanted) const;
    /// Whether the text of the key matches, with or without the mark of an inlined function.
    [[nodiscard]] bool textMatches(Column column, std::uint64_t key, const TextCondition& condition) const;
    /// The code behind a row of a stack column: row number `row` of stack() of these cells' stacks, as in StackPaths.
    [[nodiscard]] std::vector<RowCode> codeOf(Column column, std::span<const StackId> stacks, std::uint32_t row) const;
    [[nodiscard]] StackId stackId(Column column, const CellKey& cell) const;
    /// The key in a stack column: equal for equal sequences of addresses.
    [[nodiscard]] std::uint64_t stackKey(Column column, const CellKey& cell) const;
    /// Whether a key (or stackKey) has a value, unlike keys for no thread, no heap, no stack, or no such time.
    [[nodiscard]] static bool exists(Column column, std::uint64_t key);

    /// The key of a label in Column::Annotation; 0 for rows without a label.
    [[nodiscard]] static std::uint32_t annotationKey(LabelId label) { return label.value + 1; }

    /// Keys of several groups may be equivalent (process indices with the same name): returns the one that represents
    /// them.
    [[nodiscard]] std::uint64_t canonical(Column column, std::uint64_t key) const;
    [[nodiscard]] std::string text(Column column, std::uint64_t key) const;
    /// value() for a group of rows with this key. Nothing for times that do not exist.
    [[nodiscard]] CellValue value(Column column, std::uint64_t key) const;

  private:
    [[nodiscard]] const store::Site* beginSite(const CellKey& cell) const;
    [[nodiscard]] const store::Site* endSite(const CellKey& cell) const;
    /// The site of the call in the table; null: no call ended it.
    [[nodiscard]] const store::Site* callSite(const CellKey& cell) const;
    [[nodiscard]] const store::Heap& owner(const CellKey& cell) const;
    [[nodiscard]] store::PageOwner pageOwner(const RowNumbers& row) const;
    /// 0: the row is in no picture.
    [[nodiscard]] std::uint64_t pictureKey(Column column, const RowNumbers& row) const;
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
    std::shared_ptr<const NodeLabels> labelOfNode_;    ///< shared by all columns
    std::array<std::unique_ptr<StackPaths>, 4> paths_; ///< Stack, StackBottomUp, AllocStack, AllocStackBottomUp
    std::array<std::unique_ptr<TagPaths>, 2> tags_;    ///< tags of the call, and of the allocation
    std::unique_ptr<SourceLines> sources_;             ///< null: not requested
    std::unique_ptr<store::PageOwners> owners_;        ///< null: not requested
    std::unique_ptr<PictureRows> pictures_;            ///< null: not requested
};

} // namespace highwater::analysis

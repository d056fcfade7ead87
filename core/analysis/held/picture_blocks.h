#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Which pictures are asked about, and how owners are found. A plain value.
struct PictureQuery {
    TimeRange interval;                                     ///< the newest picture of each process in it
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< skipped to find owners; null: none
    OwnerChoices owners = {};                               ///< the user's choice of owners and wrappers
};

/// The owner of blocks without a row in the trace.
inline constexpr const char* kUntraced = "(not in the trace)";

/// For each owner, by label: the keys of Column::StackBottomUp up to it, of each stack that it owns.
using OwnerStacks = std::map<std::uint32_t, std::set<std::vector<std::uint64_t>>>;

/// The blocks of a picture that are rows of the trace, by block.
struct TracedBlocks {
    std::vector<std::uint32_t> owners;     ///< labels
    std::vector<TraceTime> begins;         ///< kBeforeTrace: unknown
    std::vector<std::uint8_t> areTraced;   ///< 0: no row of the interval is this block
};

/// Of each picture of PictureRows::all(), regardless of any filter, because paths lead through all blocks. `stacks`
/// gets those of the blocks; null: not needed. Errors: Cancelled.
[[nodiscard]] Result<std::vector<TracedBlocks>> tracedBlocksOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                               const PictureRows& pictures, const PictureQuery& query,
                                                               OwnerStacks* stacks, const std::stop_token& stop);

/// Visits each row of a selection of the Heap table that is a block of the pictures: visit(PictureRows::Place, cell,
/// RowNumbers). The selection has the column Process. False: stopped.
template <typename Visit>
bool visitPictured(const RowSelection& selection, const PictureRows& pictures, const std::stop_token& stop,
                   Visit visit) {
    const auto& population = selection.population();
    std::vector<ProcessIndex> processes;
    for (const auto& cell : selection.cells())
        processes.push_back(
            ProcessIndex{static_cast<std::uint32_t>(selection.reader().key(Column::Process, cell.key))});
    const auto look = [&](RowRef row, std::uint32_t cell) {
        const auto numbers = population.numbersOf(row);
        if (const auto place = pictures.find(processes[cell], numbers.address, numbers.begin, numbers.end))
            visit(*place, cell, numbers);
    };
    if (const auto& rows = selection.singleRows()) {
        const auto& cells = dynamic_cast<const RowPopulation&>(population);
        for (const auto row : *rows)
            look(row, cells.cellOf(static_cast<RowId>(row)));
        return !stop.stop_requested();
    }
    return population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members)
            look(member.row, member.cell);
    });
}

} // namespace highwater::analysis

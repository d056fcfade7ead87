#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/difference/renames.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/rows/instances.h"
#include "core/store/published/published_trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Which of the two sides.
enum class Side : std::uint8_t { Before, After };

/// What is compared of a group.
enum class Measure : std::uint8_t {
    Outstanding, ///< bytes at the end of the interval
    Count,
    Size,
    ImpactingSize,
    PeakSize,
    Allocated,
};
inline constexpr std::array kMeasures{Measure::Outstanding,   Measure::Count,    Measure::Size,
                                      Measure::ImpactingSize, Measure::PeakSize, Measure::Allocated};
/// "Outstanding"; of the others the names of their columns.
[[nodiscard]] std::string_view measureName(Measure measure);
/// Whether groups of the table have it: heap snapshots are instants, in which nothing was allocated or freed.
[[nodiscard]] constexpr bool hasMeasure(Table table, Measure measure) {
    return table != Table::Snapshot || (measure != Measure::ImpactingSize && measure != Measure::Allocated);
}
/// In any case. Nothing: none is called so.
[[nodiscard]] std::optional<Measure> parseMeasure(std::string_view name);

/// What became of a group, by the measure that decides.
enum class DifferenceState : std::uint8_t {
    New, ///< it had no rows before
    Grown,
    Shrunk,
    Gone,  ///< it has no rows after
    Same,  ///< it changed by less than the smallest change that counts, or not at all
    Noise, ///< several recordings a side: it changed no more than from one of them to the next
};
/// "new", "within_noise", ...: for programs.
[[nodiscard]] std::string_view stateWord(DifferenceState state);
/// "New", "Within noise", ...: for people.
[[nodiscard]] std::string_view stateText(DifferenceState state);
[[nodiscard]] constexpr bool isChange(DifferenceState state) { return state < DifferenceState::Same; }

/// An interval of a trace.
struct ComparedTrace {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels; ///< of this trace; one object for a trace that is there several times
    TimeRange interval;
    RowFilter filter;
    InstanceChoice instances{}; ///< of Heap Snapshot: the one that is compared
};

/// What is different after, against before? A plain value.
struct DifferenceQuery {
    Table table = Table::Heap;         ///< not Frees
    std::vector<ComparedTrace> before; ///< not empty; several are recordings of the same thing
    std::vector<ComparedTrace> after;  ///< the same
    std::vector<Column> keys{Column::Process, Column::Stack};
    Measure decides = Measure::Outstanding; ///< what grew and what shrank, and in which order
    bool isRising = false;                  ///< what shrank most first
    std::uint64_t smallest = 0;             ///< a change of less is none
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< that bottom-up stacks leave out; null: none
    std::shared_ptr<const Renames> renames;                 ///< null: nothing is called otherwise
    bool isByOwner = false;                                 ///< Difference::owners() is wanted
};

/// Why the measure says nothing of one of the sides, whose file does not tell it: a clause. Empty: it says what it
/// says.
[[nodiscard]] std::string_view whyNoMeasure(const DifferenceQuery& query, Measure measure);
/// Whether the file of each side tells when things happened: else there are no rates, and no lines over time.
[[nodiscard]] bool hasTimes(const DifferenceQuery& query);

/// Whether groups of the column mean the same in every trace. Process is compared by its name.
[[nodiscard]] bool isComparable(Column column);

} // namespace highwater::analysis

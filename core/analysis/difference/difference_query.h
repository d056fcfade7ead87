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

/// One of the two sides.
enum class Side : std::uint8_t { Before, After };

/// The compared value of a group.
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
/// "Outstanding"; for the others, the names of their columns.
[[nodiscard]] std::string_view measureName(Measure measure);
/// Whether groups of the table have this measure. Heap snapshots are instants, in which nothing is allocated or freed.
[[nodiscard]] constexpr bool hasMeasure(Table table, Measure measure) {
    return table != Table::Snapshot || (measure != Measure::ImpactingSize && measure != Measure::Allocated);
}
/// Case-insensitive. Nothing: unknown name.
[[nodiscard]] std::optional<Measure> parseMeasure(std::string_view name);

/// The change of a group, by the deciding measure.
enum class DifferenceState : std::uint8_t {
    New, ///< no rows before
    Grown,
    Shrunk,
    Gone,  ///< no rows after
    Same,  ///< changed by less than the smallest change that counts, or not at all
    Noise, ///< several recordings per side: changed no more than between recordings of a side
};
/// "new", "within_noise", ...: for programs.
[[nodiscard]] std::string_view stateWord(DifferenceState state);
/// "New", "Within noise", ...: for people.
[[nodiscard]] std::string_view stateText(DifferenceState state);
[[nodiscard]] constexpr bool isChange(DifferenceState state) { return state < DifferenceState::Same; }

/// An interval of a trace.
struct ComparedTrace {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels; ///< for this trace; traces that are used several times share one object
    TimeRange interval;
    RowFilter filter;
    InstanceChoice instances{}; ///< for Heap Snapshot: the compared snapshot
};

/// A question for the differences between two sides. A plain value.
struct DifferenceQuery {
    Table table = Table::Heap;         ///< not Frees
    std::vector<ComparedTrace> before; ///< not empty; several are recordings of the same scenario
    std::vector<ComparedTrace> after;  ///< likewise
    std::vector<Column> keys{Column::Process, Column::Stack};
    Measure decides = Measure::Outstanding; ///< determines growth and order
    bool isRising = false;                  ///< largest decrease first
    std::uint64_t smallest = 0;             ///< smaller changes do not count
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< skipped in bottom-up stacks; null: none
    std::shared_ptr<const Renames> renames;                 ///< null: no renames
    bool isByOwner = false;                                 ///< whether to compute Difference::owners()
};

/// Why the measure is not meaningful because the file of a side does not contain it, as a clause. Empty: it is
/// meaningful.
[[nodiscard]] std::string_view whyNoMeasure(const DifferenceQuery& query, Measure measure);
/// Whether the files of both sides contain times. Otherwise there are no rates and no timelines.
[[nodiscard]] bool hasTimes(const DifferenceQuery& query);

/// Whether the keys of the column have the same meaning in every trace. Process is compared by name.
[[nodiscard]] bool isComparable(Column column);

} // namespace highwater::analysis

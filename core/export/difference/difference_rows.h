#pragma once

#include "core/export/difference/difference_page.h"
#include "core/export/table_walk.h"

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace highwater::exports {

/// A row as the writers of this room get it.
struct DifferenceRow {
    std::vector<PathStep> path; ///< from the group of the first key to the row itself; empty: the total
    bool isLeaf = true;         ///< no row below it is written
    std::optional<analysis::DifferenceState> state; ///< nothing: several groups, which --top leaves out
    /// By analysis::Measure. Nothing: groups whose numbers do not add up, and what the table does not have.
    std::array<std::optional<analysis::Change>, analysis::kMeasures.size()> changes;

    [[nodiscard]] const std::optional<analysis::Change>& of(analysis::Measure measure) const {
        return changes[static_cast<std::size_t>(measure)];
    }
};

/// All rows in pre-order: the tree as far as the limits allow.
[[nodiscard]] std::vector<DifferenceRow> rowsOf(analysis::Difference& difference, TreeLimits limits);
[[nodiscard]] DifferenceRow totalOf(analysis::Difference& difference);

/// Heap snapshots are instants: nothing comes to so much in a second, and no interval says when they were taken.
[[nodiscard]] inline bool areInstants(const analysis::Difference& difference) {
    return difference.query().table == analysis::Table::Snapshot;
}
/// Neither do files that tell no times.
[[nodiscard]] inline bool hasRates(const analysis::Difference& difference) {
    return !areInstants(difference) && analysis::hasTimes(difference.query());
}
/// When the one snapshot of the trace was taken. Nothing: an interval is compared.
[[nodiscard]] std::optional<TraceTime> snapshotTimeOf(const analysis::ComparedTrace& compared);

void writeDifferenceText(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
void writeDifferenceCsv(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
void writeDifferenceJson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
/// The table, and both sides, a line each.
void writeDifferenceSides(const DifferencePage& page, std::ostream& out);
void writeTimelineJson(const DifferencePage& page, const analysis::DifferenceTimeline& timeline, std::ostream& out);
void writeDifferenceNdjson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);

} // namespace highwater::exports

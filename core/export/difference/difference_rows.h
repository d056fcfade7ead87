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

/// A row for the writers in this folder.
struct DifferenceRow {
    std::vector<PathStep> path; ///< from the group of the first key to the row itself; empty: the total
    bool isLeaf = true;         ///< no rows below it are written
    std::optional<analysis::DifferenceState> state; ///< nullopt: several groups, omitted by --top
    /// Indexed by analysis::Measure. nullopt: groups whose values cannot be added, or measures that the table does not
    /// have.
    std::array<std::optional<analysis::Change>, analysis::kMeasures.size()> changes;

    [[nodiscard]] const std::optional<analysis::Change>& of(analysis::Measure measure) const {
        return changes[static_cast<std::size_t>(measure)];
    }
};

/// All rows in pre-order, within the limits.
[[nodiscard]] std::vector<DifferenceRow> rowsOf(analysis::Difference& difference, TreeLimits limits);
[[nodiscard]] DifferenceRow totalOf(analysis::Difference& difference);

/// Heap snapshots are instants: they have no rates, and no interval contains their time.
[[nodiscard]] inline bool areInstants(const analysis::Difference& difference) {
    return difference.query().table == analysis::Table::Snapshot;
}
/// Files without times have no rates either.
[[nodiscard]] inline bool hasRates(const analysis::Difference& difference) {
    return !areInstants(difference) && analysis::hasTimes(difference.query());
}
/// The time of the trace's snapshot. nullopt: an interval is compared.
[[nodiscard]] std::optional<TraceTime> snapshotTimeOf(const analysis::ComparedTrace& compared);

void writeDifferenceText(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
void writeDifferenceCsv(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
void writeDifferenceJson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);
/// Writes the table and both sides, one line each.
void writeDifferenceSides(const DifferencePage& page, std::ostream& out);
void writeTimelineJson(const DifferencePage& page, const analysis::DifferenceTimeline& timeline, std::ostream& out);
void writeDifferenceNdjson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out);

} // namespace highwater::exports

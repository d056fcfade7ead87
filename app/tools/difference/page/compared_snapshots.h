#pragma once

#include "core/analysis/rows/instances.h"

#include <QAction>
#include <QString>

#include <optional>
#include <utility>

namespace highwater::ui {
class AnalysisTabs;
class GraphState;
} // namespace highwater::ui

namespace highwater::app {

/// Two instances of the table Heap Snapshot, lower number first.
using ComparedSnapshots = std::pair<analysis::Instance, analysis::Instance>;

/// The instances of the two selected rows, if the graph shows snapshots and the rows belong to two instances; otherwise
/// the last two of the trace. Empty if there are no two.
[[nodiscard]] std::optional<ComparedSnapshots> snapshotsMeant(ui::AnalysisTabs& tabs, const ui::GraphState* graph);

/// "Snapshot 8, 12.5 s".
[[nodiscard]] QString textOf(const analysis::Instance& instance);
/// Explains how to get two snapshots.
[[nodiscard]] QString howSnapshotsAreCompared();
/// The action for the Trace menu, not connected yet.
[[nodiscard]] QAction* makeCompareSnapshots(QObject* parent);
/// Disables the action without two snapshots and explains how to get them.
void enableCompareSnapshots(QAction& action, bool areThereTwo);

} // namespace highwater::app

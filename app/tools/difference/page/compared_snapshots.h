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

/// Two instances of the table Heap Snapshot, the one with the lower number before.
using ComparedSnapshots = std::pair<analysis::Instance, analysis::Instance>;

/// Those of the two rows that are selected in the graph, if it is of snapshots and they are of two instances; else the
/// last two of the trace. Nothing: there are no two.
[[nodiscard]] std::optional<ComparedSnapshots> snapshotsMeant(ui::AnalysisTabs& tabs, const ui::GraphState* graph);

/// "Snapshot 8, 12.5 s".
[[nodiscard]] QString textOf(const analysis::Instance& instance);
/// What to do where there are no two.
[[nodiscard]] QString howSnapshotsAreCompared();
/// For the Trace menu; it does nothing yet.
[[nodiscard]] QAction* makeCompareSnapshots(QObject* parent);
/// Without two of them there is nothing to compare: it says so, and what to do.
void enableCompareSnapshots(QAction& action, bool areThereTwo);

} // namespace highwater::app

#include "app/tools/difference/page/compared_snapshots.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/graph_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"

#include <algorithm>
#include <set>

namespace highwater::app {
namespace {

std::set<std::uint32_t> selectedInstances(const ui::GraphState* graph) {
    std::set<std::uint32_t> numbers;
    if (graph == nullptr || graph->table() != analysis::Table::Snapshot) return numbers;
    for (const auto& row : graph->paintedRows()) {
        for (const auto& step : row)
            if (step.column == analysis::Column::Instance) numbers.insert(static_cast<std::uint32_t>(step.key));
    }
    return numbers;
}

} // namespace

std::optional<ComparedSnapshots> snapshotsMeant(ui::AnalysisTabs& tabs, const ui::GraphState* graph) {
    const auto& trace = tabs.shown().trace();
    if (!trace) return std::nullopt;
    const auto& state = tabs.current().state();
    const auto there = analysis::instancesIn(*trace, {state.instants()}, trace->wholeRange());
    if (there.size() < 2) return std::nullopt;
    std::vector<analysis::Instance> meant;
    const auto selected = selectedInstances(graph);
    for (const auto& instance : there)
        if (selected.contains(instance.number)) meant.push_back(instance);
    if (meant.size() != 2) meant.assign(there.end() - 2, there.end());
    return std::pair(meant[0], meant[1]);
}

QString textOf(const analysis::Instance& instance) {
    return ui::tr("Snapshot %1, %2").arg(QString::number(instance.number), ui::formatTime(instance.time));
}

QString howSnapshotsAreCompared() {
    return ui::tr("This page compares two heap snapshots. Use Snapshot (Ctrl+Shift+S) to take one while recording, or "
                  "to add one for an instant of an open trace.");
}

QAction* makeCompareSnapshots(QObject* parent) {
    auto* action = new QAction(ui::tr("Compare &Snapshots"), parent);
    action->setObjectName(QStringLiteral("compareSnapshots"));
    enableCompareSnapshots(*action, false);
    return action;
}

void enableCompareSnapshots(QAction& action, bool areThereTwo) {
    const auto help = ui::tr(
        "Show the difference between two heap snapshots: the two selected in the Heap Snapshot table, or the last two");
    const auto words = areThereTwo ? help : howSnapshotsAreCompared();
    action.setEnabled(areThereTwo);
    action.setToolTip(ui::tooltipText(words));
    action.setStatusTip(words);
}

} // namespace highwater::app

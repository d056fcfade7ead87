#include "app/tools/fleet/page/fleet_rows.h"

#include "app/symbols/symbol_session.h"
#include "app/tools/fleet/page/fleet_words.h"
#include "core/base/text.h"
#include "core/summary/summary_stacks.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <algorithm>
#include <set>
#include <utility>

namespace highwater::app {
namespace {

using analysis::Column, analysis::KeyPath, analysis::LabelId;

std::vector<std::uint32_t> processesCalled(const store::PublishedTrace& trace, const std::string& name) {
    std::vector<std::uint32_t> found;
    const auto& processes = trace.processes->processes();
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        if (equalsIgnoringCase(processes[i].name, name)) found.push_back(i);
    }
    return found;
}

/// Outermost function first, as in the stack column.
std::vector<LabelId> labelsFromRoot(const store::PublishedTrace& trace, const analysis::NodeLabels& labels,
                                    FrameNodeId leaf) {
    const auto& nodes = trace.columns->stacks;
    std::vector<LabelId> path;
    for (auto node = leaf; node.value != 0 && nodes.node(node).depth > 0; node = nodes.node(node).parent) {
        const auto rows = labels.rowsOf(node.value);
        path.insert(path.end(), rows.rbegin(), rows.rend());
    }
    std::reverse(path.begin(), path.end());
    if (path.empty()) path.push_back(analysis::FrameLabels::kNoStack);
    return path;
}

TimeRange windowOf(const ui::FleetRun& run, TimeRange whole) {
    return {std::max(TraceTime{run.start}, whole.start), std::min(TraceTime{run.end}, whole.end)};
}

} // namespace

Result<std::vector<KeyPath>> findRows(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                      const ui::FleetRun& run, std::stop_token stop) {
    const auto processes = processesCalled(trace, run.process);
    const auto labelOfNode = labels.labelsOf(trace);
    summary::SummaryStacks stacks(trace, labels, nullptr);
    std::vector<std::pair<StackId, std::uint32_t>> numbers;
    for (std::uint32_t i = 0; i < trace.stackCount && !stop.stop_requested(); ++i)
        numbers.emplace_back(StackId{i}, stacks.indexOf(StackId{i}));
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, {}};
    const auto known = stacks.takeStacks();
    std::set<std::vector<LabelId>> found; // in several processes, and for code at several addresses
    for (const auto& [stack, number] : numbers) {
        if (known[number].key == run.stack.key) found.insert(labelsFromRoot(trace, *labelOfNode, trace.leaf(stack)));
    }
    std::vector<KeyPath> paths;
    for (const auto& path : found) {
        KeyPath steps;
        for (const auto label : path)
            steps.push_back({Column::Stack, label.value});
        // Added after the frames, so that the path covers the whole stack.
        for (const auto process : processes) {
            paths.push_back(steps);
            paths.back().push_back({Column::Process, process});
        }
    }
    return paths;
}

FleetRows::FleetRows(ui::AnalysisTabs& tabs, SymbolSession& symbols, QObject* parent)
    : QObject(parent),
      tabs_(tabs),
      symbols_(symbols),
      finder_(
          *this,
          [](const Request& request, const std::stop_token& stop) {
              return findRows(*request.trace, *request.labels, request.run, stop);
          },
          [this](const Request& request, Result<std::vector<KeyPath>> rows) {
              if (rows.hasValue()) take(request, rows.value());
          }) {
    connect(&symbols_, &SymbolSession::namesChanged, this, &FleetRows::look);
    connect(&symbols_, &SymbolSession::statusChanged, this, &FleetRows::look);
}

void FleetRows::forget() {
    finder_.cancel();
    waiting_.reset();
    filter_.forget();
}

void FleetRows::show(const ui::FleetRun& run) {
    finder_.cancel();
    waiting_.reset();
    if (!run.hasStack) return;
    showInterval(run);
    filterToProcess(run);
    waiting_ = run;
    emit namesWanted();
    look();
}

/// The table then shows the numbers of the window as in the fleet, and the graph highlights when the stack allocated.
void FleetRows::showInterval(const ui::FleetRun& run) {
    auto& panel = panelOf(tabs_, run.stack.table);
    auto& state = tabs_.current().state();
    const auto window = windowOf(run, state.wholeRange());
    state.clearInstant();
    if (window == state.wholeRange())
        state.showAll();
    else if (window.start < window.end)
        state.zoomTo(window);
    state.select(
        {{run.first}, {run.last < window.end.ns ? run.last + 1 : window.end.ns}}); // stores may contain invalid values
    state.highlightSelection();
    state.clearSelection();
    panel.takeFocus();
}

void FleetRows::filterToProcess(const ui::FleetRun& run) {
    const auto& trace = tabs_.shown().trace();
    std::vector<KeyPath> rows;
    for (const auto process : processesCalled(*trace, run.process))
        rows.push_back({{Column::Process, process}});
    if (!rows.empty()) filterTo(run.stack.table, std::move(rows), tr("Process: %1").arg(ui::toQString(run.process)));
}

void FleetRows::filterTo(analysis::Table table, std::vector<KeyPath> rows, const QString& text) {
    filter_.filterTo(panelOf(tabs_, table), std::move(rows), text);
}

void FleetRows::look() {
    const auto& shown = tabs_.shown();
    if (!waiting_ || !shown.trace() || !shown.labels()) return;
    finder_.ask({shown.trace(), shown.labels(), *waiting_, !symbols_.areNamesComing()}, ui::Urgency::Now);
}

void FleetRows::take(const Request& request, const std::vector<KeyPath>& rows) {
    if (!waiting_ || (rows.empty() && !request.isLast)) return;
    const auto owner = ui::ownerText(request.run.stack);
    if (rows.empty()) {
        waiting_.reset();
        return emit messageWanted({tr("No stack in this trace matches %1 in the fleet, because function names are "
                                      "missing or differ. Showing the whole process.")
                                       .arg(owner),
                                   ui::MessageTone::Warning});
    }
    filterTo(request.run.stack.table, rows, tr("Fleet: %1").arg(owner));
    waiting_.reset();
    emit messageWanted(tr("Showing the rows of %1 in this run of the fleet.").arg(owner));
}

} // namespace highwater::app

#include "moc_fleet_rows.cpp"

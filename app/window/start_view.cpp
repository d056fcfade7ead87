#include "app/window/start_view.h"

#include "core/analysis/table/nothing_found.h"
#include "core/store/published/published_trace.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <QStringList>

#include <cmath>
#include <utility>

namespace highwater::app {
namespace {

/// Returns false if the text is not a number.
bool readSeconds(const QString& text, std::optional<double>& seconds) {
    if (text.isEmpty()) return true;
    bool isNumber = false;
    seconds = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*seconds) && std::abs(*seconds) < 1e9;
}

TraceTime toTime(double seconds) { return {std::llround(seconds * 1e9)}; }

void showOnly(analysis::Table table, ui::AnalysisView& view) {
    view.showGraph(table);
    for (auto* graph : view.state().graphs()) {
        if (graph->table() != table) view.state().removeGraph(*graph);
    }
}

Result<void> usePreset(const QString& name, ui::GraphState& graph, const ui::Presets& presets) {
    const auto preset = presets.find(graph.table(), name);
    if (preset) {
        ui::usePreset(graph, *preset);
        return {};
    }
    QStringList names;
    for (const auto& known : presets.of(graph.table())) {
        names << known.name;
    }
    return Error{ErrorKind::Usage, QStringLiteral("Unknown preset %1. Available presets: %2.")
                                       .arg(name, names.join(QStringLiteral(", ")))
                                       .toStdString()};
}

Result<void> filterTo(const QString& name, ui::GraphState& graph, const store::ProcessTable& processes) {
    ui::FilterStep step;
    step.scope = ui::FilterScope::AllGraphs;
    QStringList keys;
    for (std::uint32_t i = 0; i < processes.processes().size(); ++i) {
        const auto& process = processes.processes()[i];
        const auto key = QString::fromStdString(processes.key(ProcessIndex{i}));
        const bool isMeant = name.compare(key, Qt::CaseInsensitive) == 0 || QString::number(process.pid) == name ||
                             name.compare(QString::fromStdString(process.name), Qt::CaseInsensitive) == 0;
        if (!isMeant) continue;
        step.clause.anyOf.push_back({{analysis::Column::Process, i}});
        keys << key;
    }
    if (keys.isEmpty()) {
        return Error{ErrorKind::Usage,
                     QStringLiteral("The trace does not contain a process %1.").arg(name).toStdString()};
    }
    step.text = QStringLiteral("Process = %1").arg(keys.join(QStringLiteral(", ")));
    graph.addFilter(std::move(step));
    return {};
}

} // namespace

std::optional<SecondsRange> parseSecondsRange(const QString& text) {
    const auto parts = text.split(QLatin1Char(':'));
    SecondsRange range;
    if (parts.size() != 2 || !readSeconds(parts[0], range.start) || !readSeconds(parts[1], range.end)) {
        return std::nullopt;
    }
    return range;
}

TimeRange SecondsRange::within(TimeRange whole) const {
    return {start ? toTime(*start) : whole.start, end ? toTime(*end) : whole.end};
}

void applyStartOf(StartView& view, ui::AnalysisTabs& tabs) {
    auto& state = tabs.current().state();
    if (view.graph) {
        showOnly(*view.graph, tabs.current());
        view.graph.reset();
        view.isGraphShown = true;
    }
    auto* panel = tabs.currentPanel();
    if (!panel) return;
    auto& graph = panel->graph();
    if (!view.preset.isEmpty() && usePreset(view.preset, graph, tabs.presets()).hasValue()) view.preset.clear();
    if (view.preset.isEmpty() && std::exchange(view.bottomUp, false))
        graph.setLayout(ui::withStackDirection(graph.layout(), ui::StackDirection::BottomUp));
    // A range without an end, or beyond the loaded part, would change while loading.
    const auto hasCome = [&](const std::optional<SecondsRange>& range) {
        return range && range->end && toTime(*range->end) < state.wholeRange().end &&
               !analysis::refusalOf(range->within(state.wholeRange()), state.wholeRange());
    };
    if (hasCome(view.range)) {
        state.zoomTo(view.range->within(state.wholeRange()));
        view.range.reset();
    }
    if (!view.range && hasCome(view.selection)) {
        const auto selection = view.selection->within(state.visibleRange());
        if (analysis::refusalOf(selection, state.wholeRange())) return;
        state.select(selection);
        view.selection.reset();
    }
}

Result<void> applyStartView(const StartView& view, ui::AnalysisTabs& tabs) {
    auto& state = tabs.current().state();
    if (view.graph) showOnly(*view.graph, tabs.current());
    auto* panel = tabs.currentPanel();
    if (!panel || !panel->planner().trace()) return {};
    auto& graph = panel->graph();
    Result<void> applied;
    if (!view.preset.isEmpty()) applied = usePreset(view.preset, graph, tabs.presets());
    if (view.bottomUp) graph.setLayout(ui::withStackDirection(graph.layout(), ui::StackDirection::BottomUp));
    if (view.showsFlames) {
        const bool isBottomUp = ui::stackDirection(graph.layout()) == ui::StackDirection::BottomUp;
        graph.setChart(isBottomUp ? ui::ChartType::Icicle : ui::ChartType::Flames);
    }
    if (!view.process.isEmpty()) {
        auto filtered = filterTo(view.process, graph, *panel->planner().trace()->processes);
        if (!filtered.hasValue()) applied = std::move(filtered);
    }
    const auto check = [&](TimeRange asked) {
        const auto refusal = analysis::refusalOf(asked, state.wholeRange());
        if (refusal) applied = *refusal;
        return !refusal;
    };
    if (view.range) {
        const auto range = view.range->within(state.wholeRange());
        if (check(range)) state.zoomTo(range);
    }
    if (view.selection) {
        const auto selection = view.selection->within(state.visibleRange());
        if (check(selection)) state.select(selection);
    }
    return applied;
}

} // namespace highwater::app

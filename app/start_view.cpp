#include "app/start_view.h"

#include "ui/view/analysis_tabs.h"
#include "ui/view/analysis_view.h"
#include "ui/view/graph_panel.h"

#include <QStringList>

#include <cmath>

namespace highwater::app {
namespace {

/// False: something stands there that is no number.
bool readSeconds(const QString& text, std::optional<double>& seconds) {
    if (text.isEmpty()) return true;
    bool isNumber = false;
    seconds = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*seconds) && std::abs(*seconds) < 1e9;
}

TraceTime toTime(double seconds) { return {std::llround(seconds * 1e9)}; }

} // namespace

std::optional<SecondsRange> parseSecondsRange(const QString& text) {
    const auto parts = text.split(QLatin1Char(':'));
    SecondsRange range;
    if (parts.size() != 2 || !readSeconds(parts[0], range.start) || !readSeconds(parts[1], range.end)) {
        return std::nullopt;
    }
    if (range.start && range.end && *range.start >= *range.end) return std::nullopt;
    return range;
}

TimeRange SecondsRange::within(TimeRange whole) const {
    return {start ? toTime(*start) : whole.start, end ? toTime(*end) : whole.end};
}

Result<void> applyStartView(const StartView& view, ui::AnalysisTabs& tabs) {
    auto& state = tabs.current().state();
    if (view.graph) {
        tabs.current().showGraph(*view.graph);
        for (auto* graph : state.graphs()) {
            if (graph->table() != *view.graph) state.removeGraph(*graph);
        }
    }
    auto* panel = tabs.currentPanel();
    if (!panel) return {};
    auto& graph = panel->graph();
    if (!view.preset.isEmpty()) {
        const auto preset = tabs.presets().find(graph.table(), view.preset);
        if (!preset) {
            QStringList names;
            for (const auto& known : tabs.presets().of(graph.table()))
                names << known.name;
            return Error{ErrorKind::Usage, QStringLiteral("There is no preset %1; there are: %2.")
                                               .arg(view.preset, names.join(QStringLiteral(", ")))
                                               .toStdString()};
        }
        ui::usePreset(graph, *preset);
    }
    if (view.bottomUp) {
        graph.setLayout(ui::withStackDirection(graph.layout(), ui::StackDirection::BottomUp));
    }
    if (view.range) state.zoomTo(view.range->within(state.wholeRange()));
    if (view.selection) state.select(view.selection->within(state.visibleRange()));
    return {};
}

} // namespace highwater::app

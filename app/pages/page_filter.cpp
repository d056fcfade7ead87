#include "app/pages/page_filter.h"

#include "core/analysis/columns/columns.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/state/presets.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QStringList>

#include <utility>

namespace highwater::app {
namespace {

QString labelOfKeys(const ui::TableLayout& layout) {
    QStringList names;
    for (const auto column : layout.keyColumns())
        names << ui::toQString(analysis::columnName(layout.table, column));
    return ui::tr("by %1").arg(names.join(QStringLiteral(", ")));
}

} // namespace

std::optional<std::size_t> PageFilter::stepIn(const ui::GraphState& graph) const {
    if (own_.anyOf.empty()) return std::nullopt;
    const auto& steps = graph.filterSteps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].query && steps[i].clause == own_) return i;
    }
    return std::nullopt;
}

void PageFilter::filterTo(ui::GraphPanel& panel, std::vector<analysis::KeyPath> anyOf, const QString& text) {
    const auto before = stepIn(panel.graph());
    own_ = {analysis::RowFilter::Clause::Mode::Keep, std::move(anyOf)};
    const ui::FilterStep step{.clause = own_, .text = text, .hasName = true};
    if (before)
        panel.graph().replaceFilter(*before, step);
    else
        panel.graph().addFilter(step);
}

void PageFilter::rename(ui::GraphState* graph, const QString& text) {
    const auto step = graph == nullptr ? std::nullopt : stepIn(*graph);
    if (!step) return;
    std::vector<QString> texts(graph->filterSteps().size()); // other graphs keep their filters
    texts[*step] = text;
    graph->renameFilter(texts);
}

void PageFilter::takeBack(ui::GraphState* graph) {
    const auto step = graph == nullptr ? std::nullopt : stepIn(*graph);
    if (step) graph->removeFilter(*step);
    own_ = {};
}

analysis::KeyPath PageFilter::pathIn(const ui::GraphState* graph) const {
    return graph != nullptr && stepIn(*graph) ? own_.anyOf.front() : analysis::KeyPath();
}

std::vector<ui::FilterStep> PageFilter::stepsWithout(const ui::GraphState& graph) const {
    auto steps = graph.filterSteps();
    if (const auto own = stepIn(graph)) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*own));
    return steps;
}

Result<analysis::RowFilter> PageFilter::filterWithout(const ui::GraphState& graph) const {
    return ui::rowFilterIn(graph, stepsWithout(graph));
}

ui::GraphPanel& panelOf(ui::AnalysisTabs& tabs, analysis::Table table) {
    auto* panel = tabs.currentPanel();
    if (panel != nullptr && panel->graph().table() == table) return *panel;
    return tabs.current().showGraph(table);
}

void openLargestOf(ui::GraphPanel& panel) {
    auto layout = panel.graph().layout();
    if (!ui::stackDirection(layout)) layout.keys = ui::defaultLayout(layout.table).keys;
    panel.graph().setLayout(ui::withStackDirection(std::move(layout), ui::StackDirection::BottomUp));
    panel.takeFocus();
    // A path can be opened only in the answer to the newest question.
    auto* waiting = new QObject(&panel);
    QObject::connect(&panel.runner(), &ui::QueryRunner::tableAnswered, waiting, [&panel, waiting] {
        waiting->deleteLater();
        panel.table().expandHotPath();
    });
}

void showPreset(ui::AnalysisTabs& tabs, ui::GraphPanel& panel, const QString& name) {
    if (const auto preset = tabs.presets().find(panel.graph().table(), name))
        panel.graph().analysis().changeShape(panel.graph(), preset->name,
                                             [&] { ui::usePreset(panel.graph(), *preset); });
}

void openRowWithin(ui::GraphPanel& panel, const analysis::KeyPath& row) {
    if (!ui::stackDirection(panel.graph().layout())) return openRowOf(panel, row);
    panel.takeFocus();
    panel.planner().askRowOf(row);
}

void openRowOf(ui::GraphPanel& panel, const analysis::KeyPath& row) {
    // Uses only these keys because other keys would add rows that the path does not contain.
    auto layout = panel.graph().layout();
    layout.keys.clear();
    for (const auto& step : row) {
        if (layout.keys.empty() || layout.keys.back().value.column != step.column)
            layout.keys.emplace_back(step.column);
    }
    const auto label = labelOfKeys(layout);
    panel.graph().analysis().changeShape(panel.graph(), label, [&] { panel.graph().setLayout(std::move(layout)); });
    panel.takeFocus();
    panel.table().reveal(row);
}

} // namespace highwater::app

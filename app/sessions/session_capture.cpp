#include "app/sessions/session_capture.h"

#include "ui/profiles/preset_import.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QObject>

#include <algorithm>

namespace highwater::app {
namespace {

using ui::AnalysisState;
using ui::AnalysisView;

ui::RowWords wordsOf(const ui::AnalysisTabs& tabs) {
    auto& shown = const_cast<ui::AnalysisTabs&>(tabs).shown();
    return {*shown.trace(), *shown.labels()};
}

AnalysisView& tabAt(ui::AnalysisTabs& tabs, int index) { return *static_cast<AnalysisView*>(tabs.widget(index)); }

/// Converts the state of the tabs to text.
class TabCapture {
  public:
    explicit TabCapture(ui::AnalysisTabs& tabs) : tabs_(tabs), words_(wordsOf(tabs)) {}

    ui::SessionTab tab(int index) {
        auto& view = tabAt(tabs_, index);
        const auto& state = view.state();
        ui::SessionTab tab;
        tab.name = tabs_.nameOf(index);
        tab.isLinked = tabs_.isLinked(index);
        if (state.isZoomed()) tab.visible = state.visibleRange();
        tab.selection = state.selection();
        tab.highlight = state.highlight();
        tab.instant = state.instant();
        for (auto* panel : view.panels())
            tab.graphs.push_back(graphOf(*panel));
        return tab;
    }

  private:
    std::vector<ui::StoredPath> rows(analysis::Table table, const std::vector<analysis::KeyPath>& paths) const {
        std::vector<ui::StoredPath> rows;
        for (const auto& path : paths)
            rows.push_back(words_.stored(table, path));
        return rows;
    }

    ui::SessionGraph graphOf(ui::GraphPanel& panel) const {
        auto& graph = panel.graph();
        const auto table = graph.table();
        ui::SessionGraph kept;
        kept.preset = presetOf(graph, graph.presetName());
        kept.parts = graph.parts();
        for (const auto& step : graph.filterSteps())
            kept.filters.push_back({step.text, step.query.has_value(),
                                    step.query ? std::vector<ui::StoredPath>() : rows(table, step.clause.anyOf),
                                    step.clause.mode == analysis::RowFilter::Clause::Mode::Remove, step.hasName,
                                    step.scope});
        kept.opened = rows(table, panel.table().expandedPaths());
        kept.openedLines = rows(table, graph.openedSeries());
        kept.closedLines = rows(table, graph.closedSeries());
        kept.hiddenLines = rows(table, graph.hiddenSeries());
        return kept;
    }

    ui::AnalysisTabs& tabs_;
    ui::RowWords words_;
};

/// Restores the state of the tabs from text.
class TabRestore {
  public:
    TabRestore(ui::AnalysisTabs& tabs, QStringList& missing)
        : tabs_(tabs), words_(wordsOf(tabs)), whole_(tabs.current().state().wholeRange()), missing_(missing) {}

    void add(const ui::SessionTab& tab) {
        auto& view = tabs_.addAnalysis(tab.graphs.front().preset.layout.table);
        const int index = tabs_.currentIndex();
        tabs_.setLinked(index, false); // until its own time is set
        if (!tab.name.isEmpty()) tabs_.setNameOf(index, tab.name);
        for (std::size_t i = 1; i < tab.graphs.size(); ++i)
            view.state().addGraph(tab.graphs[i].preset.layout.table);
        const auto panels = view.panels();
        for (std::size_t i = 0; i < std::min(panels.size(), tab.graphs.size()); ++i)
            show(tab, tab.graphs[i], *panels[i]);
        setTimes(tab, view.state());
    }
    [[nodiscard]] bool needsNames() const { return needsNames_; }

  private:
    void miss(const ui::SessionTab& tab, const QString& what) {
        missing_ << QStringLiteral("%1: %2").arg(tab.name, what);
    }

    std::vector<analysis::KeyPath> paths(analysis::Table table, const std::vector<ui::StoredPath>& rows) {
        std::vector<analysis::KeyPath> paths;
        for (const auto& row : rows) {
            needsNames_ = needsNames_ || ui::dependsOnNames(table, row);
            if (auto path = words_.path(table, row)) paths.push_back(std::move(*path));
        }
        return paths;
    }

    void show(const ui::SessionTab& tab, const ui::SessionGraph& kept, ui::GraphPanel& panel) {
        auto& graph = panel.graph();
        const auto table = graph.table();
        tabs_.presets().withForeignLabels([&] {
            usePreset(graph, kept.preset);
            graph.setLayout(kept.preset.layout); // including labels, which a preset does not change
        });
        graph.setParts(kept.parts);
        for (const auto& filter : kept.filters)
            addFilter(tab, filter, graph);
        graph.renameSeries(paths(table, kept.openedLines), paths(table, kept.closedLines),
                           paths(table, kept.hiddenLines));
        ui::RowViewState rows;
        rows.expanded = paths(table, kept.opened);
        panel.adoptRows(rows);
    }

    void addFilter(const ui::SessionTab& tab, const ui::SessionFilter& kept, ui::GraphState& graph) {
        const auto lost = [&] { miss(tab, QObject::tr("filter %1").arg(kept.text)); };
        ui::FilterStep step;
        step.text = kept.text;
        step.hasName = kept.hasName;
        step.scope = kept.scope;
        if (kept.isQuery) {
            const auto query = analysis::QueryExpression::parse(graph.table(), kept.text.toStdString());
            if (!query.hasValue()) return lost();
            step.query = query.value();
            needsNames_ = needsNames_ || ui::dependsOnNames(*step.query);
        } else {
            step.clause.anyOf = paths(graph.table(), kept.rows);
            if (kept.removes) step.clause.mode = analysis::RowFilter::Clause::Mode::Remove;
            if (step.clause.anyOf.size() != kept.rows.size()) lost();
            if (step.clause.anyOf.empty()) return;
        }
        const auto& there = graph.filterSteps();
        const auto isSame = [&](const ui::FilterStep& other) { return areTheSame(other, step); };
        if (std::any_of(there.begin(), there.end(), isSame)) return; // already added by another graph
        if (!graph.refusal(step).isNull()) return lost();
        graph.addFilter(step);
    }

    /// Applies only times inside the trace, which may be a different one.
    void setTimes(const ui::SessionTab& tab, AnalysisState& state) {
        const auto isThere = [&](TimeRange range, const QString& what) {
            const bool isInside = range.start < whole_.end && range.end > whole_.start;
            if (!isInside) miss(tab, what);
            return isInside;
        };
        if (tab.visible && isThere(*tab.visible, QObject::tr("the interval, which is outside the trace")))
            state.zoomTo(*tab.visible);
        if (tab.highlight && isThere(*tab.highlight, QObject::tr("the highlight, which is outside the trace"))) {
            state.select(*tab.highlight);
            state.highlightSelection();
            state.clearSelection();
        }
        if (tab.selection && isThere(*tab.selection, QObject::tr("the selection, which is outside the trace")))
            state.select(*tab.selection);
        if (!tab.instant) return;
        if (*tab.instant >= whole_.start && *tab.instant < whole_.end)
            state.showInstant(*tab.instant);
        else
            miss(tab, QObject::tr("the instant, which is outside the trace"));
    }

    ui::AnalysisTabs& tabs_;
    ui::RowWords words_;
    TimeRange whole_;
    QStringList& missing_;
    bool needsNames_ = false;
};

} // namespace

void captureTabs(ui::AnalysisTabs& tabs, ui::Session& session) {
    TabCapture capture(tabs);
    session.tabs.clear();
    session.presets.clear();
    for (int i = 0; i < tabs.count(); ++i)
        session.tabs.push_back(capture.tab(i));
    session.currentTab = tabs.currentIndex();
    session.processExitFreesHeap = tabs.options().processExitFreesHeap;
    for (const auto table : analysis::kTables) {
        for (const auto& preset : tabs.presets().of(table)) {
            const auto graphs = tabs.graphs();
            const bool isShown = std::any_of(graphs.begin(), graphs.end(), [&](const ui::GraphState* graph) {
                return graph->table() == table && graph->presetName() == preset.name;
            });
            if (isShown && tabs.presets().isOwn(table, preset.name)) session.presets.push_back(preset);
        }
    }
}

bool showTabs(const ui::Session& session, ui::AnalysisTabs& tabs, QStringList& missing) {
    for (const auto& preset : session.presets) {
        // An existing preset with this name belongs to the user, so the graph is shown as in the session and marked as
        // changed.
        if (!tabs.presets().find(preset.layout.table, preset.name)) (void)tabs.presets().save(preset);
    }
    if (session.tabs.empty()) return false;
    TabRestore restore(tabs, missing);
    const int before = tabs.count();
    for (const auto& tab : session.tabs)
        restore.add(tab);
    for (int i = before; i > 0; --i)
        tabs.closeAnalysis(i - 1);
    for (int i = 0; i < tabs.count(); ++i)
        tabs.setLinked(i, session.tabs[static_cast<std::size_t>(i)].isLinked);
    tabs.setCurrentIndex(session.currentTab);
    if (auto* panel = tabs.currentPanel()) panel->takeFocus();
    return restore.needsNames();
}

} // namespace highwater::app

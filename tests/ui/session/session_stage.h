#pragma once

#include "ui/session/session.h"

#include <QFile>
#include <QTemporaryDir>

namespace highwater::tests {

/// A session that uses every feature.
inline ui::Session fullSession(const QString& trace) {
    using analysis::Column;
    ui::Session session;
    session.files = {{trace, 1234}};
    ui::SessionGraph graph;
    graph.preset = {"Ours", ui::defaultLayout(analysis::Table::Heap), ui::ChartType::StackedArea, 2};
    graph.preset.layout.keys = {Column::Process, Column::Stack};
    graph.preset.layout.keys[0].width = 77;
    graph.parts = ui::GraphParts::TableOnly;
    graph.filters = {
        {"[Size]:>1MB", true, {}, false, false, ui::FilterScope::AllGraphs},
        {"Process = app.exe (1)", false, {{{"Process", "app.exe (1)"}}}, true, true, ui::FilterScope::ThisGraph}};
    graph.opened = {{{"Process", "app.exe (1)"}}, {{"Process", "app.exe (1)"}, {"Stack", "app.exe!main"}}};
    graph.openedLines = {{{"Process", "app.exe (1)"}}};
    graph.closedLines = {{{"Process", "b.exe (2)"}}};
    graph.hiddenLines = {{{"Process", "c.exe (3)"}}};
    ui::SessionTab tab{
        "Peak",       true,   TimeRange{{1}, {9'000'000'000'000'000'001}}, TimeRange{{2}, {3}}, TimeRange{{4}, {5}},
        TraceTime{6}, {graph}};
    session.tabs = {tab, {"Whole", false, {}, {}, {}, {}, {graph}}};
    session.currentTab = 1;
    session.marks = {{{0, TraceTime{7}, "here"}}, {{42, "renamed"}, {43, ""}}};
    session.snapshots = {{8}, {9}};
    session.notes = {{analysis::Table::Frees, {{"Process", "app.exe (1)"}}, "why?"}};
    session.presets = {graph.preset};
    session.symbolPath = "/symbols;srv*https://example.invalid";
    session.processExitFreesHeap = true;
    return session;
}

} // namespace highwater::tests

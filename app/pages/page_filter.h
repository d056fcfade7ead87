#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"

#include <QString>

#include <optional>
#include <vector>

namespace highwater::ui {
class AnalysisTabs;
class GraphPanel;
class GraphState;
struct FilterStep;
} // namespace highwater::ui

namespace highwater::app {

/// Filters a graph to a row of a page, removes that filter, and opens the row in the graph's table. The page's own
/// question ignores this filter; otherwise the page would show only this row. GUI thread only.
class PageFilter {
  public:
    /// Filters the graph to `path`, replacing the previous filter of this object.
    void filterTo(ui::GraphPanel& panel, const analysis::KeyPath& path, const QString& text) {
        filterTo(panel, std::vector<analysis::KeyPath>{path}, text);
    }
    /// The same for several groups that form one row of the page.
    void filterTo(ui::GraphPanel& panel, std::vector<analysis::KeyPath> anyOf, const QString& text);
    /// Renames the filter. A null graph means none.
    void rename(ui::GraphState* graph, const QString& text);
    /// A null graph means none.
    void takeBack(ui::GraphState* graph);
    /// The trace has changed, so its keys have other meanings.
    void forget() { own_ = {}; }
    /// The paths that the graph is filtered to; empty if it is not. A null graph means none.
    [[nodiscard]] analysis::KeyPath pathIn(const ui::GraphState* graph) const;
    /// Whether this filter is part of the graph's filter.
    [[nodiscard]] bool isIn(const ui::GraphState& graph) const { return stepIn(graph).has_value(); }
    /// The graph's filter without this step, as steps and as a filter.
    [[nodiscard]] std::vector<ui::FilterStep> stepsWithout(const ui::GraphState& graph) const;
    [[nodiscard]] Result<analysis::RowFilter> filterWithout(const ui::GraphState& graph) const;

  private:
    [[nodiscard]] std::optional<std::size_t> stepIn(const ui::GraphState& graph) const;

    analysis::RowFilter::Clause own_; ///< empty if there are no rows
};

/// The current graph if it shows this table; otherwise another graph that does, or a new one.
[[nodiscard]] ui::GraphPanel& panelOf(ui::AnalysisTabs& tabs, analysis::Table table);
/// Lays out its table by a preset with this name.
void showPreset(ui::AnalysisTabs& tabs, ui::GraphPanel& panel, const QString& name);
/// Switches its table to bottom-up, expands the largest rows when the answer arrives, and selects the last one.
void openLargestOf(ui::GraphPanel& panel);
/// Expands the way to the row of that path in its table, grouped as it is, and selects it. A table without a stack is
/// grouped by the keys of the path.
void openRowWithin(ui::GraphPanel& panel, const analysis::KeyPath& row);
/// Groups its table by the keys of the path, expands the way to that row, and selects it.
void openRowOf(ui::GraphPanel& panel, const analysis::KeyPath& row);

} // namespace highwater::app

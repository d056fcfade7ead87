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

/// What a page that lists rows of a table does in a graph: it filters to one of its rows, takes that back, and opens
/// it. The page itself is asked about what the filter is without that, else it would show this row and nothing else.
/// GUI thread only.
class PageFilter {
  public:
    /// The graph keeps what `path` stands for, instead of what this filter kept in it before.
    void filterTo(ui::GraphPanel& panel, const analysis::KeyPath& path, const QString& text) {
        filterTo(panel, std::vector<analysis::KeyPath>{path}, text);
    }
    /// The same of several groups, which are one row of the page.
    void filterTo(ui::GraphPanel& panel, std::vector<analysis::KeyPath> anyOf, const QString& text);
    /// What the graph is filtered to is called otherwise. graph: null is none.
    void rename(ui::GraphState* graph, const QString& text);
    /// graph: null is none.
    void takeBack(ui::GraphState* graph);
    /// Another trace: its keys mean something else.
    void forget() { own_ = {}; }
    /// What the graph is filtered to; empty: it is not. graph: null is none.
    [[nodiscard]] analysis::KeyPath pathIn(const ui::GraphState* graph) const;
    /// Whether it is part of the graph's filter.
    [[nodiscard]] bool isIn(const ui::GraphState& graph) const { return stepIn(graph).has_value(); }
    /// The steps of the graph's filter without it; and the filter of these.
    [[nodiscard]] std::vector<ui::FilterStep> stepsWithout(const ui::GraphState& graph) const;
    [[nodiscard]] Result<analysis::RowFilter> filterWithout(const ui::GraphState& graph) const;

  private:
    [[nodiscard]] std::optional<std::size_t> stepIn(const ui::GraphState& graph) const;

    analysis::RowFilter::Clause own_; ///< of no rows: nothing
};

/// The current graph, if it is of this table; else one that is, a new one if need be.
[[nodiscard]] ui::GraphPanel& panelOf(ui::AnalysisTabs& tabs, analysis::Table table);
/// Turns its table bottom-up, opens the way to what is largest when the answer is there, and goes there.
void openLargestOf(ui::GraphPanel& panel);
/// Groups its table by the keys of the path, opens the way to that row, selects it, and goes there.
void openRowOf(ui::GraphPanel& panel, const analysis::KeyPath& row);

} // namespace highwater::app

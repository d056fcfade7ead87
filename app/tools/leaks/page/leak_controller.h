#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/leaks/page/leaks_view.h"

#include <QPointer>

#include <memory>

namespace highwater::app {

using LeakAskingPage = AskingPage<analysis::LeakQuery, analysis::LeakReport, ui::LeaksView>;

/// The Leaks page: searches heap and VirtualAlloc in the visible interval, each through the filter of its graph, and
/// shows each suspect in the graph of its table. GUI thread only.
class LeakController : public LeakAskingPage {
    Q_OBJECT
  public:
    LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, Finder::Find find = findWithExit);

  signals:
    void answered(const highwater::analysis::LeakQuery& query, const highwater::analysis::LeakReport& report);

  private:
    static Result<analysis::LeakReport> findWithExit(const Asked& asked, const std::stop_token& stop);
    void followOptions();
    bool fill(analysis::LeakQuery& query) override;
    void showAnswer(const Asked& asked, analysis::LeakReport found) override;
    void paint(const analysis::LeakSuspect& suspect);
    void filterTo(const analysis::LeakSuspect& suspect);
    void takeFilterBack();
    void openRows(const analysis::LeakSuspect& suspect);
    /// The graph of the suspect's table, which becomes the current one. The focus stays in the page.
    [[nodiscard]] ui::GraphPanel& panelOf(const analysis::LeakSuspect& suspect);
    /// The graph whose filter the page uses for a table: the current one, or else the first one of that table in its
    /// tab; null: none.
    [[nodiscard]] ui::GraphState* graphOf(analysis::Table table) const;
    /// The filter for a table, without the page's own step.
    [[nodiscard]] analysis::RowFilter filterFor(analysis::Table table);
    /// The filter that a new graph of the table would have: the steps for all graphs of the tab.
    [[nodiscard]] analysis::RowFilter sharedFilterFor(analysis::Table table) const;

    std::shared_ptr<const analysis::Suppressions> suppressions_; ///< used in the query
    bool wereNamesComing_ = false;                               ///< when it was asked
    QPointer<ui::GraphState> painted_;
};

} // namespace highwater::app

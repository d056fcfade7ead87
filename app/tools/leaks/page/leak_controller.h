#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/leaks/page/leaks_view.h"

#include <memory>

namespace highwater::app {

using LeakAskingPage = AskingPage<analysis::LeakQuery, analysis::LeakReport, ui::LeaksView>;

/// The Leaks page: queries the current graph, its interval and filter, and shows suspects in that graph. GUI thread
/// only.
class LeakController : public LeakAskingPage {
    Q_OBJECT
  public:
    LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, Finder::Find find = ui::foundBy<analysis::findLeaks>);

  private:
    void followOptions();
    bool fill(analysis::LeakQuery& query) override;
    void paint(const analysis::LeakSuspect& suspect);
    void filterTo(const analysis::LeakSuspect& suspect);
    void takeFilterBack();
    void openRows(const analysis::LeakSuspect& suspect);
    /// The graph with the table of the answer: the current one or a new one.
    [[nodiscard]] ui::GraphPanel* panelOfAnswer();
    [[nodiscard]] analysis::Table tableToAsk() const;
    /// The graph whose filter the page uses: the current one, or else the first one of that table in its tab; null:
    /// none.
    [[nodiscard]] ui::GraphState* graphToAsk() const;

    std::shared_ptr<const analysis::Suppressions> suppressions_; ///< used in the query
};

} // namespace highwater::app

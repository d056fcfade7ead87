#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/generations/page/generations_view.h"

namespace highwater::app {

using GenerationsAskingPage = AskingPage<analysis::GenerationsQuery, analysis::GenerationsReport, ui::GenerationsView>;

/// The Generations page: queries the current graph, its interval, filter and marks, and shows marks and stacks in that
/// graph. GUI thread only.
class GenerationsController : public GenerationsAskingPage {
    Q_OBJECT
  public:
    GenerationsController(ui::AnalysisTabs& tabs, QMainWindow& window);

  signals:
    void renameWanted(qint64 ticks, const QString& name);

  private:
    bool fill(analysis::GenerationsQuery& query) override;
    void showAnswer(const Asked& asked, analysis::GenerationsReport report) override;
    void paint(const analysis::KeyPath& path);
    void filterTo(const analysis::KeyPath& path, const QString& text);
    void takeFilterBack();
    void openRows(const analysis::KeyPath& path, const QString& text);
};

} // namespace highwater::app

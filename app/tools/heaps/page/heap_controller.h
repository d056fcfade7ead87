#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/heaps/page/heaps_view.h"

namespace highwater::app {

using HeapAskingPage = AskingPage<analysis::HeapsQuery, analysis::HeapList, ui::HeapsView>;

/// The Heaps page: queries the interval, and the filter if the current graph shows heaps; highlights and filters that
/// graph. GUI thread only.
class HeapController : public HeapAskingPage {
    Q_OBJECT
  public:
    HeapController(ui::AnalysisTabs& tabs, QMainWindow& window);

  public slots:
    /// Opens the page with this heap (Process, Handle) selected.
    void showHeap(const highwater::analysis::KeyPath& path);

  private:
    void connectPanel(ui::GraphPanel& panel, QObject& until) override;
    bool fill(analysis::HeapsQuery& query) override;
    void paint(const analysis::HeapFacts& heap);
    void filterTo(const analysis::HeapFacts& heap);
    void takeFilterBack();
    void openRows(const analysis::HeapFacts& heap);
};

} // namespace highwater::app

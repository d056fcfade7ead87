#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/histogram/page/histogram_view.h"

#include <optional>

namespace highwater::app {

using HistogramAskingPage = AskingPage<analysis::HistogramQuery, analysis::Histogram, ui::HistogramView>;

/// The Histogram page: queries the table, interval and filter of the current graph, and filters that graph to a bar.
/// GUI thread only.
class HistogramController : public HistogramAskingPage {
    Q_OBJECT
  public:
    HistogramController(ui::AnalysisTabs& tabs, QMainWindow& window);

  private:
    [[nodiscard]] bool showsStacks() const override { return false; }
    bool fill(analysis::HistogramQuery& query) override;
    void forgetTrace(bool isGone) override;
    void filterTo(const QString& query);
    void takeFilterBack();
    /// The index of the page's step in the filter of the current graph; empty: none.
    [[nodiscard]] std::optional<std::size_t> ownStep() const;

    std::optional<ui::FilterStep> own_; ///< the page's filter
};

} // namespace highwater::app

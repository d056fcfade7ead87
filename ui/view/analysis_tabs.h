#pragma once

#include "ui/state/analysis_options.h"
#include "ui/state/query_runner.h"
#include "ui/state/series_colors.h"

#include <QTabWidget>

#include <memory>

namespace highwater::ui {

class AnalysisView;
class GraphPanel;

/// The analyses of one trace, a tab each with its own interval. There is always one. GUI thread only.
class AnalysisTabs : public QTabWidget {
    Q_OBJECT
  public:
    explicit AnalysisTabs(QWidget* parent = nullptr, QueryFunctions functions = {});
    ~AnalysisTabs() override;

    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clearTrace();
    void setLoading(bool loading);

    [[nodiscard]] AnalysisView& current() const;
    /// Of the current tab; null when it has no graph.
    [[nodiscard]] GraphPanel* currentPanel() const;
    AnalysisView& addAnalysis();
    void closeAnalysis(int index);
    void setOptions(const AnalysisOptions& options);
    [[nodiscard]] const AnalysisOptions& options() const { return options_; }
    [[nodiscard]] bool isUpToDate() const;

  signals:
    /// The current tab's graphs show what is asked for.
    void upToDate();
    /// Another tab, or another graph of it, is the current one.
    void currentPanelChanged();
    /// The state of the current tab has changed.
    void currentStateChanged();

  private:
    void build();
    AnalysisView& viewAt(int index) const;

    QueryFunctions functions_;
    SeriesColors colors_;
    AnalysisOptions options_;
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    bool loading_ = false;
    int nextNumber_ = 1;
};

} // namespace highwater::ui

#pragma once

#include "core/analysis/explain/findings.h"
#include "ui/state/analysis_options.h"
#include "ui/state/finders/finder_of.h"
#include "ui/state/trace_on_screen.h"

#include <QAction>
#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class FindingsStrip;
class GraphPanel;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// View > Findings: a strip above the first graph of the current tab that shows the biggest surge and the fastest leaks
/// of the whole trace. It is computed on a worker, and again when the trace grows or names arrive, and hidden if there
/// is nothing to show. A click shows a finding in its graph. GUI thread only.
class FindingsController : public QObject {
    Q_OBJECT
  public:
    using Asked = ui::Asked<analysis::LeakQuery>;
    using Finder = ui::FinderOf<Asked, analysis::Findings>;

    /// All must outlive this object, except that the window owns it.
    FindingsController(ui::AnalysisTabs& tabs, ApplicationSettings& settings, QMainWindow& window,
                       Finder::Find find = findBeforeExit);
    ~FindingsController() override;

    [[nodiscard]] QAction* toggleAction() const { return toggle_; }
    /// Shows the first finding, and each time the one after it.
    [[nodiscard]] QAction* nextAction() const { return next_; }
    /// The strip shows the findings of the trace, or is closed. Data and names that arrived less than some seconds ago
    /// may be missing while more of them are expected.
    [[nodiscard]] bool isUpToDate() const;

  public slots:
    /// A newer answer about the leaks of the trace. If it contradicts a finding, the findings are computed again.
    void compareWith(const highwater::analysis::LeakQuery& query, const highwater::analysis::LeakReport& report);

  signals:
    /// Emitted when owners are shown, so that function names are loaded.
    void namesWanted();
    void upToDate();

  private:
    static Result<analysis::Findings> findBeforeExit(const Asked& asked, const std::stop_token& stop);
    void buildActions();
    void openNext();
    void followTrace(ui::TraceOnScreen::Changes changes);
    void followOptions();
    void followTab();
    void setShown(bool isShown);
    void askSoon();
    void ask();
    /// `trace`: the publication to which they belong; null: none.
    void show(std::shared_ptr<const analysis::Findings> findings, const store::PublishedTrace* trace = nullptr);
    void openSurge(const analysis::SurgeFinding& finding);
    void openLeak(const analysis::LeakFinding& finding);
    void openHeld(const analysis::ProcessHolders& held);
    /// Shows the row in the whole table of the interval.
    void openRow(analysis::Table table, TimeRange interval, const analysis::KeyPath& path);

    ui::AnalysisTabs& tabs_;
    ApplicationSettings& settings_;
    QAction* toggle_;
    QAction* next_;
    std::size_t nextCard_ = 0;
    QPointer<ui::FindingsStrip> strip_; ///< owned by the current tab
    ui::AnalysisOptions options_;       ///< used in the query
    QTimer soon_;
    QTimer growth_; ///< low rate while a trace grows or names arrive
    QElapsedTimer sinceAsked_;
    bool wereNamesComing_ = false; ///< when it was asked
    bool isWhole_ = false;         ///< the trace has just been loaded to its end
    TimeRange interval_;           ///< of the findings shown
    Finder finder_;
};

} // namespace highwater::app

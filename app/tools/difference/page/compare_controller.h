#pragma once

#include "app/pages/page.h"
#include "app/pages/page_filter.h"
#include "app/recording/trace_opener.h"
#include "app/symbols/symbol_session.h"
#include "app/tools/difference/page/compare_renames.h"
#include "app/tools/difference/page/compared_snapshots.h"
#include "app/tools/difference/page/difference_finder.h"
#include "ui/state/graph_state.h"
#include "ui/state/trace_on_screen.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <optional>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class DifferenceView;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// The Compare page: what the trace at hand has that another one, which it loads, did not have; or what one
/// interval has that the highlighted one did not. Asks whenever the current graph, its interval or its filter changes,
/// and shows groups in that graph. Hiding the page frees the other trace. GUI thread only.
class CompareController : public Page {
    Q_OBJECT
  public:
    /// All must outlive it. `names`: of the trace at hand; what it looks for, the other trace's names are looked for
    /// with. `settings` keep what was renamed between two traces.
    CompareController(ui::AnalysisTabs& tabs, const SymbolSession& names, ApplicationSettings& settings,
                      QMainWindow& window, ui::DifferenceFunction find = ui::answerDifference);

    [[nodiscard]] QList<QAction*> traceActions() const override { return {withTrace_, withHighlight_, snapshots_}; }
    /// Several files make one trace. Failures are told on the page.
    void compareWith(const QStringList& paths);
    void compareWithHighlight();
    /// The two that are selected in Heap Snapshot, else the last two.
    void compareSnapshots();
    /// The page goes when nothing is compared.
    void noteLayoutRestored() override;
    [[nodiscard]] bool isUpToDate() const override;

  private:
    enum class Before : std::uint8_t { Nothing, OtherTrace, Highlight, Snapshots };

    void followToggle();
    void buildActions(QMainWindow& window);
    void connectPage();
    void connectOther();
    void connectTabs();
    void showPage();
    void askForTrace(QMainWindow& window);
    void takeEnd(pipeline::LoadState state, const QString& sentence);
    /// Lets go of all that was compared.
    void stop(const QString& why);
    void followPanel();
    void followTrace(ui::TraceOnScreen::Changes changes);
    /// Asks once at the end of this turn of the event loop.
    void askSoon();
    void ask();
    /// Nothing, and the page says why: there is nothing to ask.
    [[nodiscard]] std::optional<analysis::DifferenceQuery> question();
    [[nodiscard]] std::optional<TimeRange> rangeBefore(TimeRange after);
    void sayRemarks();
    void connectPictures();
    /// What was renamed between the other trace and the one at hand.
    void readRenames();
    void takePaths(const ui::DifferencePathsRequest& request, const std::vector<analysis::KeyPath>& paths);
    void filterTo(const ui::DifferencePathsRequest& request, const std::vector<analysis::KeyPath>& paths);
    void takeFilterBack();
    [[nodiscard]] analysis::Table tableToAsk() const;
    void tellSides(const analysis::DifferenceQuery& query);

    ui::AnalysisTabs& tabs_;
    const SymbolSession& names_;
    SymbolSession otherNames_;
    TraceOpener opener_;
    ui::DifferenceFinder finder_;
    ui::DifferenceView* view_;
    CompareRenames renames_;
    QAction* withTrace_ = nullptr;
    QAction* withHighlight_ = nullptr;
    QAction* snapshots_ = nullptr;
    std::optional<ComparedSnapshots> compared_; ///< Before::Snapshots: chosen when that was asked for
    Before before_ = Before::Nothing;
    bool isLoading_ = false; ///< the other trace
    bool hasOtherFilters_ = false;
    QString trouble_;                        ///< of the other trace: where reading stopped
    QString aboutRow_;                       ///< why the selected row cannot be filtered to
    std::vector<analysis::KeyPath> painted_; ///< in the graph, by this page
    std::shared_ptr<const store::PublishedTrace> other_;
    std::shared_ptr<analysis::FrameLabels> otherLabels_;
    QPointer<ui::GraphState> graph_;
    PageFilter filter_;
    QTimer soon_;
    QTimer growth_;
};

} // namespace highwater::app

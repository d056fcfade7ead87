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

/// The Compare page: compares the current trace with another one that it loads, or an interval with the highlighted
/// one. Repeats the query when the current graph, its interval or its filter changes, and shows groups in that graph.
/// Hiding the page frees the other trace. GUI thread only.
class CompareController : public Page {
    Q_OBJECT
  public:
    /// All must outlive this object. `names`: symbols of the current trace; its symbol path is also used for the other
    /// trace. `settings` store the renames between two traces.
    CompareController(ui::AnalysisTabs& tabs, const SymbolSession& names, ApplicationSettings& settings,
                      QMainWindow& window, ui::DifferenceFunction find = ui::answerDifference);

    [[nodiscard]] QList<QAction*> traceActions() const override { return {withTrace_, withHighlight_, snapshots_}; }
    /// Several files make one trace. Failures are shown on the page.
    void compareWith(const QStringList& paths);
    void compareWithHighlight();
    /// The two snapshots selected in Heap Snapshot, otherwise the last two.
    void compareSnapshots();
    /// Hides the page if nothing is compared.
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
    /// Frees everything that was compared.
    void stop(const QString& why);
    void followPanel();
    void followTrace(ui::TraceOnScreen::Changes changes);
    /// Asks once at the end of this turn of the event loop.
    void askSoon();
    void ask();
    /// Empty if there is nothing to ask; the page shows why.
    [[nodiscard]] std::optional<analysis::DifferenceQuery> question();
    [[nodiscard]] std::optional<TimeRange> rangeBefore(TimeRange after);
    void printRemarks();
    void connectPictures();
    /// The renames between the other trace and the current one.
    void readRenames();
    void takePaths(const ui::DifferencePathsRequest& request, const std::vector<analysis::KeyPath>& paths);
    void filterTo(const ui::DifferencePathsRequest& request, const std::vector<analysis::KeyPath>& paths);
    void takeFilterBack();
    [[nodiscard]] analysis::Table tableToAsk() const;
    void describeSides(const analysis::DifferenceQuery& query);

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
    std::optional<ComparedSnapshots> compared_; ///< for Before::Snapshots: the snapshots when the command was triggered
    Before before_ = Before::Nothing;
    bool isLoading_ = false; ///< the other trace
    bool hasOtherFilters_ = false;
    QString trouble_;                        ///< why loading of the other trace stopped early
    QString aboutRow_;                       ///< why the selected row cannot be filtered to
    std::vector<analysis::KeyPath> painted_; ///< the page's filter in the graph
    std::shared_ptr<const store::PublishedTrace> other_;
    std::shared_ptr<analysis::FrameLabels> otherLabels_;
    QPointer<ui::GraphState> graph_;
    PageFilter filter_;
    QTimer soon_;
    QTimer growth_;
};

} // namespace highwater::app

#pragma once

#include "core/analysis/rows/instances.h"
#include "core/event/trace_notes.h"
#include "ui/state/analysis_options.h"
#include "ui/state/linked_analyses.h"
#include "ui/state/presets.h"
#include "ui/state/query_runner.h"
#include "ui/state/series_colors.h"
#include "ui/state/trace_on_screen.h"

#include <QAction>
#include <QPointer>
#include <QTabWidget>

#include <memory>
#include <vector>

class QLineEdit;

namespace highwater::ui {

class AnalysisView;
class GraphPanel;
class HistoryBar;
class TabCorner;

/// The analyses of one trace: a tab each, with its own interval unless it is linked with others. There is always at
/// least one. The history of the current tab is next to the tabs. GUI thread only.
class AnalysisTabs : public QTabWidget {
    Q_OBJECT
  public:
    explicit AnalysisTabs(QWidget* parent = nullptr, QueryFunctions functions = {});
    ~AnalysisTabs() override;

    /// The trace of all tabs.
    [[nodiscard]] TraceOnScreen& shown() { return shown_; }
    /// The stack frames currently on screen, from top to bottom, without duplicates.
    [[nodiscard]] std::vector<analysis::LabelId> visibleFrames() const;
    /// Marks for the graphs of all tabs; never null.
    void setMarks(std::shared_ptr<const std::vector<Mark>> marks);
    void setInstants(analysis::SharedInstants instants);
    /// Shows the first table of the trace in an unused tab, once per trace, and again as long as its graph is empty.
    void showFirstTableWithData();

    [[nodiscard]] AnalysisView& current() const;
    /// The current graph of the current tab; null if it has none.
    [[nodiscard]] GraphPanel* currentPanel() const;
    /// The graphs of all tabs.
    [[nodiscard]] std::vector<GraphState*> graphs() const;
    /// Starts with a copy of the current tab's graph.
    AnalysisView& addAnalysis();
    /// Starts with only this graph.
    AnalysisView& addAnalysis(analysis::Table table);
    /// The last tab cannot be closed.
    void closeAnalysis(int index);
    /// Restores the most recently closed tab or graph, until a new trace is opened.
    void reopenClosed();
    /// The tab's text.
    [[nodiscard]] QString nameOf(int index) const;
    void setNameOf(int index, const QString& name);
    /// Opens an editor over the tab: Enter accepts the new name, Esc keeps the old one.
    void renameAnalysis(int index);
    /// Makes the current tab share the time of the other linked tabs. The last choice also applies to new tabs.
    void linkCurrent(bool linked);
    /// For one tab; does not affect new tabs.
    void setLinked(int index, bool linked);
    [[nodiscard]] bool isLinked(int index) const;
    void setOptions(const AnalysisOptions& options);
    [[nodiscard]] const AnalysisOptions& options() const { return options_; }
    [[nodiscard]] Presets& presets() { return presets_; }
    [[nodiscard]] bool isUpToDate() const;
    /// New, rename, close and reopen, for the menu.
    [[nodiscard]] QList<QAction*> tabActions() const { return {newTab_, renameTab_, closeTab_, reopen_}; }
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);

  signals:
    /// The current tab's graphs are up to date.
    void upToDate();
    /// linkCurrent() was called.
    void linkChosen(bool linked);
    /// Another tab or graph is current.
    void currentPanelChanged();
    /// A table shows stack frames for the first time since the trace was opened, or a query needs them.
    void namesWanted();
    /// The state of the current tab has changed.
    void currentStateChanged();
    /// The same, except for a growing trace, which changes several times a second and must not interrupt an earlier
    /// query.
    void currentViewChanged();

  protected:
    void tabInserted(int index) override;
    void tabRemoved(int index) override;

  private:
    void build();
    void buildActions();
    AnalysisView& viewAt(int index) const;
    void connectView(AnalysisView& view);
    AnalysisView& makeView();
    AnalysisView& addView(AnalysisView& view);
    void startLike(AnalysisView& view, GraphPanel* example);
    void takeDropped(analysis::Table table, int tab);
    void endRename(QLineEdit& editor, int index);
    void noteCount();
    void forgetClosed();
    void trimClosed();
    void showLinks();

    TraceOnScreen shown_;
    QueryFunctions functions_;
    SeriesColors colors_;
    Presets presets_;
    AnalysisOptions options_;
    QList<QByteArray> splitterStates_;
    HistoryBar* history_;
    TabCorner* corner_ = nullptr;
    LinkedAnalyses links_;
    bool linksNewTabs_ = false;
    std::weak_ptr<analysis::FrameLabels> chosenFor_; ///< labels of the trace whose first table was chosen
    QAction* newTab_;
    QAction* renameTab_;
    QAction* closeTab_;
    QAction* reopen_;
    /// Closed tabs and graphs, newest last. A closed tab still exists, but is hidden.
    struct Closed {
        QPointer<AnalysisView> view; ///< null: destroyed with its tab
        bool isTab = false;          ///< false: a graph of the tab
        int index = 0;
        QString name = {};
        bool isLinked = false;
    };
    std::vector<Closed> closed_;
    std::shared_ptr<const std::vector<Mark>> marks_ = std::make_shared<const std::vector<Mark>>();
    analysis::SharedInstants instants_;
    int nextNumber_ = 1;
};

} // namespace highwater::ui

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

/// The analyses of one trace, a tab each with its own interval, unless it is linked with others. There is always one.
/// Beside the tabs stands the history of the current one. GUI thread only.
class AnalysisTabs : public QTabWidget {
    Q_OBJECT
  public:
    explicit AnalysisTabs(QWidget* parent = nullptr, QueryFunctions functions = {});
    ~AnalysisTabs() override;

    /// What all of them show.
    [[nodiscard]] TraceOnScreen& shown() { return shown_; }
    /// The frames of stacks that are on screen now, from the top, each once.
    [[nodiscard]] std::vector<analysis::LabelId> visibleFrames() const;
    /// Named instants, for the graphs of all tabs; never null.
    void setMarks(std::shared_ptr<const std::vector<Mark>> marks);
    void setInstants(analysis::SharedInstants instants);
    /// A tab whose only graph has nothing to show, and in which nothing was done yet, shows the first table that has.
    void showWhatThereIs();

    [[nodiscard]] AnalysisView& current() const;
    /// The current graph of the current tab; null when it has no graph.
    [[nodiscard]] GraphPanel* currentPanel() const;
    /// The graphs of all tabs.
    [[nodiscard]] std::vector<GraphState*> graphs() const;
    /// Starts with the graph of the current tab.
    AnalysisView& addAnalysis();
    /// Starts with this graph alone.
    AnalysisView& addAnalysis(analysis::Table table);
    /// The last one stays.
    void closeAnalysis(int index);
    /// The tab, or the graph of a tab, that was closed last, as it was. Until another trace comes.
    void reopenClosed();
    /// What stands on the tab.
    [[nodiscard]] QString nameOf(int index) const;
    void setNameOf(int index, const QString& name);
    /// An editor over the tab: Enter takes the new name, Esc the old one.
    void renameAnalysis(int index);
    /// The current tab shows the same time as the others that are linked. What was chosen last holds for new tabs, too.
    void linkCurrent(bool linked);
    /// Of one tab; new tabs are as before.
    void setLinked(int index, bool linked);
    [[nodiscard]] bool isLinked(int index) const;
    void setOptions(const AnalysisOptions& options);
    [[nodiscard]] const AnalysisOptions& options() const { return options_; }
    [[nodiscard]] Presets& presets() { return presets_; }
    [[nodiscard]] bool isUpToDate() const;
    /// New, rename, close, reopen: for the menu.
    [[nodiscard]] QList<QAction*> tabActions() const { return {newTab_, renameTab_, closeTab_, reopen_}; }
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);

  signals:
    /// The current tab's graphs show what is asked for.
    void upToDate();
    /// linkCurrent() was called.
    void linkChosen(bool linked);
    /// Another tab, or another graph of it, is the current one.
    void currentPanelChanged();
    /// A table shows frames of stacks, which it did not since the trace was opened, or is asked about them.
    void namesWanted();
    /// The state of the current tab has changed.
    void currentStateChanged();
    /// The same, but for a trace that has grown: that comes several times a second, and must not interrupt who is
    /// answering what was asked before.
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
    QAction* newTab_;
    QAction* renameTab_;
    QAction* closeTab_;
    QAction* reopen_;
    /// What was closed, the newest last. A closed tab lives on, unseen.
    struct Closed {
        QPointer<AnalysisView> view; ///< null: gone with its tab
        bool isTab = false;          ///< else a graph of it
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

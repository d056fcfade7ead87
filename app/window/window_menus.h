#pragma once

#include "app/settings/application_settings.h"

#include <QAction>
#include <QList>
#include <QObject>

class QActionGroup;
class QMainWindow;
class QMenu;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// The menu bar: every command of the window with its key. Those of the timeline, the table and the export are of the
/// current graph and change with it. GUI thread only.
class WindowMenus : public QObject {
    Q_OBJECT
  public:
    WindowMenus(QMainWindow& window, ui::AnalysisTabs& tabs, ApplicationSettings& settings);

    /// Commands that someone else makes, into the Trace and the View menu.
    void setTraceActions(const QList<QAction*>& actions);
    /// The Record menu, and what the File menu has of it.
    void setRecordActions(const QList<QAction*>& actions, QMenu* replay);
    /// Into the File menu, for what is kept in files.
    void setSessionActions(const QList<QAction*>& actions);
    /// What shows and hides a pane (a dock): first in the View menu, in the order in which they come.
    void addPane(QAction* toggle);
    /// Below Open Trace.
    void addOpenAction(QAction* action);
    /// Above About.
    void addHelpAction(QAction* action);
    /// Ctrl+Z in the docks that there are does what it does in a table: it takes back the last step of the history.
    void letPagesUndo();
    /// The Profiles menu.
    void setProfileActions(const QList<QAction*>& actions);
    /// Below what of the current graph goes into the Export menu.
    void addExportAction(QAction* action);
    void setNameActions(const QList<QAction*>& actions);
    /// They are about the trace, as are those of the current graph and the Trace menu. None may be in a group.
    void concernTrace(const QList<QAction*>& actions);
    /// Whether one would see what they do; else none of them can be chosen, not by key either.
    void setTraceShown(bool isShown);
    [[nodiscard]] QAction* openAction() const { return open_; }
    void setRecentTraces(const QList<ui::RecentTrace>& traces);
    /// The start page is not left, left for a trace, or shown instead of it.
    enum class Start { Alone, Away, InsteadOfTrace };
    void setStart(Start start);

  signals:
    void openWanted();
    /// To the start page, or back from it.
    void startWanted();
    /// One was chosen, wherever the window is.
    void graphShown();
    void recentWanted(const QStringList& paths);

  private:
    void buildFileMenu();
    void buildGraphChoices();
    void buildThemeMenu();
    void buildMotion();
    void buildHelpMenu();
    void fillViewMenu();
    void fillTableMenu();
    void fillExportMenu();
    void followPanel();
    void chooseTheme(Theme theme);

    QMainWindow& window_;
    ui::AnalysisTabs& tabs_;
    ApplicationSettings& settings_;
    QAction* open_ = nullptr;
    QAction* start_ = nullptr;
    QMenu* file_ = nullptr;
    QMenu* recent_ = nullptr;
    QMenu* record_ = nullptr;
    QMenu* export_ = nullptr;
    QMenu* trace_ = nullptr;
    QMenu* view_ = nullptr;
    QMenu* table_ = nullptr;
    QMenu* profiles_ = nullptr;
    QMenu* theme_ = nullptr;
    QAction* motion_ = nullptr;
    QMenu* help_ = nullptr;
    QActionGroup* ofTrace_; ///< what concerns the trace
    QList<QAction*> panes_;
    QList<QAction*> names_;
    QList<QAction*> exports_;      ///< of the whole trace
    QList<QAction*> graphChoices_; ///< Ctrl+1, Ctrl+2, Ctrl+3
};

} // namespace highwater::app

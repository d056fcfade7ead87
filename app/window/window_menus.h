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

/// The menu bar with all commands and shortcuts of the window. Timeline, table and export commands belong to the
/// current graph and change with it. GUI thread only.
class WindowMenus : public QObject {
    Q_OBJECT
  public:
    WindowMenus(QMainWindow& window, ui::AnalysisTabs& tabs, ApplicationSettings& settings);

    /// Adds commands of other objects to the Trace and View menus.
    void setTraceActions(const QList<QAction*>& actions);
    /// The Record menu, and its commands in the File menu.
    void setRecordActions(const QList<QAction*>& actions, QMenu* replay);
    /// Adds commands for files to the File menu.
    void setSessionActions(const QList<QAction*>& actions);
    /// Adds toggle actions of docks at the top of the View menu, in call order.
    void addPane(QAction* toggle);
    /// Below Open Trace.
    void addOpenAction(QAction* action);
    /// Above About.
    void addHelpAction(QAction* action);
    /// Makes Ctrl+Z in the existing docks undo the last step of the history, as in a table.
    void letPagesUndo();
    /// The Profiles menu.
    void setProfileActions(const QList<QAction*>& actions);
    /// Adds commands below those of the current graph in the Export menu.
    void addExportAction(QAction* action);
    void setNameActions(const QList<QAction*>& actions);
    /// Marks these actions as trace commands, like those of the current graph and the Trace menu. They must not be in
    /// an action group.
    void concernTrace(const QList<QAction*>& actions);
    /// Whether the effect of trace commands is visible; otherwise they are disabled, including shortcuts.
    void setTraceShown(bool isShown);
    [[nodiscard]] QAction* openAction() const { return open_; }
    void setRecentTraces(const QList<ui::RecentTrace>& traces);
    /// The start page is shown without a trace, is not shown, or is shown instead of the trace.
    enum class Start { Alone, Away, InsteadOfTrace };
    void setStart(Start start);

  signals:
    void openWanted();
    /// Switch to the start page or back.
    void startWanted();
    /// A graph was chosen, on any page.
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
    QActionGroup* ofTrace_; ///< trace commands
    QList<QAction*> panes_;
    QList<QAction*> names_;
    QList<QAction*> exports_;      ///< for the whole trace
    QList<QAction*> graphChoices_; ///< Ctrl+1, Ctrl+2, Ctrl+3
};

} // namespace highwater::app

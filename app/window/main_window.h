#pragma once

#include "app/recording/trace_opener.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "app/tools/fleet/page/fleet_finder.h"
#include "app/tools/fleet/page/fleet_place.h"
#include "app/window/page_list.h"
#include "app/window/start_view.h"
#include "ui/state/query_runner.h"

#include <QMainWindow>

class QDockWidget;

namespace highwater::ui {
class AnalysisTabs;
class GraphExplorer;
class LossBanner;
class MessageStrip;
class StartPage;
class StatusLine;
} // namespace highwater::ui

namespace highwater::app {

class AnalysisSettings;
class CropController;
class CurrentTrace;
class FileOpening;
class FleetController;
class ProfileController;
class RecentTraces;
class RecordController;
class SessionController;
class StartViewController;
class SymbolController;
class TraceSources;
class TraceTools;
class WindowMenus;
class WindowPages;

/// The main window: creates its views and controllers and connects them. GUI thread only.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// `functions`: run by the workers of every table, graph and thumbnail. `openFleet`: opens stores of runs. `pages`:
    /// factories of the pages about the trace on screen.
    explicit MainWindow(ApplicationSettings& settings, QWidget* parent = nullptr,
                        const ui::QueryFunctions& functions = {}, ui::OpenFleetFunction openFleet = openSystemFleet,
                        const std::vector<MakePage>& pages = toolPages());
    ~MainWindow() override;

    /// Before the window is shown. Limits it to the current screen, regardless of the size of the last one.
    void fitOnScreen();
    /// Several files make one trace. Failures are shown in the window.
    void openTrace(const QStringList& paths);
    /// Opens files of any supported kinds: imports presets of profiles, shows a fleet on its page, and opens the other
    /// files as a trace. Returns false if there is nothing to show, for example only presets.
    bool openFiles(const QStringList& paths);
    /// Opens the Fleet page with that store.
    void openFleet(const QString& address);
    /// Sets the view of the next trace.
    void setStartView(StartView view);
    [[nodiscard]] ui::AnalysisTabs& tabs() { return *tabs_; }
    [[nodiscard]] ui::GraphExplorer& explorer() { return *explorer_; }
    [[nodiscard]] TraceOpener& opener();
    [[nodiscard]] SymbolSession& symbolSession() { return symbolSession_; }
    /// The trace is loaded and completely shown. Function names may still be loading.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] RecordController& recordController();

  signals:
    /// isSettled() became true, also after further queries.
    void settled();
    void openFailed(const QString& sentence);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void buildCenter(ui::LossBanner& losses, ui::StatusLine& status);
    void buildExplorer(QDockWidget& dock);
    void buildTraceMenu(WindowMenus& menus, SymbolController& symbols, const AnalysisSettings& analysis,
                        ui::LossBanner& losses);
    void buildFileMenu(WindowMenus& menus, const ProfileController& profiles);
    void buildPanes(WindowMenus& menus, QDockWidget& explorer);
    void buildToolBar(WindowMenus& menus, const SymbolController& symbols);
    void connectDocks();
    void connectTrace(RecentTraces& recent);
    void connectTools(SymbolController& symbols, const AnalysisSettings& analysis);
    void connectFiles(ui::StartPage& start, const WindowMenus& menus, const ProfileController& profiles);
    void connectFleet();
    void reportProblems(const AnalysisSettings& analysis);
    /// Opens the trace of a fleet run. An open trace is not loaded again.
    void openTraceOfRun(const QStringList& paths, bool mayBeShown);
    void checkSettled();

    ApplicationSettings& settings_;
    SymbolSession symbolSession_;
    ui::AnalysisTabs* tabs_;
    ui::GraphExplorer* explorer_;
    ui::MessageStrip* message_;
    TraceSources* sources_ = nullptr;
    TraceTools* tools_ = nullptr;
    FleetController* fleet_ = nullptr;
    SessionController* sessions_ = nullptr;
    CropController* crops_ = nullptr;
    FileOpening* files_ = nullptr;
    WindowPages* pages_ = nullptr;
    StartViewController* view_ = nullptr;
    CurrentTrace* trace_ = nullptr;
};

} // namespace highwater::app

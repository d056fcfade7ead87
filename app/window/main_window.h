#pragma once

#include "app/fleet/fleet_place.h"
#include "app/recording/trace_opener.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "app/window/start_view.h"
#include "ui/state/fleet/fleet_finder.h"
#include "ui/state/query_runner.h"

#include <QMainWindow>
#include <QPointer>

class QDockWidget;
class QStackedWidget;

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
class FleetController;
class HeapFlagController;
class MarkController;
class NoteController;
class Page;
class ProfileController;
class SessionController;
class RecordController;
class RecoveryController;
struct LostRecording;
class SymbolController;
class ToolBarController;
class WindowMenus;

/// The window: wires the opener to the views, and commands to both. GUI thread only.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// `functions`: what the workers of every table, graph and thumbnail run.
    /// `openFleet`: how stores of runs are opened.
    explicit MainWindow(ApplicationSettings& settings, QWidget* parent = nullptr,
                        const ui::QueryFunctions& functions = {}, ui::OpenFleetFunction openFleet = openSystemFleet);
    ~MainWindow() override;

    /// Before it is shown: not larger than the screen, nor beside it, however large the last one was.
    void fitOnScreen();
    /// Several files make one trace. Failures are told inside the window.
    void openTrace(const QStringList& paths);
    /// Whatever the window can open, of any kinds: the presets of profiles are taken, a fleet has a page of its
    /// own, the other files are a trace. False: none of them is to be shown, as of presets alone.
    bool openFiles(const QStringList& paths);
    /// The Fleet page with that store.
    void openFleet(const QString& address);
    /// What to show of the next trace that is opened.
    void setStartView(StartView view) { startView_ = std::move(view); }
    [[nodiscard]] ui::AnalysisTabs& tabs() { return *tabs_; }
    [[nodiscard]] ui::GraphExplorer& explorer() { return *explorer_; }
    [[nodiscard]] TraceOpener& opener() { return opener_; }
    [[nodiscard]] SymbolSession& symbolSession() { return symbolSession_; }
    /// The trace is loaded and everything on screen shows all of it. Names of functions may be yet to come.
    [[nodiscard]] bool isSettled() const;
    [[nodiscard]] RecordController& recordController() { return *recordController_; }

  signals:
    /// isSettled(), also again after something else was asked for.
    void settled();
    void openFailed(const QString& sentence);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void build();
    void buildExplorer();
    void buildMenus();
    void connectOpener();
    void connectViews();
    void connectRecording();
    void askForTrace();
    /// When nothing that would be lost is left.
    void leave(std::function<void()> then);
    void loadTrace(const QStringList& paths, const QString& name);
    /// What a Highwater left that ended before it was saved.
    void recover(const LostRecording& recording);
    /// Nothing of what is shown is waited for any more.
    void beginShowing(const QString& name);
    void fillRecent();
    void keepOutline();
    void followState();
    void followOptions();
    void showPublished(const std::shared_ptr<const store::PublishedTrace>& trace,
                       const std::shared_ptr<analysis::FrameLabels>& labels);
    void showAnalysis();
    /// Another page is shown, or the start page for another reason: what is about a trace that is not seen rests.
    void followPage();
    /// In the title.
    void nameWhatIsShown();
    /// The start page while something is open, which goes on as it is; or back to that.
    void toggleStart();
    void goToStart();
    /// The same with the Fleet page; back from it to what is open, else to the start page.
    void toggleFleet();
    void backToTrace();
    void goToFleet();
    void openTraceOfRun(const QStringList& paths, bool mayBeShown);
    void leaveTrace();
    void tellStart();
    void leaveStart();
    void keepWhatWasOpen();
    void noteEnd(pipeline::LoadState state, const QString& sentence);
    void noteStartFailed(const QString& sentence);
    void noteRecordingEnd(pipeline::LoadState state, const QString& sentence);
    void noteSaved(const QString& path);
    void noteDiscarded();
    void noteWhole();
    void takeStartView();
    /// The tool whose toggle action is called so.
    void showTool(const char* toggle);
    void showProperties();
    /// Of what is shown; null: nothing is open.
    [[nodiscard]] const pipeline::TraceLoader* loader() const;
    void checkSettled();
    void openHotPath();

    ApplicationSettings& settings_;
    SymbolSession symbolSession_;
    TraceOpener opener_;
    StartView startView_;
    bool hasEnded_ = false;
    bool isAway_ = false;           ///< the start page, or the Fleet page, is shown instead of what is open
    QString traceName_;             ///< of what is shown
    QString nameBefore_;            ///< of what was shown before that
    QString title_;                 ///< of the trace in the title; empty: none
    QString problems_;              ///< what was wrong with the settings at the start, as the message says it
    QStringList shownPaths_;        ///< its files; empty: a recording that is not saved
    QPointer<QWidget> focusBefore_; ///< had the focus when the trace was left for another page
    bool hasOutline_ = false;
    QStackedWidget* pages_;
    ui::StartPage* start_;
    ui::AnalysisTabs* tabs_;
    AnalysisSettings* analysisSettings_;
    ui::GraphExplorer* explorer_;
    QDockWidget* explorerDock_;
    QWidget* lossesPlace_; ///< holds the banner, which hides itself, too; hidden on the Fleet page
    ui::LossBanner* losses_;
    ui::MessageStrip* message_;
    ui::StatusLine* status_;
    SymbolController* symbolController_;
    RecordController* recordController_;
    MarkController* marks_;
    RecoveryController* recovery_;
    HeapFlagController* heapFlags_;
    std::vector<Page*> tools_; ///< about the trace on screen
    FleetController* fleet_;
    ProfileController* profiles_;
    NoteController* notes_;
    SessionController* sessions_;
    CropController* crops_;
    WindowMenus* menus_ = nullptr;
    ToolBarController* toolBar_ = nullptr;
};

} // namespace highwater::app

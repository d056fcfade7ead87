#include "app/window/main_window.h"

#include "app/bars/tool_bar_controller.h"
#include "app/fleet/fleet_controller.h"
#include "app/pages/address_controller.h"
#include "app/pages/address_map_controller.h"
#include "app/pages/note_controller.h"
#include "app/pages/page.h"
#include "app/recording/elevation.h"
#include "app/recording/heap_flag_controller.h"
#include "app/recording/mark_controller.h"
#include "app/recording/record_controller.h"
#include "app/recording/recovery_controller.h"
#include "app/sessions/crop_controller.h"
#include "app/sessions/profile_controller.h"
#include "app/sessions/session_controller.h"
#include "app/symbols/definition_files.h"
#include "app/symbols/symbol_controller.h"
#include "app/window/analysis_settings.h"
#include "app/window/diagnostic_controller.h"
#include "app/window/explain_controller.h"
#include "app/window/page_list.h"
#include "app/window/trace_contents.h"
#include "app/window/trace_properties.h"
#include "app/window/window_menus.h"
#include "ui/format/plain_text.h"
#include "ui/view/access/access.h"
#include "ui/view/access/dock_tabs.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/fleet/fleet_view.h"
#include "ui/view/notes/notes_view.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/window/loss_banner.h"
#include "ui/view/window/start_page.h"
#include "ui/view/window/status_line.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

constexpr QSize kFirstSize{1280, 820};
/// A trace that is loaded within fewer says in the end what it has; of a longer one nobody waits for that.
constexpr std::uint64_t kPublicationsOfAShortLoad = 5;
constexpr int kLayoutVersion = 1;   ///< of bars and docks that are stored
constexpr int kExplorerWidth = 210; ///< the names fit
constexpr int kNarrowExplorerWidth = 150;
constexpr int kNarrowWindow = 1200; ///< below it the table needs the room more

QStringList localFiles(const QMimeData& dropped) {
    QStringList paths;
    for (const auto& url : dropped.urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    return paths;
}

ui::TraceNote noteOf(const store::PublishedTrace& trace) {
    const auto whole = trace.wholeRange();
    return {whole.end.ns - whole.start.ns,
            trace.heap.rows,
            trace.virtualAlloc.rows,
            trace.health.totalsAreBounds(),
            trace.managed.rows,
            !trace.lacks.times,
            trace.lacks.objects};
}

} // namespace

MainWindow::MainWindow(ApplicationSettings& settings, QWidget* parent, const ui::QueryFunctions& functions,
                       ui::OpenFleetFunction openFleet)
    : QMainWindow(parent),
      settings_(settings),
      symbolSession_(symbols::systemEnvironment()),
      pages_(new QStackedWidget),
      start_(new ui::StartPage),
      tabs_(new ui::AnalysisTabs(nullptr, functions)),
      analysisSettings_(new AnalysisSettings(settings, *tabs_, symbolSession_, *this)),
      explorer_(new ui::GraphExplorer(tabs_->shown(), nullptr, functions)),
      explorerDock_(new QDockWidget(tr("Graph Explorer"), this)),
      lossesPlace_(new QWidget),
      losses_(new ui::LossBanner),
      message_(new ui::MessageStrip),
      status_(new ui::StatusLine),
      symbolController_(new SymbolController(settings, symbolSession_, *this)),
      recordController_(new RecordController(settings, symbolSession_, *tabs_, *this)),
      marks_(new MarkController(opener_, recordController_->session(), *tabs_, this)),
      recovery_(new RecoveryController(settings.recordingsFolder(), *start_, *this)),
      heapFlags_(new HeapFlagController(*this)),
      tools_(makePages({*tabs_, *this, symbolSession_, settings, marks_->marks()})),
      fleet_(new FleetController(settings, *tabs_, symbolSession_, *this, std::move(openFleet))),
      profiles_(new ProfileController(*tabs_, *this)),
      notes_(new NoteController(*tabs_, this)),
      sessions_(new SessionController({*tabs_, *marks_, *symbolController_, analysisSettings_->exitFreesAction(),
                                       [this] { return analysisSettings_->ownExitFrees(); },
                                       analysisSettings_->stackTags(), analysisSettings_->suppressions()},
                                      *this)),
      crops_(new CropController(*tabs_, *sessions_, *recordController_, *this)) {
    ui::installAccess();
    new ui::DockTabs(*this);
    build();
    buildExplorer();
    buildMenus();
    connectOpener();
    connectViews();
    connectRecording();
    fillRecent();
    followOptions();
    problems_ = analysisSettings_->problems().join(QLatin1Char(' '));
    if (!problems_.isEmpty()) message_->showMessage(problems_, ui::MessageStrip::Tone::Warning);
}

/// A window that is still to be seen is hidden by its base class, too late: pages hear of it, and ask the sessions.
MainWindow::~MainWindow() { hide(); }

void MainWindow::build() {
    setWindowTitle(tr("Highwater"));
    setAcceptDrops(true);
    message_->setObjectName(QStringLiteral("windowMessage"));
    auto* center = new QWidget;
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(message_);
    layout->addWidget(sessions_->strip());
    layout->addWidget(crops_->strip());
    layout->addWidget(lossesPlace_);
    layout->addWidget(pages_, 1);
    auto* ofLosses = new QVBoxLayout(lossesPlace_);
    ofLosses->setContentsMargins(0, 0, 0, 0);
    ofLosses->addWidget(losses_);
    pages_->addWidget(start_);
    pages_->addWidget(tabs_);
    pages_->addWidget(fleet_->page());
    setCentralWidget(center);
    setStatusBar(status_);
    if (!restoreGeometry(settings_.windowGeometry())) resize(kFirstSize);
}

void MainWindow::fitOnScreen() {
    if (isMaximized() || isFullScreen()) return;
    const auto room = screen()->availableGeometry().adjusted(0, style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
    resize(size().boundedTo(room.size()));
    if (!testAttribute(Qt::WA_Moved)) return; // where it goes is up to the system
    const auto place = geometry();
    setGeometry({{std::clamp(place.x(), room.left(), room.right() + 1 - place.width()),
                  std::clamp(place.y(), room.top(), room.bottom() + 1 - place.height())},
                 place.size()});
}

/// Where there is no trace there are no graphs: the dock comes with the first one, as it was left the last time.
void MainWindow::buildExplorer() {
    explorerDock_->setObjectName(QStringLiteral("graphExplorer"));
    explorerDock_->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    auto* graphsAndMarks = new QWidget;
    auto* column = new QVBoxLayout(graphsAndMarks);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(explorer_, 1);
    column->addWidget(marks_->makeView(graphsAndMarks));
    column->addWidget(notes_->makeView(graphsAndMarks));
    explorerDock_->setWidget(graphsAndMarks);
    addDockWidget(Qt::LeftDockWidgetArea, explorerDock_);
    auto* toggle = explorerDock_->toggleViewAction();
    toggle->setObjectName(QStringLiteral("toggleGraphExplorer"));
    toggle->setText(tr("&Graph Explorer"));
    toggle->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    toggle->setEnabled(false);
    explorerDock_->hide();
    connect(explorer_, &ui::GraphExplorer::graphWanted, this,
            [this](auto table) { tabs_->current().showGraph(table); });
}

void MainWindow::buildMenus() {
    menus_ = new WindowMenus(*this, *tabs_, settings_);
    auto* losses = new QAction(tr("Losses and N&otes"), this);
    losses->setObjectName(QStringLiteral("lossesAndNotes"));
    connect(losses, &QAction::triggered, losses_, [this] { losses_->setDetailsVisible(true); });
    auto* properties = new QAction(tr("Trace &Properties…"), this);
    properties->setObjectName(QStringLiteral("traceProperties"));
    properties->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Return));
    connect(properties, &QAction::triggered, this, &MainWindow::showProperties);
    auto* address = new AddressController(*tabs_, *this);
    connect(address, &AddressController::namesWanted, tabs_, &ui::AnalysisTabs::namesWanted);
    auto* map = findChild<AddressMapController*>();
    connect(address, &AddressController::asked, map, &AddressMapController::highlight);
    connect(map, &AddressMapController::historyWanted, address, &AddressController::showAddress);
    losses->setEnabled(false);
    connect(&tabs_->shown(), &ui::TraceOnScreen::changed, losses,
            [this, losses] { losses->setEnabled(tabs_->shown().trace() != nullptr); });
    QList<QAction*> ofTools;
    for (const auto* tool : tools_)
        ofTools += tool->traceActions();
    menus_->setTraceActions(ofTools + symbolController_->traceActions() + analysisSettings_->actions()
                            << address->action() << losses << properties);
    menus_->setRecordActions(recordController_->recordActions() + heapFlags_->actions(),
                             recordController_->replayMenu());
    menus_->setNameActions(symbolController_->nameActions());
    menus_->concernTrace(symbolController_->nameActions());
    menus_->setProfileActions(profiles_->actions());
    menus_->setSessionActions(sessions_->actions());
    menus_->addExportAction(crops_->action());
    menus_->concernTrace(sessions_->actions() + profiles_->actions() << crops_->action());
    const auto& recording = recordController_->bar();
    menus_->concernTrace({recording.markAction(), recording.snapshotAction(), recording.followAction()});
    toolBar_ = new ToolBarController(settings_, *tabs_, recordController_->bar(), *this);
    toolBar_->setCommand(ui::CommandBar::Command::Open, menus_->openAction());
    toolBar_->setCommand(ui::CommandBar::Command::Symbols, symbolController_->loadAction());
    menus_->addPane(toolBar_->toggleAction());
    menus_->addPane(explorerDock_->toggleViewAction());
    menus_->concernTrace({explorerDock_->toggleViewAction()});
    for (const auto* tool : tools_) {
        menus_->addPane(tool->toggleAction());
        menus_->concernTrace({tool->toggleAction()});
    }
    menus_->addPane(fleet_->toggleAction());
    menus_->addOpenAction(fleet_->openAction());
    const auto* diagnostics = new DiagnosticController(settings_, *this);
    menus_->addPane(diagnostics->toggleAction());
    const auto* explain = new ExplainController(
        *tabs_, symbolSession_, {analysisSettings_->stackTags(), analysisSettings_->suppressions()},
        [this] { return loader(); }, *this);
    menus_->letPagesUndo();
    for (auto* dock : findChildren<QDockWidget*>()) {
        // Whatever a page is about is the current graph.
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isSeen) {
            dock->widget()->setEnabled(isSeen); // behind another one Tab would still find what is in it
            if (isSeen) tabs_->current().revealCurrent();
        });
    }
    menus_->addHelpAction(explain->action());
    menus_->concernTrace({explain->action()});
    menus_->addHelpAction(diagnostics->copyAction());
    connect(explain, &ExplainController::namesWanted, tabs_, &ui::AnalysisTabs::namesWanted);
    connect(explain, &ExplainController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(diagnostics, &DiagnosticController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(menus_, &WindowMenus::openWanted, this, &MainWindow::askForTrace);
    connect(menus_, &WindowMenus::graphShown, this, [this] {
        if (isAway_) backToTrace();
    });
    connect(menus_, &WindowMenus::recentWanted, this, &MainWindow::openTrace);
    connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::followPage);
}

void MainWindow::connectOpener() {
    opener_.keepIndexes(settings_);
    connect(&opener_, &TraceOpener::published, this, &MainWindow::showPublished);
    connect(&opener_, &TraceOpener::ended, this, &MainWindow::noteEnd);
    connect(&opener_, &TraceOpener::progressed, this,
            [this](quint64 done, quint64 total) { status_->showProgress(traceName_, done, total); });
    connect(status_, &ui::StatusLine::cancelWanted, &opener_, &TraceOpener::cancel);
    symbolController_->connectStatus(*status_);
    symbolController_->connectAnalyses(*tabs_);
}

void MainWindow::connectViews() {
    connect(start_, &ui::StartPage::openWanted, this, &MainWindow::askForTrace);
    connect(start_, &ui::StartPage::backWanted, this, &MainWindow::toggleStart);
    connect(menus_, &WindowMenus::startWanted, this, &MainWindow::toggleStart);
    connect(start_, &ui::StartPage::recentWanted, this, &MainWindow::openTrace);
    connect(start_, &ui::StartPage::removeWanted, this, [this](const QStringList& paths) {
        settings_.removeRecentTrace(paths);
        fillRecent();
    });
    connect(tabs_, &ui::AnalysisTabs::currentStateChanged, this, &MainWindow::followState);
    connect(tabs_, &ui::AnalysisTabs::upToDate, this, &MainWindow::checkSettled);
    connect(explorer_, &ui::GraphExplorer::thumbnailShown, this, &MainWindow::checkSettled);
    connect(analysisSettings_, &AnalysisSettings::optionsChanged, this, &MainWindow::followOptions);
    connect(analysisSettings_, &AnalysisSettings::messageWanted, message_, &ui::MessageStrip::tell);
    connect(analysisSettings_, &AnalysisSettings::messageGone, message_, &ui::MessageStrip::takeBack);
    connect(analysisSettings_, &AnalysisSettings::fileFailed, this, &MainWindow::openFailed);
    connect(profiles_, &ProfileController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(sessions_, &SessionController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(sessions_, &SessionController::traceWanted, this, &MainWindow::openTrace);
    connect(sessions_, &SessionController::openFailed, this, &MainWindow::openFailed);
    connect(profiles_, &ProfileController::importFailed, this, &MainWindow::openFailed);
    connect(crops_, &CropController::traceWanted, this, &MainWindow::openTrace);
    for (auto* tool : tools_) {
        connect(tool, &Page::namesWanted, tabs_, &ui::AnalysisTabs::namesWanted);
        connect(tool, &Page::upToDate, this, &MainWindow::checkSettled);
    }
    connect(fleet_, &FleetController::pageWanted, this, &MainWindow::goToFleet);
    connect(fleet_, &FleetController::toggled, this, &MainWindow::toggleFleet);
    connect(fleet_, &FleetController::traceWanted, this, &MainWindow::openTraceOfRun);
    connect(fleet_, &FleetController::placeChanged, this, &MainWindow::nameWhatIsShown);
    connect(fleet_, &FleetController::namesWanted, tabs_, &ui::AnalysisTabs::namesWanted);
    connect(fleet_, &FleetController::upToDate, this, &MainWindow::checkSettled);
    connect(fleet_, &FleetController::openFailed, this, &MainWindow::openFailed);
    connect(fleet_, &FleetController::messageGone, message_, &ui::MessageStrip::takeBack);
    connect(fleet_, &FleetController::messageWanted, message_, &ui::MessageStrip::tell);
}

void MainWindow::connectRecording() {
    auto& session = recordController_->session();
    connect(&session, &RecordingSession::published, this, &MainWindow::showPublished);
    connect(&session, &RecordingSession::ended, this, &MainWindow::noteRecordingEnd);
    connect(recordController_, &RecordController::beginning, this, [this](const QString& name) {
        opener_.close();
        status_->hideProgress();
        beginShowing(name);
    });
    connect(recordController_, &RecordController::startFailed, this, &MainWindow::noteStartFailed);
    connect(recordController_, &RecordController::markWanted, marks_, &MarkController::markHere);
    connect(recordController_, &RecordController::snapshotWanted, marks_, &MarkController::snapshotHere);
    connect(marks_, &MarkController::instantsChanged, explorer_, &ui::GraphExplorer::setInstants);
    connect(marks_, &MarkController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(marks_, &MarkController::messageGone, message_, &ui::MessageStrip::takeBack);
    connect(notes_, &NoteController::messageWanted, message_, &ui::MessageStrip::tell);
    connect(notes_, &NoteController::messageGone, message_, &ui::MessageStrip::takeBack);
    connect(recordController_, &RecordController::discarded, this, &MainWindow::noteDiscarded);
    connect(recordController_, &RecordController::saved, this, &MainWindow::noteSaved);
    connect(recordController_, &RecordController::elevationWanted, heapFlags_,
            &HeapFlagController::restartAsAdministrator);
    connect(recordController_, &RecordController::messageWanted, message_, &ui::MessageStrip::tell);
    recordController_->setRecovery(*recovery_);
    connect(recovery_, &RecoveryController::showWanted, this, &MainWindow::recover);
    connect(recovery_, &RecoveryController::saved, this, &MainWindow::noteSaved);
    connect(recovery_, &RecoveryController::discarded, this, &MainWindow::noteDiscarded);
    connect(recovery_, &RecoveryController::failed, message_,
            [this](const QString& sentence) { message_->showMessage(sentence, ui::MessageStrip::Tone::Warning); });
    connect(heapFlags_, &HeapFlagController::messageWanted, message_, &ui::MessageStrip::tell);
    heapFlags_->cleanUp();
    connect(start_, &ui::StartPage::recordWanted, recordController_, &RecordController::ask);
    connect(start_, &ui::StartPage::attachWanted, recordController_, &RecordController::askToAttach);
    connect(start_, &ui::StartPage::exampleWanted, recordController_, &RecordController::recordExample);
    start_->setHasExample(!RecordController::exampleProgram().isEmpty());
}

void MainWindow::askForTrace() {
    auto* dialog =
        new QFileDialog(this, tr("Open Trace"), {},
                        traceFileFilter() + QStringLiteral(";;") + tr("Sessions of Highwater (*.highwater)") +
                            QStringLiteral(";;") + fleetFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openFiles);
    dialog->open();
}

void MainWindow::openTrace(const QStringList& paths) {
    if (!paths.isEmpty()) leave([this, paths] { loadTrace(paths, ui::nameOfTrace(paths)); });
}

void MainWindow::leave(std::function<void()> then) {
    sessions_->leave([this, then = std::move(then)] { recordController_->leave(then); });
}

/// What is said of a profile comes last: a trace that begins hides what was said before.
bool MainWindow::openFiles(const QStringList& paths) {
    QStringList sessions, traces, profiles, fleets;
    for (const auto& path : paths) {
        if (SessionController::isSession(path))
            sessions << path;
        else if (!analysisSettings_->takeDefinitions(path))
            (ProfileController::isProfile(path) ? profiles : isFleetFile(path) ? fleets : traces) << path;
    }
    for (const auto& path : sessions)
        sessions_->open(path);
    openTrace(traces);
    if (!fleets.isEmpty()) {
        goToFleet();
        fleet_->openFile(fleets.back()); // the page has one
    }
    for (const auto& path : profiles)
        profiles_->importFile(path);
    return !(sessions + traces + fleets).isEmpty();
}

void MainWindow::recover(const LostRecording& recording) {
    recordController_->leave([this, recording] {
        if (recovery_->begin(recording))
            loadTrace({recording.path}, tr("Unsaved recording of %1").arg(recording.program));
    });
}

void MainWindow::beginShowing(const QString& name) {
    hasEnded_ = false;
    leaveStart();
    focusBefore_.clear();
    nameBefore_ = std::exchange(traceName_, name);
    tabs_->shown().setName(name);
    marks_->clear();
    sessions_->forget();
    fleet_->forget();
    shownPaths_.clear();
    hasOutline_ = false;
    // Of a trace that is opened at the start nobody has read yet what is wrong with the settings.
    if (problems_.isEmpty() || message_->isHidden() || message_->message() != problems_) message_->hide();
    status_->setTrace({});
}

void MainWindow::loadTrace(const QStringList& paths, const QString& name) {
    beginShowing(name);
    status_->showProgress(name, 0, 0);
    opener_.open(paths, symbolSession_.begin(paths));
}

void MainWindow::fillRecent() {
    const auto traces = settings_.recentTraces();
    start_->setRecentTraces(traces);
    menus_->setRecentTraces(traces);
}

/// Of the table that has most, as the Graph Explorer draws it.
void MainWindow::keepOutline() {
    QList<qint64> amounts;
    for (const auto table : {analysis::Table::VirtualAlloc, analysis::Table::Heap}) {
        const auto& drawn = explorer_->thumbnail(table).timeline;
        if (!drawn || drawn->series.empty()) continue;
        const auto& peaks = drawn->series.front().peaks;
        const QList<qint64> line(peaks.begin(), peaks.end());
        const auto highest = [](const QList<qint64>& of) {
            return of.isEmpty() ? 0 : *std::max_element(of.begin(), of.end());
        };
        if (highest(line) > highest(amounts)) amounts = line;
    }
    settings_.setOutline(shownPaths_, amounts);
    fillRecent();
}

void MainWindow::followState() { explorer_->setHighlight(tabs_->current().state().highlight()); }

void MainWindow::followOptions() { explorer_->setProcessExitFreesHeap(tabs_->options().processExitFreesHeap); }

void MainWindow::showPublished(const std::shared_ptr<const store::PublishedTrace>& trace,
                               const std::shared_ptr<analysis::FrameLabels>& labels) {
    const auto& session = recordController_->session();
    title_ = traceName_;
    nameWhatIsShown();
    losses_->setHealth(trace->health);
    status_->setTrace(noteOf(*trace));
    auto& shown = tabs_->shown();
    shown.setLoading(opener_.isLoading() || session.isRecording());
    shown.show(trace, labels);
    const auto properties = session.isOpen() ? session.properties() : opener_.properties();
    shown.setTimeBase({properties.startFileTime, properties.biasMinutes});
    symbolSession_.setTrace(trace, labels);
    const bool isLongLoad = opener_.isLoading() && !startView_.graph && trace->number >= kPublicationsOfAShortLoad;
    if ((session.isRecording() || isLongLoad) && !startView_.isGraphShown) tabs_->showWhatThereIs();
    if (pages_->currentWidget() != tabs_ && !isAway_) showAnalysis();
    if (shown.isLoading()) applyStartOf(startView_, *tabs_);
}

void MainWindow::showAnalysis() {
    pages_->setCurrentWidget(tabs_);
    auto asked = findChildren<QDockWidget*>();
    asked.removeIf([](const QDockWidget* dock) { return !dock->isVisible(); });
    menus_->setStart(WindowMenus::Start::Away);
    explorerDock_->toggleViewAction()->setEnabled(true);
    explorerDock_->show();
    if (!restoreState(settings_.windowState(), kLayoutVersion))
        resizeDocks({explorerDock_}, {width() < kNarrowWindow ? kNarrowExplorerWidth : kExplorerWidth}, Qt::Horizontal);
    for (auto* tool : tools_)
        tool->noteLayoutRestored();
    for (auto* dock : asked)
        dock->show(); // since the layout was stored
    toolBar_->showBars();
    if (startView_.showsLeaks) showTool("toggleLeaks");
    if (startView_.showsGenerations) showTool("toggleGenerations");
    tabs_->setSplitterStates(settings_.splitterStates());
    if (auto* panel = tabs_->currentPanel()) panel->table().setFocus();
}

void MainWindow::toggleStart() { isAway_ ? backToTrace() : goToStart(); }

void MainWindow::backToTrace() {
    leaveStart();
    showAnalysis();
    if (focusBefore_ && focusBefore_->isVisible()) focusBefore_->setFocus();
}

void MainWindow::followPage() {
    const bool isFleet = pages_->currentWidget() == fleet_->page();
    menus_->setTraceShown(!isFleet && !isAway_);
    lossesPlace_->setVisible(!isFleet);
    status_->setTraceShown(!isFleet);
    nameWhatIsShown();
}

void MainWindow::nameWhatIsShown() {
    const bool isFleet = pages_->currentWidget() == fleet_->page();
    const auto name = isFleet ? fleet_->name() : title_;
    setWindowTitle(name.isEmpty() ? tr("Highwater") : tr("%1 - Highwater").arg(ui::titleText(name)));
}

void MainWindow::goToStart() {
    if (pages_->currentWidget() == tabs_) leaveTrace();
    if (!isAway_) menus_->setStart(WindowMenus::Start::Alone);
    pages_->setCurrentWidget(start_);
    tellStart();
}

void MainWindow::goToFleet() {
    if (pages_->currentWidget() == tabs_) leaveTrace();
    if (!isAway_) menus_->setStart(WindowMenus::Start::Away);
    pages_->setCurrentWidget(fleet_->page());
    fleet_->page()->focusAnswer();
    fleet_->notePageShown();
}

void MainWindow::toggleFleet() {
    if (pages_->currentWidget() != fleet_->page()) return goToFleet();
    toggleStart();
}

void MainWindow::openFleet(const QString& address) {
    goToFleet();
    fleet_->open(address);
}

/// What is open already is not read again.
void MainWindow::openTraceOfRun(const QStringList& paths, bool mayBeShown) {
    QStringList shown;
    for (const auto& path : shownPaths_)
        shown << QFileInfo(path).absoluteFilePath();
    if (!isAway_ || !mayBeShown || shown != paths || opener_.isLoading()) return openTrace(paths);
    backToTrace();
    fleet_->noteLoaded(paths);
}

/// A dock that is hidden by its own action may end what it shows: here it only leaves the screen.
void MainWindow::leaveTrace() {
    settings_.setWindowState(saveState(kLayoutVersion));
    settings_.setSplitterStates(tabs_->splitterStates());
    for (auto* dock : findChildren<QDockWidget*>()) {
        const QSignalBlocker silent(dock->toggleViewAction());
        dock->hide();
    }
    isAway_ = true;
    focusBefore_ = focusWidget();
    explorerDock_->toggleViewAction()->setEnabled(false);
    menus_->setStart(WindowMenus::Start::InsteadOfTrace);
}

void MainWindow::tellStart() {
    if (!isAway_) return;
    const auto& session = recordController_->session();
    const auto sentence = session.isRecording()            ? tr("%1 is being recorded.")
                          : recordController_->isUnsaved() ? recordController_->unsavedTitle()
                                                           : tr("%1 is open.");
    start_->setOpenTrace(sentence.arg(ui::lineText(traceName_.toStdString())));
}

/// What was to take its place could not be opened.
void MainWindow::keepWhatWasOpen() {
    if (!tabs_->shown().trace()) return;
    traceName_ = nameBefore_;
    tabs_->shown().setName(traceName_);
    status_->setTrace(noteOf(*tabs_->shown().trace()));
    isAway_ = pages_->currentWidget() != tabs_;
    followPage();
    tellStart();
}

void MainWindow::leaveStart() {
    isAway_ = false;
    start_->setOpenTrace({});
    followPage();
}

void MainWindow::noteEnd(pipeline::LoadState state, const QString& sentence) {
    noteWhole();
    status_->hideProgress();
    if (state == pipeline::LoadState::Failed) {
        recovery_->giveUp();
        sessions_->noteFailed();
        fleet_->noteFailed();
        keepWhatWasOpen();
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
        emit openFailed(sentence);
        return;
    }
    const auto whole = tabs_->current().state().wholeRange();
    if (recovery_->shown()) {
        recovery_->noteRead();
    } else {
        const bool hasTimes = !tabs_->shown().trace()->lacks.times;
        settings_.addRecentTrace(opener_.paths(), hasTimes ? whole.end.ns - whole.start.ns : 0);
        shownPaths_ = opener_.paths();
    }
    fillRecent();
    takeStartView();
    if (!recovery_->shown()) {
        sessions_->noteLoaded(shownPaths_);
        fleet_->noteLoaded(shownPaths_);
    }
    if (state == pipeline::LoadState::Cancelled) {
        message_->showMessage(tr("Loading was cancelled. What had been read until then is shown."));
    } else if (!sentence.isEmpty()) {
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
    } else if (recovery_->shown()) {
        message_->showMessage(
            tr("This recording was not saved when Highwater ended. It is kept until you save or discard "
               "it."),
            ui::MessageStrip::Tone::Plain, {tr("Save…"), [this] { recovery_->askForName(); }});
    }
    checkSettled();
}

/// No publication follows: what is on screen is to become that of all of it.
void MainWindow::noteWhole() {
    hasEnded_ = true;
    symbolSession_.noteEnd();
    if (const auto* loaded = loader()) tabs_->shown().setContents(traceContents(loaded->facts().counts));
    tabs_->shown().setLoading(false);
}

/// All that is shown is as it was.
void MainWindow::noteStartFailed(const QString& sentence) {
    ui::MessageLink link;
    if (needsElevation()) link = {tr("Restart as Administrator"), [this] { heapFlags_->restartAsAdministrator(); }};
    if (!sentence.isEmpty() && !recordController_->isAsking())
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning, link);
    emit openFailed(sentence);
}

void MainWindow::noteRecordingEnd(pipeline::LoadState state, const QString& sentence) {
    noteWhole();
    tellStart();
    const bool isShown = pages_->currentWidget() == tabs_ || isAway_;
    if (state == pipeline::LoadState::Failed) {
        keepWhatWasOpen();
        return noteStartFailed(sentence);
    }
    if (!sentence.isEmpty() && !recordController_->isAsking())
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
    if (isShown) {
        takeStartView();
        checkSettled();
    } else if (sentence.isEmpty()) {
        const auto nothing = (recordController_->session().facts().isStopped
                                  ? tr("The recording of %1 was stopped before there was anything to record.")
                                  : tr("%1 has ended, and nothing was recorded of it."))
                                 .arg(traceName_);
        message_->showMessage(nothing);
        emit openFailed(nothing);
    }
}

void MainWindow::noteSaved(const QString& path) {
    traceName_ = ui::nameOfTrace({path});
    tabs_->shown().setName(traceName_);
    title_ = traceName_;
    nameWhatIsShown();
    const auto whole = tabs_->current().state().wholeRange();
    settings_.addRecentTrace({path}, whole.end.ns - whole.start.ns);
    shownPaths_ = QStringList{path};
    sessions_->noteSaved(shownPaths_);
    keepOutline();
    tellStart();
    message_->showMessage(tr("Saved as %1.").arg(path));
}

/// As it was before anything was opened.
void MainWindow::noteDiscarded() {
    beginShowing({});
    title_.clear();
    tabs_->shown().clear();
    losses_->setHealth({});
    (void)symbolSession_.begin({}); // what was found of names went with it
    explorerDock_->hide();
    explorerDock_->toggleViewAction()->setEnabled(false);
    menus_->setStart(WindowMenus::Start::Alone);
    pages_->setCurrentWidget(start_);
    nameWhatIsShown();
}

const pipeline::TraceLoader* MainWindow::loader() const {
    const auto& session = recordController_->session();
    return session.isOpen() ? session.loader() : opener_.loader();
}

void MainWindow::showProperties() {
    const auto* loaded = loader();
    const auto& trace = tabs_->shown().trace();
    if (!loaded || !trace) return message_->showMessage(tr("No trace is open."));
    showTraceProperties(this, traceName_, tracePropertiesText(*loaded, *trace),
                        analysisSettings_->stackTags().action());
}

void MainWindow::takeStartView() {
    if (!startView_.graph && !startView_.isGraphShown) tabs_->showWhatThereIs();
    const auto applied = applyStartView(startView_, *tabs_);
    const bool opensHotPath = startView_.opensHotPath;
    startView_ = {};
    startView_.opensHotPath = opensHotPath;
    if (applied.hasValue()) return;
    const auto sentence = QString::fromStdString(applied.error().message);
    message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
    emit openFailed(sentence);
}

void MainWindow::showTool(const char* toggle) {
    const auto found = std::ranges::find_if(
        tools_, [&](const auto* tool) { return tool->toggleAction()->objectName() == QLatin1String(toggle); });
    Q_ASSERT(found != tools_.end());
    (*found)->show();
}

bool MainWindow::isSettled() const {
    const bool isNothingOpen = traceName_.isEmpty() && !tabs_->shown().trace();
    if (isNothingOpen) return pages_->currentWidget() == fleet_->page() && fleet_->isUpToDate();
    return hasEnded_ && !startView_.opensHotPath && tabs_->isUpToDate() && explorer_->isUpToDate() &&
           std::ranges::all_of(tools_, &Page::isUpToDate) && fleet_->isUpToDate();
}

void MainWindow::checkSettled() {
    if (isSettled()) {
        if (!shownPaths_.isEmpty() && !std::exchange(hasOutline_, true)) keepOutline();
        return emit settled();
    }
    if (hasEnded_ && startView_.opensHotPath && tabs_->isUpToDate() && explorer_->isUpToDate()) openHotPath();
}

/// A path can only be opened in the answer that is on screen: should that be replaced meanwhile, the next check asks
/// again.
void MainWindow::openHotPath() {
    auto* panel = tabs_->currentPanel();
    if (!panel) return;
    auto* waiting = new QObject(panel);
    connect(&panel->runner(), &ui::QueryRunner::opened, waiting, [this, waiting](const ui::OpenRequest& request) {
        if (request.expansion.mode != ui::OpenMode::HotPath) return;
        waiting->deleteLater();
        startView_.opensHotPath = false;
        checkSettled();
    });
    panel->table().expandHotPath();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openFiles(localFiles(*event->mimeData()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (crops_->isWriting()) {
        event->ignore();
        return crops_->leave([this] { close(); });
    }
    if (sessions_->isChanged()) {
        event->ignore();
        return sessions_->leave([this] { close(); });
    }
    if (recordController_->isUnsaved()) {
        event->ignore();
        recordController_->leave([this] { close(); });
        return;
    }
    recordController_->session().discard();
    settings_.setWindowGeometry(saveGeometry());
    if (pages_->currentWidget() == tabs_) {
        settings_.setWindowState(saveState(kLayoutVersion));
        settings_.setSplitterStates(tabs_->splitterStates());
    }
    QMainWindow::closeEvent(event);
}

} // namespace highwater::app

#include "moc_main_window.cpp"

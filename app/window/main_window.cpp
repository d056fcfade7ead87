#include "app/window/main_window.h"

#include "app/pages/note_controller.h"
#include "app/recording/heap_flag_controller.h"
#include "app/recording/mark_controller.h"
#include "app/recording/record_controller.h"
#include "app/recording/trace_sources.h"
#include "app/sessions/crop_controller.h"
#include "app/sessions/profile_controller.h"
#include "app/sessions/session_controller.h"
#include "app/symbols/symbol_controller.h"
#include "app/tools/fleet/page/fleet_controller.h"
#include "app/window/analysis_settings.h"
#include "app/window/current_trace.h"
#include "app/window/diagnostic_controller.h"
#include "app/window/file_opening.h"
#include "app/window/recent_traces.h"
#include "app/window/start_view_controller.h"
#include "app/window/tool_bar_controller.h"
#include "app/window/trace_tools.h"
#include "app/window/window_menus.h"
#include "app/window/window_pages.h"
#include "ui/view/access/access.h"
#include "ui/view/access/dock_tabs.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/notes/notes_view.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/window/loss_banner.h"
#include "ui/view/window/recent_trace.h"
#include "ui/view/window/start_page.h"
#include "ui/view/window/status_line.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QScreen>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

constexpr QSize kFirstSize{1280, 820};

template <class Sender>
void showMessagesOf(const Sender& sender, const ui::MessageStrip& strip) {
    QObject::connect(&sender, &Sender::messageWanted, &strip, &ui::MessageStrip::tell);
    if constexpr (requires { &Sender::messageGone; })
        QObject::connect(&sender, &Sender::messageGone, &strip, &ui::MessageStrip::takeBack);
}

} // namespace

MainWindow::MainWindow(ApplicationSettings& settings, QWidget* parent, const ui::QueryFunctions& functions,
                       ui::OpenFleetFunction openFleet, const std::vector<MakePage>& pages)
    : QMainWindow(parent),
      settings_(settings),
      symbolSession_(symbols::systemEnvironment()),
      tabs_(new ui::AnalysisTabs(nullptr, functions)),
      explorer_(new ui::GraphExplorer(tabs_->shown(), nullptr, functions)),
      message_(new ui::MessageStrip) {
    auto* start = new ui::StartPage;
    auto* losses = new ui::LossBanner;
    auto* status = new ui::StatusLine;
    auto* dock = new QDockWidget(tr("Graph Explorer"), this);
    auto* analysis = new AnalysisSettings(settings, *tabs_, symbolSession_, *this);
    auto* symbols = new SymbolController(settings, symbolSession_, *this);
    auto* profiles = new ProfileController(*tabs_, *this);
    sources_ = new TraceSources({settings, symbolSession_, *tabs_, *start}, *this);
    tools_ = new TraceTools({*tabs_, *sources_, symbolSession_, settings, *analysis}, pages, *this);
    fleet_ = new FleetController(settings, *tabs_, symbolSession_, *this, std::move(openFleet));
    sessions_ = new SessionController({*tabs_, sources_->marks(), *symbols, analysis->exitFreesAction(),
                                       [analysis] { return analysis->ownExitFrees(); }, analysis->stackTags(),
                                       analysis->suppressions()},
                                      *this);
    crops_ = new CropController(*tabs_, *sessions_, sources_->recorder(), *this);
    files_ = new FileOpening({*sessions_, *profiles, *analysis}, *this);
    ui::installAccess();
    new ui::DockTabs(*this);
    auto* menus = new WindowMenus(*this, *tabs_, settings);
    pages_ = new WindowPages({*start, *tabs_, *fleet_, *dock, *menus, settings}, *this);
    view_ = new StartViewController(*tabs_, *tools_, this);
    trace_ = new CurrentTrace({*sources_, *tabs_, symbolSession_, *pages_, *view_, *status}, this);
    buildCenter(*losses, *status);
    buildExplorer(*dock);
    buildTraceMenu(*menus, *symbols, *analysis, *losses);
    buildFileMenu(*menus, *profiles);
    buildToolBar(*menus, *symbols);
    buildPanes(*menus, *dock);
    connectDocks();
    symbols->connectStatus(*status);
    connectTrace(*new RecentTraces({settings, *tabs_, *explorer_, *start, *menus}, this));
    connectTools(*symbols, *analysis);
    connectFiles(*start, *menus, *profiles);
    connectFleet();
    reportProblems(*analysis);
}

/// The base class hides a visible window too late: pages would be notified and query the destroyed sessions.
MainWindow::~MainWindow() { hide(); }

void MainWindow::buildCenter(ui::LossBanner& losses, ui::StatusLine& status) {
    setAcceptDrops(true);
    message_->setObjectName(QStringLiteral("windowMessage"));
    auto* lossesPlace = new QWidget; // only with the trace; the banner also hides itself
    auto* ofLosses = new QVBoxLayout(lossesPlace);
    ofLosses->setContentsMargins(0, 0, 0, 0);
    ofLosses->addWidget(&losses);
    auto* center = new QWidget;
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(message_);
    layout->addWidget(sessions_->strip());
    layout->addWidget(crops_->strip());
    layout->addWidget(lossesPlace);
    layout->addWidget(pages_, 1);
    setCentralWidget(center);
    setStatusBar(&status);
    connect(pages_, &WindowPages::changed, lossesPlace, [this, lossesPlace, line = &status] {
        lossesPlace->setVisible(pages_->isTraceShown());
        line->setTraceShown(!pages_->isFleetShown());
    });
    if (!restoreGeometry(settings_.windowGeometry())) resize(kFirstSize);
}

void MainWindow::fitOnScreen() {
    if (isMaximized() || isFullScreen()) return;
    const auto room = screen()->availableGeometry().adjusted(0, style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
    resize(size().boundedTo(room.size()));
    if (!testAttribute(Qt::WA_Moved)) return; // the system decides where it is placed
    const auto place = geometry();
    setGeometry({{std::clamp(place.x(), room.left(), room.right() + 1 - place.width()),
                  std::clamp(place.y(), room.top(), room.bottom() + 1 - place.height())},
                 place.size()});
}

/// Without a trace there are no graphs, so the dock is shown with the first one, in its last state.
void MainWindow::buildExplorer(QDockWidget& dock) {
    dock.setObjectName(QStringLiteral("graphExplorer"));
    dock.setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    auto* notes = new NoteController(*tabs_, this);
    showMessagesOf(*notes, *message_);
    auto* graphsAndMarks = new QWidget;
    auto* column = new QVBoxLayout(graphsAndMarks);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(explorer_, 1);
    column->addWidget(sources_->marks().makeView(graphsAndMarks));
    column->addWidget(notes->makeView(graphsAndMarks));
    dock.setWidget(graphsAndMarks);
    addDockWidget(Qt::LeftDockWidgetArea, &dock);
    auto* toggle = dock.toggleViewAction();
    toggle->setObjectName(QStringLiteral("toggleGraphExplorer"));
    toggle->setText(tr("&Graph Explorer"));
    toggle->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    toggle->setEnabled(false);
    dock.hide();
    connect(explorer_, &ui::GraphExplorer::graphWanted, this,
            [this](auto table) { tabs_->current().showGraph(table); });
    connect(explorer_, &ui::GraphExplorer::residentMemoryWanted, this, [this] { tools_->show("toggleBalance"); });
    connect(explorer_, &ui::GraphExplorer::thumbnailShown, this, &MainWindow::checkSettled);
    connect(&sources_->marks(), &MarkController::instantsChanged, explorer_, &ui::GraphExplorer::setInstants);
    connect(tabs_, &ui::AnalysisTabs::currentStateChanged, explorer_,
            [this] { explorer_->setHighlight(tabs_->current().state().highlight()); });
}

void MainWindow::buildTraceMenu(WindowMenus& menus, SymbolController& symbols, const AnalysisSettings& analysis,
                                ui::LossBanner& losses) {
    auto* showLosses = new QAction(tr("Losses and N&otes"), this);
    showLosses->setObjectName(QStringLiteral("lossesAndNotes"));
    showLosses->setEnabled(false);
    connect(showLosses, &QAction::triggered, &losses, [banner = &losses] { banner->setDetailsVisible(true); });
    connect(&tabs_->shown(), &ui::TraceOnScreen::changed, &losses,
            [this, banner = &losses, showLosses](ui::TraceOnScreen::Changes changes) {
                using Screen = ui::TraceOnScreen;
                const auto& trace = tabs_->shown().trace();
                showLosses->setEnabled(trace != nullptr);
                const auto another = Screen::Changes(Screen::NewTrace) | Screen::Cleared;
                if (changes & another) banner->setDetailsVisible(false);
                if (changes & (another | Screen::MoreOfIt)) banner->setHealth(trace ? trace->health : HealthReport());
            });
    connect(trace_, &CurrentTrace::openFailed, &losses, [this, banner = &losses] {
        if (tabs_->shown().trace()) banner->setTraceName(tabs_->shown().name());
    });
    connect(trace_, &CurrentTrace::beginning, &losses, [banner = &losses] { banner->setTraceName({}); });
    menus.setTraceActions(tools_->pageActions() + symbols.traceActions() + analysis.actions()
                          << tools_->addressAction() << showLosses << tools_->propertiesAction());
    menus.setNameActions(symbols.nameActions());
    menus.concernTrace(symbols.nameActions());
}

void MainWindow::buildFileMenu(WindowMenus& menus, const ProfileController& profiles) {
    const auto& recorder = sources_->recorder();
    menus.setRecordActions(recorder.recordActions() + sources_->heapFlags().actions(), recorder.replayMenu());
    menus.setProfileActions(profiles.actions());
    menus.setSessionActions(sessions_->actions());
    menus.addExportAction(crops_->action());
    menus.addOpenAction(fleet_->openAction());
    menus.concernTrace(sessions_->actions() + profiles.actions() << crops_->action());
}

void MainWindow::buildToolBar(WindowMenus& menus, const SymbolController& symbols) {
    auto& recording = sources_->recorder().bar();
    menus.concernTrace(
        {recording.markAction(), recording.snapshotAction(), recording.pictureAction(), recording.followAction()});
    auto* toolBar = new ToolBarController(settings_, *tabs_, recording, *this);
    toolBar->setCommand(ui::CommandBar::Command::Open, menus.openAction());
    toolBar->setCommand(ui::CommandBar::Command::Leaks, tools_->leaksAction());
    toolBar->setCommand(ui::CommandBar::Command::Symbols, symbols.loadAction());
    menus.addPane(toolBar->toggleAction());
    connect(pages_, &WindowPages::traceShown, toolBar, &ToolBarController::showBars);
}

void MainWindow::buildPanes(WindowMenus& menus, QDockWidget& explorer) {
    const auto ofTrace = QList<QAction*>{explorer.toggleViewAction()} + tools_->toggleActions();
    for (auto* toggle : ofTrace)
        menus.addPane(toggle);
    menus.concernTrace(ofTrace);
    menus.addPane(fleet_->toggleAction());
    const auto* diagnostics = new DiagnosticController(settings_, *this);
    showMessagesOf(*diagnostics, *message_);
    menus.addPane(diagnostics->toggleAction());
    menus.addHelpAction(tools_->explainAction());
    menus.concernTrace({tools_->explainAction()});
    menus.addHelpAction(diagnostics->copyAction());
    menus.letPagesUndo();
}

/// Pages refer to the current graph.
void MainWindow::connectDocks() {
    for (auto* dock : findChildren<QDockWidget*>()) {
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isSeen) {
            dock->widget()->setEnabled(isSeen); // otherwise Tab would reach hidden widgets in it
            if (isSeen) tabs_->current().revealCurrent();
        });
    }
}

void MainWindow::connectTrace(RecentTraces& recent) {
    showMessagesOf(*sources_, *message_);
    showMessagesOf(*trace_, *message_);
    connect(trace_, &CurrentTrace::openFailed, this, &MainWindow::openFailed);
    connect(trace_, &CurrentTrace::beginning, this, [this, list = &recent] {
        sessions_->forget();
        fleet_->forget();
        list->forget();
    });
    connect(trace_, &CurrentTrace::loadFailed, this, [this] {
        sessions_->noteFailed();
        fleet_->noteFailed();
    });
    connect(trace_, &CurrentTrace::loaded, this, [this, list = &recent] {
        list->add(trace_->files());
        if (trace_->files().isEmpty()) return;
        sessions_->noteLoaded(trace_->files());
        fleet_->noteLoaded(trace_->files());
    });
    connect(trace_, &CurrentTrace::saved, this, [this, list = &recent] {
        list->add(trace_->files());
        sessions_->noteSaved(trace_->files());
        tools_->noteSaved();
        list->keepOutline();
    });
    connect(trace_, &CurrentTrace::settling, this, &MainWindow::checkSettled);
    connect(this, &MainWindow::settled, &recent, &RecentTraces::keepOutlineOnce);
    connect(pages_, &WindowPages::layoutRestored, tools_, &TraceTools::noteLayoutRestored);
    connect(pages_, &WindowPages::traceShown, view_, &StartViewController::showPages);
    connect(view_, &StartViewController::hotPathOpened, this, &MainWindow::checkSettled);
}

void MainWindow::connectTools(SymbolController& symbols, const AnalysisSettings& analysis) {
    symbols.connectAnalyses(*tabs_);
    showMessagesOf(symbols, *message_);
    showMessagesOf(analysis, *message_);
    showMessagesOf(*tools_, *message_);
    connect(tabs_, &ui::AnalysisTabs::upToDate, this, &MainWindow::checkSettled);
    connect(tools_, &TraceTools::upToDate, this, &MainWindow::checkSettled);
    const auto followOptions = [this] { explorer_->setProcessExitFreesHeap(tabs_->options().processExitFreesHeap); };
    connect(&analysis, &AnalysisSettings::optionsChanged, explorer_, followOptions);
    connect(&analysis, &AnalysisSettings::fileFailed, this, &MainWindow::openFailed);
    followOptions();
}

void MainWindow::connectFiles(ui::StartPage& start, const WindowMenus& menus, const ProfileController& profiles) {
    connect(&start, &ui::StartPage::openWanted, files_, &FileOpening::ask);
    connect(&start, &ui::StartPage::recentWanted, this, &MainWindow::openTrace);
    connect(&menus, &WindowMenus::openWanted, files_, &FileOpening::ask);
    connect(&menus, &WindowMenus::recentWanted, this, &MainWindow::openTrace);
    connect(files_, &FileOpening::traceWanted, this, &MainWindow::openTrace);
    connect(crops_, &CropController::traceWanted, this, &MainWindow::openTrace);
    showMessagesOf(profiles, *message_);
    connect(&profiles, &ProfileController::importFailed, this, &MainWindow::openFailed);
    showMessagesOf(*sessions_, *message_);
    connect(sessions_, &SessionController::traceWanted, this, &MainWindow::openTrace);
    connect(sessions_, &SessionController::openFailed, this, &MainWindow::openFailed);
}

void MainWindow::connectFleet() {
    showMessagesOf(*fleet_, *message_);
    connect(files_, &FileOpening::fleetWanted, this, [this](const QString& path) {
        pages_->goToFleet();
        fleet_->openFile(path);
    });
    connect(fleet_, &FleetController::traceWanted, this, &MainWindow::openTraceOfRun);
    connect(fleet_, &FleetController::namesWanted, tabs_, &ui::AnalysisTabs::namesWanted);
    connect(fleet_, &FleetController::memoryWanted, this, [this] { tools_->show("toggleBalance"); });
    connect(fleet_, &FleetController::upToDate, this, &MainWindow::checkSettled);
    connect(fleet_, &FleetController::openFailed, this, &MainWindow::openFailed);
}

/// Messages about settings. Opening a trace hides earlier messages, but at startup the user has not read this one yet.
void MainWindow::reportProblems(const AnalysisSettings& analysis) {
    const auto problems = analysis.problems().join(QLatin1Char(' '));
    connect(trace_, &CurrentTrace::beginning, message_, [this, problems] {
        if (problems.isEmpty() || message_->isHidden() || message_->message() != problems) message_->hide();
    });
    if (!problems.isEmpty()) message_->showMessage(problems, ui::MessageStrip::Tone::Warning);
}

TraceOpener& MainWindow::opener() { return sources_->opener(); }

RecordController& MainWindow::recordController() { return sources_->recorder(); }

void MainWindow::setStartView(StartView view) { view_->setView(std::move(view)); }

/// After unsaved data was handled.
void MainWindow::openTrace(const QStringList& paths) {
    if (paths.isEmpty()) return;
    sessions_->leave(
        [this, paths] { sources_->recorder().leave([this, paths] { trace_->load(paths, ui::nameOfTrace(paths)); }); });
}

bool MainWindow::openFiles(const QStringList& paths) { return files_->open(paths); }

void MainWindow::openFleet(const QString& address) {
    pages_->goToFleet();
    fleet_->open(address);
}

void MainWindow::openTraceOfRun(const QStringList& paths, bool mayBeShown) {
    QStringList shown;
    for (const auto& path : trace_->files())
        shown << QFileInfo(path).absoluteFilePath();
    if (!pages_->isAway() || !mayBeShown || shown != paths || opener().isLoading()) return openTrace(paths);
    pages_->backToTrace();
    fleet_->noteLoaded(paths);
}

bool MainWindow::isSettled() const {
    if (!trace_->isThere()) return pages_->isFleetShown() && fleet_->isUpToDate();
    return trace_->hasEnded() && !view_->waitsForHotPath() && tabs_->isUpToDate() && explorer_->isUpToDate() &&
           tools_->isUpToDate() && fleet_->isUpToDate();
}

void MainWindow::checkSettled() {
    if (isSettled()) return emit settled();
    if (trace_->hasEnded() && view_->waitsForHotPath() && tabs_->isUpToDate() && explorer_->isUpToDate())
        view_->openHotPath();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!FileOpening::filesOf(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openFiles(FileOpening::filesOf(*event->mimeData()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const auto again = [this] { close(); };
    auto& recorder = sources_->recorder();
    event->ignore();
    if (crops_->isWriting()) return crops_->leave(again);
    if (sessions_->isChanged()) return sessions_->leave(again);
    if (recorder.isUnsaved()) return recorder.leave(again);
    event->accept();
    recorder.session().discard();
    settings_.setWindowGeometry(saveGeometry());
    pages_->keepLayout();
    QMainWindow::closeEvent(event);
}

} // namespace highwater::app

#include "moc_main_window.cpp"

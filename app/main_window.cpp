#include "app/main_window.h"

#include "app/help_pages.h"
#include "app/own_memory.h"
#include "ui/view/analysis_tabs.h"
#include "ui/view/analysis_view.h"
#include "ui/view/graph_panel.h"
#include "ui/view/grouped_table_view.h"
#include "ui/view/loss_banner.h"
#include "ui/view/message_strip.h"
#include "ui/view/start_page.h"
#include "ui/view/status_line.h"
#include "ui/view/table_actions.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace highwater::app {
namespace {

constexpr QSize kFirstSize{1280, 820};
constexpr int kMemoryMs = 1000;

QStringList localFiles(const QMimeData& dropped) {
    QStringList paths;
    for (const auto& url : dropped.urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    return paths;
}

} // namespace

MainWindow::MainWindow(ApplicationSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      pages_(new QStackedWidget),
      start_(new ui::StartPage),
      tabs_(new ui::AnalysisTabs),
      losses_(new ui::LossBanner),
      message_(new ui::MessageStrip),
      status_(new ui::StatusLine) {
    build();
    buildMenus();
    connectOpener();
    connectViews();
    fillRecent();
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
    setWindowTitle(tr("Highwater"));
    setAcceptDrops(true);
    message_->setObjectName(QStringLiteral("windowMessage"));
    auto* center = new QWidget;
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(message_);
    layout->addWidget(losses_);
    layout->addWidget(pages_, 1);
    pages_->addWidget(start_);
    pages_->addWidget(tabs_);
    setCentralWidget(center);
    setStatusBar(status_);
    if (!restoreGeometry(settings_.windowGeometry())) resize(kFirstSize);
    status_->setOwnMemory(ownMemoryBytes());
    memoryTimer_.start(kMemoryMs);
}

void MainWindow::buildMenus() {
    buildFileMenu();
    viewMenu_ = menuBar()->addMenu(tr("&View"));
    tableMenu_ = menuBar()->addMenu(tr("&Table"));
    buildTableChoices();
    lossesAction_ = new QAction(tr("&Losses and Notes"), this);
    connect(lossesAction_, &QAction::triggered, losses_, [this] { losses_->setDetailsVisible(true); });
    connect(tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &MainWindow::fillViewMenu);
    connect(tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &MainWindow::fillTableMenu);
    fillViewMenu();
    fillTableMenu();
    buildHelpMenu();
}

void MainWindow::buildTableChoices() {
    int number = 0;
    for (const auto table : {analysis::Table::VirtualAlloc, analysis::Table::Heap, analysis::Table::Frees}) {
        const auto title = analysis::tableTitle(table);
        auto* action = new QAction(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), this);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++)));
        connect(action, &QAction::triggered, this, [this, table] { tabs_->current().showGraph(table); });
        tableChoices_ << action;
    }
}

void MainWindow::fillViewMenu() {
    viewMenu_->clear();
    viewMenu_->addActions(tableChoices_);
    viewMenu_->addSeparator();
    viewMenu_->addActions(tabs_->current().zoomActions());
    viewMenu_->addSeparator();
    viewMenu_->addAction(lossesAction_);
}

void MainWindow::fillTableMenu() {
    tableMenu_->clear();
    auto* panel = tabs_->currentPanel();
    tableMenu_->setEnabled(panel);
    if (panel) tableMenu_->addActions(panel->table().actions().all());
}

void MainWindow::buildFileMenu() {
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* open = file->addAction(tr("&Open Trace…"));
    open->setShortcut(QKeySequence::Open);
    connect(open, &QAction::triggered, this, &MainWindow::askForTrace);
    recentMenu_ = file->addMenu(tr("Open &Recent"));
    file->addSeparator();
    auto* quit = file->addAction(tr("&Quit"));
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));
    connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::buildHelpMenu() {
    auto* help = menuBar()->addMenu(tr("&Help"));
    auto* keys = help->addAction(tr("&Keys"));
    keys->setShortcut(QKeySequence(Qt::Key_F1));
    connect(keys, &QAction::triggered, this, [this] { showKeys(this); });
    connect(help->addAction(tr("&About Highwater")), &QAction::triggered, this, [this] { showAbout(this); });
}

void MainWindow::connectOpener() {
    connect(&opener_, &TraceOpener::published, this, &MainWindow::showPublished);
    connect(&opener_, &TraceOpener::ended, this, &MainWindow::noteEnd);
    connect(&opener_, &TraceOpener::progressed, this, [this](quint64 done, quint64 total) {
        status_->showProgress(ui::nameOfTrace(opener_.paths()), done, total);
    });
    connect(status_, &ui::StatusLine::cancelWanted, &opener_, &TraceOpener::cancel);
}

void MainWindow::connectViews() {
    connect(start_, &ui::StartPage::openWanted, this, &MainWindow::askForTrace);
    connect(start_, &ui::StartPage::recentWanted, this, &MainWindow::openTrace);
    connect(tabs_, &ui::AnalysisTabs::currentStateChanged, this, &MainWindow::refreshInterval);
    connect(tabs_, &ui::AnalysisTabs::upToDate, this, &MainWindow::checkSettled);
    connect(&memoryTimer_, &QTimer::timeout, status_, [this] { status_->setOwnMemory(ownMemoryBytes()); });
}

void MainWindow::askForTrace() {
    auto* dialog = new QFileDialog(this, tr("Open Trace"), {}, tr("Windows traces (*.etl *.zip);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openTrace);
    dialog->open();
}

void MainWindow::openTrace(const QStringList& paths) {
    if (paths.isEmpty()) return;
    hasEnded_ = false;
    message_->hide();
    status_->showProgress(ui::nameOfTrace(paths), 0, 0);
    opener_.open(paths);
}

void MainWindow::fillRecent() {
    const auto traces = settings_.recentTraces();
    start_->setRecentTraces(traces);
    recentMenu_->clear();
    recentMenu_->setEnabled(!traces.isEmpty());
    for (const auto& trace : traces) {
        auto* action = recentMenu_->addAction(ui::nameOfTrace(trace.paths));
        action->setToolTip(trace.paths.join(QLatin1Char('\n')));
        connect(action, &QAction::triggered, this, [this, paths = trace.paths] { openTrace(paths); });
    }
}

void MainWindow::refreshInterval() {
    const auto& state = tabs_->current().state();
    status_->setInterval(state.visibleRange(), state.selection());
}

void MainWindow::showPublished(const std::shared_ptr<const store::PublishedTrace>& trace,
                               const std::shared_ptr<analysis::FrameLabels>& labels) {
    setWindowTitle(tr("%1 - Highwater").arg(ui::nameOfTrace(opener_.paths())));
    losses_->setHealth(trace->health);
    tabs_->setLoading(opener_.isLoading());
    tabs_->setTrace(trace, labels);
    refreshInterval();
    if (pages_->currentWidget() == tabs_) return;
    pages_->setCurrentWidget(tabs_);
    if (auto* panel = tabs_->currentPanel()) panel->table().setFocus();
}

void MainWindow::noteEnd(pipeline::LoadState state, const QString& sentence) {
    hasEnded_ = true;
    status_->hideProgress();
    tabs_->setLoading(false);
    if (state == pipeline::LoadState::Failed) {
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
        emit openFailed(sentence);
        return;
    }
    settings_.addRecentTrace(opener_.paths());
    fillRecent();
    if (state == pipeline::LoadState::Cancelled) {
        message_->showMessage(tr("Loading was cancelled. What had been read until then is shown."));
    } else if (!sentence.isEmpty()) {
        message_->showMessage(sentence, ui::MessageStrip::Tone::Warning);
    }
    checkSettled();
}

void MainWindow::checkSettled() {
    if (hasEnded_ && tabs_->isUpToDate()) emit settled();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openTrace(localFiles(*event->mimeData()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.setWindowGeometry(saveGeometry());
    QMainWindow::closeEvent(event);
}

} // namespace highwater::app

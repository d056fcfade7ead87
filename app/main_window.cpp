#include "app/main_window.h"

#include "app/help_pages.h"
#include "app/own_memory.h"
#include "ui/view/analysis_view.h"
#include "ui/view/loss_banner.h"
#include "ui/view/message_strip.h"
#include "ui/view/start_page.h"
#include "ui/view/status_line.h"

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
      analysis_(new ui::AnalysisView),
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
    pages_->addWidget(analysis_);
    setCentralWidget(center);
    setStatusBar(status_);
    if (!restoreGeometry(settings_.windowGeometry())) resize(kFirstSize);
    status_->setOwnMemory(ownMemoryBytes());
    memoryTimer_.start(kMemoryMs);
}

void MainWindow::buildMenus() {
    buildFileMenu();
    auto* view = menuBar()->addMenu(tr("&View"));
    view->addActions(analysis_->tableChoices());
    view->addSeparator();
    view->addActions(analysis_->zoomActions());
    auto* table = menuBar()->addMenu(tr("&Table"));
    table->addActions(analysis_->tableActions());
    view->addSeparator();
    auto* losses = view->addAction(tr("&Losses and Notes"));
    connect(losses, &QAction::triggered, losses_, [this] { losses_->setDetailsVisible(true); });
    buildHelpMenu();
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
    connect(&analysis_->state(), &ui::ViewState::changed, this, &MainWindow::refreshInterval);
    connect(analysis_, &ui::AnalysisView::upToDate, this, &MainWindow::checkSettled);
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
    status_->setInterval(analysis_->state().visibleRange(), analysis_->state().selection());
}

void MainWindow::showPublished(const std::shared_ptr<const store::PublishedTrace>& trace,
                               const std::shared_ptr<analysis::FrameLabels>& labels) {
    setWindowTitle(tr("%1 - Highwater").arg(ui::nameOfTrace(opener_.paths())));
    losses_->setHealth(trace->health);
    analysis_->setLoading(opener_.isLoading());
    analysis_->setTrace(trace, labels);
    refreshInterval();
    if (pages_->currentWidget() == analysis_) return;
    pages_->setCurrentWidget(analysis_);
    analysis_->setFocus();
}

void MainWindow::noteEnd(pipeline::LoadState state, const QString& sentence) {
    hasEnded_ = true;
    status_->hideProgress();
    analysis_->setLoading(false);
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
    if (hasEnded_ && analysis_->isUpToDate()) emit settled();
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

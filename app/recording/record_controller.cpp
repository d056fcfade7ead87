#include "app/recording/record_controller.h"

#include "app/recording/elevation.h"
#include "app/recording/record_requests.h"
#include "app/recording/recovery_controller.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/running_processes.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/recording/record_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QMainWindow>
#include <QSysInfo>
#include <QtConcurrentRun>

namespace highwater::app {
namespace {

constexpr int kProcessesMs = 2000;

ui::RecordPage::Attach attachOf(source::AttachSupport support) {
    switch (support) {
    case source::AttachSupport::None:
        return ui::RecordPage::Attach::No;
    case source::AttachSupport::Experimental:
        return ui::RecordPage::Attach::Experimental;
    case source::AttachSupport::Works:
        break;
    }
    return ui::RecordPage::Attach::Yes;
}

} // namespace

RecordController::RecordController(ApplicationSettings& settings, SymbolSession& symbols, ui::AnalysisTabs& tabs,
                                   QMainWindow& window)
    : QObject(&window),
      settings_(settings),
      symbols_(symbols),
      tabs_(tabs),
      window_(window),
      session_(settings.recordingsFolder()),
      bar_(new ui::RecordBar(&window)),
      replay_(new QMenu(tr("Re&play"), &window)) {
    build();
    buildReplayMenu();
    connectSession();
}

void RecordController::build() {
    window_.addToolBar(bar_);
    connect(bar_->recordAction(), &QAction::triggered, this, &RecordController::ask);
    connect(bar_->stopAction(), &QAction::triggered, this,
            [this] { session_.facts().isCollectingNames ? session_.skipNames() : session_.stop(); });
    connect(bar_->saveAction(), &QAction::triggered, this, &RecordController::askForName);
    connect(bar_->discardAction(), &QAction::triggered, this, &RecordController::askToDiscard);
    connect(bar_->markAction(), &QAction::triggered, this, &RecordController::mark);
    connect(bar_->snapshotAction(), &QAction::triggered, this, &RecordController::takeSnapshot);
    connect(bar_->pictureAction(), &QAction::triggered, this, &RecordController::takePicture);
    connect(bar_->followAction(), &QAction::triggered, this,
            [this](bool follows) { tabs_.current().state().setFollowsEnd(follows); });
    connect(&tabs_, &ui::AnalysisTabs::currentStateChanged, this, &RecordController::followTabs);
    connect(&tabs_, &QTabWidget::currentChanged, this, &RecordController::followTabs);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, [this](ui::TraceOnScreen::Changes changes) {
        if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) followSession();
    });
    connect(&processTimer_, &QTimer::timeout, this, &RecordController::refreshProcesses);
}

void RecordController::buildReplayMenu() {
    replay_->setObjectName(QStringLiteral("replayMenu"));
    const auto add = [this](const char* name, const QString& text, double speed) {
        auto* action = replay_->addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, [this, speed] { askForReplay(speed); });
    };
    add("replayAsRecorded", tr("At &Original Speed…"), 1);
    add("replayTenTimes", tr("&10 Times as Fast…"), 10);
    add("replayFull", tr("At &Full Speed…"), 0);
}

void RecordController::connectSession() {
    connect(&session_, &RecordingSession::changed, this, &RecordController::followSession);
    connect(&session_, &RecordingSession::beginning, this, &RecordController::noteBeginning);
    connect(&session_, &RecordingSession::startFailed, this, &RecordController::noteStartFailed);
    connect(&session_, &RecordingSession::saved, this, &RecordController::noteSaved);
    connect(&session_, &RecordingSession::pictureEnded, this, &RecordController::reportPicture);
    connect(&session_, &RecordingSession::saveFailed, this, [this](const QString& sentence) {
        afterSave_ = nullptr;
        emit messageWanted({sentence, ui::MessageTone::Warning});
    });
    connect(&session_, &RecordingSession::noDataDiagnosed, this, &RecordController::reportNoData);
    connect(&session_, &RecordingSession::published, this, [this] { leavePage({}); });
    connect(&session_, &RecordingSession::ended, this, [this](pipeline::LoadState state, const QString& sentence) {
        tabs_.current().state().setFollowsEnd(false);
        leavePage(state == pipeline::LoadState::Failed ? sentence : QString());
    });
}

QList<QAction*> RecordController::recordActions() const {
    return {bar_->recordAction(),   bar_->stopAction(),    bar_->saveAction(),    bar_->markAction(),
            bar_->snapshotAction(), bar_->pictureAction(), bar_->discardAction(), bar_->followAction()};
}

void RecordController::ask() {
    if (session_.isRecording() || session_.isStarting()) return;
    if (!page_) {
        page_ = new ui::RecordPage(attachOf(source::attachSupport()), &window_);
        page_->setAttribute(Qt::WA_DeleteOnClose);
        page_->setFormerTargets(settings_.launchTargets());
        page_->setChoices(settings_.recordChoices());
        connect(page_, &ui::RecordPage::formerTargetsChanged, this,
                [this](const QList<ui::LaunchTarget>& targets) { settings_.setLaunchTargets(targets); });
        connect(page_, &ui::RecordPage::startWanted, this, &RecordController::takeChoices);
        connect(page_, &QObject::destroyed, &processTimer_, &QTimer::stop);
        refreshProcesses();
        processTimer_.start(kProcessesMs);
    }
    page_->show();
    page_->raise();
    page_->activateWindow();
}

void RecordController::askToAttach() {
    ask();
    if (page_) page_->showRunning();
}

/// Listing takes some milliseconds, longer on a busy machine.
void RecordController::refreshProcesses() {
    if (listing_) return;
    listing_ = true;
    auto* watcher = new QFutureWatcher<QList<ui::ListedProcess>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        listing_ = false;
        if (page_) page_->setProcesses(watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(listProcesses));
}

/// Errors are shown on the page where they can be fixed: the page stays open, and reopens if only the start finds the
/// error.
void RecordController::takeChoices(const ui::RecordChoices& choices) {
    using Field = ui::RecordPage::Field;
    if (choices.pid == 0) {
        auto launch = launchOf(choices);
        if (const auto checked = source::checkLaunch(launch); !checked.hasValue()) {
            launch.folder.clear();
            const auto field = source::checkLaunch(launch).hasValue() ? Field::Folder : Field::Program;
            return page_->showProblem(ui::toQString(checked.error().message), field);
        }
    }
    start(choices);
}

/// `problem`: why nothing could be started; empty if it continues.
void RecordController::leavePage(const QString& problem) {
    if (!page_ || page_->isVisible()) return;
    if (problem.isEmpty()) return page_->deleteLater();
    ui::MessageLink link;
    if (needsElevation()) link = {tr("Restart as Administrator"), [this] { emit elevationWanted(); }};
    page_->show();
    page_->showProblem(problem, ui::RecordPage::Field::Program, std::move(link));
}

bool RecordController::isAsking() const { return page_ && page_->isVisible(); }

void RecordController::start(const ui::RecordChoices& choices) {
    settings_.setRecordChoices(choices);
    launch(choices);
}

void RecordController::launch(const ui::RecordChoices& choices) {
    makeWay([this, choices] { launchNow(choices); });
}

void RecordController::launchNow(const ui::RecordChoices& choices) {
    starting_ = choices;
    if (page_) page_->hide();
    const auto limits = limitsOf(choices);
    const auto names = [this] { return symbols_.begin({}); };
    if (choices.pid != 0) return session_.start(choices.pid, choices.processName, optionsOf(choices), names, limits);
    session_.start(launchOf(choices), optionsOf(choices), names, limits);
}

void RecordController::reportNoData(const QString& sentence, source::NoDataDiagnosis::Fix fix) {
    emit messageWanted({sentence, ui::MessageTone::Warning, linkTo(fix)});
}

/// Records the program again, including the data that was missing. The current recording is empty.
ui::MessageLink RecordController::linkTo(source::NoDataDiagnosis::Fix fix) {
    using Fix = source::NoDataDiagnosis::Fix;
    if (current_.pid != 0 || current_.program.isEmpty())
        return {}; // a program that was not started cannot be restarted
    auto choices = current_;
    QString text;
    switch (fix) {
    case Fix::None:
        return {};
    case Fix::RecordChildren:
        choices.children = true;
        text = tr("Launch Again With Its Children");
        break;
    case Fix::RecordVirtualAlloc:
        choices.virtualAlloc = true;
        text = tr("Launch Again With VirtualAlloc");
        break;
    case Fix::RecordHeap:
        choices.heap = true;
        text = tr("Launch Again With Heap");
        break;
    }
    return {text, [this, choices] {
                settings_.setRecordChoices(choices);
                launchNow(choices);
            }};
}

void RecordController::startReplay(const QString& path, double speed) {
    makeWay([this, path, speed] {
        starting_ = {};
        session_.startReplay(path, speed, [this, path] { return symbols_.begin({path}); });
    });
}

/// Only now is it certain that another recording replaces the current one.
void RecordController::noteBeginning(const QString& name) {
    current_ = starting_;
    savedAs_.clear();
    emit beginning(name);
    if (recovery_) (void)recovery_->finishLeaving();
    reportedSpoolError_ = reportedMissing_ = false;
    marks_ = 0;
    tabs_.current().state().setFollowsEnd(true);
}

void RecordController::noteStartFailed(const QString& sentence) {
    leavePage(sentence);
    emit startFailed(sentence);
}

void RecordController::giveUpStart() {
    if (!session_.isStarting()) return;
    session_.abandonStart();
    leavePage({});
}

QString RecordController::exampleProgram() {
    const QDir own(QCoreApplication::applicationDirPath());
    const auto suffix = QSysInfo::kernelType() == QLatin1String("winnt") ? QStringLiteral(".exe") : QString();
    // Candidate paths: installed, and in the build folder relative to the window and to its tests.
    for (const auto* place : {"memory_test_app", "../tests/memory_test_app/memory_test_app",
                              "../../../tests/memory_test_app/memory_test_app"}) {
        const QFileInfo file(own.filePath(QLatin1String(place) + suffix));
        if (file.isExecutable() && file.isFile()) return file.canonicalFilePath();
    }
    return {};
}

void RecordController::recordExample() {
    ui::RecordChoices choices;
    choices.program = exampleProgram();
    if (!choices.program.isEmpty()) launch(choices);
}

void RecordController::askForReplay(double speed) {
    auto* dialog = new QFileDialog(&window_, tr("Replay Trace"), {}, traceFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, speed](const QString& path) { startReplay(path, speed); });
    dialog->open();
}

/// Only the time is urgent; the list can rename the mark.
void RecordController::mark() {
    session_.lookNow();
    if (!session_.isRecording()) return emit markWanted();
    session_.mark(tr("Mark %1").arg(++marks_));
}

void RecordController::takeSnapshot() {
    session_.lookNow();
    if (!session_.isRecording()) return emit snapshotWanted();
    if (!current_.heap)
        return emit messageWanted(
            {tr("No snapshot was taken because heap blocks are not recorded."), ui::MessageTone::Warning});
    const auto number = session_.takeSnapshot();
    if (number)
        emit messageWanted(
            tr("Took snapshot %1. It is shown in the Heap Snapshot table and stored in the file.").arg(*number));
    else
        emit messageWanted({tr("No snapshot was taken because a trace can contain at most %1.").arg(kMostSnapshots),
                            ui::MessageTone::Warning});
}

void RecordController::takePicture() {
    session_.lookNow();
    const auto refuse = [this](const QString& sentence) { emit messageWanted({sentence, ui::MessageTone::Warning}); };
    if (!session_.isRecording())
        return refuse(
            tr("No picture of memory was taken because no program is being recorded. Take it while the program runs."));
    if (!current_.heap) return refuse(tr("No picture of memory was taken because heap blocks are not recorded."));
    session_.takePicture();
    emit messageWanted(tr("A picture of memory is being taken…"));
}

/// A picture is complete, or was refused.
void RecordController::reportPicture() {
    const auto& refusal = session_.facts().pictureRefusal;
    if (!refusal.isEmpty()) return emit messageWanted({refusal, ui::MessageTone::Warning});
    emit messageWanted(
        tr("The picture of memory is complete. To see which variables and stacks hold the blocks, and which blocks are "
           "unreachable, choose View > Held By (Ctrl+Shift+B)."));
}

void RecordController::setRecovery(RecoveryController& recovery) {
    recovery_ = &recovery;
    connect(recovery_, &RecoveryController::changed, this, &RecordController::followSession);
}

bool RecordController::isUnsaved() const { return session_.isUnsaved() || (recovery_ && recovery_->shown()); }

void RecordController::askToDiscard() {
    if (session_.isStarting()) return giveUpStart();
    if (recovery_ && recovery_->shown()) return recovery_->askToDiscard();
    if (!session_.isUnsaved()) {
        session_.discard();
        return emit discarded();
    }
    auto* question = ui::makeQuestion(tr("Discard the recording of %1?").arg(session_.facts().name),
                                      QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("discardQuestion"));
    auto text = savedAs_.isEmpty() ? tr("It has not been saved and will be lost.")
                                   : tr("Changes made after it was saved as %1 will be lost.")
                                         .arg(ui::visibleText(QFileInfo(savedAs_).fileName()));
    const bool mayRun = session_.isRecording() || session_.facts().isStopped;
    if (mayRun) text += QLatin1Char(' ') + tr("The program keeps running.");
    question->setInformativeText(text);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this](int answer) {
        if (answer != QMessageBox::Discard) return;
        session_.discard();
        emit discarded();
    });
    question->open();
}

void RecordController::askForName() {
    if (recovery_ && recovery_->shown()) return recovery_->askForName();
    if (!session_.isOpen() || session_.isSaving()) return;
    auto* dialog = new QFileDialog(&window_, tr("Save Recording"), {}, tr("Event traces (*.etl)"));
    dialog->setObjectName(QStringLiteral("saveRecordingAs"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("etl"));
    dialog->selectFile(
        !savedAs_.isEmpty() ? savedAs_ : QFileInfo(session_.facts().name).completeBaseName() + QStringLiteral(".etl"));
    connect(dialog, &QFileDialog::fileSelected, &session_, &RecordingSession::save);
    connect(dialog, &QDialog::rejected, this, [this] { afterSave_ = nullptr; });
    dialog->open();
}

void RecordController::noteSaved(const QString& path, const QString& sentence) {
    savedAs_ = path;
    emit saved(path);
    if (!sentence.isEmpty()) emit messageWanted({sentence, ui::MessageTone::Warning});
    if (const auto then = std::exchange(afterSave_, nullptr)) makeWay(then);
}

void RecordController::leave(std::function<void()> then) {
    giveUpStart();
    makeWay([this, then = std::move(then)] {
        session_.discard();
        if (!recovery_ || recovery_->finishLeaving()) then();
    });
}

QString RecordController::unsavedTitle() const {
    const auto* recovered = recovery_ ? recovery_->shown() : nullptr;
    const bool isPart = session_.isOpen() && !savedAs_.isEmpty();
    const auto sentence =
        isPart ? tr("Part of the recording of %1 has not been saved.") : tr("The recording of %1 has not been saved.");
    return sentence.arg(recovered ? recovered->program : session_.facts().name);
}

QString RecordController::unsavedChangesText() const {
    if (!savedAs_.isEmpty())
        return tr("Changes made after it was saved as %1, such as marks, are not in that file. They will be lost "
                  "unless you save again.")
            .arg(ui::visibleText(QFileInfo(savedAs_).fileName()));
    if (session_.isRecording())
        return tr("Recording will stop, and the program will keep running. The recorded data will be lost unless you "
                  "save it.");
    return tr("It will be lost unless you save it.");
}

/// Calls `then` after the user decided about the current recording, which still exists at that time so that it can stay
/// if it is not replaced.
void RecordController::makeWay(std::function<void()> then) {
    if (recovery_ && recovery_->shown()) return recovery_->makeWay(std::move(then));
    if (!session_.isUnsaved()) return then();
    auto* question =
        ui::makeQuestion(unsavedTitle(), QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("unsavedRecording"));
    question->setInformativeText(unsavedChangesText());
    question->setDefaultButton(QMessageBox::Save);
    connect(question, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        if (answer == QMessageBox::Discard) {
            then();
        } else if (answer == QMessageBox::Save) {
            session_.stop();
            afterSave_ = then;
            askForName();
        }
    });
    question->open();
}

void RecordController::followSession() {
    const auto& facts = session_.facts();
    ui::RecordBarFacts shown;
    shown.isOpen = session_.isOpen();
    shown.isRecording = session_.isRecording();
    shown.isCollectingNames = facts.isCollectingNames;
    shown.hasTrace = tabs_.shown().trace() != nullptr;
    shown.canSave = session_.isOpen() && !session_.isSaving() && facts.events > 0;
    if (shown.isOpen) {
        shown.name = facts.name;
        shown.pid = facts.pid;
        shown.elapsedMs = facts.elapsedMs;
        shown.events = facts.events;
        shown.eventsPerSecond = facts.eventsPerSecond;
        shown.eventsLost = facts.eventsLost;
        shown.fileBytes = facts.fileBytes;
        shown.keptFromMs = facts.keptFromMs;
        shown.end = facts.end;
        shown.isStopped = facts.isStopped;
        shown.ranOn = facts.ranOn;
        shown.privateBytes = QList<qint64>(facts.privateBytes.begin(), facts.privateBytes.end());
        shown.unrecordedBytes = growth_.missingBytes();
    }
    if (session_.isStarting()) {
        const bool hasTrace = shown.hasTrace;
        shown = {};
        shown.isOpen = shown.isRecording = true;
        shown.hasTrace = hasTrace;
        shown.name = session_.startingName();
    } else if (const auto* recovered = recovery_ ? recovery_->shown() : nullptr) {
        shown.isRecovered = true;
        shown.canSave = recovery_->canSave();
        shown.name = recovered->program;
        shown.fileBytes = static_cast<quint64>(recovered->bytes);
    }
    bar_->setFacts(shown);
    reportFileErrors(facts);
}

void RecordController::reportFileErrors(const RecordingFacts& facts) {
    if (!facts.spoolError.isEmpty() && !std::exchange(reportedSpoolError_, true))
        emit messageWanted({tr("Writing to the file stopped: %1").arg(facts.spoolError), ui::MessageTone::Warning});
    if (!facts.spoolError.isEmpty() || facts.missingEvents == 0 || std::exchange(reportedMissing_, true)) return;
    emit messageWanted({tr("The disk cannot keep up, so events are missing from the file. They are shown here, but the "
                           "saved file will not contain them and will report the loss."),
                        ui::MessageTone::Warning});
}

void RecordController::followTabs() { bar_->setFollowing(tabs_.current().state().followsEnd()); }

} // namespace highwater::app

#include "moc_record_controller.cpp"

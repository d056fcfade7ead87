#include "app/recording/lost_recordings.h"
#include "app/recording/record_controller.h"
#include "app/recording/record_requests.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/recording/record_page.h"
#include "ui/view/window/loss_banner.h"
#include "ui/view/window/start_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr int kPatienceMs = 30'000;

/// A window in which a recording is made.
struct RecordStage : WindowStage {
    app::RecordController& pages = window.recordController();
    app::RecordingSession& session = pages.session();
    QSignalSpy published{&session, &app::RecordingSession::published};
    QSignalSpy ended{&session, &app::RecordingSession::ended};
    QSignalSpy refused{&session, &app::RecordingSession::startFailed};
    QSignalSpy settled{&window, &app::MainWindow::settled};

    ui::RecordPage* openPage() {
        window.activateWindow(); // without a window manager nothing else does this
        if (!QTest::qWaitForWindowActive(&window)) return nullptr;
        QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
        auto* page = window.findChild<ui::RecordPage*>();
        return page && QTest::qWaitForWindowExposed(page) ? page : nullptr;
    }
    bool record(const QString& program, const QString& arguments) {
        auto* page = openPage();
        if (!page) return false;
        auto* field = page->findChild<QLineEdit*>("launchProgram");
        field->clear();
        QTest::keyClicks(field, program);
        page->findChild<QLineEdit*>("launchArguments")->setText(arguments);
        clickIn(*page, "startRecording");
        return waitForStart();
    }
    static void clickIn(QWidget& parent, const char* name) {
        QTest::mouseClick(parent.findChild<QPushButton*>(name), Qt::LeftButton);
    }
    /// On the toolbar.
    void clickCommand(const char* name) {
        const auto button = QStringLiteral("command-%1").arg(QLatin1String(name));
        QTest::mouseClick(window.findChild<QToolButton*>(button), Qt::LeftButton);
    }
    /// Returns false if it was refused.
    bool waitForStart() {
        return QTest::qWaitFor([&] { return !session.isStarting(); }, kPatienceMs) && session.isRecording();
    }
    bool waitForEnd() {
        return QTest::qWaitFor([&] { return !ended.isEmpty(); }, kPatienceMs);
    }
    bool waitForRefusal() {
        return QTest::qWaitFor([&] { return !refused.isEmpty(); }, kPatienceMs);
    }
    bool waitUntilSettled() {
        return QTest::qWaitFor([&] { return !settled.isEmpty(); }, kPatienceMs);
    }
    QString message() { return window.findChild<ui::MessageStrip*>("windowMessage")->message(); }
    QString barWords() { return window.findChild<ui::RecordBar*>()->words(); }
    const store::PublishedTrace& trace() { return *window.symbolSession().trace(); }
    QString memoryWords() { return window.findChild<QLabel*>("recordMemory")->text(); }
    bool isNamed(const std::string& function) {
        auto& symbols = window.symbolSession();
        const auto labels = symbols.labels()->labelsOf(*symbols.trace());
        return std::any_of(labels->begin(), labels->end(), [&](const auto label) {
            return symbols.labels()->text(label).find(function) != std::string::npos;
        });
    }
    bool answerUnsaved(QMessageBox::StandardButton button) {
        auto* question = window.findChild<QMessageBox*>("unsavedRecording");
        if (!question || !question->isVisible()) return false;
        QTest::mouseClick(question->button(button), Qt::LeftButton);
        return true;
    }
    bool activate() {
        window.activateWindow(); // without a window manager nothing else does this
        return QTest::qWaitForWindowActive(&window);
    }
    ui::MarksView& marks() { return *window.findChild<ui::MarksView*>(); }
    QStringList markNames() {
        QStringList names;
        for (int row = 0; row < marks().model().rowCount(); ++row) {
            names << marks().model().index(row, 0).data().toString();
        }
        return names;
    }
    QPoint placeOfMark(int row) { return marks().visualRect(marks().model().index(row, 0)).center(); }
    void clickMark(int row, Qt::KeyboardModifiers modifiers = {}) {
        marks().scrollTo(marks().model().index(row, 0));
        (void)QTest::qWaitFor([&] { return marks().viewport()->rect().contains(placeOfMark(row)); });
        QTest::mouseClick(marks().viewport(), Qt::LeftButton, modifiers, placeOfMark(row));
        marks().setFocus();
    }
    bool saveAs(const QString& path) {
        QSignalSpy saved(&session, &app::RecordingSession::saved);
        session.save(path);
        return QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs);
    }
    /// Tries to record a process that does not exist; `answer`: the choice for an unsaved recording.
    bool refuse(QMessageBox::StandardButton answer = QMessageBox::NoButton) {
        QSignalSpy failed(&window, &app::MainWindow::openFailed);
        ui::RecordChoices gone;
        gone.pid = 4'000'000'000u;
        gone.processName = "gone";
        pages.start(gone);
        if (answer != QMessageBox::NoButton && !answerUnsaved(answer)) return false;
        return QTest::qWaitFor([&] { return !failed.isEmpty(); }, kPatienceMs) && wait();
    }
    QStringList spools() { return QDir(session.folder()).entryList({"*.etl"}, QDir::Files); }
};

/// A window that finds an unsaved recording.
struct LeftBehind {
    WindowStage first; ///< the owner of its settings
    QString path;
    std::unique_ptr<app::MainWindow> made;
    app::MainWindow& window;

    explicit LeftBehind(const QString& program)
        : path(first.settings.recordingsFolder() + '/' + program + " 2026-01-02 03-04-05-678 4711.etl"),
          made(makeWindow(first.settings, path)),
          window(*made) {}
    static std::unique_ptr<app::MainWindow> makeWindow(app::ApplicationSettings& settings, const QString& lost) {
        QDir().mkpath(settings.recordingsFolder());
        (void)fixtures::exercise2Trace().writeTo(lost.toStdString());
        auto window = std::make_unique<app::MainWindow>(settings);
        window->resize(1000, 700);
        window->show();
        return window;
    }
    bool recover() {
        QSignalSpy settled(&window, &app::MainWindow::settled);
        QTest::mouseClick(window.findChild<QPushButton*>("recover"), Qt::LeftButton);
        return QTest::qWaitFor([&] { return !settled.isEmpty(); }, kPatienceMs);
    }
    bool answer(const char* name, QMessageBox::StandardButton button) {
        auto* question = window.findChild<QMessageBox*>(name);
        if (!question || !question->isVisible() || !question->button(button)) return false;
        QTest::mouseClick(question->button(button), Qt::LeftButton);
        return QTest::qWaitFor([&] { return !window.findChild<QMessageBox*>(name); });
    }
};

const QString kTenSecondsInOne = QStringLiteral("--seconds 10 --speed 10");

} // namespace

/// A program is recorded in the window: from the page that asks for it to the saved trace.
class RecordWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private slots:
    void init() {
#ifndef HIGHWATER_CAN_RECORD
        const QString test = QTest::currentTestFunction();
        if (test.startsWith("records") || test.startsWith("asks") || test.startsWith("stops"))
            QSKIP("there is no recorder for this system");
#endif
    }
    /// Python looked up malloc by ctypes before Highwater attached to it.
    void recordsAndSaysThatGrowthIsMissing() {
        QTemporaryDir folder;
        const auto script = folder.filePath("grow.py");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import ctypes, time\n"
                   "libc = ctypes.CDLL(None)\n"
                   "libc.malloc.restype = ctypes.c_void_p\n"
                   "ctypes.memset(libc.malloc(100), 1, 100)\n"
                   "print('ready', flush=True)\n"
                   "for _ in range(600):\n"
                   "    ctypes.memset(libc.malloc(100_000), 1, 100_000)\n"
                   "    time.sleep(0.01)\n"
                   "time.sleep(60)\n");
        file.close();
        QProcess program;
        program.start("python3", {script});
        if (!program.waitForStarted()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        QVERIFY(program.waitForReadyRead(kPatienceMs));
        RecordStage stage;
        stage.session.start(static_cast<std::uint32_t>(program.processId()), "python3", {});
        if (!stage.waitForStart()) QSKIP(qPrintable("cannot attach: " + stage.refused.value(0).value(0).toString()));
        QTRY_VERIFY_WITH_TIMEOUT(stage.memoryWords().contains("not recorded"), kPatienceMs);
        const auto* status = stage.window.findChild<QLabel*>("traceNote");
        QTRY_VERIFY2_WITH_TIMEOUT(status->text().contains("not recorded"), qPrintable(status->text()), kPatienceMs);
        auto* banner = stage.window.findChild<ui::LossBanner*>();
        QVERIFY(banner->isVisible());
        QTest::mouseClick(banner->findChild<QToolButton*>("lossMore"), Qt::LeftButton);
        const auto details = banner->details().join(' ');
        QVERIFY2(details.contains("was not recorded") && details.contains("start it from Highwater"),
                 qPrintable(details));
        // One message about it is enough.
        QVERIFY2(!stage.message().contains("not recorded"), qPrintable(stage.message()));
        stage.session.stop();
        QVERIFY(stage.waitForEnd() && stage.waitUntilSettled());
        QVERIFY(stage.trace().health.unrecordedGrowth > 5 << 20);
        QVERIFY(!stage.trace().health.totalsAreBounds());
        QVERIFY(banner->isVisible());
        QVERIFY(stage.window.findChild<ui::MessageStrip*>("windowMessage")->isHidden());
        program.kill();
        program.waitForFinished();
    }
    /// A script prepares something and continues as another program, which has an address space of its own.
    void recordsAndForgetsTheMemoryOfAProgramBeforeExec() {
        QTemporaryDir folder;
        const auto script = folder.filePath("start.py");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import ctypes, os, sys, time\n"
                   "libc = ctypes.CDLL(None)\n"
                   "libc.syscall.restype = ctypes.c_void_p\n"
                   "time.sleep(2)\n"
                   "for _ in range(40):\n"
                   "    ctypes.memset(libc.syscall(9, None, 1 << 20, 3, 0x22, -1, None), 1, 1 << 20)\n"
                   "while not os.path.exists(sys.argv[1]): time.sleep(0.1)\n"
                   "os.execvp('python3', ['python3', '-c', 'import time\\nfor i in range(600): time.sleep(0.1)'])\n");
        file.close();
        RecordStage stage;
        const auto go = folder.filePath("go");
        if (!stage.record("python3", script + ' ' + go)) QSKIP("python3 is not installed");
        auto* banner = stage.window.findChild<ui::LossBanner*>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatienceMs);
        QVERIFY(stage.memoryWords().contains("not recorded"));
        QVERIFY(QFile(go).open(QIODevice::WriteOnly));
        QTRY_VERIFY_WITH_TIMEOUT(!stage.memoryWords().contains("not recorded"), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!banner->isVisible(), kPatienceMs);
        QVERIFY2(!stage.message().contains("not recorded"), qPrintable(stage.message()));
        stage.session.stop();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.trace().health.unrecordedGrowth, ByteCount{0});
    }
    void asksAgainWhereNothingCanBeStarted() {
        RecordStage stage;
        QVERIFY(!stage.record("/nowhere/at/all", {}));
        auto* page = stage.window.findChild<ui::RecordPage*>();
        QVERIFY(page && page->isVisible()); // with everything that was typed
        auto* problem = page->findChild<ui::MessageStrip*>("recordProblem");
        QVERIFY2(problem->message().contains("/nowhere/at/all"), qPrintable(problem->message()));
        page->findChild<QLineEdit*>("launchProgram")->setText(app::RecordController::exampleProgram());
        page->findChild<QLineEdit*>("launchFolder")->setText("/nowhere");
        stage.clickIn(*page, "startRecording");
        QVERIFY2(problem->isVisible() && problem->message().contains("Folder /nowhere"),
                 qPrintable(problem->message()));
        page->findChild<QLineEdit*>("launchFolder")->clear();
        QVERIFY(!problem->isVisible());
        page->findChild<QLineEdit*>("launchArguments")->setText("--seconds 1 --speed 10");
        stage.clickIn(*page, "startRecording");
        QVERIFY(stage.waitForStart());
        QTRY_VERIFY(!stage.window.findChild<ui::RecordPage*>());
        QVERIFY(stage.waitForEnd());
    }

    /// Errors that occur only at the start are also shown on the page, and all choices are kept.
    void asksAgainWhereAProcessHasGone() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        page->findChild<QTabWidget*>("recordWhat")->setCurrentIndex(1);
        auto* list = page->findChild<QTreeView*>("processList");
        page->setProcesses({{4'000'000'000u, "gone", "gone --all", "anna", 64, 1}}); // there is none
        list->setCurrentIndex(list->model()->index(0, 0));
        page->findChild<QCheckBox*>("recordFreeStacks")->setChecked(true);
        QTest::mouseClick(page->findChild<QPushButton*>("startRecording"), Qt::LeftButton);
        QVERIFY(stage.waitForRefusal());
        QTRY_VERIFY(page->isVisible());
        auto* problem = page->findChild<ui::MessageStrip*>("recordProblem");
        QVERIFY(problem->isVisible() && !problem->message().isEmpty());
        QVERIFY(page->findChild<QCheckBox*>("recordFreeStacks")->isChecked());
        QVERIFY(!stage.window.findChild<QMessageBox*>());
        QTest::qWait(50);
        QVERIFY2(!stage.window.findChild<ui::MessageStrip*>("windowMessage")->isVisible(), qPrintable(stage.message()));
    }

    void recordsOnWhileTheStartPageIsShown() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, kTenSecondsInOne));
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        auto* start = stage.window.findChild<ui::StartPage*>();
        stage.window.findChild<QAction*>("startPage")->trigger();
        QVERIFY(start->isVisible() && stage.session.isRecording());
        QVERIFY(stage.waitForEnd());
        QVERIFY(start->isVisible()); // new events do not take the user away from the view
        QVERIFY(stage.session.isUnsaved());
        QCOMPARE(stage.spools().size(), 1);
        const auto* words = start->findChild<QWidget*>("openTraceStrip")->findChild<QLabel*>();
        QVERIFY2(words->text().startsWith("The recording of ") && words->text().endsWith(" has not been saved."),
                 qPrintable(words->text()));
        QTest::mouseClick(start->findChild<QPushButton*>("backToTrace"), Qt::LeftButton);
        QVERIFY(stage.window.tabs().isVisible() && stage.session.isUnsaved());
        QVERIFY(stage.trace().heap.rows > 0);
        stage.session.discard();
    }

    void recordsAndSavesATraceThatReopensTheSame() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, kTenSecondsInOne));
        QVERIFY(stage.window.findChild<QAction*>("stopRecording")->isEnabled());
        QVERIFY(!stage.window.findChild<QAction*>("record")->isEnabled());
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.published.size() >= 2); // while it went on
        QVERIFY2(stage.message().isEmpty(), qPrintable(stage.message()));
        QVERIFY(stage.waitUntilSettled());
        QVERIFY2(stage.barWords().startsWith("memory_test_app ("), qPrintable(stage.barWords()));
        QVERIFY2(stage.barWords().contains("0 lost"), qPrintable(stage.barWords()));
        stage.window.symbolSession().loadNow();
        QVERIFY(QTest::qWaitFor([&] { return stage.isNamed("InnerLoopOperation"); }, kPatienceMs));
        QVERIFY(stage.isNamed("ManipulateTemporaryBuffer"));

        const auto file = folder_.filePath("recorded.etl");
        QSignalSpy saved(&stage.session, &app::RecordingSession::saved);
        stage.session.save(file);
        QVERIFY(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs));
        QVERIFY(!stage.session.isUnsaved());
        QCOMPARE(stage.spools(), QStringList());
        QVERIFY(stage.window.windowTitle().startsWith("recorded.etl"));
        QCOMPARE(stage.window.symbolSession().traces(), QStringList{file}); // commands name it
        const auto heapRows = stage.trace().heap.rows, commits = stage.trace().virtualAlloc.rows;
        QVERIFY(heapRows >= 319);
        QVERIFY(commits >= 12);
        QVERIFY(stage.open({file}));
        QCOMPARE(stage.trace().heap.rows, heapRows);
        QCOMPARE(stage.trace().virtualAlloc.rows, commits);
    }
    void stopsAndDiscards() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 30"));
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        QCOMPARE(stage.spools().size(), 1);
        stage.clickCommand("stopRecording");
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.session.isUnsaved());
        const auto spool = stage.session.spool();
        QVERIFY(QFile::exists(spool));
        stage.window.close();
        QVERIFY(stage.window.isVisible()); // it asks first
        QVERIFY(stage.answerUnsaved(QMessageBox::Cancel));
        QVERIFY(stage.window.isVisible());
        stage.window.close();
        QVERIFY(QTest::qWaitFor([&] { return stage.answerUnsaved(QMessageBox::Discard); }));
        QVERIFY(QTest::qWaitFor([&] { return !stage.window.isVisible(); }));
        QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(spool); }, kPatienceMs));
    }
    void asksForEventsAfterASave() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 30"));
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        stage.session.mark("start");
        QVERIFY(QTest::qWaitFor([&] { return stage.markNames() == QStringList("start"); }, kPatienceMs));
        const auto early = folder_.filePath("early.etl"), late = folder_.filePath("late.etl");
        QSignalSpy saved(&stage.session, &app::RecordingSession::saved);
        stage.session.save(early);
        QDeadlineTimer deadline(kPatienceMs);
        while (!QFile::exists(early) && !deadline.hasExpired())
            QThread::msleep(1); // the window does not know yet that it is saved
        stage.session.stop();
        QVERIFY(stage.waitForEnd());
        QVERIFY(QTest::qWaitFor([&] { return saved.size() == 1; }, kPatienceMs));
        QVERIFY(stage.session.isUnsaved());

        stage.session.save(late);
        stage.session.editMark(stage.session.properties().firstTicks, "another name");
        QVERIFY(QTest::qWaitFor([&] { return saved.size() == 2; }, kPatienceMs));
        QVERIFY(stage.session.isUnsaved());
        QVERIFY(stage.saveAs(late));
        QVERIFY(!stage.session.isUnsaved());
    }
    void recordsUntilMemoryReachesALimit() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        QTest::keyClicks(page->findChild<QLineEdit*>("launchProgram"), HIGHWATER_MEMORY_TEST_APP);
        page->findChild<QLineEdit*>("launchArguments")->setText("--seconds 20");
        auto* megabytes = page->findChild<QSpinBox*>("stopMegabytes");
        QVERIFY(!megabytes->isEnabled());
        QTest::mouseClick(page->findChild<QCheckBox*>("stopsAtBytes"), Qt::LeftButton, {}, {5, 8});
        QVERIFY(megabytes->isEnabled());
        megabytes->selectAll();
        QTest::keyClicks(megabytes, "5");
        QTest::keyClick(page->findChild<QComboBox*>("stopWhen"), Qt::Key_Down); // grow by
        QTest::mouseClick(page->findChild<QCheckBox*>("compressFile"), Qt::LeftButton, {}, {5, 8});
        const auto chosen = page->choices();
        QCOMPARE(chosen.stopWhen, ui::RecordChoices::StopWhen::Growth);
        QCOMPARE(chosen.stopMegabytes, qint64{5});
        QVERIFY(!chosen.compressed);
        stage.clickIn(*page, "startRecording");
        QVERIFY(stage.waitForEnd());
        QVERIFY2(stage.message().contains("have grown by"), qPrintable(stage.message()));
        QVERIFY(stage.session.isUnsaved());
        // It was watched meanwhile.
        QVERIFY(!stage.session.facts().privateBytes.empty());
        QVERIFY2(stage.window.findChild<QLabel*>("recordMemory")->text().startsWith("private "),
                 qPrintable(stage.window.findChild<QLabel*>("recordMemory")->text()));
        QCOMPARE(stage.settings.recordChoices(), chosen); // for the next time
        stage.session.discard();
    }
    void asksHowMuchIsKept() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        auto* minutes = page->findChild<QSpinBox*>("keepMinutes");
        auto* megabytes = page->findChild<QSpinBox*>("keepMegabytes");
        QVERIFY(minutes->isVisible() && !minutes->isEnabled() && !megabytes->isVisible());
        QCOMPARE(page->choices().keep, ui::RecordChoices::Keep::All);
        QTest::mouseClick(page->findChild<QCheckBox*>("keepsLast"), Qt::LeftButton, {}, {5, 8});
        QVERIFY(minutes->isEnabled());
        QCOMPARE(page->choices().keep, ui::RecordChoices::Keep::LastMinutes);
        QTest::keyClick(page->findChild<QComboBox*>("keepUnit"), Qt::Key_Down); // MB
        QVERIFY(megabytes->isVisible() && megabytes->isEnabled() && !minutes->isVisible());
        megabytes->selectAll();
        QTest::keyClicks(megabytes, "64");
        QTest::keyClicks(page->findChild<QLineEdit*>("launchProgram"), HIGHWATER_MEMORY_TEST_APP);
        page->findChild<QLineEdit*>("launchArguments")->setText("--seconds 1");
        const auto chosen = page->choices();
        QCOMPARE(chosen.keep, ui::RecordChoices::Keep::LastMegabytes);
        QCOMPARE(chosen.keepMegabytes, 64);
        stage.clickIn(*page, "startRecording");
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.session.facts().keptFromMs, std::int64_t{0}); // it was much less
        QCOMPARE(stage.settings.recordChoices(), chosen);            // for the next time
        stage.session.discard();
    }
    void asksWhenSnapshotsAreTaken() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        auto* seconds = page->findChild<QSpinBox*>("snapshotSeconds");
        auto* megabytes = page->findChild<QSpinBox*>("snapshotMegabytes");
        QVERIFY(!seconds->isEnabled() && !megabytes->isEnabled());
        QVERIFY(!page->choices().snapshotsEvery && !page->choices().snapshotsOnGrowth);
        QTest::mouseClick(page->findChild<QCheckBox*>("snapshotsEvery"), Qt::LeftButton, {}, {5, 8});
        QTest::mouseClick(page->findChild<QCheckBox*>("snapshotsOnGrowth"), Qt::LeftButton, {}, {5, 8});
        seconds->selectAll();
        QTest::keyClicks(seconds, "5"); // the shortest one
        QTest::keyClick(seconds, Qt::Key_Tab);
        QCOMPARE(seconds->value(), 5);
        megabytes->selectAll();
        QTest::keyClicks(megabytes, "1");
        QTest::keyClicks(page->findChild<QLineEdit*>("launchProgram"), HIGHWATER_MEMORY_TEST_APP);
        page->findChild<QLineEdit*>("launchArguments")->setText(kTenSecondsInOne);
        const auto chosen = page->choices();
        QVERIFY(chosen.snapshotsEvery && chosen.snapshotsOnGrowth);
        QCOMPARE(chosen.snapshotSeconds, 5);
        QCOMPARE(chosen.snapshotMegabytes, 1);
        stage.clickIn(*page, "startRecording");
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.settings.recordChoices(), chosen); // for the next time
        stage.session.discard();
    }
    /// Checked options reach the recorder.
    void snapshotsOnGrowthAreTaken() {
#ifndef HIGHWATER_SNAPSHOT_BUFFERS
        QSKIP("there is no recorder for this system");
#else
        const QTemporaryDir folder; // the program does not wait: it grows by 333 MB at once
        for (int step = 0; step <= 9; ++step) {
            QFile go(folder.filePath(QString("go.%1").arg(step)));
            QVERIFY(go.open(QIODevice::WriteOnly));
        }
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        page->findChild<QCheckBox*>("snapshotsOnGrowth")->setChecked(true);
        page->findChild<QSpinBox*>("snapshotMegabytes")->setValue(1);
        QVERIFY(stage.record(HIGHWATER_SNAPSHOT_BUFFERS, folder.path()));
        QVERIFY(stage.waitForEnd());
        const auto snapshots = stage.trace().snapshots;
        QVERIFY(snapshots && !snapshots->empty());
        for (const auto& snapshot : *snapshots)
            QCOMPARE(snapshot.origin, SnapshotOrigin::Growth);
        stage.session.discard();
        // Without heap blocks no snapshot can be taken.
        auto* again = stage.openPage();
        QVERIFY(again);
        auto* plan = again->findChild<QCheckBox*>("snapshotsOnGrowth");
        QVERIFY(plan->isEnabled());
        again->findChild<QCheckBox*>("recordHeap")->setChecked(false);
        QVERIFY(!plan->isEnabled());
        again->findChild<QLineEdit*>("launchProgram")->setText(HIGHWATER_MEMORY_TEST_APP);
        again->findChild<QLineEdit*>("launchArguments")->setText("--seconds 30");
        stage.clickIn(*again, "startRecording");
        QVERIFY(stage.waitForStart());
        QVERIFY(!stage.settings.recordChoices().heap);
        QTRY_VERIFY(stage.window.findChild<QAction*>("takeSnapshot")->isEnabled());
        stage.window.findChild<QAction*>("takeSnapshot")->trigger();
        QCOMPARE(stage.message(), QString("No snapshot was taken because heap blocks are not recorded."));
        stage.session.discard();
#endif
    }
    void recordsAndThrowsAway() {
        RecordStage stage;
        QVERIFY(!stage.window.findChild<QAction*>("discardRecording")->isEnabled());
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 30"));
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        const auto spool = stage.session.spool();
        stage.window.findChild<QAction*>("discardRecording")->trigger();
        auto* question = stage.window.findChild<QMessageBox*>("discardQuestion");
        QVERIFY(question);
        QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
        QVERIFY(stage.session.isRecording());
        QVERIFY(QTest::qWaitFor([&] { return !stage.window.findChild<QMessageBox*>("discardQuestion"); }));
        stage.window.findChild<QAction*>("discardRecording")->trigger();
        question = stage.window.findChild<QMessageBox*>("discardQuestion");
        QVERIFY(question);
        QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
        QVERIFY(!stage.session.isOpen());
        QVERIFY(stage.window.findChild<ui::StartPage*>()->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(spool); }, kPatienceMs));
        // And another one can be created.
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, kTenSecondsInOne));
        QVERIFY(stage.waitForEnd());
        QVERIFY(!stage.window.findChild<ui::StartPage*>()->isVisible());
        stage.session.discard();
    }
    void recordsARunningProcess() {
        QProcess running;
        running.start(HIGHWATER_MEMORY_TEST_APP, {"--seconds", "60", "--speed", "5"});
        QVERIFY(running.waitForStarted());
        QTest::qWait(500);
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        page->findChild<QTabWidget*>("recordWhat")->setCurrentIndex(1);
        auto* list = page->findChild<QTreeView*>("processList");
        QTest::keyClicks(page->findChild<QLineEdit*>("processSearch"), QString::number(running.processId()));
        QVERIFY(QTest::qWaitFor([&] { return list->model()->rowCount() == 1; }, kPatienceMs));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        stage.clickIn(*page, "startRecording");
        const bool isShown = QTest::qWaitFor([&] { return stage.published.size() > 2; }, kPatienceMs);
        if (!isShown && stage.message().contains("permit")) QSKIP(qPrintable(stage.message()));
        QVERIFY2(isShown, qPrintable(stage.message()));
        QVERIFY2(stage.barWords().startsWith("memory_test_app ("), qPrintable(stage.barWords()));
        stage.clickCommand("stopRecording");
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.trace().heap.rows > 0);
        QCOMPARE(running.state(), QProcess::Running); // it never notices
        running.kill();
        QVERIFY(running.waitForFinished());
        stage.session.discard();
    }
    void recordsSilenceWithItsReason() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        QTest::keyClicks(page->findChild<QLineEdit*>("launchProgram"), "sleep");
        page->findChild<QLineEdit*>("launchArguments")->setText("30");
        page->findChild<QCheckBox*>("recordHeap")->setChecked(false);
        stage.clickIn(*page, "startRecording");
        QVERIFY(QTest::qWaitFor([&] { return stage.message().contains("Record the heap as well"); }, kPatienceMs));
        QVERIFY2(stage.message().startsWith("sleep has not reported any allocations for 5 seconds."),
                 qPrintable(stage.message()));
        auto* message = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        emit message->findChild<QLabel*>("messageText")->linkActivated("#");
        QVERIFY(stage.session.isRecording());
        QVERIFY(stage.settings.recordChoices().heap);
        stage.session.discard();
    }
    void recordsOnWhileTheAxisFollows() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 30 --speed 5"));
        QVERIFY(QTest::qWaitFor([&] { return stage.published.size() >= 3; }, kPatienceMs));
        auto& state = stage.state();
        const auto whole = state.wholeRange();
        state.zoomTo({TraceTime{whole.end.ns / 2}, whole.end});
        const auto length = state.visibleRange().end.ns - state.visibleRange().start.ns;
        QVERIFY(QTest::qWaitFor([&] { return whole.end < state.wholeRange().end; }, kPatienceMs));
        QCOMPARE(state.visibleRange().end.ns, state.wholeRange().end.ns);
        QCOMPARE(state.visibleRange().end.ns - state.visibleRange().start.ns, length);
        QVERIFY(stage.window.findChild<QAction*>("followRecording")->isChecked());
        state.panBy(-length / 2);
        QVERIFY(!stage.window.findChild<QAction*>("followRecording")->isChecked());
        const auto paused = state.visibleRange();
        const auto count = stage.published.size();
        QVERIFY(QTest::qWaitFor([&] { return stage.published.size() > count; }, kPatienceMs)); // it records on
        QCOMPARE(state.visibleRange().end.ns, paused.end.ns);
        auto* bar = stage.window.findChild<ui::RecordBar*>();
        QTest::mouseClick(bar->widgetForAction(bar->followAction()), Qt::LeftButton);
        QCOMPARE(state.visibleRange().end.ns, state.wholeRange().end.ns);
        stage.session.discard();
    }
    void replaysWithMarksThatStayNamed() {
        const auto file = folder_.filePath("marked.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue());
        RecordStage stage;
        auto* list = stage.window.findChild<ui::MarksView*>();
        QVERIFY(!list->isVisible()); // no marks to list
        QVERIFY(!stage.window.findChild<QAction*>("markRecording")->isEnabled());
        stage.pages.startReplay(file, 5);
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        QVERIFY(stage.activate());
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
        QVERIFY(QTest::qWaitFor([&] { return list->model().rowCount() == 1; }, kPatienceMs));
        QVERIFY(list->isVisible());
        const auto published = stage.published.size();
        QVERIFY(QTest::qWaitFor([&] { return stage.published.size() > published; }, kPatienceMs));
        stage.clickCommand("markRecording");
        stage.clickCommand("markRecording");
        QVERIFY(QTest::qWaitFor([&] { return list->model().rowCount() == 3; }, kPatienceMs));
        QCOMPARE(stage.markNames(), (QStringList{"Mark 1", "Mark 2", "Mark 3"}));

        // By hand: the first gets another name, the last is removed.
        stage.clickMark(0);
        QTest::keyClick(list, Qt::Key_F2);
        auto* editor = list->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "before the step");
        QTest::keyClick(editor, Qt::Key_Return);
        stage.clickMark(2);
        QTest::keyClick(list, Qt::Key_Delete);
        const QStringList wanted{"before the step", "Mark 2"};
        QCOMPARE(stage.markNames(), wanted);
        stage.clickCommand("stopRecording");
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.waitUntilSettled());
        QCOMPARE(stage.markNames(), wanted);

        // The line in the graph shows its name.
        auto& timeline = stage.panel().timeline();
        const auto x = timeline.coordinates().xOf(list->model().mark(0).time);
        QTest::mouseMove(&timeline, QPoint(static_cast<int>(std::lround(x)), timeline.height() / 2));
        QVERIFY(QTest::qWaitFor([&] { return timeline.words().contains("Mark: before the step"); }, kPatienceMs));

        // Two of them make an interval.
        const auto first = list->model().mark(0).time, second = list->model().mark(1).time;
        QVERIFY(first < second);
        stage.clickMark(0);
        stage.clickMark(1, Qt::ControlModifier);
        list->findChild<QAction*>("selectBetweenMarks")->trigger();
        QCOMPARE(stage.state().selection().value_or(TimeRange{}), (TimeRange{first, second}));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(stage.state().visibleRange(), (TimeRange{first, second}));
        stage.state().showAll();
        QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, stage.placeOfMark(1));
        QVERIFY(stage.state().isZoomed());
        QVERIFY(stage.state().visibleRange().start < second && second < stage.state().visibleRange().end);

        // The file contains them as well, including changes made after it was saved.
        const auto saved = folder_.filePath("with marks.etl");
        QVERIFY(stage.saveAs(saved));
        stage.clickMark(1);
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY(stage.saveAs(saved));
        QVERIFY(stage.open({saved}));
        QCOMPARE(stage.markNames(), QStringList{"before the step"});
        QCOMPARE(list->model().mark(0).time, first);
        stage.clickMark(0);
        QTest::keyClick(list, Qt::Key_Delete);
        QVERIFY2(stage.message().contains("in this window only"), qPrintable(stage.message()));
    }
    /// While it is recorded and after: the file has them again as well.
    void undoesChangesOfMarks() {
        const auto file = folder_.filePath("undone.etl"), saved = folder_.filePath("undone marks.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue());
        RecordStage stage;
        const auto undo = [&] {
            emit stage.window.findChild<ui::MessageStrip*>("windowMessage")
                ->findChild<QLabel*>("messageText")
                ->linkActivated("#");
        };
        stage.pages.startReplay(file, 5);
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        QVERIFY(stage.activate());
        for (int marks = 1; marks <= 2; ++marks) {
            QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
            QVERIFY(QTest::qWaitFor([&] { return stage.markNames().size() == marks; }, kPatienceMs));
        }
        const QStringList both{"Mark 1", "Mark 2"};
        stage.clickMark(0);
        QTest::keyClick(&stage.marks(), Qt::Key_Delete);
        QCOMPARE(stage.markNames(), QStringList{"Mark 2"});
        const auto published = stage.published.size(); // the recorder has received it
        QVERIFY(QTest::qWaitFor([&] { return stage.published.size() > published + 2; }, kPatienceMs));
        QVERIFY2(stage.message().contains("Deleted the mark Mark 1"), qPrintable(stage.message()));
        undo();
        QCOMPARE(stage.markNames(), both);
        stage.marks().model().setData(stage.marks().model().index(1, 0), "other", Qt::EditRole);
        QCOMPARE(stage.markNames(), (QStringList{"Mark 1", "other"}));
        QVERIFY2(stage.message().contains("Renamed Mark 2 to other"), qPrintable(stage.message()));
        undo();
        QCOMPARE(stage.markNames(), both);
        stage.clickCommand("stopRecording");
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.waitUntilSettled());
        QCOMPARE(stage.markNames(), both);
        stage.clickMark(1);
        QTest::keyClick(&stage.marks(), Qt::Key_Delete); // after the end
        QCOMPARE(stage.markNames(), QStringList{"Mark 1"});
        undo();
        QVERIFY(stage.saveAs(saved));
        QVERIFY(stage.open({saved}));
        QCOMPARE(stage.markNames(), both);
    }
    void attachesFromTheStartPage() {
        RecordStage stage;
        QTest::mouseClick(stage.window.findChild<QCommandLinkButton*>("attachChoice"), Qt::LeftButton);
        auto* page = stage.window.findChild<ui::RecordPage*>();
        QVERIFY(page && page->isVisible());
        auto* what = page->findChild<QTabWidget*>("recordWhat");
        QCOMPARE(what->tabText(what->currentIndex()), "Running Processes");
        page->close();
    }
    void recordsTheExampleFromTheStartPage() {
        RecordStage stage;
        if (app::RecordController::exampleProgram().isEmpty()) QSKIP("memory_test_app is not beside this program");
        QTest::mouseClick(stage.window.findChild<QCommandLinkButton*>("exampleChoice"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        stage.session.discard();
    }
    void reportsWhyNothingStarts() {
        RecordStage stage;
        stage.pages.start(app::choicesOf({"/nonexistent/program"})); // as highwater --record does
        QVERIFY(stage.waitForRefusal());
        QVERIFY(stage.window.findChild<ui::StartPage*>()->isVisible());
        QVERIFY(!stage.message().isEmpty());
        QVERIFY(!stage.session.isUnsaved());
        QCOMPARE(stage.spools(), QStringList());
        QVERIFY(stage.window.findChild<QAction*>("record")->isEnabled());
    }
    /// The screen stays as it is until another recording has really started.
    void aRefusedStartLeavesTheTraceAsItWas() {
        const auto file = folder_.filePath("kept.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue());
        RecordStage stage;
        QVERIFY(stage.open({file}));
        QVERIFY(stage.zoom(2, 5));
        QVERIFY(stage.activate());
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(stage.markNames(), QStringList{"Mark 1"});
        const auto title = stage.window.windowTitle();
        const auto range = stage.state().visibleRange();
        QVERIFY(stage.refuse());
        QVERIFY(!stage.session.isOpen() && !stage.message().isEmpty());
        QCOMPARE(stage.markNames(), QStringList{"Mark 1"});
        QCOMPARE(stage.state().visibleRange(), range);
        QVERIFY(!stage.state().followsEnd());
        QCOMPARE(stage.window.windowTitle(), title);
        QCOMPARE(stage.window.symbolSession().traces(), QStringList{file}); // names still arrive
        QVERIFY(stage.window.symbolSession().trace() == stage.window.tabs().shown().trace());
        stage.window.findChild<QAction*>("traceProperties")->trigger();
        QVERIFY(stage.window.findChild<QDialog*>("tracePropertiesPage"));
        stage.window.findChild<QAction*>("saveSession")->trigger();
        QTRY_VERIFY2(QFile::exists(folder_.filePath("kept.etl.highwater")), qPrintable(stage.message()));
    }
    void asksButDiscardsOnlyWhenAnotherRecordingBegins() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 2 --speed 10"));
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.waitUntilSettled());
        const auto spools = stage.spools();
        QCOMPARE(spools.size(), 1);
        QVERIFY(stage.refuse(QMessageBox::Discard));
        QVERIFY(stage.session.isUnsaved());
        QCOMPARE(stage.spools(), spools);
        QVERIFY(stage.window.findChild<QAction*>("saveRecording")->isEnabled());
        QVERIFY2(stage.barWords().startsWith("memory_test_app ("), qPrintable(stage.barWords()));
        stage.window.findChild<QAction*>("traceProperties")->trigger(); // its file is not read
        const auto facts = stage.window.findChild<QPlainTextEdit*>("tracePropertiesText")->toPlainText();
        QVERIFY2(facts.contains("\nMissing data ") && !facts.contains("\nSize (bytes) ") &&
                     !facts.contains("\nBuffers  "),
                 qPrintable(facts));
        stage.window.findChild<QDialog*>("tracePropertiesPage")->close();
        stage.published.clear();
        stage.pages.start(app::choicesOf({HIGHWATER_MEMORY_TEST_APP, "--seconds", "2", "--speed", "10"}));
        QVERIFY(stage.answerUnsaved(QMessageBox::Discard));
        QTRY_VERIFY_WITH_TIMEOUT(!stage.published.isEmpty(), kPatienceMs);
        QTRY_VERIFY(!stage.spools().contains(spools.first()) && stage.spools().size() == 1);
        stage.session.discard();
    }
    void stopsWhileTheProgramRunsOn() {
        RecordStage stage;
        QVERIFY(stage.record(HIGHWATER_MEMORY_TEST_APP, "--seconds 60 --speed 1"));
        QVERIFY(QTest::qWaitFor([&] { return !stage.published.isEmpty(); }, kPatienceMs));
        stage.clickCommand("stopRecording");
        QVERIFY(stage.waitForEnd());
        QTRY_VERIFY2(stage.barWords().contains("stopped while the program was running"), qPrintable(stage.barWords()));
        QVERIFY2(!stage.barWords().contains("ended"), qPrintable(stage.barWords()));
        stage.session.discard();
    }
    void remembersTheProgram() {
        RecordStage stage;
        stage.pages.start(app::choicesOf({"/nonexistent/program", "--one", "two three"}));
        QVERIFY(stage.waitForRefusal());
        auto* page = stage.openPage();
        QVERIFY(page);
        QCOMPARE(page->choices().program, "/nonexistent/program");
        QCOMPARE(page->choices().arguments, "--one 'two three'");
    }
    void listsRunningProcesses() {
        RecordStage stage;
        auto* page = stage.openPage();
        QVERIFY(page);
        QVERIFY(!page->findChild<QPushButton*>("startRecording")->isEnabled()); // nothing to record yet
        auto* tabs = page->findChild<QTabWidget*>("recordWhat");
        tabs->setCurrentIndex(1);
        auto* list = page->findChild<QTreeView*>("processList");
        page->setProcesses({{4242, "app", "/opt/app --all", "anna", 64, 1 << 20}, {4243, "other", "", "", 64, 5}});
        QCOMPARE(list->model()->rowCount(), 2);
        QCOMPARE(list->model()->index(0, 0).data().toString(), "app"); // the heaviest first
        QTest::keyClicks(page->findChild<QLineEdit*>("processSearch"), "4242");
        QCOMPARE(list->model()->rowCount(), 1);
#ifndef Q_OS_WIN
        list->setCurrentIndex(list->model()->index(0, 0));
        QVERIFY(page->findChild<QPushButton*>("startRecording")->isEnabled());
        QCOMPARE(page->choices().pid, 4242u);
        QCOMPARE(page->choices().processName, "app");
        stage.clickIn(*page, "takeCommandLine");
        QCOMPARE(page->choices().program, "/opt/app");
        QCOMPARE(page->choices().arguments, "--all");
        QVERIFY(page->findChild<QPushButton*>("startRecording")->isEnabled());
#endif
    }
    void replaysAsIfItHappenedNow() {
        const auto file = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue());
        RecordStage stage;
        QVERIFY(stage.open({file}));
        const auto heapRows = stage.trace().heap.rows, commits = stage.trace().virtualAlloc.rows;
        QVERIFY(heapRows > 0);
        stage.settled.clear();
        stage.pages.startReplay(file, 0);
        QVERIFY(stage.waitForEnd());
        QVERIFY(stage.waitUntilSettled());
        QCOMPARE(stage.trace().heap.rows, heapRows);
        QCOMPARE(stage.trace().virtualAlloc.rows, commits);
        QVERIFY(!stage.session.isUnsaved()); // it has its file
    }
    /// It is shown first, and the user is asked before it is discarded; saving asks for a place.
    void recoversAnUnsavedRecording() {
        LeftBehind left("my app");
        auto& window = left.window;
        auto* strip = window.findChild<QWidget*>("lostRecording");
        QVERIFY(strip && strip->isVisible());
        const auto words = strip->findChild<QLabel*>()->text();
        QVERIFY2(words.startsWith("Unsaved recording of my app ("), qPrintable(words));
        QVERIFY(left.recover());
        QVERIFY(!window.findChild<QFileDialog*>() && QFile::exists(left.path));
        QVERIFY(window.symbolSession().trace()->heap.rows > 0);
        QVERIFY2(window.windowTitle().contains("my app (unsaved recording)"), qPrintable(window.windowTitle()));
        QVERIFY(left.first.settings.recentTraces().isEmpty());
        QVERIFY(
            app::lostRecordings(left.first.settings.recordingsFolder()).isEmpty()); // no one else takes it meanwhile
        window.close();
        QVERIFY(window.isVisible());
        QVERIFY(left.answer("unsavedRecording", QMessageBox::Cancel));
        QVERIFY(window.isVisible() && QFile::exists(left.path));
        window.close();
        QVERIFY(left.answer("unsavedRecording", QMessageBox::Save));
        auto* dialog = window.findChild<QFileDialog*>("recoverAs");
        QVERIFY(dialog);
        QTest::keyClick(dialog, Qt::Key_Escape); // not now
        QTRY_VERIFY(!window.findChild<QFileDialog*>("recoverAs"));
        QVERIFY(window.isVisible());
        window.findChild<QAction*>("saveRecording")->trigger();
        dialog = window.findChild<QFileDialog*>("recoverAs");
        QVERIFY(dialog);
        const auto file = folder_.filePath("recovered.etl");
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
        QTest::keyClick(dialog->findChild<QLineEdit*>("fileNameEdit"), Qt::Key_Return);
        QTRY_VERIFY(window.windowTitle().startsWith("recovered.etl"));
        QVERIFY(QFile::exists(file) && !QFile::exists(left.path));
        QCOMPARE(left.first.settings.recentTraces()[0].paths, QStringList{file});
        QVERIFY(!window.findChild<QAction*>("saveRecording")->isEnabled());
        window.close();
        QVERIFY(!window.isVisible());
    }
    void theStartPageNamesARecoveredRecordingOnce() {
        LeftBehind left("my app");
        QVERIFY(left.recover());
        left.window.findChild<QAction*>("startPage")->trigger();
        const auto* words = left.window.findChild<QWidget*>("openTraceStrip")->findChild<QLabel*>();
        QCOMPARE(words->text(), "The recording of my app has not been saved.");
    }
    void keepsARecoveredRecordingForLater() {
        LeftBehind left("app");
        QVERIFY(left.recover());
        const auto other = folder_.filePath("other.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(other.toStdString()).hasValue());
        left.window.openTrace({other});
        QVERIFY(left.answer("unsavedRecording", QMessageBox::Ignore));
        QTRY_VERIFY(left.window.windowTitle().startsWith("other.etl"));
        QVERIFY(QFile::exists(left.path));
        QCOMPARE(app::lostRecordings(left.first.settings.recordingsFolder()).size(), 1);
        left.window.close(); // there are no more questions
        QVERIFY(!left.window.isVisible());
    }
    void discardsARecoveredRecording() {
        LeftBehind left("app");
        QVERIFY(left.recover());
        left.window.findChild<QAction*>("discardRecording")->trigger();
        QVERIFY(left.answer("discardQuestion", QMessageBox::Cancel));
        QVERIFY(QFile::exists(left.path));
        left.window.findChild<QAction*>("discardRecording")->trigger();
        QVERIFY(left.answer("discardQuestion", QMessageBox::Discard));
        QVERIFY(!QFile::exists(left.path));
        QVERIFY(left.window.findChild<ui::StartPage*>()->isVisible());
        QTRY_VERIFY(!left.window.findChild<QWidget*>("lostRecording"));
        left.window.close();
        QVERIFY(!left.window.isVisible());
    }
    void discardsAnUnsavedRecording() {
        WindowStage first;
        const auto folder = first.settings.recordingsFolder();
        QVERIFY(QDir().mkpath(folder));
        const auto lost = folder + "/app 2026-01-02 03-04-05-678 4711.etl";
        QVERIFY(fixtures::exercise2Trace().writeTo(lost.toStdString()).hasValue());
        app::MainWindow window(first.settings);
        window.show();
        const auto answer = [&window](QMessageBox::StandardButton button) {
            QTest::mouseClick(window.findChild<QPushButton*>("discard"), Qt::LeftButton);
            auto* question = window.findChild<QMessageBox*>("discardQuestion");
            QVERIFY(question && question->text() == "Discard the recording of app?");
            QTest::mouseClick(question->button(button), Qt::LeftButton);
            QVERIFY(QTest::qWaitFor([&] { return !window.findChild<QMessageBox*>("discardQuestion"); }));
        };
        answer(QMessageBox::Cancel);
        QVERIFY(QFile::exists(lost));
        answer(QMessageBox::Discard);
        QVERIFY(!QFile::exists(lost));
        QVERIFY(QTest::qWaitFor([&] { return !window.findChild<QWidget*>("lostRecording"); }));
    }
};
HIGHWATER_TEST(RecordWindowTest);
#include "record_window_test.moc"

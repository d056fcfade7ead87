#include "app/recording/record_controller.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/recording/record_page.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <optional>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

constexpr int kPatienceMs = 120'000; ///< Wine, on a busy machine
constexpr double kSpeed = 10;        ///< tests/windows/window.py plays the trace this many times as fast

/// Time of the first allocation in this heap.
std::optional<TraceTime> firstBlock(const store::PublishedTrace& trace, Address heap) {
    for (std::uint64_t i = 0; i < trace.heap.rows; ++i) {
        const auto row = static_cast<RowId>(i);
        if (trace.columns->heaps[trace.heap.site(row).heap.value].handle == heap) return trace.heap.begin(row);
    }
    return std::nullopt;
}

QString seconds(std::int64_t ns) { return QString::number(static_cast<double>(ns) / 1e9, 'f', 6); }

} // namespace

/// Records a program through Windows' event tracing by mouse and keys alone: selects the program, queries the trace and
/// saves the file. tests/windows/window.py runs this test under Wine, where a simulator plays the Exercise 2 trace in
/// place of event tracing, and reads the saved file on another system.
class WindowsRecordingTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        if (!qEnvironmentVariableIsSet("HIGHWATER_ETW_SIMULATOR")) QSKIP("there is no simulator of event tracing");
        file_ = qEnvironmentVariable("HIGHWATER_SAVED_RECORDING");
        QVERIFY(!file_.isEmpty());
        QVERIFY(!app::RecordController::exampleProgram().isEmpty());
        // Windows' own dialog cannot be operated from here.
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        stage_ = std::make_unique<WindowStage>();
        user_ = std::make_unique<WindowUser>(*stage_);
        stage_->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage_->window, kPatienceMs));
    }
    void cleanupTestCase() {
        user_.reset();
        stage_.reset();
    }

    void opensTheTraceThatIsPlayed() {
        QTemporaryDir folder;
        const auto trace = folder.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(trace.toStdString()).hasValue());
        QVERIFY(stage_->open({trace}));
        playedFirst_ = firstBlock(*stage_->window.symbolSession().trace(), fixtures::exercise2::kGrowingHeap);
        QVERIFY(playedFirst_);
    }
    void recordsTheChoicesOfThePage() {
        auto& session = stage_->window.recordController().session();
        QSignalSpy published(&session, &app::RecordingSession::published);
        QSignalSpy ended(&session, &app::RecordingSession::ended);
        QSignalSpy settled(&stage_->window, &app::MainWindow::settled);
        QTest::keyClick(&stage_->window, Qt::Key_R, Qt::ControlModifier);
        auto* page = stage_->window.findChild<ui::RecordPage*>();
        QVERIFY(page && QTest::qWaitForWindowExposed(page, kPatienceMs));
        auto* program = page->findChild<QLineEdit*>("launchProgram");
        program->clear();
        QTest::keyClicks(program, app::RecordController::exampleProgram());
        auto* arguments = page->findChild<QLineEdit*>("launchArguments");
        arguments->clear();
        QTest::keyClicks(arguments, "--seconds 8");
        QTest::mouseClick(page->findChild<QPushButton*>("startRecording"), Qt::LeftButton);
        QTRY_VERIFY2(session.isRecording(), qPrintable(message()));
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, kPatienceMs));
        QVERIFY2(message().isEmpty(), qPrintable(message()));
        QVERIFY(QTest::qWaitFor([&] { return !settled.isEmpty(); }, kPatienceMs));
        QVERIFY(published.size() >= 2); // while it went on
        const auto words = stage_->window.findChild<ui::RecordBar*>()->words();
        QVERIFY2(words.contains("0 lost"), qPrintable(words));
        process_ = QStringLiteral("MemoryTestApp.exe (%1)").arg(session.facts().pid);
        QVERIFY(stage_->wait());
    }
    void givesTheNumbersOfTheTraceThatWasPlayed() {
        QVERIFY(user_->doubleClickGraph("Heap Allocations"));
        QVERIFY(user_->choosePreset("Exercise 2 Heap"));
        QCOMPARE(stage_->panel().graph().table(), Table::Heap);
        QVERIFY(user_->openRow({process_, kGrowing}));
        QCOMPARE(stage_->cell({process_}, Column::Count), "6,242");
        QCOMPARE(stage_->cell({process_, kGrowing}, Column::Count), "1,200");
        QCOMPARE(stage_->cell({process_, kGrowing}, Column::ImpactingSize), "130.0 KB");
    }
    void regroups() {
        QVERIFY(user_->dragHeader(Column::Handle, Column::Process));
        QCOMPARE(stage_->cell({kGrowing}, Column::Count), "1,200");
        QCOMPARE(stage_->children({kGrowing}), QStringList{process_});
        QVERIFY(user_->choosePreset("Exercise 2 Heap"));
        QCOMPARE(stage_->cell({process_}, Column::Count), "6,242");
    }
    void zoomsByTheFieldsOfTheInterval() {
        const auto first = firstBlock(*stage_->window.symbolSession().trace(), fixtures::exercise2::kGrowingHeap);
        QVERIFY(first);
        // 12 s to 22 s of the played trace, as times of this recording.
        const auto here = [&](double played) {
            const auto since = played * 1e9 - static_cast<double>(playedFirst_->ns);
            return seconds(first->ns + std::llround(since / kSpeed));
        };
        QVERIFY(user_->typeInterval(here(12) + ' ' + here(22)));
        QVERIFY(stage_->state().isZoomed());
        QVERIFY(user_->openRow({process_, kGrowing}));
        QCOMPARE(stage_->cell({process_, kGrowing, "Impacting"}, Column::Count), "319");
        QCOMPARE(stage_->cell({process_, kGrowing, "Impacting"}, Column::Size), "12.5 KB");
        QVERIFY(user_->press(Qt::Key_Home, Qt::AltModifier));
        QVERIFY(!stage_->state().isZoomed());
    }
    void filters() {
        QVERIFY(user_->clickRow({process_}));
        QVERIFY(user_->press(Qt::Key_F));
        QCOMPARE(user_->chips().size(), 1);
        QVERIFY(user_->chips().first().contains("Process = " + process_));
        QCOMPARE(stage_->cell({process_}, Column::Count), "6,242");
        QVERIFY(user_->clickChip(process_));
        QVERIFY(user_->chips().isEmpty());
    }
    void savesAFileThatOpensAgain() {
        auto& session = stage_->window.recordController().session();
        QVERIFY(session.isUnsaved());
        QSignalSpy saved(&session, &app::RecordingSession::saved);
        QTest::keyClick(&stage_->window, Qt::Key_S, Qt::ControlModifier);
        auto* dialog = stage_->window.findChild<QFileDialog*>("saveRecordingAs");
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog, kPatienceMs));
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        QVERIFY(name);
        name->setText(file_);
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs));
        QVERIFY2(message().startsWith("Saved as "), qPrintable(message()));
        QVERIFY(!session.isUnsaved());
        const auto shown = QFileInfo(file_).fileName();
        QVERIFY2(stage_->window.windowTitle().startsWith(shown), qPrintable(stage_->window.windowTitle()));
        const auto blocks = stage_->window.symbolSession().trace()->heap.rows;
        QVERIFY(stage_->open({file_}));
        QCOMPARE(stage_->window.symbolSession().trace()->heap.rows, blocks);
    }

  private:
    QString message() { return stage_->window.findChild<ui::MessageStrip*>("windowMessage")->message(); }

    inline static const QString kGrowing = QStringLiteral("0x1d0000");
    QString file_, process_;
    std::optional<TraceTime> playedFirst_; ///< block of the growing heap
    std::unique_ptr<WindowStage> stage_;
    std::unique_ptr<WindowUser> user_;
};
HIGHWATER_TEST(WindowsRecordingTest);
#include "recording_test_windows.moc"

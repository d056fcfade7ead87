#include "app/recording/record_controller.h"
#include "app/recording/record_requests.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr int kMarkPatienceMs = 30'000;

/// The window with a recording that is not saved yet.
struct MarksOfARecording : WindowStage {
    app::RecordingSession& session = window.recordController().session();

    bool wait(const QSignalSpy& spy) {
        return QTest::qWaitFor([&] { return !spy.isEmpty(); }, kMarkPatienceMs);
    }
    bool begin(const std::function<void(app::RecordController&)>& start) {
        QSignalSpy ended(&session, &app::RecordingSession::ended), settled(&window, &app::MainWindow::settled);
        start(window.recordController());
        if (!wait(ended) || !wait(settled)) return false;
        window.activateWindow(); // without a window manager nothing else does this
        return QTest::qWaitForWindowActive(&window);
    }
    ui::MarksView& list() { return *window.findChild<ui::MarksView*>(); }
    QStringList names() {
        QStringList names;
        for (int row = 0; row < list().model().rowCount(); ++row)
            names << list().model().index(row, 0).data().toString();
        return names;
    }
    ui::MessageStrip& strip() { return *window.findChild<ui::MessageStrip*>("windowMessage"); }
    void mark() { QTest::keyClick(&window, Qt::Key_M, Qt::ControlModifier); }
    void snapshot() { QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); }
    void goToQuarter(int quarter) { state().showInstant(TraceTime{state().wholeRange().end.ns / 4 * quarter}); }
    QPoint placeOf(int row) { return list().visualRect(list().model().index(row, 0)).center(); }
    bool saveAs(const QString& path) {
        QSignalSpy saved(&session, &app::RecordingSession::saved);
        session.save(path);
        return wait(saved);
    }
    const store::SharedSnapshots& snapshots() { return window.symbolSession().trace()->snapshots; }
};

} // namespace

/// Marks and snapshots of a recording, by mouse and keys.
class MarkControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private slots:
    void marksAfterTheEndAreSaved_data() {
        QTest::addColumn<bool>("isLive");
#ifdef HIGHWATER_CAN_RECORD
        QTest::newRow("a program") << true;
#endif
        QTest::newRow("a replay") << false;
    }
    void marksAfterTheEndAreSaved() {
        QFETCH(const bool, isLive);
        const auto played = folder_.filePath("played.etl");
        if (!isLive) QVERIFY(fixtures::exercise2Trace().writeTo(played.toStdString()).hasValue());
        MarksOfARecording stage;
        QVERIFY(stage.begin([&](app::RecordController& pages) {
            if (!isLive) return pages.startReplay(played, 0);
            pages.start(app::choicesOf({HIGHWATER_MEMORY_TEST_APP, "--seconds", "10", "--speed", "10"}));
        }));
        stage.goToQuarter(2);
        stage.mark();
        QCOMPARE(stage.names(), QStringList{"Mark 1"});
        QVERIFY2(stage.strip().message().contains("Save writes it to the file"), qPrintable(stage.strip().message()));
        stage.mark();                        // at the same instant
        QVERIFY(!stage.strip().isVisible()); // its message refers to the first mark
        stage.snapshot();
        QVERIFY2(stage.strip().message().contains("Save writes it to the file"), qPrintable(stage.strip().message()));
        QTest::mouseClick(stage.list().viewport(), Qt::LeftButton, {}, stage.placeOf(1));
        QTest::keyClick(&stage.list(), Qt::Key_F2);
        auto* editor = stage.list().findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "half way");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(stage.names(), (QStringList{"Mark 1", "half way"}));
        const auto instant = stage.state().instants()->front();

        const auto file = folder_.filePath("marked late.etl"), again = folder_.filePath("and again.etl");
        QVERIFY(stage.saveAs(file));
        QVERIFY(!stage.session.isUnsaved());
        stage.goToQuarter(3);
        stage.snapshot();                            // one more, but not another one
        QCOMPARE(stage.session.isUnsaved(), isLive); // a replay already has its file
        if (isLive) {
            stage.window.close();
            auto* question = stage.window.findChild<QMessageBox*>("unsavedRecording");
            QVERIFY(question);
            QVERIFY2(question->informativeText().contains("after it was saved as marked late.etl"),
                     qPrintable(question->informativeText()));
            question->button(QMessageBox::Cancel)->click();
            stage.window.findChild<QAction*>("saveRecording")->trigger();
            auto* dialog = stage.window.findChild<QFileDialog*>("saveRecordingAs");
            QVERIFY(dialog);
            QCOMPARE(dialog->selectedFiles(), QStringList{file});
            dialog->reject();
            stage.window.findChild<QAction*>("startPage")->trigger();
            const auto* strip = stage.window.findChild<QWidget*>("openTraceStrip");
            QVERIFY(strip);
            QVERIFY2(strip->findChild<QLabel*>()->text().startsWith("Part of the recording of"),
                     qPrintable(strip->findChild<QLabel*>()->text()));
            stage.window.findChild<QPushButton*>("backToTrace")->click();
        }
        emit stage.strip().findChild<QLabel*>("messageText")->linkActivated("#");
        QCOMPARE(stage.state().instants()->size(), std::size_t{1});
        stage.goToQuarter(1);
        stage.mark();
        QVERIFY(stage.saveAs(again));

        QVERIFY(stage.open({file}));
        QCOMPARE(stage.names(), (QStringList{"Mark 1", "half way"}));
        QVERIFY(stage.snapshots());
        QCOMPARE(stage.snapshots()->size(), std::size_t{1});
        QCOMPARE(stage.snapshots()->front().number, 1u);
        QCOMPARE(stage.snapshots()->front().time, instant);
        QVERIFY(stage.open({again}));
        QCOMPARE(stage.names(), (QStringList{"Mark 3", "Mark 1", "half way"}));
        QCOMPARE(stage.snapshots()->size(), std::size_t{1});
        QCOMPARE(stage.snapshots()->front().time, instant);
    }
    /// Like marks, they are notes of the trace. Another trace has none of them.
    void theGraphHasTheLineOfPrivateBytes() {
        constexpr auto kPid = fixtures::exercise2::kPid;
        const auto path = folder_.filePath("memory.etl");
        const auto other = folder_.filePath("other.etl");
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(other.toStdString()).hasValue());
        trace.processMemory({{fixtures::seconds(10), kPid, 64 * fixtures::kMiB, 0}});
        QVERIFY(trace.writeTo(path.toStdString()).hasValue());
        MarksOfARecording stage;
        QVERIFY(stage.open({path}));
        const auto& timeline = stage.panel().timeline();
        QVERIFY(timeline.answer()->privateBytes.has_value());
        const auto slice = *timeline.layers().sliceAt(fixtures::seconds(20));
        QCOMPARE(timeline.layers().privateBytesOf(slice), std::optional(64.0 * fixtures::kMiB));
        QVERIFY(!timeline.layers().privateBytesOf(*timeline.layers().sliceAt(fixtures::seconds(5))).has_value());
        QVERIFY(stage.open({other}));
        QVERIFY(!stage.panel().timeline().answer()->privateBytes.has_value());
    }
    void marksOfAnOpenFileAreReportedAsUnsaved() {
        const auto path = folder_.filePath("open.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path.toStdString()).hasValue());
        MarksOfARecording stage;
        QVERIFY(stage.open({path}));
        stage.window.activateWindow(); // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        const auto before = stage.names();
        stage.mark();
        QCOMPARE(stage.names().size(), before.size() + 1);
        QVERIFY2(stage.strip().message().contains("the file is not changed"), qPrintable(stage.strip().message()));
        stage.snapshot();
        QVERIFY2(stage.strip().message().contains("as long as this trace is open"),
                 qPrintable(stage.strip().message()));
    }
};
HIGHWATER_TEST(MarkControllerTest);
#include "mark_controller_test.moc"

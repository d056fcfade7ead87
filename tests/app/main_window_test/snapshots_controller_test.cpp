#include "app/recording/record_controller.h"
#include "tests/app/tools/difference/page/compare_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

/// The window with the trace of a program, showing only its heap snapshots.
struct SnapshotsOfATrace : CompareStage {
    WindowUser user{*this};

    bool begin(const QString& path) { return open({path}) && showOnly(Table::Snapshot) && activate(); }
    bool activate() {
        window.activateWindow(); // without a window manager nothing else does this
        return QTest::qWaitForWindowActive(&window);
    }
    /// With the mouse over the graph at this time.
    bool snapshotAt(double seconds) {
        auto& timeline = panel().timeline();
        const auto x = timeline.coordinates().xOf(TraceTime{std::llround(seconds * 1e9)});
        const QPoint place(static_cast<int>(std::lround(x)), timeline.height() / 2);
        QTest::mouseMove(&timeline, place + QPoint(1, 0));
        QTest::mouseMove(&timeline, place);
        if (!QTest::qWaitFor([&] { return timeline.cursor().has_value(); })) return false;
        QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        return wait();
    }
    QStringList instances() { return children({}); }
    bool select(const QString& instance, Qt::KeyboardModifiers modifiers = {}) {
        const auto at = row({instance});
        if (!at.isValid()) return false;
        const auto key = at.siblingAtColumn(panel().model().keySection(at));
        panel().table().scrollTo(key);
        QTest::mouseClick(panel().table().viewport(), Qt::LeftButton, modifiers,
                          panel().table().visualRect(key).center());
        return wait();
    }
    ui::MessageStrip& strip() { return *window.findChild<ui::MessageStrip*>("windowMessage"); }
    void clickTheLinkOfTheMessage() {
        emit strip().findChild<QLabel*>("messageText")->linkActivated(QStringLiteral("#"));
    }
    void clickInTheBar(const char* name) {
        const auto button = QStringLiteral("command-%1").arg(QLatin1String(name));
        QTest::mouseClick(window.findChild<QToolButton*>(button), Qt::LeftButton);
    }
};

} // namespace

/// Heap snapshots in the window, by mouse and keys.
class SnapshotsControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    /// A block of 100 bytes at 1 s, of 40 at 2 s, of 5 at 3 s.
    void initTestCase() {
        path_ = folder_.filePath("blocks.etl");
        QVERIFY(writeBlocks(path_, 10, {{"first.exe", 100}, {"second.exe", 40}, {"third.exe", 5}}));
    }

    void aFileWithoutTimesHasNoMarksAndNoInstances() {
        const auto path = folder_.filePath("app.heap");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("heap profile: 3: 300 [3: 300] @ heapprofile\n 3: 300 [3: 300] @ 0x1\n");
        file.close();
        SnapshotsOfATrace stage;
        stage.window.openTrace({path});
        QTRY_VERIFY(stage.window.findChild<QAction*>("takeSnapshot")->isEnabled());
        stage.window.findChild<QAction*>("takeSnapshot")->trigger();
        QVERIFY2(stage.strip().message().startsWith("No snapshot was added because the file of this trace"),
                 qPrintable(stage.strip().message()));
        stage.window.findChild<QAction*>("markRecording")->trigger();
        QVERIFY2(stage.strip().message().startsWith("No mark was added because the file of this trace"),
                 qPrintable(stage.strip().message()));
    }
    void ctrlShiftSMakesAnInstanceWhereTheMouseIs() {
        SnapshotsOfATrace stage;
        QVERIFY(!stage.window.findChild<QAction*>("takeSnapshot")->isEnabled());
        QVERIFY(stage.begin(path_));
        QCOMPARE(stage.instances(), QStringList());
        QVERIFY(stage.snapshotAt(2.5));
        QCOMPARE(stage.instances(), QStringList{"1"});
        QCOMPARE(stage.cell({"1"}, Column::Count), "2");
        QCOMPARE(stage.cell({"1"}, Column::Size), "140 B");
        QVERIFY2(stage.strip().message().contains(
                     QRegularExpression("^Snapshot 1 shows the memory outstanding at 2\\.(49|50)")),
                 qPrintable(stage.strip().message()));
        QTest::keyClick(&stage.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); // where the mouse still is
        QVERIFY2(
            stage.strip().message().startsWith("No snapshot was added because snapshot 1 already shows this instant"),
            qPrintable(stage.strip().message()));
        QCOMPARE(stage.instances(), QStringList{"1"});
        QVERIFY(stage.snapshotAt(1.5)); // an earlier one comes after it: instants are numbered as they are added
        QCOMPARE(stage.instances(), (QStringList{"1", "2"}));
        QCOMPARE(stage.cell({"2"}, Column::Size), "100 B");
        QVERIFY(stage.open({path_}) && stage.showOnly(Table::Snapshot)); // another time
        QCOMPARE(stage.instances(), QStringList());
    }

    void barsAreAtTheirInstances() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.snapshotAt(2.5));
        QVERIFY(stage.snapshotAt(7.5));
        auto& timeline = stage.panel().timeline();
        QVERIFY(timeline.isVisible() && timeline.height() > 50); // graph and table
        QCOMPARE(stage.panel().header().findChild<QComboBox*>("chartType")->currentText(), "Bars");
        const auto wordsAt = [&](double seconds, int beside) {
            const auto x = timeline.coordinates().xOf(TraceTime{std::llround(seconds * 1e9)});
            const QPoint place(static_cast<int>(std::lround(x)) + beside, timeline.height() / 2);
            QTest::mouseMove(&timeline, place + QPoint(1, 0));
            QTest::mouseMove(&timeline, place);
            (void)QTest::qWaitFor([&] { return timeline.cursor().has_value(); });
            return timeline.words().mid(1);
        };
        QCOMPARE(wordsAt(2.5, 0), QStringList{"1 140 B"});
        QCOMPARE(wordsAt(2.5, 5), QStringList{"1 140 B"});
        QCOMPARE(wordsAt(2.5, -5), QStringList{"1 140 B"});
        QCOMPARE(wordsAt(2.5, 30), QStringList()); // between them nothing is known
        QCOMPARE(wordsAt(7.5, 4), QStringList{"2 145 B"});
        // By process there is one series.
        auto layout = stage.panel().graph().layout();
        layout.keys = {Column::Process};
        stage.panel().graph().setLayout(layout);
        QVERIFY(stage.wait());
        QCOMPARE(wordsAt(2.5, 3), QStringList{"a.exe (10) 140 B"});
    }

    void theGraphExplorerShowsThem() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        auto* explorer = stage.window.findChild<ui::GraphExplorer*>();
        QTRY_VERIFY(explorer->isUpToDate());
        QVERIFY(explorer->thumbnail(Table::Snapshot).isEmpty());
        QVERIFY(stage.snapshotAt(2.5));
        QTRY_VERIFY(!explorer->thumbnail(Table::Snapshot).isEmpty());
        const auto& peaks = explorer->thumbnail(Table::Snapshot).timeline->series.front().peaks;
        QCOMPARE(*std::max_element(peaks.begin(), peaks.end()), SignedByteCount{140});
        stage.clickTheLinkOfTheMessage();
        QTRY_VERIFY(explorer->thumbnail(Table::Snapshot).isEmpty());
    }

    void theMessageTakesItBack() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.snapshotAt(1.5));
        QVERIFY(stage.snapshotAt(2.5));
        QCOMPARE(stage.instances(), (QStringList{"1", "2"}));
        stage.clickTheLinkOfTheMessage();
        QVERIFY(stage.wait());
        QCOMPARE(stage.instances(), QStringList{"1"});
        QCOMPARE(stage.cell({"1"}, Column::Size), "100 B");
        QVERIFY(!stage.strip().isVisible());
    }

    void withoutACursorTheInstantIsTaken() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        QTest::mouseMove(&stage.window, QPoint(5, 5));
        QVERIFY(QTest::qWaitFor([&] { return !stage.panel().timeline().cursor().has_value(); }));
        stage.state().showInstant(TraceTime{3'500'000'000});
        QTest::keyClick(&stage.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.state().instants()->size(), std::size_t{1});
        QCOMPARE(stage.state().instants()->front().ns, 3'500'000'000);
    }

    void theTwoThatAreSelectedAreCompared() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        for (const double time : {1.5, 2.5, 3.5})
            QVERIFY(stage.snapshotAt(time));
        QVERIFY(stage.select("1"));
        QVERIFY(stage.select("2", Qt::ControlModifier));
        QVERIFY(stage.user.chooseInMenuBar("Trace", "Compare Snapshots"));
        QTRY_VERIFY(stage.rows() > 0);
        QVERIFY2(stage.label("differenceSides").contains(QRegularExpression("^Before: Snapshot 1, 1\\.(49|50)")),
                 qPrintable(stage.label("differenceSides")));
        QVERIFY2(stage.label("differenceSides").contains(QRegularExpression("After: Snapshot 2, 2\\.(49|50)")),
                 qPrintable(stage.label("differenceSides")));
        QCOMPARE(stage.functions(), (QStringList{"second.exe New +40 B", "first.exe Same 0 B"}));
        auto* measure = stage.view().findChild<QComboBox*>("differenceMeasure");
        measure->setFocus();
        QTest::keyClicks(measure, "Count");
        QTRY_VERIFY2(stage.label("differenceSummary").contains("Count: 1 before, 2 after (+1)"),
                     qPrintable(stage.label("differenceSummary")));
    }

    void theLastTwoAreComparedWhereNoneIsSelected() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        for (const double time : {1.5, 2.5, 3.5})
            QVERIFY(stage.snapshotAt(time));
        QVERIFY(stage.user.chooseInMenuBar("Trace", "Compare Snapshots"));
        QTRY_VERIFY(stage.rows() > 0);
        QCOMPARE(stage.functions(), (QStringList{"third.exe New +5 B", "first.exe Same 0 B", "second.exe Same 0 B"}));
    }

    void nothingIsComparedWithoutTwoSnapshots() {
        SnapshotsOfATrace stage;
        const auto* compare = stage.window.findChild<QAction*>("compareSnapshots");
        QVERIFY(!compare->isEnabled());
        QVERIFY(stage.begin(path_));
        QVERIFY(!compare->isEnabled());
        QVERIFY2(compare->toolTip().contains("Ctrl+Shift+S"), qPrintable(compare->toolTip()));
        QVERIFY2(compare->statusTip().contains("Ctrl+Shift+S"), qPrintable(compare->statusTip()));
        QVERIFY(stage.snapshotAt(1.5));
        QVERIFY(!compare->isEnabled());
        QVERIFY(stage.snapshotAt(2.5));
        QVERIFY(compare->isEnabled());
        QVERIFY2(compare->statusTip().startsWith("Show the difference"), qPrintable(compare->statusTip()));
        stage.clickTheLinkOfTheMessage(); // takes the second back
        QVERIFY(!compare->isEnabled());
    }
    void theirPageOpensAsLowAsOthers() {
        SnapshotsOfATrace stage;
        QVERIFY(stage.begin(path_));
        for (const double time : {1.5, 2.5})
            QVERIFY(stage.snapshotAt(time));
        QVERIFY(stage.user.chooseInMenuBar("Trace", "Compare Snapshots"));
        const auto* dock = stage.window.findChild<QDockWidget*>("compareDock");
        QVERIFY(dock->isVisible());
        QTRY_VERIFY2(dock->height() <= stage.window.height() * 2 / 5, qPrintable(QString::number(dock->height())));
    }

    void theBarTakesOneWhileItRecords() {
        SnapshotsOfATrace stage;
        auto& session = stage.window.recordController().session();
        const auto exercise = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(exercise.toStdString()).hasValue());
        stage.window.recordController().startReplay(exercise, 10);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window.tabs().shown().trace() != nullptr, 30'000);
        QVERIFY(stage.activate());
        QTRY_VERIFY_WITH_TIMEOUT(stage.window.findChild<QAction*>("takeSnapshot")->isEnabled(), 30'000);
        stage.clickInTheBar("takeSnapshot");
        QVERIFY2(stage.strip().message().startsWith("Took snapshot 1."), qPrintable(stage.strip().message()));
        (void)stage.showOnly(Table::Snapshot); // it need not be up to date: more data arrives
        QTRY_COMPARE_WITH_TIMEOUT(stage.instances(), QStringList{"1"}, 30'000);
        QVERIFY(session.isRecording());
        session.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!session.isRecording(), 30'000);
        QVERIFY(stage.wait());
        QCOMPARE(stage.instances(), QStringList{"1"});
        session.discard();
    }
};
HIGHWATER_TEST(SnapshotsControllerTest);
#include "snapshots_controller_test.moc"

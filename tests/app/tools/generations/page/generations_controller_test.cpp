#include "app/recording/mark_controller.h"
#include "app/recording/record_controller.h"
#include "app/tools/generations/page/generations_model.h"
#include "app/tools/generations/page/generations_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;
using ui::GenerationsModel;

namespace {

/// The window with the Exercise 2 trace, showing only its heaps.
struct MarksOnATrace : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::Heap)) return false;
        window.activateWindow(); // without a window manager nothing else does this
        return QTest::qWaitForWindowActive(&window);
    }
    ui::MarksView& marks() { return *window.findChild<ui::MarksView*>(); }
    QStringList markNames() {
        QStringList names;
        for (int row = 0; row < marks().model().rowCount(); ++row)
            names << marks().model().index(row, 0).data().toString();
        return names;
    }
    double markedAt(int row) { return marks().model().mark(row).time.seconds(); }
    /// With the mouse over the graph at this time.
    void markAt(double seconds) {
        auto& timeline = panel().timeline();
        const auto x = timeline.coordinates().xOf(TraceTime{std::llround(seconds * 1e9)});
        const QPoint place(static_cast<int>(std::lround(x)), timeline.height() / 2);
        QTest::mouseMove(&timeline, place + QPoint(1, 0));
        QTest::mouseMove(&timeline, place);
        (void)QTest::qWaitFor([&] { return timeline.cursor().has_value(); });
        QTest::keyClick(&window, Qt::Key_M, Qt::ControlModifier);
    }
    bool openPage() {
        window.findChild<QAction*>("toggleGenerations")->trigger();
        return QTest::qWaitFor([this] { return list().model()->rowCount() > 0; }, 10'000);
    }
    ui::GenerationsView& view() { return *window.findChild<ui::GenerationsView*>(); }
    QTreeView& list() { return view().table(); }
    QModelIndex at(int mark, int stack = -1) {
        const auto top = view().model().index(mark, 0);
        return stack < 0 ? top : view().model().index(stack, 0, top);
    }
    static QString text(const QModelIndex& index, int column) {
        return index.siblingAtColumn(column).data().toString();
    }
    void click(const QModelIndex& index) {
        list().scrollTo(index);
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().visualRect(index).center());
    }
    void filter(const QModelIndex& index) {
        click(index);
        QTest::keyClick(&list(), Qt::Key_Space);
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
    /// Sum of all rows in the table.
    SignedByteCount impactingSize() {
        auto& planner = panel().planner();
        const auto table = analysis::GroupedTable::compute(planner.trace(), planner.labels(), planner.tableQuery());
        return std::get<std::int64_t>(
            table.value()->value(analysis::GroupedTable::kRoot, analysis::Column::ImpactingSize));
    }
    QString message() { return window.findChild<ui::MessageStrip*>("windowMessage")->message(); }
};

} // namespace

/// Marks on a trace that is open, and the Generations page, by mouse and keys.
class GenerationsControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void ctrlMMarksWhereTheMouseIs() {
        MarksOnATrace stage;
        QVERIFY(!stage.window.findChild<QAction*>("markRecording")->isEnabled());
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.window.findChild<QAction*>("markRecording")->isEnabled());
        stage.markAt(12);
        QCOMPARE(stage.markNames(), QStringList{"Mark 1"});
        QVERIFY(stage.marks().isVisible());
        QVERIFY2(std::abs(stage.markedAt(0) - 12) < 0.1, qPrintable(QString::number(stage.markedAt(0))));
        QVERIFY2(stage.message().contains("as long as this trace is open"), qPrintable(stage.message()));
        QCOMPARE(stage.state().marks()->size(), std::size_t{1});
        stage.markAt(5); // an earlier one comes before it
        QCOMPARE(stage.markNames(), (QStringList{"Mark 2", "Mark 1"}));
        QVERIFY(stage.open({path_})); // another time
        QCOMPARE(stage.markNames(), QStringList());
    }

    void withoutACursorTheInstantOrTheMiddleIsMarked() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        QTest::mouseMove(&stage.window, QPoint(5, 5));
        QVERIFY(QTest::qWaitFor([&] { return !stage.panel().timeline().cursor().has_value(); }));
        auto* mark = stage.window.findChild<QAction*>("markRecording");
        mark->trigger();
        QCOMPARE(stage.markedAt(0), 17.0);
        stage.state().showInstant(TraceTime{4'000'000'000});
        mark->trigger();
        QCOMPARE(stage.markedAt(0), 4.0);
        stage.state().showInstant(stage.state().wholeRange().end); // the end is exclusive
        mark->trigger();
        QVERIFY(stage.state().marks()->back().time < stage.state().wholeRange().end);
    }

    void marksAreRenamedDeletedAndBroughtBack() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(12);
        stage.markAt(22);
        stage.marks().setFocus(); // the new one is selected
        QTest::keyClick(&stage.marks(), Qt::Key_F2);
        auto* editor = stage.marks().findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "full");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(stage.markNames(), (QStringList{"Mark 1", "full"}));
        QTest::keyClick(&stage.marks(), Qt::Key_Delete);
        QCOMPARE(stage.markNames(), QStringList{"Mark 1"});
        QVERIFY2(stage.message().contains("Deleted the mark full"), qPrintable(stage.message()));
        auto* label = stage.window.findChild<ui::MessageStrip*>("windowMessage")->findChild<QLabel*>();
        emit label->linkActivated(QStringLiteral("act"));
        QCOMPARE(stage.markNames(), (QStringList{"Mark 1", "full"}));
    }

    void deletedMarksComeBackTheLastFirst() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(5);
        stage.markAt(10);
        auto& list = stage.window.findChild<app::MarkController*>()->marks();
        const auto marks = list.marks();
        list.remove({marks[0].ticks});
        list.remove({marks[1].ticks});
        QVERIFY(stage.markNames().isEmpty());
        auto* strip = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        auto* link = strip->findChild<QLabel*>("messageText");
        QVERIFY(strip->message().contains("Mark 2"));
        emit link->linkActivated("#");
        QCOMPARE(stage.markNames(), QStringList{"Mark 2"});
        QVERIFY(strip->isVisible() && strip->message().contains("Mark 1"));
        emit link->linkActivated("#");
        QCOMPARE(stage.markNames(), (QStringList{"Mark 1", "Mark 2"}));
        QVERIFY(!strip->isVisible());
    }

    void justAfterARecordingTheEndIsMarked() {
        MarksOnATrace stage;
        auto& session = stage.window.recordController().session();
        stage.window.recordController().startReplay(path_, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!session.isRecording() && stage.state().wholeRange().end.ns > 0, 30'000);
        QVERIFY(stage.wait());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(stage.marks().model().rowCount(), 1);
        const auto end = stage.state().wholeRange().end.ns;
        const auto marked = stage.marks().model().mark(0).time.ns;
        constexpr std::int64_t kTick = 100;        // in the file's clock
        constexpr std::int64_t kForLaterOnes = 33; // ticks: they come after it
        QVERIFY2(marked < end && marked >= end - kForLaterOnes * kTick, qPrintable(QString::number(marked)));
        session.discard();
    }

    void ctrlZUndoesTheLastThingWhateverItWas() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        auto& graph = stage.panel().graph();
        const auto query = analysis::QueryExpression::parse(Table::Heap, "Size:>1").value();
        graph.addFilter({.clause = {}, .text = "Size:>1", .query = query});
        const auto whole = stage.state().visibleRange();
        QVERIFY(stage.zoom(5, 10));
        stage.panel().table().setFocus();
        QTest::keyClick(&stage.panel().table(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.state().visibleRange() == whole);
        QCOMPARE(graph.filterSteps().size(), std::size_t{1}); // it came before
        QTest::keyClick(&stage.panel().table(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(graph.filterSteps().empty());
    }

    void thePageListsBlocksKeptByMark() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(!stage.window.findChild<QDockWidget*>("generationsDock")->isVisible());
        stage.markAt(12);
        stage.markAt(22);
        QTest::keyClick(&stage.window, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(stage.list().model()->rowCount(), 3);
        QCOMPARE(stage.text(stage.at(0), GenerationsModel::kName), QString("Mark 1"));
        QCOMPARE(stage.text(stage.at(1), GenerationsModel::kGeneration), QString("2. Mark 1 to Mark 2"));
        QCOMPARE(stage.text(stage.at(2), GenerationsModel::kName), QString("(end of the interval)"));
        std::uint64_t kept = 0;
        for (const auto& generation : stage.view().model().answer()->found.generations)
            kept += generation.numbers.persistentCount;
        QCOMPARE(kept, std::uint64_t{1340});
        // Another mark while it is open.
        stage.markAt(17);
        QTRY_COMPARE(stage.list().model()->rowCount(), 4);
        // And another name, from the page.
        stage.list().setFocus();
        stage.list().setCurrentIndex(stage.at(1));
        QTest::keyClick(&stage.list(), Qt::Key_F2);
        auto* editor = stage.list().findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "loaded");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(stage.markNames().contains("loaded"));
        QTRY_COMPARE(stage.text(stage.at(1), GenerationsModel::kName), QString("loaded"));
        QCOMPARE(stage.chips(), QStringList()); // the key that ended editing did not open anything
    }

    void aClickFiltersAndOnceMoreTakesThatBack() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(12);
        QVERIFY(stage.openPage());
        QTRY_COMPARE(stage.list().model()->rowCount(), 2);
        stage.click(stage.at(1));
        QVERIFY(stage.chips().isEmpty()); // only selects
        stage.filter(stage.at(1));
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips(), QStringList{"Generation 2. after Mark 1"});
        QCOMPARE(stage.panel().graph().paintedRows().size(), std::size_t{1});
        QTRY_COMPARE(stage.list().model()->rowCount(), 2); // the page still shows all
        // All of it was allocated in the generation, so its impact is the part that is kept.
        const auto& second = stage.view().model().answer()->found.generations[1];
        QVERIFY(second.numbers.persistentBytes > 0);
        QCOMPARE(stage.impactingSize(), static_cast<SignedByteCount>(second.numbers.persistentBytes));
        stage.window.findChild<ui::MarksView*>()->model().setData(stage.marks().model().index(0, 0), "warm",
                                                                  Qt::EditRole);
        QTRY_COMPARE(stage.chips(), QStringList{"Generation 2. after warm"}); // the filter follows the new name
        stage.filter(stage.at(0));                                            // instead of it
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips(), QStringList{"Generation 1. before warm"});
        stage.filter(stage.at(0));
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips(), QStringList());
    }

    void enterOpensTheRowsOfAStack() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(12);
        QVERIFY(stage.openPage());
        QTRY_COMPARE(stage.list().model()->rowCount(), 2);
        stage.list().setFocus();
        stage.list().setCurrentIndex(stage.at(0));
        QTest::keyClick(&stage.list(), Qt::Key_Right);
        QTest::keyClick(&stage.list(), Qt::Key_Down);
        const auto* stack = stage.view().model().stack(stage.list().currentIndex());
        QVERIFY(stack != nullptr);
        const auto kept = stack->numbers.persistentBytes;
        const auto process = QString::fromStdString(stack->process);
        QTest::keyClick(&stage.list(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY2(stage.chips().first().startsWith("Generation 1. before Mark 1, "), qPrintable(stage.chips().first()));
        QVERIFY(stage.panel().graph().layout().isBottomUp());
        const auto row = stage.row({process});
        QVERIFY(row.isValid());
        QVERIFY(kept > 0);
        QCOMPARE(stage.impactingSize(), static_cast<SignedByteCount>(kept));
    }

    void aDoubleClickOpensTheRowsAndKeepsTheFilter() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(12);
        QVERIFY(stage.openPage());
        QTRY_COMPARE(stage.list().model()->rowCount(), 2);
        auto* viewport = stage.list().viewport();
        const auto place = stage.list().visualRect(stage.at(1)).center();
        QTest::mousePress(viewport, Qt::LeftButton, {}, place); // as done by hand
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, place);
        QMouseEvent again(QEvent::MouseButtonDblClick, place, viewport->mapToGlobal(place), Qt::LeftButton,
                          Qt::LeftButton, {});
        QApplication::sendEvent(viewport, &again);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, place);
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips(), QStringList{"Generation 2. after Mark 1"});
        QVERIFY(stage.panel().graph().layout().isBottomUp());
    }

    void withoutMarksItSaysHowTheyAreMade() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.openPage());
        QCOMPARE(stage.list().model()->rowCount(), 1);
        const auto summary = stage.view().findChild<QLabel*>("generationsSummary")->text();
        QVERIFY2(summary.contains("Ctrl+M"), qPrintable(summary));
    }

    void followsARecording() {
        MarksOnATrace stage;
        auto& session = stage.window.recordController().session();
        stage.window.recordController().startReplay(path_, 10);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window.tabs().shown().trace() != nullptr, 30'000);
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QVERIFY(stage.openPage());
        QTRY_VERIFY_WITH_TIMEOUT(stage.window.findChild<QAction*>("markRecording")->isEnabled(), 30'000);
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier); // this moment, wherever the mouse is
        QTRY_COMPARE_WITH_TIMEOUT(stage.list().model()->rowCount(), 2, 30'000);
        QTest::qWait(100);
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(stage.list().model()->rowCount(), 3, 30'000);
        QCOMPARE(stage.text(stage.at(1), GenerationsModel::kName), QString("Mark 2"));
        session.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!session.isRecording(), 30'000);
        stage.markAt(0.1); // and on, now in the past
        QTRY_COMPARE_WITH_TIMEOUT(stage.list().model()->rowCount(), 4, 30'000);
        session.discard();
    }

    void followsTheIntervalAndTheTable() {
        MarksOnATrace stage;
        QVERIFY(stage.begin(path_));
        stage.markAt(12);
        QVERIFY(stage.openPage());
        QTRY_COMPARE(stage.list().model()->rowCount(), 2);
        QVERIFY(stage.zoom(14, 20));
        QTRY_COMPARE(stage.list().model()->rowCount(), 1); // the mark is before it
        QCOMPARE(stage.text(stage.at(0), GenerationsModel::kGeneration), QString("2. after Mark 1"));
        QVERIFY(stage.showOnly(Table::VirtualAlloc));
        QTRY_COMPARE(stage.view().model().answer()->query.table, Table::VirtualAlloc);
    }
};
HIGHWATER_TEST(GenerationsControllerTest);
#include "generations_controller_test.moc"

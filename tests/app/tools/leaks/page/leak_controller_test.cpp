#include "app/tools/leaks/page/leak_controller.h"
#include "app/tools/leaks/page/leak_table_model.h"
#include "app/tools/leaks/page/leaks_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// The window with the Exercise 2 trace, showing only its heaps, and the Leaks page open.
struct LeaksStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::Heap)) return false;
        window.findChild<QAction*>("toggleLeaks")->trigger();
        return QTest::qWaitFor([this] { return rows() > 0 && !text(0, ui::LeakTableModel::kOwner).contains("naming"); },
                               10'000);
    }
    ui::LeaksView& view() { return *window.findChild<ui::LeaksView*>(); }
    QTreeView& list() { return view().table(); }
    int rows() { return list().model()->rowCount(); }
    QString text(int row, int column) { return list().model()->index(row, column).data().toString(); }
    int rowOfKind(const char* kind) {
        for (int row = 0; row < rows(); ++row) {
            if (text(row, ui::LeakTableModel::kKind) == kind) return row;
        }
        return -1;
    }
    QString summary() { return view().findChild<QLabel*>("leaksSummary")->text(); }
    QString reason() { return view().findChild<QLabel*>("leakReason")->text(); }
    void click(int row, bool isDouble = false) {
        const auto place = list().visualRect(list().model()->index(row, ui::LeakTableModel::kOwner)).center();
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, place);
        if (isDouble) QTest::mouseDClick(list().viewport(), Qt::LeftButton, {}, place);
    }
    void filter(int row) {
        click(row);
        QTest::keyClick(&list(), Qt::Key_Space);
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

} // namespace

/// The Leaks page in the window, by mouse and keys.
class LeakControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;
    QString owner_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(path_.toStdString()).hasValue());
        owner_ = QString::fromStdString(trace.addresses().label("MemoryTestApp.exe!operator new"));
        owner_ = owner_.section('!', 0, 0);
    }

    void isHiddenUntilItsKeyIsPressed() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto* dock = stage.window.findChild<QDockWidget*>("leaksDock");
        QVERIFY(!dock->isVisible());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(dock->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "leakTable");
    }

    /// The page was open when the trace was opened: this suffices without a view of any stack.
    void wantsTheNamesOfEachTraceThatItShows() {
        WindowStage stage;
        stage.window.findChild<QAction*>("toggleLeaks")->trigger();
        QSignalSpy wanted(stage.window.findChild<app::LeakController*>(), &app::LeakController::namesWanted);
        QVERIFY(stage.open({path_}));
        QVERIFY(!wanted.isEmpty());
        wanted.clear();
        QVERIFY(stage.open({path_}));
        QVERIFY(!wanted.isEmpty());
        QVERIFY(stage.window.symbolSession().isLoading());
    }
    /// Each publication widens the interval: a slow answer must be shown all the same, or names that were found since
    /// the last one would never become visible.
    void answersWhileARecordingGrows() {
        QMainWindow window;
        auto* tabs = new ui::AnalysisTabs;
        window.setCentralWidget(tabs);
        auto* page = new app::LeakController(
            *tabs, window, [](const auto&, const std::stop_token& stop) -> Result<analysis::LeakReport> {
                for (int i = 0; i < 30; ++i) {
                    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "cancelled"};
                    QThread::msleep(10);
                }
                return analysis::LeakReport{};
            });
        SmallTrace trace;
        trace.process(1, "a.exe");
        const auto labels = std::make_shared<analysis::FrameLabels>();
        window.show();
        tabs->shown().setLoading(true);
        tabs->shown().show(trace.publish(1000), labels);
        page->toggleAction()->trigger();
        QSignalSpy answers(page, &app::LeakController::upToDate);
        for (int i = 1; i <= 30 && answers.isEmpty(); ++i) {
            tabs->shown().show(trace.publish(1000 + 100 * i), labels);
            QTest::qWait(100);
        }
        QVERIFY(!answers.isEmpty());
        delete page; // before the tabs that it refers to
    }

    void namesTheLeakAndItsReason() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        QCOMPARE(stage.text(0, ui::LeakTableModel::kCount), "957");
        QCOMPARE(stage.text(0, ui::LeakTableModel::kOutstanding), "37.4 KB");
        QCOMPARE(stage.text(0, ui::LeakTableModel::kVerdict), "Still growing");
        QVERIFY(stage.text(0, ui::LeakTableModel::kOwner).startsWith("MemoryTestApp.exe!"));
        QVERIFY2(stage.summary().startsWith("Heap Allocations, 0.000000 s to 34.000000 s: 237.7 KB kept by 5 stacks"),
                 qPrintable(stage.summary()));
        // The first suspect is shown without a click.
        QVERIFY2(stage.reason().contains("957 allocations (37.4 KB), none of them freed"), qPrintable(stage.reason()));
        auto* stack = stage.view().findChild<QListWidget*>("leakStack");
        QCOMPARE(stack->currentItem()->text(), stage.text(0, ui::LeakTableModel::kOwner));
        QVERIFY(stage.panel().graph().filterSteps().empty());
    }

    void aClickOnlySelects() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.click(1);
        QVERIFY(stage.chips().isEmpty());
        QCOMPARE(stage.list().currentIndex().row(), 1);
        QVERIFY2(stage.reason().contains("5,041 allocations"), qPrintable(stage.reason()));
        QCOMPARE(stage.panel().graph().paintedRows().size(), std::size_t{1});
    }
    void aButtonShowsTheRowsOfTheSelectedStack() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.click(0);
        auto* button = stage.view().findChild<QAbstractButton*>("showRows");
        QVERIFY(button && button->isVisible() && button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QTRY_COMPARE(stage.panel().model().keyText(stage.panel().table().currentIndex()),
                     stage.text(0, ui::LeakTableModel::kOwner)); // after "(naming…)"
    }

    void ctrlZTakesAFilterBack() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.activateWindow(); // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        stage.filter(0);
        QCOMPARE(stage.chips().size(), 1);
        QTest::keyClick(&stage.list(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
    }

    void spaceFiltersAndOnceMoreTakesThatBack() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        const auto all = stage.rows();
        stage.filter(0);
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(stage.wait());
        QVERIFY2(stage.chips().first().startsWith("Leak: MemoryTestApp.exe!"), qPrintable(stage.chips().first()));
        QCOMPARE(stage.cell({kProcess}, analysis::Column::Count), "957");
        QTRY_COMPARE(stage.rows(), all); // the page still shows all
        stage.filter(1);                 // instead of the first
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QCOMPARE(stage.cell({kProcess}, analysis::Column::Count), "5,041");
        stage.filter(1);
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
    }

    void spaceFiltersEnterOpensTheRows() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.list().setFocus();
        QTest::keyClick(&stage.list(), Qt::Key_Space);
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(stage.wait());
        QTest::keyClick(&stage.list(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(stage.panel().graph().layout().isBottomUp());
        auto& table = stage.panel().table();
        // The owner is selected, not the other end of the stack.
        const auto owner = stage.text(0, ui::LeakTableModel::kOwner);
        QTRY_COMPARE(stage.panel().model().keyText(table.currentIndex()), owner);
        QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
    }

    void behindAnotherPageItsKeyBringsItToTheFront() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        auto* dock = stage.window.findChild<QDockWidget*>("leaksDock");
        auto* leaks = stage.window.findChild<QAction*>("toggleLeaks");
        stage.window.findChild<QAction*>("toggleHistogram")->trigger();
        QTRY_VERIFY(dock->visibleRegion().isEmpty());
        QTest::qWait(10);
        leaks->trigger();
        QTRY_VERIFY(!dock->isHidden() && !dock->visibleRegion().isEmpty());
        QVERIFY(leaks->isChecked());
        QTest::qWait(10);
        leaks->trigger(); // now it is visible
        QVERIFY(dock->isHidden());
    }
    void theSelectedOneIsPainted() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.list().setFocus();
        QTest::keyClick(&stage.list(), Qt::Key_Down);
        QCOMPARE(stage.panel().graph().paintedRows().size(), 1u);
        QCOMPARE(stage.panel().graph().paintedRows().front(), stage.view().selected()->path);
        QVERIFY(stage.panel().graph().filterSteps().empty());
    }

    void followsTheIntervalAndTheFilter() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.zoom(12, 22));
        QTRY_VERIFY2(stage.summary().startsWith("Heap Allocations, 12.000000 s to 22.000000 s"),
                     qPrintable(stage.summary()));
        const auto process = stage.row({"explorer.exe (1200)"});
        QVERIFY(process.isValid());
        stage.panel().graph().addFilter({.clause = {.mode = analysis::RowFilter::Clause::Mode::Keep,
                                                    .anyOf = {stage.panel().model().pathOf(process)}},
                                         .text = "explorer",
                                         .scope = ui::FilterScope::AllGraphs});
        QTRY_COMPARE(stage.rows(), 1);
        QVERIFY(stage.text(0, ui::LeakTableModel::kOwner).startsWith("explorer.exe!"));
    }

    void theFreesGraphSharesTheAllocationFilter() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        auto& heap = stage.panel().graph();
        heap.addFilter({.clause = {.mode = analysis::RowFilter::Clause::Mode::Keep,
                                   .anyOf = {stage.panel().model().pathOf(stage.row({"explorer.exe (1200)"}))}},
                        .text = "explorer",
                        .scope = ui::FilterScope::AllGraphs});
        QTRY_COMPARE(stage.rows(), 1);
        stage.window.tabs().current().showGraph(Table::Frees);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel().graph().table(), Table::Frees);
        QTest::qWait(50);
        QTRY_COMPARE(stage.rows(), 1);
        heap.clearFilter();
        QTRY_VERIFY(stage.rows() > 1);
        stage.filter(0); // filters the allocations graph, where the filter is removed again
        QTRY_COMPARE(heap.filterSteps().size(), std::size_t{1});
    }

    void bothTablesAreSearchedWhicheverGraphIsCurrent() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        QTRY_VERIFY(!stage.summary().contains("searching"));
        const auto summary = stage.summary();
        QVERIFY2(summary.contains("; VirtualAlloc Commit LifeTimes: "), qPrintable(summary));
        const auto all = stage.rows();
        QVERIFY(stage.showOnly(Table::VirtualAlloc));
        QTest::qWait(50);
        QTRY_COMPARE(stage.summary(), summary);
        QCOMPARE(stage.rows(), all);
        QCOMPARE(stage.text(0, ui::LeakTableModel::kKind), "Heap");
        QVERIFY(stage.rowOfKind("VirtualAlloc") > 0);
    }

    void aSuspectIsShownInTheGraphOfItsTable() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        auto& heap = stage.panel().graph();
        stage.list().setFocus();
        const auto row = stage.rowOfKind("VirtualAlloc");
        for (int i = 0; i < row; ++i)
            QTest::keyClick(&stage.list(), Qt::Key_Down);
        QCOMPARE(stage.view().selected()->table, Table::VirtualAlloc);
        QCOMPARE(stage.panel().graph().table(), Table::VirtualAlloc);
        QCOMPARE(stage.panel().graph().paintedRows(), std::vector<analysis::KeyPath>{stage.view().selected()->path});
        QVERIFY(heap.paintedRows().empty()); // that of the suspect before
        QCOMPARE(QApplication::focusWidget()->objectName(), "leakTable");

        QTest::keyClick(&stage.list(), Qt::Key_Space);
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(heap.filterSteps().empty());
        auto& pages = stage.panel().graph();
        QTest::keyClick(&stage.list(), Qt::Key_Home);
        QTest::keyClick(&stage.list(), Qt::Key_Space); // instead of the other
        QVERIFY(stage.wait());
        QCOMPARE(heap.filterSteps().size(), std::size_t{1});
        QVERIFY(pages.filterSteps().empty());
        QTest::keyClick(&stage.list(), Qt::Key_Space);
        QVERIFY(stage.wait());
        QVERIFY(heap.filterSteps().empty());
    }

    void theSelectionStaysWhenTheCurrentGraphChanges() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.list().setFocus();
        const auto row = stage.rowOfKind("VirtualAlloc");
        for (int i = 0; i < row; ++i)
            QTest::keyClick(&stage.list(), Qt::Key_Down);
        const auto path = stage.view().selected()->path;
        QVERIFY(stage.zoom(0.5, 33));
        QTRY_VERIFY(stage.summary().contains("0.500000 s to 33.000000 s"));
        QCOMPARE(stage.view().selected()->path, path);
        QCOMPARE(stage.view().selected()->table, Table::VirtualAlloc);
    }

    void saysWhichTableIsFiltered() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.panel().graph().addFilter(
            {.clause = {.mode = analysis::RowFilter::Clause::Mode::Keep,
                        .anyOf = {stage.panel().model().pathOf(stage.row({"explorer.exe (1200)"}))}},
             .text = "explorer"});
        QTRY_VERIFY2(stage.summary().startsWith("Heap Allocations (filtered), "), qPrintable(stage.summary()));
        QVERIFY(stage.summary().contains("; VirtualAlloc Commit LifeTimes: "));
    }

    /// A program that frees everything as it exits.
    void leadsToTheTimeBeforeTheExit() {
        constexpr Address kHeap = 0x10000;
        fixtures::TraceBuilder trace;
        trace.endsAt(fixtures::seconds(11));
        trace.processStarts(fixtures::seconds(0.5), {.pid = 7, .name = "server.exe", .mainTid = 8});
        for (unsigned i = 0; i < 100; ++i) {
            const auto block = kHeap + 0x10000 * (i + 1);
            trace.heapAlloc({fixtures::seconds(1 + i * 0.08), 7, 8}, kHeap, {block, 4096}, "server.exe!remember");
            trace.heapFree({fixtures::seconds(9.9 + i * 0.0001), 7, 8}, kHeap, block);
        }
        trace.heapAlloc({fixtures::seconds(9.95), 7, 8}, kHeap, {0x900, 64}, "server.exe!main");
        trace.processEnds(fixtures::seconds(10), 7);
        const auto path = folder_.filePath("exits.etl");
        QVERIFY(trace.writeTo(path.toStdString()).hasValue());
        LeaksStage stage;
        QVERIFY(stage.begin(path));
        auto* text = stage.view().findChild<QLabel*>("leaksExitText");
        QTRY_VERIFY(text->isVisible());
        QVERIFY2(text->text().contains("as server.exe exited"), qPrintable(text->text()));
        QTest::mouseClick(stage.view().findChild<QPushButton*>("leaksExitZoom"), Qt::LeftButton);
        QTRY_VERIFY2(stage.reason().contains("100 allocations (400.0 KB)"), qPrintable(stage.reason()));
        QVERIFY(!text->isVisible());
    }

    void copiesTheReasonWithItsStack() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.list().setFocus();
        QTest::keyClick(&stage.list(), Qt::Key_C, Qt::ControlModifier);
        const auto text = QApplication::clipboard()->text();
        QVERIFY2(text.contains("957 allocations"), qPrintable(text));
        QVERIFY(text.contains("\n    ntdll.dll!"));
    }

    void forgetsTheTraceWithIt() {
        LeaksStage stage;
        QVERIFY(stage.begin(path_));
        stage.filter(0);
        QVERIFY(stage.wait());
        QVERIFY(stage.open({path_}));
        QTRY_VERIFY(stage.rows() > 0);
        QVERIFY(stage.chips().isEmpty());
    }
};

HIGHWATER_TEST(LeakControllerTest);
#include "leak_controller_test.moc"

#include "app/tools/heaps/page/heaps_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QListWidget>
#include <QStyleOptionHeader>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column, analysis::Table, ui::HeapTableModel;

namespace {

/// The window with the Exercise 2 trace, showing only its heaps, and the Heaps page open.
struct HeapPageStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::Heap)) return false;
        window.findChild<QAction*>("toggleHeaps")->trigger();
        return QTest::qWaitFor([this] { return view().model().rowCount() > 0; }, 10'000);
    }
    ui::HeapsView& view() { return *window.findChild<ui::HeapsView*>(); }
    int rowOf(const QString& handle, const QString& process = "MemoryTestApp.exe (4242)") {
        for (int row = 0; row < shown().rowCount(); ++row) {
            if (text(row, HeapTableModel::kHandle) == handle && text(row, HeapTableModel::kProcess) == process)
                return row;
        }
        return -1;
    }
    QAbstractItemModel& shown() { return *view().table().model(); }
    QString text(int row, int column) { return shown().index(row, column).data().toString(); }
    void click(int row) {
        auto& table = view().table();
        const auto index = shown().index(row, HeapTableModel::kHandle);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
    void filter(int row) {
        click(row);
        QTest::keyClick(&view().table(), Qt::Key_Space);
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

} // namespace

/// The Heaps page in the window, by mouse and keys.
class HeapControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    /// A row of the heap table is expanded down to single blocks, and one of them is painted, when another page
    /// rearranges the table: no row contains the block any more.
    void aSingleBlockThatIsPaintedAndInNoRowHasAName() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.panel().graph().paintRows({{{Column::Allocation, 3}}});
        auto* legend = stage.panel().findChild<ui::SeriesLegendView*>();
        QTRY_VERIFY(!legend->findItems("A single allocation", Qt::MatchContains | Qt::MatchRecursive).isEmpty());
    }

    void isHiddenUntilItsKeyIsPressed() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto* dock = stage.window.findChild<QDockWidget*>("heapsDock");
        QVERIFY(!dock->isVisible());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dock->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "heapTable");
    }

    void showsTheCreatorOfAHeap() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        const QAbstractItemModelTester tester(&stage.shown());
        const auto row = stage.rowOf("0x2b0000");
        QVERIFY(row >= 0);
        QVERIFY2(stage.text(row, HeapTableModel::kCreator).startsWith("MemoryTestApp.exe!"),
                 qPrintable(stage.text(row, HeapTableModel::kCreator)));
        QVERIFY(stage.text(row, HeapTableModel::kSlack).isEmpty()); // its ranges were not recorded
        stage.click(row);
        QVERIFY(stage.window.findChild<QListWidget*>("heapStack")->count() > 2);
        const auto other = stage.rowOf("0x1d0000", "explorer.exe (1200)");
        QVERIFY(other >= 0);
        QVERIFY(stage.text(other, HeapTableModel::kCreator).startsWith('('));
    }

    void spaceFiltersToAHeapAndOnceMoreTakesThatBack() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        const auto rows = stage.shown().rowCount();
        const auto row = stage.rowOf("0x1d0000");
        stage.click(row);
        QVERIFY(stage.chips().isEmpty()); // only selects
        stage.filter(row);
        QCOMPARE(stage.chips(), QStringList{"Heap: 0x1d0000"});
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.shown().rowCount(), rows); // the page still shows all
        stage.filter(stage.rowOf("0x1d0000"));
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
    }

    void ctrlZTakesTheFilterBackWhereverTheFocusIs() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.activateWindow(); // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        stage.filter(stage.rowOf("0x1d0000"));
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QCOMPARE(QApplication::focusWidget(), &stage.view().table());
        QTest::keyClick(&stage.view().table(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
        QCOMPARE(QApplication::focusWidget(), &stage.view().table());
        QVERIFY(stage.zoom(10, 20)); // whatever was done last
        auto* stack = stage.window.findChild<QListWidget*>("heapStack");
        stack->setFocus();
        QTest::keyClick(stack, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!stage.state().isZoomed());
    }

    /// The largest is at the top: the arrow points down, as in the main table.
    void theSortArrowMatchesThatOfTheTable() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        auto& header = *stage.view().table().header();
        const auto arrowOf = [&](Qt::SortOrder order) {
            stage.view().table().sortByColumn(HeapTableModel::kLive, order);
            const QRect place(header.sectionViewportPosition(HeapTableModel::kLive), 0,
                              header.sectionSize(HeapTableModel::kLive), header.height());
            return header.grab(place).toImage();
        };
        const auto descending = arrowOf(Qt::DescendingOrder), ascending = arrowOf(Qt::AscendingOrder);
        QVERIFY(descending != ascending);
        QTreeView plain;
        plain.setModel(&stage.shown());
        plain.setSortingEnabled(true);
        QStyleOptionHeader option;
        struct Asked : QHeaderView {
            using QHeaderView::initStyleOptionForIndex;
        };
        const auto told = [&](QHeaderView& of) {
            option = {};
            (of.*(&Asked::initStyleOptionForIndex))(&option, HeapTableModel::kLive);
            return option.sortIndicator;
        };
        stage.view().table().sortByColumn(HeapTableModel::kLive, Qt::DescendingOrder);
        plain.sortByColumn(HeapTableModel::kLive, Qt::DescendingOrder);
        // Qt's value for both: the style of the program turns it, for all headers (ThemeTest).
        QVERIFY(told(header) == QStyleOptionHeader::SortUp);
        QVERIFY(told(*plain.header()) == QStyleOptionHeader::SortUp);
    }

    void noColumnIsCutOffInASmallWindow() {
        HeapPageStage stage;
        stage.window.resize(1000, 700);
        QVERIFY(stage.begin(path_));
        auto& table = stage.view().table();
        for (int column = 0; column < HeapTableModel::kColumns; ++column) {
            if (column == HeapTableModel::kProcess || column == HeapTableModel::kCreator) continue; // are elided
            if (table.isColumnHidden(column)) continue;
            const auto right = table.columnViewportPosition(column) + table.columnWidth(column);
            QVERIFY2(right <= table.viewport()->width(), qPrintable(QString::number(column)));
            for (int row = 0; row < stage.shown().rowCount(); ++row) {
                const auto needs = table.fontMetrics().horizontalAdvance(stage.text(row, column));
                QVERIFY2(table.columnWidth(column) > needs, qPrintable(stage.text(row, column)));
            }
        }
    }

    void enterOpensItsRows() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.click(stage.rowOf("0x1d0000"));
        QTest::keyClick(&stage.view().table(), Qt::Key_Return);
        QVERIFY(stage.wait());
        const auto keys = stage.panel().graph().layout().keyColumns();
        QCOMPARE(keys.size(), std::size_t{2});
        QVERIFY(keys[0] == Column::Process && keys[1] == Column::Handle);
        QCOMPARE(stage.chips(), QStringList{"Heap: 0x1d0000"});
    }

    void aHandleOfTheTableLeadsToItsHeap() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.findChild<QDockWidget*>("heapsDock")->hide();
        stage.click(0); // the page is hidden: nothing happens
        auto* action = stage.panel().table().findChild<QAction*>("heapOfSelection");
        QVERIFY(action != nullptr);
        stage.panel().graph().setLayout([&] {
            auto layout = stage.panel().graph().layout();
            layout.keys = {Column::Process, Column::Handle};
            return layout;
        }());
        QVERIFY(stage.wait());
        auto& table = stage.panel().table();
        const auto process = [&] { return table.model()->index(0, 0); }; // again: answers replace rows
        table.setCurrentIndex(process());
        QVERIFY(!action->isEnabled());
        QTest::keyClick(&table, Qt::Key_Right);
        QVERIFY(stage.wait());
        QTRY_VERIFY(table.model()->rowCount(process()) > 0);
        const auto heap = table.model()->index(0, 0, process());
        const auto handle = heap.data(ui::GroupedTableModel::PathRole).value<analysis::KeyPath>().back().key;
        table.setCurrentIndex(heap);
        QTRY_VERIFY(action->isEnabled());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_H);
        QTRY_VERIFY(stage.window.findChild<QDockWidget*>("heapsDock")->isVisible());
        QTRY_VERIFY(stage.view().selected() != nullptr);
        QTRY_COMPARE(stage.view().selected()->handle, handle);
    }

    void followsTheInterval() {
        HeapPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.state().zoomTo({TraceTime{0}, TraceTime{1}}); // the heap of the test does not exist yet
        QTRY_VERIFY(stage.rowOf("0x2b0000") < 0);
        stage.state().showAll();
        QTRY_VERIFY(stage.rowOf("0x2b0000") >= 0);
    }
};
HIGHWATER_TEST(HeapControllerTest);
#include "heap_controller_test.moc"

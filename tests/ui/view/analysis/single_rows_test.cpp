#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

constexpr int kAllocations = 2500;

/// One process with this many commits of one stack; every third is larger.
struct SingleRowsStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    AnalysisTabs tabs;

    explicit SingleRowsStage(std::vector<LayoutColumn> keys = {Column::Process}) {
        trace.process(1, "a.exe");
        for (int i = 0; i < kAllocations; ++i) {
            const auto address = 0x100000 + static_cast<std::uint64_t>(i) * 0x10000;
            trace.commit(100 + i / 10, 1, address, (i % 3 == 0 ? 2 : 1) * kPage, {0x400300, 0x400100});
        }
        tabs.resize(1000, 700);
        tabs.show();
        tabs.shown().show(trace.publish(1000), labels);
        auto layout = tabs.currentPanel()->graph().layout();
        layout.keys = std::move(keys);
        layout.columns = {Column::Count, Column::Size};
        layout.graphed = 1;
        layout.sort = {{Column::Size, true}};
        tabs.currentPanel()->graph().setLayout(layout);
        wait();
    }
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return tabs.isUpToDate(); });
    }
    GroupedTableView& table() { return tabs.currentPanel()->table(); }
    GroupedTableModel& model() { return tabs.currentPanel()->model(); }
    QModelIndex leaf() { return model().index(0, 0); }
    void press(int key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&table(), static_cast<Qt::Key>(key), with); }
    bool openLeaf() {
        table().setFocus();
        table().setCurrentIndex(leaf());
        press(Qt::Key_Right);
        return QTest::qWaitFor([this] { return model().rowCount(leaf()) > 0; });
    }
    QModelIndex single(int row, int section = 0) { return model().index(row, section, leaf()); }
    void scrollToEnd() {
        table().layOutNow(); // the scroll bar must include the new rows
        table().verticalScrollBar()->setValue(table().verticalScrollBar()->maximum());
    }
};

} // namespace

class SingleRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void aLeafOpensIntoItsAllocations() {
        SingleRowsStage stage;
        QVERIFY(stage.model().hasChildren(stage.leaf()));
        QVERIFY(!stage.table().isExpanded(stage.leaf())); // not automatically
        QVERIFY(stage.openLeaf());
        QCOMPARE(stage.model().rowCount(stage.leaf()), 1001); // a page, and the line for the rest
        const auto first = stage.model().keyText(stage.single(0));
        QCOMPARE(first, "0x100000 · since 0.100000 s · 8.0 KB · thread 2");
        QCOMPARE(stage.single(0, 2).data().toString(), "1");
        QCOMPARE(stage.single(0, 3).data().toString(), "8.0 KB"); // the largest first
        QCOMPARE(stage.single(0, 1).data().toString(), first);
        QCOMPARE(stage.model().keyText(stage.single(1000)), "1,500 more…");
    }
    void theOthersComeWhereTheReaderIs() {
        SingleRowsStage stage;
        QVERIFY(stage.openLeaf());
        stage.scrollToEnd();
        QTRY_COMPARE(stage.model().rowCount(stage.leaf()), 2001);
        QTest::qWait(30);
        QCOMPARE(stage.model().rowCount(stage.leaf()), 2001); // unwatched rows stay where they are
        QCOMPARE(stage.model().keyText(stage.single(2000)), "500 more…");
        stage.scrollToEnd();
        QTRY_COMPARE(stage.model().rowCount(stage.leaf()), kAllocations);
        QCOMPARE(stage.single(kAllocations - 1, 3).data().toString(), "4.0 KB");
        QVERIFY(!stage.model().isMore(stage.single(kAllocations - 1)));
        // They are also in the next answer, and stay where they are.
        auto layout = stage.tabs.currentPanel()->graph().layout();
        layout.columns.insert(layout.columns.begin(), Column::Allocated);
        stage.tabs.currentPanel()->graph().setLayout(layout);
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.model().rowCount(stage.leaf()), kAllocations);
        QVERIFY(stage.table().isExpanded(stage.leaf()));
    }
    void anAllocationIsSelectedFilteredAndPainted() {
        SingleRowsStage stage;
        QVERIFY(stage.openLeaf());
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.table().currentIndex().row(), 1);
        QCOMPARE(stage.tabs.currentPanel()->graph().paintedRows().size(), std::size_t{1});
        QVERIFY(stage.wait());
        const auto text = stage.model().keyText(stage.single(1));
        stage.press(Qt::Key_F);
        QVERIFY(stage.wait());
        const auto& steps = stage.tabs.currentPanel()->graph().filterSteps();
        QCOMPARE(steps.size(), std::size_t{1});
        QVERIFY2(steps.front().text.contains(text), qPrintable(steps.front().text));
        QTRY_COMPARE(stage.model().index(0, 2).data().toString(), "1");
    }
    void stacksOpenToTheirLeavesOnly() {
        SingleRowsStage stage({Column::Process, Column::Stack});
        stage.table().setFocus();
        stage.table().setCurrentIndex(stage.leaf());
        stage.press(Qt::Key_Right, Qt::ControlModifier); // the hot path
        QTRY_VERIFY(stage.table().currentIndex().parent().parent().isValid());
        auto leaf = stage.table().currentIndex().siblingAtColumn(0);
        QVERIFY(stage.model().isLeaf(leaf));
        QVERIFY(!stage.table().isExpanded(leaf));
        QSignalSpy callers(&stage.table(), &GroupedTableView::callersWanted);
        QTest::mouseDClick(stage.table().viewport(), Qt::LeftButton, {},
                           stage.table().visualRect(leaf.siblingAtColumn(2)).center());
        QCOMPARE(callers.size(), 1); // as for every frame that calls nothing
        QVERIFY(!stage.table().isExpanded(leaf));
        stage.press(Qt::Key_Return);
        QTRY_COMPARE(stage.model().rowCount(leaf), 1001);
        stage.table().collapseEverything();
        QVERIFY(!stage.table().isExpanded(leaf));
    }
    void missingRowsAreNotShown() {
        SingleRowsStage stage;
        QVERIFY(stage.openLeaf());
        const auto more = stage.single(1000);
        QVERIFY(stage.model().isMore(more));
        QVERIFY(!stage.model().flags(more).testFlag(Qt::ItemIsSelectable));
        QCOMPARE(stage.table().shownRows().rows.size(), std::size_t{1001}); // the leaf and a page
    }
};
HIGHWATER_TEST(SingleRowsTest);
#include "single_rows_test.moc"

#include "app/tools/fleet/page/fleet_list.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

struct ListStage {
    FakeFleet fleet;
    FleetList list{"Choose"};

    ListStage() {
        show(fleet.grew);
        list.resize(900, 300);
        list.show();
        (void)QTest::qWaitForWindowExposed(&list);
        list.setFocus();
    }
    void show(const fleet::GrewAnswer& grew) {
        FleetAnswer answer;
        answer.found = grew;
        list.setTable(std::make_shared<const FleetTable>(tableOf(answer)));
    }
    QString text(int row, int column) { return list.model()->index(row, column).data().toString(); }
};

} // namespace

class FleetListTest : public QObject {
    Q_OBJECT
  private slots:
    void isSortedByAClickOnATitle() {
        ListStage stage;
        const QAbstractItemModelTester tester(stage.list.model());
        QCOMPARE(stage.text(0, 0), "app!leak"); // in the order of the answer
        auto& header = *stage.list.header();
        const QPoint owner(header.sectionViewportPosition(0) + 20, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, owner);
        const auto first = stage.text(0, 0);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, owner);
        QVERIFY(stage.text(0, 0) != first);
    }
    void framesHaveTheWholeRow() {
        ListStage stage;
        stage.list.expand(stage.list.indexOf(0));
        const auto stack = stage.list.indexOf(0);
        QVERIFY(stage.list.isFirstColumnSpanned(2, stack));
        stage.show(stage.fleet.grew); // stays open
        QVERIFY(stage.list.isFirstColumnSpanned(2, stage.list.indexOf(0)));
        QVERIFY(!stage.list.isFirstColumnSpanned(0, {}));
    }
    /// The columns are those of the previous answer and were wide enough for it.
    void numbersOfTheNextAnswerAreNotCut() {
        ListStage stage;
        auto wider = stage.fleet.grew;
        wider.rows[1].growth = 1'234'567'890'123'456;
        wider.rows[1].from.median = -1'000'000'000;
        stage.show(wider);
        for (int column = 1; column < 6; ++column) {
            for (int row = 0; row < 2; ++row) {
                const auto needed = stage.list.fontMetrics().horizontalAdvance(stage.text(row, column));
                QVERIFY2(stage.list.columnWidth(column) > needed, qPrintable(stage.text(row, column)));
            }
        }
    }
    void reportsItsOrder() {
        ListStage stage;
        QCOMPARE(stage.list.order(), (std::vector<std::size_t>{0, 1}));
        stage.list.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(stage.list.order(), (std::vector<std::size_t>{1, 0}));
    }
    void framesKeepTheirOrderHoweverItIsSorted() {
        ListStage stage;
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            stage.list.sortByColumn(0, order);
            const auto stack = stage.list.indexOf(0);
            QCOMPARE(stage.list.model()->index(0, 0, stack).data().toString(), "libc.so!malloc");
            QCOMPARE(stage.list.model()->index(2, 0, stack).data().toString(), "app!main");
        }
    }
    void enterAndADoubleClickChoose() {
        ListStage stage;
        QSignalSpy chosen(&stage.list, &FleetList::rowChosen);
        QTest::keyClick(&stage.list, Qt::Key_Down);
        QTest::keyClick(&stage.list, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last()[0].value<std::size_t>(), std::size_t{1});
        const auto place = stage.list.visualRect(stage.list.indexOf(0)).center();
        QTest::mouseClick(stage.list.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(stage.list.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(chosen.last()[0].value<std::size_t>(), std::size_t{0});
    }
    void aFrameChoosesItsStack() {
        ListStage stage;
        QSignalSpy chosen(&stage.list, &FleetList::rowChosen);
        QTest::keyClick(&stage.list, Qt::Key_Down);
        QTest::keyClick(&stage.list, Qt::Key_Right); // opens
        QTest::keyClick(&stage.list, Qt::Key_Down);
        QVERIFY(stage.list.currentIndex().parent().isValid());
        QTest::keyClick(&stage.list, Qt::Key_Enter);
        QCOMPARE(chosen.last()[0].value<std::size_t>(), std::size_t{1});
    }
    void nextAnswerKeepsOpenAndSelectedRows() {
        ListStage stage;
        stage.list.setCurrentIndex(stage.list.indexOf(1));
        stage.list.expand(stage.list.indexOf(1));
        auto turned = stage.fleet.grew;
        std::swap(turned.rows[0], turned.rows[1]);
        stage.show(turned);
        QCOMPARE(stage.list.selectedRow(), std::optional<std::size_t>(0));
        QVERIFY(stage.list.isExpanded(stage.list.indexOf(0)));
        QVERIFY(!stage.list.isExpanded(stage.list.indexOf(1)));
    }
    void copiesTitlesNumbersAndStacks() {
        ListStage stage;
        stage.list.selectAll();
        QTest::keyClick(&stage.list, Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 1 + 2 * 4);
        QCOMPARE(lines[0].section('\t', 0, 3), "Owner\tGrowth\tBefore\tAfter");
        QCOMPARE(lines[1].section('\t', 0, 3), "app!leak\t+512.0 KB\t100.0 KB\t612.0 KB");
        QCOMPARE(lines[2], "    libc.so!malloc");
    }
    void oldNumbersAreDimmedAndMarked() {
        ListStage stage;
        const auto before = stage.list.grab().toImage();
        stage.list.setOld(true);
        QVERIFY(stage.list.grab().toImage() != before);
        QVERIFY(!stage.list.accessibleDescription().isEmpty());
        stage.list.setOld(false);
        QCOMPARE(stage.list.grab().toImage(), before);
    }
    void nothingIsChosenInNothing() {
        ListStage stage;
        stage.list.setTable(nullptr);
        QSignalSpy chosen(&stage.list, &FleetList::rowChosen);
        QTest::keyClick(&stage.list, Qt::Key_Return);
        QTest::keyClick(&stage.list, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(chosen.size(), 0);
        QVERIFY(!stage.list.selectedRow());
    }
    /// Numbers are never cut: functions shrink, and the list scrolls as a last resort.
    void numbersHaveTheRoomThatTheyNeed() {
        ListStage stage;
        for (const int width : {500, 900, 1600}) {
            stage.list.resize(width, 300);
            for (int column = 1; column < stage.list.model()->columnCount(); ++column) {
                const auto needed = stage.list.fontMetrics().horizontalAdvance(stage.text(0, column));
                QVERIFY2(stage.list.columnWidth(column) > needed, qPrintable(stage.text(0, column)));
            }
        }
        QVERIFY(stage.list.columnWidth(0) > 600);
    }
};

HIGHWATER_TEST(FleetListTest);
#include "fleet_list_test.moc"

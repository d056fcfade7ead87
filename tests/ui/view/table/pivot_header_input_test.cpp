#include "tests/support/test_registry.h"
#include "tests/ui/view/table/pivot_header_stage.h"
#include "ui/state/table/layout_edit.h"
#include "ui/state/table/layout_sort.h"
#include "ui/view/table/header_painter.h"

#include <QMenu>
#include <QScrollBar>
#include <QToolTip>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::SortKey;
using Kind = HeaderSpot::Kind;

namespace {

struct PivotHeaderKeysStage : PivotHeaderStage {
    PivotHeaderKeysStage() {
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_F6);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(header, key, modifiers); }
};

} // namespace

/// Keys, and then the mouse.
class PivotHeaderInputTest : public QObject {
    Q_OBJECT
  private slots:
    void isReachedFromTheTableAndLeft() {
        PivotHeaderKeysStage stage;
        QVERIFY(stage.header->hasFocus());
        stage.key(Qt::Key_F6);
        QVERIFY(stage.view.hasFocus());
        QTest::keyClick(&stage.view, Qt::Key_F6);
        stage.key(Qt::Key_Escape);
        QVERIFY(stage.view.hasFocus());
    }
    void movesBetweenColumnsAndSaysWhichOne() {
        PivotHeaderKeysStage stage;
        QCOMPARE(stage.header->currentSection(), 1);
        stage.key(Qt::Key_Left); // not to the line number
        QCOMPARE(stage.header->currentSection(), 1);
        QCOMPARE(stage.header->accessibleDescription(), "Process, key");
        stage.key(Qt::Key_End);
        QCOMPARE(stage.header->accessibleDescription(), "Size, Sum, graphed value, sorted, largest first");
        stage.key(Qt::Key_Right);
        QCOMPARE(stage.header->currentSection(), 5);
        stage.key(Qt::Key_Home);
        QCOMPARE(stage.header->currentSection(), 1);
    }
    void movesAColumnOverTheGoldBarAndKeepsIt() {
        PivotHeaderKeysStage stage;
        stage.key(Qt::Key_Right);
        stage.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.columns(), "Process | Handle Thread Count | Size");
        QCOMPARE(stage.header->currentSection(), 2);
        stage.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.columns(), "Process | Thread Handle Count | Size");
        QCOMPARE(stage.header->currentSection(), 3);
        stage.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        stage.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
        stage.key(Qt::Key_Home);
        stage.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
    }
    void saysWhyNot() {
        PivotHeaderKeysStage stage;
        stage.graph.setLayout(moveColumn(stage.graph.layout(), 3, {LayoutZone::Graphed, 0}).layout);
        QCOMPARE(stage.columns(), "Process Handle | Count | Thread Size");
        stage.header->setCurrentSection(3);
        stage.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(stage.columns(), "Process Handle | Count | Thread Size");
        QVERIFY(stage.header->accessibleDescription().contains("cannot be grouped"));
    }
    void sortsAndAddsLevels() {
        PivotHeaderKeysStage stage;
        stage.header->setCurrentSection(4);
        stage.key(Qt::Key_Space);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, true}}));
        stage.key(Qt::Key_Return);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, false}}));
        stage.header->setCurrentSection(1);
        stage.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(stage.graph.layout().sort,
                 (std::vector{SortKey{Column::Count, false}, SortKey{Column::Process, false}}));
    }
    void removesAndOffersMore() {
        PivotHeaderKeysStage stage;
        stage.header->setCurrentSection(5);
        stage.key(Qt::Key_Delete);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count |");
        QCOMPARE(stage.header->currentSection(), 4);
        stage.key(Qt::Key_Insert);
        auto* chooser = stage.header->findChild<QWidget*>("columnChooser");
        QVERIFY(chooser && chooser->isVisible());
        chooser->close();
    }
    void opensTheMenuOfTheColumn() {
        PivotHeaderKeysStage stage;
        stage.header->setCurrentSection(3);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {1, 1}, {1, 1});
        QApplication::sendEvent(stage.header, &event);
        auto* menu = stage.header->findChild<QMenu*>("headerMenu");
        QVERIFY(menu && menu->isVisible());
        menu->findChild<QAction*>("moveToKeys")->trigger();
        menu->close();
        QCOMPARE(stage.columns(), "Process Handle Thread | Count | Size");
    }
    void scrollsTheColumnIntoView() {
        PivotHeaderKeysStage stage;
        stage.view.resize(400, 300);
        stage.key(Qt::Key_End);
        const auto last = stage.header->places().section(5);
        QVERIFY(last.left() < 400 && last.right() <= stage.header->viewport()->width());
        stage.header->setCurrentSection(2);
        const auto places = stage.header->places();
        QVERIFY(places.section(2).left() >= places.frozenWidth());
    }
    void movesAColumnWithinItsZone() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Process), stage.middle(Handle) + QPoint(10, 0));
        QCOMPARE(stage.columns(), "Handle Process | Thread Count | Size");
        QCOMPARE(stage.graph.layout().sort.size(), std::size_t{1}); // not a click
    }
    void makesAKeyByDraggingOverTheGoldBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Thread), stage.middle(Process) - QPoint(10, 0));
        QCOMPARE(stage.columns(), "Thread Process Handle | Count | Size");
        QVERIFY(stage.graph.canUndoLayout());
    }
    void makesAValueByDraggingOverTheGoldBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Process), stage.middle(Count) - QPoint(10, 0));
        QCOMPARE(stage.columns(), "Handle | Thread Process Count | Size");
    }
    void graphsByDraggingOverTheBlueBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Count), stage.middle(Size) + QPoint(20, 0));
        QCOMPARE(stage.columns(), "Process Handle | Thread | Size Count");
    }
    void dragsTheBars() {
        PivotHeaderStage stage;
        const auto bar = [&](LayoutBar which) { return stage.header->places().bar(which).center(); };
        const auto edge = [&](int section) { return stage.header->places().edge(section); };
        stage.drag(bar(LayoutBar::Gold), stage.at(edge(Count) - 5));
        QCOMPARE(stage.columns(), "Process Handle Thread | Count | Size");
        stage.drag(bar(LayoutBar::Gold), stage.at(edge(Handle) + 5));
        QCOMPARE(stage.columns(), "Process | Handle Thread Count | Size");
        stage.drag(bar(LayoutBar::Blue), stage.at(edge(Thread)));
        QCOMPARE(stage.columns(), "Process | Handle | Thread Count Size");
    }
    void refusesANumberAsKeyWhereItWouldLand() {
        PivotHeaderStage stage;
        const auto before = stage.graph.layout();
        stage.press(stage.middle(Count));
        stage.moveTo(stage.middle(Process));
        QCOMPARE(stage.header->viewport()->cursor().shape(), Qt::ForbiddenCursor);
        QVERIFY(QToolTip::text().contains("cannot be grouped"));
        stage.release(stage.middle(Process));
        QVERIFY(stage.graph.layout() == before);
        QVERIFY(stage.header->viewport()->cursor().shape() != Qt::ForbiddenCursor);
        // The same for the bar.
        const auto places = stage.header->places();
        stage.press(places.bar(LayoutBar::Gold).center());
        stage.moveTo(stage.at(places.edge(Size)));
        QCOMPARE(stage.header->viewport()->cursor().shape(), Qt::ForbiddenCursor);
        stage.release(stage.at(places.edge(Size)));
        QVERIFY(stage.graph.layout() == before);
    }
    void letsGoOnEscape() {
        PivotHeaderStage stage;
        const auto before = stage.graph.layout();
        stage.press(stage.middle(Thread));
        stage.moveTo(stage.middle(Process));
        QTest::keyClick(stage.header, Qt::Key_Escape);
        stage.release(stage.middle(Process));
        QVERIFY(stage.graph.layout() == before);
    }
    void takesASmallMoveForAClick() {
        PivotHeaderStage stage;
        const auto at = stage.middle(Count);
        stage.press(at);
        QTest::mouseMove(stage.header->viewport(), at + QPoint(2, 0));
        stage.release(at + QPoint(2, 0));
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, true}}));
    }
    void sortsByClicks() {
        PivotHeaderStage stage;
        stage.click(Size);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Size, false}}));
        stage.click(Count);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, true}}));
        stage.click(Process, Qt::ShiftModifier);
        QCOMPARE(stage.graph.layout().sort,
                 (std::vector{SortKey{Column::Count, true}, SortKey{Column::Process, false}}));
        const auto text = headerText(stage.header->shownLayout(), Process);
        QVERIFY(text.hasLevels && text.sort == (SortMark{1, false}));
        stage.click(Line);
        QCOMPARE(stage.graph.layout().sort.size(), std::size_t{2});
    }
    void resizesAndRemembersWithoutAStepToUndo() {
        PivotHeaderStage stage;
        stage.graph.setLayout(setFormat(stage.graph.layout(), Size, {ColumnUnit::Kilobytes, 1}));
        const bool couldUndo = stage.graph.canUndoLayout();
        const auto edge = stage.header->places().edge(Handle);
        stage.drag(stage.at(edge), stage.at(edge + 40));
        QCOMPARE(stage.header->sectionSize(Process), 160);
        QCOMPARE(stage.graph.layout().keys.front().width, 160);
        QCOMPARE(stage.graph.canUndoLayout(), couldUndo);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
        stage.graph.undoLayout();
        QCOMPARE(stage.graph.layout().columns.back().format, ColumnFormat{});
    }
    void resizesBesideABar() {
        PivotHeaderStage stage;
        const auto x = stage.header->places().bar(LayoutBar::Gold).left() - 5;
        QCOMPARE(stage.header->places().spotAt(x), (HeaderSpot{Kind::Edge, Handle}));
        stage.drag(stage.at(x), stage.at(x - 30));
        QCOMPARE(stage.header->sectionSize(Handle), 90);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
    }
    void fitsOnADoubleClick() {
        PivotHeaderStage stage;
        stage.model.item(0)->model()->setData(stage.model.index(0, Count), QString(40, 'W'));
        const auto edge = stage.header->places().edge(Count + 1) - 6; // left of the blue bar
        QTest::mouseDClick(stage.header->viewport(), Qt::LeftButton, {}, stage.at(edge));
        QVERIFY(stage.header->sectionSize(Count) > 300);
        QCOMPARE(stage.graph.layout().columns[1].width, stage.header->sectionSize(Count));
    }
    void scrollsWhileDraggingAtTheEdge() {
        PivotHeaderStage stage;
        stage.view.resize(400, 300);
        stage.press(stage.middle(Process));
        stage.moveTo(stage.at(395));
        auto* bar = stage.view.horizontalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum());
        stage.release(stage.at(380));
        QCOMPARE(stage.columns(), "Handle | Thread Count | Size Process");
    }
    void dropsBehindTheLastColumn() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Thread), stage.at(stage.header->viewport()->width() - 3));
        QCOMPARE(stage.columns(), "Process Handle | Count | Size Thread");
    }
};
HIGHWATER_TEST(PivotHeaderInputTest);
#include "pivot_header_input_test.moc"

#include "tests/support/test_registry.h"
#include "tests/ui/view/table/pivot_header_stage.h"

#include <QMenu>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::SortKey;

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

class PivotHeaderKeysTest : public QObject {
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
};
HIGHWATER_TEST(PivotHeaderKeysTest);
#include "pivot_header_keys_test.moc"

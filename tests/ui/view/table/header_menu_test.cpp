#include "tests/support/test_registry.h"
#include "tests/ui/view/table/pivot_header_stage.h"
#include "ui/view/table/header_menu.h"

#include <QContextMenuEvent>
#include <QSignalSpy>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Aggregation;
using analysis::Column;
using analysis::SortKey;
using analysis::ValueColumn;

namespace {

QAction* actionOf(QWidget* menu, const QString& name) { return menu->findChild<QAction*>(name); }

struct Menu {
    PivotHeaderStage stage;
    HeaderMenu* menu;
    explicit Menu(int section) {
        const auto at = stage.middle(section);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, stage.header->viewport()->mapToGlobal(at));
        QApplication::sendEvent(stage.header->viewport(), &event);
        menu = stage.header->findChild<HeaderMenu*>();
    }
    QAction* action(const QString& name, const QString& submenu = {}) {
        return actionOf(submenu.isEmpty() ? menu : menu->findChild<QMenu*>(submenu), name);
    }
};

} // namespace

class HeaderMenuTest : public QObject {
    Q_OBJECT
  private slots:
    void movesAColumnBetweenTheZones() {
        Menu values(Thread);
        QVERIFY(!values.action("moveToValues")->isEnabled());
        values.action("moveToKeys")->trigger();
        QCOMPARE(values.stage.columns(), "Process Handle Thread | Count | Size");
        Menu keys(Process);
        keys.action("moveToValues")->trigger();
        QCOMPARE(keys.stage.columns(), "Handle | Process Thread Count | Size");
        Menu graphs(Count);
        graphs.action("graphColumn")->trigger();
        QCOMPARE(graphs.stage.columns(), "Process Handle | Thread | Count Size");
    }
    void explainsWhyANumberIsNotAKey() {
        Menu opened(Count);
        QVERIFY(!opened.action("moveToKeys")->isEnabled());
        QVERIFY(opened.action("moveToKeys")->toolTip().contains("cannot be grouped"));
        QVERIFY(opened.menu->toolTipsVisible());
    }
    void movesAndRemoves() {
        Menu left(Handle);
        left.action("moveLeft")->trigger();
        QCOMPARE(left.stage.columns(), "Handle Process | Thread Count | Size");
        Menu removed(Thread);
        removed.action("removeColumn")->trigger();
        QCOMPARE(removed.stage.columns(), "Process Handle | Count | Size");
        QVERIFY(Menu(Size).action("removeColumn")->isEnabled());
    }
    void leadsToTheLabels() {
        Menu opened(Thread);
        QSignalSpy wanted(opened.stage.header, &PivotHeader::annotationsWanted);
        opened.action("editAnnotations")->trigger();
        QCOMPARE(wanted.count(), 1);
    }
    void choosesTheAggregation() {
        Menu opened(Size);
        QVERIFY(opened.action("Sum", "aggregations")->isChecked());
        QVERIFY(!opened.action("Max", "aggregations")->isChecked());
        opened.action("Max", "aggregations")->trigger();
        QCOMPARE(opened.stage.graph.layout().columns.back().value, (ValueColumn{Column::Size, Aggregation::Max}));
        QCOMPARE(opened.stage.graph.layout().sort, (std::vector{SortKey{Column::Size, true, Aggregation::Max}}));
        QVERIFY(!Menu(Process).menu->findChild<QMenu*>("aggregations"));
    }
    void choosesUnitAndDecimals() {
        Menu opened(Size);
        QVERIFY(opened.action("Automatic (B, KB, MB, GB)", "units")->isChecked());
        opened.action("MB", "units")->trigger();
        QCOMPARE(opened.stage.graph.layout().columns.back().format, (ColumnFormat{ColumnUnit::Megabytes, -1}));
        opened.action("3", "decimals")->trigger();
        QCOMPARE(opened.stage.graph.layout().columns.back().format.decimals, 3);
        QVERIFY(!Menu(Count).menu->findChild<QMenu*>("units"));
    }
    void sorts() {
        Menu opened(Count);
        opened.action("addSortLevel")->trigger();
        QCOMPARE(opened.stage.graph.layout().sort.size(), std::size_t{2});
        Menu size(Size);
        QVERIFY(size.action("sortDescending")->isChecked());
        QVERIFY(!size.action("addSortLevel")->isEnabled());
        size.action("sortAscending")->trigger();
        QCOMPARE(size.stage.graph.layout().sort, (std::vector{SortKey{Column::Size, false}}));
    }
    void takesBackAChange() {
        Menu opened(Thread);
        opened.action("moveToKeys")->trigger();
        opened.stage.graph.undoLayout();
        QCOMPARE(opened.stage.columns(), "Process Handle | Thread Count | Size");
        QVERIFY(!opened.action("redoLayout")->isEnabled()); // unchanged since the menu opened
        opened.stage.header->openMenu(Thread, {});
        const auto menus = opened.stage.header->findChildren<HeaderMenu*>();
        actionOf(menus.back(), "redoLayout")->trigger();
        QCOMPARE(opened.stage.columns(), "Process Handle Thread | Count | Size");
    }
    void opensTheColumnChooser() {
        Menu opened(Thread);
        opened.action("chooseColumns")->trigger();
        QVERIFY(opened.stage.header->findChild<QWidget*>("columnChooser"));
        // A right click outside of the columns does the same.
        PivotHeaderStage stage;
        const QPoint at(stage.header->viewport()->width() - 2, 4);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, stage.header->viewport()->mapToGlobal(at));
        QApplication::sendEvent(stage.header->viewport(), &event);
        QVERIFY(stage.header->findChild<QWidget*>("columnChooser"));
    }
};
HIGHWATER_TEST(HeaderMenuTest);
#include "header_menu_test.moc"

#include "tests/support/test_registry.h"
#include "ui/state/table/table_layout.h"

#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;
using Kind = LayoutPlace::Kind;

class TableLayoutTest : public QObject {
    Q_OBJECT
  private slots:
    void placesKeysAndValuesLeftToRight() {
        TableLayout layout{Table::Heap, {Column::Process, Column::Stack}, {Column::Count, Column::Size}, 1, {}};
        QCOMPARE(sectionCount(layout), 5);
        QCOMPARE(goldSection(layout), 3);
        QCOMPARE(blueSection(layout), 4);
        QVERIFY(placeOfSection(layout, 0) == LayoutPlace());
        QVERIFY(placeOfSection(layout, 2) == (LayoutPlace{Kind::Key, 1}));
        QVERIFY(placeOfSection(layout, 3) == (LayoutPlace{Kind::Value, 0}));
        QVERIFY(placeOfSection(layout, 5) == LayoutPlace());
        for (int section = 0; section < sectionCount(layout); ++section) {
            QCOMPARE(sectionOfPlace(layout, placeOfSection(layout, section)), section);
        }
    }
    void looksAlikeWhateverTheWidths() {
        auto layout = defaultLayout(Table::VirtualAlloc);
        auto wide = layout;
        wide.keys.front().width = 400;
        wide.columns.back().width = 90;
        QVERIFY(layout != wide);
        QVERIFY(layout.looksLike(wide));
        wide.columns.back().format.unit = ColumnUnit::Kilobytes;
        QVERIFY(!layout.looksLike(wide));
    }
    void looksTheSameWithLabelsThatItDoesNotShow() {
        const auto layout = defaultLayout(Table::VirtualAlloc);
        auto labelled = layout;
        labelled.annotations.push_back(analysis::makeAnnotation(Table::VirtualAlloc, "x", "Size:>1").value());
        QVERIFY(layout != labelled && layout.looksLike(labelled));
        auto shown = layout;
        shown.columns.insert(shown.columns.begin(), Column::Annotation);
        auto shownAndLabelled = shown;
        shownAndLabelled.annotations = labelled.annotations;
        QVERIFY(!shown.looksLike(shownAndLabelled));
        QVERIFY(shown.showsAnnotations() && !layout.showsAnnotations());
    }
    void turnsItsStacks() {
        const auto topDown = defaultLayout(Table::VirtualAlloc);
        QCOMPARE(*stackDirection(topDown), StackDirection::TopDown);
        auto sorted = topDown;
        sorted.sort = {{Column::Stack, true}};
        const auto bottomUp = withStackDirection(sorted, StackDirection::BottomUp);
        QCOMPARE(bottomUp.keyColumns(), (std::vector{Column::Process, Column::ImpactingType, Column::StackBottomUp}));
        QCOMPARE(bottomUp.sort.front().column, Column::StackBottomUp);
        QCOMPARE(*stackDirection(bottomUp), StackDirection::BottomUp);
        QVERIFY(withStackDirection(bottomUp, StackDirection::TopDown) == sorted);
        const TableLayout both{Table::Heap, {Column::Stack, Column::StackBottomUp}, {}, 0, {}};
        QCOMPARE(withStackDirection(both, StackDirection::TopDown).keyColumns(), std::vector{Column::Stack});
        const TableLayout none{Table::Frees, {Column::Process}, {}, 0, {}};
        QVERIFY(!stackDirection(none));
        QVERIFY(withStackDirection(none, StackDirection::BottomUp) == none);
    }
    void turnsTheStackThatAllocatedToo() {
        const TableLayout freed{
            Table::Frees, {Column::Process, Column::AllocStack, Column::Stack}, {}, 0, {{Column::AllocStack, true}}};
        QCOMPARE(*stackDirection(freed), StackDirection::TopDown);
        const auto turned = withStackDirection(freed, StackDirection::BottomUp);
        QCOMPARE(turned.keyColumns(),
                 (std::vector{Column::Process, Column::AllocStackBottomUp, Column::StackBottomUp}));
        QCOMPARE(turned.sort.front().column, Column::AllocStackBottomUp);
        QCOMPARE(*stackDirection(turned), StackDirection::BottomUp);
        QVERIFY(withStackDirection(turned, StackDirection::TopDown) == freed);
        const TableLayout both{Table::Frees, {Column::AllocStackBottomUp, Column::AllocStack}, {}, 0, {}};
        QCOMPARE(withStackDirection(both, StackDirection::BottomUp).keyColumns(),
                 std::vector{Column::AllocStackBottomUp});
    }
    void usesColumnsOfItsTable() {
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            const auto layout = defaultLayout(table);
            QVERIFY(layout.graphed <= layout.columns.size());
            for (const auto& value : layout.valueColumns()) {
                QVERIFY(!highwater::analysis::aggregationsOf(table, value.column).empty());
            }
        }
    }
};
HIGHWATER_TEST(TableLayoutTest);
#include "table_layout_test.moc"

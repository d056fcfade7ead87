#include "tests/support/test_registry.h"
#include "tests/ui/support/printed_layout.h"
#include "ui/state/table/layout_edit.h"

#include <QTest>

#include <random>

using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::SortKey;
using highwater::analysis::Table;
using highwater::analysis::ValueColumn;
using highwater::tests::printed;

namespace {

TableLayout heap() {
    return {Table::Heap,
            {Column::Process, Column::Handle, Column::Stack},
            {Column::Thread, Column::Count, Column::Size},
            1,
            {{Column::Size, true}}};
}

bool isSound(const TableLayout& layout) {
    if (layout.keys.empty() || layout.graphed > layout.columns.size()) return false;
    for (std::size_t i = 0; i < layout.keys.size(); ++i) {
        if (isAggregate(layout.keys[i].value.column)) return false;
        if (layout.keys[i].value.aggregation != Aggregation::Own) return false;
        for (std::size_t j = 0; j < i; ++j) {
            if (layout.keys[i].value == layout.keys[j].value) return false;
        }
    }
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (normalized(layout.columns[i].value) == normalized(layout.columns[j].value)) return false;
        }
    }
    return true;
}

} // namespace

class LayoutEditTest : public QObject {
    Q_OBJECT
  private slots:
    void movesAColumnWithinItsZone() {
        QCOMPARE(printed(heap()), "Process Handle Stack | Thread Count | Size");
        const auto right = moveColumn(heap(), 1, {LayoutZone::Keys, 2});
        QCOMPARE(printed(right.layout), "Handle Process Stack | Thread Count | Size");
        QCOMPARE(right.section, 2);
        const auto left = moveColumn(heap(), 5, {LayoutZone::Values, 0});
        QCOMPARE(printed(left.layout), "Process Handle Stack | Count Thread | Size");
        QCOMPARE(left.section, 4);
        QVERIFY(moveColumn(heap(), 2, {LayoutZone::Keys, 1}).layout == heap());
        QVERIFY(moveColumn(heap(), 2, {LayoutZone::Keys, 2}).layout == heap());
    }
    void makesAKeyOfAValueThatCrossesTheGoldBar() {
        const auto edit = moveColumn(heap(), 4, {LayoutZone::Keys, 1});
        QCOMPARE(printed(edit.layout), "Process Thread Handle Stack | Count | Size");
        QCOMPARE(edit.section, 2);
    }
    void makesAValueOfAKeyThatCrossesTheGoldBar() {
        QCOMPARE(printed(moveColumn(heap(), 3, {LayoutZone::Values, 1}).layout),
                 "Process Handle | Thread Stack Count | Size");
        QCOMPARE(printed(moveColumn(heap(), 2, {LayoutZone::Graphed, 1}).layout),
                 "Process Stack | Thread Count | Size Handle");
    }
    void graphsColumnsDraggedOverTheBlueBar() {
        QCOMPARE(printed(moveColumn(heap(), 5, {LayoutZone::Graphed, 0}).layout),
                 "Process Handle Stack | Thread | Count Size");
        QCOMPARE(printed(moveColumn(heap(), 6, {LayoutZone::Values, 2}).layout),
                 "Process Handle Stack | Thread Count Size |");
    }
    void refusesNumbersOfAGroupAsKeys() {
        const auto edit = moveColumn(heap(), 5, {LayoutZone::Keys, 0});
        QVERIFY(edit.isRefused());
        QVERIFY(edit.refusal.contains("Count"));
        QVERIFY(edit.layout == heap());
        for (const auto column : {Column::ImpactingSize, Column::Allocated, Column::Freed, Column::PeakSize})
            QVERIFY(!asKey(heap(), column));
    }
    void groupsByTheSizeOfABlockAndBack() {
        const auto key = moveColumn(heap(), 6, {LayoutZone::Keys, 0});
        QCOMPARE(printed(key.layout), "Allocation Size Process Handle Stack | Thread Count |");
        QCOMPARE(key.layout.sort, (std::vector{SortKey{Column::RowSize, true}}));
        QVERIFY(moveColumn(key.layout, 1, {LayoutZone::Graphed, 0}).layout == heap());
        // Beside Size it remains unchanged.
        const auto both = addColumn(key.layout, Column::Size, LayoutZone::Values).layout;
        QCOMPARE(printed(moveColumn(both, 1, {LayoutZone::Values, 0}).layout),
                 "Process Handle Stack | Allocation Size Thread Count Size |");
    }
    void keepsTheLastKey() {
        TableLayout layout{Table::Heap, {Column::Process}, {Column::Size}, 0, {}};
        QVERIFY(moveColumn(layout, 1, {LayoutZone::Values, 0}).isRefused());
        QVERIFY(removeColumn(layout, 1).isRefused());
        QVERIFY(setGoldBar(layout, 1).isRefused());
    }
    void mergesWithATwin() {
        TableLayout layout{Table::Heap, {Column::Process, Column::Thread}, {Column::Size, Column::Thread}, 1, {}};
        QCOMPARE(printed(moveColumn(layout, 2, {LayoutZone::Values, 0}).layout), "Process | Thread Size |");
        QCOMPARE(printed(moveColumn(layout, 4, {LayoutZone::Keys, 0}).layout), "Thread Process | Size |");
    }
    void keepsFormatAndWidthOfMovedColumns() {
        auto layout = setWidth(setFormat(heap(), 5, {ColumnUnit::Own, 2}), 5, 99);
        layout = moveColumn(layout, 5, {LayoutZone::Graphed, 1}).layout;
        QCOMPARE(layout.columns.back().width, 99);
        QCOMPARE(layout.columns.back().format.decimals, 2);
    }
    void stepsSidewaysOverTheBars() {
        auto layout = heap();
        QStringList seen;
        for (int section = 2, i = 0; i < 6; ++i) {
            const auto edit = stepColumn(layout, section, Sideways::Right);
            layout = edit.layout;
            section = edit.section;
            seen << printed(layout);
        }
        QCOMPARE(seen, (QStringList{"Process Stack Handle | Thread Count | Size", //
                                    "Process Stack | Handle Thread Count | Size", //
                                    "Process Stack | Thread Handle Count | Size", //
                                    "Process Stack | Thread Count Handle | Size", //
                                    "Process Stack | Thread Count | Handle Size", //
                                    "Process Stack | Thread Count | Size Handle"}));
        QVERIFY(stepColumn(layout, 6, Sideways::Right).layout == layout);
        QCOMPARE(printed(stepColumn(layout, 5, Sideways::Left).layout), "Process Stack | Thread Count Size | Handle");
        QVERIFY(stepColumn(layout, 1, Sideways::Left).layout == layout);
        QVERIFY(stepColumn(moveColumn(layout, 4, {LayoutZone::Values, 0}).layout, 3, Sideways::Left).isRefused());
    }
    void movesToAZone() {
        const auto keys = moveToZone(heap(), 4, LayoutZone::Keys);
        QCOMPARE(printed(keys.layout), "Process Handle Thread Stack | Count | Size"); // before the stack
        QCOMPARE(printed(moveToZone(heap(), 1, LayoutZone::Values).layout),
                 "Handle Stack | Process Thread Count | Size");
        QCOMPARE(printed(moveToZone(heap(), 6, LayoutZone::Values).layout),
                 "Process Handle Stack | Thread Count Size |");
        QVERIFY(moveToZone(heap(), 5, LayoutZone::Keys).isRefused());
    }
    void dragsTheGoldBar() {
        QCOMPARE(printed(setGoldBar(heap(), 2).layout), "Process | Handle Stack Thread Count | Size");
        QCOMPARE(printed(setGoldBar(heap(), 5).layout), "Process Handle Stack Thread | Count | Size");
        QVERIFY(setGoldBar(heap(), 4).layout == heap());
        const auto over = setGoldBar(heap(), 6);
        QVERIFY(over.isRefused());
        QVERIFY(over.layout == heap());
    }
    void takesTheBlueBarAlong() {
        TableLayout layout{Table::Heap, {Column::Process}, {Column::Thread, Column::Source}, 2, {}};
        QCOMPARE(printed(layout), "Process | | Thread Source");
        QCOMPARE(printed(setGoldBar(layout, 3).layout), "Process Thread | | Source");
        QCOMPARE(printed(setGoldBar(layout, 4).layout), "Process Thread Source | |");
    }
    void dragsTheBlueBar() {
        QCOMPARE(printed(setBlueBar(heap(), 5).layout), "Process Handle Stack | Thread | Count Size");
        QCOMPARE(printed(setBlueBar(heap(), 7).layout), "Process Handle Stack | Thread Count Size |");
        QCOMPARE(printed(setBlueBar(heap(), 1).layout), "Process Handle Stack | | Thread Count Size");
    }
    void addsAndRemovesColumns() {
        const auto source = addColumn(heap(), Column::Source, LayoutZone::Keys);
        QCOMPARE(printed(source.layout), "Process Handle Source Stack | Thread Count | Size");
        QCOMPARE(source.section, 3);
        QVERIFY(addColumn(heap(), Column::Count, LayoutZone::Keys).isRefused());
        const auto again = addColumn(heap(), Column::Count, LayoutZone::Values);
        QVERIFY(again.layout == heap());
        QCOMPARE(again.section, 5);
        const auto peak = addColumn(heap(), {Column::Size, Aggregation::Peak}, LayoutZone::Values).layout;
        QCOMPARE(printed(peak), "Process Handle Stack | Thread Count Peak(Size) | Size");
        QCOMPARE(printed(removeEvery(peak, Column::Size).layout), "Process Handle Stack | Thread Count |");
        QVERIFY(isShown(peak, Column::Thread) && !isShown(peak, Column::Source));
    }
    void forgetsTheSortOfRemovedColumns() {
        QVERIFY(removeColumn(heap(), 6).layout.sort.empty());
        QCOMPARE(removeColumn(heap(), 5).layout.sort, heap().sort);
    }
    void aggregates() {
        const auto max = setAggregation(heap(), 6, Aggregation::Max);
        QCOMPARE(printed(max.layout), "Process Handle Stack | Thread Count | Max(Size)");
        QCOMPARE(max.layout.sort, (std::vector{SortKey{Column::Size, true, Aggregation::Max}}));
        QVERIFY(setAggregation(max.layout, 6, Aggregation::Sum).layout == heap());
        QVERIFY(setAggregation(heap(), 1, Aggregation::Count).isRefused());
        QVERIFY(setAggregation(heap(), 4, Aggregation::Sum).isRefused());
        const auto two = addColumn(heap(), {Column::Size, Aggregation::Max}, LayoutZone::Graphed).layout;
        QVERIFY(setAggregation(two, 6, Aggregation::Max).isRefused());
    }
    void leavesTheLineNumberAlone() {
        QVERIFY(moveColumn(heap(), 0, {LayoutZone::Keys, 1}).isRefused());
        QVERIFY(removeColumn(heap(), 0).isRefused());
        QVERIFY(stepColumn(heap(), 0, Sideways::Right).isRefused());
        QVERIFY(setFormat(heap(), 0, {ColumnUnit::Bytes, 0}) == heap());
    }
    void staysSoundWhateverIsDone() {
        std::mt19937 random(3);
        const auto any = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            auto layout = defaultLayout(table);
            const auto known = columnsOf(table);
            for (int i = 0; i < 5000; ++i) {
                const int section = any(sectionCount(layout) + 1);
                const auto zone = static_cast<LayoutZone>(any(3));
                const auto column = known[static_cast<std::size_t>(any(static_cast<int>(known.size())))];
                const auto aggregations = aggregationsOf(table, column);
                const auto aggregation =
                    aggregations[static_cast<std::size_t>(any(static_cast<int>(aggregations.size())))];
                LayoutEdit edit;
                switch (any(8)) {
                case 0:
                    edit = moveColumn(layout, section, {zone, static_cast<std::size_t>(any(9))});
                    break;
                case 1:
                    edit = stepColumn(layout, section, any(2) == 0 ? Sideways::Left : Sideways::Right);
                    break;
                case 2:
                    edit = setGoldBar(layout, section);
                    break;
                case 3:
                    edit = setBlueBar(layout, section);
                    break;
                case 4:
                    edit = addColumn(layout, {column, aggregation}, zone);
                    break;
                case 5:
                    edit = any(2) == 0 ? removeColumn(layout, section) : removeEvery(layout, column);
                    break;
                case 6:
                    edit = setAggregation(layout, section, aggregation);
                    break;
                default:
                    edit = moveToZone(layout, section, zone);
                }
                QVERIFY2(isSound(edit.layout), qPrintable(printed(layout) + "  ->  " + printed(edit.layout)));
                if (edit.isRefused()) QVERIFY(edit.layout == layout);
                layout = edit.layout;
            }
        }
    }
};
HIGHWATER_TEST(LayoutEditTest);
#include "layout_edit_test.moc"

#include "tests/support/test_registry.h"
#include "ui/state/table/layout_edit.h"
#include "ui/state/table/layout_sort.h"

#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::SortKey;
using highwater::analysis::Table;

namespace {

enum Section { LineNumber, Process, Thread, Time, Count, Size };

TableLayout unsorted() {
    return {Table::Heap, {Column::Process, Column::Thread}, {Column::BeginTime, Column::Count, Column::Size}, 0, {}};
}

} // namespace

class LayoutSortTest : public QObject {
    Q_OBJECT
  private slots:
    void startsWithTheLargestNumberAndTheFirstWord() {
        const auto first = [](int section) { return cycleSort(unsorted(), section, SortStep::Replace).sort.front(); };
        QCOMPARE(first(Size), (SortKey{Column::Size, true}));
        QCOMPARE(first(Count), (SortKey{Column::Count, true}));
        QCOMPARE(first(Time), (SortKey{Column::BeginTime, false}));
        QCOMPARE(first(Process), (SortKey{Column::Process, false}));
        QCOMPARE(first(Thread), (SortKey{Column::Thread, false}));
    }
    void reversesTheSecondTime() {
        auto layout = cycleSort(unsorted(), Size, SortStep::Replace);
        layout = cycleSort(layout, Size, SortStep::Replace);
        QCOMPARE(layout.sort, (std::vector{SortKey{Column::Size, false}}));
        layout = cycleSort(layout, Count, SortStep::Replace);
        QCOMPARE(layout.sort, (std::vector{SortKey{Column::Count, true}}));
    }
    void addsLevels() {
        auto layout = cycleSort(unsorted(), Process, SortStep::Replace);
        layout = cycleSort(layout, Size, SortStep::Add);
        layout = cycleSort(layout, Count, SortStep::Add);
        QVERIFY(sortMark(layout, Process) == (SortMark{0, false}));
        QVERIFY(sortMark(layout, Size) == (SortMark{1, true}));
        QVERIFY(sortMark(layout, Count) == (SortMark{2, true}));
        QVERIFY(!sortMark(layout, Time));
        QVERIFY(!sortMark(layout, LineNumber));
        layout = cycleSort(layout, Size, SortStep::Add); // in its place, reversed
        QVERIFY(sortMark(layout, Size) == (SortMark{1, false}));
        layout = cycleSort(layout, Size, SortStep::Replace);
        QCOMPARE(layout.sort, (std::vector{SortKey{Column::Size, true}}));
    }
    void distinguishesAggregations() {
        auto layout = setAggregation(unsorted(), Size, Aggregation::Peak).layout;
        layout = addColumn(layout, Column::Size, LayoutZone::Values).layout;
        layout = cycleSort(layout, Size, SortStep::Replace);
        QCOMPARE(layout.sort, (std::vector{SortKey{Column::Size, true, Aggregation::Peak}}));
        QVERIFY(!sortMark(layout, Size + 1));
        // Sum of Size is Size.
        layout.sort = {{Column::Size, true, Aggregation::Sum}};
        QVERIFY(sortMark(layout, Size + 1));
    }
    void sortsEitherWayOnDemand() {
        auto layout = sortBy(unsorted(), Size, false);
        QCOMPARE(layout.sort, (std::vector{SortKey{Column::Size, false}}));
        QVERIFY(sortBy(layout, Size, false) == layout);
        QVERIFY(sortBy(layout, LineNumber, true) == layout);
        QVERIFY(cycleSort(layout, LineNumber, SortStep::Add) == layout);
    }
};
HIGHWATER_TEST(LayoutSortTest);
#include "layout_sort_test.moc"

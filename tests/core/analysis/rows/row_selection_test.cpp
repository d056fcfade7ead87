#include "core/analysis/rows/row_selection.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::analysis;

namespace {

std::string refusalOf(Table table, ColumnSet columns) {
    TraceHealth health;
    store::TraceStore store(health);
    const auto trace = store.publish();
    FrameLabels labels;
    SelectionQuery query;
    query.table = table;
    query.columns = columns;
    const auto made = RowSelection::make(*trace, labels, query, {});
    return made.hasValue() ? std::string() : made.error().message;
}

} // namespace

/// Which rows are read, with which columns. The tests of tables and timelines check the selected rows.
class RowSelectionTest : public QObject {
    Q_OBJECT
  private slots:
    void everyTableHasRowsOfItsOwn() {
        for (const auto table : kTables) {
            ColumnSet all;
            for (const auto column : columnsOf(table))
                all.add(column);
            QCOMPARE(refusalOf(table, all), std::string());
        }
    }
    void columnsOfOtherTablesAreRefused() {
        QCOMPARE(refusalOf(Table::Heap, {Column::Owner}),
                 std::string("The table \"Heap Allocations\" has no column \"Owner\"."));
        QCOMPARE(refusalOf(Table::Managed, {Column::Address}),
                 std::string("The table \"Managed Allocations\" has no column \"Address\"."));
        QCOMPARE(refusalOf(Table::GcHeap, {Column::Stack}),
                 std::string("The table \"GC Heap Size\" has no column \"Stack\"."));
        QCOMPARE(refusalOf(Table::Frees, {Column::PeakSize}), std::string()); // numbers work in all tables
    }
    /// The runtime allocates managed objects; other memory is allocated by a function that asks for it.
    void managedObjectsHaveAllocatorsOfTheirOwn() {
        const auto builtIn = AllocatorFrames::builtIn();
        const auto* ofManaged = skippedIn(Table::Managed, builtIn.get());
        QVERIFY(ofManaged->matches("clr.dll!JIT_New"));
        QVERIFY(ofManaged->matches("coreclr.dll!+0x1234"));
        QVERIFY(!ofManaged->matches("App.dll!App.Cache.Add"));
        QVERIFY(!builtIn->matches("clr.dll!JIT_New"));
        QVERIFY(skippedIn(Table::Heap, builtIn.get()) == builtIn.get());
        const AllocatorFrames own("app.exe!*");
        QVERIFY(skippedIn(Table::Managed, &own) == &own);
        QVERIFY(skippedIn(Table::Managed, nullptr) == nullptr);
    }
};
HIGHWATER_TEST(RowSelectionTest);
#include "row_selection_test.moc"

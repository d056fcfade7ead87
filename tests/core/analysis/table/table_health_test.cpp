#include "core/analysis/table/table_health.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Three heap blocks, one without a stack; two commits, each with one.
store::PublishedTrace traceWith(std::initializer_list<std::pair<Loss, std::uint64_t>> losses) {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    for (int i = 0; i < 5; ++i) {
        ModelRow row;
        row.table = i < 3 ? store::TableKind::Heap : store::TableKind::VirtualAlloc;
        row.heap = i < 3 ? 0x1D0000 : 0;
        row.address = static_cast<Address>(i + 1) << 16;
        row.size = 0x1000;
        row.stack = i == 1 ? "" : "A;B";
        row.begin = TraceTime{i};
        builder.alloc(row);
    }
    auto trace = *builder.publish(TraceTime{10});
    for (const auto& [loss, count] : losses)
        trace.health.counts[static_cast<std::size_t>(loss)] = count;
    return trace;
}

} // namespace

/// The notes beside a table are about that table.
class TableHealthTest : public QObject {
    Q_OBJECT
  private slots:
    void lossesOfOneTableAreNoneOfTheOther() {
        const auto trace = traceWith({{Loss::UnmatchedFrees, 2}, {Loss::FreesLost, 3}, {Loss::DecommitsOfUnknown, 4}});
        const auto pages = healthOf(trace, Table::VirtualAlloc);
        QCOMPARE(pages[Loss::UnmatchedFrees], std::uint64_t{0});
        QCOMPARE(pages[Loss::FreesLost], std::uint64_t{0});
        QVERIFY(!pages.totalsAreBounds()); // no page was lost
        QCOMPARE(pages.entries().size(), std::size_t{1});
        QCOMPARE(pages[Loss::DecommitsOfUnknown], std::uint64_t{4});
        const auto heaps = healthOf(trace, Table::Heap);
        QCOMPARE(heaps[Loss::UnmatchedFrees], std::uint64_t{2});
        QCOMPARE(heaps[Loss::FreesLost], std::uint64_t{3});
        QVERIFY(heaps.totalsAreBounds());
        QCOMPARE(heaps[Loss::DecommitsOfUnknown], std::uint64_t{0});
        QCOMPARE(healthOf(trace, Table::Frees).counts, trace.health.counts);
    }
    void twoTablesHaveTheLossesOfBoth() {
        const auto trace = traceWith({{Loss::UnmatchedFrees, 2},
                                      {Loss::DecommitsOfUnknown, 4},
                                      {Loss::EventsLost, 5},
                                      {Loss::StacksMissing, 88}});
        const auto both = healthOf(trace, std::vector{Table::VirtualAlloc, Table::Heap, Table::VirtualAlloc});
        QCOMPARE(both[Loss::UnmatchedFrees], std::uint64_t{2});
        QCOMPARE(both[Loss::DecommitsOfUnknown], std::uint64_t{4});
        QCOMPARE(both[Loss::EventsLost], std::uint64_t{5});
        QCOMPARE(both[Loss::StacksMissing], healthOf(trace, Table::Heap)[Loss::StacksMissing] +
                                                healthOf(trace, Table::VirtualAlloc)[Loss::StacksMissing]);
        QCOMPARE(healthOf(trace, std::vector{Table::Heap}).counts, healthOf(trace, Table::Heap).counts);
    }
    void stacksAreMissingWhereRowsHaveNone() {
        const auto trace = traceWith({{Loss::StacksMissing, 88}}); // most of them on frees
        QCOMPARE(healthOf(trace, Table::Heap)[Loss::StacksMissing], std::uint64_t{1});
        QCOMPARE(healthOf(trace, Table::VirtualAlloc)[Loss::StacksMissing], std::uint64_t{0});
        QCOMPARE(healthOf(trace, Table::Frees)[Loss::StacksMissing], std::uint64_t{0}); // none has one
        // Events that never have stacks are not missing one.
        QCOMPARE(healthOf(traceWith({}), Table::Heap)[Loss::StacksMissing], std::uint64_t{0});
    }
    void asManyStacksAreMissingAsRowsAreUnderNoStack() {
        int withSome = 0;
        for (unsigned seed = 0; seed < 300; ++seed) {
            const RandomTrace random(seed);
            const auto& last = random.publications().back();
            auto trace = *last.trace;
            trace.health.counts[static_cast<std::size_t>(Loss::StacksMissing)] = 1;
            for (const auto table : {Table::Heap, Table::VirtualAlloc, Table::Frees}) {
                const Recount recount(last.model, table, trace.wholeRange(), trace.horizon, false, "D");
                const auto rows = recount.members();
                auto without = std::ranges::count_if(rows, [&](const auto& row) {
                    return recount.path(row, {Column::Stack}).front().second == "(no stack)";
                });
                if (table == Table::Frees && without == std::ssize(rows)) without = 0;
                QCOMPARE(healthOf(trace, table)[Loss::StacksMissing], static_cast<std::uint64_t>(without));
                withSome += without > 0 ? 1 : 0;
            }
        }
        QVERIFY(withSome > 300);
    }
    void whatMayConcernAnyTableStays() {
        auto trace = traceWith({{Loss::EventsLost, 1}, {Loss::BuffersTruncated, 1}, {Loss::RowsDropped, 1}});
        trace.health.remarks = {"Something is missing."};
        for (const auto table : {Table::Heap, Table::VirtualAlloc, Table::Frees}) {
            QCOMPARE(healthOf(trace, table).counts, trace.health.counts);
            QCOMPARE(healthOf(trace, table).remarks, trace.health.remarks);
        }
    }
};
HIGHWATER_TEST(TableHealthTest);
#include "table_health_test.moc"

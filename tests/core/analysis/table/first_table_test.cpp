#include "core/analysis/table/first_table.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// Rows of these sizes: each begins at an instant of its own, and ends 10 instants later if they are freed.
struct RowsOfTable {
    std::vector<ByteCount> sizes = {};
    bool areFreed = false;
};

store::PublishedTrace traceWith(const RowsOfTable& pages, const RowsOfTable& blocks, bool isOfAgent) {
    ColumnsBuilder builder;
    builder.process("a.out", 7, TraceTime{0});
    const auto add = [&](const RowsOfTable& rows, store::TableKind table) {
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < rows.sizes.size(); ++i) {
            ModelRow row;
            row.table = table;
            row.begin = TraceTime{static_cast<std::int64_t>(100 + i)};
            row.size = rows.sizes[i];
            row.address = 0x100000 * (i + 1);
            numbers.push_back(builder.alloc(row));
        }
        for (std::size_t i = 0; rows.areFreed && i < numbers.size(); ++i) {
            ModelRelease release;
            release.time = TraceTime{static_cast<std::int64_t>(110 + i)};
            release.bytes = rows.sizes[i];
            release.isFinal = true;
            builder.end(numbers[i], release);
        }
    };
    add(pages, store::TableKind::VirtualAlloc);
    add(blocks, store::TableKind::Heap);
    auto trace = *builder.publish(TraceTime{1000});
    trace.isOfAgent = isOfAgent;
    return trace;
}

} // namespace

class FirstTableTest : public QObject {
    Q_OBJECT
  private slots:
    void isVirtualAllocOnWindows() { // where it includes the heaps
        QCOMPARE(analysis::firstTable(traceWith({{10}}, {{1000}}, false)), std::optional(Table::VirtualAlloc));
    }
    void isHeapOnLinux() {
        QCOMPARE(analysis::firstTable(traceWith({{4000}}, {{1000}}, true)), std::optional(Table::Heap));
    }
    void isVirtualAllocOnLinuxIfItHasMuchMoreMemory() {
        QCOMPARE(analysis::firstTable(traceWith({{4001}}, {{1000}}, true)), std::optional(Table::VirtualAlloc));
        QCOMPARE(analysis::firstTable(traceWith({{4001}}, {{1000}}, true), true), std::optional(Table::Heap));
    }
    /// 100 blocks that follow one another are never 100 at a time.
    void comparesWhatIsOutstandingAtOneTime() {
        const RowsOfTable blocks{std::vector<ByteCount>(400, 1000), true};
        QCOMPARE(analysis::firstTable(traceWith({{300'000}}, blocks, true)), std::optional(Table::VirtualAlloc));
        const RowsOfTable leak{std::vector<ByteCount>(400, 1000), false};
        QCOMPARE(analysis::firstTable(traceWith({{300'000}}, leak, true)), std::optional(Table::Heap));
    }
    /// More rows than it reads.
    void estimatesFromSomeRows() {
        const RowsOfTable leak{std::vector<ByteCount>(200'000, 100), false};
        QCOMPARE(analysis::firstTable(traceWith({{60'000'000}}, leak, true)), std::optional(Table::Heap));
        QCOMPARE(analysis::firstTable(traceWith({{100'000'000}}, leak, true)), std::optional(Table::VirtualAlloc));
    }
    void isTheOneWithRows() {
        QCOMPARE(analysis::firstTable(traceWith({}, {{1}}, false)), std::optional(Table::Heap));
        QCOMPARE(analysis::firstTable(traceWith({{1}}, {}, true)), std::optional(Table::VirtualAlloc));
        QCOMPARE(analysis::firstTable(traceWith({}, {}, true)), std::nullopt);
    }
};
HIGHWATER_TEST(FirstTableTest);
#include "first_table_test.moc"

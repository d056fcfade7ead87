#include "core/analysis/grouped_table.h"
#include "core/analysis/memory_timeline.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Heap blocks of one process: text of lines "begin-end size stack"; no end: outstanding.
std::shared_ptr<const store::PublishedTrace> blocks(const std::string& text) {
    struct Change {
        std::int64_t time;
        std::size_t row;
        bool begins;
    };
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    std::vector<ModelRow> rows;
    std::vector<Change> changes;
    for (const auto& line : QString::fromStdString(text).split('\n', Qt::SkipEmptyParts)) {
        const auto words = line.trimmed().split(' ');
        const auto times = words[0].split('-');
        ModelRow row;
        row.heap = 0x10000;
        row.begin = TraceTime{times[0].toLongLong()};
        row.size = words[1].toULongLong();
        row.stack = words.value(2).toStdString();
        row.address = 0x1000 * (rows.size() + 1);
        changes.push_back({row.begin.ns, rows.size(), true});
        if (!times[1].isEmpty()) changes.push_back({times[1].toLongLong(), rows.size(), false});
        rows.push_back(row);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
    std::map<std::size_t, std::size_t> made;
    for (const auto& change : changes) {
        if (change.begins) {
            made[change.row] = builder.alloc(rows[change.row]);
        } else {
            ModelRelease release;
            release.time = TraceTime{change.time};
            builder.end(made[change.row], release);
        }
    }
    return builder.publish(TraceTime{1000});
}

Query heapQuery(std::vector<Column> keys, std::int64_t start = 0, std::int64_t end = 1000) {
    Query query;
    query.table = Table::Heap;
    query.interval = {TraceTime{start}, TraceTime{end}};
    query.keys = std::move(keys);
    return query;
}

} // namespace

class GroupedTableTest : public QObject {
    Q_OBJECT
  private slots:
    void opensAStackFrameByFrame() {
        const auto trace = blocks("1- 10 main;f;malloc\n2- 30 main;g;malloc\n3-4 5 main;f;malloc\n5- 1\n");
        QCOMPARE(printed(trace, heapQuery({Column::Process, Column::Stack})), std::string("a.exe (7): 4 46 41\n"
                                                                                          "  main: 3 45 40\n"
                                                                                          "    g: 1 30 30\n"
                                                                                          "      malloc: 1 30 30\n"
                                                                                          "    f: 2 15 10\n"
                                                                                          "      malloc: 2 15 10\n"
                                                                                          "  (no stack): 1 1 1\n"));
    }
    void showsKeysBelowTheLastFrameBesideLongerStacks() {
        const auto trace = blocks("1- 10 main\n2- 30 main;f\n3-9 5 main\n");
        QCOMPARE(printed(trace, heapQuery({Column::Stack, Column::Type})), std::string("main: 3 45 40\n"
                                                                                       "  f: 1 30 30\n"
                                                                                       "    AIFO: 1 30 30\n"
                                                                                       "  AIFO: 1 10 10\n"
                                                                                       "  AIFI: 1 5 0\n"));
        // Without further keys, what ends at a frame is in that frame only.
        QCOMPARE(printed(trace, heapQuery({Column::Stack})), std::string("main: 3 45 40\n  f: 1 30 30\n"));
    }
    void skipsAllocatorFramesAtTheLeafOnly() {
        const auto trace = blocks("1- 10 main;malloc;f;new;malloc\n2- 20 malloc\n");
        auto query = heapQuery({Column::StackBottomUp});
        query.allocatorFrames = std::make_shared<AllocatorFrames>("# ours\nMALLOC!*\n new!* # new\nnonsense\n");
        QCOMPARE(query.allocatorFrames->rejected(), std::vector<std::string>{"nonsense"});
        QCOMPARE(printed(trace, query), std::string("malloc: 1 20 20\n"
                                                    "f: 1 10 10\n"
                                                    "  malloc: 1 10 10\n"
                                                    "    main: 1 10 10\n"));
    }
    void countsByTypeAtTheBounds() {
        const auto trace = blocks("5-10 1\n10-20 2\n5-20 4\n19-21 8\n20- 16\n10-10 32\n5- 64\n");
        QCOMPARE(printed(trace, heapQuery({Column::Type, Column::ImpactingType}, 10, 20)),
                 std::string("AOFO: 2 68 0\n"
                             "  Persistent: 2 68 0\n"
                             "AIFI: 1 32 0\n"
                             "  Transient: 1 32 0\n"
                             "AIFO: 2 10 10\n"
                             "  Impacting: 2 10 10\n"));
    }
    void answersAnEmptyIntervalWithWhatIsOutstanding() {
        const auto trace = blocks("5-10 1\n10-20 2\n5-20 4\n");
        QCOMPARE(printed(trace, heapQuery({Column::Type}, 10, 10)), std::string("AOFO: 1 4 0\n"));
        QCOMPARE(printed(trace, heapQuery({Column::Type}, 2000, 3000)), std::string());
    }
    void answersAnEmptyTable() {
        const auto trace = blocks("");
        auto query = heapQuery({Column::Process, Column::Stack, Column::Address});
        query.columns = {Column::BeginTime, Column::PeakSize};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query);
        QVERIFY(table.hasValue());
        QVERIFY(!table.value()->hasChildren(GroupedTable::kRoot));
        QVERIFY(table.value()->children(GroupedTable::kRoot).empty());
        QVERIFY(table.value()->value(GroupedTable::kRoot, Column::Count) == CellValue(std::int64_t{0}));
        QVERIFY(table.value()->computePeaks(std::vector{GroupedTable::kRoot}).hasValue());
        TimelineQuery timeline;
        timeline.table = Table::Frees;
        FrameLabels labels;
        QCOMPARE(computeTimeline(*trace, labels, timeline).value().series.size(), std::size_t{1});
    }
    void refusesColumnsThatTheTableDoesNotHave() {
        const auto trace = blocks("1- 10 main\n");
        auto query = heapQuery({Column::Memory});
        QVERIFY(printed(trace, query).starts_with("error: The table \"Heap Allocations\" has no column \"Memory\""));
        query.keys = {Column::Size};
        QVERIFY(printed(trace, query).starts_with("error: "));
        query.keys = {Column::Process};
        query.filter.clauses = {{RowFilter::Clause::Mode::Keep, {{KeyStep{Column::AllocStack, 0}}}}};
        QVERIFY(printed(trace, query).starts_with("error: "));
        TimelineQuery timeline;
        timeline.by = Column::Source;
        FrameLabels labels;
        QCOMPARE(computeTimeline(*trace, labels, timeline).error().kind, ErrorKind::Usage);
        timeline.by = Column::Size;
        QCOMPARE(computeTimeline(*trace, labels, timeline).error().kind, ErrorKind::Usage);
    }
    void refusesQueriesThatCannotFilterItsRows() {
        const auto trace = blocks("1- 10 main\n2- 20 main\n");
        auto query = heapQuery({Column::Process});
        query.filter.query = QueryExpression::parse(Table::Heap, "[Series Name]:=main").value();
        QVERIFY(printed(trace, query).starts_with("error: [Series Name] is the name of a group"));
        query.filter.query = QueryExpression::parse(Table::VirtualAlloc, "Size:>1").value();
        QVERIFY(printed(trace, query).starts_with("error: A filter of the table \"VirtualAlloc"));
        query.filter.query = QueryExpression(Table::VirtualAlloc);
        QVERIFY(query.filter.isEmpty());
        QVERIFY(!(query.filter == RowFilter{}));
        QCOMPARE(printed(trace, query), printed(trace, heapQuery({Column::Process})));
    }
    void opensSingleRowsAndSortsByTheirTimes() {
        const auto trace = blocks("1- 10 main\n2-7 30 main\n3- 5 f\n");
        auto query = heapQuery({Column::Stack, Column::BeginTime});
        query.columns = {Column::EndTime, Column::Address};
        query.sort = {SortKey{Column::BeginTime, true}};
        QCOMPARE(printed(trace, query), std::string("f: 1 5 5\n"
                                                    "  0.000000003: 1 5 5\n"
                                                    "main: 2 40 10\n"
                                                    "  0.000000002: 1 30 0\n"
                                                    "  0.000000001: 1 10 10\n"));
    }
    void knowsColumnsByTheNamesOfWpa() {
        QVERIFY(parseColumn(Table::VirtualAlloc, "commit stack") == Column::Stack);
        QVERIFY(parseColumn(Table::VirtualAlloc, "Stack") == Column::Stack);
        QVERIFY(parseColumn(Table::Heap, "ImpactingType") == Column::ImpactingType);
        QVERIFY(parseColumn(Table::Heap, "Impacting Type") == Column::ImpactingType);
        QVERIFY(parseColumn(Table::VirtualAlloc, "Thread") == Column::Thread);
        QVERIFY(parseColumn(Table::Heap, "Peak Size") == Column::PeakSize);
        QVERIFY(parseColumn(Table::Heap, "Stack (Bottom-Up)") == Column::StackBottomUp);
        QVERIFY(!parseColumn(Table::VirtualAlloc, "Handle"));
        QVERIFY(!parseColumn(Table::Heap, "Commit Time"));
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            QVERIFY(parseTable(tableWord(table)) == table);
            for (const auto column : columnsOf(table)) {
                QVERIFY(parseColumn(table, columnName(table, column)) == column);
            }
        }
    }
    void writesValuesAsPlainText() {
        QCOMPARE(plainText(Column::BeginTime, TraceTime{15'250'000'000}), std::string("15.25"));
        QCOMPARE(plainText(Column::BeginTime, TraceTime{-1}), std::string("-0.000000001"));
        QCOMPARE(plainText(Column::LifeTime, TraceTime{2'000'000'000}), std::string("2"));
        QCOMPARE(plainText(Column::Address, std::int64_t{-1}), std::string("0xffffffffffffffff"));
        QCOMPARE(plainText(Column::ImpactingSize, std::int64_t{-5}), std::string("-5"));
        QCOMPARE(plainText(Column::Size, {}), std::string());
    }
};
HIGHWATER_TEST(GroupedTableTest);
#include "grouped_table_test.moc"

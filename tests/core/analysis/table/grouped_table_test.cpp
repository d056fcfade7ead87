#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/named_trace.h"
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

/// The values of all requested columns; "-" where there is none.
std::string valuesOf(GroupedTable& table, GroupedTable::NodeId node) {
    std::string text;
    for (const auto& column : table.query().columns) {
        const auto value = plainText(column, table.value(node, column));
        text += (text.empty() ? "" : " ") + (value.empty() ? "-" : value);
    }
    return text;
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
        // Without further keys, rows that end at a frame are in that frame only.
        QCOMPARE(printed(trace, heapQuery({Column::Stack})), std::string("main: 3 45 40\n  f: 1 30 30\n"));
    }
    /// The second leaf and all later ones take their rows from one pass.
    void tellsSingleRowsApartBelowManyStacks() {
        const auto trace = blocks("1- 1 main;f\n2- 2 main;g\n3- 4 main;f;h\n4-9 8 main\n5- 16 main;g\n6- 32 main;f\n");
        QCOMPARE(printed(trace, heapQuery({Column::Stack, Column::RowSize})), std::string("main: 6 63 55\n"
                                                                                          "  f: 3 37 37\n"
                                                                                          "    32: 1 32 32\n"
                                                                                          "    h: 1 4 4\n"
                                                                                          "      4: 1 4 4\n"
                                                                                          "    1: 1 1 1\n"
                                                                                          "  g: 2 18 18\n"
                                                                                          "    16: 1 16 16\n"
                                                                                          "    2: 1 2 2\n"
                                                                                          "  8: 1 8 0\n"));
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
        QVERIFY(printed(trace, query).starts_with("error: A filter for the table \"VirtualAlloc"));
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
        QCOMPARE(printed(trace, query), std::string("main: 2 40 10\n"
                                                    "  0.000000002: 1 30 0\n"
                                                    "  0.000000001: 1 10 10\n"
                                                    "f: 1 5 5\n"
                                                    "  0.000000003: 1 5 5\n"));
    }
    void saysWhatAColumnSaysAboutAGroup() {
        // At time 3 two are live; the third is older than the interval and outstanding in it.
        const auto trace = blocks("1- 7 main;f\n2-4 30 main;f\n3-9 10 main;g\n");
        auto query = heapQuery({Column::Process, Column::Stack}, 2, 1000);
        query.columns = {{Column::Size, Aggregation::Min},          {Column::Size, Aggregation::Max},
                         {Column::Size, Aggregation::Average},      {Column::Size, Aggregation::UniqueCount},
                         {Column::Size, Aggregation::Peak},         {Column::Count, Aggregation::Peak},
                         {Column::Stack, Aggregation::UniqueCount}, {Column::EndTime, Aggregation::Count},
                         {Column::EndTime, Aggregation::Max},       {Column::LifeTime, Aggregation::Sum},
                         {Column::LifeTime, Aggregation::Average},  {Column::ImpactingSize, Aggregation::Min}};
        auto computed = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query);
        QVERIFY(computed.hasValue());
        auto& table = *computed.value();
        const auto process = table.children(GroupedTable::kRoot).front();
        const auto main = table.children(process).front();
        const auto frames = table.children(main); // f, g
        QVERIFY(table.computeValues(frames).hasValue());
        QVERIFY(table.computeValues(std::vector{process}).hasValue());
        QCOMPARE(valuesOf(table, process),
                 std::string("7 30 16 3 47 3 2 2 0.000000009 0.000000008 0.000000004 0")); // 47 / 3 = 15.7
        QCOMPARE(valuesOf(table, frames[0]), std::string("7 30 19 2 37 2 1 1 0.000000004 0.000000002 0.000000002 0"));
        QCOMPARE(valuesOf(table, frames[1]), std::string("10 10 10 1 10 1 1 1 0.000000009 0.000000006 0.000000006 0"));
    }
    void weighsValuesWithTheSizesOfTheirRows() {
        const auto trace = blocks("1-3 1 a\n1-9 3 a\n2-4 0 b\n1-5 18446744073709551615 c\n"
                                  "1-6 18446744073709551615 c\n7- 5 d\n");
        auto query = heapQuery({Column::Stack});
        query.columns = {{Column::LifeTime, Aggregation::WeightedAverage},
                         {Column::LifeTime, Aggregation::Average},
                         {Column::RowSize, Aggregation::WeightedAverage},
                         {Column::SelectionLifeTime, Aggregation::WeightedAverage}};
        query.sort = {{Column::LifeTime, true, Aggregation::WeightedAverage}};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
        const auto stacks = table->children(GroupedTable::kRoot);
        QVERIFY(table->computeValues(stacks).hasValue());
        std::string text;
        for (const auto stack : stacks)
            text += table->keyText(stack).substr(0, 1) + ": " + valuesOf(*table, stack) + '\n';
        QCOMPARE(text, std::string("a: 0.000000007 0.000000005 3 0.000000007\n"  // 6.5, 2.5
                                   "c: 0.000000005 0.000000005 -1 0.000000005\n" // 4.5; sizes wrap when shown
                                   "b: - 0.000000002 - -\n"                      // no bytes
                                   "d: - - 5 0.000000993\n"));                   // no lifetime
        QVERIFY(valueKind(query.columns.front()) == ValueKind::Duration);
        QVERIFY(startsDescending(query.columns.front()));
        QVERIFY(parseValueColumn(Table::Heap, "weightedaverage(LifeTime)") == query.columns.front());
        QVERIFY(!parseValueColumn(Table::Heap, "Weighted Average(Size)"));
        QVERIFY(parseValueColumn(Table::Frees, "Weighted Average(LifeTime)"));
    }
    void saysNothingWhereNoRowHasAValue() {
        const auto trace = blocks("1- 10\n2- 30\n");
        auto query = heapQuery({Column::Process});
        query.columns = {{Column::EndTime, Aggregation::Min},         {Column::LifeTime, Aggregation::Sum},
                         {Column::LifeTime, Aggregation::Average},    {Column::EndTime, Aggregation::Count},
                         {Column::EndTime, Aggregation::UniqueCount}, {Column::Stack, Aggregation::UniqueCount},
                         {Column::FreeType, Aggregation::Count}};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
        const auto process = table->children(GroupedTable::kRoot).front();
        QVERIFY(table->computeValues(std::vector{process}).hasValue());
        QCOMPARE(valuesOf(*table, process), std::string("- - - 0 0 0 0"));
    }
    void sortsByAnyAggregationThatItComputesItself() {
        const auto trace = blocks("1-2 10 a\n3-4 10 a\n1-5 12 b\n1-6 1 c\n2-6 4 c\n3-6 9 c\n");
        auto query = heapQuery({Column::Stack});
        query.sort = {{Column::Size, true, Aggregation::Peak}};
        QCOMPARE(printed(trace, query), std::string("c: 3 14 0\nb: 1 12 0\na: 2 20 0\n"));
        query.sort = {{Column::Size, true, Aggregation::UniqueCount}, {Column::Size, false, Aggregation::Max}};
        QCOMPARE(printed(trace, query), std::string("c: 3 14 0\na: 2 20 0\nb: 1 12 0\n"));
        query.sort = {{Column::Count, false, Aggregation::Peak}, {Column::Size, false, Aggregation::Average}};
        QCOMPARE(printed(trace, query), std::string("a: 2 20 0\nb: 1 12 0\nc: 3 14 0\n"));
    }
    void saysHowAGroupWent() {
        // Over 320 ns: "leak" grows by 10 bytes each 10 ns, "saw" fills and is emptied, "once" is made at 5 and kept.
        std::string text = "5- 1000 once\n";
        for (int i = 0; i < 32; ++i)
            text += std::to_string(10 * i + 1) + "- 10 leak\n" + std::to_string(10 * i + 2) + '-' +
                    std::to_string(40 * (i / 4) + 39) + " 10 saw\n";
        auto query = heapQuery({Column::Stack}, 0, 320);
        query.columns = {Column::Slope, Column::PeakTime, Column::Trend};
        query.sort = {{Column::Trend, true}, {Column::Size, true}};
        auto table = GroupedTable::compute(blocks(text), std::make_shared<FrameLabels>(), query).value();
        const auto groups = table->children(GroupedTable::kRoot);
        QVERIFY(table->computeValues(groups).hasValue());
        QVERIFY(table->keyText(groups[0]).starts_with("leak!"));
        QVERIFY(table->keyText(groups[2]).starts_with("saw!"));
        QVERIFY(table->value(groups[0], Column::Slope) == CellValue(std::int64_t{1'000'000'000}));
        QVERIFY(table->value(groups[0], Column::PeakTime) == CellValue(TraceTime{311}));
        const auto trend = std::get<Series>(table->value(groups[0], Column::Trend));
        QCOMPARE(trend.amounts->size(), std::size_t{kTrendParts});
        QCOMPARE(trend.amounts->front(), SignedByteCount{10});
        QCOMPARE(trend.amounts->back(), SignedByteCount{320});
        QCOMPARE(blocksText(trend).size(), std::size_t{3 * kTrendParts});
        for (const auto other : {groups[1], groups[2]})
            QVERIFY(table->value(other, Column::Slope) == CellValue(std::int64_t{0}));
        QCOMPARE(plainText(Column::PeakTime, table->value(groups[2], Column::PeakTime)), std::string("0.000000032"));
    }
    void saysNothingAboutTheCourseOfReleases() {
        auto query = heapQuery({Column::Process});
        query.table = Table::Frees;
        query.columns = {Column::Slope, Column::PeakTime, Column::Trend};
        auto table = GroupedTable::compute(blocks("1-2 10 a\n"), std::make_shared<FrameLabels>(), query).value();
        const auto groups = table->children(GroupedTable::kRoot);
        QVERIFY(table->computeValues(groups).hasValue());
        QCOMPARE(valuesOf(*table, groups[0]), std::string("- - -"));
    }
    void queriesCannotAskSingleRowsForTheCourseOfGroups() {
        const auto refused = QueryExpression::parse(Table::Heap, "Count:>1 AND Slope:>1000");
        QVERIFY(!refused.hasValue());
        QCOMPARE(refused.error().sentence,
                 std::string("Slope is a value of groups, not of single allocations. Sort by it instead."));
    }
    void ordersTheLevelOfAKeyColumnByItsKeys() {
        // Type does not order the stacks above it, although all rows of b have one.
        const auto trace = blocks("1-2 10 b\n1- 20 c\n1-2 1 c\n5- 5 a\n");
        auto query = heapQuery({Column::Stack, Column::Type}, 0, 1000);
        query.sort = {{Column::Type, false}, {Column::Size, true}};
        QCOMPARE(printed(trace, query), std::string("c: 2 21 20\n"
                                                    "  AIFI: 1 1 0\n"
                                                    "  AIFO: 1 20 20\n"
                                                    "b: 1 10 0\n"
                                                    "  AIFI: 1 10 0\n"
                                                    "a: 1 5 5\n"
                                                    "  AIFO: 1 5 5\n"));
        query.sort = {{Column::Stack, true}, {Column::Type, true}};
        QCOMPARE(printed(trace, query), std::string("c: 2 21 20\n"
                                                    "  AIFO: 1 20 20\n"
                                                    "  AIFI: 1 1 0\n"
                                                    "b: 1 10 0\n"
                                                    "  AIFI: 1 10 0\n"
                                                    "a: 1 5 5\n"
                                                    "  AIFO: 1 5 5\n"));
    }
    void offersTheAggregationsThatMakeSense() {
        QVERIFY(aggregationsOf(Table::Heap, Column::Size).front() == Aggregation::Sum);
        QVERIFY(aggregationsOf(Table::Heap, Column::Thread).front() == Aggregation::Own);
        QVERIFY(aggregationsOf(Table::VirtualAlloc, Column::Handle).empty());
        const auto hasPeak = [](Table table, Column column) {
            const auto offered = aggregationsOf(table, column);
            return std::find(offered.begin(), offered.end(), Aggregation::Peak) != offered.end();
        };
        QVERIFY(hasPeak(Table::Heap, Column::Size) && hasPeak(Table::VirtualAlloc, Column::Count));
        QVERIFY(!hasPeak(Table::Frees, Column::Size) && !hasPeak(Table::Frees, Column::Count));
        // A column that is not offered is an error, not an empty column.
        auto query = heapQuery({Column::Process});
        query.columns = {{Column::Thread, Aggregation::Average}};
        QVERIFY(printed(blocks("1- 1\n"), query)
                    .starts_with("error: The table \"Heap Allocations\" has no column \"Average(Thread)\""));
    }
    void namesWhatAColumnSays() {
        QCOMPARE(valueColumnName(Table::Heap, Column::Size), std::string("Size"));
        QCOMPARE(valueColumnName(Table::VirtualAlloc, {Column::LifeTime, Aggregation::Max}),
                 std::string("Max(Commit LifeTime)"));
        const auto parsed = [](std::string_view text) { return parseValueColumn(Table::VirtualAlloc, text); };
        QVERIFY(parsed("max( lifetime )") == (ValueColumn{Column::LifeTime, Aggregation::Max}));
        QVERIFY(parsed("Stack (bottom-up)") == ValueColumn{Column::StackBottomUp});
        QVERIFY(parsed("uniquecount(Stack (bottom-up))") ==
                (ValueColumn{Column::StackBottomUp, Aggregation::UniqueCount}));
        for (const auto wrong : {"Max(Thread)", "Max()", "(Size)", "Max(Size", "Own(Size)", "Max(Handle)", ""}) {
            QVERIFY2(!parsed(wrong), wrong);
        }
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            for (const auto column : columnsOf(table)) {
                for (const auto aggregation : aggregationsOf(table, column)) {
                    const ValueColumn value{column, aggregation};
                    QVERIFY(parseValueColumn(table, valueColumnName(table, value)) == value);
                }
            }
        }
        QVERIFY(normalized({Column::Size, Aggregation::Sum}) == ValueColumn{Column::Size});
        QVERIFY(normalized(Column::PeakSize) == (ValueColumn{Column::Size, Aggregation::Peak}));
        QVERIFY(valueKind({Column::Thread, Aggregation::UniqueCount}) == ValueKind::Count);
        QVERIFY(valueKind({Column::Size, Aggregation::Average}) == ValueKind::Bytes);
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
        QCOMPARE(plainText(Column::EndTime, kNever), std::string());
        QCOMPARE(plainText(Column::BeginTime, kBeforeTrace), std::string());
        QCOMPARE(plainText({Column::Address, Aggregation::UniqueCount}, std::int64_t{16}), std::string("16"));
    }
};
HIGHWATER_TEST(GroupedTableTest);
#include "grouped_table_test.moc"

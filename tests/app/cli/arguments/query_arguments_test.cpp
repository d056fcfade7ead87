#include "app/cli/arguments/query_arguments.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::cli;
using analysis::Aggregation, analysis::Column, analysis::SortKey, analysis::Table, analysis::ValueColumn;

class QueryArgumentsTest : public QObject {
    Q_OBJECT

    static constexpr TimeRange kWhole{TraceTime{0}, TraceTime{34'000'000'000}};

  private slots:
    void rangesMayBeOpen() {
        QCOMPARE(parseRange("", kWhole).value(), kWhole);
        QCOMPARE(parseRange(":", kWhole).value(), kWhole);
        QCOMPARE(parseRange("2.5:", kWhole).value(), (TimeRange{TraceTime{2'500'000'000}, kWhole.end}));
        QCOMPARE(parseRange(":10", kWhole).value(), (TimeRange{kWhole.start, TraceTime{10'000'000'000}}));
        QCOMPARE(parseRange("0.000000001:1e1", kWhole).value(), (TimeRange{TraceTime{1}, TraceTime{10'000'000'000}}));
        for (const auto* wrong : {"5", "a:b", "1:2:3", "5:5", "6:5", "40:", "nan:", ":inf", "1e10:"}) {
            const auto range = parseRange(wrong, kWhole);
            QVERIFY2(!range.hasValue(), wrong);
            QCOMPARE(range.error().kind, ErrorKind::Usage);
        }
    }
    void intervalsHaveSomethingOfTheTrace() {
        // The message reports the part that the trace covers, as the window shows it.
        QCOMPARE(parseInterval("30:50", kWhole).value(), (TimeRange{TraceTime{30'000'000'000}, kWhole.end}));
        QCOMPARE(parseInterval("-5:4", kWhole).value(), (TimeRange{kWhole.start, TraceTime{4'000'000'000}}));
        QCOMPARE(parseInterval("", kWhole).value(), kWhole);
        for (const auto* outside : {"34:40", "100:200", "-5:0", "-5:-1"}) {
            const auto range = parseInterval(outside, kWhole);
            QVERIFY2(!range.hasValue(), outside);
            QCOMPARE(range.error().kind, ErrorKind::Usage);
        }
        QCOMPARE(
            parseInterval("100:200.5", kWhole).error().message,
            std::string("The interval 100 s to 200.5 s is outside the trace, which covers 0 s to 34 s (exclusive)."));
        QVERIFY(parseInterval("1:2", {}).hasValue()); // a trace without a time
    }
    void columnsAreFoundByNameInOrder() {
        const auto keys = parseKeys(Table::Heap, " Process , Handle,stack");
        QCOMPARE(keys.value(), (std::vector{Column::Process, Column::Handle, Column::Stack}));
        QVERIFY(!parseKeys(Table::VirtualAlloc, "Handle").hasValue());
        QVERIFY(!parseKeys(Table::Heap, "Process,,Handle").hasValue());
        QCOMPARE(parseValueColumns(Table::Heap, "").value(),
                 (std::vector<ValueColumn>{Column::Count, Column::ImpactingSize, Column::Size}));
        QCOMPARE(parseValueColumns(Table::Frees, "").value(), (std::vector<ValueColumn>{Column::Count, Column::Size}));
    }
    void repeatedColumnsAreQueriedOnce() {
        QCOMPARE(parseValueColumns(Table::Heap, "Count,Size, count,Max(Size),max(size)").value(),
                 (std::vector<ValueColumn>{Column::Count, Column::Size, {Column::Size, Aggregation::Max}}));
    }
    void columnsMayBeAggregated() {
        QCOMPARE(parseValueColumns(Table::Heap, "Count, max(Size),Unique Count(Stack)").value(),
                 (std::vector<ValueColumn>{
                     Column::Count, {Column::Size, Aggregation::Max}, {Column::Stack, Aggregation::UniqueCount}}));
        QCOMPARE(parseSort(Table::Heap, "Peak(Count),Min(AllocTime):asc").value(),
                 (std::vector<SortKey>{{Column::Count, true, Aggregation::Peak},
                                       {Column::BeginTime, false, Aggregation::Min}}));
        const auto wrong = parseValueColumns(Table::Frees, "Peak(Size)");
        QCOMPARE(wrong.error().kind, ErrorKind::Usage);
        QCOMPARE(QString::fromStdString(wrong.error().message),
                 QString("The table frees does not have \"Peak(Size)\". Available: Size, Sum(Size), Count(Size), "
                         "Min(Size), Max(Size), Average(Size), Unique Count(Size)."));
        QVERIFY(!parseValueColumns(Table::Heap, "Max(Nothing)").hasValue());
    }
    void numbersSortDownAndTextsUpByDefault() {
        const auto sort = parseSort(Table::Heap, "Count,Process,Size:asc,Handle:desc");
        QCOMPARE(sort.value(),
                 (std::vector<SortKey>{
                     {Column::Count, true}, {Column::Process, false}, {Column::Size, false}, {Column::Handle, true}}));
        QVERIFY(parseSort(Table::Heap, "").value().empty());
    }
};
HIGHWATER_TEST(QueryArgumentsTest);
#include "query_arguments_test.moc"

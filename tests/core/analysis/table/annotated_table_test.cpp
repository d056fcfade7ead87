#include "core/analysis/columns/cell_text.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Rules = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<const Annotations> labelsOf(Table table, const Rules& rules) {
    Annotations annotations;
    for (const auto& [label, text] : rules) {
        auto made = makeAnnotation(table, label, text);
        if (!made.hasValue()) qFatal("%s", made.error().message.c_str());
        annotations.push_back(std::move(made).value());
    }
    return std::make_shared<const Annotations>(std::move(annotations));
}

/// a.exe: 10 and 30 bytes of f, the first freed; b.exe: 200 bytes of g.
std::shared_ptr<const store::PublishedTrace> threeBlocks() {
    return traceOfBlocks({{1, 9, 10, "main;f", 0, 1}, {2, 0, 30, "main;f", 0, 1}, {3, 0, 200, "main;g", 1, 2}});
}

std::string printedBy(const std::shared_ptr<const store::PublishedTrace>& trace, Query query, const Rules& rules) {
    query.annotations = labelsOf(query.table, rules);
    return printed(trace, std::move(query));
}

} // namespace

/// The column Annotation; random_tables_test.cpp compares it with a recount.
class AnnotatedTableTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsByTheFirstQueryThatHolds() {
        const auto trace = threeBlocks();
        const auto query = heapQuery({Column::Annotation});
        QCOMPARE(printedBy(trace, query, {{"f", "Stack:f"}, {"a", "Process:a.exe"}}),
                 std::string("(none): 1 200 200\nf: 2 40 30\n"));
        QCOMPARE(printedBy(trace, query, {{"a", "Process:a.exe"}, {"f", "Stack:f"}, {"rest", ""}}),
                 std::string("rest: 1 200 200\na: 2 40 30\n"));
        QCOMPARE(printedBy(trace, query, {{"(none)", "Process:b.exe"}, {"rest", ""}}),
                 std::string("(none): 1 200 200\nrest: 2 40 30\n"));
        QCOMPARE(printedBy(trace, query, {}), std::string("(none): 3 240 230\n"));
    }
    void tellsRowsOfOneStackApart() {
        const auto trace = threeBlocks();
        QCOMPARE(printedBy(trace, heapQuery({Column::Annotation, Column::Stack}), {{"large", "Size:>=30"}}),
                 std::string("large: 2 230 230\n  main: 2 230 230\n    g: 1 200 200\n    f: 1 30 30\n"
                             "(none): 1 10 0\n  main: 1 10 0\n    f: 1 10 0\n"));
        // Two queries with the same label are one group, whichever of them matches.
        QCOMPARE(printedBy(trace, heapQuery({Column::Annotation}), {{"x", "Size:>=30"}, {"x", "Size:<30"}}),
                 std::string("x: 3 240 230\n"));
    }
    void asksForTypesOfTheInterval() {
        auto query = heapQuery({Column::Annotation}, 2, 1000);
        QCOMPARE(printedBy(threeBlocks(), query, {{"older", "Type:=AOFI"}, {"kept", "[Impacting Type]:=Impacting"}}),
                 std::string("kept: 2 230 230\nolder: 1 10 -10\n"));
    }
    void filtersAndSortsByLabels() {
        const auto trace = threeBlocks();
        auto query = heapQuery({Column::Process});
        const Rules rules{{"large", "Size:>=30"}};
        query.filter.query = QueryExpression::parse(Table::Heap, "[Annotation]:=large").value();
        QCOMPARE(printedBy(trace, query, rules), std::string("b.exe (8): 1 200 200\na.exe (7): 1 30 30\n"));
        query.filter.query = QueryExpression::parse(Table::Heap, "[Annotation]:=[]").value();
        QCOMPARE(printedBy(trace, query, rules), std::string("a.exe (7): 1 10 0\n"));
        query.filter.query = QueryExpression::parse(Table::Heap, "[Annotation]:~=none").value();
        QCOMPARE(printedBy(trace, query, rules), std::string()); // "(none)" is not a label
        query.filter.query = QueryExpression::parse(Table::Heap, "large").value();
        QCOMPARE(printedBy(trace, query, rules), std::string()); // labels are not searched for texts
        query.filter.query.reset();
        query.keys = {Column::Annotation};
        query.sort = {{Column::Annotation, false}};
        QCOMPARE(printedBy(trace, query, {{"zebra", "Process:b.exe"}, {"ant", "Size:>=30"}}),
                 std::string("ant: 1 30 30\nzebra: 1 200 200\n(none): 1 10 0\n")); // without a value: last
    }
    void keysOfLabelsStayWhenTheListChanges() {
        const auto trace = threeBlocks();
        const auto frames = std::make_shared<FrameLabels>();
        auto query = heapQuery({Column::Annotation});
        query.annotations = labelsOf(Table::Heap, {{"(no stack)", "Process:a.exe"}, {"b", "Process:b.exe"}});
        auto table = GroupedTable::compute(trace, frames, query).value();
        const auto first = table->path(table->children(GroupedTable::kRoot).front());
        QCOMPARE(table->keyText(table->children(GroupedTable::kRoot).back()), std::string("(no stack)"));
        query.annotations = labelsOf(Table::Heap, {{"new", "Size:=10"}, {"b", "Process:b.exe"}});
        query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {first}});
        QCOMPARE(printed(trace, query, frames), std::string("b: 1 200 200\n"));
    }
    void doesNotMixUpWithAnswersOfOtherLabels() {
        const auto trace = threeBlocks();
        auto query = heapQuery({Column::Annotation});
        query.columns = {Column::Address, Column::BeginTime};
        const auto address = [&](const Rules& rules) {
            query.annotations = labelsOf(Table::Heap, rules);
            auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
            std::string text;
            for (const auto node : table->children(GroupedTable::kRoot))
                text +=
                    table->keyText(node) + ":" + plainText(Column::Address, table->value(node, Column::Address)) + " ";
            return text;
        };
        for (int again = 0; again < 2; ++again) { // the second time from the cache
            QCOMPARE(address({}), std::string("(none): "));
            QCOMPARE(address({{"first", "Size:=10"}}), std::string("(none): first:0x1000 "));
            QCOMPARE(address({{"second", "Size:=30"}}), std::string("(none): second:0x2000 "));
            QCOMPARE(address({{"b", "Process:b.exe"}}), std::string("b:0x3000 (none): "));
        }
    }
    void labelsFreesByWhatAllocatedThem() {
        NamedTrace t;
        t.freed(10, "app+0x10;lib+0x10", "gc+0x1");
        t.freed(20, "app+0x10;lib+0x10", "gc+0x1");
        t.freed(400, "app+0x10;net+0x10", "gc+0x1");
        auto query = freesQuery({Column::Annotation, Column::Stack});
        query.annotations =
            labelsOf(Table::Frees, {{"lib", "[Alloc Stack]:~=lib! AND Size:>10"}, {"net", "[Alloc Stack]:~=net!"}});
        QCOMPARE(t.print(query), std::string("\nnet: 1 400 \n  gc: 1 400 \nlib: 1 20 \n  gc: 1 20 \n"
                                             "(none): 1 10 \n  gc: 1 10 \n"));
        // When names arrive, the labels follow them.
        t.name("lib", {{0, "alloc"}});
        query.annotations = labelsOf(Table::Frees, {{"lib", "[Alloc Stack]:=lib!alloc"}});
        query.keys = {Column::Annotation};
        QCOMPARE(t.print(query), std::string("\n(none): 1 400 \nlib: 2 30 \n"));
    }
    void drawsALineForEachLabel() {
        const auto trace = threeBlocks();
        TimelineQuery query;
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, TraceTime{20}};
        query.points = 2;
        query.by = Column::Annotation;
        query.annotations = labelsOf(Table::Heap, {{"large", "Size:>=30"}});
        FrameLabels frames;
        const auto timeline = computeTimeline(*trace, frames, query).value();
        QCOMPARE(timeline.series.size(), std::size_t{2});
        QCOMPARE(timeline.series[0].name, std::string("large"));
        QCOMPARE(timeline.series[0].peaks, (std::vector<SignedByteCount>{230, 230}));
        QCOMPARE(timeline.series[1].name, std::string("(none)"));
        QCOMPARE(timeline.series[1].peaks, (std::vector<SignedByteCount>{10, 0}));
    }
    void refusesLabelsThatMakeNoSense() {
        auto query = heapQuery({Column::Annotation});
        query.annotations = labelsOf(Table::Frees, {{"x", "Memory:=Heap"}});
        QVERIFY(printed(threeBlocks(), query).starts_with("error: A label for the table \"Frees\""));
        query.keys = {Column::Process}; // the query does not use the labels
        QCOMPARE(printed(threeBlocks(), query), std::string("b.exe (8): 1 200 200\na.exe (7): 2 40 30\n"));
        query = heapQuery({Column::Annotation});
        query.annotations = std::make_shared<const Annotations>(
            Annotations{{"x", "", QueryExpression::parse(Table::Heap, "[Annotation]:=y").value()}});
        QVERIFY(printed(threeBlocks(), query).starts_with("error: The query of a label cannot use [Annotation]"));
    }
    void canBeStopped() {
        std::stop_source stop;
        stop.request_stop();
        auto query = heapQuery({Column::Annotation});
        query.annotations = labelsOf(Table::Heap, {{"large", "Size:>=30"}});
        const auto table =
            GroupedTable::compute(threeBlocks(), std::make_shared<FrameLabels>(), query, stop.get_token());
        QVERIFY(!table.hasValue() && table.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(AnnotatedTableTest);
#include "annotated_table_test.moc"

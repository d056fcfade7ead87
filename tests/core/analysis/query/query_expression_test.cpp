#include "core/analysis/query/query_expression.h"
#include "core/analysis/query/query_node.h"
#include "tests/core/analysis/query/test_row.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

TestRow sampleRow() {
    TestRow row;
    row.values = {{Column::Process, "MemoryTestApp.exe (4242)"},
                  {Column::ProcessName, "MemoryTestApp.exe"},
                  {Column::Pid, std::int64_t{4242}},
                  {Column::Type, "AIFO"},
                  {Column::Address, std::int64_t{0x1d0000}},
                  {Column::BeginTime, TraceTime{4'500'000'000}},
                  {Column::EndTime, kNever},
                  {Column::Size, std::int64_t{30} << 20},
                  {Column::ImpactingSize, -(std::int64_t{2} << 20)}};
    row.stacks = {{Column::Stack, {"ntdll.dll!RtlUserThreadStart", "app.exe!Outer", "app.exe!Inner"}}};
    return row;
}

bool matches(const TestRow& row, std::string_view query) {
    const auto parsed = QueryExpression::parse(Table::VirtualAlloc, query);
    if (!parsed.hasValue()) qFatal("%s", parsed.error().sentence.c_str());
    return parsed.value().matches(row);
}

Truth evaluate(const TestRow& row, ColumnSet known, std::string_view query) {
    return QueryExpression::parse(Table::VirtualAlloc, query).value().evaluate(row, known);
}

/// Records the questions it is asked, like a storage that finds frames by label.
struct RememberingRow final : QueriedRow {
    mutable std::vector<std::size_t> asked;
    [[nodiscard]] CellValue value(Column) const override { return {}; }
    [[nodiscard]] std::span<const std::string_view> frames(Column) const override { return {}; }
    [[nodiscard]] bool anyFrame(Column, const TextCondition& condition) const override {
        asked.push_back(condition.index());
        return condition.index() == 1;
    }
};

} // namespace

class QueryExpressionTest : public QObject {
    Q_OBJECT
  private slots:
    void matchesRows() {
        const auto row = sampleRow();
        for (const auto* query :
             {"", "Process:=\"memorytestapp.exe (4242)\"", "Process:~=TestApp AND Type:=aifo", "PID:=4242",
              "Size:>20MB AND Size:<0.5GB", "Impacting Size:<-1MB", "Impacting Size:=-2MB", "Commit Time:=4.5",
              "Commit Time:>4499ms", "Address:=0x1D0000", "Process:~\"*.exe (*)\"", "Process Name:*'memory.*exe'",
              "TestApp", "inner", "MemoryTestApp outer", "NOT PID:=1", "PID:<>1", "Size:>1GB OR Type:=AIFO",
              "NOT (Size:>1GB AND Type:=AIFO)"}) {
            QVERIFY2(matches(row, query), query);
        }
        for (const auto* query : {"Process:=MemoryTestApp.exe", "Type:<>AIFO", "PID:<>4242", "Size:>30MB", "Size:<30MB",
                                  "4242x", "NOT TestApp", "Type:~!IF", "Commit Time:<4.5", "Process Name:*'emory.*'"}) {
            QVERIFY2(!matches(row, query), query);
        }
    }
    void asksAnyFrameOfAStack() {
        const auto row = sampleRow();
        QVERIFY(matches(row, "Stack:~=Inner"));
        QVERIFY(matches(row, "Stack:=app.exe!outer AND Stack:=app.exe!inner"));
        QVERIFY(matches(row, "Stack:~<ntdll AND Stack:~>Inner"));
        QVERIFY(!matches(row, "Stack:<>app.exe!Inner"));
        QVERIFY(matches(row, "Stack:<>Inner"));
        QVERIFY(!matches(row, "NOT Stack:~=Inner"));
        QVERIFY(!matches(row, "Stack:~!Inner"));
        QVERIFY(matches(row, "Stack:~!Middle"));
        QVERIFY(matches(row, "Stack:*'app.*outer'"));
        QVERIFY(!matches(row, "Stack:=[]"));
        QVERIFY(matches(
            {}, "Stack:=[] AND Stack:=\"\" AND Stack:='(no stack)' AND Stack:<>x AND NOT Stack:~=x AND Stack:~!x"));
    }
    void framesMayHaveAnotherReading() {
        const auto row = sampleRow();
        const auto matchesAlso = [&](const char* text) {
            const auto query = QueryExpression::parse(Table::VirtualAlloc, text).value();
            const auto also = query.alsoOfFrames([](std::string_view frame) { return "<" + std::string(frame) + ">"; });
            return also.matches(row) && !query.matches(row) && also.toString() == query.toString() && also != query;
        };
        QVERIFY(matchesAlso("Stack:='<app.exe!inner>'"));
        QVERIFY(matchesAlso("NOT (Size:<1 OR Stack:<>'<app.exe!inner>')"));
        QVERIFY(!matchesAlso("Stack:='app.exe!inner'")); // without it as well
        QVERIFY(!matchesAlso("Process:~'<*'"));
    }
    void takesMissingValuesForEmptyTextAndNoNumber() {
        auto row = sampleRow();
        // A time that never came is not a value, and not a late time either.
        QVERIFY(!matches(row, "Decommit Time:>0") && !matches(row, "Decommit Time:<9999"));
        QVERIFY(matches(row, "Decommit Time:=[]") && matches(row, "NOT Decommit Time:<9999") &&
                matches(row, "Decommit Time:<>5"));
        QVERIFY(!matches(row, "Commit Time:=[]") && matches(row, "Commit Time:<>[]"));
        row.values[Column::BeginTime] = kBeforeTrace;
        QVERIFY(!matches(row, "Commit Time:<1") && matches(row, "Commit Time:=[]"));
        QVERIFY(matches(row, "FreeType:=[]") && matches(row, "FreeType:=\"\"") && !matches(row, "FreeType:~=x"));
        QVERIFY(!matches(row, "Type:=[]") && matches(row, "Type:<>[]"));
    }
    void findsGroupsBySeriesName() {
        auto row = sampleRow();
        QVERIFY(!matches(row, "[Series Name]:=Process"));
        QCOMPARE(evaluate(row, {Column::Process}, "[Series Name]:=Process"), Truth::Unknown);
        row.series = "Commit Stack";
        QVERIFY(matches(row, "Process:~=TestApp AND [Series Name]:=\"Commit Stack\""));
        QVERIFY(matches(row, "[Series Name]:=Stack") && matches(row, "[Series Name]:<>Process"));
        QCOMPARE(evaluate(row, {}, "[Series Name]:=Process"), Truth::False);
    }
    void decidesWhatKnownColumnsDecide() {
        const auto row = sampleRow();
        const ColumnSet site{Column::Process, Column::Stack};
        QCOMPARE(evaluate(row, site, "Stack:~=Inner"), Truth::True);
        QCOMPARE(evaluate(row, site, "Size:>1"), Truth::Unknown);
        QCOMPARE(evaluate(row, site, "NOT Size:>1"), Truth::Unknown);
        QCOMPARE(evaluate(row, site, "Stack:~=Middle AND Size:>1"), Truth::False);
        QCOMPARE(evaluate(row, site, "Size:>1 AND Stack:~=Middle"), Truth::False);
        QCOMPARE(evaluate(row, site, "Stack:~=Inner AND Size:>1"), Truth::Unknown);
        QCOMPARE(evaluate(row, site, "Size:>1 OR Stack:~=Inner"), Truth::True);
        QCOMPARE(evaluate(row, site, "NOT (Size:>1 OR Stack:~=Inner)"), Truth::False);
        QCOMPARE(evaluate(row, site, "Inner"), Truth::True);
        QCOMPARE(evaluate(row, site, "Middle"), Truth::Unknown);
        QCOMPARE(evaluate(row, {}, ""), Truth::True);
    }
    void letsStoragesRememberFrames() {
        const auto parsed = QueryExpression::parse(Table::VirtualAlloc, "Size:>1 OR Stack:~=a OR Commit Stack:=b");
        QCOMPARE(parsed.value().textConditionCount(), std::size_t{2});
        const RememberingRow row;
        QVERIFY(parsed.value().matches(row));
        QVERIFY((row.asked == std::vector<std::size_t>{0, 1}));
    }
    void makesOneOutcomeOfThoseOfItsConditions() {
        constexpr Outcomes kHolds{true, false, false}, kFails{false, true, false}, kUnknownOutcome{false, false, true};
        const auto of = [](std::string_view query, Outcomes size, Outcomes type) {
            const auto parsed = QueryExpression::parse(Table::VirtualAlloc, query);
            if (!parsed.hasValue()) qFatal("%s", parsed.error().sentence.c_str());
            return parsed.value().outcomes(
                [&](const QueryCondition& condition) { return condition.column == Column::Size ? size : type; });
        };
        QVERIFY(of("", kFails, kFails) == kHolds);
        QVERIFY(of("Size:=1 AND Type:=AIFI", kHolds, kFails) == kFails);
        QVERIFY(of("Size:=1 AND Type:=AIFI", kHolds, kUnknownOutcome) == kUnknownOutcome);
        QVERIFY(of("Size:=1 AND Type:=AIFI", kFails, kUnknownOutcome) == kFails);
        QVERIFY(of("Size:=1 OR Type:=AIFI", kHolds, kUnknownOutcome) == kHolds);
        QVERIFY(of("Size:=1 OR Type:=AIFI", kFails, kUnknownOutcome) == kUnknownOutcome);
        QVERIFY(of("NOT Size:=1", kUnknownOutcome, kFails) == kUnknownOutcome); // the negation of unknown is unknown
        QVERIFY(of("NOT Size:=1", kHolds, kHolds) == kFails);
        QVERIFY(of("Size:<>1", kHolds, kHolds) == kFails);
        const Outcomes either{true, true, false};
        QVERIFY(of("Size:=1 AND Type:=AIFI", either, kHolds) == either);
        QVERIFY(of("NOT Size:=1", either, kHolds) == either);
    }
};
HIGHWATER_TEST(QueryExpressionTest);
#include "query_expression_test.moc"

#include "core/check/budget.h"
#include "core/check/budget_values.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

std::string errorOf(const std::string& text) {
    const auto rules = parseBudget(text, analysis::Table::Heap);
    return rules.hasValue() ? "none" : rules.error().message;
}

class BudgetTest : public QObject {
    Q_OBJECT

    /// One second. A frees its 100 bytes, B keeps 50, C keeps 30 in two blocks.
    static std::shared_ptr<const store::PublishedTrace> trace(const std::string& stackOfC = "C") {
        ColumnsBuilder builder;
        builder.process("app", 7, TraceTime{0});
        const auto alloc = [&](std::int64_t ms, ByteCount size, const std::string& stack) {
            ModelRow row;
            row.heap = 0x10000;
            row.begin = TraceTime{ms * 1'000'000};
            row.size = size;
            row.stack = stack;
            row.address = 0x1000 * static_cast<Address>(ms + 1);
            return builder.alloc(row);
        };
        const auto freed = alloc(100, 100, "A");
        alloc(200, 50, "A;B");
        ModelRelease release;
        release.time = TraceTime{300'000'000};
        builder.end(freed, release);
        alloc(400, 10, stackOfC);
        alloc(500, 20, stackOfC);
        return builder.publish(TraceTime{1'000'000'000});
    }
    static std::int64_t valueOf(const std::string& rule, const std::string& ofC = "C") {
        const auto rules = parseBudget(rule, analysis::Table::Heap);
        if (!rules.hasValue()) return -1;
        const auto labels = std::make_shared<analysis::FrameLabels>();
        return budgetValuesOf(trace(ofC), labels, nullptr, analysis::Table::Heap, rules.value()).value().at(0);
    }

  private slots:
    void aTabIsABlankWhereTheLineIsShown() {
        const auto rules = parseBudget("outstanding\t50KB\tstack a!b", analysis::Table::Heap).value();
        QCOMPARE(rules.front().text, std::string("outstanding 50KB stack a!b"));
    }
    void readsLines() {
        const auto rules = parseBudget("# what may be\n\n  peak 1.5MB\r\ncount 10 where Size:>1KB\noutstanding 4096",
                                       analysis::Table::Heap)
                               .value();
        QCOMPARE(rules.size(), std::size_t{3});
        QCOMPARE(rules[0].line, std::size_t{3});
        QCOMPARE(rules[0].text, std::string("peak 1.5MB"));
        QCOMPARE(rules[0].limit, std::int64_t{1572864});
        QVERIFY(rules[0].measure == BudgetMeasure::Peak);
        QVERIFY(rules[1].filter.hasConditions());
        QCOMPARE(rules[2].limit, std::int64_t{4096});
    }
    void wordsAreReadInAnyCase() {
        const auto rules = parseBudget("\xEF\xBB\xBFPEAK 1mb Process APP\nChurn 2KB/S", analysis::Table::Heap).value();
        QVERIFY(rules[0].measure == BudgetMeasure::Peak && rules[0].filter.hasConditions());
        QCOMPARE(rules[1].limit, std::int64_t{2048});
    }
    void aBudgetWithoutLinesIsNone() {
        QCOMPARE(errorOf(""), std::string("The budget has no limits. Write at least one, such as peak 200MB."));
        QCOMPARE(errorOf("# peak 1MB\n\n"),
                 std::string("The budget has no limits. Write at least one, such as peak 200MB."));
    }
    /// Rows that are freed count as well.
    void linesThatMatchNothingAreFound() {
        const auto rules = parseBudget("outstanding 1 stack A!*\ncount 1 where Size:=100\npeak 1 stack nosuch!*\n"
                                       "outstanding 1\npeak 1 process other",
                                       analysis::Table::Heap);
        const auto matches = budgetMatchesOf(trace(), std::make_shared<analysis::FrameLabels>(), nullptr,
                                             analysis::Table::Heap, rules.value());
        QCOMPARE(matches.value(), (std::vector<bool>{true, true, false, true, false}));
    }
    /// As stacks appear in the answer: without versions.
    void namesAreThoseOfReportsToo() {
        for (const auto* rule : {"outstanding 1 stack libfoo.so!*", "outstanding 1 stack libfoo-1.2.so.3!+*",
                                 "outstanding 1 module LIBFOO.so", "outstanding 1 module libfoo-1.2.so.3",
                                 "outstanding 1 where [Stack]:~=libfoo.so!"})
            QVERIFY2(valueOf(rule, "libfoo-1.2.so.3") == 30, rule);
        QCOMPARE(valueOf("count 1 module libfoo.so", "libfoo-1.2.so.3"), std::int64_t{2});
        QCOMPARE(valueOf("outstanding 1 module libfoo", "libfoo-1.2.so.3"), std::int64_t{0});
    }
    void limitsOfSpeedsHaveTheirUnit() {
        QCOMPARE(parseBudget("churn 2KB/s", analysis::Table::Heap).value()[0].limit, std::int64_t{2048});
        QCOMPARE(parseBudget("slope 2KB/h", analysis::Table::Heap).value()[0].limit, std::int64_t{2048});
        QCOMPARE(errorOf("churn 2KB/h"),
                 std::string("Line 1 of the budget: \"2KB/h\" is not a limit; write an amount, such as 20MB"));
    }
    void wrongLinesAreTold() {
        QVERIFY(errorOf("peak 1MB\nheap 2MB").starts_with("Line 2 of the budget: unknown measure \"heap\""));
        QVERIFY(errorOf("peak").find("\"\" is not a limit") != std::string::npos);
        QVERIFY(errorOf("peak -1").find("is not a limit") != std::string::npos);
        QVERIFY(errorOf("peak nan").find("is not a limit") != std::string::npos);
        QVERIFY(errorOf("peak 1e300").find("is not a limit") != std::string::npos);
        QVERIFY(errorOf("peak 99999999TB").find("is not a limit") != std::string::npos);
        QVERIFY(errorOf("count 1KB").find("such as 1000") != std::string::npos);
        QVERIFY(errorOf("peak 1MB of app").find("stack PATTERN") != std::string::npos);
        QVERIFY(errorOf("peak 1MB stack").find("stack PATTERN") != std::string::npos);
        QVERIFY(!errorOf("peak 1MB where Size:>").empty());
        QVERIFY(errorOf("peak 1MB where NoColumn:=1") != "none");
    }
    void measuresAreThoseOfTheTrace() {
        QCOMPARE(valueOf("outstanding 1"), std::int64_t{80});
        QCOMPARE(valueOf("count 1"), std::int64_t{3});
        QCOMPARE(valueOf("peak 1"), std::int64_t{150});
        QCOMPARE(valueOf("allocated 1"), std::int64_t{180});
        QCOMPARE(valueOf("churn 1"), std::int64_t{180});
        QVERIFY(valueOf("slope 1") > 0);
    }
    void scopesChooseRows() {
        QCOMPARE(valueOf("outstanding 1 stack B!*"), std::int64_t{50});
        QCOMPARE(valueOf("allocated 1 stack A!*"), std::int64_t{150}); // any frame of the stack
        QCOMPARE(valueOf("outstanding 1 module c"), std::int64_t{30});
        QCOMPARE(valueOf("count 1 module C"), std::int64_t{2});
        QCOMPARE(valueOf("outstanding 1 process app"), std::int64_t{80});
        QCOMPARE(valueOf("outstanding 1 process other*"), std::int64_t{0});
        QCOMPARE(valueOf("allocated 1 where Size:>=50"), std::int64_t{150});
        QCOMPARE(valueOf("peak 1 stack \"quoted\""), std::int64_t{0});
    }
    void amountsReadWell() {
        QCOMPARE(amountText(BudgetMeasure::Churn, 2048), std::string("2.0 KB/s"));
        QCOMPARE(amountText(BudgetMeasure::Slope, -2048), std::string("-2.0 KB/h"));
        QCOMPARE(amountText(BudgetMeasure::Count, 1234), std::string("1,234"));
        QVERIFY(!amountText(BudgetMeasure::Slope, std::numeric_limits<std::int64_t>::min()).empty());
    }
    void parsingGrowsWithTheList() {
        const auto ratio = workRatio(500, [](std::size_t count) {
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
                text += "outstanding 20MB stack f" + std::to_string(i) + "*\n";
            (void)parseBudget(text, analysis::Table::Heap).hasValue();
        });
        QVERIFY2(ratio < kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

HIGHWATER_TEST(BudgetTest);

} // namespace

#include "budget_test.moc"

#include "core/check/check_runs.h"
#include "core/check/junit_writer.h"
#include "core/export/shell_words.h"
#include "tests/core/check/made_check.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <limits>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

using Runs = std::vector<CheckedRun>;

/// "f1 +2000" for each.
std::vector<std::string> grownIn(const Runs& before, const Runs& after, std::int64_t smallest = 1) {
    std::vector<std::string> texts;
    for (const auto& stack : checkRuns(before, after, {}, {analysis::Table::Heap, smallest}).grown)
        texts.push_back(stack.owner.name.substr(4) + " +" + std::to_string(stack.growth()));
    return texts;
}

Runs runsOf(const std::vector<std::vector<std::int64_t>>& runs) {
    Runs made;
    for (const auto& run : runs)
        made.push_back(madeRun("run" + std::to_string(made.size()), run));
    return made;
}

using Texts = std::vector<std::string>;

class CheckRunsTest : public QObject {
    Q_OBJECT

  private slots:
    void aLineIsIdleWhereNoRunHasWhatItNames() {
        BudgetRule rule;
        rule.line = 7;
        rule.text = "peak 1MB stack gone!*";
        auto before = runsOf({{1}}), after = runsOf({{1}, {1}});
        const std::vector rules{rule, rule};
        before[0].matches = {false, true};
        for (auto& run : after) {
            run.matches = {false, false};
            run.budgets = {0, 0};
        }
        const auto result = checkRuns(before, after, rules, {});
        QVERIFY(result.budgets[0].matchesNothing && !result.budgets[1].matchesNothing);
        QCOMPARE(result.idleBudgets(), std::size_t{1});
        QCOMPARE(result.notes.front(), std::string("Line 7 of the budget matches nothing: peak 1MB stack gone!*"));
        QVERIFY(result.hasPassed());
    }
    void aProcessOfOneSideIsNamed() {
        auto before = runsOf({{100}}), after = runsOf({{300}});
        before[0].summary.processes = {"leaky"};
        after[0].summary.processes = {"leaky-2.0"};
        const auto notes = checkRuns(before, after, {}, {}).notes;
        const auto has = [&](const char* note) { return std::ranges::find(notes, note) != notes.end(); };
        QVERIFY(has("Only the new runs contain leaky-2.0. All memory that is kept there counts as growth."));
        QVERIFY(has("Only the earlier runs contain leaky."));
        const auto hint = exports::renameHint("leaky = leaky-2.0");
        QVERIFY(hint.starts_with("--rename "));
        QVERIFY(has(("If leaky-2.0 is leaky under another name, compare both as one with " + hint).c_str()));
        after[0].summary.processes = {"leaky"};
        for (const auto& note : checkRuns(before, after, {}, {}).notes)
            QVERIFY2(!note.starts_with("Only "), note.c_str());
    }
    void oneRunASideTellsEveryGrowth() {
        QCOMPARE(grownIn(runsOf({{100, 500, 50}}), runsOf({{300, 400, 60}})), (Texts{"f0 +200", "f2 +10"}));
        QCOMPARE(grownIn(runsOf({{100, 500, 50}}), runsOf({{300, 400, 60}}), 100), Texts{"f0 +200"});
        const auto result = checkRuns(runsOf({{1}}), runsOf({{1}}), {}, {});
        QVERIFY(result.hasPassed());
        QCOMPARE(result.notes.size(), std::size_t{1});
    }
    /// f0 varies as much as it grows; f1 clearly grows; f2 is new.
    void severalRunsTellGrowthFromNoise() {
        const auto before = runsOf({{100, 1000}, {200, 1002}, {300, 1001}});
        const auto after = runsOf({{250, 1101, 9}, {350, 1102, 9}, {150, 1100, 9}});
        QCOMPARE(grownIn(before, after), (Texts{"f1 +100", "f2 +9"}));
    }
    /// By any run; the others are judged as before.
    void suppressedStacksAreCountedAlone() {
        auto before = runsOf({{100, 1000, 5}}), after = runsOf({{150, 3000, 4}});
        before[0].suppressed = {before[0].summary.stacks[0].key, before[0].summary.stacks[2].key};
        after[0].suppressed = {{77, 77}};
        auto result = checkRuns(before, after, {}, {analysis::Table::Heap, 1});
        QCOMPARE(result.grown.size(), std::size_t{1});
        QCOMPARE(result.grown[0].owner.name, std::string("app!f1"));
        QCOMPARE(result.suppressed.stacks, std::size_t{1});
        QCOMPARE(result.suppressed.bytes, std::int64_t{50});
        QCOMPARE(result.compared, std::size_t{3});
        QCOMPARE(suppressedText(result.suppressed), std::string("1 more stack grew but is suppressed: 50 B."));
        after[0].suppressed.insert(after[0].summary.stacks[1].key);
        result = checkRuns(before, after, {}, {analysis::Table::Heap, 1});
        QVERIFY(result.hasPassed());
        QCOMPARE(suppressedText(result.suppressed), std::string("2 more stacks grew but are suppressed: 2.0 KB."));
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        auto huge = runsOf({{kMost, kMost}});
        huge[0].suppressed = {huge[0].summary.stacks[0].key, huge[0].summary.stacks[1].key};
        QCOMPARE(checkRuns(runsOf({{1, 1}}), huge, {}, {}).suppressed.bytes, kMost);
        QCOMPARE(suppressedText({}), std::string());
    }
    void manyRunsAreTriedByRanks() {
        std::vector<std::vector<std::int64_t>> before, after;
        for (std::int64_t i = 0; i < 10; ++i) {
            before.push_back({1000 + 100 * i, 1000 + 100 * i});
            after.push_back({1650 + 100 * i, 1000 + 100 * ((i + 3) % 10)});
        }
        const auto result = checkRuns(runsOf(before), runsOf(after), {}, {analysis::Table::Heap, 1});
        QCOMPARE(result.grown.size(), std::size_t{1});
        QCOMPARE(result.grown[0].owner.name, std::string("app!f0"));
        QVERIFY(result.grown[0].p && *result.grown[0].p < 0.01);
        QCOMPARE(result.compared, std::size_t{2});
    }
    void whatShrankIsNoFailure() {
        QVERIFY(checkRuns(runsOf({{500}}), runsOf({{100}}), {}, {analysis::Table::Heap, 0}).hasPassed());
        QVERIFY(checkRuns(runsOf({{500}}), runsOf({{0}}), {}, {analysis::Table::Heap, 0}).hasPassed());
    }
    void otherTablesAreLeftOut() {
        QVERIFY(checkRuns(runsOf({{100}}), runsOf({{900}}), {}, {analysis::Table::VirtualAlloc, 1}).hasPassed());
    }
    void anExcessThatRoundingHidesIsShown() {
        BudgetVerdict line;
        line.rule.limit = 1'048'576;
        line.value = 1'048'576 + 312;
        QCOMPARE(budgetText(line), std::string(measureWord(line.rule.measure)) + " is 1.0 MB, 312 B more than 1.0 MB");
    }
    void budgetsAreOfTheWorstRun() {
        auto after = runsOf({{1}, {1}, {1}});
        after[0].budgets = {10, 100};
        after[1].budgets = {30, 101};
        after[2].budgets = {20, 500};
        std::vector<BudgetRule> rules(2);
        rules[0].limit = 30;
        rules[1].limit = 499;
        const auto result = checkRuns({}, after, rules, {});
        QCOMPARE(result.budgets[0].value, std::int64_t{30});
        QCOMPARE(result.budgets[0].median, std::int64_t{20});
        QVERIFY(!result.budgets[0].isBroken());
        QCOMPARE(budgetText(result.budgets[0]),
                 std::string("outstanding is 30 B in the worst of 3 runs (median 20 B), within 30 B"));
        QVERIFY(result.budgets[1].isBroken()); // by one run
        QCOMPARE(result.brokenBudgets(), std::size_t{1});
        QVERIFY(!result.hasPassed());
        QCOMPARE(result.notes[0], std::string("Without runs to compare with, only the budget was checked."));
    }
    void coursesAreMediansOfSlices() {
        const auto withSlices = [](CheckedRun run, const std::vector<std::int64_t>& peaks) {
            for (std::uint32_t i = 0; i < peaks.size(); ++i) {
                run.summary.windows.push_back({summary::WindowKind::Slice, std::to_string(i), i, i + 1});
                auto sample = run.summary.samples[0];
                sample.window = i + 1;
                sample.peak = peaks[i];
                if (peaks[i] != 0) run.summary.samples.push_back(sample);
            }
            return run;
        };
        const Runs before{withSlices(madeRun("a", {5}), {1, 2, 3})};
        const Runs after{withSlices(madeRun("b", {50}), {10, 0, 30}), withSlices(madeRun("c", {52}), {20, 5, 50}),
                         withSlices(madeRun("d", {51}), {15, 6, 40})};
        const auto result = checkRuns(before, after, {}, {analysis::Table::Heap, 1});
        QCOMPARE(result.grown.size(), std::size_t{1});
        QCOMPARE(result.grown[0].courseBefore, (std::vector<std::int64_t>{1, 2, 3}));
        QCOMPARE(result.grown[0].courseAfter, (std::vector<std::int64_t>{15, 5, 40}));
    }
    void runsWithoutNamesAreTold() {
        auto after = runsOf({{1}});
        after[0].summary.frames[0].isNamed = false;
        after[0].summary.facts.isWhole = false;
        const auto notes = checkRuns(runsOf({{1}, {1}}), after, {}, {}).notes;
        QCOMPARE(notes.size(), std::size_t{2});
        QVERIFY(notes[0].starts_with("run0: 1 of 1 function has no name"));
        QCOMPARE(notes[1], std::string("run0 is incomplete. Its totals are bounds."));
    }
};

HIGHWATER_TEST(CheckRunsTest);

} // namespace

#include "check_runs_test.moc"

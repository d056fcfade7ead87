#include "core/check/renamed_run.h"

#include "core/summary/stack_key.h"
#include "tests/core/check/made_check.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

/// A run of a process with these stacks, innermost function first.
CheckedRun runOf(const std::string& process, const std::vector<std::vector<std::string>>& stacks) {
    CheckedRun run;
    auto& summary = run.summary;
    summary.processes = {process};
    summary.windows = {{summary::WindowKind::Whole, "whole", 0, 1'000'000'000}};
    std::int64_t size = 1000;
    for (const auto& functions : stacks) {
        summary::Stack stack;
        std::vector<summary::StackKey> keys;
        for (const auto& function : functions) {
            stack.frames.push_back(static_cast<std::uint32_t>(summary.frames.size()));
            summary.frames.push_back(madeFrame(function));
            keys.push_back(summary::functionKey(function));
        }
        stack.key = summary::stackKey(keys);
        stack.owner = stack.frames.front();
        summary::Sample sample;
        sample.stack = static_cast<std::uint32_t>(summary.stacks.size());
        sample.inuseSpace = size;
        size *= 10;
        summary.stacks.push_back(std::move(stack));
        summary.samples.push_back(sample);
    }
    return run;
}

RunRenames renamesOf(const std::string& lines) {
    return RunRenames::make(analysis::Renames::parse(lines).value()).value();
}

/// Reports growth of one byte: "f +20".
std::vector<std::string> grownFrom(CheckedRun before, const CheckedRun& after, RunRenames renames) {
    renames.apply(before);
    std::vector<std::string> texts;
    for (const auto& stack : checkRuns({&before, 1}, {&after, 1}, {}, {analysis::Table::Heap, 1}).grown)
        texts.push_back(stack.owner.name + " +" + std::to_string(stack.growth()));
    return texts;
}

using Texts = std::vector<std::string>;

class RenamedRunTest : public QObject {
    Q_OBJECT

  private slots:
    /// Process names have versions, module names do not.
    void aProgramWithAnotherVersionIsTheSame() {
        const auto before = runOf("app-1.0.exe", {{"app.exe!f"}});
        const auto after = runOf("app-2.0.exe", {{"app.exe!f"}});
        QCOMPARE(grownFrom(before, after, renamesOf("")), Texts{"app.exe!f +1000"});
        QCOMPARE(grownFrom(before, after, renamesOf("app-1.0.exe = app-2.0.exe")), Texts());
    }
    void aModuleTakesItsFunctionsAlong() {
        const auto before = runOf("old.exe", {{"alloc.dll!get", "old.exe!f"}, {"old.exe!g"}});
        const auto after = runOf("New-1.exe", {{"alloc.dll!get", "new.exe!f"}, {"new.exe!h"}});
        QCOMPARE(grownFrom(before, after, renamesOf("OLD.exe = New-1.exe\nold.exe!g = new.exe!h")), Texts());
    }
    void aFunctionAlone() {
        const auto before = runOf("app", {{"app!load(int)"}, {"app!main"}});
        auto after = runOf("app", {{"app!read"}, {"app!main"}});
        after.summary.samples[0].inuseSpace += 5;
        QCOMPARE(grownFrom(runOf("app", {{"app!load"}, {"app!main"}}), after,
                           renamesOf("app!load(std::string const&, int) = app!read(int)")),
                 Texts{"app!read +5"});
    }
    /// Two stacks that become one are summed up.
    void whatBecomesOneIsSummedUp() {
        const auto before = runOf("app", {{"app!readA"}, {"app!readB"}}); // 1000 and 10000
        auto after = runOf("app", {{"app!read"}});
        after.summary.samples[0].inuseSpace = 11'001;
        QCOMPARE(grownFrom(before, after, renamesOf("app!readA = app!read\napp!readB = app!read")),
                 Texts{"app!read +1"});
    }
    void suppressedStacksStaySo() {
        auto before = runOf("app", {{"app!old"}});
        before.suppressed.insert(before.summary.stacks[0].key);
        auto renames = renamesOf("app!old = app!new");
        renames.apply(before);
        QCOMPARE(before.suppressed.size(), std::size_t{1});
        QCOMPARE(*before.suppressed.begin(), runOf("app", {{"app!new"}}).summary.stacks[0].key);
    }
    void whatMatchesNothingIsKnown() {
        auto before = runOf("app-1.0.exe", {{"app.exe!f"}});
        auto renames = renamesOf("app-1.0.exe = app-2.0.exe\napp.exe!f = app.exe!g\nnothing.dll = some.dll\n");
        renames.apply(before);
        QCOMPARE(renames.unusedLines(), Texts{"nothing.dll = some.dll"});
    }
    void twoVersionsOfOneModuleAreOne() {
        const auto two = RunRenames::make(analysis::Renames::parse("foo-1.0.dll=a.dll\nfoo-2.0.dll=b.dll").value());
        QCOMPARE(two.error().kind, ErrorKind::Usage);
        QCOMPARE(two.error().message, std::string("foo.dll is renamed to both a.dll and b.dll. Checks ignore versions "
                                                  "in names, so use a single new name."));
        QVERIFY(RunRenames::make(analysis::Renames::parse("foo-1.0.dll=a.dll\nfoo-2.0.dll=a.dll").value()).hasValue());
    }
    /// Lines that differ only in versions become one: each is looked up, not searched for.
    void workGrowsWithTheList() {
        const auto ratio = workRatio(1'000, [](std::size_t count) {
            analysis::Renames renames;
            for (std::size_t i = 0; i < count; ++i) {
                QVERIFY(renames.add("a" + std::to_string(i) + "x.dll", "b.dll").hasValue());
                QVERIFY(renames.add("lib.so." + std::to_string(i), "c.so").hasValue());
            }
            QVERIFY(RunRenames::make(renames).hasValue());
        });
        QVERIFY2(ratio < kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

HIGHWATER_TEST(RenamedRunTest);

} // namespace

#include "renamed_run_test.moc"

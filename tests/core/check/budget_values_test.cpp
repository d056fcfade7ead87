#include "core/check/budget_values.h"
#include "core/event/agent_names.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

enum class Sampled { Yes, No };

/// One second. "app" has 5 pages, then 3: B keeps a page, C two. "tool" has 4 pages and no rows; "idle" has rows but no
/// samples.
std::shared_ptr<const store::PublishedTrace> traceOfThree(Sampled sampled) {
    ColumnsBuilder builder;
    const auto app = builder.process("app", 7, TraceTime{0});
    const auto tool = builder.process("tool", 8, TraceTime{0});
    const auto idle = builder.process("idle", 9, TraceTime{0});
    const auto alloc = [&](std::uint32_t process, std::int64_t ms, ByteCount size, const std::string& stack,
                           std::uint64_t page) {
        ModelRow row;
        row.process = process;
        row.heap = 0x10000;
        row.begin = TraceTime{ms * 1'000'000};
        row.size = size;
        row.stack = stack;
        row.address = page * 4096 + 64;
        builder.alloc(row);
    };
    alloc(app, 100, 50, "A;B", 1);
    alloc(app, 110, 5000, "C", 2);
    alloc(idle, 120, 10, "D", 1);
    const auto sample = [&](std::uint32_t process, std::int64_t ms, std::set<std::uint64_t> pages) {
        if (sampled == Sampled::Yes) builder.sample({process, TraceTime{ms * 1'000'000}, std::move(pages)});
    };
    sample(app, 200, {1, 2, 3, 8, 9});
    sample(tool, 200, {1, 2, 3, 4});
    sample(app, 300, {1, 2, 3});
    return builder.publish(TraceTime{1'000'000'000});
}

std::vector<BudgetRule> rulesOf(const std::string& budget) {
    return parseBudget(budget, analysis::Table::Heap).value();
}

Result<std::vector<std::int64_t>> valuesOf(const std::string& budget, Sampled sampled = Sampled::Yes) {
    return budgetValuesOf(traceOfThree(sampled), std::make_shared<analysis::FrameLabels>(), nullptr,
                          analysis::Table::Heap, rulesOf(budget));
}

} // namespace

/// Limits of resident memory. budget_test.cpp tests those of rows.
class BudgetValuesTest : public QObject {
    Q_OBJECT

  private slots:
    void rssIsTheHighestOfAnySampledProcess() {
        QCOMPARE(
            valuesOf("rss_peak 1\nrss_peak 1 process TOOL\nrss_peak 1 process app*\nrss_peak 1 process nobody").value(),
            (std::vector<std::int64_t>{5 * 4096, 4 * 4096, 5 * 4096, 0}));
    }
    /// The channel of a busy program can be many times larger than the program.
    void rssIsThatOfTheProgramWithoutTheAgent() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(++script.now, script.pid)
                                          .map(0x10000, 4 * kPage, kDivided, "[heap]")
                                          .map(0x80000, 90 * kPage, kSharedData, std::string(kAgentChannelMapping))
                                          .done());
        const auto rules = rulesOf("rss_peak 1\nrss_peak 1 process app");
        const auto values = budgetValuesOf(script.publish(), std::make_shared<analysis::FrameLabels>(), nullptr,
                                           analysis::Table::Heap, rules);
        QCOMPARE(values.value(), (std::vector<std::int64_t>{4 * 4096, 4 * 4096}));
    }
    void heldPagesAreThoseOfTheMatchingRows() {
        QCOMPARE(valuesOf("held 1\nheld 1 stack B!*\nheld 1 module c\nheld 1 stack nobody").value(),
                 (std::vector<std::int64_t>{3 * 4096, 4096, 2 * 4096, 0}));
    }
    void aLineAboutRssMatchesSampledProcesses() {
        const auto rules = rulesOf("rss_peak 1 process tool\nrss_peak 1 process idle\nrss_peak 1\nheld 1 stack C!*");
        const auto matches = [&](Sampled sampled) {
            return budgetMatchesOf(traceOfThree(sampled), std::make_shared<analysis::FrameLabels>(), nullptr,
                                   analysis::Table::Heap, rules)
                .value();
        };
        QCOMPARE(matches(Sampled::Yes), (std::vector<bool>{true, false, true, true}));
        QCOMPARE(matches(Sampled::No), (std::vector<bool>{false, false, true, true}));
    }
    /// 0 would keep any limit.
    void unknownMemoryIsRefused() {
        for (const auto* budget : {"peak 1\nrss_peak 1MB", "peak 1\nheld 1MB stack B!*"}) {
            const auto refused = valuesOf(budget, Sampled::No);
            QVERIFY2(!refused.hasValue() && refused.error().kind == ErrorKind::Unsupported, budget);
            QVERIFY(refused.error().message.find("Line 2 of the budget (") != std::string::npos);
        }
        const auto idle = valuesOf("held 1 process idle");
        QVERIFY(!idle.hasValue());
        QVERIFY(idle.error().message.find("none of the processes that it selects was sampled") != std::string::npos);
    }
    void rssIsLimitedOnlyForProcesses() {
        for (const auto* line : {"rss_peak 1MB stack A!*", "rss_peak 1MB process", "rss_peak 1MB where Size:>1"}) {
            const auto rules = parseBudget(line, analysis::Table::Heap);
            QVERIFY2(!rules.hasValue(), line);
            QVERIFY(rules.error().message.find("write process PATTERN, or nothing") != std::string::npos);
        }
    }
};
HIGHWATER_TEST(BudgetValuesTest);
#include "budget_values_test.moc"

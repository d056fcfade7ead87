#include "core/summary/resident_facts.h"

#include "core/analysis/balance/page_ranges.h"
#include "core/analysis/held/holders.h"
#include "core/event/agent_names.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

using namespace highwater;
using namespace highwater::summary;
using namespace highwater::tests;

namespace {

const std::string kChannel(kAgentChannelMapping);

using Facts = std::vector<ResidentFacts>;

Facts factsOf(const store::PublishedTrace& trace) { return residentFactsOf(trace, {}).value(); }

std::int64_t bytes(ByteCount pages) { return static_cast<std::int64_t>(pages * kPage); }

void sample(EventScript& script, ByteCount pages) {
    script.store.onResidentSample(
        SampleBuilder(++script.now, script.pid).map(0x10000, pages * kPage, kDivided, "[heap]").done());
}

} // namespace

class ResidentFactsTest : public QObject {
    Q_OBJECT

  private slots:
    void aTraceWithoutSamplesHasNone() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 100);
        QVERIFY(factsOf(*script.publish()).empty());
    }
    void eachProcessHasItsPeakAndItsPages() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 100).alloc(0x10100, 5000).alloc(0x14010, 9);
        sample(script, 9); // at 5
        sample(script, 3); // the newest: the block at 0x14010 is not in RAM
        script.inProcess(7).process(Occasion::Start, "b").alloc(0x11010, 8);
        sample(script, 4);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(9), bytes(2)}, {"b", bytes(4), bytes(1)}}));
    }
    /// The peak is that of one of them, because each has its own memory.
    void processesWithOneNameAreTogether() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 100);
        sample(script, 9);
        script.inProcess(7).process(Occasion::Start, "a").alloc(0x11010, 8);
        sample(script, 4);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(9), bytes(2)}}));
    }
    /// The sample with the highest Rss is not the one in which the program itself has most.
    void thePeakIsThatOfTheProgramWithoutTheAgent() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 100);
        const auto sampleWith = [&](ByteCount ofProgram, ByteCount ofChannel) {
            script.store.onResidentSample(SampleBuilder(++script.now, script.pid)
                                              .map(0x10000, ofProgram * kPage, kDivided, "[heap]")
                                              .map(0x80000, ofChannel * kPage, kSharedData, kChannel)
                                              .done());
        };
        sampleWith(9, 2);
        sampleWith(3, 50);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(9), bytes(1)}}));
    }
    void pagesAreUnknownInAProcessWithoutHeapBlocks() {
        EventScript script;
        script.process(Occasion::Start, "a").reserveAndCommit(0x60000, 2 * kPage);
        sample(script, 2);
        script.inProcess(7).process(Occasion::Start, "b").alloc(0x11010, 8);
        sample(script, 4);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(2), std::nullopt}, {"b", bytes(4), bytes(1)}}));
    }
    void aRunHasTheHighestPeakAndAllPages() {
        RunFacts facts;
        QVERIFY(!rssPeakOf(facts) && !heldOf(facts));
        facts.resident = {{"a", 5, std::nullopt}};
        QVERIFY(!heldOf(facts));
        facts.resident = {{"a", 5, 7}, {"b", 9, std::nullopt}, {"c", 2, std::numeric_limits<std::int64_t>::max()}};
        QCOMPARE(rssPeakOf(facts), std::optional<std::int64_t>(9));
        QCOMPARE(heldOf(facts), std::optional(std::numeric_limits<std::int64_t>::max()));
    }
    void pagesAreUnknownWithoutHeapBlocks() {
        EventScript script;
        script.process(Occasion::Start, "a").reserveAndCommit(0x60000, 2 * kPage);
        sample(script, 2);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(2), std::nullopt}}));
    }
    void pagesAreUnknownIfThoseOfAllBlocksAre() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 8);
        const auto sampleUnknown = [&] {
            script.store.onResidentSample(
                SampleBuilder(++script.now).map(0x10000, 4 * kPage, kAnonymous, "", {{0, 1}}).done());
        };
        sampleUnknown();
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(1), std::nullopt}}));
        script.inProcess(7).process(Occasion::Start, "a").alloc(0x11010, 8);
        sample(script, 4);
        QVERIFY(factsOf(*script.publish()) == (Facts{{"a", bytes(4), bytes(1)}}));
    }
    void damagedSizesAreLimited() {
        EventScript script;
        script.process(Occasion::Start, "a").reserveAndCommit(0x60000, kPage);
        const auto most = analysis::kLastMappingEnd - kPage;
        script.store.onResidentSample(SampleBuilder(++script.now).map(kPage, most, kFileData, "/f").done());
        QCOMPARE(factsOf(*script.publish()).front().rssPeak, std::numeric_limits<std::int64_t>::max());
    }
    void pagesAreThoseOfAllOwnersTogether() {
        std::size_t sampled = 0;
        for (unsigned seed = 0; seed < 100; ++seed) {
            RandomTrace random(seed);
            const auto& trace = *random.publications().back().trace;
            RunFacts facts;
            facts.resident = factsOf(trace);
            const auto all = heldOf(facts);
            if (!all) continue;
            analysis::HolderQuery query;
            query.samples.interval = trace.wholeRange();
            analysis::FrameLabels labels;
            const auto holders = analysis::findHolders(trace, labels, query);
            // A block that ends at the start of the interval is in RAM at a sample then, but not in a table.
            const auto isAtStart = [&](const auto& of) { return of.time == query.samples.interval.start; };
            if (std::ranges::any_of(holders.value(), isAtStart)) continue;
            ++sampled;
            ByteCount held = 0;
            for (const auto& process : holders.value())
                held += process.all.heldPages;
            QVERIFY2(static_cast<ByteCount>(*all) == held,
                     fmt::format("seed {}: {} instead of {}", seed, *all, held).c_str());
        }
        QVERIFY(sampled > 10);
    }
};
HIGHWATER_TEST(ResidentFactsTest);
#include "resident_facts_test.moc"

#include "core/analysis/held/holders.h"
#include "tests/core/analysis/held/held_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

class HoldersTest : public QObject {
    Q_OBJECT

  private slots:
    void pagesAreHeldByTheOwnerWhoseBlocksAreAloneOnThem() {
        HeldTrace trace;
        trace.block("A;cache", 0, 16, 32).block("B;cache", 1, 16, 32).block("A;net", 1, 256, 100);
        trace.block("A;net", 2, 16, 8000).sample(8);
        QCOMPARE(trace.text(), std::string("server (7); net!+0x1: 2 blocks, 8100 bytes hold 8192; "
                                           "cache!+0x1: 2 blocks, 64 bytes hold 4096"));
    }
    void onlyBlocksInRamThatAreThereAtTheSampleCount() {
        HeldTrace trace;
        trace.block("A;freed", 0, 16, 32).freeLast().block("A;cache", 0, 256, 32).block("A;away", 100, 16, 32);
        trace.sample(8).block("A;later", 0, 512, 32);
        QCOMPARE(trace.text(), std::string("server (7); cache!+0x1: 1 blocks, 32 bytes hold 4096"));
    }
    void theNewestSampleInTheIntervalCounts() {
        HeldTrace trace;
        trace.block("A;old", 0, 16, 32).sample(8).freeLast().block("A;new", 0, 16, 32).sample(8);
        QCOMPARE(trace.text(), std::string("server (7); new!+0x1: 1 blocks, 32 bytes hold 4096"));
        const auto earlier = trace.find({.samples = {.interval = {TraceTime{0}, TraceTime{3}}}}).value();
        QCOMPARE(earlier.front().holders.front().owner, std::string("old!+0x1"));
        QVERIFY(earlier.front().time == TraceTime{2});
        QVERIFY(trace.find({.samples = {.interval = {TraceTime{3}, TraceTime{4}}}}).value().empty());
    }
    void processesCanBeChosen() {
        HeldTrace trace;
        trace.block("A;cache", 0, 16, 32).sample(1);
        QCOMPARE(trace.find({.samples = {.interval = {}, .only = std::vector{ProcessIndex{0}}}}).value().size(),
                 std::size_t{1});
        QVERIFY(trace.find({.samples = {.interval = {}, .only = std::vector{ProcessIndex{1}}}}).value().empty());
    }
    void aFewBytesThatHoldManyPagesAreWorthASentence() {
        HeldTrace trace;
        for (std::uint64_t page = 0; page < 2 * kMegabytePages; ++page)
            trace.block("A;cache", page, 16, 32);
        trace.sample(2 * kMegabytePages);
        QCOMPARE(
            meaningOf(trace.find().value().front()),
            std::string("16.0 KB in 512 blocks of cache!+0x1 hold 2.0 MB of pages that contain no other heap blocks."));
        HeldTrace full;
        for (std::uint64_t page = 0; page < 2 * kMegabytePages; ++page)
            full.block("A;cache", page, 16, 4000);
        QCOMPARE(meaningOf(full.sample(2 * kMegabytePages).find().value().front()), std::string());
        QCOMPARE(meaningOf(ProcessHolders{}), std::string());
    }
    /// Two owners hold a page together, so that neither holds it.
    void allOwnersTogetherHoldWhatTheyShare() {
        HeldTrace trace;
        trace.block("A;cache", 0, 16, 32).block("A;net", 0, 256, 100).block("A;net", 2, 16, 32).sample(8);
        const auto process = trace.find().value().front();
        QCOMPARE(process.holders.size(), std::size_t{2});
        QCOMPARE(process.holders[0].heldPages + process.holders[1].heldPages, ByteCount{4096});
        QCOMPARE(process.all.heldPages, ByteCount{8192});
        QCOMPARE(process.all.resident, ByteCount{164});
        QCOMPARE(process.all.rows, std::uint64_t{3});
    }
    void aProcessThatHadEndedIsLeftOut() {
        HeldTrace trace;
        trace.block("A;cache", 0, 16, 32).sample(1).endProcess();
        QCOMPARE(trace.find({.samples = {.interval = {}, .runningAt = TraceTime{2}}}).value().size(), std::size_t{1});
        QVERIFY(trace.find({.samples = {.interval = {}, .runningAt = TraceTime{4}}}).value().empty());
    }
    void theLargestHolderIsFoundWithAPathToIt() {
        HeldTrace trace;
        for (std::uint64_t page = 0; page < 2 * kMegabytePages; ++page)
            trace.block(page % 4 == 0 ? "main;once;cache" : "main;often;cache", page, 16, 32);
        const auto published =
            trace.block("main;net", 3 * kMegabytePages, 16, 4000).sample(4 * kMegabytePages).publish();
        FrameLabels labels;
        HolderQuery query;
        query.samples.interval = published->wholeRange();
        query.asksPath = true;
        const auto found = findLargestHolder(*published, labels, query).value();
        QVERIFY(found);
        QCOMPARE(found->rss, ByteCount{4} << 20);
        QCOMPARE(found->holders.size(), std::size_t{1});
        QCOMPARE(found->holders.front().owner, std::string("cache!+0x1"));
        std::vector<std::string> path;
        for (const auto& step : found->holders.front().path)
            path.emplace_back(step.column == Column::Process
                                  ? "process"
                                  : labels.text(LabelId{static_cast<std::uint32_t>(step.key)}));
        QCOMPARE(path, (std::vector<std::string>{"process", "cache!+0x1"}));
    }
    void whoHoldsLittleMoreThanItsBytesIsNoLargestHolder() {
        HeldTrace trace;
        for (std::uint64_t page = 0; page < 2 * kMegabytePages; ++page)
            trace.block("main;full", page, 16, 4000);
        FrameLabels labels;
        HolderQuery query;
        query.samples.interval = {TraceTime{0}, TraceTime{100'000}};
        QVERIFY(!findLargestHolder(*trace.publish(), labels, query).value()); // without samples
        QVERIFY(!findLargestHolder(*trace.sample(2 * kMegabytePages).publish(), labels, query).value());
    }
    void unrecordedBlocksMayBeOnThePages() {
        ProcessHolders holders;
        holders.doubt = kUnrecordedOnPages;
        holders.holders = {{{100, 4096, 1}, "app!f", {}}};
        QVERIFY(meaningOf(holders).starts_with("Held Pages may be too high"));
    }
    void blocksOnUnknownPagesAreLeftOutAndCounted() {
        HeldTrace trace;
        trace.block("A;cache", 0, 16, 32).block("A;shared", 1, 16, 32).block("A;shared", 1, 256, 32);
        trace.sampleWithUnknownPage(2);
        QCOMPARE(trace.text(), std::string("server (7); cache!+0x1: 1 blocks, 32 bytes hold 4096"));
        const auto process = trace.find().value().front();
        QVERIFY(process.isKnown() && !process.isComplete());
        QCOMPARE(process.all.heldPages, ByteCount{4096});
        QCOMPARE(meaningOf(process),
                 std::string("The numbers leave out 2 blocks because it is unknown which of their pages are in RAM."));
    }
    void aProcessOfWhichAllPagesAreUnknownHoldsAnUnknownAmount() {
        HeldTrace trace;
        const auto process = trace.block("A;cache", 0, 16, 32).sampleWithUnknownPage(1).find().value().front();
        QVERIFY(process.holders.empty() && !process.isKnown());
    }
    void lossesMakeHeldPagesDoubtful() {
        HeldTrace trace;
        auto published = *trace.block("A;cache", 0, 16, 32).sample(1).publish();
        FrameLabels labels;
        const HolderQuery query{.samples = {.interval = published.wholeRange()}};
        QVERIFY(findHolders(published, labels, query).value().front().doubt.empty());
        published.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 3;
        QCOMPARE(meaningOf(findHolders(published, labels, query).value().front()),
                 std::string("Held Pages may be too high or too low because allocations or frees are missing in the "
                             "trace."));
    }
    void aTraceWithoutSamplesIsRefused() {
        HeldTrace trace;
        const auto found = trace.block("A;cache", 0, 16, 32).find();
        QVERIFY(!found.hasValue() && found.error().kind == ErrorKind::Unsupported);
    }
};

HIGHWATER_TEST(HoldersTest);
#include "holders_test.moc"

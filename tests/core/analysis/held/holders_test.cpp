#include "core/analysis/held/holders.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr std::uint64_t kFirstPage = 0x100;
constexpr ByteCount kMegabytePages = 256;

/// A process with blocks on pages of its heap, all of which are resident.
class HeldTrace {
  public:
    HeldTrace() { process_ = builder_.process("server", 7, TraceTime{0}); }

    HeldTrace& block(const std::string& stack, std::uint64_t page, ByteCount offset, ByteCount size) {
        ModelRow row;
        row.process = process_;
        row.heap = 1;
        row.stack = stack;
        row.address = (kFirstPage + page) * 4096 + offset;
        row.size = size;
        row.begin = TraceTime{++now_};
        last_ = builder_.alloc(row);
        return *this;
    }
    HeldTrace& freeLast() {
        ModelRelease release;
        release.time = TraceTime{++now_};
        builder_.end(last_, release);
        return *this;
    }
    HeldTrace& endProcess() {
        builder_.endProcess(process_, TraceTime{++now_});
        return *this;
    }
    HeldTrace& sample(std::uint64_t pages) {
        ModelSample sample{process_, TraceTime{++now_}, {}};
        for (std::uint64_t page = 0; page < pages; ++page)
            sample.pages.insert(kFirstPage + page);
        builder_.sample(std::move(sample));
        return *this;
    }
    /// Holders of the interval, a line each: "B!+0x1: 2 blocks, 32 bytes hold 8192".
    [[nodiscard]] Result<std::vector<ProcessHolders>> find(HolderQuery query = {}) {
        const auto trace = builder_.publish(TraceTime{now_ + 1});
        if (query.samples.interval.isEmpty()) query.samples.interval = trace->wholeRange();
        FrameLabels labels;
        return findHolders(*trace, labels, query);
    }
    [[nodiscard]] std::string text() {
        std::string text;
        const auto found = find().value();
        for (const auto& process : found) {
            text += process.name;
            for (const auto& holder : process.holders)
                text += fmt::format("; {}: {} blocks, {} bytes hold {}", holder.owner, holder.rows, holder.resident,
                                    holder.heldPages);
        }
        return text;
    }

  private:
    ColumnsBuilder builder_;
    std::uint32_t process_ = 0;
    std::int64_t now_ = 0;
    std::size_t last_ = 0;
};

} // namespace

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
        QCOMPARE(meaningOf(trace.find().value().front()),
                 std::string("16.0 KB in 512 blocks of cache!+0x1 hold 2.0 MB of pages, on which nothing else of the "
                             "heap is."));
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
    void unrecordedBlocksMayBeOnThePages() {
        ProcessHolders holders;
        holders.isIncomplete = true;
        holders.holders = {{"app!f", 1, 100, 4096}};
        QVERIFY(meaningOf(holders).starts_with("Held Pages may be too high"));
    }
    void aTraceWithoutSamplesIsRefused() {
        HeldTrace trace;
        const auto found = trace.block("A;cache", 0, 16, 32).find();
        QVERIFY(!found.hasValue() && found.error().kind == ErrorKind::Unsupported);
    }
};

HIGHWATER_TEST(HoldersTest);
#include "holders_test.moc"

#include "core/decode/records/clock.h"
#include "core/pipeline/recording_notes.h"
#include "core/pipeline/trace_loader.h"
#include "core/pipeline/unrecorded_memory.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/store/trace_store.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <ctime>

using namespace highwater;
using namespace highwater::pipeline;
using fixtures::seconds;

namespace {

constexpr ByteCount kMegabyte = 1024 * 1024;

/// A file as if the agent had recorded it.
class OfAgent final : public source::RecordSource {
  public:
    explicit OfAgent(std::unique_ptr<source::RecordSource> records)
        : records_(std::move(records)), properties_(records_->properties()) {
        properties_.sessionName = kAgentSessionName;
    }
    [[nodiscard]] const TraceProperties& properties() const override { return properties_; }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override {
        return records_->run(sink, health, std::move(stop), progress);
    }

  private:
    std::unique_ptr<source::RecordSource> records_;
    TraceProperties properties_;
};

/// Two processes: 10 keeps 1 MB of heap and 2 MB of pages between seconds 1 and 3; 20 keeps 4 MB of heap from second 2.
/// 30 continues as another program.
std::vector<std::byte> traceBytes() {
    fixtures::TraceBuilder builder;
    builder.processRunsAlready({.pid = 10, .name = "a", .mainTid = 11, .modules = {"ntdll.dll"}});
    builder.processRunsAlready({.pid = 20, .name = "b", .mainTid = 21, .modules = {"ntdll.dll"}});
    builder.processStarts(seconds(0.5), {.pid = 30, .name = "first", .mainTid = 31, .modules = {"ntdll.dll"}});
    builder.processEnds(seconds(0.7), 30);
    builder.processStarts(seconds(0.8), {.pid = 30, .name = "second", .mainTid = 31, .modules = {"ntdll.dll"}});
    builder.heapAlloc({seconds(1), 10, 11}, 0x1D0000, {0x1D0100, kMegabyte}, "a!main");
    builder.virtualAlloc({seconds(1), 10, 11}, {0x40000000, 2 * kMegabyte}, 0x3000, "a!main");
    builder.heapAlloc({seconds(2), 20, 21}, 0x1D0000, {0x1D0100, 4 * kMegabyte}, "b!main");
    builder.heapFree({seconds(3), 10, 11}, 0x1D0000, 0x1D0100);
    builder.virtualFree({seconds(3), 10, 11}, {0x40000000, 0}, 0x8000);
    builder.endsAt(seconds(4));
    return builder.bytes().value();
}
std::shared_ptr<const store::PublishedTrace> trace() { return highwater::load(traceBytes()); }

/// The final notes of a recording of it, if its processes had this many private bytes.
std::vector<std::string> notesOfRecording(store::BlockRows blocks, const std::vector<PrivateBytesSample>& list) {
    RecordingNotes notes;
    TraceInput input;
    input.open = [](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
        auto file = TRY(source::EtlFileSource::fromMemory(traceBytes(), "trace.etl", health));
        return std::unique_ptr<source::RecordSource>(std::make_unique<OfAgent>(std::move(file)));
    };
    input.opened = [&](const TraceProperties& properties) {
        notes.begin(properties, 7);
        const decode::Clock clock(properties);
        for (const auto& sample : list) {
            notes.privateBytes(sample.pid, {sample.bytes, sample.bytes},
                               properties.firstTicks + clock.ticksIn(sample.time.ns));
        }
    };
    input.addition = &notes;
    input.blocks = blocks;
    TraceLoader loader(std::move(input));
    loader.wait();
    return loader.latest()->health.notes;
}

TraceNotes samples(std::vector<PrivateBytesSample> list) { return {.marks = {}, .privateBytes = std::move(list)}; }

} // namespace

class UnrecordedMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    void isWhatNoRowAccountsForAtThePeak() {
        const auto found = unrecordedMemory(
            *trace(),
            samples({{seconds(0.5), 10, kMegabyte}, {seconds(2), 10, 5 * kMegabyte}, {seconds(3.5), 10, 64}}));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].privateBytes, 5 * kMegabyte);
        QCOMPARE(found[0].unrecorded, 2 * kMegabyte);
        QCOMPARE(found[0].time, seconds(2));
        QCOMPARE(describe(found[0]),
                 std::string("a (10) had 5.0 MB of private memory at 2.0 s. Of this, 2.0 MB was not recorded because "
                             "it belongs to modules, thread stacks or the C library."));
    }
    /// Only an attached process has memory from before the recording, and only a fork has memory of its parent.
    void memoryOfOthersIsSaidOnlyOfProcessesThatHaveIt() {
        UnrecordedMemory memory{"a (10)", seconds(2), 5 * kMegabyte, 2 * kMegabyte, {}};
        memory.isFork = true;
        QVERIFY(describe(memory).find("because it was inherited from the parent process or belongs to modules,") !=
                std::string::npos);
        memory.isAttached = true;
        QCOMPARE(describe(memory),
                 std::string("a (10) had 5.0 MB of private memory at 2.0 s. Of this, 2.0 MB was not recorded because "
                             "it was allocated before the recording or belongs to modules, thread stacks or the C "
                             "library."));
    }
    /// Samples process 10, which frees 1 MB of blocks and 2 MB of pages at second 3.
    void freedBlocksCountBecauseTheAllocatorMayKeepThem() {
        const auto found = unrecordedMemory(
            *trace(),
            samples({{seconds(0.5), 10, 0}, {seconds(2), 10, 3 * kMegabyte}, {seconds(3.5), 10, 4 * kMegabyte}}));
        QCOMPARE(found[0].time, seconds(3.5));
        QCOMPARE(found[0].unrecorded, 3 * kMegabyte);
        const auto between = // no sample was taken while they were outstanding
            unrecordedMemory(*trace(), samples({{seconds(0.5), 10, 0}, {seconds(3.5), 10, 4 * kMegabyte}}));
        QCOMPARE(between[0].unrecorded, 3 * kMegabyte);
    }
    /// 8 MB and 6 MB are outstanding together for a millisecond, between all instants.
    void aShortPeakIsRecordedMemory() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "a", .mainTid = 11, .modules = {"ntdll.dll"}});
        builder.heapAlloc({seconds(1.5), 10, 11}, 0x1D0000, {0x1D0100, 8 * kMegabyte}, "a!main");
        builder.heapAlloc({seconds(1.502), 10, 11}, 0x1D0000, {0x9D0100, 6 * kMegabyte}, "a!main");
        builder.heapFree({seconds(1.503), 10, 11}, 0x1D0000, 0x1D0100);
        builder.heapFree({seconds(1.503), 10, 11}, 0x1D0000, 0x9D0100);
        builder.endsAt(seconds(4));
        const auto found =
            unrecordedMemory(*highwater::load(builder.bytes().value()),
                             samples({{seconds(0), 10, 0}, {seconds(1), 10, 0}, {seconds(2), 10, 14 * kMegabyte}}));
        QCOMPARE(found[0].unrecorded, ByteCount{0});
        QCOMPARE(found[0].grownUnrecorded, ByteCount{0});
        QVERIFY(!isGrowthMissing(found[0]));
    }
    /// As a hostile file may have. 64 instants for each would need gigabytes.
    void aFileMayHaveManySamples() {
        constexpr std::int64_t kSamples = 3'000'000, kStepNs = 1000;
        std::vector<PrivateBytesSample> list(kSamples);
        for (std::int64_t i = 0; i < kSamples; ++i)
            list[static_cast<std::size_t>(i)] = {
                {i * kStepNs}, 10, i * kStepNs == seconds(2).ns ? 5 * kMegabyte : kMegabyte};
        const auto notes = samples(std::move(list));
        const auto loaded = trace();
        const auto begin = std::clock();
        const auto found = unrecordedMemory(*loaded, notes);
        const auto taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        QCOMPARE(found.at(0).time, seconds(2));
        QCOMPARE(found[0].unrecorded, 2 * kMegabyte);
        QVERIFY2(taken < 1, qPrintable(QString::number(taken)));
    }
    void everyProcessIsLookedAtByItselfTheLargestFirst() {
        const auto found =
            unrecordedMemory(*trace(), samples({{seconds(2), 10, 3 * kMegabyte}, {seconds(3), 20, 6 * kMegabyte}}));
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].process, std::string("b (20)"));
        QCOMPARE(found[0].unrecorded, 2 * kMegabyte);
        QCOMPARE(found[1].unrecorded, ByteCount{0});
    }
    void memoryThatWasNeverTouchedIsNoLessThanNothing() {
        const auto found = unrecordedMemory(*trace(), samples({{seconds(2), 10, kMegabyte}}));
        QCOMPARE(found[0].unrecorded, ByteCount{0});
    }
    /// Samples process 20, which keeps 4 MB of blocks from second 2 on.
    void comparesGrowthFromASecondAfterTheFirstSample() {
        const auto found = unrecordedMemory(*trace(), samples({{seconds(0.2), 20, 50 * kMegabyte},
                                                               {seconds(1.1), 20, 90 * kMegabyte},
                                                               {seconds(1.5), 20, 100 * kMegabyte},
                                                               {seconds(3), 20, 160 * kMegabyte},
                                                               {seconds(3.5), 20, 120 * kMegabyte}}));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].since, seconds(1.5));
        QCOMPARE(found[0].time, seconds(3));
        QCOMPARE(found[0].grown, 60 * kMegabyte);
        QCOMPARE(found[0].grownUnrecorded, 56 * kMegabyte);
        QVERIFY(isGrowthMissing(found[0]));
        auto launched = found[0];
        launched.isAttached = false;
        QCOMPARE(
            describe(launched),
            std::string("The private memory of b (20) grew by 60.0 MB between 1.5 s and 3.0 s, and 56.0 MB of this "
                        "was not recorded. It belongs to modules, thread stacks or the C library, or was requested by "
                        "direct system calls."));
        auto attached = found[0];
        attached.isAttached = true;
        QVERIFY(describe(attached).ends_with("To record them, start it from Highwater."));
    }
    /// The sample before the start of the program does not count, so that the first one that does comes a second later.
    /// What was allocated and freed in that second was never outstanding together.
    void turnoverBeforeTheFirstSampleIsNotRecordedMemory() {
        fixtures::TraceBuilder builder;
        builder.processStarts(seconds(0.5), {.pid = 10, .name = "a", .mainTid = 11, .modules = {"ntdll.dll"}});
        for (int i = 0; i < 40; ++i) {
            const Address at = 0x1D0100 + static_cast<Address>(i) * kMegabyte;
            builder.heapAlloc({seconds(0.6 + i * 0.01), 10, 11}, 0x1D0000, {at, kMegabyte}, "a!main");
            builder.heapFree({seconds(0.605 + i * 0.01), 10, 11}, 0x1D0000, at);
        }
        for (int i = 0; i < 10; ++i)
            builder.heapAlloc({seconds(2.1 + i * 0.1), 10, 11}, 0x1D0000,
                              {0x30000100 + static_cast<Address>(i) * kMegabyte, kMegabyte}, "a!main");
        builder.endsAt(seconds(4));
        const auto found =
            unrecordedMemory(*highwater::load(builder.bytes().value()), samples({{seconds(0.4), 10, kMegabyte},
                                                                                 {seconds(1.4), 10, 2 * kMegabyte},
                                                                                 {seconds(2.4), 10, 6 * kMegabyte},
                                                                                 {seconds(3.4), 10, 13 * kMegabyte}}));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].since, seconds(2.4));
        QVERIFY2(!isGrowthMissing(found[0]), describe(found[0]).c_str());
    }
    void memoryThatWasFreedMeanwhileIsNotMissing() {
        const auto found = unrecordedMemory(
            *trace(),
            samples({{seconds(0), 10, kMegabyte}, {seconds(1.5), 10, 3 * kMegabyte}, {seconds(2), 10, 2 * kMegabyte}}));
        QCOMPARE(found[0].grown, ByteCount{0}); // the peak is the first sample that counts
        QVERIFY(!isGrowthMissing(found[0]));
    }
    /// A shell that executes a program at second 3: the shell's memory is gone, and says nothing about the program.
    void aProgramThatWasExecutedBeginsAnew() {
        auto executed = *trace();
        auto processes = std::make_shared<store::ProcessTable>(*executed.processes);
        std::optional<ProcessIndex> ended;
        ProcessEvent exec;
        exec.time = seconds(3);
        exec.occasion = Occasion::Executed;
        exec.pid = 10;
        exec.name = "node";
        processes->apply(exec, ended);
        processes->apply(ImageEvent{.time = seconds(3), .pid = 10, .base = 0x1000, .size = 0x1000, .path = "/node"});
        executed.processes = processes;
        const auto found = unrecordedMemory(executed, samples({{seconds(0.2), 10, kMegabyte},
                                                               {seconds(1.5), 10, 20 * kMegabyte},
                                                               {seconds(2.9), 10, 60 * kMegabyte},
                                                               {seconds(3.2), 10, 2 * kMegabyte},
                                                               {seconds(4.3), 10, 4 * kMegabyte},
                                                               {seconds(5), 10, 7 * kMegabyte}}));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].process, std::string("node (10)"));
        QCOMPARE(found[0].privateBytes, 7 * kMegabyte);
        QCOMPARE(found[0].unrecorded, 7 * kMegabyte); // the shell's block of 1 MB is gone, too
        QCOMPARE(found[0].since, seconds(4.3));
        QCOMPARE(found[0].grown, 3 * kMegabyte);
    }
    void littleGrowthIsNotMissing() {
        const auto isMissing = [](ByteCount grown, ByteCount unrecorded) {
            UnrecordedMemory memory;
            memory.grown = grown;
            memory.grownUnrecorded = unrecorded;
            return isGrowthMissing(memory);
        };
        QVERIFY(!isMissing(0, 0));
        QVERIFY(!isMissing(8 * kMegabyte, 5 * kMegabyte - 1));
        QVERIFY(isMissing(8 * kMegabyte, 5 * kMegabyte));
        QVERIFY(isMissing(50 * kMegabyte, 5 * kMegabyte));
        QVERIFY(!isMissing(51 * kMegabyte, 5 * kMegabyte));
    }
    void littleIsNotWorthSaying() {
        const auto isSaid = [](ByteCount privateBytes, ByteCount unrecorded) {
            UnrecordedMemory memory;
            memory.privateBytes = privateBytes;
            memory.unrecorded = unrecorded;
            return isWorthSaying(memory);
        };
        QVERIFY(!isSaid(0, 0));
        QVERIFY(!isSaid(kMegabyte, kMegabyte - 1));
        QVERIFY(isSaid(kMegabyte, kMegabyte));
        QVERIFY(isSaid(10 * kMegabyte, kMegabyte));
        QVERIFY(!isSaid(11 * kMegabyte, kMegabyte));
    }
    /// It has a layer for each of these bytes. What was allocated before the recording is in none.
    void theBalanceOfResidentMemorySaysMore() {
        auto sampled = *trace();
        auto sample = std::make_shared<ResidentSample>();
        sample->pid = 30;
        sampled.residentSamples = std::make_shared<const std::vector<SharedResidentSample>>(1, sample);
        const auto isSaid = [&](std::uint32_t pid, const HeapAtPeaks* counted = nullptr) {
            return isWorthSaying(
                unrecordedMemory(sampled, samples({{seconds(3.5), pid, 9 * kMegabyte}}), counted).at(0));
        };
        QVERIFY(!isSaid(30));
        QVERIFY(isSaid(10)); // without samples
        HeapAtPeaks counted;
        QVERIFY(isSaid(30, &counted)); // no blocks were recorded
        counted.note({seconds(3.5), 30, 9 * kMegabyte}, 1);
        QVERIFY(!isSaid(30, &counted)); // no rows are kept, but the file contains all blocks
        counted.note({seconds(3.5), 10, 9 * kMegabyte}, 1);
        QVERIFY(isSaid(10, &counted));
    }
    /// A wrapper that continues as another program: the memory belongs to the latter.
    void theProgramOfThatInstantIsNamed() {
        const auto found = unrecordedMemory(*trace(), samples({{seconds(3.5), 30, kMegabyte}}));
        QCOMPARE(found[0].process, std::string("second (30)"));
    }
    /// Whether rows are kept or not.
    void isSaidOfARecordingThatOnlyCountsBlocks() {
        const std::vector<PrivateBytesSample> list{{seconds(0.5), 10, kMegabyte},
                                                   {seconds(2), 10, 5 * kMegabyte},
                                                   {seconds(2.5), 20, 9 * kMegabyte},
                                                   {seconds(3.2), 20, 10 * kMegabyte},
                                                   {seconds(3.5), 10, 6 * kMegabyte}};
        const auto said = notesOfRecording(store::BlockRows::Counted, list);
        QVERIFY(said == notesOfRecording(store::BlockRows::Kept, list));
        const auto isThere = [&](const char* part) {
            return std::ranges::any_of(said, [&](const auto& note) { return note.find(part) != std::string::npos; });
        };
        QVERIFY(isThere("a (10) had 6.0 MB of private memory at 3.5 s. Of this, 5.0 MB was not recorded"));
        QVERIFY(isThere("b (20) had 10.0 MB of private memory at 3.2 s. Of this, 6.0 MB was not recorded"));
    }
    void withoutSamplesThereIsNothingToSay() {
        QVERIFY(unrecordedMemory(*trace(), {}).empty());
        QVERIFY(isOfAgent(kAgentSessionName));
        QVERIFY(!isOfAgent("NT Kernel Logger"));
    }
};
HIGHWATER_TEST(UnrecordedMemoryTest);
#include "unrecorded_memory_test.moc"

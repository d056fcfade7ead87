#include "core/decode/stacks/stack_walk_joiner.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/partial_event_sink.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

/// The joiner as the decoder uses it. Patience is 1000 ticks.
class StackWalkJoinerTest : public QObject {
    Q_OBJECT
  private slots:
    void attachesTheStackThatFollows() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.events.size(), std::size_t{1});
        QCOMPARE(sink.framesOf(0), kUser);
        QVERIFY(health.isClean());
    }
    void passesFramesOnFromWhereTheyLie() {
        struct PointerSink final : PartialEventSink {
            const Address* frames = nullptr;
            void onMemoryEvent(const MemoryEvent& event) override { frames = event.stack.frames.data(); }
            void onPendingStackDefined(PendingStackId, std::span<const Address>) override {}
            void onProcess(const ProcessEvent&) override {}
            void onThread(const ThreadEvent&) override {}
            void onImage(const ImageEvent&) override {}
            void onImageIdentity(const ImageIdentityEvent&) override {}
            void onVolumeMapping(const VolumeMappingEvent&) override {}
            void onTimeReached(TraceTime) override {}
        } sink;
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        const auto& walk = stream.stackWalk(11, 10, kPid, 7, kUser);
        TraceHealth health;
        RecordDecoder decoder(RecordStream::properties(), sink, health);
        decoder.decode(stream.records());
        QCOMPARE(reinterpret_cast<const std::byte*>(sink.frames), walk.payload + 16);
    }
    void widensFramesOf32BitProcesses() {
        RecordStream stream(4);
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, {0x81000000, 0x401000});
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), (Frames{0x81000000, 0x401000}));
    }
    void keepsTheOrderWhenStacksComeOutOfOrder() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 1, 0xA);
        stream.heapAlloc(11, kPid, 2, 0xB);
        stream.stackWalk(12, 11, kPid, 2, kOtherUser);
        stream.stackWalk(13, 10, kPid, 1, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.events.size(), std::size_t{2});
        QCOMPARE(sink.events[0].event.address, Address{0xA});
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
        QVERIFY(health.isClean());
    }
    void tellsThreadsOfTheSameTickApart() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 1);
        stream.heapAlloc(10, kPid, 2);
        stream.stackWalk(10, 10, kPid, 2, kOtherUser);
        stream.stackWalk(10, 10, kPid, 1, kUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
    }
    void servesEventsOfOneThreadAndTickInOrder() {
        RecordStream stream; // a clock coarser than the events
        for (int i = 0; i < 2; ++i)
            stream.heapAlloc(10, kPid, 1);
        stream.stackWalk(10, 10, kPid, 1, kUser);
        stream.stackWalk(10, 10, kPid, 1, kOtherUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
    }
    void takesTheThreadOfAKernelRecordFromItsStack() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 3);
        stream.stackWalk(11, 10, kPid, 77, kKernelAndUser, 3);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser); // one record that starts in the kernel and ends in user mode
        QCOMPARE(sink.events[0].event.tid.value, 77u);
        QVERIFY(health.isClean());
    }
    void givesAKernelHalfToTheKernelsEventOfTheTick() {
        // A heap event and a VirtualAlloc of one thread in one tick: heap events are logged in user mode.
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.virtualAlloc(10, kPid, 0);
        stream.stackWalk(11, 10, kPid, 7, kKernel);
        stream.stackWalk(12, 10, kPid, 7, kOtherUser);
        stream.stackWalk(12, 10, kPid, 7, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kOtherUser);
        QCOMPARE(sink.framesOf(1), kKernelAndUser);
        QVERIFY(health.isClean());
    }
    void prefersTheSameProcessorAmongKernelRecords() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0, 0xA000);
        stream.virtualAlloc(10, kPid, 1, 0xB000);
        stream.stackWalk(11, 10, kPid, 78, kOtherUser, 1);
        stream.stackWalk(11, 10, kPid, 78, kOtherUser, 1); // repeated by a merge: not the other event's
        stream.stackWalk(12, 10, kPid, 77, kUser, 5);      // the thread moved on to another processor
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.events[0].event.tid.value, 77u);
        QCOMPARE(sink.framesOf(1), kOtherUser);
        QCOMPARE(sink.events[1].event.tid.value, 78u);
    }
    void prefersTheSameProcessAmongKernelRecords() {
        RecordStream stream;
        stream.virtualAlloc(10, 1, 0, 0xA000);
        stream.virtualAlloc(10, 2, 0, 0xB000);
        stream.stackWalk(11, 10, 2, 22, kOtherUser, 0);
        stream.stackWalk(11, 10, 1, 11, kUser, 0);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
    }
    void findsTheCallerOfAnAllocationInAnotherProcess() {
        RecordStream stream;
        stream.virtualAlloc(10, 500, 2); // VirtualAllocEx: the stack is the caller's
        stream.stackWalk(11, 10, kPid, 7, kKernel, 2);
        stream.stackWalk(12, 10, kPid, 7, kUser, 3);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.events[0].event.pid, 500u);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
    }
    void joinsTheHalves() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.stackWalk(11, 10, kPid, 7, kKernel);
        stream.stackWalk(900, 10, kPid, 7, kUser, 5);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QVERIFY(health.isClean());
    }
    void takesAWholeStackInsteadOfItsKernelHalf() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.stackWalk(11, 10, kPid, 7, kKernel);
        stream.stackWalk(12, 10, kPid, 7, kKernelAndUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
    }
    void completesSystemProcessesWithTheKernelHalf() {
        for (const std::uint32_t pid : {0u, 4u}) {
            RecordStream stream;
            stream.virtualAlloc(10, pid, 0);
            stream.stackWalk(11, 10, pid, 7, kKernel);
            RecordingSink sink;
            const auto health = stream.decodeInto(sink);
            QCOMPARE(sink.framesOf(0), kKernel);
            QVERIFY(health.isClean());
        }
    }
    void keepsAKernelHalfWhoseOtherHalfDoesNotCome() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.stackWalk(11, 10, kPid, 7, kKernel);
        stream.tick(1011);
        stream.stackWalk(1012, 10, kPid, 7, kUser); // too late
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernel);
        QCOMPARE(health[Loss::StackHalvesMissing], std::uint64_t{1});
        QCOMPARE(health[Loss::StacksMissing], std::uint64_t{0});
    }
    void dropsRepeatedStacks() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        for (int i = 0; i < 2; ++i)
            stream.stackWalk(11, 10, kPid, 7, kKernel);
        for (int i = 0; i < 2; ++i)
            stream.stackWalk(12, 10, kPid, 7, kUser);
        stream.heapAlloc(20, kPid, 7);
        for (int i = 0; i < 3; ++i)
            stream.stackWalk(20, 20, kPid, 7, kOtherUser);
        stream.heapAlloc(30, kPid, 7);
        stream.stackWalk(31, 30, kPid, 7, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
        QCOMPARE(sink.framesOf(2), kUser);
        QVERIFY(health.isClean());
    }
    void waitsNoLongerThanItsPatience() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, kUser);
        stream.heapAlloc(20, kPid, 7);
        stream.stackWalk(1020, 20, kPid, 7, kUser); // 1000 ticks: just in time
        stream.heapAlloc(2000, kPid, 7);
        stream.stackWalk(3001, 2000, kPid, 7, kUser); // 1001
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(1), kUser);
        QCOMPARE(sink.events[2].event.stack.kind, EventStack::Kind::None);
        QCOMPARE(health[Loss::StacksMissing], std::uint64_t{1});
    }
    void countsEventsThatStillWaitAtTheEnd() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, kUser);
        stream.heapAlloc(20, kPid, 7);
        RecordingSink sink;
        QCOMPARE(stream.decodeInto(sink)[Loss::StacksMissing], std::uint64_t{1});
        QCOMPARE(sink.events.size(), std::size_t{2});
    }
    void learnsThatAClassHasNoStacks() {
        RecordStream stream;
        stream.heapFree(10, kPid, 7);
        stream.heapFree(600, kPid, 7);
        stream.tick(1011);              // the first free has waited long enough: confirmed
        stream.heapFree(1020, kPid, 7); // is delivered at once
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {1000, nullptr});
        const auto records = stream.records();
        decoder.decode(std::span(records).first(2));
        QCOMPARE(sink.events.size(), std::size_t{0});
        decoder.decode(std::span(records).subspan(2, 1));
        QCOMPARE(sink.events.size(), std::size_t{2});
        decoder.decode(std::span(records).subspan(3));
        QCOMPARE(sink.events.size(), std::size_t{3});
        decoder.finish();
        QVERIFY(health.report().isClean()); // where nothing was promised, nothing is missing
    }
    void armsAClassWhenAStackComesAfterAll() {
        RecordStream stream;
        stream.heapFree(10, kPid, 7);
        stream.tick(2000);
        stream.heapFree(2010, kPid, 7);               // unarmed: delivered at once
        stream.stackWalk(2011, 2010, kPid, 7, kUser); // its stack arms the class
        stream.heapFree(2020, kPid, 7);
        stream.stackWalk(2030, 2020, kPid, 7, kUser);
        stream.heapFree(2040, kPid, 7);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.events[1].event.stack.kind, EventStack::Kind::None);
        QCOMPARE(sink.framesOf(2), kUser);
        QCOMPARE(health[Loss::StacksMissing], std::uint64_t{1}); // only the last one
    }
    void unarmedClassesStillKeepTheOrder() {
        RecordStream stream;
        stream.heapFree(10, kPid, 7);
        stream.tick(2000);
        stream.heapAlloc(2010, kPid, 7, 0xA);
        stream.heapFree(2020, kPid, 8, 0xB);
        stream.stackWalk(2100, 2010, kPid, 7, kUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.events[1].event.address, Address{0xA});
        QCOMPARE(sink.events[2].event.address, Address{0xB});
    }
    void unarmsAClassThatWasArmedByMistake() {
        RecordStream stream;
        stream.heapFree(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, kUser);
        for (unsigned i = 0; i < StackArming::kMissesUntilUnarmed; ++i)
            stream.heapFree(2000, kPid, 7);
        stream.tick(4000);
        for (int i = 0; i < 50; ++i)
            stream.heapFree(4000, kPid, 7);
        RecordingSink sink;
        QCOMPARE(stream.decodeInto(sink)[Loss::StacksMissing], std::uint64_t{StackArming::kMissesUntilUnarmed});
        QCOMPARE(sink.events.size(), std::size_t{StackArming::kMissesUntilUnarmed} + 51);
    }
    void acceptsAStackBeforeItsEventInTheSameTick() {
        RecordStream stream;
        stream.stackWalk(10, 10, kPid, 7, kKernel);
        stream.stackWalk(10, 10, kPid, 7, kUser);
        stream.stackWalk(10, 10, kPid, 8, kOtherUser);
        stream.heapAlloc(10, kPid, 7);
        stream.heapAlloc(10, kPid, 8);
        stream.heapAlloc(11, kPid, 9);
        stream.stackWalk(12, 11, kPid, 9, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
        QCOMPARE(sink.framesOf(2), kUser);
        QVERIFY(health.isClean());
    }
    void forgetsStacksOfOtherRecords() {
        RecordStream stream;
        for (int i = 0; i < 100; ++i) {
            stream.stackWalk(10 + i, 10 + i, kPid, 7, kUser); // from context switches, for example
            stream.stackWalk(10 + i, 3, kPid, 7, kUser);
        }
        stream.heapAlloc(200, kPid, 7);
        stream.stackWalk(201, 200, kPid, 7, kOtherUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.events.size(), std::size_t{1});
        QCOMPARE(sink.framesOf(0), kOtherUser);
        QVERIFY(health.isClean());
    }
    void ignoresEmptyAndCountsTruncatedStacks() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(11, 10, kPid, 7, {});
        stream.add(12, group::kStackWalk, 32, stream.payload().u64(10).u32(kPid));
        stream.add(12, group::kStackWalk, 38, stream.payload().u64(10).u32(kPid).u32(7));
        stream.add(12, group::kStackWalk, 36, stream.payload().u32(1));
        stream.stackWalk(13, 10, kPid, 7, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{3});
    }
    void doesNotLetAProcessEndOvertakeItsMemoryEvents() {
        RecordStream stream;
        stream.process(5, 1, kPid);
        stream.heapAlloc(10, kPid, 7);
        stream.process(20, 2, kPid);
        stream.stackWalk(30, 10, kPid, 7, kUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.log, (std::vector<std::string>{"process", "memory", "process"}));
        QCOMPARE(sink.processes[1].occasion, Occasion::End);
    }
    void saysWhichTimeIsReached() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.tick(50);
        stream.stackWalk(60, 10, kPid, 7, kUser);
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {1000, nullptr});
        const auto records = stream.records();
        decoder.decode(std::span(records).first(2));
        decoder.decode(std::span(records).subspan(2));
        decoder.finish();
        QCOMPARE(sink.reached, (std::vector<TraceTime>{{10}, {60}, {61}})); // one tick after the last record
        QCOMPARE(decoder.endTime(), TraceTime{61});
    }
    void boundsWhatWaitsWhenTimeStandsStill() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.stackWalk(10, 10, kPid, 7, kUser);
        auto records = stream.records();
        records.insert(records.end(), (std::size_t{1} << 20) + 5, records[0]);
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {1000, nullptr});
        decoder.decode(records);
        QVERIFY(sink.events.size() >= 6);
        decoder.finish();
        QCOMPARE(sink.events.size(), (std::size_t{1} << 20) + 6);
    }
};
HIGHWATER_TEST(StackWalkJoinerTest);
#include "stack_walk_joiner_test.moc"

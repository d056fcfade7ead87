#include "core/decode/record_decoder.h"
#include "core/decode/records/image_id_record.h"
#include "core/decode/records/system_config_record.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstring>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

constexpr Guid kLostEvents{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};
constexpr Guid kUnknown{1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};

etl::RawRecord& ofProvider(etl::RawRecord& record, const Guid& provider) {
    record.kind = etl::RawRecord::Kind::Provider;
    record.header = etl::HeaderType::Full64;
    record.provider = reinterpret_cast<const std::byte*>(&provider);
    return record;
}

/// One STACK_TRACE64 item.
PayloadBuilder stackItem(std::uint64_t matchId, const Frames& frames) {
    const auto dataBytes = 8 + 8 * frames.size();
    PayloadBuilder item(8);
    item.value(static_cast<std::uint16_t>(8 + dataBytes)).value(std::uint16_t{6}).value(std::uint16_t{0});
    item.value(static_cast<std::uint16_t>(dataBytes)).u64(matchId).pointers(frames);
    return item;
}
/// One STACK_KEY64 item.
PayloadBuilder keyItem(std::uint64_t matchId, std::uint64_t key) {
    PayloadBuilder item(8);
    item.value(std::uint16_t{32}).value(std::uint16_t{18}).value(std::uint16_t{0}).value(std::uint16_t{24});
    item.u64(matchId).u64(key).u64(0);
    return item;
}
void extend(etl::RawRecord& record, const TestRecord& item) {
    record.header = etl::HeaderType::Event64;
    record.extended = item.raw.payload;
    record.extendedBytes = item.raw.payloadBytes;
}

} // namespace

class RecordDecoderTest : public QObject {
    Q_OBJECT
  private slots:
    void countsEveryRecordByKind() {
        RecordStream stream;
        stream.heapAlloc(1, 1, 1);
        stream.add(2, group::kHeap, 47, stream.payload()); // no lifetime: counted only
        stream.add(3, 0x1F, 255, stream.payload());        // unknown
        stream.add(4, 0x60, 1, stream.payload());          // a group that does not exist
        ofProvider(stream.add(5, 0, 1, stream.payload()), kUnknown);
        ofProvider(stream.add(6, 0, 1, stream.payload()), kUnknown);
        ofProvider(stream.add(7, 0, 64, stream.payload()), kImageIdProvider);
        auto& message = stream.add(0, 0, 0, stream.payload());
        message.kind = etl::RawRecord::Kind::Message;
        message.header = etl::HeaderType::Message;
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health);
        decoder.decode(stream.records());
        decoder.finish();
        const auto& counts = decoder.counts();
        QCOMPARE(counts.total, std::uint64_t{8});
        QCOMPARE(counts.byHeaderType[static_cast<int>(etl::HeaderType::System64)], std::uint64_t{4});
        QCOMPARE(counts.byHeaderType[static_cast<int>(etl::HeaderType::Full64)], std::uint64_t{3});
        QCOMPARE(counts.byGroup[group::kHeap][33], std::uint64_t{1});
        QCOMPARE(counts.group(group::kHeap), std::uint64_t{2});
        QCOMPARE(counts.byProvider.at(kUnknown), std::uint64_t{2});
        QCOMPARE(counts.imageIds, std::uint64_t{1});
        QCOMPARE(counts.messages, std::uint64_t{1});
        QVERIFY(health.report().isClean());
        QCOMPARE(decoder.endTime(), TraceTime{8}); // the message has no time
    }
    /// Their records contain their stacks: events without one would otherwise wait forever and block all later events.
    void eventsOfOtherProfilersWaitForNoStack() {
        RecordStream stream;
        stream.heapFree(1, 9, 91);
        for (const bool isForeign : {false, true}) {
            auto properties = RecordStream::properties();
            properties.lacks.threads = isForeign;
            TraceHealth health;
            RecordingSink sink;
            RecordDecoder decoder(properties, sink, health);
            decoder.decode(stream.records());
            QCOMPARE(sink.events.size(), std::size_t{isForeign ? 1U : 0U});
        }
    }
    void deliversProcessesImagesThreadsAndIdentities() {
        RecordStream stream;
        const auto image =
            stream.payload().pointer(0x400000).pointer(0x1000).u32(9).u32(0).u32(5).u32(0).pointer(0).zeros(16).utf16(
                "a");
        stream.process(1, 1, 9);
        stream.add(2, group::kProcess, 10, image);
        stream.add(3, group::kImage, 10, image).header = etl::HeaderType::Full64;
        stream.add(4, group::kImage, 2, image);
        stream.add(5, group::kThread, 1, stream.payload().u32(9).u32(8));
        stream.add(5, group::kThread, 72, stream.payload().u32(9).u32(8).utf16("worker"));
        ofProvider(
            stream.add(6, 0, 36, stream.payload().pointer(0x400000).u32(9).value(kUnknown).u32(1).narrow("a.pdb")),
            kImageIdProvider);
        ofProvider(stream.add(7, 0, 0, stream.payload().pointer(0x400000).pointer(0x1000).u32(9).u32(5).utf16("a")),
                   kImageIdProvider);
        ofProvider(stream.add(8, 0, 35, stream.payload().utf16("\\Device\\X\\").utf16("C:\\")), kSystemConfigProvider);
        ofProvider(stream.add(8, 0, 33, stream.payload().utf16("no mapping").utf16("C:\\")), kSystemConfigProvider);
        RecordingSink sink;
        QVERIFY(stream.decodeInto(sink).isClean());
        QCOMPARE(sink.log, (std::vector<std::string>{"process", "image", "image", "image", "thread", "thread",
                                                     "identity", "identity"}));
        QCOMPARE(sink.threads[1].occasion, Occasion::Named);
        QCOMPARE(sink.threads[1].name, std::string("worker"));
        QCOMPARE(sink.images[0].time, TraceTime{2});
        QCOMPARE(sink.images[2].occasion, Occasion::End);
        QCOMPARE(sink.identities[0].identity.pdbName, std::string("a.pdb"));
        QCOMPARE(sink.identities[1].identity.imageSize, 0x1000u);
        QCOMPARE(sink.volumes.size(), std::size_t{1});
    }
    void heapRecordsWithoutIdsAreOfTheThreadThatRuns() {
        RecordStream stream;
        const auto bare = [&stream](std::int64_t ticks, Address address, std::uint16_t processor) {
            auto& record = stream.heapAlloc(ticks, etl::kNoId, etl::kNoId, address);
            record.header = etl::HeaderType::PerfInfo64;
            record.processor = processor;
        };
        const auto runs = [&stream](std::int64_t ticks, std::uint32_t pid, std::uint32_t tid, std::uint16_t processor) {
            auto& record = stream.add(ticks, group::kThread, 36, stream.payload().u32(tid).zeros(20));
            record.pid = pid;
            record.tid = tid;
            record.processor = processor;
        };
        bare(1, 0x1000, 0);
        runs(2, 9, 91, 0);
        runs(2, 8, 81, 3);
        bare(3, 0x2000, 0);
        bare(4, 0x3000, 3);
        runs(5, etl::kNoId, etl::kNoId, 0); // one of Windows
        bare(6, 0x4000, 0);
        stream.heapAlloc(7, 5, 51, 0x5000); // specifies it itself
        bare(8, 0x6000, 2);
        RecordingSink sink;
        QVERIFY(stream.decodeInto(sink).isClean());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> owners;
        for (const auto& delivered : sink.events)
            owners.emplace_back(delivered.event.pid, delivered.event.tid.value);
        const std::pair nobody{etl::kNoId, etl::kNoId};
        const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{nobody,  {9, 91}, {8, 81},
                                                                            {9, 91}, {5, 51}, nobody};
        QCOMPARE(owners, expected);
    }
    void deliversOneEventForEachRangeOfARundown() {
        RecordStream stream;
        stream.add(
            1, group::kMemory, 100,
            stream.payload().pointer(0x1D0000).u32(0).u32(9).u32(3).pointer(0xA000).pointer(16).pointer(0xB000).pointer(
                32));
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.events.size(), std::size_t{2});
        QCOMPARE(sink.events[1].event.address, Address{0xB000});
        QCOMPARE(sink.events[1].event.time, TraceTime{1});
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1}); // it promised three
    }
    void countsTruncatedRecordsAndGoesOn() {
        RecordStream stream;
        for (const std::uint8_t opcode : std::vector<std::uint8_t>{32, 33, 34, 35, 36})
            stream.add(1, group::kHeap, opcode, stream.payload().u8(0));
        for (const std::uint8_t opcode : std::vector<std::uint8_t>{98, 99, 128, 129, 100, 101, 102, 103, 104}) {
            stream.add(2, group::kMemory, opcode, stream.payload().u8(0));
        }
        stream.add(3, group::kProcess, 1, stream.payload());
        stream.add(3, group::kProcess, 10, stream.payload());
        stream.add(3, group::kThread, 1, stream.payload());
        stream.add(3, group::kThread, 72, stream.payload().u32(1));
        stream.heapAlloc(4, 1, 1);
        RecordingSink sink;
        QCOMPARE(stream.decodeInto(sink)[Loss::RecordsTruncated], std::uint64_t{18});
        QCOMPARE(sink.events.size(), std::size_t{1});
    }
    void countsMarkersOfLostEvents() {
        RecordStream stream;
        for (const std::uint8_t opcode : std::vector<std::uint8_t>{32, 32, 33, 34, 35})
            ofProvider(stream.add(1, 0, opcode, stream.payload()), kLostEvents);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(health[Loss::EventsLost], std::uint64_t{2});
        QCOMPARE(health[Loss::BuffersLost], std::uint64_t{2});
        QCOMPARE(health.zones.size(), std::size_t{2});
        QCOMPARE(health.zones[0].what, std::string("events lost"));
        QCOMPARE(health.zones[1].what, std::string("buffers lost"));
        QVERIFY(!health.zones[0].isStartCertain);
        QVERIFY(!health.mostMissing()); // a marker means one or more
    }
    /// The total number of losses is counted elsewhere.
    void placesOfLossesAreZones() {
        RecordStream stream;
        const auto place = [&](std::int64_t ticks, const PayloadBuilder& payload) {
            auto& record = ofProvider(stream.add(ticks, 0, highwater_opcode::kLossPlace, payload), kHighwaterProvider);
            record.version = 0;
        };
        const auto times = [&](std::uint64_t first, std::uint64_t last) {
            return stream.payload().pointer(first).pointer(last);
        };
        place(10, times(2, 5).pointer(12).u32(0));
        place(11, times(8, 9).pointer(1).u32(kLossMayBeEarlier | kLossIsAtLeast));
        place(12, times(8, 9)); // too short
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(health[Loss::EventsLost], std::uint64_t{0});
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1});
        QCOMPARE(health.zones.size(), std::size_t{2});
        QCOMPARE(health.zones[0].count, std::uint64_t{12});
        QVERIFY(health.zones[0].isStartCertain && !health.zones[1].isStartCertain);
        QVERIFY(health.zones[0].start < health.zones[0].end && health.zones[0].end < health.zones[1].start);
        QVERIFY(health.isAtLeast[static_cast<std::size_t>(Loss::EventsLost)]);
    }
    void snapshotsHaveTheTimeOfTheirRecord() {
        RecordStream stream;
        const auto snapshot = [&](std::int64_t ticks, const PayloadBuilder& payload) {
            ofProvider(stream.add(ticks, 0, highwater_opcode::kSnapshot, payload), kHighwaterProvider).version = 0;
        };
        snapshot(10, stream.payload().u32(3).u32(1).u32(kAllProcesses));
        snapshot(11, stream.payload().u32(4).u32(77).u32(9).u32(0)); // newer versions may append
        snapshot(12, stream.payload().u32(5).u32(0));                // too short
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1});
        QCOMPARE(sink.snapshots.size(), std::size_t{2});
        QCOMPARE(sink.snapshots[0].number, 3u);
        QCOMPARE(sink.snapshots[0].time, TraceTime{10});
        QCOMPARE(sink.snapshots[0].pid, kAllProcesses);
        QVERIFY(sink.snapshots[0].origin == SnapshotOrigin::Periodic);
        QVERIFY(!sink.snapshots[0].hasOwnBlocks);
        QCOMPARE(sink.snapshots[1].pid, 9u);
        QVERIFY(sink.snapshots[1].origin == SnapshotOrigin::Count_);
        QVERIFY(!sink.snapshots[0].isLate && !sink.snapshots[1].isLate);
    }
    void lateSnapshotsHaveTheirOwnTime() {
        RecordStream stream;
        const auto own = [&](std::int64_t ticks, std::uint8_t opcode, const PayloadBuilder& payload) {
            ofProvider(stream.add(ticks, 0, opcode, payload), kHighwaterProvider).version = 0;
        };
        const auto late = [&](std::uint32_t number, std::uint64_t ticks) {
            return stream.payload().u32(number).u32(0).u32(kAllProcesses).u64(ticks);
        };
        own(30, highwater_opcode::kSnapshot, late(3, 10));
        own(30, highwater_opcode::kSnapshot, late(4, 99)); // unknown kind
        own(31, highwater_opcode::kSnapshotUndone, stream.payload().u64(10));
        own(31, highwater_opcode::kSnapshotUndone, stream.payload().u32(10)); // too short
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1});
        QCOMPARE(sink.snapshots.size(), std::size_t{2});
        QCOMPARE(sink.snapshots[0].time, TraceTime{10});
        QCOMPARE(sink.snapshots[1].time, TraceTime{30});
        QVERIFY(sink.snapshots[0].isLate && sink.snapshots[1].isLate);
        QCOMPARE(sink.undoneSnapshots, std::vector<TraceTime>{TraceTime{10}});
    }
    void takesTheStackOfTheRecordItself() {
        RecordStream stream;
        const TestRecord item(stackItem(0, kKernel));
        extend(stream.heapAlloc(10, 1, 1), item);
        TraceHealth health;
        RecordingSink sink;
        RecordDecoder decoder(RecordStream::properties(), sink, health);
        decoder.decode(stream.records());
        QCOMPARE(sink.events.size(), std::size_t{1}); // complete: it does not wait
        QCOMPARE(sink.framesOf(0), kKernel);
        QCOMPARE(decoder.counts().extendedStacks, std::uint64_t{1});
    }
    void joinsNumberedHalves() {
        RecordStream stream;
        const TestRecord kernel(stackItem(77, kKernel)), user(stackItem(77, kUser)), other(stackItem(78, kUser));
        extend(stream.virtualAlloc(10, 9, 0), kernel);
        extend(ofProvider(stream.add(11, 0, 0, stream.payload()), kUnknown), other);
        extend(ofProvider(stream.add(12, 0, 0, stream.payload()), kUnknown), user);
        extend(stream.virtualAlloc(20, 9, 0), kernel); // the number again, and no second half
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QCOMPARE(sink.framesOf(1), kKernel);
        QCOMPARE(health[Loss::StackHalvesMissing], std::uint64_t{1});
    }
    void resolvesKeysInExtendedItems() {
        RecordStream stream;
        const TestRecord whole(keyItem(0, 0x1230)), half(keyItem(5, 0x1230)), otherHalf(keyItem(5, 0x4560));
        extend(stream.heapAlloc(10, 1, 1), whole);
        extend(stream.virtualAlloc(20, 9, 0), half);
        extend(ofProvider(stream.add(21, 0, 0, stream.payload()), kUnknown), otherHalf);
        stream.keyFrames(30, 35, 0x1230, kKernel);
        stream.keyFrames(30, 35, 0x4560, kUser);
        RecordingSink sink;
        QVERIFY(stream.decodeInto(sink).isClean());
        QCOMPARE(sink.framesOf(0), kKernel);
        QCOMPARE(sink.framesOf(1), kKernelAndUser);
    }
    void readsNoByteBeyondAnyRecord() {
        // Every opcode of the groups with handlers, every length up to 96 of bytes that look like counts and lengths.
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            for (unsigned i = 0; i < 96; ++i)
                payload.u8(i * 37 % 7 == 0 ? 0xFF : i % 5);
            std::vector<etl::RawRecord> records;
            std::deque<TestRecord> memory;
            for (std::size_t length = 0; length <= 96; ++length) {
                for (const std::uint8_t group : std::vector<std::uint8_t>{2, 3, 5, 16, 20, 24}) {
                    for (unsigned opcode = 0; opcode < 256; ++opcode) {
                        auto& record = memory.emplace_back(payload, length);
                        record.as(group, static_cast<std::uint8_t>(opcode), static_cast<std::uint16_t>(length % 6));
                        record.raw.ticks = static_cast<std::int64_t>(memory.size());
                        records.push_back(record.raw);
                    }
                }
            }
            RecordingSink sink;
            QVERIFY(RecordStream::decodeRecordsInto(records, sink)[Loss::RecordsTruncated] > 0);
        }
    }
};
HIGHWATER_TEST(RecordDecoderTest);
#include "record_decoder_test.moc"

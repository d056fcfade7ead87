#include "tests/core/decode/record_stream.h"
#include "tests/core/decode/snapshots/snapshot_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

/// A stream with the records of snapshots; each piece is at most 20 bytes.
struct SnapshotStream : RecordStream {
    void provider(std::int64_t ticks, std::uint16_t eventId, const PayloadBuilder& payload) {
        auto& record = add(ticks, 0, 0, payload);
        record.kind = etl::RawRecord::Kind::Provider;
        record.header = etl::HeaderType::Event64;
        record.provider = reinterpret_cast<const std::byte*>(&kHeapSnapshotProvider);
        record.eventId = eventId;
        record.pid = 77;
    }
    void snapshot(std::int64_t ticks, std::uint32_t instance, const std::vector<std::byte>& bytes) {
        std::uint32_t sequence = 0;
        for (std::size_t at = 0; at < bytes.size(); at += 20) {
            const auto length = std::min<std::size_t>(20, bytes.size() - at);
            auto piece = payload().u32(instance).u32(sequence++).u32(static_cast<std::uint32_t>(length));
            for (std::size_t i = 0; i < length; ++i)
                piece.u8(static_cast<unsigned>(bytes[at + i]));
            provider(ticks - 1, heap_snapshot_event::kPiece, piece);
        }
        provider(ticks, heap_snapshot_event::kEnd,
                 payload().u32(instance).u32(static_cast<std::uint32_t>(bytes.size())));
    }
};

std::vector<std::byte> oneBlock(Address address) {
    return SnapshotWriter(8).write({{0x1D0000, {{address, 40, {0x401000, 0x402000}}, {address + 64, 8, {}}}}});
}

struct Decoded {
    explicit Decoded(const SnapshotStream& stream) {
        RecordDecoder decoder(RecordStream::properties(), sink, health, {});
        decoder.decode(stream.records());
        decoder.finish();
        counts = decoder.counts().heapSnapshots;
    }
    RecordingSink sink;
    TraceHealth health;
    HeapSnapshotCounts counts;
};

} // namespace

class HeapSnapshotsTest : public QObject {
    Q_OBJECT

  private slots:
    void snapshotsComeWithTheirBlocksAndStacks() {
        SnapshotStream stream;
        stream.snapshot(1000, 1, oneBlock(0x1D1000));
        stream.snapshot(2000, 2, oneBlock(0x1D2000));
        const Decoded decoded(stream);
        QCOMPARE(decoded.sink.snapshots.size(), std::size_t{2});
        const auto& taken = decoded.sink.snapshots[1];
        QCOMPARE(taken.number, 2u);
        QCOMPARE(taken.time, TraceTime{2000});
        QCOMPARE(taken.pid, 77u);
        QVERIFY(taken.origin == SnapshotOrigin::Windows && taken.hasOwnBlocks);
        QCOMPARE(decoded.sink.snapshotBlocks.size(), std::size_t{4});
        const auto& [block, frames] = decoded.sink.snapshotBlocks[2];
        QCOMPARE(block.snapshot, 2u);
        QCOMPARE(block.pid, 77u);
        QCOMPARE(block.heap, Address{0x1D0000});
        QCOMPARE(block.address, Address{0x1D2000});
        QCOMPARE(block.size, ByteCount{40});
        QCOMPARE(frames, (std::vector<Address>{0x401000, 0x402000}));
        QVERIFY(decoded.sink.snapshotBlocks[3].block.stack.kind == EventStack::Kind::None);
        QCOMPARE(decoded.counts.instances, std::uint64_t{2});
        QCOMPARE(decoded.counts.decoded, std::uint64_t{2});
        QCOMPARE(decoded.counts.bytes, std::uint64_t{2 * oneBlock(0x1D1000).size()});
        QVERIFY(decoded.health.report().isClean());
    }

    void whatCannotBeReadIsCounted() {
        SnapshotStream stream;
        auto unknown = oneBlock(0x1D1000);
        unknown[12] = std::byte{3}; // another version
        stream.snapshot(1000, 1, unknown);
        stream.snapshot(2000, 2, oneBlock(0x1D2000));
        stream.provider(3000, heap_snapshot_event::kEnd, stream.payload().u32(3).u32(500));
        stream.provider(3001, heap_snapshot_event::kPiece, stream.payload().u32(3));
        const Decoded decoded(stream);
        QCOMPARE(decoded.sink.snapshots.size(), std::size_t{1});
        QCOMPARE(decoded.counts.instances, std::uint64_t{3});
        QCOMPARE(decoded.counts.decoded, std::uint64_t{1});
        QCOMPARE(decoded.counts.undecoded, std::uint64_t{2});
        const auto health = decoded.health.report();
        QCOMPARE(health[Loss::SnapshotsUndecoded], std::uint64_t{1});
        QCOMPARE(health[Loss::SnapshotsIncomplete], std::uint64_t{1});
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1});
    }

    void snapshotsDoNotOvertakeWhatWaitsForItsStack() {
        SnapshotStream stream;
        stream.heapAlloc(100, 77, 1);
        stream.stackWalk(100, 100, 77, 1, {0x401000});
        stream.heapAlloc(500, 77, 1); // waits, because its class has stacks
        stream.snapshot(1000, 1, oneBlock(0x1D1000));
        RecordingSink sink;
        TraceHealth health;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {});
        decoder.decode(stream.records());
        QCOMPARE(sink.snapshots.size(), std::size_t{0});
        decoder.finish();
        QCOMPARE(sink.snapshots.size(), std::size_t{1});
    }
};

HIGHWATER_TEST(HeapSnapshotsTest);
#include "heap_snapshots_test.moc"

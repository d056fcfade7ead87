#include "core/event/opcodes.h"
#include "core/pipeline/heap_snapshot_files.h"
#include "core/pipeline/trace_loader.h"
#include "tests/core/decode/snapshots/snapshot_writer.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kSnapshotPid = 77;

OwnedRecord provided(std::int64_t ticks, std::uint16_t eventId, std::initializer_list<std::uint32_t> words,
                     ByteSpan bytes = {}) {
    auto record = classicRecord(etl::HeaderType::Event64, exampleProperties().firstTicks + ticks, 0, 0);
    record.fields.kind = etl::RawRecord::Kind::Provider;
    record.fields.eventId = eventId;
    record.fields.pid = kSnapshotPid;
    const auto* guid = reinterpret_cast<const std::byte*>(&kHeapSnapshotProvider);
    record.provider.assign(guid, guid + sizeof(Guid));
    for (const auto word : words) {
        const auto* at = reinterpret_cast<const std::byte*>(&word);
        record.payload.insert(record.payload.end(), at, at + sizeof(word));
    }
    record.payload.insert(record.payload.end(), bytes.begin(), bytes.end());
    return record;
}

/// As Windows writes a large snapshot: in pieces of at most this many bytes.
void addSnapshot(std::vector<OwnedRecord>& records, std::int64_t ticks, std::uint32_t instance, ByteSpan bytes) {
    constexpr std::size_t kPieceBytes = 32'000;
    std::uint32_t sequence = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
        const auto piece = bytes.subspan(at, std::min(kPieceBytes, bytes.size() - at));
        records.push_back(provided(ticks, heap_snapshot_event::kPiece,
                                   {instance, sequence++, static_cast<std::uint32_t>(piece.size())}, piece));
    }
    records.push_back(
        provided(ticks + 10, heap_snapshot_event::kEnd, {instance, static_cast<std::uint32_t>(bytes.size())}));
}

/// Adjacent blocks with three stacks of different depth.
std::vector<std::byte> manyBlocks(std::size_t count) {
    WrittenHeap heap{0x1D0000, {}, 0x1000000, 0x2000000};
    for (std::size_t i = 0; i < count; ++i)
        heap.blocks.push_back({0x1000000 + i * 64, 10 + i % 50, std::vector<Address>(i % 3, 0x401000 + i % 3 * 16), 1});
    return SnapshotWriter(8).write({heap, {0x2E0000, {}}});
}

QString fileWith(const QTemporaryDir& folder, const std::vector<OwnedRecord>& records) {
    const auto path = folder.filePath("snapshots.etl");
    const auto bytes = writeTrace(records);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    return path;
}

} // namespace

class HeapSnapshotsInTracesTest : public QObject {
    Q_OBJECT

  private slots:
    void theirBlocksAreInTheStore() {
        constexpr std::size_t kCount = 20'000;
        const QTemporaryDir folder;
        std::vector<OwnedRecord> records;
        addSnapshot(records, 1000, 1, manyBlocks(kCount));
        addSnapshot(records, 2000, 2, manyBlocks(3));
        TraceLoader loader({fileWith(folder, records).toStdString()});
        loader.wait();
        const auto trace = loader.latest();
        QVERIFY(trace && trace->snapshots);
        QCOMPARE(trace->snapshots->size(), std::size_t{2});
        const auto& second = trace->snapshots->at(1);
        QVERIFY(second.origin == SnapshotOrigin::Windows && second.hasOwnBlocks);
        QCOMPARE(second.pid, kSnapshotPid);
        QCOMPARE(second.time, TraceTime{2010 * 100}); // 10 MHz
        QCOMPARE(trace->snapshotBlocks, std::uint64_t{kCount + 3});
        ByteCount size = 0;
        std::size_t withStack = 0;
        for (std::uint64_t i = 0; i < kCount; ++i) {
            const auto& block = trace->columns->snapshotBlocks[i];
            size += block.size;
            withStack += trace->columns->heap.sites[block.site].stack != StackId{0} ? 1 : 0;
        }
        QCOMPARE(size, ByteCount{kCount / 50 * (50 * 10 + 49 * 50 / 2)});
        QCOMPARE(withStack, kCount - (kCount + 2) / 3);
        QVERIFY(!trace->health.totalsAreBounds());
    }

    void theirBytesAreSavedAsTheyAre() {
        const QTemporaryDir folder;
        const auto bytes = manyBlocks(5000); // several pieces
        std::vector<OwnedRecord> records;
        addSnapshot(records, 1000, 1, bytes);
        const auto saved =
            saveHeapSnapshots({fileWith(folder, records).toStdString()}, folder.filePath("saved").toStdString());
        QVERIFY(saved.hasValue());
        QCOMPARE(saved.value().files.size(), std::size_t{1});
        QFile file(folder.filePath("saved/heap-snapshot-77-1.bin"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
                 QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<int>(bytes.size())));
        QVERIFY(
            !saveHeapSnapshots({folder.filePath("none.etl").toStdString()}, folder.path().toStdString()).hasValue());
    }
};

HIGHWATER_TEST(HeapSnapshotsInTracesTest);
#include "heap_snapshots_test.moc"

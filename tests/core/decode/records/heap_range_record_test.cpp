#include "core/decode/records/heap_range_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

/// Handle, Flags, Pid, RangeCount; v3 Reserved u32; v4 HeapTag u64.
PayloadBuilder rundownHead(unsigned pointerBytes, unsigned version, std::uint32_t ranges) {
    PayloadBuilder payload(pointerBytes);
    payload.pointer(0x1D0000).u32(2).u32(4242).u32(ranges);
    if (version == 3) payload.u32(0);
    if (version == 4) payload.u64(0xABCD);
    return payload;
}

} // namespace

class HeapRangeRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsRundownsOfEveryVersion() {
        const long fixedBytes[2][3] = {{16, 20, 24}, {20, 24, 28}}; // [pointer size][version 2, 3, 4]
        for (const unsigned p : {4u, 8u}) {
            for (const unsigned version : {2u, 3u, 4u}) {
                auto payload = rundownHead(p, version, 2);
                QCOMPARE(static_cast<long>(payload.bytes().size()), fixedBytes[p == 8][version - 2]);
                payload.pointer(0x1D0000).pointer(0x10000).pointer(0x500000).pointer(0x20000);
                TestRecord record(payload);
                const auto rundown =
                    HeapRangeRundown::decode(record.as(2, 100, static_cast<std::uint16_t>(version)).raw);
                QVERIFY(rundown.has_value());
                QVERIFY(!rundown->isCutOff());
                QCOMPARE(rundown->size(), std::size_t{2});
                const auto second = rundown->range(1);
                QCOMPARE(second.operation, MemoryOperation::HeapRangeReserve);
                QCOMPARE(second.pid, 4242u);
                QCOMPARE(second.heap, Address{0x1D0000});
                QCOMPARE(second.address, Address{0x500000});
                QCOMPARE(second.size, ByteCount{0x20000});
                QCOMPARE(rundown->range(0).address, Address{0x1D0000});
            }
        }
    }
    void trustsThePayloadMoreThanTheCount() {
        for (const unsigned p : {4u, 8u}) {
            auto payload = rundownHead(p, 2, 0xFFFFFFFF);
            const auto fixed = payload.bytes().size();
            payload.pointer(1).pointer(2).pointer(3).pointer(4);
            for (std::size_t length = 0; length <= payload.bytes().size(); ++length) {
                TestRecord record(payload, length);
                const auto rundown = HeapRangeRundown::decode(record.as(2, 100, 2).raw);
                QCOMPARE(rundown.has_value(), length >= fixed);
                if (!rundown) continue;
                QVERIFY(rundown->isCutOff());
                QCOMPARE(rundown->size(), (length - fixed) / (2 * p));
                for (std::size_t i = 0; i < rundown->size(); ++i)
                    QCOMPARE(rundown->range(i).address, Address{2 * i + 1});
            }
        }
    }
    void placesTheFirstRangeAtTheHandle() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(0x100000).u32(0);
            TestRecord record(payload);
            const auto event = decodeHeapRangeCreate(record.as(2, 101, 2).by(9, 10).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapRangeReserve);
            QCOMPARE(event->heap, Address{0x1D0000});
            QCOMPARE(event->address, Address{0x1D0000});
            QCOMPARE(event->size, ByteCount{0x100000});
            QCOMPARE(event->pid, 9u);
            QCOMPARE(shortestDecodable(payload, 2, 101, decodeHeapRangeCreate), static_cast<long>(2 * p + 4));
        }
    }
    void readsReserveReleaseAndDestroy() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(0x500000).pointer(0x20000);
            TestRecord record(payload);
            const auto reserve = decodeHeapRangeReserve(record.as(2, 102, 2).raw);
            QVERIFY(reserve.has_value());
            QCOMPARE(reserve->operation, MemoryOperation::HeapRangeReserve);
            QCOMPARE(reserve->address, Address{0x500000});
            QCOMPARE(reserve->size, ByteCount{0x20000});
            QCOMPARE(decodeHeapRangeRelease(record.raw)->operation, MemoryOperation::HeapRangeRelease);
            QCOMPARE(decodeHeapRangeDestroy(record.raw)->operation, MemoryOperation::HeapRangeDestroy);
            QCOMPARE(shortestDecodable(payload, 2, 102, decodeHeapRangeReserve), static_cast<long>(3 * p));
            QCOMPARE(shortestDecodable(payload, 2, 103, decodeHeapRangeRelease), static_cast<long>(3 * p));
            QCOMPARE(shortestDecodable(payload, 2, 104, decodeHeapRangeDestroy), static_cast<long>(p));
        }
    }
};
HIGHWATER_TEST(HeapRangeRecordTest);
#include "heap_range_record_test.moc"

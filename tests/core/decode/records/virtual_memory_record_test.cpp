#include "core/decode/records/virtual_memory_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

class VirtualMemoryRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsAllocAndFree() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x10000000).pointer(0x400000).u32(4242).u32(0x3000);
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{24} : std::size_t{16});
            TestRecord record(payload);
            const auto alloc = decodeVirtualAlloc(record.as(2, 98, 2).raw); // header without pid and tid
            QVERIFY(alloc.has_value());
            QCOMPARE(alloc->operation, MemoryOperation::VirtualAlloc);
            QCOMPARE(alloc->address, Address{0x10000000});
            QCOMPARE(alloc->size, ByteCount{0x400000});
            QCOMPARE(alloc->pid, 4242u);
            QVERIFY(!alloc->tid.isKnown());
            QCOMPARE(alloc->flags, virtual_flag::kCommit | virtual_flag::kReserve);
            QCOMPARE(decodeVirtualFree(record.raw)->operation, MemoryOperation::VirtualFree);
            QCOMPARE(shortestDecodable(payload, 2, 98, decodeVirtualAlloc), p == 8 ? 24L : 16L);
            QCOMPARE(shortestDecodable(payload, 2, 99, decodeVirtualFree), p == 8 ? 24L : 16L);
        }
    }
    void prefersThePidOfThePayload() {
        PayloadBuilder payload(8);
        payload.pointer(1).pointer(2).u32(55).u32(0x1000);
        TestRecord record(payload);
        const auto event = decodeVirtualAlloc(record.as(2, 98, 2).by(99, 7).raw);
        QCOMPARE(event->pid, 55u); // memory allocated in another process
        QCOMPARE(event->tid.value, 7u);
    }
    void readsRundownsWithTheirCommittedBytes() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x20000).pointer(0x8000).u32(7).u32(0x2000).pointer(0x5000);
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{32} : std::size_t{20});
            TestRecord record(payload);
            const auto start = decodeVirtualRundownStart(record.as(2, 128, 2).raw);
            QVERIFY(start.has_value());
            QCOMPARE(start->operation, MemoryOperation::VirtualRundownStart);
            QCOMPARE(start->size, ByteCount{0x8000});
            QCOMPARE(start->oldSize, ByteCount{0x5000});
            QCOMPARE(decodeVirtualRundownEnd(record.raw)->operation, MemoryOperation::VirtualRundownEnd);
            QCOMPARE(shortestDecodable(payload, 2, 128, decodeVirtualRundownStart), p == 8 ? 32L : 20L);
            QCOMPARE(shortestDecodable(payload, 2, 129, decodeVirtualRundownEnd), p == 8 ? 32L : 20L);
        }
    }
};
HIGHWATER_TEST(VirtualMemoryRecordTest);
#include "virtual_memory_record_test.moc"

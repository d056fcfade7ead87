#include "core/decode/records/heap_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

class HeapRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsAlloc() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(48).pointer(0x1D0860).u32(2);
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{28} : std::size_t{16}); // size column of the format
            TestRecord record(payload);
            const auto event = decodeHeapAlloc(record.as(0x10, 33, 2).by(4242, 7).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapAlloc);
            QCOMPARE(event->heap, Address{0x1D0000});
            QCOMPARE(event->size, ByteCount{48});
            QCOMPARE(event->address, Address{0x1D0860});
            QCOMPARE(event->source, std::uint8_t{2});
            QCOMPARE(event->pid, 4242u);
            QCOMPARE(event->tid.value, 7u);
            QCOMPARE(shortestDecodable(payload, 2, 33, decodeHeapAlloc), static_cast<long>(3 * p)); // without Source
        }
    }
    /// docs/etl-format.md 12.13.
    void readsManyObjects() {
        PayloadBuilder payload(8);
        payload.u32(4242).u32(0).u64(0x10).u64(64'000'000'000).u64(1'000'000'000);
        TestRecord record(payload);
        const auto event = decodeHeapSample(record.raw);
        QVERIFY(event.has_value());
        QCOMPARE(event->operation, MemoryOperation::HeapAlloc);
        QCOMPARE(event->pid, 4242u);
        QCOMPARE(event->size, ByteCount{64'000'000'000});
        QCOMPARE(event->oldSize, ByteCount{999'999'999}); // beside one
        for (std::size_t bytes = 0; bytes < payload.bytes().size(); ++bytes) {
            TestRecord cut(payload, bytes);
            QVERIFY(!decodeHeapSample(cut.raw));
        }
        PayloadBuilder huge(8);
        TestRecord refused(huge.u32(1).u32(0).u64(0x10).u64(~std::uint64_t{0}).u64(1));
        QVERIFY(!decodeHeapSample(refused.raw));
    }
    void readsReAlloc() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(0x2000).pointer(0x3000).pointer(96).pointer(48).u32(6);
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{44} : std::size_t{24});
            TestRecord record(payload);
            const auto event = decodeHeapReAlloc(record.as(0x10, 34, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapReAlloc);
            QCOMPARE(event->heap, Address{0x1D0000});
            QCOMPARE(event->address, Address{0x2000});
            QCOMPARE(event->oldAddress, Address{0x3000});
            QCOMPARE(event->size, ByteCount{96});
            QCOMPARE(event->oldSize, ByteCount{48});
            QCOMPARE(event->source, std::uint8_t{6});
            QCOMPARE(shortestDecodable(payload, 2, 34, decodeHeapReAlloc), static_cast<long>(payload.bytes().size()));
        }
    }
    /// Sums of such sizes would overflow.
    void refusesBlocksThatAreLargerThanAnyMachine() {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 43;
        for (const auto size : {kMost, kMost + 1, std::uint64_t{0x8000'0000'0000'0001}}) {
            PayloadBuilder alloc(8), realloc(8);
            alloc.pointer(0x1D0000).pointer(size).pointer(0x1D0860).u32(2);
            realloc.pointer(0x1D0000).pointer(0x2000).pointer(0x3000).pointer(size).pointer(48).u32(6);
            TestRecord allocated(alloc), reallocated(realloc);
            QCOMPARE(decodeHeapAlloc(allocated.as(0x10, 33, 2).raw).has_value(), size == kMost);
            QCOMPARE(decodeHeapReAlloc(reallocated.as(0x10, 34, 2).raw).has_value(), size == kMost);
        }
    }
    void readsFree() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(0x2000).u32(1);
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{20} : std::size_t{12});
            TestRecord record(payload);
            const auto event = decodeHeapFree(record.as(0x10, 36, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapFree);
            QCOMPARE(event->heap, Address{0x1D0000});
            QCOMPARE(event->address, Address{0x2000});
            QCOMPARE(event->source, std::uint8_t{1});
            QCOMPARE(shortestDecodable(payload, 2, 36, decodeHeapFree), static_cast<long>(2 * p)); // without Source
        }
    }
    void readsRecordsWithoutSource() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).pointer(48).pointer(0x1D0860);
            TestRecord record(payload);
            const auto event = decodeHeapAlloc(record.as(0x10, 33, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->address, Address{0x1D0860});
            QCOMPARE(event->source, std::uint8_t{0});
        }
    }
    void readsCreateOfEveryVersion() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x1D0000).u32(0x40000060);
            QCOMPARE(shortestDecodable(payload, 2, 32, decodeHeapCreate), p == 8 ? 12L : 8L);
            payload.pointer(0x100000).pointer(0x2000).pointer(0x1000); // version 3
            QCOMPARE(payload.bytes().size(), p == 8 ? std::size_t{36} : std::size_t{20});
            TestRecord record(payload);
            const auto event = decodeHeapCreate(record.as(0x10, 32, 3).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapCreate);
            QCOMPARE(event->heap, Address{0x1D0000});
            QCOMPARE(event->flags, 0x40000060u);
            QCOMPARE(shortestDecodable(payload, 3, 32, decodeHeapCreate), p == 8 ? 12L : 8L);
        }
    }
    void readsDestroy() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0xFFFF0000);
            TestRecord record(payload);
            const auto event = decodeHeapDestroy(record.as(0x10, 35, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->operation, MemoryOperation::HeapDestroy);
            QCOMPARE(event->heap, Address{0xFFFF0000});
            QCOMPARE(shortestDecodable(payload, 2, 35, decodeHeapDestroy), static_cast<long>(p));
        }
    }
};
HIGHWATER_TEST(HeapRecordTest);
#include "heap_record_test.moc"

#include "core/decode/records/gc_record.h"

#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>
#include <string>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

/// A tick of this version, with the length of that version.
PayloadBuilder tick(unsigned pointerBytes, unsigned version) {
    PayloadBuilder payload(pointerBytes);
    payload.u32(0x1234).u32(1);
    if (version >= 1) payload.value(std::uint16_t{7});
    if (version >= 2) payload.u64(0x1'0000'1234).pointer(0x7FF0).utf16("System.Byte[]").u32(3);
    if (version >= 3) payload.pointer(0x20001000);
    if (version >= 4) payload.u64(24);
    return payload;
}

PayloadBuilder sample(unsigned pointerBytes, ByteCount size) {
    PayloadBuilder payload(pointerBytes);
    payload.u32(2).value(std::uint16_t{7}).pointer(0x7FF0).utf16("System.Byte[]").pointer(0x20001000).u64(size).u64(8);
    return payload;
}

PayloadBuilder stats(unsigned version) {
    PayloadBuilder payload(8);
    for (std::uint64_t generation = 1; generation <= 4; ++generation)
        payload.u64(generation * 1000).u64(7);
    payload.u64(1).u64(2).u32(3).u32(4).u32(5);
    if (version >= 1) payload.value(std::uint16_t{7});
    if (version >= 2) payload.u64(5000).u64(7);
    return payload;
}

std::string nameOf(const ManagedAllocation& allocation) { return ByteReader(allocation.typeName).takeUtf16(); }

template <typename Decode>
auto decodedAs(const PayloadBuilder& payload, std::uint16_t version, Decode decode) {
    TestRecord record(payload);
    record.as(0, 0, version).by(42, 43);
    return decode(record.raw);
}

} // namespace

/// Layouts of the events of the CLR's garbage collector.
class GcRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void ticksOfEveryVersion() {
        for (const unsigned pointerBytes : {4u, 8u}) {
            for (std::uint16_t version = 0; version <= 4; ++version) {
                TestRecord record(tick(pointerBytes, version));
                record.as(0, 0, version).by(42, 43);
                const auto decoded = decodeAllocationTick(record.raw);
                QVERIFY(decoded.has_value());
                const auto& event = decoded->event;
                QVERIFY(event.operation == MemoryOperation::ManagedAlloc);
                QCOMPARE(event.pid, std::uint32_t{42});
                QCOMPARE(event.tid.value, std::uint32_t{43});
                QCOMPARE(int{event.source}, 1);
                QCOMPARE(event.size, ByteCount{version >= 2 ? 0x1'0000'1234u : 0x1234u});
                QCOMPARE(nameOf(*decoded), std::string(version >= 2 ? "System.Byte[]" : ""));
                QCOMPARE(event.address, Address{version >= 3 ? 0x20001000u : 0u});
            }
        }
    }
    /// Sums of damaged amounts would overflow.
    void amountsThatNoMachineHasAreDamage() {
        const auto tickOf = [](std::uint64_t amount) {
            PayloadBuilder payload(8);
            payload.u32(1).u32(0).value(std::uint16_t{7}).u64(amount).pointer(1).utf16("A").u32(0);
            return decodedAs(payload, 2, decodeAllocationTick);
        };
        constexpr std::uint64_t kMost = std::uint64_t{1} << 43;
        QVERIFY(tickOf(kMost).has_value());
        QVERIFY(!tickOf(kMost + 1).has_value());
        QVERIFY(!decodedAs(sample(8, kMost + 1), 0, decodeAllocationSample).has_value());
        PayloadBuilder sizes(8);
        for (const std::uint64_t size : {std::uint64_t{1}, kMost + 1, std::uint64_t{3}, std::uint64_t{4}})
            sizes.u64(size).u64(7);
        sizes.u64(1).u64(2).u32(3).u32(4).u32(5);
        QVERIFY(!decodedAs(sizes, 0, decodeHeapStats).has_value());
    }
    void aNewerVersionOnlyAppends() {
        auto payload = tick(8, 4);
        payload.zeros(100);
        TestRecord record(payload);
        record.as(0, 0, 9);
        QCOMPARE(nameOf(*decodeAllocationTick(record.raw)), std::string("System.Byte[]"));
    }
    /// Each version needs exactly its fields up to those that are used.
    void whatIsCutIsRefused() {
        for (const unsigned pointerBytes : {4u, 8u}) {
            const auto bytesOf = [&](unsigned version) {
                return static_cast<long>(tick(pointerBytes, version).bytes().size());
            };
            const auto shortest = [&](std::uint16_t version) {
                return shortestDecodable(tick(pointerBytes, 4), version, 0, decodeAllocationTick);
            };
            QCOMPARE(shortest(0), 8L);
            QCOMPARE(shortest(1), 8L);
            QCOMPARE(shortest(2), bytesOf(2));
            QCOMPARE(shortest(3), bytesOf(3));
            QCOMPARE(shortest(4), bytesOf(3));
            const auto wholeSample = sample(pointerBytes, 24);
            QCOMPARE(shortestDecodable(wholeSample, 0, 0, decodeAllocationSample),
                     static_cast<long>(wholeSample.bytes().size()) - 8);
        }
        QCOMPARE(shortestDecodable(stats(0), 0, 0, decodeHeapStats), 64L);
        QCOMPARE(shortestDecodable(stats(2), 1, 0, decodeHeapStats), 64L);
        QCOMPARE(shortestDecodable(stats(2), 2, 0, decodeHeapStats), 102L);
        PayloadBuilder segment(8);
        segment.u64(0x2551000).u64(0xFFFF000).u32(0).value(std::uint16_t{7});
        QCOMPARE(shortestDecodable(segment, 1, 0, decodeSegmentCreated), 16L);
        QCOMPARE(shortestDecodable(segment, 1, 0, decodeSegmentFreed), 8L);
    }
    /// A name without its NUL was cut and must not be read as its prefix.
    void aNameWithoutAnEndIsNone() {
        PayloadBuilder payload(8);
        payload.u32(1).u32(0).value(std::uint16_t{7}).u64(1).pointer(0);
        for (int i = 0; i < 20; ++i)
            payload.value(std::uint16_t{'A'});
        QVERIFY(!decodedAs(payload, 3, decodeAllocationTick).has_value());
    }
    void kindsBeyondThoseThereAreStayUnknown() {
        PayloadBuilder payload(8);
        payload.u32(1).u32(0x1'0002); // not 2
        QCOMPARE(int{decodedAs(payload, 0, decodeAllocationTick)->event.source}, 255);
    }
    void samplesStandForWhatTheirSizeMakesLikely() {
        for (const unsigned pointerBytes : {4u, 8u}) {
            const auto payload = sample(pointerBytes, 24);
            const auto decoded = decodedAs(payload, 0, decodeAllocationSample);
            QVERIFY(decoded.has_value());
            QCOMPARE(int{decoded->event.source}, 2);
            QCOMPARE(decoded->event.flags, managed_flag::kSample);
            QCOMPARE(decoded->event.size, bytesOfSample(24));
        }
        // 24 / (1 - (1 - 1/102400)^24), counted with long division by another program.
        QCOMPARE(bytesOfSample(24), ByteCount{102412});
        QCOMPARE(bytesOfSample(1), ByteCount{102400});
        QCOMPARE(bytesOfSample(102400), ByteCount{161994});
        QCOMPARE(bytesOfSample(10'000'000), ByteCount{10'000'000});
        QCOMPARE(bytesOfSample(0), ByteCount{0});
        constexpr auto kMost = std::numeric_limits<ByteCount>::max();
        QCOMPARE(bytesOfSample(kMost), kMost);
    }
    void sizesOfGenerations() {
        for (std::uint16_t version = 0; version <= 3; ++version) {
            const auto event = decodedAs(stats(version), version, decodeHeapStats);
            QVERIFY(event.has_value());
            const std::size_t told = version >= 2 ? 5 : 4;
            QCOMPARE(event->generations, told);
            for (std::size_t i = 0; i < told; ++i)
                QCOMPARE(event->sizes[i], ByteCount{(i + 1) * 1000});
            QCOMPARE(event->pid, std::uint32_t{42});
        }
    }
    void segments() {
        PayloadBuilder payload(4); // addresses are 64-bit in 32-bit processes as well
        payload.u64(0x2551000).u64(0xFFFF000).u32(3).value(std::uint16_t{7});
        const auto created = decodedAs(payload, 1, decodeSegmentCreated);
        QVERIFY(created->kind == GcEvent::Kind::SegmentCreated);
        QCOMPARE(created->address, Address{0x2551000});
        QCOMPARE(created->size, ByteCount{0xFFFF000});
        const auto freed = decodedAs(payload, 1, decodeSegmentFreed);
        QVERIFY(freed->kind == GcEvent::Kind::SegmentFreed);
        QCOMPARE(freed->address, Address{0x2551000});
    }
};
HIGHWATER_TEST(GcRecordTest);
#include "gc_record_test.moc"

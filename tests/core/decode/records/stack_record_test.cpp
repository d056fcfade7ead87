#include "core/decode/records/stack_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

std::vector<Address> framesOf(const FrameRun& run) { return {run.frames.begin(), run.frames.end()}; }

/// u16 ItemSize | u16 ExtType | u16 Linkage | u16 DataSize | content | padding
void appendItem(PayloadBuilder& items, unsigned type, bool another, const PayloadBuilder& content) {
    const auto dataBytes = content.bytes().size();
    const auto itemBytes = (8 + dataBytes + 7) / 8 * 8;
    items.value(static_cast<std::uint16_t>(itemBytes)).value(static_cast<std::uint16_t>(type));
    items.value(static_cast<std::uint16_t>(another ? 1 : 0)).value(static_cast<std::uint16_t>(dataBytes));
    for (auto b : content.bytes())
        items.value(b);
    items.zeros(itemBytes - 8 - dataBytes);
}

etl::RawRecord withExtended(const TestRecord& items) {
    etl::RawRecord record;
    record.extended = items.raw.payload;
    record.extendedBytes = items.raw.payloadBytes;
    return record;
}

} // namespace

class StackRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void pointsIntoThePayloadWhenItCan() {
        PayloadBuilder payload(8);
        payload.pointer(0xFFFFF80000001000).pointer(0x7FF000001000);
        TestRecord record(payload);
        FrameReader reader;
        const auto run = reader.read(record.raw.payloadSpan(), 8);
        QCOMPARE(reinterpret_cast<const std::byte*>(run.frames.data()), record.raw.payload);
        QVERIFY(run.startsInKernel);
        QVERIFY(run.endsInUser);
    }
    void copiesFramesThatAreNotAligned() {
        PayloadBuilder payload(8);
        payload.u32(0).pointer(0xFFFFF80000001000).pointer(0xFFFFF80000002000).u8(1);
        TestRecord record(payload);
        FrameReader reader;
        const auto run = reader.read(record.raw.payloadSpan().subspan(4), 8);
        QCOMPARE(framesOf(run), (std::vector<Address>{0xFFFFF80000001000, 0xFFFFF80000002000}));
        QVERIFY(run.startsInKernel);
        QVERIFY(!run.endsInUser);
    }
    void widensFramesOf32BitRecords() {
        PayloadBuilder payload(4);
        payload.pointer(0x80000000).pointer(0x7FFFFFFF);
        TestRecord record(payload);
        FrameReader reader;
        const auto run = reader.read(record.raw.payloadSpan(), 4);
        QCOMPARE(framesOf(run), (std::vector<Address>{0x80000000, 0x7FFFFFFF}));
        QVERIFY(run.startsInKernel);
        QVERIFY(run.endsInUser);
    }
    void readsReferences() {
        PayloadBuilder payload(8);
        payload.u64(1000).u32(4242).u32(7);
        QCOMPARE(shortestDecodable(payload, 2, 32, decodeStackReference), 16L);
        TestRecord record(payload);
        record.raw.ticks = 1005;
        record.raw.processor = 3;
        const auto reference = decodeStackReference(record.raw);
        QCOMPARE(reference->eventTicks, std::int64_t{1000});
        QCOMPARE(reference->recordTicks, std::int64_t{1005});
        QCOMPARE(reference->pid, 4242u);
        QCOMPARE(reference->tid.value, 7u);
        QCOMPARE(reference->processor, std::uint16_t{3});
    }
    void findsStacksAmongOtherExtendedItems() {
        PayloadBuilder items(8);
        PayloadBuilder traits(8), stack64(8), stack32(4), key(8);
        traits.zeros(13);
        stack64.u64(0).pointer(0x7FF000001000).pointer(0x7FF000002000);
        stack32.u64(5).pointer(0x401000);
        key.u64(6).pointer(0xFFFFE00000001230).u32(0).u32(0);
        appendItem(items, 12, true, traits);
        appendItem(items, 6, true, stack64);
        appendItem(items, 5, true, stack32);
        appendItem(items, 18, false, key);
        TestRecord memory(items);
        ExtendedStackReader reader(withExtended(memory));
        FrameReader frames;
        auto stack = reader.next();
        QCOMPARE(stack->matchId, std::uint64_t{0});
        QCOMPARE(framesOf(frames.read(stack->frames, stack->pointerBytes)),
                 (std::vector<Address>{0x7FF000001000, 0x7FF000002000}));
        stack = reader.next();
        QCOMPARE(stack->matchId, std::uint64_t{5});
        QCOMPARE(framesOf(frames.read(stack->frames, stack->pointerBytes)), (std::vector<Address>{0x401000}));
        stack = reader.next();
        QVERIFY(stack->isKey);
        QCOMPARE(stack->key, std::uint64_t{0xFFFFE00000001230});
        QVERIFY(!reader.next().has_value());
    }
    void survivesExtendedItemsThatMakeNoSense() {
        PayloadBuilder items(8);
        PayloadBuilder stack(8);
        stack.u64(0).pointer(0x7FF000001000);
        appendItem(items, 6, true, stack);
        appendItem(items, 6, false, stack);
        for (std::size_t length = 0; length <= items.bytes().size(); ++length) {
            TestRecord memory(items, length);
            ExtendedStackReader reader(withExtended(memory));
            std::size_t found = 0;
            while (reader.next())
                ++found;
            QCOMPARE(found, length / 24);
        }
        PayloadBuilder zeroSize(8);
        zeroSize.zeros(64); // items of 0 bytes would never end
        TestRecord memory(zeroSize);
        QVERIFY(!ExtendedStackReader(withExtended(memory)).next().has_value());
    }
};
HIGHWATER_TEST(StackRecordTest);
#include "stack_record_test.moc"

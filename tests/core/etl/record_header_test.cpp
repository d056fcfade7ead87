#include "core/etl/record_header.h"

#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::etl;

namespace {

/// "02 00 02 c0" -> bytes.
std::vector<std::byte> bytes(const char* hex) {
    std::vector<std::byte> out;
    for (const auto b : QByteArray::fromHex(hex))
        out.push_back(static_cast<std::byte>(b));
    return out;
}

// Guids in file order: Image 2cb15d1d-..., Heap 222962ab-..., ImageID b3e675d7-....
constexpr auto kImageGuid = "1d5db12cc15fd211abe100a0c911f518";
constexpr auto kHeapGuid = "ab6229228061884ba825346b75f2a24a";
constexpr auto kImageIdGuid = "d775e6b35425184f830b2762732560de";

std::string join(std::initializer_list<const char*> parts) {
    std::string out;
    for (const auto* part : parts)
        out += part;
    return out;
}

std::vector<std::byte> system64() {
    return bytes("0200 02c0 3c00 21 10  04030201 92100000  8877665544332211  0000000000000000"
                 "0000d10100000000 3000000000000000 1000d101 00000000 02000000");
}
std::vector<std::byte> full32() {
    return bytes(
        join({"3400 0ac0 03 00 0200 01000000 02000000 0500000000000000", kImageGuid, "0000000000000000", "aabbccdd"})
            .c_str());
}
std::vector<std::byte> eventWithTwoItems() {
    return bytes(
        join({"7800 13c0 0100 0000 01000000 02000000 0700000000000000", kImageIdGuid,
              "6400 01 00 04 21 0000 0000000000000000", "0000000000000000", "00000000000000000000000000000000",
              "1000 0c00 0100 0800 1111111111111111", "1000 0b00 0000 0400 22222222 00000000", "a1a2a3a4a5a6a7a8"})
            .c_str());
}

} // namespace

class RecordHeaderTest : public QObject {
    Q_OBJECT
  private slots:
    void readsASystemRecord() {
        const auto data = system64();
        QCOMPARE(data.size(), std::size_t{60});
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::System64);
        QCOMPARE(record->kind, RawRecord::Kind::Classic);
        QCOMPARE(record->group, std::uint8_t{0x10});
        QCOMPARE(record->opcode, std::uint8_t{33});
        QCOMPARE(record->version, std::uint16_t{2});
        QCOMPARE(record->tid, 0x01020304u);
        QCOMPARE(record->pid, 4242u);
        QCOMPARE(record->ticks, std::int64_t{0x1122334455667788});
        QCOMPARE(record->pointerBytes, std::uint8_t{8});
        QCOMPARE(record->payloadBytes, 28u);
        QCOMPARE(record->payload, data.data() + 32);
        QVERIFY(record->provider == nullptr);
    }
    void readsACompactRecord() {
        const auto data = bytes("0300 03c0 1c00 05 03 01000000 02000000 0900000000000000 aabbccdd");
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::Compact32);
        QCOMPARE(record->pointerBytes, std::uint8_t{4});
        QCOMPARE(record->pid, 2u);
        QCOMPARE(record->ticks, std::int64_t{9});
        QCOMPARE(record->payloadBytes, 4u);
    }
    void readsAPerformanceRecordWithoutIds() {
        const auto data = bytes("0200 11c0 1400 20 18 0900000000000000 aabbccdd");
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::PerfInfo64);
        QCOMPARE(record->pid, kNoId);
        QCOMPARE(record->tid, kNoId);
        QCOMPARE(record->group, std::uint8_t{0x18});
        QCOMPARE(record->opcode, std::uint8_t{32});
        QCOMPARE(record->payload, data.data() + 16);
        QCOMPARE(record->payloadBytes, 4u);
    }
    void skipsCountersBetweenHeaderAndPayload() {
        // One PEBS index (0x80) and two counters (0x02): 24 bytes.
        const auto data = bytes("0282 11c0 2c00 20 18 0900000000000000"
                                "010101010101010102020202020202020303030303030303 aabbccdd");
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->version, std::uint16_t{2});
        QCOMPARE(record->payload, data.data() + 40);
        QCOMPARE(record->payloadBytes, 4u);
    }
    void refusesCountersThatDoNotFit() {
        const auto data = bytes("0287 11c0 1400 20 18 0900000000000000 aabbccdd");
        QVERIFY(!parseRecord(data).has_value());
    }
    void mapsClassGuidsOfFullRecordsToGroups() {
        const auto data = full32();
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->kind, RawRecord::Kind::Classic);
        QCOMPARE(record->group, std::uint8_t{0x14});
        QCOMPARE(record->opcode, std::uint8_t{3});
        QCOMPARE(record->version, std::uint16_t{2});
        QCOMPARE(record->pointerBytes, std::uint8_t{4});
        QCOMPARE(record->provider, data.data() + 24);
        QCOMPARE(record->payloadBytes, 4u);
    }
    void keepsOtherGuidsAsProviders() {
        const auto data =
            bytes(join({"3000 14c0 24 00 0200 01000000 02000000 0500000000000000", kImageIdGuid, "0000000000000000"})
                      .c_str());
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->kind, RawRecord::Kind::Provider);
        QCOMPARE(toString(record->providerGuid()), std::string("b3e675d7-2554-4f18-830b-2762732560de"));
        QCOMPARE(record->opcode, std::uint8_t{36});
        QCOMPARE(record->payloadBytes, 0u);
    }
    void readsInstanceRecords() {
        const auto data = bytes(join({"4c00 15c0 21 00 0200 01000000 02000000 0500000000000000", kHeapGuid,
                                      "0000000000000000", "01000000 02000000", kImageGuid, "aabbccdd"})
                                    .c_str());
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::Instance64);
        QCOMPARE(record->group, std::uint8_t{0x10});
        QCOMPARE(record->opcode, std::uint8_t{33});
        QCOMPARE(record->payloadBytes, 4u);
    }
    void readsEventRecordsWithChainedItems() {
        const auto data = eventWithTwoItems();
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::Event64);
        QCOMPARE(record->kind, RawRecord::Kind::Provider);
        QCOMPARE(record->eventId, std::uint16_t{100});
        QCOMPARE(record->version, std::uint16_t{1});
        QCOMPARE(record->opcode, std::uint8_t{0x21});
        QCOMPARE(record->extended, data.data() + 80);
        QCOMPARE(record->extendedBytes, 32u);
        QCOMPARE(record->payload, data.data() + 112);
        QCOMPARE(record->payloadBytes, 8u);
    }
    void mapsClassGuidsOfEventRecordsToGroups() {
        const auto data = bytes(join({"5400 12c0 0001 0000 01000000 02000000 0700000000000000", kHeapGuid,
                                      "0000 02 00 00 24 0000 0000000000000000", "0000000000000000",
                                      "00000000000000000000000000000000", "aabbccdd"})
                                    .c_str());
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->kind, RawRecord::Kind::Classic);
        QCOMPARE(record->group, std::uint8_t{0x10});
        QCOMPARE(record->opcode, std::uint8_t{36});
        QCOMPARE(record->version, std::uint16_t{2});
        QCOMPARE(record->pointerBytes, std::uint8_t{4});
    }
    void refusesItemsThatDoNotFit() {
        for (const auto* items : {"0000 0c00 0100 0800 1111111111111111",    // no size
                                  "0800 0c00 0000 0800 1111111111111111",    // data longer than the item
                                  "1000 0c00 0100 0800 1111111111111111",    // claims that another one follows
                                  "ff00 0c00 0000 0800 1111111111111111"}) { // longer than the record
            QVERIFY2(!extendedItemsBytes(bytes(items)).has_value(), items);
        }
        QVERIFY(!extendedItemsBytes({}).has_value());
        QCOMPARE(extendedItemsBytes(bytes("1000 0c00 0000 0800 1111111111111111 77")).value(), std::size_t{16});
    }
    void readsMessages() {
        // Options 0xAA as real files have them: GUID, time, ids.
        const auto data =
            bytes(join({"2c00 0090 0b00 aa00", kImageIdGuid, "0700000000000000 01000000 02000000 aabbccdd"}).c_str());
        const auto record = parseRecord(data);
        QVERIFY(record.has_value());
        QCOMPARE(record->header, HeaderType::Message);
        QCOMPARE(record->kind, RawRecord::Kind::Message);
        QCOMPARE(record->eventId, std::uint16_t{11});
        QCOMPARE(record->ticks, std::int64_t{7});
        QCOMPARE(record->tid, 1u);
        QCOMPARE(record->pid, 2u);
        QCOMPARE(record->payloadBytes, 4u);
    }
    void skipsTypesItDoesNotKnowByTheirSize() {
        for (const auto* text :
             {"0c00 0cc0 00000000 aabbccdd", "0c00 0dc0 00000000 aabbccdd", "0c00 0ec0 00000000 aabbccdd"}) {
            const auto record = parseRecord(bytes(text));
            QVERIFY(record.has_value());
            QCOMPARE(record->kind, RawRecord::Kind::Message);
        }
    }
    void refusesEveryPrefixOfARecord() {
        for (const auto& whole : {system64(), full32(), eventWithTwoItems()}) {
            for (std::size_t length = 0; length < whole.size(); ++length) {
                const std::vector<std::byte> prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
                QVERIFY(!parseRecord(prefix).has_value());
                std::vector<RecordExtent> records;
                listRecords(prefix, 0, 0, records);
                QCOMPARE(records.size(), std::size_t{0});
            }
            QVERIFY(parseRecord(whole).has_value());
        }
    }
    void survivesEveryCorruptedByteOfARecord() {
        for (const auto& whole : {system64(), full32(), eventWithTwoItems()}) {
            for (std::size_t at = 0; at < whole.size(); ++at) {
                for (int value = 0; value < 256; ++value) {
                    auto copy = whole;
                    copy[at] = static_cast<std::byte>(value);
                    if (const auto record = parseRecord(copy)) {
                        const auto end = record->payload + record->payloadBytes;
                        QVERIFY(end >= copy.data() && end <= copy.data() + copy.size());
                    }
                }
            }
        }
    }
    void listsRecordsUpToTheFilling() {
        auto data = bytes("0200 11c0 1400 20 18 0900000000000000 aabbccdd 00000000" // 20 bytes, padded to 24
                          "0200 11c0 1000 20 18 0a00000000000000 ffffffffffffffff");
        std::vector<RecordExtent> records;
        QCOMPARE(listRecords(data, 0, 0, records).end, WalkEnd::Filling);
        QCOMPARE(records.size(), std::size_t{2});
        QCOMPARE(records[1].offset, 24u);
        QCOMPARE(records[1].ticks, std::int64_t{10});
        QCOMPARE(records[0].bytes, 20u);
    }
    void stopsAtBytesThatAreNoRecord() {
        auto data = bytes("0200 11c0 1000 20 18 0900000000000000 0102030405060708");
        std::vector<RecordExtent> records;
        QCOMPARE(listRecords(data, 0, 0, records).end, WalkEnd::Damaged);
        QCOMPARE(records.size(), std::size_t{1});
    }
    void givesMessagesWithoutTimeTheTimeOfTheirNeighbour() {
        const auto data = bytes("0800 0090 0100 0000" // before any time
                                "0200 11c0 1000 20 18 0900000000000000"
                                "0800 0090 0200 0000");
        std::vector<RecordExtent> records;
        listRecords(data, 0, 77, records);
        QCOMPARE(records.size(), std::size_t{3});
        for (const auto& record : records)
            QCOMPARE(record.ticks, std::int64_t{9});
        QCOMPARE(firstTicks(data, 0).value(), std::int64_t{9});
        records.clear();
        listRecords(ByteSpan(data).first(8), 0, 77, records);
        QCOMPARE(records.at(0).ticks, std::int64_t{77});
        QVERIFY(!firstTicks(ByteSpan(data).first(8), 0).has_value());
    }
};
HIGHWATER_TEST(RecordHeaderTest);
#include "record_header_test.moc"

#include "core/decode/records/process_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

enum class Sid { None, LocalSystem };

/// The fixed part of each version as docs/etl-format.md 6.1 lists it, then SID, name, command line and the fields that
/// v4 appends.
PayloadBuilder processPayload(unsigned pointerBytes, unsigned version, Sid sid) {
    PayloadBuilder payload(pointerBytes);
    if (version == 0) {
        payload.pointer(4242).pointer(17);
    } else {
        payload.pointer(0xFFFFFA8001234560).u32(4242).u32(17).u32(1).u32(259);
        if (version >= 3) payload.pointer(0x1AB000);
        if (version >= 4) payload.u32(2);
    }
    if (sid == Sid::None) {
        payload.u32(0);
    } else {
        payload.pointer(0xFFFFF8A000001230).pointer(0); // TOKEN_USER
        payload.u8(1).u8(1).zeros(5).u8(5).u32(18);     // S-1-5-18
    }
    payload.narrow("notepad.exe");
    if (version >= 2) payload.utf16("notepad.exe a.txt");
    if (version >= 4) payload.utf16("").utf16("App");
    return payload;
}

/// The offset of the SID: the numbers of docs/etl-format.md 6.1.
long sidOffset(unsigned pointerBytes, unsigned version) {
    if (version == 0) return 2 * static_cast<long>(pointerBytes);
    if (version <= 2) return pointerBytes == 8 ? 24 : 20;
    if (version == 3) return pointerBytes == 8 ? 32 : 24;
    return pointerBytes == 8 ? 36 : 28;
}

} // namespace

class ProcessRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsEveryVersionPointerSizeAndSid() {
        for (const unsigned p : {4u, 8u}) {
            for (unsigned version = 0; version <= 6; ++version) {
                for (const auto sid : {Sid::None, Sid::LocalSystem}) {
                    const auto payload = processPayload(p, version, sid);
                    TestRecord record(payload);
                    const auto event = decodeProcess(record.as(3, 1, static_cast<std::uint16_t>(version)).by(1, 2).raw);
                    QVERIFY(event.has_value());
                    QCOMPARE(event->pid, 4242u);
                    QCOMPARE(event->parentPid, 17u);
                    QCOMPARE(event->sessionId, version == 0 ? 0u : 1u);
                    QCOMPARE(event->exitStatus, version == 0 ? 0u : 259u);
                    QCOMPARE(event->name, std::string("notepad.exe"));
                    QCOMPARE(event->commandLine, std::string(version >= 2 ? "notepad.exe a.txt" : ""));
                    const long sidBytes = sid == Sid::None ? 4 : 2 * static_cast<long>(p) + 12;
                    QCOMPARE(shortestDecodable(payload, static_cast<std::uint16_t>(version), 1, decodeProcess),
                             sidOffset(p, version) + sidBytes);
                }
            }
        }
    }
    void namesTheOccasion() {
        const auto payload = processPayload(8, 4, Sid::None);
        const Occasion expected[] = {Occasion::Start, Occasion::End, Occasion::RundownStart, Occasion::RundownEnd};
        for (std::uint8_t opcode = 1; opcode <= 4; ++opcode) {
            TestRecord record(payload);
            QCOMPARE(decodeProcess(record.as(3, opcode, 4).raw)->occasion, expected[opcode - 1]);
        }
    }
    void refusesASidThatDoesNotFit() {
        PayloadBuilder payload(8);
        payload.pointer(1).u32(2).u32(3).u32(4).u32(5).pointer(0).u32(0); // v4
        payload.pointer(1).pointer(0).u8(1).u8(255).zeros(6).u32(18);     // promises 255 sub-authorities
        TestRecord record(payload);
        QVERIFY(!decodeProcess(record.as(3, 1, 4).raw).has_value());
    }
    void keepsTextThatIsCutOff() {
        const auto payload = processPayload(8, 3, Sid::None);
        TestRecord record(payload, 32 + 4 + 4);
        QCOMPARE(decodeProcess(record.as(3, 1, 3).raw)->name, std::string("note"));
    }
};
HIGHWATER_TEST(ProcessRecordTest);
#include "process_record_test.moc"

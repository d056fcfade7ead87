#include "core/decode/records/thread_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

PayloadBuilder threadPayload(unsigned pointerBytes) {
    PayloadBuilder payload(pointerBytes);
    payload.u32(4242).u32(7);
    for (unsigned i = 0; i < 7; ++i)
        payload.pointer(0x1000 * i);
    payload.u32(0).u8(8).u8(5).u8(2).u8(0);
    return payload;
}

} // namespace

class ThreadRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsVersion3AndLaterWithAndWithoutName() {
        for (const unsigned p : {4u, 8u}) {
            for (const std::uint16_t version : {std::uint16_t{3}, std::uint16_t{4}, std::uint16_t{9}}) {
                auto payload = threadPayload(p);
                const long fixed = p == 8 ? 72 : 44;
                QCOMPARE(static_cast<long>(payload.bytes().size()), fixed);
                QCOMPARE(shortestDecodable(payload, version, 1, decodeThread), fixed);
                payload.utf16("worker");
                TestRecord record(payload);
                const auto event = decodeThread(record.as(5, 3, version).by(1, 2).raw);
                QVERIFY(event.has_value());
                QCOMPARE(event->occasion, Occasion::RundownStart);
                QCOMPARE(event->pid, 4242u);
                QCOMPARE(event->tid, 7u);
                QCOMPARE(event->name, std::string("worker"));
                QCOMPARE(shortestDecodable(payload, version, 1, decodeThread), fixed);
            }
        }
    }
    /// After the kernel-mode stack, from version 2 on.
    void readsTheStackOfUserMode() {
        for (const unsigned p : {4u, 8u}) {
            TestRecord record(threadPayload(p));
            const auto event = decodeThread(record.as(5, 1, 3).raw);
            QCOMPARE(event->stackBase, Address{0x2000});
            QCOMPARE(event->stackLimit, Address{0x3000});
            QCOMPARE(decodeThread(record.as(5, 1, 2).raw)->stackLimit, Address{0x3000});
            QCOMPARE(decodeThread(record.as(5, 1, 1).raw)->stackLimit, Address{0});
        }
        PayloadBuilder cut(8);
        cut.u32(1).u32(2).pointer(0).pointer(0).pointer(0x2000);
        TestRecord record(cut);
        QCOMPARE(decodeThread(record.as(5, 1, 2).raw)->stackBase, Address{0});
    }
    void readsOldVersions() {
        PayloadBuilder payload(4);
        payload.u32(11).u32(22);
        TestRecord record(payload);
        QCOMPARE(decodeThread(record.as(5, 1, 1).raw)->pid, 11u);
        QCOMPARE(decodeThread(record.as(5, 1, 1).raw)->tid, 22u);
        QCOMPARE(decodeThread(record.as(5, 2, 0).raw)->tid, 11u); // version 0 has the thread first
        QCOMPARE(decodeThread(record.as(5, 2, 0).raw)->pid, 22u);
        QCOMPARE(shortestDecodable(payload, 1, 1, decodeThread), 8L);
    }
    void versionsBefore3HaveNoName() {
        auto payload = threadPayload(8);
        payload.utf16("worker");
        TestRecord record(payload);
        const auto event = decodeThread(record.as(5, 1, 2).raw);
        QVERIFY(event.has_value());
        QCOMPARE(event->tid, 7u);
        QCOMPARE(event->name, std::string());
    }
    void keepsOfANameThatIsCutWhatIsThere() {
        auto payload = threadPayload(8);
        payload.utf16("io");
        const auto nameOf = [&](std::size_t bytesOfName) {
            TestRecord record(payload, 72 + bytesOfName);
            const auto event = decodeThread(record.as(5, 1, 4).raw);
            return event ? event->name : std::string("(rejected)");
        };
        QCOMPARE(nameOf(0), std::string());
        QCOMPARE(nameOf(1), std::string());
        QCOMPARE(nameOf(2), std::string("i"));
        QCOMPARE(nameOf(3), std::string("i"));
        QCOMPARE(nameOf(4), std::string("io")); // without its terminator
        QCOMPARE(nameOf(5), std::string("io"));
        QCOMPARE(nameOf(6), std::string("io"));
    }
    void anEmptyNameIsNone() {
        auto payload = threadPayload(4);
        payload.utf16("").utf16("behind it");
        TestRecord record(payload);
        QCOMPARE(decodeThread(record.as(5, 4, 3).raw)->name, std::string());
    }
    void readsTheNameThatAThreadIsGiven() {
        PayloadBuilder payload(8);
        payload.u32(4242).u32(7).utf16("loader");
        TestRecord record(payload);
        const auto event = decodeThreadName(record.as(5, 72, 2).by(1, 2).raw);
        QVERIFY(event.has_value());
        QCOMPARE(event->occasion, Occasion::Named);
        QCOMPARE(event->pid, 4242u);
        QCOMPARE(event->tid, 7u);
        QCOMPARE(event->name, std::string("loader"));
        QCOMPARE(shortestDecodable(payload, 2, 72, decodeThreadName), 8L); // with the rest of the name, however short
    }
    void aNameIsNoValidUtf16() {
        PayloadBuilder payload(8);
        payload.u32(1).u32(2).value(std::uint16_t{0xD800}).value(std::uint16_t{'x'}).value(std::uint16_t{0xDC00});
        TestRecord record(payload);
        QCOMPARE(decodeThreadName(record.as(5, 72, 2).raw)->name, std::string("\xEF\xBF\xBDx\xEF\xBF\xBD"));
    }
};
HIGHWATER_TEST(ThreadRecordTest);
#include "thread_record_test.moc"

#include "core/decode/records/image_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

PayloadBuilder imagePayload(unsigned pointerBytes, unsigned version) {
    PayloadBuilder payload(pointerBytes);
    payload.pointer(0x7FF00000).pointer(0x180000);
    if (version >= 1) payload.u32(4242);
    if (version >= 2) payload.u32(0xC0FFEE).u32(0x5A5A5A5A).u32(0x01060000).pointer(0x180000000).zeros(16);
    payload.utf16("\\Device\\HarddiskVolume3\\a.dll");
    return payload;
}

long nameOffset(unsigned pointerBytes, unsigned version) {
    if (version == 0) return 2 * static_cast<long>(pointerBytes);
    if (version == 1) return 2 * static_cast<long>(pointerBytes) + 4;
    return pointerBytes == 8 ? 56 : 44;
}

} // namespace

class ImageRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsEveryVersionAndPointerSize() {
        for (const unsigned p : {4u, 8u}) {
            for (unsigned version = 0; version <= 4; ++version) {
                const auto payload = imagePayload(p, version);
                TestRecord record(payload);
                const auto event = decodeImage(record.as(3, 10, static_cast<std::uint16_t>(version)).by(77, 2).raw);
                QVERIFY(event.has_value());
                QCOMPARE(event->occasion, Occasion::Start);
                QCOMPARE(event->pid, version == 0 ? 77u : 4242u); // only version 0 relies on the header
                QCOMPARE(event->base, Address{0x7FF00000});
                QCOMPARE(event->size, ByteCount{0x180000});
                QCOMPARE(event->timeDateStamp, version >= 2 ? 0x5A5A5A5Au : 0u);
                QCOMPARE(event->path, std::string("\\Device\\HarddiskVolume3\\a.dll"));
                QCOMPARE(shortestDecodable(payload, static_cast<std::uint16_t>(version), 10, decodeImage),
                         nameOffset(p, version));
            }
        }
    }
    void namesTheOccasion() {
        const auto payload = imagePayload(8, 3);
        TestRecord record(payload);
        QCOMPARE(decodeImage(record.as(0x14, 2, 3).raw)->occasion, Occasion::End);
        QCOMPARE(decodeImage(record.as(0x14, 3, 3).raw)->occasion, Occasion::RundownStart);
        QCOMPARE(decodeImage(record.as(0x14, 4, 3).raw)->occasion, Occasion::RundownEnd);
        QCOMPARE(decodeImage(record.as(0x14, 10, 3).raw)->occasion, Occasion::Start);
    }
};
HIGHWATER_TEST(ImageRecordTest);
#include "image_record_test.moc"

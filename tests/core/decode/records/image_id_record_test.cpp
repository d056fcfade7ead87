#include "core/decode/records/image_id_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

class ImageIdRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsSizeAndTimeStampOfTheImage() {
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x10000000).pointer(0x23000).u32(4242).u32(0x5A5A5A5A);
            const long fixed = p == 8 ? 24 : 16;
            QCOMPARE(static_cast<long>(payload.bytes().size()), fixed);
            payload.utf16("a.dll");
            TestRecord record(payload);
            const auto event = decodeImageIdImage(record.as(0, 0, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->base, Address{0x10000000});
            QCOMPARE(event->pid, 4242u);
            QCOMPARE(event->identity.imageSize, 0x23000u);
            QCOMPARE(event->identity.timeDateStamp, 0x5A5A5A5Au);
            QVERIFY(event->identity.pdbName.empty());
            QCOMPARE(shortestDecodable(payload, 2, 0, decodeImageIdImage), fixed);
        }
    }
    void readsThePdb() {
        const Guid guid{0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}};
        for (const unsigned p : {4u, 8u}) {
            PayloadBuilder payload(p);
            payload.pointer(0x10000000).u32(4242).value(guid).u32(3);
            const long fixed = p == 8 ? 32 : 28;
            QCOMPARE(static_cast<long>(payload.bytes().size()), fixed);
            payload.narrow("a.pdb");
            TestRecord record(payload);
            const auto event = decodeImageIdRsds(record.as(0, 36, 2).raw);
            QVERIFY(event.has_value());
            QCOMPARE(event->base, Address{0x10000000});
            QCOMPARE(event->pid, 4242u);
            QVERIFY(event->identity.pdbGuid == guid);
            QCOMPARE(event->identity.pdbAge, 3u);
            QCOMPARE(event->identity.pdbName, std::string("a.pdb"));
            QCOMPARE(event->identity.imageSize, 0u);
            QCOMPARE(shortestDecodable(payload, 2, 36, decodeImageIdRsds), fixed);
        }
    }
};
HIGHWATER_TEST(ImageIdRecordTest);
#include "image_id_record_test.moc"

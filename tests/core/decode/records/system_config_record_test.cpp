#include "core/decode/records/system_config_record.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

class SystemConfigRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsAVolumeMappingOnlyAsAWhole() {
        PayloadBuilder payload(8);
        payload.utf16("\\Device\\HarddiskVolume3\\").utf16("C:\\");
        TestRecord record(payload);
        const auto event = decodeVolumeMapping(record.as(0, 35, 0).raw);
        QVERIFY(event.has_value());
        QCOMPARE(event->ntPath, std::string("\\Device\\HarddiskVolume3\\"));
        QCOMPARE(event->dosPath, std::string("C:\\"));
        QCOMPARE(shortestDecodable(payload, 0, 35, decodeVolumeMapping), static_cast<long>(payload.bytes().size()));
    }
    void acceptsAnEmptySecondPath() {
        PayloadBuilder payload(8);
        payload.utf16("\\??\\").utf16("");
        TestRecord record(payload);
        QCOMPARE(decodeVolumeMapping(record.raw)->dosPath, std::string());
        QCOMPARE(shortestDecodable(payload, 0, 35, decodeVolumeMapping), static_cast<long>(payload.bytes().size()));
    }
};
HIGHWATER_TEST(SystemConfigRecordTest);
#include "system_config_record_test.moc"

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
    void readsTheProcessorsAndTheNameOfTheComputer() {
        PayloadBuilder payload(8);
        payload.u32(2400).u32(12).u32(32768).u32(4096).u32(65536).utf16("DESKTOP-7");
        TestRecord record(payload);
        const auto system = decodeProcessors(record.as(11, 10, 2).raw);
        QVERIFY(system.has_value());
        QCOMPARE(system->processors, 12u);
        QCOMPARE(system->computer, std::string("DESKTOP-7"));
        QCOMPARE(shortestDecodable(payload, 11, 10, decodeProcessors), 8L);
        PayloadBuilder absurd(8);
        absurd.u32(0).u32(0xFFFFFFFF);
        TestRecord other(absurd);
        QCOMPARE(decodeProcessors(other.as(11, 10, 2).raw)->processors, 0u);
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

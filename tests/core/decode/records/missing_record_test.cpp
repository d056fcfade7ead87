#include "core/decode/records/missing_record.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;

class MissingRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsWhatIsMissing() {
        const MissingPart part{
            .firstTicks = 5, .lastTicks = -7, .events = 1'000'000, .isEnd = true, .reason = "Disk full."};
        const auto payload = encodeMissing(part);
        auto record = missingRecord(9, 3, payload);
        QVERIFY(isMissingRecord(record));
        QCOMPARE(record.ticks, std::int64_t{9});
        QCOMPARE(record.processor, std::uint16_t{3});
        QCOMPARE(decodeMissing(record), std::optional(part));
        for (record.payloadBytes = 0; record.payloadBytes < 28; ++record.payloadBytes)
            QVERIFY(!decodeMissing(record));
        QVERIFY(!isMissingRecord(etl::RawRecord()));
    }
    void keepsReasonsShort() {
        MissingPart part;
        for (int i = 0; i < 1000; ++i)
            part.reason += "\xC3\xB6";
        const auto payload = encodeMissing(part);
        QVERIFY(payload.size() <= 28 + kMostReasonBytes + 1);
        const auto reason = decodeMissing(missingRecord(0, 0, payload))->reason;
        QCOMPARE(reason.size(), kMostReasonBytes); // whole characters
        // A file may contain more text than the limit.
        auto longer = payload;
        longer.resize(60'000, std::byte{'x'});
        QVERIFY(decodeMissing(missingRecord(0, 0, longer))->reason.size() <= kMostReasonBytes);
    }
    void isASentence() {
        const TraceTime first{1'500'000'000}, last{2'000'000'000};
        QCOMPARE(describe({.events = 12, .reason = "the disk could not keep up."}, first, last),
                 std::string(
                     "12 events between 1.500 s and 2.000 s are missing from the file: the disk could not keep up."));
        QCOMPARE(describe({.events = 1, .reason = "Disk full"}, first, first),
                 std::string("1 event at 1.500 s is missing from the file: Disk full."));
        QCOMPARE(
            describe({.events = 12, .isEnd = true, .reason = "Disk full"}, first, last),
            std::string("The file was cut off at 1.500 s, before the recording ended. At least 12 events are missing. "
                        "Disk full."));
        QCOMPARE(describe({.isEnd = true}, first, last),
                 std::string("The file was cut off at 1.500 s, before the recording ended."));
    }
};
HIGHWATER_TEST(MissingRecordTest);
#include "missing_record_test.moc"

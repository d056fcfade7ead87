#include "core/decode/records/retained_range_record.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;

class RetainedRangeRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsWhereTheTraceBeginsAndWhatIsGone() {
        TraceProperties properties;
        properties.ticksPerSecond = 10'000'000;
        properties.firstTicks = 1000;
        const Clock clock(properties);
        const RetainedRange window{.start = {}, .heap = {3, 4000}, .virtualAlloc = {5, 6000}};
        const auto payload = encodeRetainedRange(window, 1000 + 20'000'000);
        etl::RawRecord record;
        record.payload = payload.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload.size());
        const auto decoded = decodeRetainedRange(record, clock);
        QVERIFY(decoded);
        QCOMPARE(decoded->start.ns, std::int64_t{2'000'000'000});
        QCOMPARE(decoded->heap.rows, std::uint64_t{3});
        QCOMPARE(decoded->heap.bytes, ByteCount{4000});
        QCOMPARE(decoded->virtualAlloc.rows, std::uint64_t{5});
        QCOMPARE(decoded->virtualAlloc.bytes, ByteCount{6000});
        for (record.payloadBytes = 0; record.payloadBytes < payload.size(); ++record.payloadBytes) {
            QVERIFY(!decodeRetainedRange(record, clock));
        }
    }
};
HIGHWATER_TEST(RetainedRangeRecordTest);
#include "retained_range_record_test.moc"

#include "core/decode/records/window_record.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;

class WindowRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsWhereTheTraceBeginsAndWhatIsGone() {
        TraceProperties properties;
        properties.ticksPerSecond = 10'000'000;
        properties.firstTicks = 1000;
        const Clock clock(properties);
        const TraceWindow window{.start = {}, .heap = {3, 4000}, .virtualAlloc = {5, 6000}};
        const auto payload = encodeWindow(window, 1000 + 20'000'000);
        etl::RawRecord record;
        record.payload = payload.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload.size());
        const auto decoded = decodeWindow(record, clock);
        QVERIFY(decoded);
        QCOMPARE(decoded->start.ns, std::int64_t{2'000'000'000});
        QCOMPARE(decoded->heap.rows, std::uint64_t{3});
        QCOMPARE(decoded->heap.bytes, ByteCount{4000});
        QCOMPARE(decoded->virtualAlloc.rows, std::uint64_t{5});
        QCOMPARE(decoded->virtualAlloc.bytes, ByteCount{6000});
        for (record.payloadBytes = 0; record.payloadBytes < payload.size(); ++record.payloadBytes) {
            QVERIFY(!decodeWindow(record, clock));
        }
    }
};
HIGHWATER_TEST(WindowRecordTest);
#include "window_record_test.moc"

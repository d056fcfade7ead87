#include "core/source/records/live_ring.h"

#include "core/event/code_opcodes.h"
#include "tests/core/source/records/timed_record.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Records on their way from a thread that must not wait.
class LiveRingTest : public QObject {
    Q_OBJECT
  private slots:
    void recordsComeOutAsTheyWentIn() {
        LiveRing ring(kRing);
        TimedRecord in(77);
        in.record.pid = 4;
        in.record.tid = 8;
        in.record.processor = 3;
        in.record.version = 2;
        in.record.pointerBytes = 4;
        in.record.header = etl::HeaderType::Compact32;
        QVERIFY(ring.put(in.record));
        QCOMPARE(ring.headTicks().value(), 77);
        const auto out = ring.head();
        QCOMPARE(out.pid, 4u);
        QCOMPARE(out.tid, 8u);
        QCOMPARE(out.processor, std::uint16_t{3});
        QCOMPARE(out.version, std::uint16_t{2});
        QCOMPARE(out.pointerBytes, std::uint8_t{4});
        QVERIFY(out.header == etl::HeaderType::Compact32);
        QCOMPARE(out.opcode, heap_opcode::kAlloc);
        QCOMPARE(loadUnchecked<std::int64_t>(out.payload), 77);
        ring.pop();
        QVERIFY(!ring.headTicks());
    }

    void aFullRingDropsAndCounts() {
        LiveRing ring(kRing);
        std::int64_t accepted = 0;
        while (put(ring, accepted))
            ++accepted;
        QVERIFY(accepted > 40);
        QVERIFY(!put(ring, 1000));
        QCOMPARE(ring.dropped(), std::uint64_t{2});
        QCOMPARE(ring.newestTicks().value(), accepted - 1); // dropped records never count
        for (std::int64_t i = 0; i < accepted; ++i) {
            QCOMPARE(ring.headTicks().value(), i);
            ring.pop();
        }
        QVERIFY(!ring.headTicks());
        QVERIFY(put(ring, 2000));
        QCOMPARE(ring.headTicks().value(), 2000);
    }

    /// Payloads of all lengths, so that the buffer ends at every position of a record.
    void recordsOfProvidersKeepWhatNamesThem() {
        LiveRing ring(kRing);
        const std::array<std::byte, 11> payload{std::byte{1}, std::byte{2}};
        const std::array<std::byte, 24> items{std::byte{24}, std::byte{0}, std::byte{6}};
        TimedRecord record(7);
        record.record.kind = etl::RawRecord::Kind::Provider;
        record.record.provider = reinterpret_cast<const std::byte*>(&kClrProvider);
        record.record.eventId = clr_event::kMethodLoadVerbose;
        record.record.pointerBytes = 4;
        record.record.payload = payload.data();
        record.record.payloadBytes = payload.size();
        record.record.extended = items.data();
        record.record.extendedBytes = items.size();
        for (int round = 0; round < 300; ++round) { // more than the buffer can hold
            QVERIFY(ring.put(record.record));
            QVERIFY(put(ring, round));
            QCOMPARE(ring.headTicks().value(), 7);
            BatchBuilder builder;
            builder.add(ring.head());
            ring.pop();
            QCOMPARE(ring.headTicks().value(), std::int64_t{round});
            builder.add(ring.head());
            ring.pop();
            const auto batch = batchOf(builder);
            const auto& taken = batch.records[0];
            QCOMPARE(taken.kind, etl::RawRecord::Kind::Provider);
            QVERIFY(taken.providerGuid() == kClrProvider);
            QCOMPARE(taken.eventId, clr_event::kMethodLoadVerbose);
            QCOMPARE(taken.pointerBytes, std::uint8_t{4});
            QVERIFY(std::ranges::equal(taken.payloadSpan(), payload));
            QVERIFY(std::ranges::equal(taken.extendedSpan(), items));
            QCOMPARE(batch.records[1].kind, etl::RawRecord::Kind::Classic);
            QVERIFY(batch.records[1].provider == nullptr && batch.records[1].extendedBytes == 0);
            QCOMPARE(batch.records[1].payloadBytes, std::uint32_t{8});
        }
    }

    void recordsSurviveTheEndOfTheMemory() {
        LiveRing ring(kRing);
        std::vector<std::byte> payload(600);
        std::int64_t put = 0, taken = 0;
        for (int round = 0; round < 5000; ++round) {
            etl::RawRecord record;
            record.ticks = put;
            record.payloadBytes = static_cast<std::uint32_t>((round * 37) % 600);
            std::fill(payload.begin(), payload.end(), static_cast<std::byte>(put));
            record.payload = payload.data();
            if (ring.put(record)) ++put;
            if (round % 3 == 0) continue;
            if (const auto head = ring.headTicks()) {
                QCOMPARE(*head, taken);
                for (const auto byte : ring.head().payloadSpan())
                    QCOMPARE(byte, static_cast<std::byte>(taken));
                ring.pop();
                ++taken;
            }
        }
        QVERIFY(taken > 1000);
    }

    void oneThreadPutsWhileAnotherTakes() {
        constexpr std::int64_t kRecords = 300'000;
        LiveRing ring(std::size_t{1} << 16);
        std::thread producer([&] {
            for (std::int64_t i = 0; i < kRecords; ++i) {
                while (!put(ring, i))
                    std::this_thread::yield();
            }
        });
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < kRecords;) {
            const auto head = ring.headTicks();
            if (!head) continue;
            wrong += *head != i || loadUnchecked<std::int64_t>(ring.head().payload) != i;
            ring.pop();
            ++i;
        }
        producer.join();
        QCOMPARE(wrong, 0);
    }
};

HIGHWATER_TEST(LiveRingTest);

#include "live_ring_test.moc"

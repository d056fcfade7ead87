#include "core/store/matching/block_map.h"
#include "core/store/matching/outstanding_blocks.h"
#include "core/store/published/site_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::store;

namespace {

/// The inverse of the hash's golden ratio factor: a key multiplied by it hashes to the original number.
constexpr std::uint64_t kGoldenInverse = 0xF1DE83E19937733Dull;
static_assert(kGoldenInverse * 0x9E3779B97F4A7C15ull == 1);

MemoryEvent crowdedEvent(MemoryOperation operation, std::int64_t time, Address heap, Address address) {
    MemoryEvent event;
    event.operation = operation;
    event.time = TraceTime{time};
    event.heap = heap;
    event.address = address;
    event.size = 16;
    return event;
}

} // namespace

/// Keys that all collide in a table with a predictable hash. Each of these tests then exceeds its time limit or uses up
/// all memory.
class HostileKeysTest : public QObject {
    Q_OBJECT
  private slots:
    void blocks() {
        BlockMap blocks;
        constexpr std::uint64_t kBlocks = 300'000;
        for (std::uint64_t i = 1; i <= kBlocks; ++i)
            blocks.findOrAdd(kGoldenInverse * i)->row = static_cast<RowId>(i);
        QCOMPARE(blocks.rows().size(), std::size_t{kBlocks});
        for (std::uint64_t i = 1; i <= kBlocks; ++i)
            QCOMPARE(blocks.take(kGoldenInverse * i).row, static_cast<RowId>(i));
        QVERIFY(blocks.isEmpty());
    }
    void heaps() {
        TraceColumns columns;
        TraceHealth health;
        OutstandingBlocks blocks(columns, health);
        constexpr std::uint64_t kHeaps = 100'000;
        for (std::uint64_t i = 1; i <= kHeaps; ++i) {
            const auto time = static_cast<std::int64_t>(i);
            blocks.apply(crowdedEvent(MemoryOperation::HeapAlloc, time, kGoldenInverse * i, 0x1000), {}, {});
        }
        QCOMPARE(columns.heap.rows.rowCount(), kHeaps);
    }
    void reallocEchoes() {
        TraceColumns columns;
        TraceHealth health;
        OutstandingBlocks blocks(columns, health);
        constexpr std::uint64_t kThreads = 200'000;
        for (std::uint64_t i = 1; i <= kThreads; ++i) {
            auto event = crowdedEvent(MemoryOperation::HeapReAlloc, static_cast<std::int64_t>(i), 0x1D0000, i * 16);
            const auto thread = kGoldenInverse * i;
            event.oldAddress = 8;
            event.pid = static_cast<std::uint32_t>(thread >> 32);
            event.tid = ThreadId{static_cast<std::uint32_t>(thread)};
            blocks.apply(event, {}, {});
        }
        QCOMPARE(columns.heap.rows.rowCount(), kThreads);
    }
};

HIGHWATER_TEST(HostileKeysTest);
#include "hostile_keys_test.moc"

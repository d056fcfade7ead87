#include "core/pipeline/batch_queue.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace highwater;
using pipeline::BatchQueue;

namespace {

etl::RecordBatch batchWith(const std::vector<std::byte>& payload, std::int64_t ticks) {
    etl::RecordBatch batch;
    batch.records.resize(1);
    batch.records[0].ticks = ticks;
    batch.records[0].payload = payload.data();
    batch.records[0].payloadBytes = static_cast<std::uint32_t>(payload.size());
    return batch;
}

} // namespace

class BatchQueueTest : public QObject {
    Q_OBJECT
  private slots:
    void handsOverBatchesInOrderBetweenThreads() {
        BatchQueue queue(3);
        std::thread producer([&] {
            etl::RecordBatch batch;
            for (std::int64_t i = 0; i < 1000; ++i) {
                batch.records.resize(1);
                batch.records[0].ticks = i;
                if (!queue.push(batch)) return;
                if (!batch.records.empty()) return; // the queue returns an empty batch
            }
            queue.producerFinished();
        });
        std::int64_t expected = 0;
        while (auto batch = queue.pop()) {
            QCOMPARE(batch->records.at(0).ticks, expected);
            ++expected;
            queue.giveBack(std::move(*batch));
        }
        producer.join();
        QCOMPARE(expected, std::int64_t{1000});
    }
    /// Including those at the end, which are too few to be a run.
    void handsOverAllWhereTheConsumerIsWokenForRuns() {
        BatchQueue queue(6, BatchQueue::Wakes::InRuns);
        std::atomic<int> taken = 0;
        std::thread consumer([&] {
            while (queue.pop())
                ++taken;
        });
        const std::vector<std::byte> payload(1);
        const auto push = [&](int batches) {
            for (int i = 0; i < batches; ++i) {
                auto batch = batchWith(payload, i);
                QVERIFY(queue.push(batch));
            }
        };
        push(3);
        QTRY_COMPARE(taken.load(), 3);
        push(1001);
        push(1);
        queue.producerFinished();
        consumer.join();
        QCOMPARE(taken.load(), 1005);
    }
    void tellsTheProducerThatNobodyListens() {
        BatchQueue queue(1);
        etl::RecordBatch batch;
        QVERIFY(queue.push(batch));
        std::thread consumer([&] { queue.consumerGone(); });
        QVERIFY(!queue.push(batch)); // full: waits until the consumer reports that it has gone
        consumer.join();
    }
    void doesNotWaitForAConsumerThatStandsStill() {
        const std::vector<std::byte> payload(100);
        BatchQueue queue(2, {.mostBytes = 2000, .patience = std::chrono::milliseconds(10)});
        int taken = 0;
        etl::RecordBatch batch;
        for (; taken < 100; ++taken) {
            if (batch.records.empty()) batch = batchWith(payload, taken);
            if (!queue.offer(batch)) break;
        }
        QVERIFY2(taken > 2 && taken < 20, "more than are waited for, but no more than the bytes");
        QCOMPARE(batch.records.size(), std::size_t{1}); // it is unchanged
        QVERIFY(!queue.isHalfEmpty());
        queue.force(batch);
        for (int i = 0; i <= taken; ++i)
            QCOMPARE(queue.pop()->records.at(0).ticks, std::int64_t{i});
        QVERIFY(queue.isHalfEmpty());
        batch = batchWith(payload, 0);
        QVERIFY(queue.offer(batch));
    }
    void waitsForAConsumerThatIsOnlySlow() {
        const std::vector<std::byte> payload(100);
        BatchQueue queue(1, {.mostBytes = 1, .patience = std::chrono::minutes(1)});
        std::thread consumer([&] {
            for (int i = 0; i < 20; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                (void)queue.pop();
            }
        });
        for (int i = 0; i < 20; ++i) {
            auto batch = batchWith(payload, i);
            QVERIFY(queue.offer(batch));
        }
        consumer.join();
    }
    void releasesTheMemoryOfBatchesGivenBack() {
        BatchQueue queue(1);
        auto memory = std::make_shared<int>(1);
        const std::weak_ptr<int> watched = memory;
        etl::RecordBatch batch;
        batch.memory.push_back(std::move(memory));
        QVERIFY(queue.push(batch));
        queue.giveBack(*queue.pop());
        QVERIFY(watched.expired());
    }
};
HIGHWATER_TEST(BatchQueueTest);
#include "batch_queue_test.moc"

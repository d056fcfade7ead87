#include "core/pipeline/batch_queue.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <thread>

using namespace highwater;
using pipeline::BatchQueue;

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
                if (!batch.records.empty()) return; // what comes back is empty
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
    void tellsTheProducerThatNobodyListens() {
        BatchQueue queue(1);
        etl::RecordBatch batch;
        QVERIFY(queue.push(batch));
        std::thread consumer([&] { queue.consumerGone(); });
        QVERIFY(!queue.push(batch)); // full: waits until the consumer says that it has gone
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

#include "core/etl/record_merge.h"

#include "core/base/thread_priority.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace highwater;
using namespace highwater::etl;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kMergedBufferBytes = 4096;

struct Merged {
    std::vector<OwnedRecord> records; ///< without trace headers
    HealthReport health;
};

Merged merge(const std::vector<std::vector<std::byte>>& files, std::size_t batchRecords = 64, unsigned threads = 0) {
    TraceHealth health;
    std::vector<EtlReader> readers;
    for (const auto& file : files) {
        auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
        if (!reader.hasValue()) return {};
        readers.push_back(std::move(reader).value());
    }
    RecordMerge merge(readers, health, threads);
    RecordBatch batch;
    KeepingSink sink;
    for (; merge.fill(batch, batchRecords); batch.recycle())
        sink.onBatch(batch);
    std::erase_if(sink.records, [](const OwnedRecord& r) { return r.fields.group == 0; });
    return {std::move(sink.records), health.report()};
}

struct MergedWhileListed {
    std::vector<OwnedRecord> records;
    HealthReport health;
    bool isOutOfOrder = false;
};

/// The same for one file whose buffers are listed this many bytes ahead of the reader.
MergedWhileListed mergeWhileListed(const std::vector<std::byte>& file, std::uint64_t ahead, unsigned threads = 0) {
    TraceHealth health;
    auto reader = EtlReader::openPart({file, nullptr, "test.etl"}, std::uint64_t{1} << 40);
    RecordMerge merge(reader.value(), ahead, health, threads);
    RecordBatch batch;
    KeepingSink sink;
    for (; merge.fill(batch, 64); batch.recycle())
        sink.onBatch(batch);
    std::erase_if(sink.records, [](const OwnedRecord& r) { return r.fields.group == 0; });
    return {std::move(sink.records), health.report(), merge.isOutOfOrder()};
}

std::vector<std::string> texts(const std::vector<OwnedRecord>& records) {
    std::vector<std::string> out;
    for (const auto& record : records)
        out.push_back(record.text());
    return out;
}

/// By time, then processor; within a processor in their original order.
std::vector<OwnedRecord> sorted(std::vector<OwnedRecord> records) {
    std::stable_sort(records.begin(), records.end(), [](const OwnedRecord& a, const OwnedRecord& b) {
        return std::pair(a.fields.ticks, a.fields.processor) < std::pair(b.fields.ticks, b.fields.processor);
    });
    return records;
}

/// Random records of several processors, in time order, with many equal times.
std::vector<OwnedRecord> someRecords(unsigned seed, std::size_t count, unsigned processors) {
    std::mt19937 random(seed);
    std::vector<OwnedRecord> records;
    std::int64_t ticks = 2000;
    for (std::size_t i = 0; i < count; ++i) {
        ticks += random() % 3;
        auto record = classicRecord(HeaderType::System64, ticks, static_cast<std::uint16_t>(random() % processors),
                                    4 + random() % 60);
        record.fields.pid = static_cast<std::uint32_t>(i); // distinguishes equal times
        record.fields.tid = 1;
        records.push_back(record);
    }
    return records;
}

/// Reorders the data buffers of an uncompressed file.
std::vector<std::byte> shuffleBuffers(const std::vector<std::byte>& file, unsigned seed) {
    std::vector<std::size_t> order;
    for (std::size_t at = kMergedBufferBytes; at < file.size(); at += kMergedBufferBytes)
        order.push_back(at);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    std::vector<std::byte> out(file.begin(), file.begin() + kMergedBufferBytes);
    for (auto at : order)
        out.insert(out.end(), file.begin() + static_cast<std::ptrdiff_t>(at),
                   file.begin() + static_cast<std::ptrdiff_t>(at + kMergedBufferBytes));
    return out;
}

} // namespace

class RecordMergeTest : public QObject {
    Q_OBJECT
  private slots:
    void equalsAStableSort_data() {
        QTest::addColumn<unsigned>("processors");
        QTest::addColumn<int>("compression");
        for (unsigned processors : {1u, 2u, 3u, 7u, 40u}) {
            QTest::addRow("%u plain", processors) << processors << int(Compression::None);
            QTest::addRow("%u xpress", processors) << processors << int(Compression::Xpress);
        }
    }
    void equalsAStableSort() {
        QFETCH(unsigned, processors);
        QFETCH(int, compression);
        const auto records = someRecords(processors, 3000, processors);
        const auto file = writeTrace(
            records, {.bufferBytes = kMergedBufferBytes, .compression = static_cast<Compression>(compression)});
        for (std::size_t batch : {1, 7, 1024}) {
            const auto result = merge({file}, batch);
            QCOMPARE(texts(result.records), texts(sorted(records)));
            QVERIFY(result.health.isClean());
        }
    }
    void sortsShuffledBuffersWithoutALoss() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const auto records = someRecords(seed, 2000, 3);
            const auto result = merge({shuffleBuffers(writeTrace(records, {.bufferBytes = kMergedBufferBytes}), seed)});
            QCOMPARE(texts(result.records), texts(sorted(records)));
            QVERIFY(result.health.isClean());
        }
    }
    void sortsRecordsThatAreOutOfOrderAndCountsThem() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            auto records = someRecords(seed, 2000, 3);
            for (std::size_t i = 0; i < records.size(); ++i)
                records[i].fields.ticks = 2000 + static_cast<std::int64_t>(i);
            std::shuffle(records.begin(), records.end(), std::mt19937(seed));
            const auto result = merge({writeTrace(records, {.bufferBytes = kMergedBufferBytes})});
            QCOMPARE(texts(result.records), texts(sorted(records)));
            QVERIFY(result.health[Loss::RecordsOutOfOrder] > 0);
        }
    }
    void sortsOneLateRecord() {
        auto records = someRecords(5, 2000, 1);
        records[1500].fields.ticks = records[3].fields.ticks - 1;
        const auto result = merge({writeTrace(records, {.bufferBytes = kMergedBufferBytes})});
        QCOMPARE(texts(result.records), texts(sorted(records)));
        QCOMPARE(result.health[Loss::RecordsOutOfOrder], std::uint64_t{1});
    }
    void mergesSeveralFiles() {
        const auto records = someRecords(11, 3000, 4);
        std::vector<std::vector<OwnedRecord>> parts(3);
        for (std::size_t i = 0; i < records.size(); ++i)
            parts[i % 3].push_back(records[i]);
        const auto result = merge({writeTrace(parts[0], {.bufferBytes = kMergedBufferBytes}),
                                   writeTrace(parts[1], {.bufferBytes = 8192, .compression = Compression::Xpress}),
                                   writeTrace(parts[2], {.bufferBytes = kMergedBufferBytes})});
        QCOMPARE(result.records.size(), records.size());
        QVERIFY(result.health.isClean());
        auto expected = parts[0];
        expected.insert(expected.end(), parts[1].begin(), parts[1].end());
        expected.insert(expected.end(), parts[2].begin(), parts[2].end());
        QCOMPARE(texts(result.records), texts(sorted(expected)));
    }
    void survivesExtremeTimes() {
        std::vector<OwnedRecord> records;
        for (const auto ticks : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                 std::numeric_limits<std::int64_t>::max()}) {
            for (auto processor : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{65535}})
                records.push_back(classicRecord(HeaderType::System64, ticks, processor, 8));
        }
        const auto result = merge({writeTrace(records, {.bufferBytes = kMergedBufferBytes})}, 1);
        QCOMPARE(texts(result.records).size(), records.size());
        QVERIFY(std::is_sorted(result.records.begin(), result.records.end(),
                               [](const auto& a, const auto& b) { return a.fields.ticks < b.fields.ticks; }));
    }
    /// Either the result is as if all buffers had been listed first, or it is reported as out of order.
    void listsWhileItReads() {
        std::size_t same = 0, outOfOrder = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            auto records = someRecords(seed, 3'000, 4);
            for (std::size_t i = 0; i < records.size(); ++i) // some processors hardly run: their buffers wait long
                if (seed % 3 == 1 && i % 97 != 0) records[i].fields.processor %= 2;
            auto file = writeTrace(records, {.bufferBytes = kMergedBufferBytes,
                                             .compression = seed % 2 == 0 ? Compression::None : Compression::Xpress});
            if (seed % 6 == 4) file = shuffleBuffers(file, seed);
            if (seed % 5 == 3) file.resize(file.size() * 2 / 3);
            const auto expected = merge({file});
            for (const std::uint64_t ahead : {0u, 4096u, 20'000u, 1u << 20}) {
                const auto result = mergeWhileListed(file, ahead);
                outOfOrder += result.isOutOfOrder;
                if (result.isOutOfOrder) continue;
                ++same;
                QCOMPARE(texts(result.records), texts(expected.records));
                QCOMPARE(result.health.counts, expected.health.counts);
                QCOMPARE(result.health.remarks, expected.health.remarks);
            }
            const bool isDisturbed = seed % 6 == 4;
            QCOMPARE(mergeWhileListed(file, 1u << 30).isOutOfOrder, isDisturbed);
        }
        QVERIFY2(same > 100 && outOfOrder > 40, qPrintable(QString("%1 and %2").arg(same).arg(outOfOrder)));
    }
    /// For any damage: cut files, overwritten bytes, times that go back.
    void opensBuffersOnOtherThreadsWithTheSameResult() {
        std::size_t unclean = 0;
        for (unsigned seed = 0; seed < 45; ++seed) {
            std::mt19937 random(seed);
            auto records = someRecords(seed, 1'500, 1 + seed % 5);
            if (seed % 4 == 1) records[random() % records.size()].fields.ticks = 1; // long before the others
            auto file = writeTrace(records, {.bufferBytes = kMergedBufferBytes,
                                             .compression = seed % 2 == 0 ? Compression::None : Compression::Xpress});
            if (seed % 3 == 1) file.resize(file.size() - random() % (file.size() / 2));
            for (unsigned i = 0; seed % 3 == 2 && i < 1 + seed % 20; ++i)
                file[kMergedBufferBytes + random() % (file.size() - kMergedBufferBytes)] =
                    static_cast<std::byte>(random());
            const auto expected = merge({file, file});
            unclean += !expected.health.isClean();
            const auto grown = mergeWhileListed(file, 20'000);
            for (const unsigned threads : {1u, 3u}) {
                const auto result = merge({file, file}, 1 + random() % 500, threads);
                QCOMPARE(texts(result.records), texts(expected.records));
                QCOMPARE(result.health.counts, expected.health.counts);
                QCOMPARE(result.health.notes, expected.health.notes);
                const auto resultGrown = mergeWhileListed(file, 20'000, threads);
                QCOMPARE(resultGrown.isOutOfOrder, grown.isOutOfOrder);
                QCOMPARE(texts(resultGrown.records), texts(grown.records));
                QCOMPARE(resultGrown.health.counts, grown.health.counts);
            }
        }
        QVERIFY2(unclean > 10 && unclean < 40, qPrintable(QString::number(unclean)));
    }
    void endsWhileBuffersAreBeingOpened() {
        const auto file = writeTrace(someRecords(3, 20'000, 2),
                                     {.bufferBytes = kMergedBufferBytes, .compression = Compression::Xpress});
        for (const std::size_t records : {1, 100, 5'000}) {
            TraceHealth health;
            const auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
            RecordMerge merge({&reader.value(), 1}, health, 3);
            RecordBatch batch;
            QVERIFY(merge.fill(batch, records));
        }
    }
    /// A busy thread needs its processor, but expanding takes longer than waiting threads lose.
    void leavesOthersTheirProcessors() {
        const auto threadsFor = [](Compression compression, std::size_t records, unsigned busy) {
            const auto file =
                writeTrace(someRecords(5, records, 1), {.bufferBytes = 65'536, .compression = compression});
            TraceHealth health;
            const auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
            return RecordMerge::usefulThreads({&reader.value(), 1}, busy);
        };
        const std::size_t many = 300'000;
        const auto spare = std::min(usableProcessors() - 1, 4u);
        QCOMPARE(threadsFor(Compression::None, many, 0), spare);
        QCOMPARE(threadsFor(Compression::None, many, 1), std::min(usableProcessors() - 1, 5u) - std::min(spare, 1u));
        QCOMPARE(threadsFor(Compression::None, many, 1000), 0u);
        QCOMPARE(threadsFor(Compression::Xpress, many, 1000), spare);
        QCOMPARE(threadsFor(Compression::None, 100, 0), 0u);
    }
    void saysThatDamagedFilesAreToBeReadAgain() {
        auto file = writeTrace(someRecords(1, 2'000, 2), {.bufferBytes = kMergedBufferBytes});
        QVERIFY(!mergeWhileListed(file, 8192).isOutOfOrder);
        patch(file, 5 * kMergedBufferBytes, std::uint32_t{0xFFFFFFFF}); // the size of a buffer
        QVERIFY(mergeWhileListed(file, 8192).isOutOfOrder);
    }
    void keepsExpandedBuffersAlive() {
        const auto records = someRecords(2, 500, 3);
        const auto file = writeTrace(records, {.bufferBytes = kMergedBufferBytes, .compression = Compression::Xpress});
        std::vector<RecordBatch> batches;
        {
            TraceHealth health;
            auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
            RecordMerge merge({&reader.value(), 1}, health);
            for (;;) {
                RecordBatch batch;
                if (!merge.fill(batch, 32)) break;
                batches.push_back(std::move(batch));
            }
        }
        KeepingSink sink;
        for (auto& batch : batches)
            sink.onBatch(batch); // reads every byte, so that ASan checks it
        QCOMPARE(sink.records.size(), records.size() + 1);
    }
};
HIGHWATER_TEST(RecordMergeTest);
#include "record_merge_test.moc"

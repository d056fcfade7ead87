#include "core/analysis/timeline/new_bytes.h"

#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using SliceBytes = std::vector<SignedByteCount>;

/// 4 slices of 10: [0, 10), [10, 20), ...
TimelineQuery fourSlicesOfNewBytes() {
    TimelineQuery query;
    query.table = Table::Heap;
    query.interval = {TraceTime{0}, TraceTime{40}};
    query.points = 4;
    query.measure = TimelineMeasure::NewBytes;
    return query;
}

Timeline newBytesTimeline(const store::PublishedTrace& trace, const TimelineQuery& query) {
    FrameLabels labels;
    auto timeline = computeTimeline(trace, labels, query);
    if (!timeline.hasValue()) qFatal("%s", timeline.error().message.c_str());
    return std::move(timeline).value();
}

const std::vector<BlockOfTest> kNewBlocks{
    {1, 25, 10, "main;f", 0, 1}, {12, 14, 100, "main;g", 0, 2}, {13, 0, 5, "main;f", 1, 3}};

} // namespace

/// Allocations slice by slice, and whether they were freed. RandomTablesTest covers random traces.
class NewBytesTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsWhatWasKeptFromWhatWasFreed() {
        const auto timeline = newBytesTimeline(*traceOfBlocks(kNewBlocks), fourSlicesOfNewBytes());
        QCOMPARE(timeline.series.size(), std::size_t{2});
        QCOMPARE(timeline.series[kFreedSeries].name, std::string("Freed"));
        QCOMPARE(timeline.series[kFreedSeries].peaks, (SliceBytes{10, 100, 0, 0}));
        QCOMPARE(timeline.series[kKeptSeries].name, std::string("Kept"));
        QCOMPARE(timeline.series[kKeptSeries].peaks, (SliceBytes{0, 5, 0, 0}));
    }
    void whatIsFreedBehindTheIntervalIsKept() {
        auto query = fourSlicesOfNewBytes();
        query.interval.end = TraceTime{25}; // an end at its end is outside
        query.points = 5;
        const auto timeline = newBytesTimeline(*traceOfBlocks(kNewBlocks), query);
        QCOMPARE(timeline.series[kFreedSeries].peaks, (SliceBytes{0, 0, 100, 0, 0}));
        QCOMPARE(timeline.series[kKeptSeries].peaks, (SliceBytes{10, 0, 5, 0, 0}));
    }
    void leavesOutWhatIsOlder() {
        auto query = fourSlicesOfNewBytes();
        query.interval.start = TraceTime{12};
        query.points = 1;
        const auto timeline = newBytesTimeline(*traceOfBlocks(kNewBlocks), query);
        QCOMPARE(timeline.series[kFreedSeries].peaks, (SliceBytes{100}));
        QCOMPARE(timeline.series[kKeptSeries].peaks, (SliceBytes{5}));
    }
    void countsWithOneWorkerIntoManySlices() {
        auto query = fourSlicesOfNewBytes();
        query.points = 100'000;
        const auto timeline = newBytesTimeline(*traceOfBlocks(kNewBlocks), query);
        SignedByteCount sum = 0;
        for (const auto bytes : timeline.series[kFreedSeries].peaks)
            sum += bytes;
        QCOMPARE(sum, SignedByteCount{110});
    }
    void refusesWhatHasNothingNew() {
        auto query = fourSlicesOfNewBytes();
        query.table = Table::Frees;
        FrameLabels labels;
        const auto timeline = computeTimeline(*traceOfBlocks(kNewBlocks), labels, query);
        QVERIFY(!timeline.hasValue());
        QVERIFY(timeline.error().kind == ErrorKind::Usage);
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto timeline =
            computeTimeline(*traceOfBlocks(kNewBlocks), labels, fourSlicesOfNewBytes(), stop.get_token());
        QVERIFY(!timeline.hasValue());
        QVERIFY(timeline.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(NewBytesTest);
#include "new_bytes_test.moc"

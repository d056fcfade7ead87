#include "core/analysis/timeline/lifetimes.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

TimelineQuery lifetimesIn(std::int64_t start, std::int64_t end) {
    TimelineQuery query;
    query.table = Table::Heap;
    query.interval = {TraceTime{start}, TraceTime{end}};
    query.by = Column::Process;
    return query;
}

Lifetimes lifetimesOf(const store::PublishedTrace& trace, const TimelineQuery& query) {
    FrameLabels labels;
    auto lifetimes = computeLifetimes(trace, labels, query);
    if (!lifetimes.hasValue()) qFatal("%s", lifetimes.error().message.c_str());
    return std::move(lifetimes).value();
}

const std::vector<BlockOfTest> kBlocksWithLives{
    {12, 14, 100, "main;g", 0, 2}, {1, 25, 10, "main;f", 0, 1}, {13, 0, 5, "main;f", 1, 3}};

} // namespace

/// Single allocations, for bars.
class LifetimesTest : public QObject {
    Q_OBJECT
  private slots:
    void standInTheOrderOfTheirBegin() {
        const auto answer = lifetimesOf(*traceOfBlocks(kBlocksWithLives), lifetimesIn(0, 40));
        QCOMPARE(answer.count, std::uint64_t{3});
        QCOMPARE(answer.lifetimes.size(), std::size_t{3});
        QCOMPARE(answer.lifetimes[0].begin.ns, std::int64_t{1});
        QCOMPARE(answer.lifetimes[0].end.ns, std::int64_t{25});
        QCOMPARE(answer.lifetimes[0].size, ByteCount{10});
        QCOMPARE(answer.lifetimes[1].size, ByteCount{100});
        QVERIFY(answer.lifetimes[2].end == kNever);
    }
    void tellTheirGroupAndTheirFunction() {
        const auto answer = lifetimesOf(*traceOfBlocks(kBlocksWithLives), lifetimesIn(0, 40));
        QCOMPARE(answer.lifetimes[0].series, answer.lifetimes[1].series);
        QVERIFY(answer.lifetimes[0].series != answer.lifetimes[2].series);
        QVERIFY(!answer.lifetimes[0].function.empty());
        QVERIFY(answer.lifetimes[0].function != answer.lifetimes[1].function);
    }
    void tellTheGroupInAnOpenOne() {
        auto query = lifetimesIn(0, 40);
        query.opening.keys = {Column::Process, Column::Thread};
        query.opening.levels = 2;
        const auto answer = lifetimesOf(*traceOfBlocks(kBlocksWithLives), query);
        QCOMPARE(answer.lifetimes[0].series.size(), std::size_t{2});
        QVERIFY(answer.lifetimes[0].series[0] == answer.lifetimes[1].series[0]);
        QVERIFY(answer.lifetimes[0].series[1].column == Column::Thread);
    }
    void ofFreesTellTheFunctionThatAllocated() {
        const std::vector<BlockOfTest> freed{{1, 25, 10, "main;work;malloc", 0, 1}};
        auto query = lifetimesIn(0, 40);
        query.table = Table::Frees;
        query.allocatorFrames = std::make_shared<AllocatorFrames>("malloc!*");
        const auto answer = lifetimesOf(*traceOfBlocks(freed), query);
        QCOMPARE(answer.lifetimes.at(0).function, std::string("work!+0x1"));
    }
    void areThoseThatTakePart() {
        QCOMPARE(lifetimesOf(*traceOfBlocks(kBlocksWithLives), lifetimesIn(20, 40)).lifetimes.size(), std::size_t{2});
        auto query = lifetimesIn(0, 40);
        const auto all = lifetimesOf(*traceOfBlocks(kBlocksWithLives), query);
        query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {all.lifetimes[2].series}});
        QCOMPARE(lifetimesOf(*traceOfBlocks(kBlocksWithLives), query).lifetimes.size(), std::size_t{1});
    }
    void tooManyAreOnlyCounted() {
        std::vector<BlockOfTest> many;
        for (std::uint64_t i = 0; i < Lifetimes::kMost; ++i)
            many.push_back({static_cast<std::int64_t>(i % 900 + 1), 0, 8, "main;f", 0, 1});
        QCOMPARE(lifetimesOf(*traceOfBlocks(many), lifetimesIn(0, 1000)).lifetimes.size(),
                 std::size_t{Lifetimes::kMost});
        many.push_back({950, 0, 8, "main;f", 0, 1});
        const auto answer = lifetimesOf(*traceOfBlocks(many), lifetimesIn(0, 1000));
        QCOMPARE(answer.count, Lifetimes::kMost + 1);
        QVERIFY(answer.lifetimes.empty());
    }
    void canBeStopped() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto answer =
            computeLifetimes(*traceOfBlocks(kBlocksWithLives), labels, lifetimesIn(0, 40), stop.get_token());
        QVERIFY(!answer.hasValue() && answer.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(LifetimesTest);
#include "lifetimes_test.moc"

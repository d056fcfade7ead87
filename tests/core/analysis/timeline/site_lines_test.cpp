#include "core/analysis/timeline/site_lines.h"

#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Some thousand rows of three processes, some without bytes, and some threads and stacks that exist for a while only.
class Scene {
  public:
    explicit Scene(unsigned seed) : random_(seed) {
        for (std::uint32_t i = 0; i < 3; ++i)
            processes_.push_back(builder_.process("app" + std::to_string(i), 100 + i, TraceTime{0}));
    }
    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
    void add(std::size_t events) {
        for (std::size_t i = 0; i < events; ++i) {
            now_ += pick(3);
            if (living_.empty() || pick(9) < 5) {
                alloc();
            } else {
                free();
            }
        }
    }
    [[nodiscard]] std::int64_t now() const { return now_; }
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish() {
        return builder_.publish(TraceTime{now_ - pick(20)});
    }

  private:
    void alloc() {
        static const char* const kStacks[] = {"", "A", "A;B", "A;B;C", "A;C", "D", "D;B", "A;B;D"};
        ModelRow row;
        row.process = processes_[pick(3)];
        row.heap = 0x1000 + 0x1000ull * pick(2);
        // Starts later than some and ends before others.
        row.thread = 7 + pick(2) + static_cast<std::uint32_t>(now_ / 500);
        row.stack = kStacks[pick(8)];
        row.source = static_cast<std::uint8_t>(pick(3));
        row.address = 0x10000 + 16 * nextAddress_++;
        row.size = row.thread % 3 == 0 || pick(20) == 0 ? 0 : 1 + pick(1000);
        row.begin = TraceTime{now_};
        living_.push_back(builder_.alloc(row));
    }
    void free() {
        const auto at = pick(static_cast<std::uint32_t>(living_.size()));
        ModelRelease release;
        release.time = TraceTime{now_};
        builder_.end(living_[at], release);
        living_.erase(living_.begin() + at);
    }

    std::mt19937 random_;
    ColumnsBuilder builder_;
    std::vector<std::uint32_t> processes_;
    std::vector<std::size_t> living_;
    std::int64_t now_ = 10;
    std::uint64_t nextAddress_ = 0;
};

KeyStep randomStep(Scene& scene, const store::PublishedTrace& trace) {
    const auto& site = trace.heap.columns->sites[SiteId{scene.pick(trace.heap.sites)}];
    if (scene.pick(2) == 0) return {Column::Process, trace.heapOf(site).process.value};
    return {Column::Thread, site.thread.value};
}

TimelineQuery randomQuery(Scene& scene, const store::PublishedTrace& trace) {
    static constexpr Column kKeys[] = {Column::Process, Column::Handle,        Column::Thread,
                                       Column::Stack,   Column::StackBottomUp, Column::Source};
    TimelineQuery query;
    query.table = Table::Heap;
    const auto end = static_cast<std::uint32_t>(scene.now() + 30);
    const TraceTime a{scene.pick(end)};
    const TraceTime b{scene.pick(end)};
    query.interval = scene.pick(4) == 0 ? trace.wholeRange() : TimeRange{std::min(a, b), std::max(a, b)};
    query.points = 1 + scene.pick(40);
    query.maxSeries = scene.pick(5);
    query.measure = scene.pick(3) == 0 ? TimelineMeasure::Count : TimelineMeasure::Bytes;
    query.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
    if (scene.pick(6) != 0) query.by = kKeys[scene.pick(6)];
    if (query.by && scene.pick(2) == 0) {
        query.opening.keys = {*query.by};
        for (int i = 0; i < 2; ++i)
            query.opening.keys.push_back(kKeys[scene.pick(6)]);
        query.opening.levels = 1 + scene.pick(3);
        query.opening.withTotal = scene.pick(2) == 0;
    }
    while (scene.pick(3) == 0) {
        const auto mode = scene.pick(2) == 0 ? RowFilter::Clause::Mode::Keep : RowFilter::Clause::Mode::Remove;
        query.filter.clauses.push_back({mode, {{randomStep(scene, trace)}}});
    }
    return query;
}

void compareSeries(const TimelineSeries& a, const TimelineSeries& b) {
    QCOMPARE(a.name, b.name);
    QCOMPARE(a.peaks, b.peaks);
    QCOMPARE(a.atEnd, b.atEnd);
    QVERIFY(a.path == b.path);
    QCOMPARE(a.key, b.key);
    QCOMPARE(a.depth, b.depth);
    QVERIFY(a.isGroup == b.isGroup && a.isOpen == b.isOpen && a.canOpen == b.canOpen);
}

/// In each slice, and at the end.
void compareBound(const TimelineSeries& bound, const TimelineSeries& series) {
    QCOMPARE(bound.peaks.size(), series.peaks.size());
    for (std::size_t i = 0; i < series.peaks.size(); ++i)
        QVERIFY2(bound.peaks[i] >= series.peaks[i], qPrintable(QString::number(i)));
    QVERIFY(bound.atEnd >= series.atEnd);
}

} // namespace

/// Lines from the index of sites equal those of a sweep over the rows.
class SiteLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void areWhatASweepSays_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 40; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    /// Any keys, filters and intervals, one after the other, over publications of a growing trace.
    void areWhatASweepSays() {
        QFETCH(unsigned, seed);
        Scene scene(seed);
        FrameLabels labels;
        for (int publication = 0; publication < 3; ++publication) {
            scene.add(500 + scene.pick(2500));
            const auto trace = scene.publish();
            for (int round = 0; round < 25; ++round) {
                auto query = randomQuery(scene, *trace);
                QVERIFY(canGroupSites(*trace, query));
                const auto found = computeTimeline(*trace, labels, query);
                // Processes never end here: the same query, but its rows are swept one by one.
                query.processExitFreesHeap = true;
                QVERIFY(!canGroupSites(*trace, query));
                const auto expected = computeTimeline(*trace, labels, query);
                QVERIFY(found.hasValue() && expected.hasValue());
                QCOMPARE(found.value().series.size(), expected.value().series.size());
                for (std::size_t i = 0; i < found.value().series.size(); ++i)
                    compareSeries(found.value().series[i], expected.value().series[i]);
            }
        }
    }

    void coarseOnesAreAtLeastAsHigh_data() { areWhatASweepSays_data(); }
    /// Any keys, filters and intervals, cached or not.
    void coarseOnesAreAtLeastAsHigh() {
        QFETCH(unsigned, seed);
        Scene scene(seed);
        FrameLabels labels;
        scene.add(500 + scene.pick(4500));
        const auto trace = scene.publish();
        std::size_t ofGroups = 0;
        for (int round = 0; round < 25; ++round) {
            auto query = randomQuery(scene, *trace);
            if (scene.pick(2) == 0) QVERIFY(computeTimeline(*trace, labels, query).hasValue());
            query.interval = {TraceTime{scene.pick(1000)}, TraceTime{1000 + scene.pick(3000)}};
            if (scene.pick(4) == 0) query.filter.query = QueryExpression::parse(Table::Heap, "Size:>100").value();
            const auto coarse = coarseTimeline(*trace, labels, query);
            const auto exact = computeTimeline(*trace, labels, query);
            QVERIFY(exact.hasValue());
            if (!coarse) continue;
            QVERIFY(coarse->isCoarse && !exact.value().isCoarse);
            QVERIFY(coarse->starts == exact.value().starts);
            if (coarse->series.front().name == kEverythingSeries) {
                QCOMPARE(coarse->series.size(), std::size_t{1});
                for (const auto& series : exact.value().series)
                    compareBound(coarse->series.front(), series);
                continue;
            }
            ++ofGroups;
            for (const auto& bound : coarse->series) {
                const auto of = std::ranges::find_if(exact.value().series, [&](const auto& series) {
                    return series.isGroup == bound.isGroup && series.path == bound.path && series.name == bound.name;
                });
                // "(3 more)" may be the sum of three different series.
                if (of != exact.value().series.end() && !bound.name.ends_with("more)")) compareBound(bound, *of);
            }
        }
        QVERIFY(ofGroups > 0);
    }
    void coarseOnesKnowWhatWasAskedInAnotherInterval() {
        Scene scene(5);
        FrameLabels labels;
        scene.add(4000);
        const auto trace = scene.publish();
        TimelineQuery query;
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        query.points = 20;
        query.by = Column::Process;
        const auto unknown = coarseTimeline(*trace, labels, query);
        QVERIFY(unknown);
        QCOMPARE(unknown->series.size(), std::size_t{1});
        QCOMPARE(unknown->series.front().name, std::string(kEverythingSeries));
        QVERIFY(computeTimeline(*trace, labels, query).hasValue());
        query.interval = {TraceTime{500}, TraceTime{2000}};
        const auto known = coarseTimeline(*trace, labels, query);
        const auto exact = computeTimeline(*trace, labels, query);
        QVERIFY(known && exact.hasValue());
        QCOMPARE(known->series.size(), exact.value().series.size());
        QVERIFY(known->series.front().isGroup);
        QVERIFY(known->series.front().peaks != exact.value().series.front().peaks);
    }
    void whatIsFastByItselfOrUnknownHasNoCoarseOnes() {
        Scene scene(6);
        FrameLabels labels;
        scene.add(300);
        const auto trace = scene.publish();
        TimelineQuery query;
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        QVERIFY(!coarseTimeline(*trace, labels, query)); // the whole table
        query.by = Column::Type;
        query.measure = TimelineMeasure::Count;
        QVERIFY(!coarseTimeline(*trace, labels, query));
        query.measure = TimelineMeasure::NewBytes;
        QVERIFY(!coarseTimeline(*trace, labels, query));
        query.measure = TimelineMeasure::Bytes;
        query.table = Table::Frees;
        QVERIFY(!coarseTimeline(*trace, labels, query));
    }
    /// An upper bound once remained on screen beside the reason why there is no timeline.
    void aTraceWithoutTimesHasNoPreliminaryLines() {
        Scene scene(6);
        FrameLabels labels;
        scene.add(300);
        auto trace = *scene.publish();
        TimelineQuery query;
        query.table = Table::Heap;
        query.interval = trace.wholeRange();
        query.by = Column::Process;
        query.points = 1;
        QVERIFY(coarseTimeline(trace, labels, query));
        trace.lacks.times = true;
        QVERIFY(!coarseTimeline(trace, labels, query));
    }

    void columnsOfRowsAndOfTheIntervalAreSwept() {
        Scene scene(1);
        scene.add(50);
        const auto trace = scene.publish();
        TimelineQuery query;
        query.table = Table::Heap;
        for (const auto column : {Column::Type, Column::ImpactingType, Column::RowSize, Column::IsRealloc,
                                  Column::FreeType, Column::Temporary, Column::Annotation, Column::Generation}) {
            query.by = column;
            QVERIFY(!canGroupSites(*trace, query));
        }
        query.by = Column::Process;
        QVERIFY(canGroupSites(*trace, query));
        query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{{Column::Type, 3}}}});
        QVERIFY(!canGroupSites(*trace, query));
        query.filter = {};
        query.filter.query = QueryExpression::parse(Table::Heap, "Size:>10").value();
        QVERIFY(!canGroupSites(*trace, query));
    }
};
HIGHWATER_TEST(SiteLinesTest);
#include "site_lines_test.moc"

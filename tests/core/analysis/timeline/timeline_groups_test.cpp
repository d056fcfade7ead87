#include "core/analysis/timeline/timeline_groups.h"

#include "core/analysis/sweeps/slice_levels.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Peaks = std::vector<SignedByteCount>;

/// 4 slices of 10: [0, 10), [10, 20), ...
TimelineQuery fourSlices(std::optional<Column> by) {
    TimelineQuery query;
    query.table = Table::Heap;
    query.interval = {TraceTime{0}, TraceTime{40}};
    query.points = 4;
    query.by = by;
    return query;
}

std::map<std::string, Peaks> peaksOf(const store::PublishedTrace& trace, const TimelineQuery& query) {
    FrameLabels labels;
    const auto series = seriesOfGroups(trace, labels, query, sliceEdges(query.interval, query.points), {});
    if (!series.hasValue()) qFatal("%s", series.error().message.c_str());
    std::map<std::string, Peaks> peaks;
    for (const auto& one : series.value())
        peaks[one.name] = one.peaks;
    return peaks;
}

std::vector<TimelineSeries> linesOf(const store::PublishedTrace& trace, const TimelineQuery& query) {
    FrameLabels labels;
    auto series = seriesOfGroups(trace, labels, query, sliceEdges(query.interval, query.points), {});
    if (!series.hasValue()) qFatal("%s", series.error().message.c_str());
    return std::move(series).value();
}

const std::vector<BlockOfTest> kTwoPrograms{
    {1, 25, 10, "main;f", 0, 1}, {12, 14, 100, "main;g", 0, 2}, {13, 0, 5, "main;f", 1, 3}};

} // namespace

/// Series by group, with peaks at any instant of a slice.
class TimelineGroupsTest : public QObject {
    Q_OBJECT
  private slots:
    void hasASeriesOfEachGroup() {
        const auto peaks = peaksOf(*traceOfBlocks(kTwoPrograms), fourSlices(Column::Process));
        QCOMPARE(peaks.size(), std::size_t{2});
        QCOMPARE(peaks.at("a.exe (7)"), (Peaks{10, 110, 10, 0}));
        QCOMPARE(peaks.at("b.exe (8)"), (Peaks{0, 5, 5, 5}));
    }
    void countsRowsWhenAsked() {
        auto query = fourSlices(Column::Process);
        query.measure = TimelineMeasure::Count;
        QCOMPARE(peaksOf(*traceOfBlocks(kTwoPrograms), query).at("a.exe (7)"), (Peaks{1, 2, 1, 0}));
    }
    void carriesInWhatWasOutstandingBefore() {
        auto query = fourSlices(Column::Process);
        query.interval = {TraceTime{20}, TraceTime{60}};
        const auto peaks = peaksOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(peaks.at("a.exe (7)"), (Peaks{10, 0, 0, 0}));
        QCOMPARE(peaks.at("b.exe (8)"), (Peaks{5, 5, 5, 5}));
    }
    void putsTheSmallerOnesTogether() {
        auto query = fourSlices(Column::Thread);
        query.maxSeries = 1;
        const auto peaks = peaksOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(peaks.size(), std::size_t{2});
        QCOMPARE(peaks.at("(2 more)"), (Peaks{10, 15, 15, 5})); // the peak of both together
    }
    void tellsSingleRowsApart() {
        const auto peaks = peaksOf(*traceOfBlocks(kTwoPrograms), fourSlices(Column::Address));
        QCOMPARE(peaks.size(), std::size_t{3});
        std::map<Peaks, int> found;
        for (const auto& [name, values] : peaks)
            ++found[values];
        QCOMPARE(found, (std::map<Peaks, int>{{{10, 10, 10, 0}, 1}, {{0, 100, 0, 0}, 1}, {{0, 5, 5, 5}, 1}}));
    }
    void sumsWhatWasReleasedInASlice() {
        auto query = fourSlices(std::nullopt);
        query.table = Table::Frees;
        const auto peaks = peaksOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(peaks.size(), std::size_t{1});
        QCOMPARE(peaks.begin()->second, (Peaks{0, 100, 10, 0}));
    }
    void hasATotalWithoutRowsAndNoGroups() {
        const auto trace = traceOfBlocks({});
        QCOMPARE(peaksOf(*trace, fourSlices(std::nullopt)).begin()->second, (Peaks{0, 0, 0, 0}));
        QVERIFY(peaksOf(*trace, fourSlices(Column::Process)).empty());
    }
    void opensOneGroupAndLeavesTheOthers() {
        auto query = fourSlices(Column::Process);
        query.opening.keys = {Column::Process, Column::Thread, Column::Stack};
        query.opening.turned = {{{Column::Process, 0}}};
        const auto lines = linesOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(lines.size(), std::size_t{4});
        QVERIFY(lines[0].name == "a.exe (7)" && lines[0].isOpen && lines[0].depth == 0);
        QCOMPARE(lines[0].peaks, (Peaks{10, 110, 10, 0}));
        QCOMPARE(lines[1].peaks, (Peaks{0, 100, 0, 0})); // the largest first
        QCOMPARE(lines[1].path.size(), std::size_t{2});
        QVERIFY(lines[1].canOpen && !lines[1].isOpen && lines[1].depth == 1);
        QCOMPARE(lines[2].peaks, (Peaks{10, 10, 10, 0}));
        QVERIFY(lines[3].name == "b.exe (8)" && !lines[3].isOpen && lines[3].canOpen);
    }
    void opensAllGroupsOfALevel() {
        auto query = fourSlices(Column::Process);
        query.opening.keys = {Column::Process, Column::Thread};
        query.opening.levels = 2;
        auto lines = linesOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(lines.size(), std::size_t{5});
        QVERIFY(!lines[1].canOpen); // no key is left
        query.opening.turned = {{{Column::Process, 0}}};
        lines = linesOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(lines.size(), std::size_t{3}); // closed again, by itself
    }
    void cutsWhatIsInAnOpenGroup() {
        auto query = fourSlices(Column::Process);
        query.opening.keys = {Column::Process, Column::Thread};
        query.opening.levels = 2;
        query.maxSeries = 1;
        const auto lines = linesOf(*traceOfBlocks(kTwoPrograms), query);
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[1].peaks, (Peaks{0, 100, 0, 0}));
        QCOMPARE(lines[2].name, std::string("(1 more)"));
        QCOMPARE(lines[2].path, lines[0].path);
        QCOMPARE(lines[2].peaks, (Peaks{10, 10, 10, 0}));
        QVERIFY(lines[3].name == "(1 more)" && lines[3].path.empty() && lines[3].depth == 0);
    }
    void tellsWhatStaysInAFrame() {
        const std::vector<BlockOfTest> blocks{{1, 0, 10, "main;f", 0, 1}, {2, 0, 5, "main", 0, 1}};
        auto query = fourSlices(Column::Stack);
        query.opening.keys = {Column::Stack};
        query.opening.withTotal = true;
        auto lines = linesOf(*traceOfBlocks(blocks), query);
        QCOMPARE(lines.size(), std::size_t{2});
        QVERIFY(lines[0].name == "Total" && lines[0].isOpen && lines[1].depth == 1);
        query.opening.turned = {lines[1].path};
        lines = linesOf(*traceOfBlocks(blocks), query);
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[2].peaks, (Peaks{10, 10, 10, 10}));
        QCOMPARE(lines[3].name, std::string(kOwnSeries));
        QCOMPARE(lines[3].peaks, (Peaks{5, 5, 5, 5}));
        query.opening.turned.push_back(lines[2].path); // contains only itself
        QCOMPARE(linesOf(*traceOfBlocks(blocks), query).size(), std::size_t{4});
    }
    void whatIsInAGroupAddsUpToItAtEveryInstant() {
        const auto trace = traceOfBlocks(kTwoPrograms);
        for (std::int64_t end = 1; end < 40; ++end) {
            auto query = fourSlices(Column::Process);
            query.interval.end = TraceTime{end};
            query.opening.keys = {Column::Process, Column::Thread};
            query.opening.levels = 2;
            FrameLabels labels;
            const auto timeline = computeTimeline(*trace, labels, query);
            SignedByteCount parents = 0, children = 0;
            for (const auto& one : timeline.value().series)
                (one.depth == 0 ? parents : children) += one.atEnd;
            QCOMPARE(children, parents);
        }
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto query = fourSlices(Column::Process);
        const auto series = seriesOfGroups(*traceOfBlocks(kTwoPrograms), labels, query,
                                           sliceEdges(query.interval, query.points), stop.get_token());
        QVERIFY(!series.hasValue());
        QVERIFY(series.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(TimelineGroupsTest);
#include "timeline_groups_test.moc"

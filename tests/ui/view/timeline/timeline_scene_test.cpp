#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/timeline/timeline_outline.h"
#include "ui/view/timeline/timeline_scene.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;
using Form = TimelineShape::Form;
using Values = std::vector<double>;

namespace {

constexpr std::uint64_t kA = 7, kB = 8;

/// Four slices of 10 ms: a.exe 5 1 1 9, b.exe 2 2 4 0, the rest 1 0 0 0.
TimelineContent content(ChartType chart = ChartType::Line) {
    auto answer = std::make_shared<TimelineAnswer>();
    answer->timeline.interval = {ms(0), ms(40)};
    answer->timeline.starts = {ms(0), ms(10), ms(20), ms(30)};
    answer->timeline.series = {{"a.exe", kA, true, {5, 1, 1, 9}, 3, {{analysis::Column::Process, kA}}},
                               {"b.exe", kB, true, {2, 2, 4, 0}, 0, {{analysis::Column::Process, kB}}},
                               {"(3 more)", 0, false, {1, 0, 0, 0}}};
    answer->query.interval = answer->timeline.interval;
    answer->query.points = 4;
    answer->query.by = analysis::Column::Process;
    TimelineContent content;
    content.answer = answer;
    content.colors = {Qt::blue, Qt::red, Qt::gray};
    content.chart = chart;
    return content;
}

void addTotal(TimelineContent& content, std::vector<SignedByteCount> total) {
    auto answer = std::make_shared<TimelineAnswer>(*content.answer);
    answer->total = {"Total", 0, false, std::move(total), 3};
    content.answer = answer;
}

/// 12 from the second slice on, and 20 in the last one; 15 at the end.
void addPrivateBytes(TimelineContent& content) {
    auto answer = std::make_shared<TimelineAnswer>(*content.answer);
    answer->privateBytes = analysis::PrivateBytesLine{1, {0, 12, 12, 20}, 15};
    content.answer = answer;
    content.privateColor = Qt::darkGray;
}

void paint(TimelineContent& content, std::uint64_t process, std::vector<SignedByteCount> peaks) {
    auto painted = std::make_shared<PaintedAnswer>();
    painted->query = content.answer->query;
    painted->rows = {{{{analysis::Column::Process, process}}, std::move(peaks)}};
    content.painted = painted;
    content.paintedColors = {Qt::green};
}

TimelineScene withRange(TimelineScene scene) {
    scene.visible = {scene.edges.front(), scene.edges.back()};
    return scene;
}

const TimelineShape& paintedOf(const TimelineScene& scene) {
    return *std::find_if(scene.shapes.begin(), scene.shapes.end(),
                         [](const auto& shape) { return shape.color.rgb() == QColor(Qt::green).rgb(); });
}

} // namespace

class TimelineSceneTest : public QObject {
    Q_OBJECT
  private slots:
    /// It begins at the first sample, in front of areas and behind nothing, and the amount axis has room for it.
    void privateBytesAreALineFromTheirFirstSampleOn() {
        for (const auto chart : {ChartType::Line, ChartType::StackedArea}) {
            auto of = content(chart);
            addPrivateBytes(of);
            const TimelineLayers layers(of);
            QCOMPARE(layers.extent().second, SignedByteCount{20});
            QVERIFY(!layers.privateBytesOf(0).has_value());
            QCOMPARE(layers.privateBytesOf(1), std::optional(12.0));
            const auto scene = withRange(layers.scene());
            const auto& line = scene.shapes.back();
            QCOMPARE(line.form, Form::Line);
            QCOMPARE(line.color, QColor(Qt::darkGray));
            const auto outline = outlineOf(scene, line);
            QCOMPARE(outline.upper.front(), QPointF(ms(10).seconds(), 12));
            QCOMPARE(outline.upper.back(), QPointF(ms(40).seconds(), 15));
            QVERIFY(!isCrossed(scene, {ms(0), ms(5)}, 10, 13));
            QVERIFY(isCrossed(scene, {ms(11), ms(15)}, 10, 13));
        }
    }
    /// Above the real total, up to the private bytes, behind everything else.
    void privateBytesThatNoRowExplainsAreHatched() {
        for (const auto chart : {ChartType::StackedArea, ChartType::Bars}) {
            auto of = content(chart);
            of.bars = 4;
            addTotal(of, {8, 3, 14, 9});
            addPrivateBytes(of);
            const auto shapes = TimelineLayers(of).scene().shapes;
            const auto& hatched = shapes.front();
            QVERIFY(hatched.isHatched);
            QCOMPARE(std::ranges::count(shapes, true, &TimelineShape::isHatched), std::ptrdiff_t{1});
            QCOMPARE(hatched.form, chart == ChartType::Bars ? Form::Bars : Form::Area);
            QCOMPARE(hatched.firstSlice, std::size_t{1});
            QCOMPARE(hatched.lower, (std::vector<double>{0, 3, 12, 9})); // the rows exceed them in the third slice
            QCOMPARE(hatched.upper, (std::vector<double>{0, 12, 12, 20}));
            QCOMPARE(hatched.upperEnd, 15.0);
            QCOMPARE(hatched.lowerEnd, 3.0);
        }
    }
    void aHatchBeginsAtTheFirstSample() {
        auto of = content(ChartType::StackedArea);
        addTotal(of, {8, 3, 14, 9});
        addPrivateBytes(of);
        const auto scene = withRange(TimelineLayers(of).scene());
        const auto outline = outlineOf(scene, scene.shapes.front());
        QCOMPARE(outline.upper.front(), QPointF(ms(10).seconds(), 12));
        QCOMPARE(outline.lower.front(), QPointF(ms(10).seconds(), 3));
        QCOMPARE(brushOf(scene.shapes.front()).style(), Qt::FDiagPattern);
        QCOMPARE(brushOf(scene.shapes[1]).style(), Qt::SolidPattern);
    }
    /// The amount of all rows must be in the picture.
    void withoutATotalNothingIsHatched() {
        const auto hatched = [](const TimelineContent& of) {
            const auto shapes = TimelineLayers(of).scene().shapes;
            return std::ranges::count(shapes, true, &TimelineShape::isHatched);
        };
        auto of = content(ChartType::StackedArea);
        addTotal(of, {8, 3, 14, 9});
        QCOMPARE(hatched(of), std::ptrdiff_t{0}); // no private bytes
        addPrivateBytes(of);
        QCOMPARE(hatched(of), std::ptrdiff_t{1});
        of.chart = ChartType::Line;
        QCOMPARE(hatched(of), std::ptrdiff_t{0}); // three lines, of which none is the total
        auto only = std::make_shared<TimelineAnswer>(*of.answer);
        only->timeline.series.resize(1);
        of.answer = only;
        QCOMPARE(hatched(of), std::ptrdiff_t{1});
        of.colors[0] = QColor(); // hidden
        QCOMPARE(hatched(of), std::ptrdiff_t{0});
    }
    void privateBytesMayBeHidden() {
        auto of = content(ChartType::Line);
        addPrivateBytes(of);
        of.privateColor = QColor();
        const TimelineLayers layers(of);
        QCOMPARE(layers.extent().second, SignedByteCount{9});
        QCOMPARE(layers.scene().shapes.size(), std::size_t{3});
        QVERIFY(!layers.privateBytesOf(1).has_value());
    }
    void privateBytesOfABarAreTheHighestOfItsSlices() {
        auto of = content(ChartType::Bars);
        addPrivateBytes(of);
        auto answer = std::make_shared<TimelineAnswer>(*of.answer);
        auto& timeline = answer->timeline;
        timeline.starts.clear();
        for (std::int64_t i = 0; i < 8; ++i)
            timeline.starts.push_back(ms(5 * i));
        for (auto& series : timeline.series)
            series.peaks.assign(8, 1);
        answer->privateBytes = analysis::PrivateBytesLine{3, {0, 0, 0, 12, 13, 14, 10, 9}, 9};
        of.answer = answer;
        of.bars = 4;
        const TimelineLayers layers(of);
        QVERIFY(!layers.privateBytesOf(0).has_value());
        QCOMPARE(layers.privateBytesOf(1), std::optional(12.0));
        QCOMPARE(layers.privateBytesOf(2), std::optional(14.0));
        QCOMPARE(layers.privateBytesOf(3), std::optional(10.0));
    }
    void linesEndWhereTheIntervalLeavesThem() {
        auto of = content(ChartType::Line);
        const auto lines = TimelineLayers(of).scene();
        QCOMPARE(lines.shapes.back().upperEnd, 3.0); // a.exe freed in its last slice
        QCOMPARE(lines.shapes[1].upperEnd, 0.0);
        paint(of, kA, {5, 1, 1, 2});
        of.chart = ChartType::StackedArea;
        addTotal(of, {8, 3, 5, 9});
        const auto stack = TimelineLayers(of).scene();
        QCOMPARE(stack.shapes[1].lowerEnd, 3.0); // b.exe is stacked on a.exe
        QCOMPARE(stack.shapes[1].upperEnd, 3.0);
        QCOMPARE(paintedOf(stack).upperEnd, 0.0); // freed as its last slice ended
        QCOMPARE(stack.shapes.back().upperEnd, 3.0);
        const auto outline = outlineOf(withRange(lines), lines.shapes.back());
        QCOMPARE(outline.upper.back(), QPointF(0.04, 3.0));
        QCOMPARE(outline.upper[outline.upper.size() - 2], QPointF(0.04, 9.0));
    }
    void drawsLinesWithTheHeaviestOnTop() {
        const auto scene = TimelineLayers(content()).scene();
        QCOMPARE(scene.shapes.size(), std::size_t{3});
        QVERIFY(scene.shapes.back().form == Form::Line);
        QCOMPARE(scene.shapes.back().upper, (Values{5, 1, 1, 9}));
        QCOMPARE(scene.edges, (std::vector<TraceTime>{ms(0), ms(10), ms(20), ms(30), ms(40)}));
    }
    void barsOfSnapshotsStandAroundTheirInstant() {
        auto of = content(ChartType::Bars);
        auto answer = std::make_shared<TimelineAnswer>();
        answer->timeline.interval = {ms(0), ms(1000)};
        for (int i = 0; i < 100; ++i)
            answer->timeline.starts.push_back(ms(10 * i));
        std::vector<SignedByteCount> a(100, 0), b(100, 0);
        a[0] = 1, a[50] = 5, b[50] = 2, b[51] = 3, a[99] = 4;
        answer->timeline.series = {{"a.exe", kA, true, a}, {"b.exe", kB, true, b}};
        answer->query.interval = answer->timeline.interval;
        answer->query.table = analysis::Table::Snapshot;
        of.answer = answer;
        of.colors = {Qt::blue, Qt::red};
        of.bars = 10; // 100 ms each
        const TimelineLayers layers(of);
        const auto scene = layers.scene();
        QCOMPARE(scene.edges, (std::vector<TraceTime>{ms(0), ms(0), ms(55), ms(455), ms(510), ms(510), ms(565), ms(945),
                                                      ms(1000), ms(1000)}));
        QCOMPARE(scene.shapes.size(), std::size_t{2});
        QVERIFY(scene.shapes[0].form == Form::Bars);
        QCOMPARE(scene.shapes[0].upper, (Values{0, 1, 0, 5, 0, 0, 0, 4, 0}));
        QCOMPARE(scene.shapes[1].lower, (Values{0, 1, 0, 5, 0, 0, 0, 4, 0}));
        QCOMPARE(scene.shapes[1].upper, (Values{0, 1, 0, 7, 0, 3, 0, 4, 0}));
        QCOMPARE(layers.extent(), (std::pair<SignedByteCount, SignedByteCount>{0, 7}));
        const auto at = [&](int time) { return *layers.sliceAt(ms(time)); };
        QCOMPARE(layers.valueOf(0, at(30)), 1.0);
        QCOMPARE(layers.valueOf(0, at(200)), 0.0);
        QCOMPARE(layers.valueOf(1, at(480)), 2.0);
        QCOMPARE(layers.valueOf(1, at(530)), 3.0);
        QCOMPARE(layers.valueOf(0, at(999)), 4.0);
        QCOMPARE(layers.timeOfValues(ms(480)), ms(500)); // as the legend shows it
        QCOMPARE(layers.timeOfValues(ms(530)), ms(510));
    }
    void stacksVisibleSeries() {
        auto stacked = content(ChartType::StackedArea);
        QCOMPARE(TimelineLayers(stacked).scene().shapes[1].lower, (Values{5, 1, 1, 9}));
        QCOMPARE(TimelineLayers(stacked).scene().shapes[1].upper, (Values{7, 3, 5, 9}));
        QCOMPARE(TimelineLayers(stacked).extent(), (std::pair<SignedByteCount, SignedByteCount>{0, 9}));
        stacked.colors[0] = QColor(); // hidden: the others are stacked on the base line
        const TimelineLayers without(stacked);
        QCOMPARE(without.scene().shapes.size(), std::size_t{2});
        QCOMPARE(without.scene().shapes[0].upper, (Values{2, 2, 4, 0}));
        QCOMPARE(without.valueOf(1, 2), 4.0);
    }
    void showsThePeakOfTheTotal() {
        auto stacked = content(ChartType::StackedArea);
        addTotal(stacked, {6, 3, 5, 9});
        const TimelineLayers layers(stacked);
        QVERIFY(!layers.isStackExact()); // 8 in the first slice never existed at one time
        QCOMPARE(layers.scene().shapes.back().upper, (Values{6, 3, 5, 9}));
        QVERIFY(layers.scene().shapes.back().form == Form::Line);
        QCOMPARE(layers.totalOf(0), std::optional<double>(6.0));
        stacked.colors[1] = QColor(); // the total would refer to something else
        QVERIFY(!TimelineLayers(stacked).totalOf(0));
    }
    void joinsSlicesToBars() {
        auto bars = content(ChartType::Bars);
        auto answer = std::make_shared<TimelineAnswer>(*bars.answer);
        answer->timeline.starts.clear();
        for (auto& series : answer->timeline.series) {
            series.peaks.assign(80, 1);
            series.peaks[33] = 50;
        }
        for (int i = 0; i < 80; ++i)
            answer->timeline.starts.push_back({ms(i).ns / 2});
        bars.answer = answer;
        bars.bars = 1; // the minimum
        const auto scene = TimelineLayers(bars).scene();
        QCOMPARE(scene.edges.size(), kFewestBars + 1);
        QVERIFY(scene.shapes[0].form == Form::Bars);
        QCOMPARE(scene.shapes[0].upper, (Values{1, 50, 1, 1})); // the peak remains visible
        bars.bars = 1000;
        QCOMPARE(TimelineLayers(bars).edges().size(), std::size_t{81}); // at most one for each slice
        auto releases = std::make_shared<TimelineAnswer>(*answer);
        releases->query.table = analysis::Table::Frees;
        bars.answer = releases;
        bars.bars = 4;
        QCOMPARE(TimelineLayers(bars).scene().shapes[0].upper, (Values{20, 69, 20, 20})); // released amounts add up
    }
    void paintedRowsStandOnTheGround() {
        auto lines = content();
        paint(lines, kA, {3, 0, 1, 9});
        const auto scene = TimelineLayers(lines).scene();
        QCOMPARE(paintedOf(scene).upper, (Values{3, 0, 1, 9}));
        QCOMPARE(paintedOf(scene).lower, (Values{0, 0, 0, 0}));
        QVERIFY(scene.shapes.back().form == Form::Line); // the lines stay on top
        paint(lines, 99, {1, 0, 0, 0});                  // without a line of its own: it belongs to the rest
        QCOMPARE(paintedOf(TimelineLayers(lines).scene()).upper, (Values{1, 0, 0, 0}));
    }
    /// For example a function over all instances in a graph by instance: on the base line, not in "(N more)".
    void rowsWithoutTheGraphsKeyHaveNoLayer() {
        auto stack = content(ChartType::StackedArea);
        paint(stack, kA, {3, 0, 1, 9});
        auto painted = std::make_shared<PaintedAnswer>(*stack.painted);
        painted->rows = {{{{analysis::Column::StackBottomUp, 7}}, {3, 0, 1, 9}}};
        stack.painted = painted;
        QCOMPARE(paintedOf(TimelineLayers(stack).scene()).upper, (Values{3, 0, 1, 9}));
    }
    void paintedRowsStandOnEachOther() {
        auto lines = content();
        paint(lines, kA, {3, 0, 1, 2});
        auto painted = std::make_shared<PaintedAnswer>(*lines.painted);
        const analysis::KeyStep a{analysis::Column::Process, kA};
        const analysis::KeyStep ofA{analysis::Column::Handle, 7};
        painted->rows = {
            {{a, ofA}, {1, 0, 1, 1}}, {{{analysis::Column::Process, kB}}, {4, 2, 0, 0}}, {{a}, {3, 0, 1, 90}}};
        lines.painted = painted;
        lines.paintedColors = {Qt::red, Qt::green, Qt::blue};
        const TimelineLayers layers(lines);
        const auto scene = layers.scene();
        QCOMPARE(scene.shapes[0].color.rgb(), QColor(Qt::green).rgb());
        QCOMPARE(scene.shapes[0].upper, (Values{4, 2, 0, 0}));
        QCOMPARE(scene.shapes[1].lower, (Values{4, 2, 0, 0}));
        QCOMPARE(scene.shapes[1].upper, (Values{7, 2, 1, 90}));
        QCOMPARE(scene.shapes[2].lower, (Values{4, 2, 0, 0})); // a part of kA: inside of it, not on top
        QCOMPARE(scene.shapes[2].upper, (Values{5, 2, 1, 1}));
        QCOMPARE(layers.extent().second, SignedByteCount{90}); // the whole of it is visible
    }
    void paintedRowsStandInTheirLayer() {
        auto stacked = content(ChartType::StackedArea);
        paint(stacked, kB, {1, 2, 0, 0});
        const auto scene = TimelineLayers(stacked).scene();
        QCOMPARE(paintedOf(scene).lower, (Values{5, 1, 1, 9})); // on top of kA
        QCOMPARE(paintedOf(scene).upper, (Values{6, 3, 1, 9}));
        paint(stacked, kB, {100, 2, 0, 0}); // never outside of it
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).upper, (Values{7, 3, 1, 9}));
    }
    /// a.exe is open: heap 1 has 3 1 0 9, the rest of it 2 0 1 0.
    static TimelineContent opened(ChartType chart) {
        auto of = content(chart);
        auto answer = std::make_shared<TimelineAnswer>(*of.answer);
        auto& series = answer->timeline.series;
        series[0].isOpen = true;
        const auto path = series[0].path;
        series.insert(series.begin() + 1, {{"heap", 1, true, {3, 1, 0, 9}, 3, {path[0], {analysis::Column::Handle, 1}}},
                                           {"(2 more)", 0, false, {2, 0, 1, 0}, 0, path}});
        series[1].depth = series[2].depth = 1;
        of.answer = answer;
        of.colors = {QColor(), Qt::cyan, Qt::gray, Qt::red, Qt::gray};
        return of;
    }
    void drawsPartsInsteadOfAnOpenSeries() {
        const auto lines = TimelineLayers(opened(ChartType::Line)).scene();
        QCOMPARE(lines.shapes.size(), std::size_t{4});
        auto of = opened(ChartType::StackedArea);
        addTotal(of, {8, 3, 5, 9});
        const TimelineLayers stack(of);
        const auto scene = stack.scene();
        QCOMPARE(scene.shapes.size(), std::size_t{5}); // the total as well: nothing is hidden
        QCOMPARE(scene.shapes[0].upper, (Values{3, 1, 0, 9}));
        QCOMPARE(scene.shapes[1].lower, (Values{3, 1, 0, 9}));
        QCOMPARE(scene.shapes[2].lower, (Values{5, 1, 1, 9})); // b.exe on top of a.exe
        QCOMPARE(stack.extent().second, SignedByteCount{9});
        QVERIFY(!stack.isShown(0));
    }
    void paintedRowsAreInsidePartsOfAnOpenSeries() {
        auto stacked = opened(ChartType::StackedArea);
        paint(stacked, kB, {1, 0, 0, 0});
        auto painted = std::make_shared<PaintedAnswer>(*stacked.painted);
        const auto a = stacked.answer->timeline.series[0].path;
        painted->rows = {{a, {4, 1, 0, 9}}}; // from the bottom of its first to the top of its last
        stacked.painted = painted;
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).lower, (Values{0, 0, 0, 0}));
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).upper, (Values{4, 1, 0, 9}));
        painted->rows = {{{a[0], {analysis::Column::Handle, 77}}, {2, 0, 1, 0}}}; // within the rest of it
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).lower, (Values{3, 1, 0, 9}));
        painted->rows = {{{a[0], {analysis::Column::Handle, 1}, {analysis::Column::Stack, 5}}, {9, 9, 9, 9}}};
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).upper,
                 (Values{3, 1, 0, 9})); // inside of its heap, never outside
        stacked.colors[1] = QColor();   // which is hidden
        QCOMPARE(paintedOf(TimelineLayers(stacked).scene()).lower, (Values{0, 0, 0, 0}));
        QCOMPARE(TimelineLayers(stacked).scene().shapes[1].lower, (Values{2, 0, 1, 0}));
    }
    void hidesThePaintingOfAnotherInterval() {
        auto lines = content();
        paint(lines, kA, {3, 0, 1, 9});
        auto answer = std::make_shared<TimelineAnswer>(*lines.answer);
        answer->query.interval = {ms(0), ms(41)};
        lines.answer = answer;
        QCOMPARE(TimelineLayers(lines).scene().shapes.size(), std::size_t{3});
    }
    void findsTheSeriesThatIsPointedAt() {
        const TimelineLayers lines(content());
        QCOMPARE(lines.seriesAt(0, 0, 4.9, 0.5), std::optional<std::size_t>(0)); // on the line
        QCOMPARE(lines.seriesAt(0, 0, 2.1, 0.5), std::optional<std::size_t>(1));
        QCOMPARE(lines.seriesAt(0, 0, 3.5, 0.5), std::optional<std::size_t>(0)); // below it, above the other
        QCOMPARE(lines.seriesAt(2, 3, 6.0, 0.5), std::optional<std::size_t>(0)); // on the side of its spike
        QVERIFY(!lines.seriesAt(0, 0, 8.0, 0.5));
        const TimelineLayers stack(content(ChartType::StackedArea));
        QCOMPARE(stack.seriesAt(0, 0, 6.0, 0.5), std::optional<std::size_t>(1));
        QVERIFY(!stack.seriesAt(1, 1, 3.5, 0.5));
    }
    void findsWhereALineRose() {
        auto lines = content();
        auto answer = std::make_shared<TimelineAnswer>(*lines.answer);
        answer->timeline.series[0].peaks = {2, 8, 8, 3};
        lines.answer = answer;
        const TimelineLayers layers(lines);
        QCOMPARE(layers.riseTo(0, 2, 2, 5), (TimeRange{ms(10), ms(20)})); // on the wide top: where it started
        QCOMPARE(layers.riseTo(0, 2, 2, 9), (TimeRange{ms(10), ms(20)})); // a little above the line
        QCOMPARE(layers.riseTo(0, 1, 3, 2.5), (TimeRange{ms(10), ms(20)}));
        QCOMPARE(layers.riseTo(0, 3, 3, 1), (TimeRange{ms(0), {1}})); // existed before
        lines.chart = ChartType::StackedArea;                         // b.exe is stacked on a.exe: 2 2 4 0
        QCOMPARE(TimelineLayers(lines).riseTo(1, 2, 2, 11), (TimeRange{ms(20), ms(30)}));
        answer = std::make_shared<TimelineAnswer>(*answer);
        answer->query.table = analysis::Table::Frees;
        lines.chart = ChartType::Line;
        lines.answer = answer;
        QCOMPARE(TimelineLayers(lines).riseTo(0, 2, 3, 5), (TimeRange{ms(20), ms(30)})); // each slice separately
    }
    void findsTheSliceOfATime() {
        const TimelineLayers lines(content());
        QCOMPARE(lines.sliceAt(ms(0)), std::optional<std::size_t>(0));
        QCOMPARE(lines.sliceAt(ms(29)), std::optional<std::size_t>(2));
        QCOMPARE(lines.sliceAt(ms(40)), std::optional<std::size_t>(3)); // the end shows the last
        QVERIFY(!lines.sliceAt(ms(41)));
        QVERIFY(!TimelineLayers({}).sliceAt(ms(0)));
    }
};
HIGHWATER_TEST(TimelineSceneTest);
#include "timeline_scene_test.moc"

#include "core/analysis/timeline/new_bytes.h"
#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// Four slices of 250 ms: in the second 3 MB were freed and 1 MB is kept, in the last 2 MB are kept.
std::shared_ptr<const TimelineAnswer> newBytesOfASecond() {
    TimelineAnswer answer;
    answer.query.measure = analysis::TimelineMeasure::NewBytes;
    answer.query.interval = answer.timeline.interval = {ms(0), ms(1000)};
    answer.query.points = 4;
    answer.timeline.starts = {ms(0), ms(250), ms(500), ms(750)};
    answer.timeline.series.resize(2);
    answer.timeline.series[analysis::kFreedSeries] = {"Freed", analysis::kFreedSeries, false, {0, 3 << 20, 0, 0}};
    answer.timeline.series[analysis::kKeptSeries] = {"Kept", analysis::kKeptSeries, false, {0, 1 << 20, 0, 2 << 20}};
    return std::make_shared<const TimelineAnswer>(std::move(answer));
}

std::shared_ptr<const PaintedAnswer> paintedRowOf(const TimelineAnswer& answer) {
    PaintedAnswer painted{answer.query, {}};
    painted.rows.push_back({{{analysis::Column::Process, 1}}, {0, 2 << 20, 0, 0}});
    return std::make_shared<const PaintedAnswer>(std::move(painted));
}

struct NewBytesStage : TimelineViewStage {
    NewBytesStage() {
        graph.setChart(ChartType::NewBytes);
        view.setAnswer(newBytesOfASecond());
    }
};

} // namespace

/// Bars of the bytes allocated in each slice.
class NewBytesChartTest : public QObject {
    Q_OBJECT
  private slots:
    void stacksKeptBytesOnFreedBytes() {
        NewBytesStage stage;
        const auto& shapes = stage.view.scene().shapes;
        QCOMPARE(shapes.size(), std::size_t{2});
        QVERIFY(shapes[0].form == TimelineShape::Form::Bars && shapes[1].form == TimelineShape::Form::Bars);
        QCOMPARE(shapes[0].upper, (std::vector<double>{0, 3 << 20, 0, 0}));
        QCOMPARE(shapes[1].lower, shapes[0].upper);
        QCOMPARE(shapes[1].upper, (std::vector<double>{0, 4 << 20, 0, 2 << 20}));
        QCOMPARE(shapes[0].color.rgb(), SeriesColors::neutralColor().rgb());
        QCOMPARE(shapes[1].color.rgb(), stage.view.palette().color(QPalette::Highlight).rgb());
        QVERIFY(stage.view.scene().highest >= 4 << 20);
    }
    void showsBothPartsOfABar() {
        NewBytesStage stage;
        stage.hover(300);
        const auto words = stage.view.words();
        QVERIFY2(words.contains("Freed 3.0 MB") && words.contains("Kept 1.0 MB"), qPrintable(words.join('/')));
        stage.hover(900);
        QVERIFY(!stage.view.words().join('/').contains("Freed"));
    }
    void aClickSelectsTheSlice() {
        NewBytesStage stage;
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.at(900));
        QVERIFY(stage.state.selection());
        QCOMPARE(*stage.state.selection(), (TimeRange{ms(750), ms(1000)}));
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.at(300));
        QCOMPARE(*stage.state.selection(), (TimeRange{ms(250), ms(500)}));
    }
    void paintsNewBytesOfARowInFrontOfItsBar() {
        NewBytesStage stage;
        stage.view.setPainted(paintedRowOf(*stage.view.answer()));
        const auto& shapes = stage.view.scene().shapes;
        QCOMPARE(shapes.size(), std::size_t{3});
        QCOMPARE(shapes[2].lower, std::vector<double>(4, 0.0));
        QCOMPARE(shapes[2].upper, (std::vector<double>{0, 2 << 20, 0, 0}));
        QVERIFY(shapes[2].color.rgb() != shapes[1].color.rgb());
    }
    void drawsTheOldAnswerUntilTheNextOne() {
        NewBytesStage stage;
        stage.graph.setChart(ChartType::Line);
        QCOMPARE(stage.view.scene().shapes.size(), std::size_t{2});
        QVERIFY(stage.view.scene().shapes[0].form == TimelineShape::Form::Bars);
        stage.view.setAnswer(spikyTimeline(1 << 20));
        QVERIFY(stage.view.scene().shapes[0].form == TimelineShape::Form::Line);
        stage.graph.setChart(ChartType::NewBytes); // the bars of outstanding bytes, for a moment
        QVERIFY(stage.view.scene().shapes[0].form == TimelineShape::Form::Bars);
    }
    void theLegendShowsAllValues() {
        NewBytesStage stage;
        SeriesLegendView legend(stage.graph, stage.colors);
        legend.setAnswer(stage.view.answer());
        QCOMPARE(legend.headerItem()->text(1), "Total");
        QCOMPARE(legend.topLevelItem(0)->text(0), "Freed");
        QCOMPARE(legend.topLevelItem(1)->text(1), "3.0 MB");
        legend.showValuesAt(ms(300));
        QCOMPARE(legend.topLevelItem(1)->text(1), "1.0 MB");
    }
};

HIGHWATER_TEST(NewBytesChartTest);
#include "new_bytes_chart_test.moc"

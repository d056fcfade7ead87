#include "tests/support/test_registry.h"
#include "tests/ui/view/chart/chart_stage.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/chart/chart_overlay.h"

#include <QWidget>

#include <cmath>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

/// Painted over a chart: the legend and the dots of lines.
class ChartOverlayTest : public QObject {
    Q_OBJECT
  private slots:
    void namesOfTheLegendAreWholeWhereTheyFit() {
        QWidget widget;
        const auto legendAt = [&](int width) {
            widget.resize(width, 160);
            const auto picture = threeBars();
            return ChartOverlay(picture, {}, widget).legendWidth();
        };
        const auto whole = legendAt(2000);
        QCOMPARE(legendAt(700), whole);
        QCOMPARE(legendAt(whole + 1), whole); // in a narrow chart it gets a whole line
        QVERIFY(legendAt(whole - 10) < whole);
    }
    /// Qt Charts would cut it off at the edge of the plot.
    void theDotOfTheHighestPointIsWhole() {
        ChartStage stage(threeValues());
        const auto accent = stage.chart.palette().color(QPalette::Highlight);
        const auto x = stage.chart.xOf(2), top = stage.chart.plot().top();
        QCOMPARE(stage.chart.yOf(3072), top);
        QCOMPARE(stage.pixel(x, top - 2), accent);
        QCOMPARE(stage.pixel(x, top + 2), accent);
    }
    void stackedBandsHaveTheirOwnColors() {
        ChartStage stage(threeBands());
        const auto x = stage.chart.xOf(1);
        const auto color = [&](std::size_t place) { return seriesColor(stage.chart.palette(), place); };
        QCOMPARE(stage.pixel(x, stage.chart.yOf(1024)), color(0));
        QCOMPARE(stage.pixel(x, stage.chart.yOf(2048 + 512)), color(1));
        QCOMPARE(stage.pixel(x, stage.chart.yOf(2048 + 1024 + 512)), stage.chart.palette().color(QPalette::Base));
    }
    void theChosenPointKeepsItsFrameWithoutFocus() {
        auto picture = threeBands();
        ChartStage stage(picture);
        const auto edge = extentOf(picture.points, 1).first;
        const auto box = stage.chart.plot();
        const auto x = std::floor(box.left() + edge * box.width()), y = box.top() + 3; // above the bands
        const auto accent = stage.chart.palette().color(QPalette::Highlight);
        QVERIFY(stage.pixel(x, y) != accent);
        picture.chosen = 1;
        stage.chart.setPicture(picture);
        QCOMPARE(stage.pixel(x, y), accent);
        stage.chart.setFocus();
        QTest::keyClick(&stage.chart, Qt::Key_Home);
        stage.chart.clearFocus();
        QVERIFY(!stage.chart.pointedAt());
        QCOMPARE(stage.pixel(x, y), accent);
        picture.chosen = 99; // not a point
        stage.chart.setPicture(picture);
        QVERIFY(stage.pixel(x, y) != accent);
    }
    void aLineOfOnePointIsADotAtItsPlace() {
        auto picture = threeValues();
        picture.points.categories = {"8120"};
        picture.series[0].values = {1024};
        ChartStage stage(picture);
        const auto x = stage.chart.xOf(0), y = stage.chart.yOf(1024);
        QCOMPARE(stage.pixel(x, y + 2), stage.chart.palette().color(QPalette::Highlight));
        for (const auto aside : {-60, -20, 20, 60})
            QCOMPARE(stage.pixel(x + aside, y + 2), stage.chart.palette().color(QPalette::Base));
    }
};

HIGHWATER_TEST(ChartOverlayTest);
#include "chart_overlay_test.moc"

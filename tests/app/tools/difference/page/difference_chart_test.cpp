#include "app/tools/difference/page/difference_chart.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;

namespace {

/// Four slices of a second; the side before ends after three.
std::shared_ptr<const analysis::DifferenceTimeline> fourSlices() {
    constexpr std::int64_t s = 1'000'000'000;
    analysis::DifferenceTimeline timeline{{0, s, 2 * s, 3 * s, 4 * s}, {0, 40, 40}, {0, 40, 100, 0}, {40, 48}};
    return std::make_shared<const analysis::DifferenceTimeline>(std::move(timeline));
}

struct ChartStage {
    DifferenceChart chart;

    ChartStage() {
        chart.setTimeline(fourSlices());
        chart.resize(800, 200);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
    }
    QPoint middleOf(std::size_t slice) {
        return {static_cast<int>(chart.xOf(slice)), static_cast<int>(chart.plot().center().y())};
    }
    void press(Qt::Key key) { QTest::keyClick(&chart, key); }
};

using Slice = std::optional<std::size_t>;

} // namespace

class DifferenceChartTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheEndUntilASliceIsHovered() {
        ChartStage stage;
        QCOMPARE(stage.chart.pointedAt(), Slice());
        QCOMPARE(stage.chart.words(), "At the end: 40 B before, 48 B after (+8 B)");
    }
    void aClickShowsBothNumbersOfItsSlice() {
        ChartStage stage;
        for (std::size_t slice = 0; slice < 4; ++slice) {
            QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.middleOf(slice));
            QCOMPARE(stage.chart.pointedAt(), Slice(slice));
        }
        QVERIFY2(stage.chart.words().endsWith("after the start: ended before, 0 B after"),
                 qPrintable(stage.chart.words()));
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.middleOf(2));
        QVERIFY2(stage.chart.words().endsWith("after the start: 40 B before, 100 B after (+60 B)"),
                 qPrintable(stage.chart.words()));
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, QPoint(1, stage.middleOf(0).y())); // beside the plot
        QCOMPARE(stage.chart.pointedAt(), Slice());
    }
    void arrowsStopAtTheEnds() {
        ChartStage stage;
        stage.press(Qt::Key_Left); // from nowhere: the last
        QCOMPARE(stage.chart.pointedAt(), Slice(3));
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Slice(3));
        stage.press(Qt::Key_Home);
        QCOMPARE(stage.chart.pointedAt(), Slice(0));
        stage.press(Qt::Key_Left);
        QCOMPARE(stage.chart.pointedAt(), Slice(0));
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Slice(1));
        stage.press(Qt::Key_End);
        QCOMPARE(stage.chart.pointedAt(), Slice(3));
        stage.press(Qt::Key_Escape);
        QCOMPARE(stage.chart.pointedAt(), Slice());
    }
    void aRemovedSliceIsForgotten() {
        ChartStage stage;
        stage.press(Qt::Key_End);
        stage.chart.setTimeline(fourSlices());
        QCOMPARE(stage.chart.pointedAt(), Slice(3));
        stage.chart.setTimeline(std::make_shared<const analysis::DifferenceTimeline>());
        QCOMPARE(stage.chart.pointedAt(), Slice());
        QCOMPARE(stage.chart.words(), "The intervals are empty.");
        stage.press(Qt::Key_Right); // without anything to move to
        QCOMPARE(stage.chart.pointedAt(), Slice());
    }
    void redIsMoreAndBlueIsLess() {
        ChartStage stage;
        const auto between = [&](std::size_t slice, double part) { // as a share of the height, from below
            const auto box = stage.chart.plot();
            const auto image = stage.chart.grab().toImage();
            return image.pixelColor(QPointF(stage.chart.xOf(slice), box.bottom() - part * box.height()).toPoint());
        };
        const auto grew = between(2, 0.7); // 40 before, 100 after: as high as the plot
        QVERIFY2(grew.red() > grew.blue(), qPrintable(grew.name()));
        analysis::DifferenceTimeline turned{{0, 10}, {100}, {40}, {100, 40}};
        stage.chart.setTimeline(std::make_shared<const analysis::DifferenceTimeline>(std::move(turned)));
        const auto shrank = between(0, 0.7);
        QVERIFY2(shrank.blue() > shrank.red(), qPrintable(shrank.name()));
    }
};

HIGHWATER_TEST(DifferenceChartTest);
#include "difference_chart_test.moc"

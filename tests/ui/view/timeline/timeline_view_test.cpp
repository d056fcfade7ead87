#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"
#include "ui/view/timeline/timeline_picture.h"

#include <QAction>
#include <QSignalSpy>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

class TimelineViewTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheSelectionBesideTheCursor() {
        TimelineViewStage stage;
        stage.state.select({ms(200), ms(300)});
        QCOMPARE(stage.view.words(), (QStringList{"Start 0.200000 s", "End 0.300000 s", "Duration 100.0 ms"}));
        stage.view.setSelectionAmount({{ms(200), ms(300)}, "Change", "+10.0 MB"});
        QCOMPARE(stage.view.words().last(), "Change +10.0 MB");
        stage.state.select({ms(200), ms(400)}); // that amount is not known yet
        QCOMPARE(stage.view.words().size(), 3);
    }
    void theWordsStandBesideTheLine() {
        TimelineViewStage stage;
        stage.view.setAnswer(spikyTimeline(1'280'000)); // the spike reaches the top
        const auto isLeft = [&](std::int64_t time) { return stage.view.wordsBox().right() < stage.at(time).x(); };
        stage.hover(300);
        QVERIFY(!isLeft(300));
        stage.hover(480); // the spike is to the right of it
        QVERIFY(isLeft(480));
        stage.hover(520);
        QVERIFY(!isLeft(520));
        stage.state.select({ms(400), ms(490)});
        stage.hover(489);
        QVERIFY(stage.view.words().first().startsWith("Start"));
        QVERIFY(isLeft(489));
    }
    void aLineAtTheTopIsDrawnInItsWholeWidth() {
        TimelineViewStage stage;
        stage.view.setAnswer(spikyTimeline(1'280'000)); // the spike reaches the top
        const double room = stage.view.yOf(2 * 1'280'000) - stage.view.coordinates().plot.top();
        QVERIFY2(room >= 0.9, qPrintable(QString::number(room)));
    }
    void drawsASpikeOfOneSlice() {
        TimelineViewStage stage;
        QTRY_VERIFY(spikeHeight(stage) > 0.7);
        stage.graph.hideSeries({{{analysis::Column::Process, 0}}});
        QTRY_COMPARE(spikeHeight(stage), 0.0);
    }
    void showsPrivateBytesAtTheCursor() {
        TimelineViewStage stage;
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(1 << 20));
        std::vector<SignedByteCount> peaks(100, 8 << 20);
        answer->privateBytes = analysis::PrivateBytesLine{40, peaks, 8 << 20};
        stage.view.setAnswer(answer);
        stage.hover(505);
        QCOMPARE(stage.view.words().last(), "Private bytes 8.0 MB");
        QVERIFY(stage.view.scene().highest > 8 << 20);
        stage.hover(300); // before the first sample
        QCOMPARE(stage.view.words().last(), "app.exe (1) 1.0 MB");
        stage.graph.showPrivateBytes(false);
        stage.hover(505);
        QCOMPARE(stage.view.words().last(), "app.exe (1) 2.0 MB");
        QVERIFY(stage.view.scene().highest < 8 << 20);
    }
    void showsTheValueOfEachLineAtTheCursor() {
        TimelineViewStage stage;
        QSignalSpy cursor(&stage.view, &TimelineView::cursorMoved);
        stage.hover(505);
        QCOMPARE(stage.view.words().size(), 2);
        QCOMPARE(stage.view.words().last(), "app.exe (1) 2.0 MB");
        QVERIFY(cursor.count() > 0);
        stage.hover(300);
        QCOMPARE(stage.view.words().last(), "app.exe (1) 1.0 MB");
        stage.graph.hideSeries({{{analysis::Column::Process, 0}}});
        stage.hover(301);
        QCOMPARE(stage.view.words().size(), 1); // only the time
    }
    void highlightsTheSelectionUntilItIsCleared() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        stage.actions.findChild<QAction*>("highlightSelection")->trigger();
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(stage.state.highlight());
        const auto tinted = stage.view.grab().toImage().pixelColor(stage.at(450) - QPoint(0, 60));
        const auto plain = stage.view.grab().toImage().pixelColor(stage.at(700) - QPoint(0, 60));
        QVERIFY(tinted != plain);
        stage.actions.findChild<QAction*>("clearHighlight")->trigger();
        QVERIFY(!stage.state.highlight());
    }
    void drawsEveryChartType() {
        TimelineViewStage stage;
        for (const auto chart : {ChartType::StackedArea, ChartType::Bars, ChartType::Line}) {
            stage.graph.setChart(chart);
            QTRY_VERIFY(spikeHeight(stage, chart == ChartType::Line ? 90 : 200) > 0.7);
        }
    }
    void paintsRowsAndForgetsThem() {
        TimelineViewStage stage;
        auto painted = std::make_shared<PaintedAnswer>();
        painted->query = stage.view.answer()->query;
        painted->rows = {{{{analysis::Column::Process, 0}}, std::vector<SignedByteCount>(100, 0)}};
        painted->rows.front().peaks[20] = 1 << 19;
        stage.view.setPainted(painted);
        QCOMPARE(stage.view.scene().shapes.size(), std::size_t{2});
        const auto picture = stage.view.grab().toImage();
        const auto inside = QPoint(stage.at(205).x(), static_cast<int>(stage.view.yOf(0.75 * (1 << 20))));
        const auto below = QPoint(stage.at(205).x(), static_cast<int>(stage.view.yOf(0.25 * (1 << 20))));
        QVERIFY(picture.pixelColor(inside) != picture.pixelColor(below));
        stage.view.setPainted(nullptr);
        QCOMPARE(stage.view.scene().shapes.size(), std::size_t{1});
    }
    void makesAPictureTwiceAsFine() {
        TimelineViewStage stage;
        stage.hover(300);
        const auto picture = pictureOf(stage.view, stage.graph);
        QCOMPARE(picture.devicePixelRatio(), 2.0);
        QCOMPARE(picture.width(), stage.view.width() * 2);
        QVERIFY(picture.height() > stage.view.height() * 2); // title and legend above
        QVERIFY(stage.view.cursor());                        // not in the picture, but still in the widget
    }
    void asksForAPointAPixel() {
        TimelineViewStage stage;
        QSignalSpy spy(&stage.view, &TimelineView::plotWidthChanged);
        stage.view.resize(900, 300);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toInt(), static_cast<int>(stage.view.coordinates().plot.width()));
    }

  private:
    /// The height that the line's colour reaches in the plot near the spike at 505 ms.
    static double spikeHeight(TimelineViewStage& stage, int tolerance = 90) {
        const auto picture = stage.view.grab().toImage();
        const auto color = stage.colors.colorOf({{analysis::Column::Process, 0}});
        const auto plot = stage.view.coordinates().plot;
        for (int y = static_cast<int>(plot.top()); y < static_cast<int>(plot.bottom()); ++y) {
            for (int x = stage.at(495).x(); x < stage.at(515).x(); ++x) {
                const auto pixel = picture.pixelColor(x, y);
                const auto distance = std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                                      std::abs(pixel.blue() - color.blue());
                if (distance < tolerance) return (plot.bottom() - y) / plot.height();
            }
        }
        return 0.0;
    }
};
HIGHWATER_TEST(TimelineViewTest);
#include "timeline_view_test.moc"

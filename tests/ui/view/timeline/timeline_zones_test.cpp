#include "ui/view/timeline/timeline_zones.h"

#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"

#include <QHelpEvent>
#include <QToolTip>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// Above the line of the stage, beside its grid.
QColor groundAt(TimelineViewStage& stage, double x) {
    const auto picture = stage.view.grab().toImage();
    return picture.pixelColor(static_cast<int>(x), static_cast<int>(stage.view.coordinates().plot.top()) + 5);
}

/// The part of a column's background that differs from the palette.
int changedPixels(TimelineViewStage& stage, std::int64_t time) {
    const auto picture = stage.view.grab().toImage();
    const auto& plot = stage.view.coordinates().plot;
    int changed = 0;
    for (int y = static_cast<int>(plot.top()) + 2; y < static_cast<int>(plot.center().y()); ++y)
        changed += picture.pixelColor(stage.at(time).x(), y) != picture.pixelColor(stage.at(905).x(), y);
    return changed;
}

void askForToolTip(TimelineViewStage& stage, std::int64_t time) {
    QHelpEvent help(QEvent::ToolTip, stage.at(time), stage.view.mapToGlobal(stage.at(time)));
    QApplication::sendEvent(&stage.view, &help);
}

} // namespace

/// The times at which a trace lacks events, and those at which it only contains a rundown.
class TimelineZonesTest : public QObject {
    Q_OBJECT
  private slots:
    void aWholeTraceShowsNone() {
        TimelineViewStage stage;
        stage.view.setZonesOf(SmallTrace().publish(1000).get());
        QVERIFY(stage.view.zones().lost().empty() && stage.view.zones().rundowns().empty());
        QVERIFY(changedPixels(stage, 355) == 0);
        askForToolTip(stage, 300);
        QVERIFY(QToolTip::text().isEmpty());
    }
    void lossesAreHatchedWhereTheyWere() {
        TimelineViewStage stage;
        stage.view.setZonesOf(SmallTrace().lose(Loss::EventsLost, 1204, 310, 340).publish(1000).get());
        QCOMPARE(stage.view.zones().lost().size(), std::size_t{1});
        const auto& band = stage.view.zones().lost().front();
        QVERIFY(std::abs(band.left - stage.at(310).x()) <= 1 && std::abs(band.right - stage.at(340).x()) <= 1);
        QVERIFY(changedPixels(stage, 325) > 50);
        QVERIFY(changedPixels(stage, 405) == 0);
    }
    void anInstantCanBeSeenToo() {
        TimelineViewStage stage;
        for (const auto time : {0, 500, 1000}) {
            stage.view.setZonesOf(SmallTrace().lose(Loss::EventsLost, 1, time, time).publish(1000).get());
            const auto& band = stage.view.zones().lost().front();
            QVERIFY(band.right - band.left >= 3);
            QVERIFY(band.left >= stage.view.coordinates().plot.left());
            QVERIFY(band.right <= stage.view.coordinates().plot.right());
        }
    }
    void theToolTipShowsLossesAndTheirTimes() {
        TimelineViewStage stage;
        stage.view.setZonesOf(SmallTrace().lose(Loss::EventsLost, 1204, 310, 340).publish(1000).get());
        askForToolTip(stage, 325);
        QVERIFY(QToolTip::text().contains("Between 0.310000 s and 0.340000 s: 1,204 events lost"));
        QCOMPARE(stage.view.zones().wordsAt(stage.at(600).x()), QString());
    }
    void theToolTipNamesTheMeasure() {
        TimelineViewStage stage;
        store::PublishedTrace trace = *SmallTrace().publish(1000);
        trace.health.zones = {{ms(310), ms(340), kEndOfFile, 75}};
        stage.view.setZonesOf(&trace);
        askForToolTip(stage, 325);
        QVERIFY2(QToolTip::text().contains("the end of the file: 75 buffers"), qPrintable(QToolTip::text()));
    }
    void rundownsAreGreyAndLighter() {
        TimelineViewStage stage;
        SmallTrace trace;
        trace.rundown(Occasion::RundownStart, 0)
            .rundown(Occasion::RundownStart, 120)
            .rundown(Occasion::RundownEnd, 950);
        stage.view.setZonesOf(trace.lose(Loss::EventsLost, 1, 500, 600).publish(1000).get());
        QCOMPARE(stage.view.zones().rundowns().size(), std::size_t{2});
        const auto plain = groundAt(stage, stage.at(355).x());
        const auto grey = groundAt(stage, stage.at(60).x());
        QVERIFY(grey != plain && std::abs(grey.red() - grey.blue()) < 8);
        const auto lost = groundAt(stage, stage.at(550).x());
        const auto away = [&plain](const QColor& color) {
            return std::abs(color.red() - plain.red()) + std::abs(color.green() - plain.green()) +
                   std::abs(color.blue() - plain.blue());
        };
        QVERIFY(away(grey) < away(lost));
        askForToolTip(stage, 60);
        QVERIFY(QToolTip::text().contains("Rundown, 0.000000 s to 0.120000 s"));
    }
    void bandsFollowTheZoom() {
        TimelineViewStage stage;
        stage.view.setZonesOf(SmallTrace().lose(Loss::EventsLost, 1, 310, 340).publish(1000).get());
        stage.state.zoomTo({ms(320), ms(330)});
        const auto& plot = stage.view.coordinates().plot;
        QVERIFY(std::abs(stage.view.zones().lost().front().left - plot.left()) <= 1);
        QVERIFY(std::abs(stage.view.zones().lost().front().right - plot.right()) <= 1);
        stage.state.zoomTo({ms(400), ms(500)});
        QVERIFY(stage.view.zones().lost().empty());
    }
    void manyAreOneBandAPixel() {
        TimelineViewStage stage;
        SmallTrace trace;
        for (int i = 0; i < 4000; ++i)
            trace.lose(i % 2 == 0 ? Loss::EventsLost : Loss::BuffersLost, 1, i / 4, i / 4);
        stage.view.setZonesOf(trace.publish(1000).get());
        QVERIFY(!stage.view.zones().lost().empty());
        QVERIFY(stage.view.zones().lost().size() <= static_cast<std::size_t>(stage.view.coordinates().plot.width()));
    }
    void theToolTipListsSomeOfMany() {
        TimelineViewStage stage;
        SmallTrace trace;
        for (int time = 498; time <= 502; ++time) {
            for (const auto loss : {Loss::EventsLost, Loss::BuffersLost})
                trace.lose(loss, 1, time, time);
        }
        stage.view.setZonesOf(trace.publish(1000).get());
        stage.state.zoomTo({ms(0), ms(1000)});
        const auto words = stage.view.zones().wordsAt(stage.at(500).x());
        QVERIFY2(words.contains("more") && words.count('\n') <= 7, qPrintable(words));
    }
};
HIGHWATER_TEST(TimelineZonesTest);
#include "timeline_zones_test.moc"

#include "app/tools/fleet/page/fleet_chart.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/access/access.h"

#include <QAccessible>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

struct FleetChartStage {
    FakeFleet fleet;
    FleetChart chart;

    FleetChartStage() {
        show();
        chart.resize(800, 220);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
    }
    void show(fleet::Measure measure = fleet::Measure::InuseSpace) {
        chart.setHistory(std::make_shared<const fleet::HistoryAnswer>(fleet.history), measure);
    }
    /// The number of pixels of a build's line that have the colour.
    int pixelsAt(std::size_t build, QRgb color) {
        const auto image = chart.grab().toImage();
        int found = 0;
        for (int y = static_cast<int>(chart.plot().top()); y < image.height(); ++y)
            found += image.pixelColor(static_cast<int>(chart.xOf(build)), y) == QColor::fromRgb(color) ? 1 : 0;
        return found;
    }
    QPoint at(std::size_t build) {
        return {static_cast<int>(chart.xOf(build)), static_cast<int>(chart.plot().center().y())};
    }
};

using Build = std::optional<std::size_t>;

} // namespace

class FleetChartTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheFirstBadBuild() {
        FleetChartStage stage;
        QCOMPARE(stage.chart.words(), "app!leak in 3 builds: first bad build 8123.");
        stage.fleet.history.firstBad.reset();
        stage.show();
        QCOMPARE(stage.chart.words(), "app!leak in 3 builds: no build is significantly above those before it.");
    }
    void showsTheBuildOfTheFix() {
        FleetChartStage stage;
        auto& history = stage.fleet.history;
        history.builds.push_back({"8124", std::nullopt, {1, 1, 1, 90 * 1024, 90 * 1024}});
        history.mended = 3;
        stage.show();
        QCOMPARE(stage.chart.words(), "app!leak in 4 builds: first bad build 8123, fixed in 8124.");
        stage.chart.setFocus();
        QTest::keyClick(&stage.chart, Qt::Key_End);
        QCOMPARE(stage.chart.words(),
                 "Build 8124: median 90.0 KB, p95 90.0 KB, on 1 of 1 machine, 1 run; fixed in this build");
        QTest::keyClick(&stage.chart, Qt::Key_Escape);
        for (const auto ground : kGrounds) {
            stage.chart.setPalette(paletteOf(ground));
            QVERIFY(stage.pixelsAt(3, themeColors(ground).shrank) > 10);
            QVERIFY(stage.pixelsAt(2, themeColors(ground).grew) > 10);
        }
        history.mended = 9; // from an untrusted store
        stage.show();
        QCOMPARE(stage.chart.words(), "app!leak in 4 builds: first bad build 8123.");
    }
    /// Also at the right, where the builds are close together.
    void theNamesOfBothMarksCanBeRead() {
        FleetChartStage stage;
        auto& history = stage.fleet.history;
        while (history.builds.size() < 60)
            history.builds.push_back(history.builds.back());
        history.firstBad = 58;
        const auto textAt = [&](double right) { // in the line of the names, a few pixels to the left
            const auto image = stage.chart.grab().toImage();
            const auto box = stage.chart.plot();
            const auto ground = stage.chart.palette().color(QPalette::Base);
            for (auto x = box.right() - right - 4; x < box.right() - right; ++x)
                for (auto y = box.top() - stage.chart.fontMetrics().height() - 2; y < box.top() - 3; ++y)
                    if (image.pixelColor(QPointF(x, y).toPoint()) != ground) return true;
            return false;
        };
        stage.show();
        QVERIFY(textAt(2)); // "first bad build" ends at the right
        history.mended = 59;
        stage.show();
        const auto mended = stage.chart.fontMetrics().horizontalAdvance("fixed");
        QVERIFY(textAt(2));
        QVERIFY(!textAt(mended + 3)); // a gap, and before it the other name
        QVERIFY(textAt(mended + stage.chart.fontMetrics().horizontalAdvance("fi")));
    }
    void thePointerShowsABuild() {
        FleetChartStage stage;
        QTest::mouseMove(&stage.chart, stage.at(1));
        QTRY_COMPARE(stage.chart.pointedAt(), Build(1));
        QCOMPARE(stage.chart.words(), "Build 8121: median 100.0 KB, p95 120.0 KB, on 4 of 4 machines, 8 runs");
        QTest::mouseMove(&stage.chart, stage.at(2));
        QTRY_VERIFY(stage.chart.words().endsWith("first bad build"));
    }
    void keysGoFromBuildToBuild() {
        FleetChartStage stage;
        stage.chart.setFocus();
        const auto press = [&](Qt::Key key) { QTest::keyClick(&stage.chart, key); };
        press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Build(0));
        press(Qt::Key_End);
        press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Build(2));
        press(Qt::Key_Left);
        QCOMPARE(stage.chart.pointedAt(), Build(1));
        press(Qt::Key_Home);
        press(Qt::Key_Left);
        QCOMPARE(stage.chart.pointedAt(), Build(0));
        press(Qt::Key_Escape);
        QCOMPARE(stage.chart.pointedAt(), Build());
    }
    void aScreenReaderHearsIt() {
        installAccess();
        FleetChartStage stage;
        auto* heard = QAccessible::queryAccessibleInterface(&stage.chart);
        QVERIFY(heard);
        QCOMPARE(heard->text(QAccessible::Name), "Stack by build");
        QCOMPARE(heard->text(QAccessible::Value), stage.chart.words());
        QCOMPARE(heard->role(), QAccessible::Chart);
    }
    void medianAndSpreadStandWhereTheirValuesAre() {
        FleetChartStage stage;
        const auto box = stage.chart.plot();
        QCOMPARE(stage.chart.yOf(900 * 1024), box.top()); // the highest
        QCOMPARE(stage.chart.yOf(0), box.bottom());
        const auto image = stage.chart.grab().toImage();
        const auto pixel = [&](double x, double y) { return image.pixelColor(QPointF(x, y).toPoint()); };
        const auto base = stage.chart.palette().color(QPalette::Base);
        const auto x = stage.chart.xOf(2);
        QCOMPARE(pixel(x - 40, box.top() + 4), base);
        // The dot of the median, on the mark of the first bad build.
        QCOMPARE(pixel(stage.chart.xOf(0), stage.chart.yOf(96 * 1024)),
                 stage.chart.palette().color(QPalette::Highlight));
        // Between median and p95: neither background nor line.
        const auto between = pixel(x - 6, (stage.chart.yOf(612 * 1024) + stage.chart.yOf(900 * 1024)) / 2);
        QVERIFY2(between != base, qPrintable(between.name()));
    }
    void everyGroundHasItsMark() {
        for (const auto ground : kGrounds) {
            FleetChartStage stage;
            stage.chart.setPalette(paletteOf(ground));
            const auto found = stage.pixelsAt(2, themeColors(ground).grew);
            QVERIFY2(found > 10, qPrintable(QString::number(found)));
        }
    }
    void negativeValuesAreDrawnBelowZero() {
        FleetChartStage stage;
        stage.fleet.history.builds[0].side.median = -300 * 1024;
        stage.show(fleet::Measure::Impacting);
        const auto box = stage.chart.plot();
        QCOMPARE(stage.chart.yOf(-300 * 1024), box.bottom());
        QVERIFY(stage.chart.yOf(0) > box.top() && stage.chart.yOf(0) < box.bottom());
    }
    void anEmptyChartShowsTheReason() {
        FleetChartStage stage;
        stage.chart.setHistory(nullptr, {}, "Select a stack.");
        QCOMPARE(stage.chart.words(), "Select a stack.");
        QTest::keyClick(&stage.chart, Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Build());
    }
    void oneBuildIsEnough() {
        FleetChartStage stage;
        stage.fleet.history.builds.resize(1);
        stage.fleet.history.firstBad = 7; // from an untrusted store
        stage.show();
        QVERIFY(!stage.chart.grab().isNull());
        QCOMPARE(stage.chart.words(), "app!leak in 1 build: no build is significantly above those before it.");
    }
    void manyBuildsHaveRoom() {
        FleetChartStage stage;
        auto& builds = stage.fleet.history.builds;
        while (builds.size() < 500)
            builds.push_back(builds.back());
        stage.show();
        QVERIFY(!stage.chart.grab().isNull());
        QVERIFY(stage.chart.xOf(499) < stage.chart.plot().right());
    }
};

HIGHWATER_TEST(FleetChartTest);
#include "fleet_chart_test.moc"

#include "tests/support/test_registry.h"
#include "tests/ui/view/chart/chart_stage.h"

#include <limits>

using namespace highwater::tests;
using namespace highwater::ui;

namespace {

using Range = std::pair<double, double>;

} // namespace

class ChartPictureTest : public QObject {
    Q_OBJECT
  private slots:
    void amountsHaveReadableUnits() {
        QCOMPARE(chartAmount(ChartUnit::Bytes, 1536), "1.5 KB");
        QCOMPARE(chartAmount(ChartUnit::Count, 1204), "1,204");
        QCOMPARE(chartAmount(ChartUnit::Nanoseconds, 1.5e9), "1.500 s");
        QCOMPARE(chartAmount(ChartUnit::Bytes, 0x1p63), "8.0 EB");
        QCOMPARE(chartAmount(ChartUnit::Bytes, -0x1p80), "−8.0 EB");
    }
    void aPointHasItsNameAndAllValues() {
        auto picture = threeBars();
        picture.perUnit = "/h";
        QCOMPARE(toldOf(picture, 1), "128 B: Kept 2.0 KB/h, Freed 1.0 KB/h");
        picture.series[1].values.resize(1); // nothing for a series that ends earlier
        QCOMPARE(toldOf(picture, 1), "128 B: Kept 2.0 KB/h");
        picture.points = {.edges = {0, 1'500'000'000, 3'000'000'000}};
        QCOMPARE(toldOf(picture, 1), "1.500 s: Kept 2.0 KB/h");
    }
    void theRangeHasZeroAndSumsOfStacks() {
        auto picture = threeBars();
        QCOMPARE(valueRange(picture), Range(0, 4096));
        for (auto& series : picture.series)
            series.kind = ChartKind::Bars;
        QCOMPARE(valueRange(picture), Range(0, 3072));
        picture.series[0].values[0] = -5;
        QCOMPARE(valueRange(picture), Range(-5, 3072));
        picture.series.clear();
        QCOMPARE(valueRange(picture), Range(0, 1)); // an axis needs a height
    }
    void intervalsHaveRoomByTheirLength() {
        const ChartPoints points{.edges = {0, 10, 100}};
        QCOMPARE(points.count(), std::size_t{2});
        QCOMPARE(placeOf(points, 0), 0.05);
        QCOMPARE(placeOf(points, 1), 0.55);
        QCOMPARE(pointAtPlace(points, 0.09), std::size_t{0});
        QCOMPARE(pointAtPlace(points, 0.11), std::size_t{1});
        QCOMPARE(pointAtPlace(points, 1), std::size_t{1});
        QCOMPARE(pointAtPlace(points, -1), std::size_t{0});
    }
    void intervalsWithoutLengthAreNotPoints() {
        QCOMPARE(ChartPoints{}.count(), std::size_t{0});
        QCOMPARE((ChartPoints{.edges = {7}}).count(), std::size_t{0});
        QCOMPARE((ChartPoints{.edges = {7, 7}}).count(), std::size_t{0});
    }
};

HIGHWATER_TEST(ChartPictureTest);
#include "chart_picture_test.moc"

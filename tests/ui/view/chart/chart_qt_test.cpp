#include "tests/support/test_registry.h"
#include "tests/ui/view/chart/chart_stage.h"
#include "ui/theme/theme_colors.h"

#include <QElapsedTimer>
#include <QGraphicsTextItem>
#include <QGraphicsView>
#include <QLabel>

using namespace highwater::tests;
using namespace highwater::ui;

namespace {

/// Texts of the visible axes.
QStringList labelsOf(ChartStage& stage) {
    QStringList texts;
    const auto* view = stage.chart.findChild<QGraphicsView*>();
    for (const auto* item : view->scene()->items()) {
        const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
        if (text && text->isVisible() && !text->toPlainText().isEmpty()) texts << text->toPlainText();
    }
    return texts;
}

/// The number of the plot's pixels in the accent colour, or in a band of it.
int bluePixels(ChartStage& stage) {
    const auto image = stage.chart.grab(stage.chart.plot().toRect()).toImage();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            found += image.pixelColor(x, y).blue() > image.pixelColor(x, y).red() + 40 ? 1 : 0;
    return found;
}

ChartPicture pictureOf(ChartKind kind, std::size_t points, double value) {
    ChartPicture picture;
    for (std::size_t i = 0; i < points; ++i)
        picture.points.categories << QString("point %1").arg(i);
    picture.series = {{"Values", kind, ChartColor::Accent, std::vector(points, value), std::vector(points, 0.0)}};
    return picture;
}

constexpr std::array kKinds{ChartKind::Line, ChartKind::DashedLine, ChartKind::Band, ChartKind::Bars,
                            ChartKind::StackedBars};

} // namespace

/// The pixels that Qt Charts paints.
class ChartQtTest : public QObject {
    Q_OBJECT
  private slots:
    void barsAreStackedWhereTheirValuesAre() {
        ChartStage stage;
        const auto palette = paletteOf(Ground::Light); // with opaque colours
        stage.chart.setPalette(palette);
        const auto x = stage.chart.xOf(2);
        QCOMPARE(stage.chart.yOf(4096), stage.chart.plot().top());
        QCOMPARE(stage.chart.yOf(0), stage.chart.plot().bottom());
        QCOMPARE(stage.pixel(x, stage.chart.yOf(3072) + 4), palette.color(QPalette::Highlight));
        QCOMPARE(stage.pixel(x, stage.chart.yOf(3072) - 4), palette.color(QPalette::PlaceholderText));
        QCOMPARE(stage.pixel(stage.chart.xOf(0), stage.chart.yOf(1024) - 6), palette.color(QPalette::Base));
    }
    void axesHaveReadableUnits() {
        ChartStage stage;
        const auto labels = labelsOf(stage);
        for (const auto* label : {"0", "2 KB", "4 KB", "64 B", "128 B", "256 B"})
            QVERIFY2(labels.contains(label), qPrintable(labels.join('|')));
    }
    void timesAreShownInSeconds() {
        ChartPicture picture{.points = {.edges = {0, 2'000'000'000, 4'000'000'000}}};
        picture.series = {{"Kept", ChartKind::Line, ChartColor::Accent, {1024, 3072}}};
        ChartStage stage(picture);
        QVERIFY2(labelsOf(stage).contains("2 s"), qPrintable(labelsOf(stage).join('|')));
    }
    /// Qt Charts reads its labels as HTML; names of builds and files may contain anything.
    void namesAreNoHtml() {
        auto picture = threeBars();
        picture.points.categories = {"<b>one</b>", "<img src='x'>", "a & b"};
        picture.points.bold = {"a & b"};
        ChartStage stage(picture);
        const auto labels = labelsOf(stage);
        for (const auto& name : picture.points.categories)
            QVERIFY2(labels.contains(name), qPrintable(labels.join('|')));
    }
    void equalNamesAreAllShown() {
        auto picture = threeBars();
        picture.points.categories = {"same", "same", "same"};
        ChartStage stage(picture);
        auto labels = labelsOf(stage);
        QCOMPARE(labels.replaceInStrings(QString(QChar(0x200B)), "").count("same"), 3);
    }
    void anotherThemeIsFollowed() {
        ChartStage stage;
        for (const auto ground : kGrounds) {
            stage.chart.setPalette(paletteOf(ground));
            const auto& colors = themeColors(ground);
            const auto x = stage.chart.xOf(2);
            QCOMPARE(stage.pixel(x, stage.chart.yOf(3072) + 4), QColor::fromRgb(colors.accent));
            QCOMPARE(stage.pixel(stage.chart.xOf(0), stage.chart.yOf(1024) - 6), QColor::fromRgb(colors.base));
            for (const auto* item : stage.chart.findChild<QGraphicsView*>()->scene()->items()) {
                const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                if (text && text->isVisible() && !text->toPlainText().isEmpty())
                    QCOMPARE(text->defaultTextColor(), QColor::fromRgb(colors.text));
            }
        }
    }
    void oldValuesAreDimmed() {
        auto picture = threeBars();
        picture.isOld = true;
        ChartStage stage(picture);
        stage.chart.setPalette(paletteOf(Ground::Light));
        QCOMPARE(stage.pixel(stage.chart.xOf(2), stage.chart.yOf(3072) + 4),
                 stage.chart.palette().color(QPalette::PlaceholderText));
    }
    void onePointIsSeen() {
        for (const auto kind : kKinds) {
            ChartStage stage(pictureOf(kind, 1, 4096));
            QVERIFY2(bluePixels(stage) > 20, qPrintable(QString::number(static_cast<int>(kind))));
            stage.press(Qt::Key_Right);
            QCOMPARE(stage.chart.words(), "point 0: Values 4.0 KB");
        }
    }
    void manyPointsAreShownInTime() {
        for (const auto kind : kKinds) {
            QElapsedTimer timer;
            timer.start();
            ChartStage stage(pictureOf(kind, 10'000, 4096));
            QVERIFY(!stage.chart.grab().isNull());
            QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
            stage.press(Qt::Key_End);
            QCOMPARE(stage.chart.pointedAt(), Point(9'999));
            QVERIFY(labelsOf(stage).size() < 100);
        }
    }
    void hugeValuesHaveAnAxis() {
        for (const auto kind : kKinds) {
            auto picture = pictureOf(kind, 3, 0x1p63);
            picture.series[0].values[0] = -0x1p63;
            ChartStage stage(picture);
            QVERIFY(!stage.chart.grab().isNull());
            stage.press(Qt::Key_End);
            QCOMPARE(stage.chart.words(), "point 2: Values 8.0 EB");
            picture.unit = ChartUnit::Count;
            stage.chart.setPicture(picture);
            QVERIFY(!stage.chart.grab().isNull());
        }
        ChartPicture picture{.points = {.edges = {0, std::numeric_limits<std::int64_t>::max()}}};
        picture.series = {{"Kept", ChartKind::Line, ChartColor::Accent, {1}}};
        ChartStage stage(picture);
        QVERIFY(!stage.chart.grab().isNull());
    }
    void longNamesShowTheirEnds() {
        auto picture = threeValues();
        picture.points.categories = {"release-2026.11.001-nightly", "release-2026.11.002-nightly",
                                     "release-2026.11.003-nightly"};
        picture.points.bold = {"release-2026.11.002-nightly"};
        ChartStage stage(picture);
        stage.chart.resize(300, 160);
        const auto hasLast = [&] { return labelsOf(stage).join('|').contains(QStringLiteral("3-nightly")); };
        QVERIFY2(QTest::qWaitFor(hasLast, 2000), qPrintable(labelsOf(stage).join('|')));
    }
    void zeroOfARateHasAUnit() {
        auto picture = threeValues();
        picture.perUnit = "/h";
        ChartStage stage(picture);
        QVERIFY2(labelsOf(stage).contains("0 B/h"), qPrintable(labelsOf(stage).join('|')));
    }
    void aSmallChartPaintsWhatFits() {
        ChartStage stage;
        for (const auto size : {QSize(240, 100), QSize(60, 20), QSize(1, 1)}) {
            stage.chart.resize(size);
            QVERIFY(!stage.chart.grab().isNull());
        }
    }
    void aNarrowChartHasRoomForLegendOrNumbers() {
        auto picture = threeBars();
        picture.summary.clear();
        ChartStage stage(picture);
        stage.chart.resize(240, 160);
        const auto* told = stage.chart.findChild<QLabel*>();
        QVERIFY(told->width() < 10); // the legend contains it
        stage.press(Qt::Key_Home);
        QVERIFY(told->width() > 220);
        stage.press(Qt::Key_Escape);
        QVERIFY(told->width() < 10);
    }
    void theCursorIsSeen() {
        ChartStage stage(threeValues());
        const auto y = stage.chart.plot().top() + 30;
        const auto before = stage.pixel(stage.chart.xOf(0), y);
        stage.press(Qt::Key_Home);
        QVERIFY(stage.pixel(stage.chart.xOf(0), y) != before);
    }
};

HIGHWATER_TEST(ChartQtTest);
#include "chart_qt_test.moc"

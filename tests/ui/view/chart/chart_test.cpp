#include "tests/support/test_registry.h"
#include "tests/ui/view/chart/chart_stage.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/access/access.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/svg_file.h"

#include <QAccessible>
#include <QAction>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>

#include <functional>
#include <limits>
#include <utility>

using namespace highwater::tests;
using namespace highwater::ui;

class ChartTest : public QObject {
    Q_OBJECT
  private slots:
    void arrowsStopAtTheEnds() {
        ChartStage stage;
        stage.press(Qt::Key_Left); // from nowhere: the last
        QCOMPARE(stage.chart.pointedAt(), Point(2));
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Point(2));
        stage.press(Qt::Key_Home);
        stage.press(Qt::Key_Left);
        QCOMPARE(stage.chart.pointedAt(), Point(0));
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.chart.pointedAt(), Point(1));
        stage.press(Qt::Key_End);
        QCOMPARE(stage.chart.pointedAt(), Point(2));
        stage.press(Qt::Key_Escape);
        QCOMPARE(stage.chart.pointedAt(), Point());
    }
    void theLineAboveAndAScreenReaderSayTheValue() {
        installAccess();
        ChartStage stage;
        auto* heard = QAccessible::queryAccessibleInterface(&stage.chart);
        QCOMPARE(heard->role(), QAccessible::Chart);
        QCOMPARE(heard->text(QAccessible::Name), "Sizes");
        QCOMPARE(heard->text(QAccessible::Description), "Arrows go from bar to bar.");
        QCOMPARE(heard->text(QAccessible::Value), "Sizes of all blocks");
        stage.press(Qt::Key_Right);
        QCOMPARE(heard->text(QAccessible::Value), "64 B: Kept 1.0 KB, Freed 0 B");
        QCOMPARE(stage.chart.findChild<ElidedLabel*>()->text(), stage.chart.words());
    }
    void aPictureMayHaveWordsOfItsOwn() {
        auto picture = threeBars();
        picture.title = "app!leak";
        picture.told = [](std::size_t point) { return QString("point %1").arg(point); };
        ChartStage stage(picture);
        stage.press(Qt::Key_End);
        QCOMPARE(stage.chart.words(), "point 2");
        QCOMPARE(stage.chart.findChild<ElidedLabel*>()->text(), "app!leak. point 2");
    }
    void enterAndAClickOnABarChooseIt() {
        ChartStage stage;
        stage.press(Qt::Key_Return); // nothing is selected
        QCOMPARE(stage.chosen.size(), 0);
        stage.press(Qt::Key_End);
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.chosen.takeFirst().at(0).value<std::size_t>(), std::size_t{2});
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
        QCOMPARE(stage.chosen.takeFirst().at(0).value<std::size_t>(), std::size_t{1});
        QTest::mouseClick(&stage.chart, Qt::RightButton, {}, stage.at(1));
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, QPoint(1, stage.at(0).y())); // beside the plot
        QCOMPARE(stage.chosen.size(), 0);
    }
    void aClickThatEndsOnAnotherBarChoosesNone() {
        ChartStage stage;
        QTest::mousePress(&stage.chart, Qt::LeftButton, {}, stage.at(0));
        QTest::mouseMove(&stage.chart, stage.at(2));
        QTRY_COMPARE(stage.chart.pointedAt(), Point(2));
        QTest::mouseRelease(&stage.chart, Qt::LeftButton, {}, stage.at(2));
        QCOMPARE(stage.chosen.size(), 0);
    }
    void aDoubleClickChoosesOnce() {
        for (const auto& picture : {threeBars(), threeValues()}) {
            ChartStage stage(picture);
            QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
            QTest::mouseDClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
            QCOMPARE(stage.chosen.size(), 1);
        }
    }
    void aClickOnALinePointsOnly() {
        ChartStage stage(threeValues());
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
        QCOMPARE(stage.chart.pointedAt(), Point(1));
        QCOMPARE(stage.chosen.size(), 0);
    }
    void aClickOnAStackedBandChoosesItsPoint() {
        ChartStage stage(threeBands());
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
        QCOMPARE(stage.chosen.takeFirst().at(0).value<std::size_t>(), std::size_t{1});
        QCOMPARE(stage.chart.words(), "10.000 s: Kept 2.0 KB, Freed 1.0 KB");
    }
    void anOldPictureChoosesNothing() {
        auto picture = threeBars();
        picture.isOld = true;
        ChartStage stage(picture);
        stage.press(Qt::Key_End);
        stage.press(Qt::Key_Return);
        QTest::mouseClick(&stage.chart, Qt::LeftButton, {}, stage.at(1));
        QCOMPARE(stage.chosen.size(), 0);
    }
    void aPointBetweenEdgesIsKeptByItsStart() {
        ChartStage stage(threeBands());
        stage.press(Qt::Key_Home);
        stage.press(Qt::Key_Right);
        auto zoomed = threeBands();
        zoomed.points.edges.erase(zoomed.points.edges.begin());
        stage.chart.setPicture(zoomed);
        QCOMPARE(stage.chart.pointedAt(), Point(0));
        zoomed.points.edges.erase(zoomed.points.edges.begin());
        stage.chart.setPicture(zoomed);
        QCOMPARE(stage.chart.pointedAt(), Point());
    }
    void aRemovedPointIsForgotten() {
        ChartStage stage;
        stage.press(Qt::Key_End);
        stage.chart.setPicture(threeBars());
        QCOMPARE(stage.chart.pointedAt(), Point(2));
        ChartPicture picture;
        picture.why = "Select a stack.";
        stage.chart.setPicture(picture);
        QCOMPARE(stage.chart.pointedAt(), Point());
        QCOMPARE(stage.chart.words(), "Select a stack.");
        stage.press(Qt::Key_Right);
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.chart.pointedAt(), Point());
        QVERIFY(!stage.chart.actions().front()->isEnabled()); // nothing to save
    }
    void wordsThatDoNotFitAreShortenedByWholeParts() {
        auto picture = threeBars();
        picture.told = [](std::size_t) { return QString("all of the parts, which need more room than there is"); };
        picture.toldWithin = [](std::size_t point, const std::function<bool(const QString&)>& fits) {
            const auto brief = QString("point %1").arg(point);
            return fits(brief) ? brief : QString("-");
        };
        ChartStage stage(picture);
        stage.press(Qt::Key_End);
        stage.chart.resize(2000, 200);
        QCOMPARE(stage.chart.shownWords(), stage.chart.words());
        stage.chart.resize(260, 200);
        QCOMPARE(stage.chart.shownWords(), "point 2");
        QVERIFY(stage.chart.words().startsWith("all of the parts"));
    }
    void nonNumbersAreZero() {
        auto picture = threeBars();
        picture.series[0].values[1] = std::numeric_limits<double>::quiet_NaN();
        picture.series[1].values[1] = std::numeric_limits<double>::infinity();
        ChartStage stage(picture);
        QCOMPARE(stage.chart.picture().series[0].values[1], 0.0);
        QCOMPARE(valueRange(stage.chart.picture()).second, 4096.0);
    }
    void picturesAreSavedWithTheirText() {
        QTemporaryDir folder;
        ChartStage stage;
        stage.press(Qt::Key_End);
        const auto png = folder.filePath("chart.png");
        QCOMPARE(stage.chart.save(png, PictureForm::Pixels), QString());
        const QImage image(png);
        QCOMPARE(image.size(), stage.chart.size() * 2);
        const auto bar = QPointF(stage.chart.xOf(2), stage.chart.plot().bottom() - 8) * 2;
        QCOMPARE(image.pixelColor(bar.toPoint()), stage.chart.palette().color(QPalette::Highlight));
        QCOMPARE(stage.chart.pointedAt(), Point(2)); // as it was
        if (!canSaveSvg()) QSKIP("This build has no SVG.");
        const auto svg = folder.filePath("chart.svg");
        QCOMPARE(stage.chart.save(svg, PictureForm::Drawing), QString());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        for (const auto* words : {"Sizes of all blocks", "Kept", "128 B", "2 KB", "<title>Sizes</title>"})
            QVERIFY2(text.contains(words), words);
    }
    void aSavedPictureExplainsItsColors() {
        auto picture = threeBands();
        for (auto& series : picture.series)
            series.savedName = std::exchange(series.name, {});
        ChartStage stage(picture);
        QTemporaryDir folder;
        const auto png = folder.filePath("bands.png");
        QCOMPARE(stage.chart.save(png, PictureForm::Pixels), QString());
        const QImage image(png);
        QCOMPARE(image.width(), stage.chart.width() * 2);
        const QRect below(0, stage.chart.height() * 2, image.width(), image.height() - stage.chart.height() * 2);
        QVERIFY(below.height() > 0);
        for (std::size_t place = 0; place < picture.series.size(); ++place) {
            bool isThere = false;
            for (int x = below.left(); x <= below.right(); ++x)
                isThere |= image.pixelColor(x, below.center().y()) == seriesColor(stage.chart.palette(), place);
            QVERIFY2(isThere, qPrintable(QString::number(place)));
        }
        stage.chart.resize(60, 200); // one below the other
        QCOMPARE(stage.chart.save(png, PictureForm::Pixels), QString());
        QCOMPARE(QImage(png).height() - stage.chart.height() * 2, 2 * below.height());
        if (!canSaveSvg()) QSKIP("This build has no SVG.");
        const auto svg = folder.filePath("bands.svg");
        QCOMPARE(stage.chart.save(svg, PictureForm::Drawing), QString());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        QVERIFY(text.contains("Kept") && text.contains("Freed"));
    }
    void aPictureThatCannotBeSavedSaysWhy() {
        ChartStage stage;
        const auto problem = stage.chart.save("/nowhere/at/all/chart.png", PictureForm::Pixels);
        QVERIFY2(problem.contains("/nowhere/at/all"), qPrintable(problem));
    }
};

HIGHWATER_TEST(ChartTest);
#include "chart_test.moc"

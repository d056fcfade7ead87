#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/timeline/timeline_surface.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <cmath>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;
using Form = TimelineShape::Form;

namespace {

const QRectF kPlot(20, 10, 400, 200);
const QColor kGround = Qt::white;

/// Four slices of 10 ms, drawn from 0 to 10.
TimelineScene sceneOf(std::vector<TimelineShape> shapes) {
    TimelineScene scene;
    scene.edges = {ms(0), ms(10), ms(20), ms(30), ms(40)};
    scene.visible = {ms(0), ms(40)};
    scene.highest = 10;
    scene.shapes = std::move(shapes);
    return scene;
}

/// In the middle of this slice, at this amount.
QPoint placeOf(int slice, double amount) {
    return QPointF(kPlot.left() + (slice + 0.5) * kPlot.width() / 4, kPlot.bottom() - amount / 10 * kPlot.height())
        .toPoint();
}

QImage pictureOf(TimelineSurface& surface, const TimelineScene& scene, const QRectF& plot, QSize size) {
    surface.resize(size);
    surface.setPlotArea(plot);
    surface.draw(scene);
    QImage image(size, QImage::Format_RGB32);
    image.fill(kGround);
    QPainter painter(&image);
    surface.render(&painter, {}, {}, QWidget::DrawChildren);
    return image;
}

QImage pictureOf(TimelineSurface& surface, const TimelineScene& scene) {
    return pictureOf(surface, scene, kPlot, {440, 230});
}

} // namespace

class TimelineSurfaceTest : public QObject {
    Q_OBJECT
  private slots:
    void drawsALineThroughTheMiddleOfEachSlice() {
        QWidget parent;
        TimelineSurface surface(&parent);
        const auto picture = pictureOf(surface, sceneOf({{Form::Line, Qt::red, 3.0, {}, {2, 8, 8, 4}}}));
        QCOMPARE(picture.pixelColor(placeOf(0, 2)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(1, 8)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(3, 4)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(1, 5)), kGround); // not filled
    }

    void fillsAnAreaBetweenItsEdges() {
        QWidget parent;
        TimelineSurface surface(&parent);
        const auto picture = pictureOf(surface, sceneOf({{Form::Area, Qt::blue, 0.0, {2, 2, 2, 2}, {8, 8, 4, 4}}}));
        QCOMPARE(picture.pixelColor(placeOf(1, 5)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(1, 1)), kGround);
        QCOMPARE(picture.pixelColor(placeOf(1, 9)), kGround);
        QCOMPARE(picture.pixelColor(placeOf(3, 5)), kGround);
    }

    void leavesGapsBetweenBars() {
        QWidget parent;
        TimelineSurface surface(&parent);
        const auto picture = pictureOf(surface, sceneOf({{Form::Bars, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 0, 8}}}));
        QCOMPARE(picture.pixelColor(placeOf(0, 4)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(0, 4) + QPoint(50, 0)), kGround); // where the next slice starts
        QCOMPARE(picture.pixelColor(placeOf(1, 7)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(2, 1)), kGround);
    }

    void drawsTheLastShapeOnTop() {
        QWidget parent;
        TimelineSurface surface(&parent);
        const TimelineShape below{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}};
        const TimelineShape line{Form::Line, Qt::red, 3.0, {}, {4, 4, 4, 4}};
        QCOMPARE(pictureOf(surface, sceneOf({below, line})).pixelColor(placeOf(2, 4)), QColor(Qt::red));
        QCOMPARE(pictureOf(surface, sceneOf({line, below})).pixelColor(placeOf(2, 4)), QColor(Qt::blue));
    }

    void forgetsTheSceneBefore() {
        QWidget parent;
        TimelineSurface surface(&parent);
        (void)pictureOf(surface, sceneOf({{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}}}));
        QCOMPARE(pictureOf(surface, sceneOf({})).pixelColor(placeOf(1, 4)), kGround);
    }

    void staysInsideThePlot() {
        QWidget parent;
        TimelineSurface surface(&parent);
        auto scene = sceneOf({{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}}});
        scene.visible = {ms(10), ms(20)}; // the answer is still that of a longer interval
        const auto picture = pictureOf(surface, scene);
        for (int y = 0; y < picture.height(); ++y) {
            QCOMPARE(picture.pixelColor(5, y), kGround);
            QCOMPARE(picture.pixelColor(435, y), kGround);
        }
        QCOMPARE(picture.pixelColor(placeOf(0, 4)), QColor(Qt::blue));
    }

    void drawsALevelAlsoDeepInAZoom() {
        QWidget parent;
        TimelineSurface surface(&parent);
        auto scene = sceneOf({{Form::Line, Qt::red, 3.0, {}, {4, 4, 4, 4}}});
        scene.edges = {ms(0), ms(1'000'000), ms(2'000'000), ms(3'000'000), ms(4'000'000)};
        scene.visible = {ms(1'700'000), TraceTime{ms(1'700'000).ns + 20'000}}; // the ends are 35 billion pixels away
        QCOMPARE(pictureOf(surface, scene).pixelColor(placeOf(1, 4)), QColor(Qt::red));
        scene.shapes[0].form = Form::Area;
        scene.shapes[0].lower = {0, 0, 0, 0};
        QCOMPARE(pictureOf(surface, scene).pixelColor(placeOf(1, 2)), QColor(Qt::red));
    }

    void takesNoInput() {
        QWidget parent;
        TimelineSurface surface(&parent);
        QVERIFY(surface.testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(surface.focusPolicy(), Qt::NoFocus);
    }
};

HIGHWATER_TEST(TimelineSurfaceTest);
#include "timeline_surface_test.moc"

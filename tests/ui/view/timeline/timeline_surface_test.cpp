#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/timeline/painted_timeline_surface.h"

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
    surface.widget()->resize(size);
    surface.setPlotArea(plot);
    surface.draw(scene);
    QImage image(size, QImage::Format_RGB32);
    image.fill(kGround);
    QPainter painter(&image);
    surface.widget()->render(&painter, {}, {}, QWidget::DrawChildren);
    return image;
}

QImage pictureOf(TimelineSurface& surface, const TimelineScene& scene) {
    return pictureOf(surface, scene, kPlot, {440, 230});
}

/// The surface of this build, and the one without Qt Charts.
std::unique_ptr<TimelineSurface> surfaceNamed(const QString& name, QWidget* parent) {
    if (name == QLatin1String("painted")) return std::make_unique<PaintedTimelineSurface>(parent);
    return makeTimelineSurface(parent);
}

int distance(QRgb one, QRgb other) {
    return std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                     std::abs(qBlue(one) - qBlue(other))});
}

/// The share of pixels that no eye would call the same.
double differenceOf(const QImage& one, const QImage& other) {
    int differing = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            if (distance(one.pixel(x, y), other.pixel(x, y)) > 40) ++differing;
        }
    }
    return static_cast<double>(differing) / (one.width() * one.height());
}

/// A graph as large traces make them: a slice for each pixel, with spikes. As in the window, lines are opaque.
TimelineScene fullScene(Form form) {
    TimelineScene scene;
    constexpr int kSlices = 1200;
    for (int i = 0; i <= kSlices; ++i) {
        scene.edges.push_back(ms(i));
    }
    scene.visible = {ms(0), ms(kSlices)};
    scene.highest = 100;
    std::vector<double> ground(kSlices, 0.0);
    const int alpha = form == Form::Line ? 255 : 190;
    for (const auto& color : {QColor(0, 114, 178, alpha), QColor(230, 159, 0, alpha)}) {
        TimelineShape shape{form, color, 1.6, ground, ground};
        for (int i = 0; i < kSlices; ++i) {
            shape.upper[static_cast<std::size_t>(i)] += 20 + 10 * std::sin(i / 90.0) + (i % 97 == 0 ? 15 : 0);
        }
        ground = shape.upper;
        scene.shapes.push_back(std::move(shape));
    }
    return scene;
}

} // namespace

class TimelineSurfaceTest : public QObject {
    Q_OBJECT

    static void rowPerSurface() {
        QTest::addColumn<QString>("name");
        QTest::newRow("as built") << "as built";
        QTest::newRow("painted") << "painted";
    }

  private slots:
    void drawsALineThroughTheMiddleOfEachSlice_data() { rowPerSurface(); }
    void drawsALineThroughTheMiddleOfEachSlice() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        const auto picture = pictureOf(*surface, sceneOf({{Form::Line, Qt::red, 3.0, {}, {2, 8, 8, 4}}}));
        QCOMPARE(picture.pixelColor(placeOf(0, 2)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(1, 8)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(3, 4)), QColor(Qt::red));
        QCOMPARE(picture.pixelColor(placeOf(1, 5)), kGround); // not filled
    }

    void fillsAnAreaBetweenItsEdges_data() { rowPerSurface(); }
    void fillsAnAreaBetweenItsEdges() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        const auto picture = pictureOf(*surface, sceneOf({{Form::Area, Qt::blue, 0.0, {2, 2, 2, 2}, {8, 8, 4, 4}}}));
        QCOMPARE(picture.pixelColor(placeOf(1, 5)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(1, 1)), kGround);
        QCOMPARE(picture.pixelColor(placeOf(1, 9)), kGround);
        QCOMPARE(picture.pixelColor(placeOf(3, 5)), kGround);
    }

    void leavesGapsBetweenBars_data() { rowPerSurface(); }
    void leavesGapsBetweenBars() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        const auto picture = pictureOf(*surface, sceneOf({{Form::Bars, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 0, 8}}}));
        QCOMPARE(picture.pixelColor(placeOf(0, 4)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(0, 4) + QPoint(50, 0)), kGround); // where the next slice begins
        QCOMPARE(picture.pixelColor(placeOf(1, 7)), QColor(Qt::blue));
        QCOMPARE(picture.pixelColor(placeOf(2, 1)), kGround);
    }

    void drawsTheLastShapeOnTop_data() { rowPerSurface(); }
    void drawsTheLastShapeOnTop() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        const TimelineShape below{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}};
        const TimelineShape line{Form::Line, Qt::red, 3.0, {}, {4, 4, 4, 4}};
        QCOMPARE(pictureOf(*surface, sceneOf({below, line})).pixelColor(placeOf(2, 4)), QColor(Qt::red));
        QCOMPARE(pictureOf(*surface, sceneOf({line, below})).pixelColor(placeOf(2, 4)), QColor(Qt::blue));
    }

    void forgetsTheSceneBefore_data() { rowPerSurface(); }
    void forgetsTheSceneBefore() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        (void)pictureOf(*surface, sceneOf({{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}}}));
        QCOMPARE(pictureOf(*surface, sceneOf({})).pixelColor(placeOf(1, 4)), kGround);
    }

    void staysInsideThePlot_data() { rowPerSurface(); }
    void staysInsideThePlot() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        auto scene = sceneOf({{Form::Area, Qt::blue, 0.0, {0, 0, 0, 0}, {8, 8, 8, 8}}});
        scene.visible = {ms(10), ms(20)}; // the answer still is that of a longer interval
        const auto picture = pictureOf(*surface, scene);
        for (int y = 0; y < picture.height(); ++y) {
            QCOMPARE(picture.pixelColor(5, y), kGround);
            QCOMPARE(picture.pixelColor(435, y), kGround);
        }
        QCOMPARE(picture.pixelColor(placeOf(0, 4)), QColor(Qt::blue));
    }

    void drawsALevelAlsoDeepInAZoom_data() { rowPerSurface(); }
    void drawsALevelAlsoDeepInAZoom() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        auto scene = sceneOf({{Form::Line, Qt::red, 3.0, {}, {4, 4, 4, 4}}});
        scene.edges = {ms(0), ms(1'000'000), ms(2'000'000), ms(3'000'000), ms(4'000'000)};
        scene.visible = {ms(1'700'000), TraceTime{ms(1'700'000).ns + 20'000}}; // the ends lie 35 billion pixels away
        QCOMPARE(pictureOf(*surface, scene).pixelColor(placeOf(1, 4)), QColor(Qt::red));
        scene.shapes[0].form = Form::Area;
        scene.shapes[0].lower = {0, 0, 0, 0};
        QCOMPARE(pictureOf(*surface, scene).pixelColor(placeOf(1, 2)), QColor(Qt::red));
    }

    void takesNoInput_data() { rowPerSurface(); }
    void takesNoInput() {
        QFETCH(QString, name);
        QWidget parent;
        const auto surface = surfaceNamed(name, &parent);
        QVERIFY(surface->widget()->testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(surface->widget()->focusPolicy(), Qt::NoFocus);
    }

    void picturesOfBothAgree_data() {
        QTest::addColumn<int>("form");
        QTest::newRow("lines") << static_cast<int>(Form::Line);
        QTest::newRow("areas") << static_cast<int>(Form::Area);
        QTest::newRow("bars") << static_cast<int>(Form::Bars);
    }
    void picturesOfBothAgree() {
        QFETCH(int, form);
        QWidget parent;
        const auto built = makeTimelineSurface(&parent);
        if (dynamic_cast<PaintedTimelineSurface*>(built.get()))
            QSKIP("Built without Qt Charts: nothing to compare with");
        PaintedTimelineSurface painted(&parent);
        const auto scene = fullScene(static_cast<Form>(form));
        const QRectF plot(80, 10, 1300, 500);
        const auto one = pictureOf(*built, scene, plot, {1400, 540});
        const auto other = pictureOf(painted, scene, plot, {1400, 540});
        QImage black(one.size(), QImage::Format_RGB32);
        black.fill(Qt::black);
        QVERIFY(differenceOf(one, black) > 0.5); // it would find a difference
        const auto difference = differenceOf(one, other);
        QVERIFY2(difference < 0.002, qPrintable(QStringLiteral("%1 of the pixels differ").arg(difference)));
    }
};

HIGHWATER_TEST(TimelineSurfaceTest);
#include "timeline_surface_test.moc"

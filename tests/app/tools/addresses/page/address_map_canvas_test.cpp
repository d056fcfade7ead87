#include "app/tools/addresses/page/address_map_canvas.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace highwater;
using namespace highwater::ui;
using Place = AddressMapCanvas::Place;
using OptionalPlace = std::optional<Place>;

namespace {

constexpr TimeRange kFirstSecond{TraceTime{0}, TraceTime{1'000'000'000}};
/// Two parts of 256 KB each, far from each other.
constexpr Address kLow = 0x100000, kLowEnd = 0x140000, kHigh = 0x10000000, kHighEnd = 0x10040000;
constexpr double kAllPositions = 0x80000;

/// A picture of all of it: red above blue.
std::shared_ptr<const AddressMapAnswer> answerOfTwoParts() {
    AddressMapAnswer answer;
    answer.layout = std::make_shared<const analysis::AddressLayout>(
        std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0x10, 0x14}, {0x1000, 0x1004}});
    answer.map.query.interval = kFirstSecond;
    answer.map.query.lastPosition = answer.layout->size();
    answer.picture = QImage(2, 2, QImage::Format_RGB32);
    answer.picture.fill(Qt::red);
    for (int x = 0; x < 2; ++x)
        answer.picture.setPixelColor(x, 1, Qt::blue);
    return std::make_shared<const AddressMapAnswer>(std::move(answer));
}

/// The canvas on screen and with the keyboard; its queries since begin().
struct AddressCanvasStage {
    AddressMapCanvas canvas;
    QSignalSpy pictures{&canvas, &AddressMapCanvas::pictureWanted};
    QSignalSpy zooms{&canvas, &AddressMapCanvas::zoomWanted};
    QSignalSpy pans{&canvas, &AddressMapCanvas::panWanted};
    QSignalSpy alls{&canvas, &AddressMapCanvas::allWanted};
    QSignalSpy pointed{&canvas, &AddressMapCanvas::pointedAt};
    QSignalSpy clicks{&canvas, &AddressMapCanvas::clicked};
    QSignalSpy doubleClicks{&canvas, &AddressMapCanvas::doubleClicked};

    explicit AddressCanvasStage(const std::shared_ptr<const AddressMapAnswer>& answer = answerOfTwoParts()) {
        canvas.setInterval(kFirstSecond);
        canvas.setAnswer(answer);
        canvas.resize(640, 320);
        canvas.show();
        canvas.activateWindow();
        (void)QTest::qWaitForWindowActive(&canvas);
        canvas.setFocus();
        pictures.clear();
    }
    [[nodiscard]] QRect plot() const { return canvas.plot(); }
    [[nodiscard]] QPoint middle() const { return plot().center(); }
    /// In hundredths of the plot, from its lower left corner.
    [[nodiscard]] QPoint at(int right, int up) const {
        return {plot().left() + plot().width() * right / 100, plot().bottom() - plot().height() * up / 100};
    }
    [[nodiscard]] double shown() const {
        const auto [first, last] = canvas.shownPositions();
        return last - first;
    }
    /// Two turns halve the visible range. Returns whether the canvas accepted the event.
    bool turnWheel(QPoint place, int turns = 2, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(place, canvas.mapToGlobal(place), {}, {0, 120 * turns}, Qt::NoButton, with, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&canvas, &event);
        return event.isAccepted();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&canvas, key, with); }
    /// Whether the canvas takes the key from the menus.
    bool claims(Qt::Key key, Qt::KeyboardModifiers with = {}) {
        QKeyEvent event(QEvent::ShortcutOverride, key, with);
        event.ignore();
        QApplication::sendEvent(&canvas, &event);
        return event.isAccepted();
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, (from + to) / 2);
        QTest::mouseMove(&canvas, to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
    }
    /// All four events of a double click, which QTest does not send.
    void doubleClick(QPoint place) {
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, place);
        for (const auto type : {QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease}) {
            const auto held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
            QMouseEvent event(type, place, canvas.mapToGlobal(place), Qt::LeftButton, held, {});
            QApplication::sendEvent(&canvas, &event);
        }
    }
    [[nodiscard]] TimeRange zoomedTo() const { return zooms.last()[0].value<TimeRange>(); }
    [[nodiscard]] ZoomStep zoomStep() const { return zooms.last()[1].value<ZoomStep>(); }
    [[nodiscard]] OptionalPlace lastPointed() const { return pointed.last()[0].value<OptionalPlace>(); }
    [[nodiscard]] QColor colorAt(QPoint place) { return canvas.grab().toImage().pixelColor(place); }
};

bool isNear(std::int64_t ns, std::int64_t other, std::int64_t by = 10'000'000) { return std::abs(ns - other) <= by; }

} // namespace

/// The picture of addresses over time by mouse and keys, without computing it.
class AddressMapCanvasTest : public QObject {
    Q_OBJECT
  private slots:
    void lowBlocksAreTwoLinesHigh() {
        tests::SmallTrace trace;
        const auto all = ByteCount{1} << 32;
        trace.process(1, "a.exe").commit(0, 1, 0x10000000, all).decommit(100, 1, 0x10000000, all);
        trace.commit(200, 1, 0x500000000, 0x10000).commit(200, 1, 0x8000000, 0x10000); // above and below it
        AddressMapRequest request;
        request.trace = trace.publish(1000);
        request.colors = {Qt::red, Qt::green, Qt::blue};
        request.query.process = ProcessIndex{0};
        for (std::uint32_t i = 0; i < request.trace->processes->processes().size(); ++i)
            if ((*request.trace->processes)[ProcessIndex{i}].pid == 1) request.query.process = ProcessIndex{i};
        request.query.interval = kFirstSecond;
        request.query.columns = 10;
        request.query.lines = 100;
        request.query.instant = kFirstSecond.end;
        const auto answer = answerAddressMap(request, {});
        QVERIFY(answer.hasValue());
        const auto& picture = answer.value().picture;
        QList<int> lines;
        for (int line = 0; line < 100; ++line)
            if (picture.pixelColor(5, line).alpha() > 0) lines << line;
        QCOMPARE(lines, (QList<int>{0, 1, 98, 99}));
    }
    void addressesOf16DigitsAreNotCutOff() {
        AddressMapAnswer answer;
        answer.layout = std::make_shared<const analysis::AddressLayout>(
            std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0xffffffffff60, 0xffffffffff64}});
        answer.map.query.interval = kFirstSecond;
        answer.map.query.lastPosition = answer.layout->size();
        AddressCanvasStage stage(std::make_shared<const AddressMapAnswer>(answer));
        for (const auto* text : {"0xffffffffff600000", "0xdddddddddddddddd", "0x8888888888888888"}) {
            const auto needs = stage.canvas.fontMetrics().horizontalAdvance(text);
            QVERIFY2(stage.plot().left() > needs, qPrintable(QString::number(stage.plot().left())));
        }
    }
    void addressesRiseAndTimeGoesRight() {
        AddressCanvasStage stage;
        const auto lowest = stage.canvas.placeAt({stage.plot().left(), stage.plot().bottom()});
        const auto highest = stage.canvas.placeAt({stage.plot().right(), stage.plot().top()});
        QVERIFY(lowest && highest);
        QVERIFY(lowest->address >= kLow && lowest->address < kLow + 0x1000);
        QVERIFY(highest->address < kHighEnd && highest->address >= kHighEnd - 0x1000);
        QVERIFY(isNear(lowest->time.ns, 0) && isNear(highest->time.ns, kFirstSecond.end.ns));
        // The gap between the parts does not take space.
        QVERIFY(stage.canvas.placeAt(stage.at(50, 48))->address < kLowEnd);
        QVERIFY(stage.canvas.placeAt(stage.at(50, 52))->address >= kHigh);
        QVERIFY(!stage.canvas.yOf(0x200000));
    }
    void aPlaceIsDrawnWhereItIsFound() {
        AddressCanvasStage stage;
        for (int up = 1; up < 100; up += 7) {
            const auto point = stage.at(30, up);
            const auto y = stage.canvas.yOf(stage.canvas.placeAt(point)->address);
            QVERIFY2(y && std::abs(*y - point.y()) <= 1, qPrintable(QString::number(up)));
        }
    }
    void nothingIsOutsideThePicture() {
        AddressCanvasStage stage;
        QVERIFY(!stage.canvas.placeAt({stage.plot().left() - 1, stage.middle().y()})); // on the axis
        QVERIFY(!stage.canvas.placeAt({stage.middle().x(), stage.plot().bottom() + 1}));
        stage.canvas.setAnswer(nullptr);
        QVERIFY(!stage.canvas.placeAt(stage.middle()));
        QVERIFY(!stage.canvas.yOf(kLow));
    }

    void theWheelZoomsAtThePointerBothWays() {
        AddressCanvasStage stage;
        const auto place = stage.at(25, 75);
        const auto before = *stage.canvas.placeAt(place);
        QVERIFY(stage.turnWheel(place));
        QVERIFY(std::abs(stage.shown() - kAllPositions / 2) < 2);
        QCOMPARE(stage.pictures.size(), 1);
        const auto after = *stage.canvas.placeAt(place);
        QVERIFY(std::abs(static_cast<double>(after.address) - static_cast<double>(before.address)) < 0x1000);
        QCOMPARE(stage.zooms.size(), 1); // other widgets own the time
        QVERIFY(stage.zoomStep() == ZoomStep::Continued);
        const auto time = stage.zoomedTo();
        QVERIFY(isNear(time.end.ns - time.start.ns, kFirstSecond.end.ns / 2, 2));
        QVERIFY(isNear(before.time.ns - time.start.ns, before.time.ns / 2));
        stage.turnWheel(place, -2);
        QVERIFY(!stage.canvas.window());
    }
    void theWheelZoomsOneWayWithAModifier() {
        AddressCanvasStage stage;
        stage.turnWheel(stage.middle(), 2, Qt::ControlModifier);
        QVERIFY(std::abs(stage.shown() - kAllPositions / 2) < 2);
        QCOMPARE(stage.zooms.size(), 0);
        stage.turnWheel(stage.middle(), 2, Qt::ShiftModifier);
        QVERIFY(std::abs(stage.shown() - kAllPositions / 2) < 2);
        QCOMPARE(stage.zooms.size(), 1);
    }
    void zoomingEndsAtAFewBytes() {
        AddressCanvasStage stage;
        for (int i = 0; i < 40; ++i)
            stage.turnWheel(stage.at(50, 75), 2, Qt::ControlModifier);
        QVERIFY2(stage.shown() >= 63 && stage.shown() <= 65, qPrintable(QString::number(stage.shown())));
        for (int i = 0; i < 40; ++i)
            stage.turnWheel(stage.at(50, 75), -2, Qt::ControlModifier);
        QVERIFY(!stage.canvas.window());
    }

    void keysZoomIntoTheMiddleAndBack() {
        AddressCanvasStage stage;
        stage.press(Qt::Key_Plus);
        const auto half = stage.canvas.window();
        QVERIFY(half && std::abs(static_cast<double>(half->first) - 0x120000) < 2);
        QVERIFY(std::abs(static_cast<double>(half->last) - 0x1001ffff) < 2);
        QVERIFY(isNear(stage.zoomedTo().start.ns, 250'000'000) && isNear(stage.zoomedTo().end.ns, 750'000'000));
        stage.press(Qt::Key_Plus, Qt::ShiftModifier); // as many keyboards have it
        QVERIFY(std::abs(stage.shown() - kAllPositions / 4) < 2);
        stage.press(Qt::Key_Minus);
        QVERIFY(std::abs(stage.shown() - kAllPositions / 2) < 2);
        stage.press(Qt::Key_Minus);
        QVERIFY(!stage.canvas.window());
        stage.press(Qt::Key_Plus, Qt::ControlModifier); // not for the canvas
        QVERIFY(!stage.canvas.window());
    }
    void backspaceGoesBackAStepAndHomeToAll() {
        AddressCanvasStage stage;
        stage.press(Qt::Key_Plus);
        const auto half = stage.canvas.window();
        stage.press(Qt::Key_Plus);
        stage.press(Qt::Key_Up); // not a step
        stage.press(Qt::Key_Backspace);
        QVERIFY(stage.canvas.window() == half);
        stage.press(Qt::Key_Home);
        QVERIFY(!stage.canvas.window());
        QCOMPARE(stage.alls.size(), 1);
        stage.press(Qt::Key_Backspace);
        QVERIFY(stage.canvas.window() == half);
        stage.press(Qt::Key_Backspace);
        QVERIFY(!stage.canvas.window());
        stage.pictures.clear();
        stage.press(Qt::Key_Backspace); // nothing comes before
        QVERIFY(!stage.canvas.window() && stage.pictures.isEmpty());
    }
    void arrowsMove() {
        AddressCanvasStage stage;
        stage.press(Qt::Key_Up); // nothing comes after
        QVERIFY(!stage.canvas.window() && stage.pictures.isEmpty());
        stage.press(Qt::Key_Plus);
        const auto [first, last] = stage.canvas.shownPositions();
        stage.press(Qt::Key_Up);
        QVERIFY(std::abs(stage.canvas.shownPositions().first - first - (last - first) / 5) < 2);
        for (int i = 0; i < 10; ++i)
            stage.press(Qt::Key_Down);
        QCOMPARE(stage.canvas.shownPositions().first, 0.0); // and not below
        QVERIFY(std::abs(stage.shown() - (last - first)) < 2);
        stage.press(Qt::Key_Left);
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.pans.size(), 2);
        QCOMPARE(stage.pans[0][0].toLongLong(), -200'000'000);
        QCOMPARE(stage.pans[1][0].toLongLong(), 200'000'000);
    }
    void takesItsKeysFromTheMenus() {
        AddressCanvasStage stage;
        QVERIFY(stage.claims(Qt::Key_Backspace) && stage.claims(Qt::Key_Home));
        QVERIFY(!stage.claims(Qt::Key_Home, Qt::ControlModifier));
        QVERIFY(!stage.claims(Qt::Key_F));
        stage.canvas.setAnswer(nullptr);
        QVERIFY(!stage.claims(Qt::Key_Backspace)); // nothing to go back in
    }
    void nothingIsAskedForWithoutAPicture() {
        AddressCanvasStage stage(nullptr);
        QVERIFY(!stage.turnWheel(stage.middle()));
        for (const auto key : {Qt::Key_Plus, Qt::Key_Up, Qt::Key_Left, Qt::Key_Home, Qt::Key_Backspace})
            stage.press(key);
        stage.doubleClick(stage.middle());
        stage.drag(stage.at(20, 20), stage.at(80, 80));
        for (const auto* spy :
             {&stage.pictures, &stage.zooms, &stage.pans, &stage.alls, &stage.clicks, &stage.doubleClicks})
            QVERIFY2(spy->isEmpty(), spy->signal().constData());
    }

    void aDragZoomsIntoWhatWasDraggedOver() {
        AddressCanvasStage stage;
        const auto from = *stage.canvas.placeAt(stage.at(25, 90)), to = *stage.canvas.placeAt(stage.at(75, 60));
        stage.drag(stage.at(25, 90), stage.at(75, 60));
        const auto window = stage.canvas.window();
        QVERIFY(window && window->first <= to.address && window->last >= from.address);
        QVERIFY(std::abs(stage.shown() - 0.3 * kAllPositions) < 0.02 * kAllPositions);
        QVERIFY(isNear(stage.zoomedTo().start.ns, from.time.ns) && isNear(stage.zoomedTo().end.ns, to.time.ns));
        QVERIFY(stage.zoomStep() == ZoomStep::Own);
        QVERIFY(stage.clicks.isEmpty());
        stage.press(Qt::Key_Backspace);
        QVERIFY(!stage.canvas.window());
    }
    void aThinDragZoomsOneWay() {
        AddressCanvasStage stage;
        stage.drag(stage.at(20, 50), stage.at(80, 50));
        QVERIFY(!stage.canvas.window());
        QCOMPARE(stage.zooms.size(), 1);
        stage.drag(stage.at(50, 20), stage.at(50, 80));
        QVERIFY(stage.canvas.window());
        QCOMPARE(stage.zooms.size(), 1);
    }
    void aDragIsShownWhileItLasts() {
        AddressCanvasStage stage;
        const auto inside = stage.at(40, 75), outside = stage.at(90, 75);
        QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, stage.at(20, 90));
        QTest::mouseMove(&stage.canvas, stage.at(60, 60));
        QVERIFY(stage.colorAt(inside) != stage.colorAt(outside));
        QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, stage.at(60, 60));
        QCOMPARE(stage.colorAt(inside), stage.colorAt(outside));
    }

    void tellsWhatIsPointedAt() {
        AddressCanvasStage stage;
        const auto place = stage.at(30, 70);
        QTest::mouseMove(&stage.canvas, place + QPoint(1, 0));
        QTest::mouseMove(&stage.canvas, place);
        QVERIFY(stage.lastPointed() && stage.lastPointed() == stage.canvas.placeAt(place));
        QTest::mouseMove(&stage.canvas, {stage.plot().left() - 5, place.y()});
        QVERIFY(!stage.lastPointed());
        QTest::mouseMove(&stage.canvas, place);
        QVERIFY(stage.lastPointed());
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&stage.canvas, &leave);
        QVERIFY(!stage.lastPointed());
        QVERIFY(stage.zooms.isEmpty() && stage.pictures.isEmpty());
    }
    void aClickReportsItsPlace() {
        AddressCanvasStage stage;
        const auto place = stage.at(30, 70);
        QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, place);
        QCOMPARE(stage.clicks.size(), 1);
        QVERIFY(stage.clicks[0][0].value<Place>() == *stage.canvas.placeAt(place));
        QTest::mouseClick(&stage.canvas, Qt::RightButton, {}, place);
        QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {2, place.y()}); // on the axis
        QCOMPARE(stage.clicks.size(), 1);
    }
    void aTremblingClickIsNotADrag() {
        AddressCanvasStage stage;
        const auto place = stage.at(30, 70);
        QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, place);
        QTest::mouseMove(&stage.canvas, place + QPoint(1, 1));
        QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, place + QPoint(1, 1));
        QCOMPARE(stage.clicks.size(), 1);
        QVERIFY(stage.clicks[0][0].value<Place>() == *stage.canvas.placeAt(place)); // where it was pressed
        QVERIFY(!stage.canvas.window() && stage.zooms.isEmpty());
    }
    void aDoubleClickIsNotASecondClick() {
        AddressCanvasStage stage;
        const auto place = stage.at(30, 70);
        stage.doubleClick(place);
        QCOMPARE(stage.doubleClicks.size(), 1);
        QVERIFY(stage.doubleClicks[0][0].value<Place>() == *stage.canvas.placeAt(place));
        QCOMPARE(stage.clicks.size(), 1); // the first of the two
    }

    void anAddressThatIsLookedForComesIntoSight() {
        AddressCanvasStage stage;
        stage.drag(stage.at(50, 10), stage.at(50, 30));
        const auto before = stage.canvas.window();
        const auto length = stage.shown();
        QVERIFY(!stage.canvas.yOf(kHigh + 0x8000));
        stage.canvas.setHighlight(kHigh + 0x8000);
        const auto y = stage.canvas.yOf(kHigh + 0x8000);
        QVERIFY(y && std::abs(*y - stage.middle().y()) <= 2);
        QVERIFY(std::abs(stage.shown() - length) < 2); // as close as before
        const auto line = stage.canvas.palette().color(QPalette::Highlight);
        QCOMPARE(stage.colorAt({stage.at(30, 0).x(), *y}), line);
        stage.canvas.setHighlight(std::nullopt);
        QVERIFY(stage.colorAt({stage.at(30, 0).x(), *y}) != line);
        stage.press(Qt::Key_Backspace);
        QVERIFY(stage.canvas.window() == before);
    }
    void visibleOrMissingAddressesDoNotScroll() {
        AddressCanvasStage stage;
        stage.press(Qt::Key_Plus);
        stage.pictures.clear();
        const auto before = stage.canvas.window();
        stage.canvas.setHighlight(kHigh); // in the middle
        stage.canvas.setHighlight(0x200000);
        QVERIFY(stage.canvas.window() == before && stage.pictures.isEmpty());
    }

    void theLastPictureStaysWhereItBelongs() {
        AddressCanvasStage stage;
        QCOMPARE(stage.colorAt(stage.at(20, 85)), QColor(Qt::red));
        QCOMPARE(stage.colorAt(stage.at(20, 15)), QColor(Qt::blue));
        stage.drag(stage.at(50, 10), stage.at(50, 40)); // all of that is below the red
        QCOMPARE(stage.colorAt(stage.at(20, 85)), QColor(Qt::blue));
        stage.press(Qt::Key_Home);
        stage.canvas.setInterval({TraceTime{500'000'000}, TraceTime{1'500'000'000}});
        QCOMPARE(stage.colorAt(stage.at(40, 85)), QColor(Qt::red));
        QCOMPARE(stage.colorAt(stage.at(60, 85)), stage.canvas.palette().color(QPalette::Base)); // not known yet
    }
    void anotherSizeOrLookAsksForAnotherPicture() {
        AddressCanvasStage stage;
        stage.canvas.resize(700, 340);
        QCOMPARE(stage.pictures.size(), 1);
        auto palette = stage.canvas.palette();
        palette.setColor(QPalette::Highlight, Qt::green);
        stage.canvas.setPalette(palette);
        QVERIFY(stage.pictures.size() > 1);
        QCOMPARE(AddressMapCanvas::colorsOf(palette).kept, QColor(Qt::green));
        QVERIFY(AddressMapCanvas::colorsOf(palette).freed.alpha() < 255);
    }
    void forgetsWhereItWas() {
        AddressCanvasStage stage;
        stage.press(Qt::Key_Plus);
        stage.canvas.forget();
        QVERIFY(!stage.canvas.window() && !stage.canvas.answer());
        stage.canvas.setAnswer(answerOfTwoParts());
        stage.press(Qt::Key_Backspace);
        QVERIFY(!stage.canvas.window()); // that was another trace
        QCOMPARE(stage.shown(), kAllPositions);
    }
};

HIGHWATER_TEST(AddressMapCanvasTest);
#include "address_map_canvas_test.moc"

#include "ui/view/timeline/timeline_overlay.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;

namespace {

const QRectF kOverlayPlot(50, 10, 900, 200);

/// One second over the plot, with two words at the cursor.
TimelineOverlay::Marks marksAt(std::int64_t cursor) {
    TimelineOverlay::Marks marks;
    marks.coordinates = {{ms(0), ms(1000)}, kOverlayPlot};
    marks.cursor = ms(cursor);
    marks.words = {{"0.500000 s", {}, {}}, {"app.exe (1)", "1.0 MB", Qt::blue}};
    return marks;
}

} // namespace

/// The place of the cursor's text: beside it, inside the plot, and beside the lines if possible.
class TimelineOverlayTest : public QObject {
    Q_OBJECT
  private slots:
    void wordsStandBesideTheCursorInsideThePlot() {
        TimelineOverlay overlay;
        for (const auto time : {0, 300, 500, 990, 1000}) {
            overlay.setMarks(marksAt(time));
            const auto box = overlay.wordsBox();
            const auto cursor = overlay.marks().coordinates.xOf(ms(time));
            QVERIFY(kOverlayPlot.contains(box));
            QVERIFY(box.left() > cursor || box.right() < cursor);
        }
        overlay.setMarks({});
        QVERIFY(overlay.wordsBox().isEmpty());
    }
    void theyTakeTheFirstPlaceWithoutALine() {
        TimelineOverlay overlay;
        overlay.setMarks(marksAt(500));
        const auto middle = kOverlayPlot.center();
        QVERIFY(overlay.wordsBox().left() > middle.x() && overlay.wordsBox().top() < middle.y());
        overlay.setLines([&](const QRectF& place) { return place.left() > middle.x(); });
        QVERIFY(overlay.wordsBox().right() < middle.x() && overlay.wordsBox().top() < middle.y());
        overlay.setLines([&](const QRectF& place) { return place.top() < middle.y(); });
        QVERIFY(overlay.wordsBox().left() > middle.x() && overlay.wordsBox().top() > middle.y());
        overlay.setLines([](const QRectF&) { return true; }); // no better place exists
        QVERIFY(overlay.wordsBox().left() > middle.x() && overlay.wordsBox().top() < middle.y());
    }
    void theyNeverCoverThePointedPlace() {
        TimelineOverlay overlay;
        overlay.setLines([](const QRectF&) { return true; });
        for (const double width : {900.0, 260.0, 130.0}) { // the last is narrower than the words and a cursor
            for (int x = 0; x <= 1000; x += 20) {
                auto marks = marksAt(x);
                marks.coordinates.plot.setWidth(width);
                const auto cursor = marks.coordinates.xOf(ms(x));
                for (const double y : {12.0, 60.0, 110.0, 160.0, 205.0}) {
                    marks.pointed = {cursor - 8, y - 8, 16, 16};
                    overlay.setMarks(marks);
                    QVERIFY2(!overlay.wordsBox().intersects(marks.pointed), qPrintable(QString("%1 %2").arg(x).arg(y)));
                    QVERIFY(width < 200 || marks.coordinates.plot.contains(overlay.wordsBox()));
                }
            }
        }
    }
    void theyLeaveALongBarFree() {
        TimelineOverlay overlay;
        for (const double y : {10.0, 60.0, 110.0, 160.0, 200.0}) {
            auto marks = marksAt(500);
            marks.pointed = {50, y, 900, 10}; // the whole plot
            overlay.setMarks(marks);
            QVERIFY2(!overlay.wordsBox().intersects(marks.pointed), qPrintable(QString::number(y)));
        }
    }
    void moreWordsThanHaveRoomAreCounted() {
        TimelineOverlay overlay;
        auto marks = marksAt(500);
        for (int i = 0; i < 40; ++i)
            marks.words.push_back({QString::number(i), "1 KB", Qt::blue});
        overlay.setMarks(marks);
        QVERIFY(kOverlayPlot.contains(overlay.wordsBox()));
    }
};
HIGHWATER_TEST(TimelineOverlayTest);
#include "timeline_overlay_test.moc"

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

/// Where the words of the cursor stand: beside it, inside the plot, and, where that can be, beside the lines.
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
        overlay.setLines([](const QRectF&) { return true; }); // there is no better one
        QVERIFY(overlay.wordsBox().left() > middle.x() && overlay.wordsBox().top() < middle.y());
    }
};
HIGHWATER_TEST(TimelineOverlayTest);
#include "timeline_overlay_test.moc"

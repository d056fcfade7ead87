#include "tests/support/test_registry.h"
#include "tests/ui/view/flames/flame_stage.h"

#include <QSignalSpy>
#include <QToolTip>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

/// Mouse and keys in a flame graph.
class FlameCanvasInputTest : public QObject {
    Q_OBJECT
  private slots:
    void aClickZoomsInAndAClickOnAParentZoomsOut() {
        FlameStage stage;
        stage.click("0x400300");
        QCOMPARE(stage.zoomed(), "0x400300");
        QCOMPARE(stage.canvas.rectOf(stage.node("0x400300")).width(), stage.canvas.viewport()->width() - 1);
        QVERIFY(stage.canvas.rectOf(stage.node("0x400400")).isEmpty());
        stage.click("0x400200");
        QCOMPARE(stage.zoomed(), "0x400200");
        QVERIFY(!stage.canvas.rectOf(stage.node("0x400400")).isEmpty());
    }
    void escapeAndBackspaceGoBackAndHomeShowsAll() {
        FlameStage stage;
        stage.click("a.exe (1)");
        stage.click("0x400300");
        stage.key(Qt::Key_Escape);
        QCOMPARE(stage.zoomed(), "a.exe (1)");
        stage.key(Qt::Key_Backspace);
        QCOMPARE(stage.zoomed(), "");
        QVERIFY(!stage.canvas.canGoBack());
        stage.click("0x400300");
        stage.key(Qt::Key_Home);
        QCOMPARE(stage.zoomed(), "");
        stage.key(Qt::Key_Escape); // back to the view before Home
        QCOMPARE(stage.zoomed(), "0x400300");
    }
    void arrowsWalkInTheDirectionsInWhichFramesStand() {
        FlameStage stage;
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.current(), ""); // all
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.current(), "a.exe (1)");
        stage.key(Qt::Key_Right);
        QCOMPARE(stage.current(), "b.exe (2)");
        stage.key(Qt::Key_Right); // no other one exists
        QCOMPARE(stage.current(), "b.exe (2)");
        stage.key(Qt::Key_Left);
        stage.key(Qt::Key_Up);
        stage.key(Qt::Key_Up);
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.current(), "0x400400"); // the widest
        stage.key(Qt::Key_Right);
        QCOMPARE(stage.current(), "0x400300");
        stage.key(Qt::Key_Down);
        QCOMPARE(stage.current(), "0x400200");
        stage.graph.setChart(ChartType::Icicle);
        stage.key(Qt::Key_Down);
        QCOMPARE(stage.current(), "0x400400");
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.current(), "0x400200");
    }
    void enterZoomsAndControlEnterGoesToTheRow() {
        FlameStage stage;
        QSignalSpy rows(&stage.view, &FlameView::rowWanted);
        stage.canvas.setCurrent(stage.node("0x400200"));
        stage.key(Qt::Key_Return);
        QCOMPARE(stage.zoomed(), "0x400200");
        stage.key(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(rows.count(), 1);
        QCOMPARE(rows.front().front().value<analysis::KeyPath>().size(), std::size_t{3});
    }
    void walksDownToTheZoomFromItsParents() {
        FlameStage stage;
        stage.click("0x400300");
        stage.canvas.setCurrent(stage.node("a.exe (1)"));
        stage.key(Qt::Key_Up);
        stage.key(Qt::Key_Up);
        stage.key(Qt::Key_Up);
        QCOMPARE(stage.current(), "0x400300"); // not the widest, which is outside of the zoom
    }
    void aDoubleClickGoesToTheRow() {
        FlameStage stage;
        QSignalSpy rows(&stage.view, &FlameView::rowWanted);
        const auto place = stage.placeOf("0x400300");
        QTest::mouseClick(stage.canvas.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(stage.canvas.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(rows.count(), 1);
        QCOMPARE(rows.front().front().value<analysis::KeyPath>().size(), std::size_t{4});
    }
    void hoveringShowsTheAmountsOfAFrame() {
        FlameStage stage;
        const auto place = stage.placeOf("0x400300");
        QMouseEvent move(QEvent::MouseMove, place, stage.canvas.viewport()->mapToGlobal(place), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(stage.canvas.viewport(), &move);
        QCOMPARE(stage.canvas.words(),
                 (QStringList{"0x400300", "16.0 KB (16,384 B)", "30.8 % of all, 33.3 % of its parent", "Count 1"}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(stage.canvas.viewport(), &leave);
        QCOMPARE(stage.canvas.words(), QStringList{"Size 52.0 KB in 7 frames."});
    }
    void aTooltipShowsTheSame() {
        FlameStage stage;
        const auto place = stage.placeOf("0x400300");
        QHelpEvent help(QEvent::ToolTip, place, stage.canvas.viewport()->mapToGlobal(place));
        QApplication::sendEvent(stage.canvas.viewport(), &help);
        QVERIFY(QToolTip::text().contains("16,384 B"));
        QToolTip::hideText();
    }
    void keysThatMeanNothingHereAreLeftToOthers() {
        FlameStage stage;
        const auto takes = [&](int key, Qt::KeyboardModifiers modifiers = {}) {
            QKeyEvent event(QEvent::ShortcutOverride, key, modifiers);
            event.ignore();
            QApplication::sendEvent(&stage.canvas, &event);
            return event.isAccepted();
        };
        QVERIFY(!takes(Qt::Key_Escape)); // nothing to go back to
        QVERIFY(!takes(Qt::Key_T, Qt::ControlModifier));
        QVERIFY(!takes(Qt::Key_Left, Qt::AltModifier)); // back in the history
        QVERIFY(takes(Qt::Key_Left));
        QVERIFY(takes(Qt::Key_F, Qt::ControlModifier));
        stage.click("0x400300");
        QVERIFY(takes(Qt::Key_Escape));
    }
    void aClickOutsideOfFramesIsHarmless() {
        FlameStage stage;
        stage.shown.clear();
        QVERIFY(!stage.canvas.answer());
        for (const auto key : {Qt::Key_Up, Qt::Key_Return, Qt::Key_Home, Qt::Key_F3, Qt::Key_Escape})
            stage.key(key);
        QTest::mouseClick(stage.canvas.viewport(), Qt::LeftButton, {}, QPoint(10, 10));
        QVERIFY(stage.canvas.words().isEmpty());
        stage.canvas.grab();
    }
};
HIGHWATER_TEST(FlameCanvasInputTest);
#include "flame_canvas_input_test.moc"

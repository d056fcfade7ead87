#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/view/timeline/timeline_picture.h"
#include "ui/view/timeline/timeline_view.h"
#include "ui/view/timeline/zoom_actions.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

struct TimelineViewStage {
    AnalysisState state;
    GraphState& graph = state.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    ZoomActions actions{state};
    TimelineView view{graph, colors, actions};

    TimelineViewStage() {
        state.reset({ms(0), ms(1000)});
        view.setAnswer(spikyTimeline(1 << 20));
        view.resize(1100, 300);
        view.show();
        view.activateWindow();
        view.setFocus();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    [[nodiscard]] QPoint at(std::int64_t time) const {
        return {static_cast<int>(std::lround(view.coordinates().xOf(ms(time)))), 100};
    }
    void moveTo(std::int64_t time) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    void hover(std::int64_t time) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    void drag(std::int64_t from, std::int64_t to) {
        QTest::mousePress(&view, Qt::LeftButton, {}, at(from));
        moveTo((from + to) / 2);
        moveTo(to);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, at(to));
    }
    void wheel(std::int64_t time, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), {}, {0, notches * 120}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }
};

bool isNear(TraceTime time, std::int64_t wantedMs) { return std::abs(time.ns - ms(wantedMs).ns) < ms(2).ns; }

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT
  private slots:
    void selectsByDragging() {
        TimelineViewStage stage;
        stage.drag(600, 300); // backwards, too
        QVERIFY(stage.state.selection());
        QVERIFY(isNear(stage.state.selection()->start, 300));
        QVERIFY(isNear(stage.state.selection()->end, 600));
    }
    void tellsTheSelectionBesideTheCursor() {
        TimelineViewStage stage;
        stage.state.select({ms(200), ms(300)});
        QCOMPARE(stage.view.words(), (QStringList{"Start 0.200000 s", "End 0.300000 s", "Duration 100.0 ms"}));
        stage.view.setSelectionDelta({ms(200), ms(300)}, 10485760);
        QCOMPARE(stage.view.words().last(), "Change +10.0 MB");
        stage.state.select({ms(200), ms(400)}); // the difference is not known yet
        QCOMPARE(stage.view.words().size(), 3);
    }
    void zoomsByKeys() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        QTest::keyClick(&stage.view, Qt::Key_Return);
        QVERIFY(isNear(stage.state.visibleRange().start, 300) && isNear(stage.state.visibleRange().end, 600));
        QVERIFY(!stage.state.selection());
        QTest::keyClick(&stage.view, Qt::Key_Backspace);
        QVERIFY(!stage.state.isZoomed());
        QTest::keyClick(&stage.view, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(stage.state.isZoomed());
        QTest::keyClick(&stage.view, Qt::Key_Left, Qt::AltModifier);
        QVERIFY(!stage.state.isZoomed());
        QTest::keyClick(&stage.view, Qt::Key_Right, Qt::AltModifier);
        QTest::keyClick(&stage.view, Qt::Key_Home);
        QVERIFY(!stage.state.isZoomed());
    }
    void clearsTheSelectionByEscapeOrAClick() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(!stage.state.selection());
        stage.drag(300, 600);
        QTest::mouseClick(&stage.view, Qt::LeftButton, {}, stage.at(100));
        QVERIFY(!stage.state.selection());
    }
    void extendsTheSelectionWithShift() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        QTest::mouseClick(&stage.view, Qt::LeftButton, Qt::ShiftModifier, stage.at(800));
        QVERIFY(isNear(stage.state.selection()->start, 300) && isNear(stage.state.selection()->end, 800));
    }
    void selectsWithoutAMouse() {
        TimelineViewStage stage;
        QTest::keyClick(&stage.view, Qt::Key_Right); // the cursor stands in the middle, then 1 % further
        QTest::keyClick(&stage.view, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&stage.view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(stage.state.selection());
        QCOMPARE(*stage.state.selection(), (TimeRange{ms(510), ms(530)}));
    }
    void zoomsAtThePointerByWheel() {
        TimelineViewStage stage;
        stage.wheel(250, 3);
        const auto visible = stage.state.visibleRange();
        QVERIFY(visible.end.ns - visible.start.ns < ms(600).ns);
        QVERIFY(isNear(stage.view.coordinates().timeAt(stage.at(250).x()), 250));
        stage.wheel(250, -1, Qt::ShiftModifier);
        QVERIFY(stage.state.visibleRange().start > visible.start);
        stage.state.back();
        QVERIFY(!stage.state.isZoomed());
    }
    void offersTheZoomInItsMenu() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        QContextMenuEvent event(QContextMenuEvent::Mouse, stage.at(400), stage.view.mapToGlobal(stage.at(400)));
        QApplication::sendEvent(&stage.view, &event);
        auto* menu = stage.view.findChild<QMenu*>("timelineMenu");
        QVERIFY(menu && menu->isVisible());
        auto* zoom = menu->actions().first();
        QVERIFY(zoom->text().contains("Zoom to Selection") || zoom->text().contains("&Zoom to Selection"));
        zoom->trigger();
        QVERIFY(stage.state.isZoomed());
        menu->close();
        stage.actions.findChild<QAction*>("unzoom")->trigger();
        QVERIFY(!stage.state.isZoomed());
        QVERIFY(!stage.actions.findChild<QAction*>("unzoom")->isEnabled());
    }
    void drawsASpikeOfOneSlice() {
        TimelineViewStage stage;
        QTRY_VERIFY(spikeHeight(stage) > 0.7);
        stage.graph.hideSeries({0});
        QTRY_COMPARE(spikeHeight(stage), 0.0);
    }
    void tellsTheValueOfEachLineAtTheCursor() {
        TimelineViewStage stage;
        QSignalSpy cursor(&stage.view, &TimelineView::cursorMoved);
        stage.hover(505);
        QCOMPARE(stage.view.words().size(), 2);
        QCOMPARE(stage.view.words().last(), "app.exe (1) 2.0 MB");
        QVERIFY(cursor.count() > 0);
        stage.hover(300);
        QCOMPARE(stage.view.words().last(), "app.exe (1) 1.0 MB");
        stage.graph.hideSeries({0});
        stage.hover(301);
        QCOMPARE(stage.view.words().size(), 1); // the time alone
    }
    void showsTheInstantAtTheCursorByL() {
        TimelineViewStage stage;
        stage.hover(505);
        QTest::keyClick(&stage.view, Qt::Key_L);
        QVERIFY(stage.state.instant());
        QVERIFY(isNear(*stage.state.instant(), 505));
        QTest::keyClick(&stage.view, Qt::Key_L);
        QVERIFY(!stage.state.instant());
        stage.hover(100);
        QTest::keyClick(&stage.view, Qt::Key_L);
        stage.hover(700); // elsewhere it moves
        QTest::keyClick(&stage.view, Qt::Key_L);
        QVERIFY(isNear(*stage.state.instant(), 700));
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(!stage.state.instant());
    }
    void showsAnInstantWithoutAMouse() {
        TimelineViewStage stage;
        QTest::keyClick(&stage.view, Qt::Key_Right); // from the middle, 1 %
        QTest::keyClick(&stage.view, Qt::Key_L);
        QCOMPARE(stage.state.instant(), std::optional(ms(510)));
    }
    void escapeClearsOneThingAtATime() {
        TimelineViewStage stage;
        stage.state.showInstant(ms(100));
        stage.drag(300, 600);
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(!stage.state.selection() && stage.state.instant());
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(!stage.state.instant());
    }
    void highlightsTheSelectionUntilItIsCleared() {
        TimelineViewStage stage;
        stage.drag(300, 600);
        stage.actions.findChild<QAction*>("highlightSelection")->trigger();
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(stage.state.highlight());
        const auto tinted = stage.view.grab().toImage().pixelColor(stage.at(450) - QPoint(0, 60));
        const auto plain = stage.view.grab().toImage().pixelColor(stage.at(700) - QPoint(0, 60));
        QVERIFY(tinted != plain);
        stage.actions.findChild<QAction*>("clearHighlight")->trigger();
        QVERIFY(!stage.state.highlight());
    }
    void saysWhichLineIsClicked() {
        TimelineViewStage stage;
        QSignalSpy pointed(&stage.view, &TimelineView::rowPointedAt);
        const auto click = [&](std::int64_t time, double amount) {
            const QPoint place(stage.at(time).x(), static_cast<int>(stage.view.yOf(amount)));
            QTest::mouseClick(&stage.view, Qt::LeftButton, {}, place);
        };
        click(505, 1.8 * (1 << 20)); // the side of the spike
        QCOMPARE(pointed.count(), 1);
        const auto slice = pointed.first()[0].value<TimeRange>();
        QCOMPARE(slice, (TimeRange{ms(500), ms(510)}));
        const auto series = pointed.first()[1].value<std::optional<analysis::KeyStep>>();
        QVERIFY(series && series->column == analysis::Column::Process && series->key == 0);
        click(200, 1.8 * (1 << 20)); // above everything
        QCOMPARE(pointed.count(), 1);
        stage.drag(300, 600); // is no click
        QCOMPARE(pointed.count(), 1);
    }
    void pansSidewaysAndTakesFineWheels() {
        TimelineViewStage stage;
        stage.state.zoomTo({ms(200), ms(600)});
        QWheelEvent sideways(QPointF(stage.at(300)), stage.view.mapToGlobal(QPointF(stage.at(300))), {-40, 0}, {-60, 0},
                             Qt::NoButton, Qt::NoModifier, Qt::ScrollUpdate, false);
        QApplication::sendEvent(&stage.view, &sideways);
        const auto visible = stage.state.visibleRange();
        QVERIFY(visible.start > ms(200));
        QCOMPARE(visible.end.ns - visible.start.ns, ms(400).ns);
        const auto before = visible.end.ns - visible.start.ns;
        for (int i = 0; i < 8; ++i) { // an eighth of a notch each
            QWheelEvent fine(QPointF(stage.at(300)), stage.view.mapToGlobal(QPointF(stage.at(300))), {0, 5}, {0, 15},
                             Qt::NoButton, Qt::NoModifier, Qt::ScrollUpdate, false);
            QApplication::sendEvent(&stage.view, &fine);
        }
        const auto after = stage.state.visibleRange().end.ns - stage.state.visibleRange().start.ns;
        QVERIFY(std::abs(static_cast<double>(after) / static_cast<double>(before) - 0.8) < 0.01);
    }
    void drawsEveryChartType() {
        TimelineViewStage stage;
        for (const auto chart : {ChartType::StackedArea, ChartType::Bars, ChartType::Line}) {
            stage.graph.setChart(chart);
            QTRY_VERIFY(spikeHeight(stage, chart == ChartType::Line ? 90 : 200) > 0.7);
        }
    }
    void paintsRowsAndForgetsThem() {
        TimelineViewStage stage;
        auto painted = std::make_shared<PaintedAnswer>();
        painted->query = stage.view.answer()->query;
        painted->rows = {{{{analysis::Column::Process, 0}}, std::vector<SignedByteCount>(100, 0)}};
        painted->rows.front().peaks[20] = 1 << 19;
        stage.view.setPainted(painted);
        QCOMPARE(stage.view.scene().shapes.size(), std::size_t{2});
        const auto picture = stage.view.grab().toImage();
        const auto inside = QPoint(stage.at(205).x(), static_cast<int>(stage.view.yOf(0.75 * (1 << 20))));
        const auto below = QPoint(stage.at(205).x(), static_cast<int>(stage.view.yOf(0.25 * (1 << 20))));
        QVERIFY(picture.pixelColor(inside) != picture.pixelColor(below));
        stage.view.setPainted(nullptr);
        QCOMPARE(stage.view.scene().shapes.size(), std::size_t{1});
    }
    void makesAPictureTwiceAsFine() {
        TimelineViewStage stage;
        stage.hover(300);
        const auto picture = pictureOf(stage.view, stage.graph);
        QCOMPARE(picture.devicePixelRatio(), 2.0);
        QCOMPARE(picture.width(), stage.view.width() * 2);
        QVERIFY(picture.height() > stage.view.height() * 2); // title and legend above
        QVERIFY(stage.view.cursor());                        // is not in the picture, but still there
    }
    void exportsByItsMenu() {
        TimelineViewStage stage;
        QTemporaryDir folder;
        stage.view.exportAction()->trigger();
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog);
        emit dialog->fileSelected(folder.filePath("graph.png"));
        QCOMPARE(QImage(folder.filePath("graph.png")).width(), stage.view.width() * 2);
        QSignalSpy failed(&stage.view, &TimelineView::pictureFailed);
        emit dialog->fileSelected(folder.path());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("it is a folder"));
        emit dialog->fileSelected(folder.filePath("graph.v2"));
        QCOMPARE(failed.count(), 1);
        QVERIFY(!QImage(folder.filePath("graph.v2"), "PNG").isNull());
        dialog->close();
    }
    void asksForAPointAPixel() {
        TimelineViewStage stage;
        QSignalSpy spy(&stage.view, &TimelineView::plotWidthChanged);
        stage.view.resize(900, 300);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toInt(), static_cast<int>(stage.view.coordinates().plot.width()));
    }

  private:
    /// How far up the plot the line's colour reaches near the spike at 505 ms.
    static double spikeHeight(TimelineViewStage& stage, int tolerance = 90) {
        const auto picture = stage.view.grab().toImage();
        const auto color = stage.colors.colorOf({analysis::Column::Process, 0});
        const auto plot = stage.view.coordinates().plot;
        for (int y = static_cast<int>(plot.top()); y < static_cast<int>(plot.bottom()); ++y) {
            for (int x = stage.at(495).x(); x < stage.at(515).x(); ++x) {
                const auto pixel = picture.pixelColor(x, y);
                const auto distance = std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                                      std::abs(pixel.blue() - color.blue());
                if (distance < tolerance) return (plot.bottom() - y) / plot.height();
            }
        }
        return 0.0;
    }
};
HIGHWATER_TEST(TimelineViewTest);
#include "timeline_view_test.moc"

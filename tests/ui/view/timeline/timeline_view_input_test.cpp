#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"
#include "ui/view/parts/svg_file.h"
#include "ui/view/timeline/timeline_picture.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

/// Mouse, wheel and keys in the timeline.
class TimelineViewInputTest : public QObject {
    Q_OBJECT
  private slots:
    void selectsByDragging() {
        TimelineViewStage stage;
        stage.drag(600, 300); // also backwards
        QVERIFY(stage.state.selection());
        QVERIFY(isNear(stage.state.selection()->start, 300));
        QVERIFY(isNear(stage.state.selection()->end, 600));
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
        QTest::keyClick(&stage.view, Qt::Key_Right); // the cursor is in the middle, then 1 % further
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
        stage.hover(700); // at another place it moves
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
    void reportsTheClickedLine() {
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
        QCOMPARE(pointed.first()[1].value<analysis::KeyPath>(), (analysis::KeyPath{{analysis::Column::Process, 0}}));
        click(200, 1.8 * (1 << 20)); // above everything
        QCOMPARE(pointed.count(), 1);
        stage.drag(300, 600); // not a click
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
    void exportsByItsMenu() {
        TimelineViewStage stage;
        QTemporaryDir folder;
        stage.view.exportAction()->trigger();
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog);
        QSignalSpy saved(&stage.view, &TimelineView::pictureSaved);
        emit dialog->fileSelected(folder.filePath("graph.png"));
        QCOMPARE(saved.count(), 1);
        QCOMPARE(saved[0][0].toString(), folder.filePath("graph.png"));
        QCOMPARE(QImage(folder.filePath("graph.png")).width(), stage.view.width() * 2);
        QSignalSpy failed(&stage.view, &TimelineView::pictureFailed);
        emit dialog->fileSelected(folder.path());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("it is a folder"));
        QCOMPARE(saved.count(), 1);
        emit dialog->fileSelected(folder.filePath("graph.v2"));
        QCOMPARE(failed.count(), 1);
        QVERIFY(!QImage(folder.filePath("graph.v2"), "PNG").isNull());
        dialog->close();
    }
    void proposesTheNameOfTheTrace() {
        TimelineViewStage stage;
        stage.view.setTraceName([] { return QString("app.etl"); });
        stage.view.exportAction()->trigger();
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog->selectedFiles().value(0).endsWith("/app VirtualAlloc Commit LifeTimes.png"));
        if (!canSaveSvg()) return;
        emit dialog->filterSelected(dialog->nameFilters().last());
        QVERIFY(dialog->selectedFiles().value(0).endsWith("/app VirtualAlloc Commit LifeTimes.svg"));
    }
    void savesADrawingOfLinesAndLetters() {
        if (!canSaveSvg()) QSKIP("This build has no SVG.");
        TimelineViewStage stage;
        stage.view.setAnswer(spikyTimeline(1 << 20));
        stage.view.setZonesOf(SmallTrace().lose(Loss::EventsLost, 1, 310, 340).publish(1000).get());
        stage.state.select({ms(200), ms(300)});
        QTemporaryDir folder;
        for (const auto chart : {ChartType::Line, ChartType::StackedArea, ChartType::Bars}) {
            stage.graph.setChart(chart);
            stage.view.exportAction()->trigger();
            auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
            emit dialog->fileSelected(folder.filePath("graph.svg"));
            delete dialog;
            QFile file(folder.filePath("graph.svg"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto svg = QString::fromUtf8(file.readAll());
            QVERIFY(svg.size() < 100'000);
            QVERIFY(svg.contains(chart == ChartType::Line ? "<polyline" : "<path"));
            QVERIFY(!svg.contains("<image"));
            // Title, units of both axes, legend, and the text of the selection.
            for (const auto* text : {"VirtualAlloc Commit LifeTimes, 0.000000 s to 1.000000 s", " MB", "0.5 s",
                                     "app.exe (1), peak 2.0 MB", "Duration"})
                QVERIFY2(svg.contains(text), text);
        }
    }
    void aDrawingHasAPointAPixelHoweverManySlices() {
        if (!canSaveSvg()) QSKIP("This build has no SVG.");
        TimelineViewStage stage;
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(1 << 20));
        answer->timeline.starts.clear();
        auto& peaks = answer->timeline.series.front().peaks;
        peaks.clear();
        for (int i = 0; i < 1000; ++i) { // one slice per pixel, as the window requests
            answer->timeline.starts.push_back(TraceTime{ms(i).ns});
            peaks.push_back(i % 7 * 1000);
        }
        stage.view.setAnswer(answer);
        QTemporaryDir folder;
        QVERIFY(saveDrawingOf(stage.view, stage.graph, folder.filePath("g.svg")).isEmpty());
        QVERIFY(QFileInfo(folder.filePath("g.svg")).size() < 60'000);
    }
};
HIGHWATER_TEST(TimelineViewInputTest);
#include "timeline_view_input_test.moc"

#include "tests/support/test_registry.h"
#include "tests/ui/view/table/pivot_header_stage.h"
#include "ui/state/table/layout_sort.h"
#include "ui/view/table/header_painter.h"

#include <QScrollBar>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using Kind = HeaderSpot::Kind;

namespace {

QColor pixel(PivotHeader& header, QPoint at) { return header.viewport()->grab().toImage().pixelColor(at); }

} // namespace

class PivotHeaderTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheColumnsOfTheLayout() {
        PivotHeaderStage stage;
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
        QCOMPARE(stage.header->count(), 6);
        QCOMPARE(stage.header->sectionSize(Count), 120);
        const auto size = headerText(stage.graph.layout(), Size);
        QCOMPARE(size.title, "Size");
        QCOMPARE(size.aggregation, "Sum");
        QVERIFY(size.isNumeric);
        QVERIFY(headerText(stage.graph.layout(), Process).aggregation.isEmpty());
    }
    void showsWhereItWouldLand() {
        PivotHeaderStage stage;
        stage.press(stage.middle(Thread));
        stage.moveTo(stage.middle(Process) - QPoint(10, 0));
        const int line = stage.header->places().edge(Process);
        QCOMPARE(pixel(*stage.header, {line, stage.header->height() - 2}),
                 stage.header->palette().color(QPalette::Highlight));
        auto* inRows = stage.view.viewport()->findChild<QWidget*>("dropLine");
        QVERIFY(inRows && inRows->isVisible());
        QCOMPARE(stage.view.viewport()->grab().toImage().pixelColor(line, 100),
                 stage.header->palette().color(QPalette::Highlight));
        stage.release(stage.middle(Process) - QPoint(10, 0));
        QVERIFY(!inRows->isVisible());
    }
    void keepsTheFirstColumnsWhenScrolled() {
        PivotHeaderStage stage;
        stage.view.resize(400, 300);
        QCOMPARE(stage.header->frozenSections(), 2);
        auto* bar = stage.view.horizontalScrollBar();
        bar->setValue(bar->maximum());
        QVERIFY(stage.header->offset() > 100);
        const auto places = stage.header->places();
        QCOMPARE(places.section(Process).left(), stage.header->sectionSize(Line));
        QCOMPARE(places.sectionAt(5), int(Line));
        QCOMPARE(places.sectionAt(places.frozenWidth() - 10), int(Process));
        QVERIFY(places.sectionAt(places.frozenWidth() + 1) > Handle);
        QVERIFY(places.bar(LayoutBar::Gold).isEmpty()); // under the frozen columns
        QVERIFY(!places.bar(LayoutBar::Blue).isEmpty());
        stage.click(Process);
        QCOMPARE(stage.graph.layout().sort.front().column, Column::Process);
        stage.header->setFreezing(Freezing::Off);
        QCOMPARE(stage.header->frozenWidth(), 0);
    }
    void freezesOnlyColumnsThatLeaveSpace() {
        PivotHeaderStage stage;
        stage.view.resize(200, 300);
        QCOMPARE(stage.header->frozenSections(), 1);
    }
    void paintsTheBarsInDarkAndLight() {
        for (const bool dark : {false, true}) {
            PivotHeaderStage stage;
            QPalette palette(dark ? QColor(45, 45, 45) : QColor(240, 240, 240));
            stage.header->setPalette(palette);
            const auto places = stage.header->places();
            for (const auto bar : {LayoutBar::Gold, LayoutBar::Blue}) {
                const auto wanted = HeaderPainter::barColor(bar, stage.header->palette());
                QCOMPARE(pixel(*stage.header, places.bar(bar).center()), wanted);
                const auto contrast = std::abs(qGray(wanted.rgb()) - qGray(palette.color(QPalette::Button).rgb()));
                QVERIFY2(contrast > 60, qPrintable(QString::number(contrast)));
            }
        }
    }
    void showsTheOldLayoutUntilTheTableDoes() {
        PivotHeaderStage stage;
        auto shown = stage.graph.layout();
        stage.header->setShownLayout([&shown] { return shown; });
        const auto wanted = moveColumn(shown, Process, {LayoutZone::Values, 0}).layout;
        stage.graph.setLayout(wanted);
        QCOMPARE(printed(stage.header->shownLayout()), "Process Handle | Thread Count | Size");
        stage.drag(stage.middle(Thread), stage.middle(Process)); // the target layout is not on screen yet
        QVERIFY(stage.graph.layout() == wanted);
        shown = wanted;
        emit stage.model.headerDataChanged(Qt::Horizontal, 0, 5);
        QCOMPARE(printed(stage.header->shownLayout()), "Handle | Process Thread Count | Size");
    }
    void placesNothingTwiceAndNowhere() {
        PivotHeaderStage stage;
        const auto places = stage.header->places();
        for (int x = 0; x < stage.header->viewport()->width(); ++x) {
            const auto drop = places.dropAt(x);
            QVERIFY(drop.index <= zoneSize(stage.graph.layout(), drop.zone));
            const auto boundary = places.boundaryAt(x);
            QVERIFY(boundary >= 1 && boundary <= sectionCount(stage.graph.layout()));
        }
        QCOMPARE(places.spotAt(places.bar(LayoutBar::Gold).center().x()).kind, Kind::Gold);
        QCOMPARE(places.spotAt(places.bar(LayoutBar::Blue).center().x()).kind, Kind::Blue);
        QCOMPARE(places.spotAt(stage.header->viewport()->width() - 2).kind, Kind::Nothing);
    }
};
HIGHWATER_TEST(PivotHeaderTest);
#include "pivot_header_test.moc"

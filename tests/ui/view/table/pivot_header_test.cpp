#include "tests/support/test_registry.h"
#include "tests/ui/view/table/pivot_header_stage.h"
#include "ui/state/table/layout_sort.h"
#include "ui/view/table/header_painter.h"

#include <QScrollBar>
#include <QToolTip>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::SortKey;
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
    void movesAColumnWithinItsZone() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Process), stage.middle(Handle) + QPoint(10, 0));
        QCOMPARE(stage.columns(), "Handle Process | Thread Count | Size");
        QCOMPARE(stage.graph.layout().sort.size(), std::size_t{1}); // no click
    }
    void makesAKeyByDraggingOverTheGoldBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Thread), stage.middle(Process) - QPoint(10, 0));
        QCOMPARE(stage.columns(), "Thread Process Handle | Count | Size");
        QVERIFY(stage.graph.canUndoLayout());
    }
    void makesAValueByDraggingOverTheGoldBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Process), stage.middle(Count) - QPoint(10, 0));
        QCOMPARE(stage.columns(), "Handle | Thread Process Count | Size");
    }
    void graphsByDraggingOverTheBlueBar() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Count), stage.middle(Size) + QPoint(20, 0));
        QCOMPARE(stage.columns(), "Process Handle | Thread | Size Count");
    }
    void dragsTheBars() {
        PivotHeaderStage stage;
        const auto bar = [&](LayoutBar which) { return stage.header->places().bar(which).center(); };
        const auto edge = [&](int section) { return stage.header->places().edge(section); };
        stage.drag(bar(LayoutBar::Gold), stage.at(edge(Count) - 5));
        QCOMPARE(stage.columns(), "Process Handle Thread | Count | Size");
        stage.drag(bar(LayoutBar::Gold), stage.at(edge(Handle) + 5));
        QCOMPARE(stage.columns(), "Process | Handle Thread Count | Size");
        stage.drag(bar(LayoutBar::Blue), stage.at(edge(Thread)));
        QCOMPARE(stage.columns(), "Process | Handle | Thread Count Size");
    }
    void refusesANumberAsKeyWhereItWouldLand() {
        PivotHeaderStage stage;
        const auto before = stage.graph.layout();
        stage.press(stage.middle(Count));
        stage.moveTo(stage.middle(Process));
        QCOMPARE(stage.header->viewport()->cursor().shape(), Qt::ForbiddenCursor);
        QVERIFY(QToolTip::text().contains("cannot be grouped"));
        stage.release(stage.middle(Process));
        QVERIFY(stage.graph.layout() == before);
        QVERIFY(stage.header->viewport()->cursor().shape() != Qt::ForbiddenCursor);
        // The same for the bar.
        const auto places = stage.header->places();
        stage.press(places.bar(LayoutBar::Gold).center());
        stage.moveTo(stage.at(places.edge(Size)));
        QCOMPARE(stage.header->viewport()->cursor().shape(), Qt::ForbiddenCursor);
        stage.release(stage.at(places.edge(Size)));
        QVERIFY(stage.graph.layout() == before);
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
    void letsGoOnEscape() {
        PivotHeaderStage stage;
        const auto before = stage.graph.layout();
        stage.press(stage.middle(Thread));
        stage.moveTo(stage.middle(Process));
        QTest::keyClick(stage.header, Qt::Key_Escape);
        stage.release(stage.middle(Process));
        QVERIFY(stage.graph.layout() == before);
    }
    void takesASmallMoveForAClick() {
        PivotHeaderStage stage;
        const auto at = stage.middle(Count);
        stage.press(at);
        QTest::mouseMove(stage.header->viewport(), at + QPoint(2, 0));
        stage.release(at + QPoint(2, 0));
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, true}}));
    }
    void sortsByClicks() {
        PivotHeaderStage stage;
        stage.click(Size);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Size, false}}));
        stage.click(Count);
        QCOMPARE(stage.graph.layout().sort, (std::vector{SortKey{Column::Count, true}}));
        stage.click(Process, Qt::ShiftModifier);
        QCOMPARE(stage.graph.layout().sort,
                 (std::vector{SortKey{Column::Count, true}, SortKey{Column::Process, false}}));
        const auto text = headerText(stage.header->shownLayout(), Process);
        QVERIFY(text.hasLevels && text.sort == (SortMark{1, false}));
        stage.click(Line);
        QCOMPARE(stage.graph.layout().sort.size(), std::size_t{2});
    }
    void resizesAndRemembersWithoutAStepToUndo() {
        PivotHeaderStage stage;
        stage.graph.setLayout(setFormat(stage.graph.layout(), Size, {ColumnUnit::Kilobytes, 1}));
        const bool couldUndo = stage.graph.canUndoLayout();
        const auto edge = stage.header->places().edge(Handle);
        stage.drag(stage.at(edge), stage.at(edge + 40));
        QCOMPARE(stage.header->sectionSize(Process), 160);
        QCOMPARE(stage.graph.layout().keys.front().width, 160);
        QCOMPARE(stage.graph.canUndoLayout(), couldUndo);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
        stage.graph.undoLayout();
        QCOMPARE(stage.graph.layout().columns.back().format, ColumnFormat{});
    }
    void resizesBesideABar() {
        PivotHeaderStage stage;
        const auto x = stage.header->places().bar(LayoutBar::Gold).left() - 5;
        QCOMPARE(stage.header->places().spotAt(x), (HeaderSpot{Kind::Edge, Handle}));
        stage.drag(stage.at(x), stage.at(x - 30));
        QCOMPARE(stage.header->sectionSize(Handle), 90);
        QCOMPARE(stage.columns(), "Process Handle | Thread Count | Size");
    }
    void fitsOnADoubleClick() {
        PivotHeaderStage stage;
        stage.model.item(0)->model()->setData(stage.model.index(0, Count), QString(40, 'W'));
        const auto edge = stage.header->places().edge(Count + 1) - 6; // left of the blue bar
        QTest::mouseDClick(stage.header->viewport(), Qt::LeftButton, {}, stage.at(edge));
        QVERIFY(stage.header->sectionSize(Count) > 300);
        QCOMPARE(stage.graph.layout().columns[1].width, stage.header->sectionSize(Count));
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
        QVERIFY(places.bar(LayoutBar::Gold).isEmpty()); // under what stays
        QVERIFY(!places.bar(LayoutBar::Blue).isEmpty());
        stage.click(Process);
        QCOMPARE(stage.graph.layout().sort.front().column, Column::Process);
        stage.header->setFreezing(Freezing::Off);
        QCOMPARE(stage.header->frozenWidth(), 0);
    }
    void freezesOnlyWhatLeavesRoom() {
        PivotHeaderStage stage;
        stage.view.resize(200, 300);
        QCOMPARE(stage.header->frozenSections(), 1);
    }
    void scrollsWhileDraggingAtTheEdge() {
        PivotHeaderStage stage;
        stage.view.resize(400, 300);
        stage.press(stage.middle(Process));
        stage.moveTo(stage.at(395));
        auto* bar = stage.view.horizontalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum());
        stage.release(stage.at(380));
        QCOMPARE(stage.columns(), "Handle | Thread Count | Size Process");
    }
    void dropsBehindTheLastColumn() {
        PivotHeaderStage stage;
        stage.drag(stage.middle(Thread), stage.at(stage.header->viewport()->width() - 3));
        QCOMPARE(stage.columns(), "Process Handle | Count | Size Thread");
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
        stage.drag(stage.middle(Thread), stage.middle(Process)); // what it means is not on screen yet
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

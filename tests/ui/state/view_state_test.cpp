#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/view_state.h"

#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::Table;
using tests::ms;

namespace {

TimeRange range(std::int64_t fromMs, std::int64_t toMs) { return {ms(fromMs), ms(toMs)}; }

FilterStep keep(std::uint64_t process) {
    return {{.mode = analysis::RowFilter::Clause::Mode::Keep, .anyOf = {{{Column::Process, process}}}}, "p"};
}

} // namespace

class ViewStateTest : public QObject {
    Q_OBJECT
  private slots:
    void remembersZoomsBackAndForth() {
        ViewState state;
        state.reset(range(0, 1000));
        QVERIFY(!state.isZoomed() && !state.canZoomBack());
        state.zoomTo(range(100, 500));
        state.zoomTo(range(200, 300));
        state.zoomBack();
        QCOMPARE(state.visibleRange(), range(100, 500));
        state.zoomBack();
        QCOMPARE(state.visibleRange(), range(0, 1000));
        state.zoomBack(); // nothing before it
        state.zoomForward();
        state.zoomForward();
        QCOMPARE(state.visibleRange(), range(200, 300));
        QVERIFY(!state.canZoomForward());
        state.showAll();
        QCOMPARE(state.visibleRange(), range(0, 1000));
        state.zoomBack();
        QCOMPARE(state.visibleRange(), range(200, 300));
    }
    void forgetsWhatLayForwardAfterANewZoom() {
        ViewState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 500));
        state.zoomBack();
        state.zoomTo(range(600, 700));
        QVERIFY(!state.canZoomForward());
    }
    void takesTheNotchesOfAWheelForOneZoom() {
        ViewState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 900), ZoomStep::Continued);
        state.zoomTo(range(200, 800), ZoomStep::Continued);
        state.zoomTo(range(300, 700), ZoomStep::Continued);
        state.zoomBack();
        QCOMPARE(state.visibleRange(), range(0, 1000));
    }
    void clipsAndWidens() {
        ViewState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(-500, 500));
        QCOMPARE(state.visibleRange(), range(0, 500));
        state.zoomTo(range(100, 100));
        const auto visible = state.visibleRange();
        QCOMPARE(visible.end.ns - visible.start.ns, ViewState::kShortestZoomNs);
        state.select(range(900, 5000));
        QCOMPARE(*state.selection(), range(900, 1000));
        state.select(range(50, 50));
        QVERIFY(!state.selection());
    }
    void pansWithinTheTrace() {
        ViewState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 300));
        state.panBy(ms(100).ns);
        QCOMPARE(state.visibleRange(), range(200, 400));
        state.panBy(ms(5000).ns);
        QCOMPARE(state.visibleRange(), range(800, 1000));
    }
    void zoomsToTheSelectionAndClearsIt() {
        ViewState state;
        state.reset(range(0, 1000));
        QSignalSpy spy(&state, &ViewState::changed);
        state.select(range(200, 400));
        state.zoomToSelection();
        QCOMPARE(state.visibleRange(), range(200, 400));
        QVERIFY(!state.selection());
        QCOMPARE(spy.count(), 2);
        QCOMPARE(spy.last().first().value<ViewState::Changes>(), ViewState::VisibleRange | ViewState::Selection);
    }
    void growsAlongOnlyWhileUnzoomed() {
        ViewState state;
        state.reset(range(0, 1000));
        state.growTo(range(0, 2000));
        QCOMPARE(state.visibleRange(), range(0, 2000));
        state.zoomTo(range(100, 200));
        state.growTo(range(0, 3000));
        QCOMPARE(state.visibleRange(), range(100, 200));
        state.zoomBack();
        QCOMPARE(state.visibleRange(), range(0, 3000));
    }
    void undoesFiltersPerTable() {
        ViewState state;
        state.reset(range(0, 1000));
        state.addFilter(keep(1));
        state.addFilter(keep(2));
        state.addFilter(keep(2)); // is there already
        QCOMPARE(state.filter().clauses.size(), std::size_t{2});
        state.removeFilter(0);
        QCOMPARE(state.filterSteps(), std::vector<FilterStep>{keep(2)});
        state.clearFilter();
        state.undoFilter();
        QCOMPARE(state.filterSteps(), std::vector<FilterStep>{keep(2)});
        state.showTable(Table::Heap);
        QVERIFY(state.filter().isEmpty() && !state.canUndoFilter());
        state.showTable(Table::VirtualAlloc);
        state.undoFilter();
        state.undoFilter();
        state.undoFilter();
        QVERIFY(state.filter().isEmpty() && !state.canUndoFilter());
    }
    void startsANewTraceFresh() {
        ViewState state;
        state.reset(range(0, 1000));
        state.addFilter(keep(1));
        state.zoomTo(range(1, 2));
        state.reset(range(0, 10));
        QVERIFY(state.filter().isEmpty() && !state.isZoomed() && !state.canZoomBack());
    }
};
HIGHWATER_TEST(ViewStateTest);
#include "view_state_test.moc"

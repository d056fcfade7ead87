#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"

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

class AnalysisStateTest : public QObject {
    Q_OBJECT
  private slots:
    void presetsAndColumnsOfPagesAreSteps() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::Heap);
        state.reset(range(0, 1000));
        const auto before = graph.shape();
        state.zoomTo(range(100, 500));
        state.changeShape(graph, "Peak", [&] {
            graph.setPresetName("Peak");
            auto layout = graph.layout();
            layout.keys = {Column::Process};
            graph.setLayout(layout);
            graph.setChart(ChartType::Bars);
        });
        const auto after = graph.shape();
        QCOMPARE(state.historyLabels().last(), QString("Peak"));
        state.changeShape(graph, "the same", [] {});
        QCOMPARE(state.historyPosition(), std::size_t{2});
        state.zoomTo(range(200, 300));
        state.back();
        QVERIFY(graph.shape() == after);
        state.back();
        QVERIFY(graph.shape() == before);
        QCOMPARE(state.visibleRange(), range(100, 500));
        state.goTo(3);
        QVERIFY(graph.shape() == after);
        state.goTo(0);
        QVERIFY(graph.shape() == before);
        state.removeGraph(graph);
        state.goTo(3); // its graph is gone
        QCOMPARE(state.visibleRange(), range(200, 300));
    }
    void remembersZoomsBackAndForth() {
        AnalysisState state;
        state.reset(range(0, 1000));
        QVERIFY(!state.isZoomed() && !state.canGoBack());
        state.zoomTo(range(100, 500));
        state.zoomTo(range(200, 300));
        state.back();
        QCOMPARE(state.visibleRange(), range(100, 500));
        state.back();
        QCOMPARE(state.visibleRange(), range(0, 1000));
        state.back(); // nothing before it
        state.forward();
        state.forward();
        QCOMPARE(state.visibleRange(), range(200, 300));
        QVERIFY(!state.canGoForward());
        state.showAll();
        QCOMPARE(state.visibleRange(), range(0, 1000));
        state.back();
        QCOMPARE(state.visibleRange(), range(200, 300));
    }
    void dropsForwardStepsAfterANewZoom() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 500));
        state.back();
        state.zoomTo(range(600, 700));
        QVERIFY(!state.canGoForward());
    }
    void takesTheNotchesOfAWheelForOneZoom() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 900), ZoomStep::Continued);
        state.zoomTo(range(200, 800), ZoomStep::Continued);
        state.zoomTo(range(300, 700), ZoomStep::Continued);
        state.back();
        QCOMPARE(state.visibleRange(), range(0, 1000));
    }
    void clipsAndWidens() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(-500, 500));
        QCOMPARE(state.visibleRange(), range(0, 500));
        state.zoomTo(range(100, 100));
        const auto visible = state.visibleRange();
        QCOMPARE(visible.end.ns - visible.start.ns, AnalysisState::kShortestZoomNs);
        state.select(range(900, 5000));
        QCOMPARE(*state.selection(), range(900, 1000));
        state.select(range(50, 50));
        QVERIFY(!state.selection());
    }
    void pansWithinTheTrace() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 300));
        state.panBy(ms(100).ns);
        QCOMPARE(state.visibleRange(), range(200, 400));
        state.panBy(ms(5000).ns);
        QCOMPARE(state.visibleRange(), range(800, 1000));
    }
    void zoomsToTheSelectionAndClearsIt() {
        AnalysisState state;
        state.reset(range(0, 1000));
        QSignalSpy spy(&state, &AnalysisState::changed);
        state.select(range(200, 400));
        state.zoomToSelection();
        QCOMPARE(state.visibleRange(), range(200, 400));
        QVERIFY(!state.selection());
        QCOMPARE(spy.count(), 2);
        QCOMPARE(spy.last().first().value<AnalysisState::Changes>(),
                 AnalysisState::VisibleRange | AnalysisState::Selection | AnalysisState::History);
    }
    void growsAlongOnlyWhileUnzoomed() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.growTo(range(0, 2000));
        QCOMPARE(state.visibleRange(), range(0, 2000));
        state.zoomTo(range(100, 200));
        state.growTo(range(0, 3000));
        QCOMPARE(state.visibleRange(), range(100, 200));
        state.back();
        QCOMPARE(state.visibleRange(), range(0, 3000));
    }
    void beginsLaterWhenTheTraceLetsGoOfItsOldestPart() {
        AnalysisState state;
        state.reset(range(0, 1000));
        state.zoomTo(range(100, 200));
        state.zoomTo(range(150, 180));
        state.growTo(range(120, 2000));
        QCOMPARE(state.visibleRange(), range(150, 180));
        state.back();
        QCOMPARE(state.visibleRange(), range(120, 200)); // the part that still exists
        state.growTo(range(500, 3000));
        QCOMPARE(state.visibleRange(), range(500, 3000)); // no part of it exists
        state.back();
        QCOMPARE(state.visibleRange(), range(500, 3000));
    }
    void undoesFiltersPerGraph() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        auto& other = state.addGraph(Table::Heap);
        state.reset(range(0, 1000));
        graph.addFilter(keep(1));
        graph.addFilter(keep(2));
        graph.addFilter(keep(2)); // already there
        QCOMPARE(graph.filter().clauses.size(), std::size_t{2});
        graph.removeFilter(0);
        QCOMPARE(graph.filterSteps(), std::vector<FilterStep>{keep(2)});
        graph.clearFilter();
        graph.undoFilter();
        QCOMPARE(graph.filterSteps(), std::vector<FilterStep>{keep(2)});
        QVERIFY(other.filter().isEmpty() && !other.canUndoFilter());
        graph.undoFilter();
        graph.undoFilter();
        graph.undoFilter();
        QVERIFY(graph.filter().isEmpty() && !graph.canUndoFilter());
    }
    void walksZoomsAndFiltersInOneHistory() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        state.reset(range(0, 20'000));
        graph.addFilter(keep(1));
        state.zoomTo(range(14'000, 16'000));
        graph.addFilter(keep(2));
        QCOMPARE(state.historyLabels(), (QStringList{"Whole trace", "p", "14.000000 s to 16.000000 s", "p"}));
        state.back();
        QVERIFY(state.isZoomed());
        QCOMPARE(graph.filterSteps(), std::vector<FilterStep>{keep(1)});
        state.back();
        QVERIFY(!state.isZoomed());
        QCOMPARE(graph.filterSteps(), std::vector<FilterStep>{keep(1)});
        state.back();
        QVERIFY(graph.filter().isEmpty() && !state.canGoBack());
        state.goTo(3);
        QCOMPARE(state.visibleRange(), range(14'000, 16'000));
        QCOMPARE(graph.filter().clauses.size(), std::size_t{2});
        state.goTo(1);
        QVERIFY(!state.isZoomed());
        state.zoomTo(range(1, 2)); // the steps ahead are dropped
        QCOMPARE(state.historyLabels().size(), 3);
    }
    void aRenamedFilterIsRenamedEverywhere() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        auto& other = state.addGraph(Table::VirtualAlloc);
        state.reset(range(0, 1000));
        other.addFilter(keep(1));
        graph.addFilter(keep(1));
        graph.removeFilter(0);
        graph.addFilter(keep(1));
        QSignalSpy spy(&graph, &GraphState::changed);
        graph.renameFilter({"main"});
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].value<GraphState::Changes>(), GraphState::Changes(GraphState::FilterWords));
        QCOMPARE(graph.filterSteps().front().text, "main");
        QCOMPARE(graph.filterSteps().front().clause, keep(1).clause);
        // The filter of the other graph had the same text, and keeps it.
        QCOMPARE(state.historyLabels(), (QStringList{"Whole trace", "p", "main", "without main", "main"}));
        QCOMPARE(other.filterSteps(), std::vector<FilterStep>{keep(1)});
        graph.undoFilter();
        graph.undoFilter();
        QCOMPARE(graph.filterSteps().front().text, "main");
        state.goTo(2);
        QCOMPARE(graph.filterSteps().front().text, "main");
        graph.renameFilter({"main"});
        graph.renameFilter({QString()}); // it keeps its text
        QCOMPARE(graph.filterSteps().front().text, "main");
    }
    void showsAnInstantUntilItIsCleared() {
        AnalysisState state;
        state.addGraph(Table::VirtualAlloc);
        state.reset(range(0, 1000));
        state.showInstant(ms(500));
        QCOMPARE(state.tableRange(), (TimeRange{ms(500), TraceTime{ms(500).ns + 1}}));
        QCOMPARE(state.visibleRange(), range(0, 1000));
        state.back();
        QCOMPARE(state.tableRange(), range(0, 1000));
        state.forward();
        state.clearInstant();
        QVERIFY(!state.instant());
    }
    void undoesLayoutsApartFromZooms() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        state.reset(range(0, 1000));
        const auto first = graph.layout();
        auto sorted = first;
        sorted.sort = {{Column::Count, true}};
        graph.setLayout(sorted);
        auto wide = sorted;
        wide.columns.front().width = 300;
        graph.setLayout(wide); // nothing to undo
        QVERIFY(!state.canGoBack());
        graph.undoLayout();
        QCOMPARE(graph.layout(), first);
        QVERIFY(!graph.canUndoLayout());
        graph.redoLayout();
        QVERIFY(graph.layout().looksLike(sorted));
    }
    void keepsGraphsInOrder() {
        AnalysisState state;
        auto& first = state.addGraph(Table::VirtualAlloc);
        auto& second = state.addGraph(Table::Heap);
        state.moveGraph(second, 0);
        QCOMPARE(state.graphs(), (std::vector<GraphState*>{&second, &first}));
        state.removeGraph(second);
        QCOMPARE(state.graphs(), (std::vector<GraphState*>{&first}));
    }
    void startsANewTraceFresh() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        state.reset(range(0, 1000));
        graph.addFilter(keep(1));
        graph.paintRows({{{Column::Process, 1}}});
        state.zoomTo(range(1, 2));
        state.reset(range(0, 10));
        QVERIFY(graph.filter().isEmpty() && !state.isZoomed() && !state.canGoBack());
        QVERIFY(graph.paintedRows().empty());
    }
    void followsTheEndOfATraceThatGrows() {
        AnalysisState state;
        state.reset({TraceTime{0}, TraceTime{1'000'000}});
        state.setFollowsEnd(true);
        state.zoomTo({TraceTime{600'000}, TraceTime{1'000'000}});
        QVERIFY(state.followsEnd());
        const auto steps = state.historyLabels().size();
        state.growTo({TraceTime{0}, TraceTime{1'500'000}});
        QVERIFY((state.visibleRange() == TimeRange{TraceTime{1'100'000}, TraceTime{1'500'000}}));
        QCOMPARE(state.historyLabels().size(), steps); // sliding is not a separate step
        state.panBy(-300'000);
        QVERIFY(!state.followsEnd());
        const auto paused = state.visibleRange();
        state.growTo({TraceTime{0}, TraceTime{2'000'000}});
        QVERIFY(state.visibleRange() == paused);
        state.setFollowsEnd(true);
        QVERIFY((state.visibleRange() == TimeRange{TraceTime{1'600'000}, TraceTime{2'000'000}}));
    }
    void withoutFollowingAZoomStaysWhereItIs() {
        AnalysisState state;
        state.reset({TraceTime{0}, TraceTime{1'000'000}});
        state.zoomTo({TraceTime{600'000}, TraceTime{1'000'000}});
        state.growTo({TraceTime{0}, TraceTime{1'500'000}});
        QVERIFY((state.visibleRange() == TimeRange{TraceTime{600'000}, TraceTime{1'000'000}}));
    }
};
HIGHWATER_TEST(AnalysisStateTest);
#include "analysis_state_test.moc"

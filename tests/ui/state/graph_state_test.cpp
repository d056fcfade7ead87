#include "ui/state/graph_state.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"

#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Aggregation;
using analysis::Column;
using analysis::Table;
using analysis::TimelineMeasure;
using tests::ms;

namespace {

FilterStep keepProcess(std::uint64_t process) {
    return {{.mode = analysis::RowFilter::Clause::Mode::Keep, .anyOf = {{{Column::Process, process}}}},
            QStringLiteral("process %1").arg(process)};
}

const analysis::KeyPath kOpened{{Column::Process, 1}};

/// No table has rows with a Series Name.
FilterStep impossibleStep() {
    const auto parsed = analysis::QueryExpression::parse(Table::VirtualAlloc, "[Series Name]:=Process");
    return {{}, QStringLiteral("[Series Name]:=Process"), parsed.value()};
}

struct GraphStateStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(Table::VirtualAlloc);
    QSignalSpy changed{&graph, &GraphState::changed};

    GraphStateStage() { analysis.reset({ms(0), ms(1000)}); }
    /// All changes reported since the last call, combined.
    GraphState::Changes told() {
        GraphState::Changes changes;
        while (!changed.isEmpty()) {
            changes |= changed.takeFirst()[0].value<GraphState::Changes>();
        }
        return changes;
    }
    void setKeys(std::vector<LayoutColumn> keys) {
        auto layout = graph.layout();
        layout.keys = std::move(keys);
        graph.setLayout(std::move(layout));
    }
    void setValues(std::vector<LayoutColumn> values, std::size_t graphed) {
        auto layout = graph.layout();
        layout.columns = std::move(values);
        layout.graphed = graphed;
        graph.setLayout(std::move(layout));
    }
};

} // namespace

class GraphStateTest : public QObject {
    Q_OBJECT
  private slots:
    void reportsOnlyChanges() {
        GraphStateStage stage;
        (void)stage.told();
        stage.graph.setLayout(stage.graph.layout());
        stage.graph.setChart(ChartType::Line);
        stage.graph.setParts(GraphParts::GraphAndTable);
        stage.graph.setPresetName({});
        stage.graph.paintRows({});
        stage.graph.hideSeries({});
        stage.graph.clearFilter();
        QCOMPARE(stage.told(), GraphState::Changes());
        stage.graph.setChart(ChartType::Bars);
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::Chart));
        stage.graph.setParts(GraphParts::TableOnly);
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::Parts));
        stage.graph.setPresetName("mine");
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::PresetName));
        stage.graph.paintRows({{{Column::Process, 1}}});
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::PaintedRows));
        stage.graph.hideSeries({{{Column::Process, 1}}});
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::HiddenSeries));
    }
    void takesNoLayoutOfAnotherTable() {
        GraphStateStage stage;
        const auto before = stage.graph.layout();
        stage.graph.setLayout(defaultLayout(Table::Heap));
        QCOMPARE(stage.graph.layout(), before);
        QVERIFY(!stage.graph.canUndoLayout());
    }
    void undoesLayoutsButNotWidths() {
        GraphStateStage stage;
        const auto first = stage.graph.layout();
        auto sorted = first;
        sorted.sort = {{Column::Count, true}};
        stage.graph.setLayout(sorted);
        auto wide = sorted;
        wide.columns.front().width = 300;
        stage.graph.setLayout(wide);
        stage.graph.undoLayout();
        QCOMPARE(stage.graph.layout(), first);
        QVERIFY(!stage.graph.canUndoLayout());
        stage.graph.undoLayout(); // nothing before it
        QCOMPARE(stage.graph.layout(), first);
        stage.graph.redoLayout();
        QCOMPARE(stage.graph.layout(), wide);
        QVERIFY(!stage.graph.canRedoLayout());
    }
    void dropsUndoneStepsAfterANewLayout() {
        GraphStateStage stage;
        stage.setValues({Column::Count}, 1);
        stage.graph.undoLayout();
        QVERIFY(stage.graph.canRedoLayout());
        stage.setValues({Column::Size}, 1);
        QVERIFY(!stage.graph.canRedoLayout());
    }
    void graphsNoMoreColumnsThanThereAre() {
        GraphStateStage stage;
        stage.setValues({Column::Count}, 3);
        QCOMPARE(stage.graph.layout().graphed, std::size_t{1});
    }
    void drawsRowsOnlyWhenNothingElseIsGraphed() {
        GraphStateStage stage;
        stage.setValues({Column::Size, Column::Count}, 1);
        QCOMPARE(stage.graph.measure(), TimelineMeasure::Count);
        stage.setValues({Column::Size, Column::Count}, 2);
        QCOMPARE(stage.graph.measure(), TimelineMeasure::Bytes);
        stage.setValues({Column::Count, analysis::ValueColumn{Column::Size, Aggregation::Count}}, 2);
        QCOMPARE(stage.graph.measure(), TimelineMeasure::Count);
        stage.setValues({Column::Count}, 0);
        QCOMPARE(stage.graph.measure(), TimelineMeasure::Bytes);
    }
    void groupsSeriesByTheFirstKeyUnlessItIsAStack() {
        GraphStateStage stage;
        stage.setKeys({Column::Process, Column::Stack});
        QCOMPARE(stage.graph.seriesColumn(), std::optional(Column::Process));
        stage.setKeys({Column::Stack, Column::Process});
        QCOMPARE(stage.graph.seriesColumn(), std::nullopt);
        stage.setKeys({});
        QCOMPARE(stage.graph.seriesColumn(), std::nullopt);
    }
    void opensSeriesByLevelAndOneByOne() {
        GraphStateStage stage;
        stage.setKeys({Column::Process, Column::ImpactingType, Column::Stack});
        QCOMPARE(seriesLevelsOf(stage.graph.layout()), 2u);
        QVERIFY(stage.graph.isSeriesOpen({}) && !stage.graph.isSeriesOpen(kOpened));
        (void)stage.told();
        stage.graph.turnSeries(kOpened);
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::OpenedSeries));
        QVERIFY(stage.graph.isSeriesOpen(kOpened));
        stage.graph.turnSeries(kOpened);
        QVERIFY(!stage.graph.isSeriesOpen(kOpened));
        stage.graph.turnSeries(kOpened);
        stage.graph.openSeriesTo(2);
        QVERIFY(stage.graph.isSeriesOpen(kOpened) && stage.graph.turnedSeries().empty());
        QVERIFY(stage.graph.isSeriesOpen({{Column::Process, 99}}));
        QVERIFY(!stage.graph.isSeriesOpen({{Column::Process, 1}, {Column::ImpactingType, 0}})); // into a stack
        stage.graph.turnSeries(kOpened);
        QVERIFY(!stage.graph.isSeriesOpen(kOpened));
        QVERIFY(stage.graph.opening() ==
                (analysis::GroupOpening{{Column::Process, Column::ImpactingType, Column::Stack}, 2, {kOpened}}));
    }
    void keepsOpenedSeriesAsFarAsOtherKeysHaveThem() {
        GraphStateStage stage;
        stage.setKeys({Column::Process, Column::ImpactingType, Column::Stack});
        stage.graph.turnSeries(kOpened);
        stage.setKeys({Column::Process, Column::Stack}); // the same process, in other parts
        QVERIFY(stage.graph.isSeriesOpen(kOpened));
        (void)stage.told();
        stage.setKeys({Column::ImpactingType, Column::Process});
        QVERIFY(stage.graph.turnedSeries().empty());
        QCOMPARE(stage.told(), GraphState::Layout | GraphState::OpenedSeries);
        stage.setKeys({Column::Process, Column::ImpactingType});
        QVERIFY(stage.graph.isSeriesOpen(kOpened)); // restored together with its key
        stage.graph.openSeriesTo(1);                // all follow the level
        QVERIFY(!stage.graph.isSeriesOpen(kOpened));
    }
    void keepsClosedSeriesClosed() {
        GraphStateStage stage;
        stage.setKeys({Column::Process, Column::ImpactingType, Column::Stack});
        stage.graph.openSeriesTo(2);
        stage.graph.turnSeries(kOpened);
        stage.setKeys({Column::Process, Column::Stack});
        QCOMPARE(stage.graph.seriesLevels(), 1u);
        QVERIFY(!stage.graph.isSeriesOpen(kOpened));
        stage.setKeys({Column::Process, Column::ImpactingType, Column::Stack});
        QVERIFY(!stage.graph.isSeriesOpen(kOpened) && stage.graph.isSeriesOpen({{Column::Process, 99}}));
    }
    void opensTheTotalIntoAStack() {
        GraphStateStage stage;
        stage.setKeys({Column::Stack, Column::Process});
        QVERIFY(!stage.graph.isSeriesOpen({}));
        stage.graph.turnSeries({});
        QVERIFY(stage.graph.isSeriesOpen({}));
        QCOMPARE(stage.graph.seriesColumn(), std::optional(Column::Stack));
        QVERIFY(stage.graph.opening().withTotal && stage.graph.opening().turned.empty());
        stage.setKeys({Column::Process});
        QCOMPARE(stage.graph.seriesColumn(), std::optional(Column::Process));
        QVERIFY(!stage.graph.opening().withTotal && stage.graph.turnedSeries().empty());
    }
    void hidesPartsOfAHiddenSeries() {
        GraphStateStage stage;
        stage.graph.hideSeries({kOpened});
        QVERIFY(stage.graph.isHidden(kOpened) && stage.graph.isHidden({{Column::Process, 1}, {Column::Stack, 4}}));
        QVERIFY(!stage.graph.isHidden({}) && !stage.graph.isHidden({{Column::Process, 2}}));
    }
    void takesOtherNamesOfTheSameSeries() {
        GraphStateStage stage;
        stage.graph.turnSeries(kOpened);
        const auto version = stage.graph.seriesVersion();
        (void)stage.told();
        stage.graph.renameSeries({kOpened}, {}, {});
        QCOMPARE(stage.told(), GraphState::Changes());
        QCOMPARE(stage.graph.seriesVersion(), version);
        stage.graph.renameSeries({{{Column::Process, 2}}}, {}, {kOpened});
        QCOMPARE(stage.told(), GraphState::OpenedSeries | GraphState::HiddenSeries);
        QVERIFY(stage.graph.isSeriesOpen({{Column::Process, 2}}) && stage.graph.isHidden(kOpened));
    }
    void showsHiddenSeriesAgainWhenTheyAreOthers() {
        GraphStateStage stage;
        stage.setKeys({Column::Process});
        stage.graph.hideSeries({{{Column::Process, 7}}});
        (void)stage.told();
        stage.setKeys({Column::Process, Column::Stack}); // the same series
        QCOMPARE(stage.graph.hiddenSeries(), (std::vector<analysis::KeyPath>{{{Column::Process, 7}}}));
        QCOMPARE(stage.told(), GraphState::Changes(GraphState::Layout));
        stage.setKeys({Column::ImpactingType});
        QVERIFY(stage.graph.hiddenSeries().empty());
        QCOMPARE(stage.told(), GraphState::Layout | GraphState::HiddenSeries);
    }
    void takesAFilterOnce() {
        GraphStateStage stage;
        QSignalSpy taken(&stage.graph, &GraphState::filterTaken);
        stage.graph.addFilter(keepProcess(1));
        stage.graph.addFilter(keepProcess(1));
        QCOMPARE(taken.count(), 1);
        QCOMPARE(taken[0][0].value<FilterChange>().step.text, "process 1");
        QCOMPARE(stage.graph.filter().clauses.size(), std::size_t{1});
    }
    void refusesWhatNoRowHas() {
        GraphStateStage stage;
        QVERIFY(stage.graph.refusal(keepProcess(1)).isNull());
        QVERIFY(stage.graph.refusal(impossibleStep()).contains("[Series Name]"));
        stage.graph.addFilter(keepProcess(1));
        (void)stage.told();
        stage.graph.addFilter(impossibleStep());
        stage.graph.replaceFilter(0, impossibleStep());
        QCOMPARE(stage.graph.filterSteps(), std::vector{keepProcess(1)});
        QCOMPARE(stage.told(), GraphState::Changes());
    }
    void replacesAStepInItsPlace() {
        GraphStateStage stage;
        stage.graph.addFilter(keepProcess(1));
        stage.graph.addFilter(keepProcess(2));
        stage.graph.replaceFilter(0, keepProcess(3));
        QCOMPARE(stage.graph.filterSteps(), (std::vector{keepProcess(3), keepProcess(2)}));
        (void)stage.told();
        stage.graph.replaceFilter(0, keepProcess(3)); // unchanged
        stage.graph.replaceFilter(2, keepProcess(4)); // does not exist
        stage.graph.removeFilter(2);
        QCOMPARE(stage.told(), GraphState::Changes());
        stage.graph.undoFilter();
        QCOMPARE(stage.graph.filterSteps(), (std::vector{keepProcess(1), keepProcess(2)}));
    }
    void undoesTheLastChangeOfTheFilter() {
        GraphStateStage stage;
        stage.graph.addFilter(keepProcess(1));
        stage.graph.clearFilter();
        QVERIFY(stage.graph.filter().isEmpty());
        stage.graph.undoFilter();
        QCOMPARE(stage.graph.filterSteps(), std::vector{keepProcess(1)});
        stage.graph.undoFilter();
        QVERIFY(stage.graph.filterSteps().empty() && !stage.graph.canUndoFilter());
        (void)stage.told();
        stage.graph.undoFilter();
        QCOMPARE(stage.told(), GraphState::Changes());
    }
    void forgetsTraceSpecificStateInANewTrace() {
        GraphStateStage stage;
        stage.graph.addFilter(keepProcess(1));
        stage.graph.paintRows({{{Column::Process, 1}}});
        stage.graph.hideSeries({{{Column::Process, 1}}});
        stage.setValues({Column::Count}, 1);
        const auto layout = stage.graph.layout();
        stage.graph.forgetKeys();
        QVERIFY(stage.graph.filter().isEmpty() && !stage.graph.canUndoFilter());
        QVERIFY(stage.graph.paintedRows().empty() && stage.graph.hiddenSeries().empty());
        QCOMPARE(stage.graph.layout(), layout); // valid in any trace
    }
};
HIGHWATER_TEST(GraphStateTest);
#include "graph_state_test.moc"

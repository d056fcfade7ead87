#include "tests/support/test_registry.h"
#include "tests/ui/state/query_watch.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/query_planner.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

/// The queries that follow from the view, and when they are made.
class QueryPlannerTest : public QObject {
    Q_OBJECT
  private slots:
    void deliversOnTheGuiThreadButNeverRunsThere() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QSignalSpy tables(&runner, &QueryRunner::tableAnswered);
        QSignalSpy timelines(&runner, &QueryRunner::timelineAnswered);
        SmallTrace trace;
        shown.show(trace.process(1, "a.exe").commit(10, 1, 0x10000, 4096).publish(1000),
                   std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTRY_COMPARE(tables.count(), 1);
        QTRY_COMPARE(timelines.count(), 1);
        state.zoomTo({ms(5), ms(20)});
        QTRY_COMPARE(tables.count(), 2);
        QTRY_COMPARE(timelines.count(), 2);
        state.select({ms(6), ms(7)});
        QTRY_COMPARE(watch.tables.load(), 3); // the totals of the selection; the table stays
        QTest::qWait(20);
        QCOMPARE(tables.count(), 2);
        QCOMPARE(watch.onGuiThread.load(), 0);
    }
    void asksForRowsThatArePaintedAndForgetsThem() {
        QueryWatch watch;
        std::atomic<int> painted{0};
        auto functions = watch.functions();
        std::vector<analysis::KeyPath> asked;
        functions.painted = [&](const PaintedRequest& request, std::stop_token) {
            ++painted;
            asked = request.rows;
            return Result<PaintedAnswer>(PaintedAnswer{request.query, {}});
        };
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, functions);
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QSignalSpy answers(&runner, &QueryRunner::paintedAnswered);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTest::qWait(20);
        QCOMPARE(painted.load(), 0); // nothing is selected
        const analysis::KeyPath row{{analysis::Column::Process, 1}, {analysis::Column::ImpactingType, 2}};
        graph.paintRows({row});
        QTRY_COMPARE(answers.count(), 1);
        QCOMPARE(asked, std::vector<analysis::KeyPath>{row});
        state.zoomTo({ms(5), ms(20)});
        QTRY_COMPARE(answers.count(), 2);
        state.showInstant(ms(10)); // the type is that at the instant, so the graph shows the process
        QTRY_COMPARE(answers.count(), 3);
        QCOMPARE(asked, (std::vector<analysis::KeyPath>{{{analysis::Column::Process, 1}}}));
        graph.paintRows(std::vector<analysis::KeyPath>(20, row));
        state.clearInstant();
        QTRY_COMPARE(answers.count(), 4);
        QCOMPARE(asked.size(), QueryPlanner::kMaxPainted);
        graph.paintRows({});
        QTest::qWait(20);
        QCOMPARE(answers.count(), 4);
        QVERIFY(!runner.isBusy());
    }
    void asksAgainWhenMarksChangeAndOnlyWhereTheyMatter() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::Heap);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QSignalSpy tables(&runner, &QueryRunner::tableAnswered);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTRY_COMPARE(tables.count(), 1);
        const auto marked = [](const char* name) {
            return std::make_shared<const std::vector<Mark>>(std::vector<Mark>{{1, ms(5), name}});
        };
        state.setMarks(marked("a"));
        QTest::qWait(20);
        QCOMPARE(tables.count(), 1);
        auto layout = graph.layout();
        layout.columns.push_back(analysis::Column::Generation);
        graph.setLayout(layout);
        QTRY_COMPARE(tables.count(), 2);
        state.setMarks(marked("b"));
        QTRY_COMPARE(tables.count(), 3);
        QCOMPARE(planner.tableQuery().marks->front().name, std::string("b"));
        QCOMPARE(planner.timelineQuery().marks->front().name, std::string("b"));
    }
    void asksAgainForOtherLabels() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QSignalSpy tables(&runner, &QueryRunner::tableAnswered);
        QSignalSpy timelines(&runner, &QueryRunner::timelineAnswered);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QTRY_COMPARE(tables.count(), 1);
        QTRY_COMPARE(timelines.count(), 1);
        auto layout = graph.layout();
        layout.annotations.push_back(
            analysis::makeAnnotation(analysis::Table::VirtualAlloc, "kept", "Type:=AIFO").value());
        graph.setLayout(layout);
        QTRY_COMPARE(tables.count(), 2);
        QTRY_COMPARE(timelines.count(), 2);
        QVERIFY(*planner.tableQuery().annotations == layout.annotations);
        QVERIFY(*planner.timelineQuery().annotations == layout.annotations);
        graph.setLayout(layout);
        QTest::qWait(20);
        QCOMPARE(tables.count(), 2);
        // At an instant these labels have another meaning than in the graph.
        const analysis::KeyPath row{{analysis::Column::Annotation, 1}, {analysis::Column::Process, 1}};
        state.reset({ms(0), ms(1000)});
        graph.paintRows({row});
        QVERIFY(planner.paintedRows() == std::vector<analysis::KeyPath>{row});
        state.showInstant(ms(10));
        QVERIFY(planner.paintedRows() == (std::vector<analysis::KeyPath>{{{analysis::Column::Process, 1}}}));
    }
    void drawsRowsWhenOnlyTheirCountIsGraphed() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QCOMPARE(planner.timelineQuery().measure, analysis::TimelineMeasure::Bytes);
        auto layout = graph.layout();
        layout.columns = {analysis::Column::Size, analysis::Column::Count};
        layout.graphed = 1;
        graph.setLayout(layout);
        QCOMPARE(planner.timelineQuery().measure, analysis::TimelineMeasure::Count);
        layout.graphed = 2;
        graph.setLayout(layout);
        QCOMPARE(planner.timelineQuery().measure, analysis::TimelineMeasure::Bytes);
        layout.graphed = 0;
        graph.setLayout(layout);
        QCOMPARE(planner.timelineQuery().measure, analysis::TimelineMeasure::Bytes);
    }
    void asksForNewBytesBarByBar() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTRY_COMPARE(watch.timelines.load(), 1);
        QTRY_VERIFY(!runner.isBusy());
        graph.setChart(ChartType::NewBytes);
        QTRY_COMPARE(watch.timelines.load(), 2);
        const auto query = planner.timelineQuery();
        QCOMPARE(query.measure, analysis::TimelineMeasure::NewBytes);
        QVERIFY(!query.by);
        QCOMPARE(query.points, 71u); // with 1000 pixels
        planner.setTimelinePoints(5000);
        QCOMPARE(planner.timelineQuery().points, QueryPlanner::kMostBars);
        planner.setTimelinePoints(10);
        QCOMPARE(planner.timelineQuery().points, QueryPlanner::kFewestBars);
        QTRY_VERIFY(!runner.isBusy());
        const auto asked = watch.timelines.load();
        graph.setChart(ChartType::Line);
        QTRY_COMPARE(watch.timelines.load(), asked + 1);
        QCOMPARE(planner.timelineQuery().points, 10u);
    }
    void drawsReleasesWhereNothingIsNew() {
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::Frees);
        graph.setChart(ChartType::NewBytes);
        QCOMPARE(graph.measure(), analysis::TimelineMeasure::Bytes);
    }
    void namesNeverInterruptAQuestion() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        QSignalSpy answers(&planner, &QueryPlanner::tableReady);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTRY_COMPARE(answers.count(), 1);
        state.zoomTo({TraceTime{1}, ms(500)}); // runs until it is stopped
        QTRY_COMPARE(watch.tables.load(), 2);
        shown.noteNames();
        QTest::qWait(20);
        QCOMPARE(watch.tables.load(), 2);
        QCOMPARE(watch.stopped.load(), 0);
        state.zoomTo({ms(2), ms(500)}); // finds the names without a query of its own
        QTRY_COMPARE(answers.count(), 2);
        shown.noteNames();
        QTRY_COMPARE(answers.count(), 3);
        QCOMPARE(watch.timelines.load(), 3); // no filter uses frames
    }
    void queriesAgainForTheRowsThatTheUserKeeps() {
        std::uint64_t version = 1;
        std::vector<std::uint64_t> asked;
        std::atomic<bool> isHeld{true};
        QueryFunctions functions;
        functions.table = [&](const TableRequest& request, std::stop_token) {
            while (isHeld) {
                QThread::msleep(1);
            }
            return Result<std::shared_ptr<const TableAnswer>>(std::make_shared<TableAnswer>(
                request.query, std::make_shared<TableAnswer::Source>(), TableRow{}, request.kept));
        };
        functions.rows = [&](const RowsRequest& request, std::stop_token) {
            asked.push_back(request.kept.version);
            return Result<std::shared_ptr<const TableAnswer>>(std::make_shared<TableAnswer>(
                request.answer->query(), request.answer->source(), TableRow{}, request.kept));
        };
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, functions);
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        planner.setRowViewState(
            [&] {
                RowViewState kept;
                kept.version = version;
                return kept;
            },
            [&] { return version; });
        std::vector<std::uint64_t> ready;
        connect(&planner, &QueryPlanner::tableReady, this,
                [&](const auto& answer) { ready.push_back(answer->kept().version); });
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        QTest::qWait(5);
        version = 2; // something was selected
        isHeld = false;
        QTRY_COMPARE(ready, std::vector<std::uint64_t>{2});
        QCOMPARE(asked, std::vector<std::uint64_t>{2});
        shown.noteNames();
        QTRY_COMPARE(ready, (std::vector<std::uint64_t>{2, 2}));
        QCOMPARE(asked.size(), std::size_t{1});
    }
    void asksOncePerTurnOfTheEventLoop() {
        QueryWatch watch;
        AnalysisState state;
        auto& graph = state.addGraph(analysis::Table::VirtualAlloc);
        QueryRunner runner(nullptr, watch.functions());
        TraceOnScreen shown;
        QueryPlanner planner(graph, shown, runner);
        SmallTrace trace;
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        state.reset({ms(0), ms(1000)});
        state.zoomTo({ms(2), ms(500)});
        state.zoomTo({ms(3), ms(500)});
        QTRY_VERIFY(watch.tables.load() > 0);
        QTest::qWait(20);
        QCOMPARE(watch.tables.load(), 1);
    }
};
HIGHWATER_TEST(QueryPlannerTest);
#include "query_planner_test.moc"

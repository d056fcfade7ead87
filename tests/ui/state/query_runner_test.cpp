#include "core/base/thread_priority.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/query_planner.h"
#include "ui/state/query_runner.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <new>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// Watches on which threads questions run; a question about an interval that starts at 1 runs until it is stopped.
struct Watch {
    std::atomic<int> onGuiThread{0};
    std::atomic<int> tables{0};
    std::atomic<int> timelines{0};
    std::atomic<int> stopped{0};
    std::atomic<int> tablesOfLowPriority{0};

    QueryFunctions functions() {
        QueryFunctions watched;
        const auto* gui = QThread::currentThread();
        watched.table = [this, gui](const TableRequest& request, std::stop_token stop) {
            if (QThread::currentThread() == gui) ++onGuiThread;
            if (isThreadPriorityLow()) ++tablesOfLowPriority;
            ++tables;
            waitWhileSlow(request.query.interval, stop);
            if (stop.stop_requested())
                return Result<std::shared_ptr<const TableAnswer>>(Error{ErrorKind::Cancelled, ""});
            return Result<std::shared_ptr<const TableAnswer>>(
                std::make_shared<TableAnswer>(request.query, nullptr, TableRow{}));
        };
        watched.timeline = [this, gui](const TimelineRequest& request, std::stop_token) {
            if (QThread::currentThread() == gui) ++onGuiThread;
            ++timelines;
            TimelineAnswer answer;
            answer.query = request.query;
            answer.timeline.interval = request.query.interval;
            return Result<TimelineAnswer>(std::move(answer));
        };
        return watched;
    }

    void waitWhileSlow(TimeRange interval, const std::stop_token& stop) {
        while (interval.start.ns == 1 && !stop.stop_requested()) {
            QThread::msleep(1);
        }
        if (stop.stop_requested()) ++stopped;
    }
};

TableRequest about(std::int64_t start) {
    TableRequest request;
    request.query.interval = {TraceTime{start}, TraceTime{1000}};
    return request;
}

} // namespace

class QueryRunnerTest : public QObject {
    Q_OBJECT
  private slots:
    void letsTheNewestWin() {
        Watch watch;
        QueryRunner runner(nullptr, watch.functions());
        std::vector<std::int64_t> answered;
        connect(&runner, &QueryRunner::tableAnswered, this,
                [&](const auto& answer) { answered.push_back(answer->query().interval.start.ns); });
        runner.askTable(about(1)); // runs until it is stopped
        QTRY_COMPARE(watch.tables.load(), 1);
        runner.askTable(about(2));
        QTRY_COMPARE(answered, std::vector<std::int64_t>{2});
        QTRY_COMPARE(watch.stopped.load(), 1);
        QTest::qWait(20);
        QCOMPARE(answered.size(), std::size_t{1});
        QVERIFY(!runner.isBusy());
    }
    void letsARunningQueryFinishWhenTheTraceGrows() {
        Watch watch;
        QueryRunner runner(nullptr, watch.functions());
        std::vector<std::int64_t> answered;
        connect(&runner, &QueryRunner::tableAnswered, this,
                [&](const auto& answer) { answered.push_back(answer->query().interval.start.ns); });
        runner.askTable(about(2), Urgency::WhenIdle);
        runner.askTable(about(3), Urgency::WhenIdle); // replaced before it began
        runner.askTable(about(4), Urgency::WhenIdle);
        QTRY_COMPARE(answered, (std::vector<std::int64_t>{2, 4}));
        QCOMPARE(watch.stopped.load(), 0);
    }
    void saysThatMemoryRanOutAndGoesOn() {
        Watch watch;
        auto functions = watch.functions();
        functions.table = [honest = functions.table](const TableRequest& request, std::stop_token stop) {
            if (request.query.interval.start.ns == 2) throw std::bad_alloc();
            return honest(request, stop);
        };
        QueryRunner runner(nullptr, functions);
        QSignalSpy answers(&runner, &QueryRunner::tableAnswered);
        QSignalSpy failures(&runner, &QueryRunner::failed);
        runner.askTable(about(2));
        QTRY_COMPARE(failures.count(), 1);
        QVERIFY(failures.front().front().toString().contains("not enough memory"));
        runner.askTable(about(3));
        QTRY_COMPARE(answers.count(), 1);
    }
    void leavesTheProcessorsToOthersWhenNobodyWaits() {
        Watch watch;
        QueryRunner runner(nullptr, watch.functions());
        QSignalSpy answers(&runner, &QueryRunner::tableAnswered);
        runner.askTable(about(2), Urgency::WhenIdle);
        QTRY_COMPARE(answers.count(), 1);
        QCOMPARE(watch.tablesOfLowPriority.load(), 1);
        runner.askTable(about(3), Urgency::Now); // the user waits
        QTRY_COMPARE(answers.count(), 2);
        QCOMPARE(watch.tablesOfLowPriority.load(), 1);
    }
    void stopsWhatRunsWhenItIsDestroyed() {
        Watch watch;
        {
            QueryRunner runner(nullptr, watch.functions());
            runner.askTable(about(1));
            QTRY_COMPARE(watch.tables.load(), 1);
        }
        QCOMPARE(watch.stopped.load(), 1);
    }
    void deliversOnTheGuiThreadButNeverRunsThere() {
        Watch watch;
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
        Watch watch;
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
        state.showInstant(ms(10)); // the type is that at the instant: the graph shows the process
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
    void drawsRowsWhenOnlyTheirCountIsGraphed() {
        Watch watch;
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
    void namesNeverInterruptAQuestion() {
        Watch watch;
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
        state.zoomTo({ms(2), ms(500)}); // finds the names anyway
        QTRY_COMPARE(answers.count(), 2);
        shown.noteNames();
        QTRY_COMPARE(answers.count(), 3);
        QCOMPARE(watch.timelines.load(), 3); // nothing is filtered by frames
    }
    void asksAnAnswerAgainForWhatTheReaderKeepsByNow() {
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
        planner.setKeptRows(
            [&] {
                KeptRows kept;
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
    void isBusyUntilRowsThatAreOpenedHaveCome() {
        std::atomic<bool> isHeld{true};
        QueryFunctions functions;
        functions.open = [&](const TableAnswer&, const OpenWish&, const std::stop_token& stop) {
            while (isHeld && !stop.stop_requested()) {
                QThread::msleep(1);
            }
            return Result<TableRow>(TableRow{});
        };
        QueryRunner runner(nullptr, functions);
        QSignalSpy opened(&runner, &QueryRunner::opened);
        runner.open({.answer = answerOf({}), .wish = {}});
        runner.open({.answer = answerOf({}), .wish = {}});
        QVERIFY(runner.isBusy());
        isHeld = false;
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(opened.count(), 2);
        isHeld = true;
        runner.open({.answer = answerOf({}), .wish = {}});
        runner.cancelOpens();
        QVERIFY(!runner.isBusy());
    }
    void asksOncePerTurnOfTheEventLoop() {
        Watch watch;
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
HIGHWATER_TEST(QueryRunnerTest);
#include "query_runner_test.moc"

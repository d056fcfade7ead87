#include "tests/support/test_registry.h"
#include "tests/ui/state/query_watch.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/query_runner.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <new>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

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
        QueryWatch watch;
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
        QueryWatch watch;
        QueryRunner runner(nullptr, watch.functions());
        std::vector<std::int64_t> answered;
        connect(&runner, &QueryRunner::tableAnswered, this,
                [&](const auto& answer) { answered.push_back(answer->query().interval.start.ns); });
        runner.askTable(about(2), Urgency::WhenIdle);
        runner.askTable(about(3), Urgency::WhenIdle); // replaced before it started
        runner.askTable(about(4), Urgency::WhenIdle);
        QTRY_COMPARE(answered, (std::vector<std::int64_t>{2, 4}));
        QCOMPARE(watch.stopped.load(), 0);
    }
    void reportsLackOfMemoryAndContinues() {
        QueryWatch watch;
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
        QVERIFY(failures.front().front().toString().contains("ran out of memory"));
        runner.askTable(about(3));
        QTRY_COMPARE(answers.count(), 1);
    }
    void leavesTheProcessorsToOthersWhenIdle() {
        QueryWatch watch;
        QueryRunner runner(nullptr, watch.functions());
        QSignalSpy answers(&runner, &QueryRunner::tableAnswered);
        runner.askTable(about(2), Urgency::WhenIdle);
        QTRY_COMPARE(answers.count(), 1);
        QCOMPARE(watch.tablesOfLowPriority.load(), 1);
        runner.askTable(about(3), Urgency::Now); // the user waits
        QTRY_COMPARE(answers.count(), 2);
        QCOMPARE(watch.tablesOfLowPriority.load(), 1);
    }
    void answersCoarselyWhereSomeoneWaitsForLines() {
        std::atomic<bool> isHeld{true};
        std::atomic<int> coarseOnes{0};
        QueryFunctions functions;
        functions.timeline = [&](const TimelineRequest& request, const std::stop_token& stop) {
            while (isHeld && !stop.stop_requested())
                QThread::msleep(1);
            return Result<TimelineAnswer>(TimelineAnswer{request.query, {}, {}});
        };
        functions.coarse = [&](const TimelineRequest& request, const std::stop_token&) {
            ++coarseOnes;
            return Result<std::optional<TimelineAnswer>>(TimelineAnswer{request.query, {}, {}});
        };
        QueryRunner runner(nullptr, functions);
        QSignalSpy exact(&runner, &QueryRunner::timelineAnswered);
        QSignalSpy coarse(&runner, &QueryRunner::coarseTimelineAnswered);
        runner.askTimeline({}, Urgency::WhenIdle); // nothing waits for it
        QTest::qWait(2 * QueryRunner::kCoarseAfterMs);
        QCOMPARE(coarseOnes.load(), 0);
        runner.askTimeline({}, Urgency::Now);
        QTRY_COMPARE(coarse.count(), 1);
        QVERIFY(runner.isBusy());
        QCOMPARE(exact.count(), 0);
        runner.askTimeline({}, Urgency::Now); // a newer query
        QTRY_COMPARE(coarse.count(), 2);
        isHeld = false;
        QTRY_COMPARE(exact.count(), 1);
        runner.askTimeline({}, Urgency::Now);
        QTRY_COMPARE(exact.count(), 2);
        isHeld = true;
        runner.askTimeline({}, Urgency::Now);
        runner.cancelAll();
        QTest::qWait(2 * QueryRunner::kCoarseAfterMs);
        QCOMPARE(coarse.count(), 2); // not after an exact answer, nor for cancelled queries
    }
    void queriesRoughLinesFirstAndShowsThemLate() {
        std::atomic<int> roughOnes{0};
        std::atomic<int> slowOnesAfterIt{0};
        std::atomic<bool> isHeld{true};
        const auto begin = [&](const std::stop_token& stop) {
            slowOnesAfterIt += roughOnes.load();
            while (isHeld && !stop.stop_requested())
                QThread::msleep(1);
        };
        QueryFunctions functions;
        functions.timeline = [&](const TimelineRequest& request, const std::stop_token& stop) {
            begin(stop);
            return Result<TimelineAnswer>(TimelineAnswer{request.query, {}, {}});
        };
        functions.table = [&](const TableRequest&, const std::stop_token& stop) {
            begin(stop);
            return Result<std::shared_ptr<const TableAnswer>>(answerOf({}));
        };
        functions.coarse = [&](const TimelineRequest& request, const std::stop_token&) {
            ++roughOnes;
            return Result<std::optional<TimelineAnswer>>(TimelineAnswer{request.query, {}, {}});
        };
        // On a busy machine the rough ones may start after their head start.
        for (int attempt = 0; attempt < 10 && slowOnesAfterIt != 2; ++attempt) {
            roughOnes = slowOnesAfterIt = 0;
            QueryRunner runner(nullptr, functions);
            QSignalSpy rough(&runner, &QueryRunner::coarseTimelineAnswered);
            QElapsedTimer timer;
            timer.start();
            runner.askTimeline({});
            runner.askTable(about(1));
            QTRY_COMPARE(rough.count(), 1);
            QVERIFY(timer.elapsed() >= QueryRunner::kCoarseAfterMs - 1);
        }
        QCOMPARE(slowOnesAfterIt.load(), 2);
        isHeld = false;
    }
    void cancelsRunningQueriesWhenDestroyed() {
        QueryWatch watch;
        {
            QueryRunner runner(nullptr, watch.functions());
            runner.askTable(about(1));
            QTRY_COMPARE(watch.tables.load(), 1);
        }
        QCOMPARE(watch.stopped.load(), 1);
    }
    void isBusyUntilRowsThatAreOpenedHaveCome() {
        std::atomic<bool> isHeld{true};
        QueryFunctions functions;
        functions.open = [&](const TableAnswer&, const ExpandRequest&, const std::stop_token& stop) {
            while (isHeld && !stop.stop_requested()) {
                QThread::msleep(1);
            }
            return Result<TableRow>(TableRow{});
        };
        QueryRunner runner(nullptr, functions);
        QSignalSpy opened(&runner, &QueryRunner::opened);
        runner.open({.answer = answerOf({}), .expansion = {}});
        runner.open({.answer = answerOf({}), .expansion = {}});
        QVERIFY(runner.isBusy());
        isHeld = false;
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(opened.count(), 2);
        isHeld = true;
        runner.open({.answer = answerOf({}), .expansion = {}});
        runner.cancelOpens();
        QVERIFY(!runner.isBusy());
    }
};
HIGHWATER_TEST(QueryRunnerTest);
#include "query_runner_test.moc"

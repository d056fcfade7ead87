#include "ui/state/head_start.h"

#include "tests/support/test_registry.h"
#include "ui/state/query_lane.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <thread>

using namespace highwater;
using namespace highwater::ui;

/// Slow answers wait for a quick one, but not for long.
class HeadStartTest : public QObject {
    Q_OBJECT
  private slots:
    void isOverWhenTheQuickAnswerIsThere() {
        HeadStart headStart(std::chrono::hours(1));
        std::atomic<bool> isOver{false};
        std::jthread slow([&] {
            headStart.wait({});
            isOver = true;
        });
        QTest::qWait(20);
        QVERIFY(!isOver);
        headStart.end();
        slow.join();
        QVERIFY(isOver);
        headStart.wait({}); // also for later callers
    }
    void isOverAfterAMoment() {
        HeadStart headStart(std::chrono::milliseconds(1));
        headStart.wait({}); // returns
    }
    void isOverWhenTheAnswerIsNotWanted() {
        HeadStart headStart(std::chrono::hours(1));
        std::jthread slow([&](const std::stop_token& stop) { headStart.wait(stop); });
        slow.request_stop();
        slow.join(); // returns
    }
    void keepsALaneWaitingAndEndsWithTheAnswerOfAnother() {
        QObject home;
        QueryPools pools;
        pools.setMaxThreadCount(2);
        std::vector<int> begun;
        std::mutex mutex;
        std::atomic<bool> isHeld{true};
        const auto work = [&](const int& request, const std::stop_token&) -> Result<int> {
            {
                const std::scoped_lock lock(mutex);
                begun.push_back(request);
            }
            while (isHeld)
                QThread::msleep(1);
            return request;
        };
        int answers = 0;
        QueryLane<int, int> quick(home, pools, work, [&](const int&, const auto&) { ++answers; });
        QueryLane<int, int> slow(home, pools, work, [&](const int&, const auto&) { ++answers; });
        const auto headStart = std::make_shared<HeadStart>(std::chrono::hours(1));
        slow.ask(2, Urgency::Now, {.after = headStart});
        quick.ask(1, Urgency::Now, {.isFirst = headStart});
        const auto beginners = [&] {
            const std::scoped_lock lock(mutex);
            return begun;
        };
        QTRY_COMPARE(beginners(), std::vector<int>{1});
        QTest::qWait(20);
        QCOMPARE(beginners(), std::vector<int>{1});
        QVERIFY(slow.isBusy());
        isHeld = false;
        QTRY_COMPARE(answers, 2);
        QCOMPARE(beginners(), (std::vector<int>{1, 2}));
        pools.waitForDone();
    }
};

HIGHWATER_TEST(HeadStartTest);
#include "head_start_test.moc"

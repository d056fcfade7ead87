#include "core/base/thread_time.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <thread>

using namespace highwater;
using namespace std::chrono_literals;

class ThreadTimeTest : public QObject {
    Q_OBJECT
  private slots:
    void workCounts() {
        const auto begin = threadTime();
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (threadTime() - begin < 30ms && std::chrono::steady_clock::now() < end) {
        }
        QVERIFY(threadTime() - begin >= 30ms);
    }
    void waitingDoesNot() {
        const auto begin = threadTime();
        std::this_thread::sleep_for(300ms);
        QVERIFY(threadTime() - begin < 150ms);
    }
    void workOfOthersDoesNot() {
        const auto begin = threadTime();
        std::thread([] {
            const auto own = threadTime();
            while (threadTime() - own < 200ms) {
            }
        }).join();
        QVERIFY(threadTime() - begin < 150ms);
    }
};

HIGHWATER_TEST(ThreadTimeTest);
#include "thread_time_test.moc"

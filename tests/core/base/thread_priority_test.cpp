#include "core/base/thread_priority.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

using namespace highwater;

namespace {

/// The calling thread's nice value.
int niceness() {
#ifdef __linux__
    return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
#else
    return 0;
#endif
}

} // namespace

class ThreadPriorityTest : public QObject {
    Q_OBJECT
  private slots:
    void lowersOneThreadAndNoOther() {
        const auto before = niceness();
        bool wasLow = true, isLow = false;
        int lowered = before;
        std::thread([&] {
            wasLow = isThreadPriorityLow();
            lowerThreadPriority();
            isLow = isThreadPriorityLow();
            lowered = niceness();
        }).join();
        QVERIFY(!wasLow);
        QVERIFY(isLow);
        QVERIFY(!isThreadPriorityLow());
        QCOMPARE(niceness(), before);
#ifdef __linux__
        if (before < 10) QVERIFY(lowered > before);
#endif
    }

    void twiceIsOnce() {
        int once = 0, twice = 1;
        std::thread([&] {
            lowerThreadPriority();
            once = niceness();
            lowerThreadPriority();
            twice = niceness();
        }).join();
        QCOMPARE(twice, once);
    }
};

HIGHWATER_TEST(ThreadPriorityTest);
#include "thread_priority_test.moc"

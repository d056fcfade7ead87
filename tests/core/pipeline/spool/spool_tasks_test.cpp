#include "core/pipeline/spool/spool_tasks.h"
#include "tests/support/test_registry.h"

#include <QStringList>
#include <QTest>

#include <new>

using namespace highwater;
using namespace highwater::pipeline;

class SpoolTasksTest : public QObject {
    Q_OBJECT

    SpoolTasks::Run says(const char* word, bool now = true) {
        return [this, word, now] {
            said_ << word;
            return now;
        };
    }
    QStringList said_;

  private slots:
    void init() { said_.clear(); }

    void runsInOrderWhenItsBatchesAreWritten() {
        SpoolTasks tasks;
        QVERIFY(tasks.areDone());
        tasks.add(2, says("a"));
        tasks.add(2, says("b"));
        tasks.add(3, says("c"));
        tasks.runDue(1);
        QCOMPARE(said_, QStringList());
        QVERIFY(!tasks.areDone());
        tasks.runDue(2);
        QCOMPARE(said_, (QStringList{"a", "b"}));
        QVERIFY(!tasks.areDone());
        tasks.runDue(9);
        QCOMPARE(said_, (QStringList{"a", "b", "c"}));
        QVERIFY(tasks.areDone());
    }
    void whatCannotRunNowRunsAgainAndTheOthersWait() {
        SpoolTasks tasks;
        bool isFree = false;
        tasks.add(0, [&] {
            said_ << "a";
            return isFree;
        });
        tasks.add(0, says("b"));
        tasks.runDue(0);
        tasks.runDue(0);
        QCOMPARE(said_, (QStringList{"a", "a"}));
        QVERIFY(!tasks.areDone());
        isFree = true;
        tasks.runDue(0);
        QCOMPARE(said_, (QStringList{"a", "a", "a", "b"}));
        QVERIFY(tasks.areDone());
    }
    void aTaskThatRunsOutOfMemoryIsOver() {
        SpoolTasks tasks;
        tasks.add(0, []() -> bool { throw std::bad_alloc(); });
        tasks.add(0, says("b"));
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, tasks.runDue(0));
        QVERIFY(!tasks.areDone());
        tasks.runDue(0);
        QCOMPARE(said_, QStringList{"b"});
        QVERIFY(tasks.areDone());
    }
};
HIGHWATER_TEST(SpoolTasksTest);
#include "spool_tasks_test.moc"

#include "core/agent_linux/channel_layout.h"
#include "core/source/agent/agent_reading_pace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::source;
using std::chrono::milliseconds;

namespace {

constexpr unsigned kProcessors = 2;

/// A large backlog that is not urgent.
AgentBacklog backlogOf(std::int64_t lagNs) {
    AgentBacklog backlog;
    backlog.bytes = 100u << 20;
    backlog.mostBytes = 1u << 30;
    backlog.lagNs = lagNs;
    backlog.threads = 2;
    backlog.processes = 1;
    return backlog;
}

/// A recorder that runs every 10 ms, on a machine with this much idle time (two processors: up to 2).
class Passes {
  public:
    std::size_t run(int count, double idleProcessors, const AgentBacklog& backlog,
                    AgentReadingPace::Program program = AgentReadingPace::Program::Runs) {
        std::size_t most = 0;
        for (int i = 0; i < count; ++i) {
            now_ += milliseconds(10);
            idle_ += 10 * idleProcessors;
            pace.noteIdle(now_, milliseconds(static_cast<std::int64_t>(idle_) / 10 * 10));
            most = pace.most(backlog, program);
        }
        return most;
    }

    AgentReadingPace pace{kProcessors};

  private:
    milliseconds now_{0};
    double idle_ = 0;
};

constexpr std::int64_t kYoung = 100'000'000, kOld = 3'000'000'000;

} // namespace

class AgentReadingPaceTest : public QObject {
    Q_OBJECT
  private slots:
    void aLittleIsReadAtOnce() {
        Passes passes;
        auto backlog = backlogOf(kYoung);
        backlog.bytes = 64 << 10;
        QCOMPARE(passes.run(100, 0, backlog), AgentReadingPace::kAll);
        QVERIFY(!passes.pace.isHurrying());
    }

    void aProgramThatNeedsAllProcessorsHasThem() {
        Passes passes;
        QCOMPARE(passes.run(100, 0, backlogOf(kYoung)), 0u);
        QCOMPARE(passes.run(100, 0, backlogOf(kOld)), 0u);
        QVERIFY(!passes.pace.isHurrying());
    }

    // The other half of a processor, perhaps.
    void halfOfTheProcessorsIsLeftToItForAWhile() {
        Passes passes;
        QCOMPARE(passes.run(100, 1, backlogOf(kYoung)), 0u);
        QVERIFY(passes.run(100, 1, backlogOf(kOld)) > 100'000);
    }

    void anIdleMachineIsUsed() {
        Passes passes;
        QVERIFY(passes.run(100, 1.8, backlogOf(kYoung)) > 100'000);
    }

    void whenNothingIsIdleAnyMoreLessAndLessIsRead() {
        Passes passes;
        const auto most = passes.run(100, 1.8, backlogOf(kYoung));
        const auto less = passes.run(20, 0, backlogOf(kYoung));
        QVERIFY(less < most / 2 && less > 0);
        QCOMPARE(passes.run(50, 0, backlogOf(kYoung)), 0u);
    }

    // If reading takes nearly all idle time, it continues like this.
    void whatIsReadStaysWhenItFits() {
        Passes passes;
        (void)passes.run(30, 1, backlogOf(kOld));
        const auto most = passes.run(5, 0.2, backlogOf(kOld));
        QVERIFY(most > 0 && most < 100'000);
        QCOMPARE(passes.run(100, 0.2, backlogOf(kOld)), most);
    }

    void whatPressesIsReadAsFastAsItGoes_data() {
        QTest::addColumn<AgentBacklog>("pressing");
        auto backlog = backlogOf(kYoung);
        backlog.bytes = backlog.mostBytes / 2;
        QTest::newRow("memory") << backlog;
        QTest::newRow("time") << backlogOf(AgentReadingPace::kMostLagNs);
        backlog = backlogOf(kYoung);
        backlog.threads = highwater::agent::kMostThreads / 2;
        QTest::newRow("threads") << backlog;
        backlog = backlogOf(kYoung);
        backlog.processes = highwater::agent::kMostProcesses / 2;
        QTest::newRow("processes") << backlog;
        backlog = backlogOf(kYoung);
        backlog.isProcessHeldBack = true;
        QTest::newRow("a program that goes on as another one") << backlog;
    }
    void whatPressesIsReadAsFastAsItGoes() {
        QFETCH(AgentBacklog, pressing);
        Passes passes;
        QVERIFY(passes.run(1, 0, pressing) >= 100'000);
        QVERIFY(passes.pace.isHurrying());
        // Until nearly all of it is read.
        QVERIFY(passes.run(1, 0, backlogOf(kYoung)) >= 100'000);
        auto little = backlogOf(kYoung);
        little.bytes = 64 << 10;
        QCOMPARE(passes.run(1, 0, little), AgentReadingPace::kAll);
        QVERIFY(!passes.pace.isHurrying());
        QCOMPARE(passes.run(1, 0, backlogOf(kYoung)), 0u);
    }

    void afterTheEndNobodyIsInTheWay() {
        Passes passes;
        QVERIFY(passes.run(1, 0, backlogOf(kYoung), AgentReadingPace::Program::IsOver) >= 100'000);
        QVERIFY(passes.pace.isHurrying());
    }

    void whereNobodyTellsItIsReadAtOnce() {
        AgentReadingPace pace(kProcessors);
        pace.noteIdle(milliseconds(10), std::nullopt);
        QVERIFY(pace.most(backlogOf(kYoung), AgentReadingPace::Program::Runs) >= 100'000);
    }
};

HIGHWATER_TEST(AgentReadingPaceTest);
#include "agent_reading_pace_test.moc"

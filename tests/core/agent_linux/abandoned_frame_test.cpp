#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <utility>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Signal handlers that leave the interrupted code, which is most often the agent, without returning.
class AbandonedFrameTest : public QObject {
    Q_OBJECT

  private slots:
    void theThreadIsRecordedOn_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("times");
        QTest::addColumn<int>("threads");
        QTest::addColumn<std::uint64_t>("handlersBlocks"); // at most
        QTest::newRow("one jump") << "jumps" << 1 << 1 << std::uint64_t{0};
        QTest::newRow("many jumps") << "jumps" << 300 << 1 << std::uint64_t{0};
        QTest::newRow("from a signal's own stack") << "jumpsfromstack" << 100 << 1 << std::uint64_t{0};
        QTest::newRow("of a thread") << "jumpsofthread" << 100 << 1 << std::uint64_t{0};
        QTest::newRow("exceptions") << "throws" << 100 << 1 << std::uint64_t{100}; // the thrown objects
        QTest::newRow("the end of the thread") << "endings" << 60 << 60 << std::uint64_t{0};
    }
    void theThreadIsRecordedOn() {
        QFETCH(const QString, program);
        QFETCH(const int, times);
        QFETCH(const int, threads);
        QFETCH(const std::uint64_t, handlersBlocks);
        const AgentRecording recording = record(target({program, QString::number(times)}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.errors, QByteArray());
        QCOMPARE(recording.end.signal, 0);
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.count(AgentOp::Allocate, kLaterBytes), static_cast<std::size_t>(kBlocksLater * threads));
        QCOMPARE(recording.losses.events, 0u);
        QVERIFY2(recording.losses.interrupted <= handlersBlocks,
                 qPrintable(QString::number(recording.losses.interrupted)));
        QCOMPARE(recording.losses.damagedRings, 0u);
    }

    // A thread whose destructors allocate after the agent's last event has two rings, one after the other.
    void aThreadThatTakesASecondRingBeginsAndEndsInOrder() {
        constexpr int kThreads = 40, kRounds = 4;
        const AgentRecording recording = record(target({"latedestructors", QString::number(kThreads)}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        QCOMPARE(recording.count(AgentOp::Allocate, kLaterBytes),
                 static_cast<std::size_t>(kBlocksLater * kThreads * kRounds));
        QCOMPARE(recording.losses.events, 0u);
        QCOMPARE(recording.count(AgentOp::ThreadStart), recording.count(AgentOp::ThreadEnd));
    }

    // The interrupted code continues later, so its record must be unchanged. Meanwhile its thread does not get another.
    void whatIsOnlyHeldUpIsNotTakenForGone() {
        constexpr int kTimes = 300;
        const AgentRecording recording = record(target({"switches", QString::number(kTimes)}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.signal, 0);
        QCOMPARE(recording.losses.damagedRings, 0u);
        QCOMPARE(recording.losses.events, 0u);
        const auto made = recording.output.trimmed().toULongLong();
        QCOMPARE(made, std::uint64_t{kTimes} * 10);
        QCOMPARE(recording.count(AgentOp::Map, kLaterBytes) + recording.losses.interrupted, made);
        // The interrupted loop maps and unmaps pages in turns, whatever happened in between.
        Address mapped = 0;
        std::size_t turns = 0;
        for (const AgentEvent& event : recording.events) {
            if (event.size != 4096) continue;
            if (event.op == AgentOp::Map) {
                QCOMPARE(mapped, Address{0});
                mapped = event.address;
            } else if (event.op == AgentOp::Unmap && mapped != 0) {
                QCOMPARE(event.address, std::exchange(mapped, 0));
                ++turns;
            }
        }
        QVERIFY(turns > 1000);
    }
};
HIGHWATER_TEST(AbandonedFrameTest);

#include "abandoned_frame_test.moc"

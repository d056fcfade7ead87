#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/targets/agent_target.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

QStringList linesSaid(const QByteArray& text) { return QString::fromUtf8(text).split('\n', Qt::SkipEmptyParts); }

} // namespace

/// The rings of threads: one for each thread, in order, with the times of the calls, and complete or with counted
/// losses.
class ThreadRecorderTest : public QObject {
    Q_OBJECT

  private slots:
    void aThousandThreadsAreSeenEachWithItsOwnEvents() {
        const AgentRecording recording = record(target({"threads", "1000"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.losses.events + recording.losses.withoutRing, 0u);
        QCOMPARE(recording.count(AgentOp::Allocate, 777), 10'000u);
        std::map<std::uint32_t, int> starts;
        for (const AgentEvent& event : recording.events)
            if (event.op == AgentOp::ThreadStart) ++starts[event.tid];
        QVERIFY2(starts.size() >= 1001, qPrintable(QString::number(starts.size())));
        QCOMPARE(recording.count(AgentOp::ThreadStart), recording.count(AgentOp::ThreadEnd));
        QCOMPARE(recording.contradictions(), 0u);
    }

    // Four threads pass the same addresses around: events must be in the order in which they happened.
    void eventsOfSeveralThreadsAreInTheirTrueOrder() {
        const AgentRecording recording = record(target({"ordered", "30000"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.losses.events, 0u);
        QCOMPARE(recording.count(AgentOp::Allocate, 2000), 30'000u);
        if (recording.losses.late == 0)
            QCOMPARE(recording.contradictions(), 0u);
        else
            QVERIFY(recording.contradictions() <= recording.losses.late); // this machine stopped a thread for long
    }

    // As the program itself measures the times, for each thread and each part of its work. Many blocks at one instant
    // would show that times were raised.
    void timesOfThreadsThatStartMeanwhileAreThoseOfTheirCalls_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 4, 8, 64})
            QTest::newRow(QByteArray::number(threads)) << threads;
    }
    void timesOfThreadsThatStartMeanwhileAreThoseOfTheirCalls() {
        QFETCH(const int, threads);
        constexpr std::int64_t kClockNs = 2'000'000; // two clocks are compared
        constexpr std::size_t kMostAtOnce = 16;
        const AgentRecording recording = record(target({"starts", QString::number(threads)}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.losses.events + recording.losses.withoutRing, 0u);
        QCOMPARE(recording.losses.late, 0u);
        std::map<ByteCount, std::vector<std::int64_t>> timesOfSize;
        std::map<std::int64_t, std::size_t> atInstant;
        std::size_t mostAtOnce = 0;
        for (const AgentEvent& event : recording.all(AgentOp::Allocate)) {
            timesOfSize[event.size].push_back(event.timeNs);
            mostAtOnce = std::max(mostAtOnce, ++atInstant[event.timeNs]);
        }
        QVERIFY2(mostAtOnce <= kMostAtOnce, qPrintable(QString::number(mostAtOnce)));
        const QStringList lines = linesSaid(recording.output);
        QCOMPARE(lines.size(), threads * static_cast<qsizetype>(kSlicesOfStarts));
        std::int64_t lastNs = 0;
        for (const QString& line : lines) {
            const QStringList words = line.split(' ');
            const auto& times = timesOfSize[words[0].toULongLong()];
            QCOMPARE(times.size(), words[1].toULongLong());
            const std::int64_t before = words[2].toLongLong();
            const std::int64_t after = words[3].toLongLong();
            QVERIFY2(times.front() >= before - kClockNs && times.back() <= after + kClockNs,
                     qPrintable(QStringLiteral("%1: %2 ns before, %3 ns behind")
                                    .arg(line)
                                    .arg(before - times.front())
                                    .arg(times.back() - after)));
            lastNs = std::max(lastNs, after);
        }
        QVERIFY(recording.all(AgentOp::ProcessEnd).at(0).timeNs >= lastNs - kClockNs);
    }

    void whatAHandlerDoesInsideTheAgentIsCounted() {
        const AgentRecording recording = record(target({"nested", "300"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        const auto made = linesSaid(recording.output).value(0).section(' ', 2).toULongLong();
        QVERIFY(made > 600);
        QCOMPARE(recording.losses.events, 0u); // nothing was full
        const std::size_t seen = recording.count(AgentOp::Map) + recording.count(AgentOp::Unmap);
        QVERIFY2(
            seen + recording.losses.interrupted == made,
            qPrintable(
                QStringLiteral("%1 seen, %2 lost, %3 made").arg(seen).arg(recording.losses.interrupted).arg(made)));
    }

    void threadsHaveTheirNames() {
        const AgentRecording recording = record(target({"named", "300"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.losses.events + recording.losses.withoutRing, 0u);
        std::map<std::uint32_t, std::string> names; // the latest names; no number is reused this soon
        for (const AgentEvent& event : recording.all(AgentOp::ThreadName))
            names[event.tid] = event.detail->path;
        const auto nameOf = [&](std::size_t number) {
            for (const AgentEvent& event : recording.all(AgentOp::Allocate))
                if (event.size == kFirstSizeOfNamed + number) return names[event.tid];
            return std::string("(no such block)");
        };
        for (std::size_t i = 0; i < kShortOfNamed; ++i)
            QCOMPARE(nameOf(i), "named " + std::to_string(i)); // these ended before their names could be read
        QCOMPARE(nameOf(kShortOfNamed), std::string("main"));
        QCOMPARE(nameOf(kShortOfNamed + 1), std::string("by itself"));
        QCOMPARE(nameOf(kShortOfNamed + 2), std::string("by another"));
    }

    void withoutStacksThereAreNone() {
        AgentOptions options;
        options.stacks = false;
        const AgentRecording recording = record(target({"many", "100"}, options));
        QCOMPARE(recording.count(AgentOp::Allocate, 100), 100u);
        QCOMPARE(recording.count(AgentOp::Stack), 0u);
    }
};
HIGHWATER_TEST(ThreadRecorderTest);

#include "thread_recorder_test.moc"

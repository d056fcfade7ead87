#include "core/source/agent/agent_attach_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <memory>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr qint64 kMB = 1024;

/// A number of /proc/PID/status, in KB.
qint64 statusOf(std::uint32_t pid, const QString& field) {
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return -1;
    const QRegularExpression line(field + ":\\s*(\\d+)");
    const auto found = line.match(QString::fromUtf8(file.readAll()));
    return found.hasMatch() ? found.captured(1).toLongLong() : -1;
}

void suspend(std::uint32_t pid) { ::kill(static_cast<int>(pid), SIGSTOP); }

} // namespace

/// The memory that recordings leave behind in a program that continues.
class AgentMemoryTest : public QObject {
    Q_OBJECT

    /// Records it until some allocations arrive. Null: the recording did not start.
    static std::unique_ptr<AgentChannel> record(std::uint32_t pid) {
        auto channel = AgentChannel::create({});
        if (!channel.hasValue()) return nullptr;
        const auto target = attachAgent(*channel.value(), pid);
        if (!target.hasValue()) {
            qWarning("%s", target.error().message.c_str());
            return nullptr;
        }
        std::size_t allocations = 0;
        const auto count = [&](std::span<const AgentEvent> events) {
            for (const auto& event : events)
                allocations += event.op == AgentOp::Allocate ? 1 : 0;
        };
        while (allocations < 1000 && !target.value().hasEnded())
            channel.value()->drain(count);
        return target.value().hasEnded() ? nullptr : std::move(channel).value();
    }

  private slots:
    void twentyRecordingsTakeTheRoomOfTwo() {
        Stranger program(targetPath("agent_target"), {"many", "2000000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        QVERIFY(record(program.pid()));
        const auto first = statusOf(program.pid(), "VmSize");
        for (int i = 1; i < 20; ++i)
            QVERIFY2(record(program.pid()), qPrintable(QString::number(i)));
        const auto growth = statusOf(program.pid(), "VmSize") - first;
        QVERIFY2(growth < 300 * kMB, qPrintable(QString("%1 MB").arg(growth / kMB)));
        QTRY_VERIFY(statusOf(program.pid(), "RssShmem") < 4 * kMB);
        QVERIFY(statusOf(program.pid(), "RssAnon") < 16 * kMB);
    }

    void twentyRecordersThatAreKilledTakeTheRoomOfTwo() {
        Stranger program(targetPath("agent_target"), {"many", "2000000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        qint64 first = 0;
        for (int i = 0; i < 20; ++i) {
            Stranger reader(targetPath("agent_reader"), {"--pid", QString::number(program.pid())});
            QVERIFY2(reader.hasSaid("\n"), qPrintable(QString::number(i)));
            reader.kill();
            if (i == 0) first = statusOf(program.pid(), "VmSize");
            // The next one notices that the reader is gone as soon as this one's memory is freed.
            QTRY_VERIFY2(statusOf(program.pid(), "RssShmem") < 4 * kMB, qPrintable(QString::number(i)));
        }
        const auto growth = statusOf(program.pid(), "VmSize") - first;
        QVERIFY2(growth < 300 * kMB, qPrintable(QString("%1 MB").arg(growth / kMB)));
        QVERIFY(record(program.pid()));
    }

    void aKilledRecorderLeavesNoMemory_data() {
        QTest::addColumn<bool>("isIdle");
        QTest::newRow("in a busy program") << false;
        QTest::newRow("in one that does nothing any more") << true;
    }
    void aKilledRecorderLeavesNoMemory() {
        QFETCH(bool, isIdle);
        Stranger program(targetPath("agent_target"), {"many", "2000000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        Stranger reader(targetPath("agent_reader"), {"--pid", QString::number(program.pid())});
        QVERIFY(reader.hasSaid("\n"));
        suspend(reader.pid()); // unread records stay in memory
        QTRY_VERIFY2(statusOf(program.pid(), "RssShmem") > 20 * kMB,
                     qPrintable(QString::number(statusOf(program.pid(), "RssShmem"))));
        if (isIdle) suspend(program.pid());
        reader.kill();
        QTRY_VERIFY2_WITH_TIMEOUT(statusOf(program.pid(), "RssShmem") < 4 * kMB,
                                  qPrintable(QString::number(statusOf(program.pid(), "RssShmem"))), 10'000);
        ::kill(static_cast<int>(program.pid()), SIGCONT);
        QVERIFY(record(program.pid()));
    }

    void aLaunchedProgramGivesItBackToo() {
        Stranger reader(targetPath("agent_reader"), {"/dev/null", targetPath("agent_target"), "many", "2000000000"});
        QVERIFY(reader.hasSaid("\n"));
        const auto pid = static_cast<std::uint32_t>(reader.said().trimmed().toUInt());
        suspend(reader.pid());
        QTRY_VERIFY(statusOf(pid, "RssShmem") > 20 * kMB);
        reader.kill();
        const auto hasIt = [pid] { return statusOf(pid, "RssShmem") < 4 * kMB; };
        const bool isBack = QTest::qWaitFor(hasIt, 10'000);
        ::kill(static_cast<int>(pid), SIGKILL);
        QVERIFY(isBack);
    }
};
HIGHWATER_TEST(AgentMemoryTest);

#include "agent_memory_test.moc"

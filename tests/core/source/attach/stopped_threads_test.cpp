#include "core/source/attach/process_search_linux.h"
#include "core/source/attach/stopped_threads_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <chrono>
#include <csignal>
#include <set>
#include <thread>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr std::chrono::milliseconds kWithin(2'000);
constexpr std::size_t kMost = 1000;

QByteArray stateOf(std::uint32_t pid, std::uint32_t tid) {
    QFile file(QStringLiteral("/proc/%1/task/%2/stat").arg(pid).arg(tid));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const auto text = file.readAll();
    return text.mid(text.lastIndexOf(')') + 2, 1);
}

std::vector<std::uint32_t> threadsOf(std::uint32_t pid) { return numbersIn("/proc/" + std::to_string(pid) + "/task"); }

int stoppedIn(std::uint32_t pid) {
    int stopped = 0;
    for (const auto tid : threadsOf(pid))
        if (stateOf(pid, tid) == "t") ++stopped;
    return stopped;
}

Stranger copied(const QString& arguments) { return {targetPath("copied_program"), arguments.split(' ')}; }

} // namespace

/// All threads of other programs, stopped at the same time.
class StoppedThreadsTest : public QObject {
    Q_OBJECT

  private slots:
    void allButOneAreStopped() {
        auto program = copied("16 8 1");
        QVERIFY(program.hasSaid("ready"));
        const auto pid = program.pid();
        {
            StoppedThreads threads(pid, pid, kMost, kWithin);
            QCOMPARE(threads.running(), std::size_t{0});
            QVERIFY(threads.stopped().size() >= 24); // and those that write to pipes
            QVERIFY(stateOf(pid, pid) != "t");
            QCOMPARE(stoppedIn(pid), static_cast<int>(threadsOf(pid).size()) - 1);
            std::set<Address> stacks, pointers;
            for (const auto& thread : threads.stopped()) {
                stacks.insert(thread.registers().rsp);
                pointers.insert(thread.registers().fs_base);
            }
            QCOMPARE(stacks.size(), threads.stopped().size());
            QCOMPARE(pointers.size(), threads.stopped().size());
            threads.resume();
            QCOMPARE(stoppedIn(pid), 0);
        }
        QCOMPARE(program.exitCode(), 0);
    }
    /// Each round stops all of them in the middle of a wait.
    void threadsThatWaitDoNotNotice() {
        auto program = copied("0 12 1");
        QVERIFY(program.hasSaid("ready"));
        for (int round = 0; round < 200; ++round) {
            const StoppedThreads threads(program.pid(), 0, kMost, kWithin);
            QCOMPARE(threads.running(), std::size_t{0});
        }
        QCOMPARE(program.exitCode(), 0);
        QVERIFY2(program.said().contains("interrupted 0 wrong 0 "), program.said().constData());
    }
    void moreThreadsThanAllowedRunOn() {
        auto program = copied("16 0 1");
        QVERIFY(program.hasSaid("ready"));
        const StoppedThreads threads(program.pid(), program.pid(), 5, kWithin);
        QCOMPARE(threads.stopped().size(), std::size_t{4});
        QCOMPARE(threads.running(), std::size_t{12});
    }
    void aProcessThatHasEndedHasNone() {
        const StoppedThreads threads(0x3FFFFFFF, 0, kMost, kWithin);
        QVERIFY(threads.stopped().empty());
        QCOMPARE(threads.running(), std::size_t{0});
    }
    void aProcessThatIsKilledMeanwhileIsLetGo() {
        auto program = copied("16 8 1");
        QVERIFY(program.hasSaid("ready"));
        // The system lets the process end when the thread that has stopped it ends.
        std::thread([pid = program.pid()] {
            const StoppedThreads threads(pid, 0, kMost, kWithin);
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        }).join();
        const auto begin = std::chrono::steady_clock::now();
        program.kill();
        QVERIFY(std::chrono::steady_clock::now() - begin < kWithin);
    }
};
HIGHWATER_TEST(StoppedThreadsTest);

#include "stopped_threads_test.moc"

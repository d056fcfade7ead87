#include "core/source/agent/agent_attach_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <csignal>
#include <memory>
#include <set>
#include <thread>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// Counts the events that arrive.
struct Tally {
    std::size_t allocations = 0;
    std::size_t ofHundredBytes = 0;
    std::size_t ofChildren = 0;
    std::size_t frees = 0;
    std::size_t withStack = 0;
    std::set<std::uint32_t> threads;
    std::uint32_t origin = 99;
    bool hasProgram = false;

    void take(std::span<const AgentEvent> events) {
        for (const AgentEvent& event : events) {
            if (event.op == AgentOp::Allocate) {
                ++allocations;
                ofHundredBytes += event.size == 100 ? 1 : 0;
                withStack += event.stackKey != 0 ? 1 : 0;
                threads.insert(event.tid);
            }
            if (event.op == AgentOp::Allocate && event.size == 4242) ++ofChildren;
            frees += event.op == AgentOp::Free ? 1 : 0;
            if (event.op == AgentOp::ProcessStart) origin = event.flags;
            hasProgram = hasProgram || (event.op == AgentOp::Module && event.flags == 1);
        }
    }
};

QString refusalOf(std::uint32_t pid) {
    const auto checked = checkAttachable(pid);
    return checked.hasValue() ? QString() : QString::fromStdString(checked.error().message);
}

} // namespace

/// The agent attaches to running processes and leaves them undisturbed.
class AgentAttachTest : public QObject {
    Q_OBJECT

    std::unique_ptr<AgentChannel> channel_;
    Tally tally_;

    Result<AgentTarget> attach(std::uint32_t pid, const AgentOptions& options = {}) {
        tally_ = {};
        channel_ = TRY(AgentChannel::create(options));
        return attachAgent(*channel_, pid);
    }
    Result<int> loadThroughWaiting(std::uint32_t pid) {
        channel_ = AgentChannel::create({}).value();
        const AgentLoad load{pid, channel_->library().string(), channel_->path(), false};
        return loadOnThread(load);
    }
    static Result<int> loadOnThread(const AgentLoad& load) {
        Result<int> loaded(-1);
        std::thread([&] { loaded = loadAgent(load, [] { return true; }); }).join(); // the traced process ends with it
        return loaded;
    }
    void drain() {
        channel_->drain([this](std::span<const AgentEvent> events) { tally_.take(events); });
    }

  private slots:
    void cleanup() { channel_.reset(); }

    void aProgramThatHasEndedIsNoSuch() {
        Stranger program("/bin/true", {});
        QVERIFY(program.hasStarted());
        // Without events from us, the parent does not ask how it ended, so it stays a zombie.
        QFile status(QStringLiteral("/proc/%1/status").arg(program.pid()));
        for (int i = 0; i < 1000; ++i, QTest::qSleep(10)) {
            if (!status.open(QIODevice::ReadOnly) || status.readAll().contains("State:\tZ")) break;
            status.close();
        }
        const auto loaded = loadOnThread({program.pid(), "/nonexistent", "/nonexistent"});
        QVERIFY(!loaded.hasValue());
        QVERIFY2(loaded.error().message.ends_with("has ended."), loaded.error().message.c_str());
    }
    // The hardest case: its only thread does nothing but allocate.
    void aBusyProgramIsRecordedAndGoesOn() {
        const QByteArray expected = runAlone(target({"many", "100000000"})).output;
        Stranger program(targetPath("agent_target"), {"many", "100000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(100);
        const auto attached = attach(program.pid());
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        while (tally_.ofHundredBytes < 100'000 && !attached.value().hasEnded())
            drain();
        QVERIFY(tally_.ofHundredBytes >= 100'000);
        QCOMPARE(tally_.withStack, tally_.allocations);
        QVERIFY(tally_.frees + 10 >= tally_.allocations);
        QCOMPARE(tally_.origin, 2u);
        QVERIFY(tally_.hasProgram);
        channel_->stopRecording();
        QCOMPARE(program.exitCode(), 7);
        QCOMPARE(program.said(), expected);
    }

    void aProgramThatWaitsIsRecordedFromThenOn() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        Stranger python("/usr/bin/python3", {"-u", "-c", R"py(
import sys, threading, json, time
print("ready")
kept = []
def work():
    for i in range(2000): kept.append(json.dumps(list(range(i % 300 + 200))))
for line in sys.stdin:
    import decimal, sqlite3                       # modules that are loaded after the recorder
    before = time.monotonic(); time.sleep(0.3); slept = time.monotonic() - before
    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]; [t.join() for t in threads]
    base = sqlite3.connect(":memory:")
    base.execute("create table t(a)"); base.executemany("insert into t values(?)", [(i,) for i in range(1000)])
    print(len(kept), slept >= 0.3, base.execute("select sum(a) from t").fetchone()[0])
print("end")
)py"});
        QVERIFY(python.hasSaid("ready\n"));
        const auto attached = attach(python.pid());
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        python.say("go");
        QVERIFY(python.hasSaid("8000 True 499500\n"));
        for (int i = 0; i < 20; ++i, QTest::qSleep(5))
            drain();
        QVERIFY2(tally_.allocations > 8'000, qPrintable(QString::number(tally_.allocations)));
        QVERIFY(tally_.threads.size() >= 4);
        channel_->stopRecording();
        python.say("again");
        QVERIFY(python.hasSaid("16000 True 499500\n"));

        // Once more, to another channel.
        const auto again = attach(python.pid());
        QVERIFY2(again.hasValue(), again.hasValue() ? "" : again.error().message.c_str());
        python.say("go");
        QVERIFY(python.hasSaid("24000 True 499500\n"));
        for (int i = 0; i < 20; ++i, QTest::qSleep(5))
            drain();
        QVERIFY(tally_.allocations > 8'000);
        QCOMPARE(python.exitCode(), 0);
        QVERIFY(python.said().endsWith("end\n"));
    }

    // The recorder does nothing in it until its patience ends.
    void aProgramWhoseThreadsWaitForEachOtherIsRecorded() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        Stranger python("/usr/bin/python3", {"-u", "-c", R"py(
import threading, time
waiting = threading.Semaphore(0)
print("ready")
begin = time.monotonic()
print("waited", waiting.acquire(timeout=7), time.monotonic() - begin >= 7)
kept = [bytes(4000 + i) for i in range(3000)]
print("kept", len(kept))
)py"});
        QVERIFY(python.hasSaid("ready\n"));
        QTest::qSleep(200);
        const auto attached = attach(python.pid());
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        for (; !attached.value().hasEnded(); QTest::qSleep(5))
            drain();
        QCOMPARE(python.exitCode(), 0);
        QVERIFY2(python.said().contains("waited False True\nkept 3000\n"), python.said().constData());
        drain();
        QVERIFY2(tally_.allocations >= 3000, qPrintable(QString::number(tally_.allocations)));
    }

    // In a call that does not restart by itself (epoll_wait), and in one that does (nanosleep, above).
    void whatAProgramWaitsForIsNotDisturbed() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        Stranger python("/usr/bin/python3", {"-u", "-c", R"py(
import select, os, ctypes
libc = ctypes.CDLL(None, use_errno=True)
poll = select.epoll()
events = ctypes.create_string_buffer(64)
print("ready")
got = libc.epoll_wait(poll.fileno(), events, 1, 1500)
print("waited", got, ctypes.get_errno())
)py"});
        QVERIFY(python.hasSaid("ready\n"));
        QTest::qSleep(200);
        const auto attached = attach(python.pid());
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        QVERIFY(python.hasSaid("waited"));
        QCOMPARE(python.exitCode(), 0);
        QVERIFY2(python.said().contains("waited 0 0\n"), python.said().constData());
    }

    void whatItStartsAndWhatItGoesOnAs_data() {
        QTest::addColumn<bool>("asked");
        QTest::newRow("without children") << false;
        QTest::newRow("with children") << true;
    }
    void whatItStartsAndWhatItGoesOnAs() {
        QFETCH(bool, asked);
        const auto program = targetPath("agent_target");
        Stranger shell("/bin/sh",
                       {"-c", "echo ready; read line; " + program + " exit 10; exec " + program + " many 100"});
        QVERIFY(shell.hasSaid("ready"));
        const auto attached = attach(shell.pid(), asked ? withChildren() : AgentOptions{});
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        shell.say("go");
        for (bool isOver = false; !isOver || channel_->runningProcesses() > 0;) {
            isOver = attached.value().hasEnded();
            drain();
        }
        QCOMPARE(shell.exitCode(), 7);
        QCOMPARE(tally_.ofHundredBytes, 100u);
        QCOMPARE(tally_.ofChildren, asked ? 10u : 0u);
        QCOMPARE(channel_->losses().children, asked ? 0u : 1u);
    }

    void whatLibcStartsIsCounted_data() { whatItStartsAndWhatItGoesOnAs_data(); }
    void whatLibcStartsIsCounted() {
        QFETCH(bool, asked);
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        Stranger python("/usr/bin/python3",
                        {"-u", "-c", "import os, sys; print('ready'); sys.stdin.readline(); os.system('exit 0')"});
        QVERIFY(python.hasSaid("ready"));
        const auto attached = attach(python.pid(), asked ? withChildren() : AgentOptions{});
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        python.say("go");
        for (bool isOver = false; !isOver || channel_->runningProcesses() > 0;) {
            isOver = attached.value().hasEnded();
            drain();
        }
        QCOMPARE(python.exitCode(), 0);
        QCOMPARE(channel_->losses().children, 1u); // its environment does not load the agent
    }

    void oneRecorderAtATime() {
        if (!QFile::exists("/bin/cat")) QSKIP("cat is not installed");
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(100);
        const auto first = attach(cat.pid());
        QVERIFY2(first.hasValue(), first.hasValue() ? "" : first.error().message.c_str());
        drain();
        const auto other = AgentChannel::create({});
        const auto second = attachAgent(*other.value(), cat.pid());
        QVERIFY(!second.hasValue());
        QVERIFY2(second.error().message.find("another instance of Highwater") != std::string::npos,
                 second.error().message.c_str());
        cat.say("hello");
        QVERIFY(cat.hasSaid("hello\n"));
        QCOMPARE(cat.exitCode(), 0);
    }

    void theEndOfTheProgramIsSeen() {
        Stranger program(targetPath("agent_target"), {"many", "1000000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        const auto attached = attach(program.pid());
        QVERIFY2(attached.hasValue(), attached.hasValue() ? "" : attached.error().message.c_str());
        while (tally_.allocations == 0 && !attached.value().hasEnded())
            drain();
        QVERIFY(!attached.value().hasEnded());
        ::kill(static_cast<int>(program.pid()), SIGKILL);
        QTRY_VERIFY(attached.value().hasEnded());
        channel_->run([this](std::span<const AgentEvent> events) { tally_.take(events); }, {}, [] { return true; });
        QVERIFY(tally_.allocations > 0);
    }

    // Loading the recorder would end it.
    void aProgramUnderFiltersIsRefused_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("strict mode") << "prctl(22, 1)";
        QTest::newRow("a filter, in another thread") << "prctl(38, 1, 0, 0, 0), prctl(22, 2, program)";
    }
    void aProgramUnderFiltersIsRefused() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        QFETCH(const QString, mode);
        // The filter kills the process at openat and allows everything else.
        const QString script =
            QStringLiteral(R"py(
import ctypes, struct, threading, os
libc = ctypes.CDLL(None)
code = b"".join(struct.pack("HBBI", *rule) for rule in
    [(0x20, 0, 0, 0), (0x15, 0, 1, 257), (0x06, 0, 0, 0x80000000), (0x06, 0, 0, 0x7fff0000)])
rules = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(rules)))
prctl, read, write = libc.prctl, libc.read, libc.write
room = ctypes.create_string_buffer(64)
def work():
    %1
    write(1, b"ready\n", 6)
    while read(0, room, 64) > 0: write(1, b"lives\n", 6)
%2
)py")
                .arg(mode,
                     mode.contains("22, 1") ? "work()" : "t = threading.Thread(target=work); t.start(); t.join()");
        Stranger python("/usr/bin/python3", {"-u", "-c", script});
        QVERIFY(python.hasSaid("ready\n"));
        QTest::qSleep(50);
        QVERIFY2(refusalOf(python.pid()).contains("seccomp"), qPrintable(refusalOf(python.pid())));
        const auto attached = attach(python.pid());
        QVERIFY(!attached.hasValue());
        const AgentLoad load{python.pid(), channel_->library().string(), channel_->path()};
        const auto loaded = loadOnThread(load);
        QVERIFY(!loaded.hasValue());
        QVERIFY2(loaded.error().message.find("seccomp") != std::string::npos, loaded.error().message.c_str());
        python.say("go");
        QVERIFY(python.hasSaid("lives\n"));
    }

    void whoeverWaitsForItMayStop() {
        if (!QFile::exists("/usr/bin/perl")) QSKIP("perl is not installed");
        Stranger perl("/usr/bin/perl", {"-e", "$| = 1; print qq(ready\\n); 1 while 1"}); // never reaches a safe place
        QVERIFY(perl.hasSaid("ready\n"));
        channel_ = AgentChannel::create({}).value();
        std::stop_source stop;
        std::thread impatient([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            stop.request_stop();
        });
        QElapsedTimer waited;
        waited.start();
        const auto attached = attachAgent(*channel_, perl.pid(), stop.get_token());
        const auto milliseconds = waited.elapsed();
        impatient.join();
        QVERIFY(!attached.hasValue());
        QCOMPARE(attached.error().kind, ErrorKind::Cancelled);
        QVERIFY2(milliseconds < 3000, qPrintable(QString::number(milliseconds)));
    }

    // For a recorder that loads the agent itself and may be killed meanwhile.
    void aThreadThatWaitsIsEnough() {
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(100);
        const auto loaded = loadThroughWaiting(cat.pid());
        QVERIFY2(loaded.hasValue(), loaded.hasValue() ? "" : loaded.error().message.c_str());
        cat.say("hello");
        QVERIFY(cat.hasSaid("hello\n"));
    }
    void noThreadThatRunsIsTouchedThen() {
        Stranger program(targetPath("agent_target"), {"many", "1000000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        const auto loaded = loadThroughWaiting(program.pid());
        QVERIFY(!loaded.hasValue());
        QVERIFY2(loaded.error().message.find("ptrace_scope") != std::string::npos, loaded.error().message.c_str());
        QFile mappings(QStringLiteral("/proc/%1/maps").arg(program.pid()));
        QVERIFY(mappings.open(QIODevice::ReadOnly));
        QVERIFY(!mappings.readAll().contains("highwater-agent"));
    }

    void whatCannotBeRecordedIsRefusedWithAReason() {
        QVERIFY(refusalOf(0x3FFFFFFF).contains("does not exist"));
        QVERIFY(refusalOf(static_cast<std::uint32_t>(getpid())).contains("itself"));
        Stranger program(targetPath("agent_static"), {"wait"});
        QVERIFY(program.hasStarted());
        QTRY_VERIFY2(refusalOf(program.pid()).contains("statically linked"), qPrintable(refusalOf(program.pid())));
        Stranger suspended("/bin/cat", {});
        QVERIFY(suspended.hasStarted());
        QTest::qSleep(50);
        ::kill(static_cast<int>(suspended.pid()), SIGSTOP);
        QTRY_VERIFY2(refusalOf(suspended.pid()).contains("suspended"), qPrintable(refusalOf(suspended.pid())));
        ::kill(static_cast<int>(suspended.pid()), SIGCONT);
        if (getuid() != 0) return;
        Stranger other("/usr/bin/setpriv", {"--reuid=65534", "--clear-groups", "/bin/cat"});
        if (!other.hasStarted()) QSKIP("setpriv is not installed");
        QTRY_VERIFY2(refusalOf(other.pid()).contains("another user"), qPrintable(refusalOf(other.pid())));
    }
};
HIGHWATER_TEST(AgentAttachTest);

#include "agent_attach_test.moc"

#include "core/source/agent/agent_channel_linux.h"
#include "core/source/attach/agent_loading_linux.h"
#include "core/source/attach/loader_process_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool isTraced(std::uint32_t pid) {
    return !contentOf(QStringLiteral("/proc/%1/status").arg(pid)).contains("TracerPid:\t0\n");
}

bool isZombie(int pid) { return contentOf(QStringLiteral("/proc/%1/status").arg(pid)).contains("State:\tZ"); }

bool hasMapped(std::uint32_t pid, const char* library) {
    return contentOf(QStringLiteral("/proc/%1/maps").arg(pid)).contains(library);
}

} // namespace

/// The program that loads the agent, when it or the process that requested it is gone.
class AgentLoadingTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// A loader with a library that takes a second to load, which it finds beside itself.
    Result<LoaderProcess> startSlow(std::uint32_t pid) {
        const auto library = folder_.filePath("slow_library.so");
        const auto loader = QString::fromStdString((findAgentLibrary().parent_path() / "highwater-attach").string());
        QFile::link(targetPath("slow_library.so"), library);
        QFile::link(loader, folder_.filePath("highwater-attach"));
        const auto path = library.toStdString();
        return LoaderProcess::start(path, {"load", std::to_string(pid), path, "/dev/null"});
    }
    static QByteArray expectedOf(int count) { return runAlone(target({"many", QString::number(count)})).output; }

  private slots:
    void whatEndsProgramsDoesNotEndIt() {
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(100);
        const auto loader = startSlow(cat.pid());
        QVERIFY(loader.hasValue());
        QTRY_VERIFY(hasMapped(cat.pid(), "slow_library"));
        QVERIFY(isTraced(cat.pid()));
        QCOMPARE(getsid(loader.value().pid()), loader.value().pid());
        for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGUSR1, SIGALRM, SIGTSTP})
            ::kill(loader.value().pid(), number);
        const auto loaded = resultOf(loader.value().answer().value());
        QVERIFY(!loaded.hasValue()); // it is not an agent
        QVERIFY2(loaded.error().message.ends_with("another version of the recorder is loaded in it."),
                 loaded.error().message.c_str());
        QVERIFY(!isTraced(cat.pid()));
        cat.say("hello");
        QVERIFY(cat.hasSaid("hello\n"));
        QCOMPARE(cat.exitCode(), 0);
    }

    void whoWantedItIsGone() {
        const auto expected = expectedOf(20'000'000);
        Stranger program(targetPath("agent_target"), {"many", "20000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        {
            const auto loader = startSlow(program.pid());
            QVERIFY(loader.hasValue());
            QTRY_VERIFY(hasMapped(program.pid(), "slow_library"));
        } // waits for its end
        QVERIFY(!isTraced(program.pid()));
        QCOMPARE(program.exitCode(), 7);
        QCOMPARE(program.said(), expected);
    }

    // It has nothing to clean up: the thread returns by itself.
    void itIsKilledItself() {
        const auto expected = expectedOf(20'000'000);
        Stranger program(targetPath("agent_target"), {"many", "20000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        const auto loader = startSlow(program.pid());
        QVERIFY(loader.hasValue());
        QTRY_VERIFY(hasMapped(program.pid(), "slow_library"));
        ::kill(loader.value().pid(), SIGKILL);
        const auto loaded = resultOf(loader.value().answer().value());
        QVERIFY(!loaded.hasValue());
        QVERIFY2(loaded.error().message.ends_with("ended before it had loaded the recorder."),
                 loaded.error().message.c_str());
        QTRY_VERIFY(!isTraced(program.pid()));
        QCOMPARE(program.exitCode(), 7);
        QCOMPARE(program.said(), expected);
    }

    void itIsKilledWhileAThreadThatWaitedLoads() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        Stranger python("/usr/bin/python3", {"-u", "-c", R"py(
import time, math, signal
print("ready")
begin = time.monotonic(); time.sleep(3); slept = time.monotonic() - begin
print("slept", slept >= 3, signal.pthread_sigmask(signal.SIG_BLOCK, []), math.sqrt(2.0))
)py"});
        QVERIFY(python.hasSaid("ready\n"));
        QTest::qSleep(100);
        const auto loader = startSlow(python.pid());
        QVERIFY(loader.hasValue());
        QTRY_VERIFY(hasMapped(python.pid(), "slow_library"));
        ::kill(loader.value().pid(), SIGKILL);
        QVERIFY(python.hasSaid("slept True set() 1.4142135623730951\n"));
        QCOMPARE(python.exitCode(), 0);
    }

    // It continues as long as necessary, without being waited for; its leftovers are removed when the next one starts.
    void itDoesNotAnswerInTime() {
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(100);
        auto loader = std::make_optional(startSlow(cat.pid()));
        QVERIFY(loader->hasValue());
        QTRY_VERIFY(hasMapped(cat.pid(), "slow_library"));
        const int pid = loader->value().pid();
        ::kill(pid, SIGSTOP);
        QVERIFY(!loader->value().answer(std::chrono::milliseconds(100)).has_value());
        loader.reset();
        QVERIFY(!isZombie(pid));
        ::kill(pid, SIGCONT);
        QTRY_VERIFY(isZombie(pid));
        QVERIFY(!isTraced(cat.pid()));
        cat.say("hello");
        QVERIFY(cat.hasSaid("hello\n"));
        QVERIFY(startSlow(0x3FFFFFFF).hasValue());
        QVERIFY(!QFile::exists(QStringLiteral("/proc/%1").arg(pid)));
    }

    void itHasNothingOfOursOpen() {
        const int ours = ::open("/dev/zero", O_RDONLY); // without O_CLOEXEC
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(100);
        const auto loader = startSlow(cat.pid());
        ::close(ours);
        QVERIFY(loader.hasValue());
        QTRY_VERIFY(hasMapped(cat.pid(), "slow_library"));
        const QDir open(QStringLiteral("/proc/%1/fd").arg(loader.value().pid()));
        for (const auto& entry : open.entryInfoList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot))
            QVERIFY2(entry.symLinkTarget() != "/dev/zero", qPrintable(entry.fileName()));
    }

    void theProcessHasEndedMeanwhile() {
        const auto loader = startSlow(0x3FFFFFFF);
        QVERIFY(loader.hasValue());
        const auto loaded = resultOf(loader.value().answer().value());
        QVERIFY(!loaded.hasValue());
        QCOMPARE(loaded.error().kind, ErrorKind::NotFound);
    }

    void answersAreUnderstood() {
        for (const int number : {0, 4'194'304})
            QCOMPARE(resultOf(answerFor(number)).value(), number);
        for (const auto kind : {ErrorKind::NotFound, ErrorKind::AccessDenied, ErrorKind::Io, ErrorKind::Usage}) {
            const auto result = resultOf(answerFor(Error{kind, "It is so."}));
            QVERIFY(!result.hasValue());
            QCOMPARE(result.error().kind, kind);
            QCOMPARE(QString::fromStdString(result.error().message), QString("It is so."));
        }
        for (const auto* nonsense : {"", "b", "zIt is so.", "+", "++", "+1x", "+99999999999", "\x01x"})
            QCOMPARE(resultOf(nonsense).error().kind, ErrorKind::Io);
    }

    void withoutItNothingIsAttached() {
        const auto library = folder_.filePath("alone/libhighwater-agent.so").toStdString();
        const auto loader = LoaderProcess::start(library, {"load"});
        QVERIFY(!loader.hasValue());
        QCOMPARE(loader.error().kind, ErrorKind::NotFound);
        QCOMPARE(QString::fromStdString(loader.error().message),
                 "Processes cannot be attached to because highwater-attach was not found in " +
                     folder_.filePath("alone") + ". Install it there, next to libhighwater-agent.so.");
    }
};
HIGHWATER_TEST(AgentLoadingTest);

#include "agent_loading_test.moc"

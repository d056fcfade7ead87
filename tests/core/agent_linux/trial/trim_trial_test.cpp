#include "core/source/agent/agent_attach_linux.h"
#include "core/source/contract/trim_trial.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/core/agent/trials.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <future>
#include <thread>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// THREADS MEGABYTES CHURN of freed_memory.
Stranger freed(const QString& arguments) { return {targetPath("freed_memory"), arguments.split(' ')}; }

} // namespace

/// Trials of malloc_trim in copies of real programs.
class TrimTrialTest : public QObject {
    Q_OBJECT

  private slots:
    void triedBytesAreThoseOfTheProgramItself() {
        auto program = freed("16 6 0");
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        program.say("trim");
        QVERIFY(program.hasSaid("trimmed "));
        const auto itself = numberAfter(program.said(), "trimmed ");
        const auto tried = static_cast<std::int64_t>(trial.value().tried);
        QVERIFY2(itself > 60'000'000 && std::abs(tried - itself) * 50 <= itself,
                 qPrintable(QStringLiteral("%1 tried, %2 itself").arg(tried).arg(itself)));
        QCOMPARE(trial.value().process, "freed_memory (" + std::to_string(program.pid()) + ")");
        QVERIFY(trial.value().resident > trial.value().tried);
        QCOMPARE(program.exitCode(), 0);
        QTRY_COMPARE(copies(), 0);
    }

    // Some hold the lock of an arena in each copy.
    void busyThreadsDoNotPreventIt_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("small blocks") << "16 1 500";
        QTest::newRow("large blocks") << "16 1 50000";
    }
    void busyThreadsDoNotPreventIt() {
        QFETCH(const QString, arguments);
        auto program = freed(arguments);
        QVERIFY(program.hasSaid("ready\n"));
        for (int round = 0; round < 10; ++round) {
            const auto trial = trialOf(program.pid());
            QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
            QVERIFY(trial.value().tried > 1'000'000);
        }
        QCOMPARE(program.exitCode(), 0);
    }

    void theProgramGetsNoNotice() {
        auto program = freed("2 10 0");
        QVERIFY(program.hasSaid("ready\n"));
        QVERIFY(trialOf(program.pid()).hasValue());
        program.say("look");
        QVERIFY(program.hasSaid("signals 0 children 0\n"));
        program.say("wait");
        QVERIFY(program.hasSaid("waits\n"));
        for (int round = 0; round < 3; ++round)
            QVERIFY(trialOf(program.pid()).hasValue());
        program.say("ended");
        QVERIFY(program.hasSaid("ended 0 signals 0\n"));
        const auto children = fileText(QStringLiteral("/proc/%1/task/%1/children").arg(program.pid())).trimmed();
        QCOMPARE(children.count(' '), 0); // its own child
        ::kill(children.toInt(), SIGKILL);
        QTest::qSleep(50);
        program.say("ended");
        QVERIFY(program.hasSaid("ended 1 signals 1\n"));
    }

    /// A sleep that goes on after it was interrupted is another system call.
    void aSleepingProgramCanBeTriedAgain() {
        Stranger program("/bin/sleep", {"600"});
        QTest::qWait(300);
        for (int round = 0; round < 3; ++round) {
            const auto trial = trialOf(program.pid());
            QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        }
        program.kill();
    }
    void theLimitEndsACopyThatDoesNot() {
        Stranger program(targetPath("endless_trim"), {});
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = tryTrim(program.pid());
        QVERIFY2(reasonOf(trial).startsWith("malloc_trim() did not end within 2 seconds in a copy of endless_trim"),
                 qPrintable(reasonOf(trial)));
        QTRY_COMPARE(copies(), 0);
        program.say("lives");
        QVERIFY(program.hasSaid("lives\n"));
        QCOMPARE(program.exitCode(), 0);
    }

    void aStoppedTrialLeavesNothing() {
        Stranger program(targetPath("endless_trim"), {});
        QVERIFY(program.hasSaid("ready\n"));
        auto trial = std::async(std::launch::async, [pid = program.pid()] { return tryTrim(pid); });
        QTRY_COMPARE(copies(), 1);
        program.kill();
        QVERIFY(!trial.get().hasValue());
        QTRY_COMPARE(copies(), 0);
    }

    // Neither its handlers nor its exit functions run in the copy.
    void aCopyThatFailsSaysNothing() {
        Stranger program(targetPath("endless_trim"), {"abort"});
        QVERIFY(program.hasSaid("ready\n"));
        const auto trial = tryTrim(program.pid());
        QVERIFY2(reasonOf(trial).startsWith("malloc_trim() failed in 8 copies of endless_trim"),
                 qPrintable(reasonOf(trial)));
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(program.said(), QByteArray("ready\nexits\n"));
    }

    void aRecordedProgramIsTriedToo() {
        auto program = freed("2 10 500");
        QVERIFY(program.hasSaid("ready\n"));
        const auto channel = AgentChannel::create(withChildren());
        QVERIFY(channel.hasValue());
        QVERIFY(attachAgent(*channel.value(), program.pid()).hasValue());
        const auto trial = trialOf(program.pid());
        QVERIFY2(trial.hasValue(), qPrintable(reasonOf(trial)));
        std::size_t events = 0, processes = 0;
        const auto count = [&](std::span<const AgentEvent> some) {
            for (const auto& event : some) {
                ++events;
                if (event.op == AgentOp::ProcessStart) ++processes;
            }
        };
        channel.value()->drain(count);
        const auto before = events;
        const auto grows = [&] {
            channel.value()->drain(count);
            return events > before;
        };
        QTRY_VERIFY(grows());
        QCOMPARE(processes, std::size_t{1});
        QCOMPARE(program.exitCode(), 0);
    }

    void aProgramThatChangesMeanwhileIsNotHarmed_data() {
        QTest::addColumn<QByteArray>("change");
        QTest::newRow("it ends") << QByteArray();
        QTest::newRow("it executes another program") << QByteArray("exec");
        QTest::newRow("it forks") << QByteArray("fork");
    }
    void aProgramThatChangesMeanwhileIsNotHarmed() {
        QFETCH(const QByteArray, change);
        for (int round = 0; round < 10; ++round) {
            auto program = freed("2 10 500");
            QVERIFY(program.hasSaid("ready\n"));
            auto trial = std::async(std::launch::async, [pid = program.pid()] { return trialOf(pid); });
            QTest::qSleep(round * 4);
            change.isEmpty() ? program.kill() : program.say(change);
            const auto result = trial.get();
            if (change == "fork") QVERIFY2(result.hasValue(), qPrintable(reasonOf(result)));
            if (change == "exec") {
                program.say("hello");
                QVERIFY(program.hasSaid("hello\n"));
            }
            if (!change.isEmpty()) QCOMPARE(program.exitCode(), 0);
            QTRY_COMPARE(copies(), 0);
        }
    }

    void aProgramThatWouldAdoptItIsRefused() {
        auto program = freed("1 1 0");
        QVERIFY(program.hasSaid("ready\n"));
        program.say("adopt");
        QVERIFY(program.hasSaid("adopts 0\n"));
        const auto trial = tryTrim(program.pid());
        QVERIFY2(reasonOf(trial).contains("was not copied because it would get the copy as its child"),
                 qPrintable(reasonOf(trial)));
    }

    void whatCannotBeAttachedToIsRefused() {
        const auto nobody = tryTrim(0x3FFFFFFF);
        QCOMPARE(reasonOf(nobody), QString("malloc_trim() was not tried. Process 1073741823 does not exist."));
        QCOMPARE(nobody.error().kind, ErrorKind::NotFound);
        const auto own = reasonOf(tryTrim(static_cast<std::uint32_t>(::getpid())));
        QVERIFY2(own.startsWith("malloc_trim() was not tried. "), qPrintable(own));
        QVERIFY2(own.endsWith(QString("(%1) cannot be copied because it is Highwater itself.").arg(::getpid())),
                 qPrintable(own));
    }
    /// Starting it from Highwater would not help, as it does for a recording.
    void theReasonHasNoAdviceForRecordings() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed");
        const QString script = "import ctypes; prctl = ctypes.CDLL(None).prctl; prctl(38, 1, 0, 0, 0)\n"
                               "class Program(ctypes.Structure): _fields_ = [('n', ctypes.c_ushort), ('code', "
                               "ctypes.c_char_p)]\n"
                               "allow = b'\\x06\\0\\0\\0\\0\\0\\xff\\x7f'\n"
                               "print(prctl(22, 2, ctypes.byref(Program(1, allow)), 0, 0)); input()";
        Stranger restricted("/usr/bin/python3", {"-u", "-c", script});
        QVERIFY(restricted.hasSaid("0\n"));
        const auto reason = reasonOf(tryTrim(restricted.pid()));
        QVERIFY2(reason.contains(" cannot be copied because it restricts its own system calls (seccomp)"),
                 qPrintable(reason));
        QVERIFY2(!reason.contains("from here"), qPrintable(reason));
    }
};
HIGHWATER_TEST(TrimTrialTest);

#include "trim_trial_test.moc"

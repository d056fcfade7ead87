#include "core/source/attach/processor_breakpoints_linux.h"
#include "core/source/attach/stopped_thread_linux.h"
#include "tests/core/agent/agent_recording.h"
#include "tests/core/agent/stranger.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <array>
#include <dlfcn.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;
using Run = StoppedThread::Run;

Q_DECLARE_METATYPE(Run)

namespace {

/// The start address of libc in a process.
Address libcOf(const QString& process) {
    QFile maps("/proc/" + process + "/maps");
    if (!maps.open(QIODevice::ReadOnly)) return 0;
    for (const auto& line : maps.readAll().split('\n')) {
        if (line.contains("/libc.so")) return line.split('-').first().toULongLong(nullptr, 16);
    }
    return 0;
}

/// The malloc of libc: a sanitizer has another one here.
Address mallocIn(std::uint32_t pid) {
    void* const libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return reinterpret_cast<Address>(dlsym(libc, "malloc")) - libcOf("self") + libcOf(QString::number(pid));
}

} // namespace

/// Threads of other programs that run to an address, with hardware breakpoints or step by step.
class StoppedThreadTest : public QObject {
    Q_OBJECT

    static void addWays() {
        QTest::addColumn<Run>("run");
        QTest::newRow("at full speed") << Run::AtFullSpeed;
        QTest::newRow("stepwise") << Run::Stepwise;
    }

  private slots:
    void comesToAPlaceAndGoesOn_data() { addWays(); }
    void comesToAPlaceAndGoesOn() {
        QFETCH(Run, run);
        if (run == Run::AtFullSpeed && !processorBreakpointsStop())
            QSKIP("The breakpoints of this (virtual?) machine stop nobody.");
        const QByteArray expected = runAlone(target({"many", "100000000"})).output;
        Stranger program(targetPath("agent_target"), {"many", "100000000"});
        QVERIFY(program.hasStarted());
        QTest::qSleep(50);
        {
            int refusal = 0;
            auto thread = StoppedThread::stop(program.pid(), refusal);
            QVERIFY(thread.has_value());
            const std::array places{mallocIn(program.pid())};
            // Again from its position: not the same call.
            for (int i = 0; i < 3; ++i) {
                const auto stack = thread->stackPointer();
                QVERIFY(thread->runTo(places, 20'000, run));
                QVERIFY(thread->stackPointer() % 16 == 8); // as at the start of a function
                QVERIFY(i == 0 || thread->stackPointer() == stack);
            }
        }
        QCOMPARE(program.exitCode(), 7);
        QCOMPARE(program.said(), expected);
    }
    void isLetGoWhereItWaits_data() { addWays(); }
    void isLetGoWhereItWaits() {
        QFETCH(Run, run);
        Stranger cat("/bin/cat", {});
        QVERIFY(cat.hasStarted());
        QTest::qSleep(50);
        {
            int refusal = 0;
            auto thread = StoppedThread::stop(cat.pid(), refusal);
            QVERIFY(thread.has_value());
            const std::array places{mallocIn(cat.pid())};
            QVERIFY(!thread->runTo(places, 50, run));
            QVERIFY(thread->waitsIn().has_value());
        }
        cat.say("hello");
        QVERIFY(cat.hasSaid("hello\n"));
    }
};

HIGHWATER_TEST(StoppedThreadTest);

#include "stopped_thread_test.moc"

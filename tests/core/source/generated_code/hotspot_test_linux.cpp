#include "core/source/generated_code/hotspot_linux.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace std::chrono_literals;

namespace {

/// A process that handles SIGQUIT, or not, and is otherwise idle.
class Idle {
  public:
    explicit Idle(bool handlesQuit) : pid_(::fork()) {
        if (pid_ != 0) return;
        std::signal(SIGQUIT, handlesQuit ? [](int) {} : SIG_DFL);
        std::signal(SIGUSR1, [](int) {});
        while (true)
            ::pause();
    }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;
    ~Idle() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(pid_); }
    [[nodiscard]] bool isAlive() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

  private:
    pid_t pid_;
};

} // namespace

/// Asking a Java virtual machine for its perf map: here, processes that do not answer.
/// tests/app/cli/managed_programs_linux_test.cpp records one that does.
class HotSpotTest : public QObject {
    Q_OBJECT
  private slots:
    /// The signal would end it.
    void aMachineThatDoesNotHandleTheSignalIsNotSentIt() {
        const Idle idle(false);
        QTest::qWait(50);
        const auto facts = askProcess(idle.pid());
        const auto answer = askHotSpotForPerfMap(idle.pid(), *facts, 2s, {});
        QVERIFY(!answer.hasValue());
        QVERIFY2(answer.error().message.find("-Xrs") != std::string::npos, answer.error().message.c_str());
        QTest::qWait(50);
        QVERIFY(idle.isAlive());
    }

    void aMachineThatDoesNotAnswerIsNotWaitedForLong() {
        const Idle idle(true);
        QTest::qWait(50);
        const auto facts = askProcess(idle.pid());
        QElapsedTimer time;
        time.start();
        const auto answer = askHotSpotForPerfMap(idle.pid(), *facts, 300ms, {});
        QVERIFY(!answer.hasValue());
        QVERIFY2(answer.error().message.find("in time") != std::string::npos, answer.error().message.c_str());
        QVERIFY2(time.elapsed() >= 300 && time.elapsed() < 5000, qPrintable(QString::number(time.elapsed())));
        QVERIFY(idle.isAlive());
        const auto name = QStringLiteral("/.attach_pid%1").arg(idle.pid()); // nothing is left behind
        QVERIFY(!QFile::exists(QDir::currentPath() + name) && !QFile::exists("/tmp" + name));
    }

    void whetherFramePointersAreKeptIsRead() {
        using namespace std::string_literals;
        QVERIFY(keepsFramePointers("java\0-XX:+PreserveFramePointer\0App\0"s, {}));
        QVERIFY(keepsFramePointers("java\0App\0"s, "A=1\0JAVA_TOOL_OPTIONS=-Xmx1g -XX:+PreserveFramePointer\0"s));
        QVERIFY(!keepsFramePointers("java\0App\0"s, "A=-XX:+PreserveFramePointer\0"s));
        QVERIFY(!keepsFramePointers("java\0App\0"s, {}));
    }
};
HIGHWATER_TEST(HotSpotTest);
#include "hotspot_test_linux.moc"

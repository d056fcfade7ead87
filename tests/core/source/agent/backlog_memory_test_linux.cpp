#include "core/source/agent/backlog_memory_linux.h"
#include "core/source/agent/idle_time_linux.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace highwater::source;

namespace {

constexpr std::uint64_t kMegabyte = 1u << 20, kGigabyte = 1u << 30;
constexpr std::uint32_t kPid = 77;

/// A machine as described by the files that it shows.
class Machine {
  public:
    explicit Machine(std::uint64_t freeBytes) {
        write("proc/meminfo",
              QStringLiteral("MemTotal:  99999999 kB\nMemFree: 5 kB\nMemAvailable:   %1 kB\nBuffers: 1 kB\n")
                  .arg(freeBytes / 1024));
    }
    void write(const QString& name, const QString& text) const {
        const auto path = folder_.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toLatin1());
    }
    [[nodiscard]] std::uint64_t megabytes() const {
        return backlogMemoryBytes(kPid, folder_.filePath("proc").toStdString(),
                                  folder_.filePath("groups").toStdString()) /
               kMegabyte;
    }

  private:
    QTemporaryDir folder_;
};

} // namespace

class BacklogMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    void itIsAnEighthOfWhatIsFree() { QCOMPARE(Machine(16 * kGigabyte).megabytes(), 2048u); }
    void itIsNeverLessThanAUsualChannel() {
        QCOMPARE(Machine(1 * kGigabyte).megabytes(), 256u);
        QCOMPARE(backlogMemoryBytes(kPid, "/nowhere", "/nowhere"), 256 * kMegabyte);
    }
    void itIsNeverMoreThanFourGigabytes() { QCOMPARE(Machine(1024 * kGigabyte).megabytes(), 4096u); }

    void groupsHaveLimitsOfTheirOwn() {
        const Machine machine(32 * kGigabyte);
        machine.write("proc/77/cgroup", "12:cpu:/other\n0::/box/inner\n");
        QCOMPARE(machine.megabytes(), 4096u); // no limit is known
        machine.write("groups/box/memory.max", QString::number(10 * kGigabyte));
        machine.write("groups/box/memory.current", QString::number(2 * kGigabyte));
        machine.write("groups/box/inner/memory.max", "max\n");
        QCOMPARE(machine.megabytes(), 1024u);
        machine.write("groups/box/inner/memory.max", QString::number(4 * kGigabyte));
        QCOMPARE(machine.megabytes(), 512u);
        machine.write("groups/box/memory.current", QString::number(11 * kGigabyte)); // above its limit
        QCOMPARE(machine.megabytes(), 256u);
    }

    void thisMachineHasSome() {
        const auto bytes = backlogMemoryBytes(static_cast<std::uint32_t>(::getpid()));
        QVERIFY(bytes >= 256 * kMegabyte && bytes <= 4 * kGigabyte);
    }

    void idleTimeGoesOn() {
        const auto before = idleTime();
        QVERIFY(before);
        QElapsedTimer timer;
        timer.start();
        QTest::qSleep(100);
        const auto after = idleTime();
        QVERIFY(after && *after >= *before);
        QVERIFY(after->count() - before->count() <= (timer.elapsed() + 30) * ::sysconf(_SC_NPROCESSORS_CONF));
    }
};

HIGHWATER_TEST(BacklogMemoryTest);
#include "backlog_memory_test_linux.moc"

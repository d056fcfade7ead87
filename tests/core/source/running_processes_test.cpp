#include "core/source/running_processes.h"
#include "tests/support/test_registry.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace highwater;
using source::RunningProcess;
using source::runningProcesses;

namespace {
const RunningProcess* find(const std::vector<RunningProcess>& processes, qint64 pid) {
    const auto found = std::find_if(processes.begin(), processes.end(), [&](const auto& p) { return p.pid == pid; });
    return found == processes.end() ? nullptr : &*found;
}
} // namespace

class RunningProcessesTest : public QObject {
    Q_OBJECT
  private slots:
    void listsThisProgram() {
        const auto processes = runningProcesses();
        const auto* self = find(processes, QCoreApplication::applicationPid());
        QVERIFY(self != nullptr);
        QVERIFY(self->isOwn);
        QVERIFY(self->isRecordable);
        QCOMPARE(QString::fromStdString(self->name), QFileInfo(QCoreApplication::applicationFilePath()).fileName());
        QCOMPARE(self->bits, static_cast<std::uint32_t>(8 * sizeof(void*)));
        QVERIFY(!self->user.empty());
        QVERIFY(!self->commandLine.empty());
        QCOMPARE(std::count_if(processes.begin(), processes.end(), [](const auto& p) { return p.isOwn; }), 1);
    }
    void seesMemoryGrow() {
        const auto pid = QCoreApplication::applicationPid();
        const auto before = find(runningProcesses(), pid)->privateBytes;
        const std::vector<char> block(64 << 20, 'x');
        const auto after = find(runningProcesses(), pid)->privateBytes;
        QVERIFY2(after >= before + (60 << 20), block.data() != nullptr ? "grew by 64 MB" : "");
    }
    void listsAChildUntilItEnds() {
        QProcess child;
        child.start(QStringLiteral("sleep"), {QStringLiteral("60")});
        if (!child.waitForStarted()) QSKIP("there is no program named sleep here");
        const auto pid = child.processId();
        {
            const auto processes = runningProcesses();
            const auto* listed = find(processes, pid);
            QVERIFY(listed != nullptr);
            QCOMPARE(qint64{listed->parentPid}, QCoreApplication::applicationPid());
        }
        child.kill();
        child.waitForFinished();
        QVERIFY(find(runningProcesses(), pid) == nullptr);
    }
};
HIGHWATER_TEST(RunningProcessesTest);
#include "running_processes_test.moc"

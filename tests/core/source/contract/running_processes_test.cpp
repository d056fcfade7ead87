#include "core/source/contract/running_processes.h"
#include "tests/support/test_registry.h"
#include "tests/support/wine.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace highwater;
using source::RunningProcess;
using source::runningProcesses;
using tests::runsUnderWine;

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
        QCOMPARE(std::count_if(processes.begin(), processes.end(), [](const auto& p) { return p.isOwn; }), 1);
    }
    void tellsCommandLines() {
        if (runsUnderWine()) QSKIP("Wine tells no command lines.");
        const auto processes = runningProcesses();
        const auto line = QString::fromStdString(find(processes, QCoreApplication::applicationPid())->commandLine);
        for (const auto& argument : QCoreApplication::arguments())
            QVERIFY2(line.contains(QFileInfo(argument).fileName()), qPrintable(line));
    }
    void tellsWhereAProcessWorks() {
        const auto processes = runningProcesses();
        const auto* self = find(processes, QCoreApplication::applicationPid());
        QVERIFY(self != nullptr);
#ifdef Q_OS_LINUX
        QCOMPARE(QString::fromStdString(self->folder), QFileInfo(QDir::currentPath()).canonicalFilePath());
        const auto was = QDir::currentPath();
        const auto backAgain = qScopeGuard([&] { QDir::setCurrent(was); });
        {
            const QTemporaryDir gone;
            QVERIFY(QDir::setCurrent(gone.path()));
        }
        QCOMPARE(find(runningProcesses(), QCoreApplication::applicationPid())->folder, std::string());
#else
        QCOMPARE(self->folder, std::string());
#endif
    }
    /// Debian's redis-server is a link to redis-check-rdb, python3 one to python3.11.
    void namesALinkedProgramAsItWasStarted() {
#ifdef Q_OS_LINUX
        const QTemporaryDir folder;
        for (const auto* name : {"nap", "a-name-of-more-than-15-letters"}) {
            const auto link = folder.filePath(QString::fromLatin1(name));
            QVERIFY(QFile::link("/bin/cat", link));
            QProcess child;
            child.start(link, QStringList());
            QVERIFY(child.waitForStarted());
            const auto processes = runningProcesses();
            QCOMPARE(find(processes, child.processId())->name, std::string(name));
            child.kill();
            child.waitForFinished();
        }
#else
        QSKIP("On Windows a process is named by its file.");
#endif
    }
    void seesMemoryGrow() {
        const auto pid = QCoreApplication::applicationPid();
        const auto before = find(runningProcesses(), pid)->privateBytes;
        // Larger than everything in memory, so that no freed part of the heap can hold it.
        const QByteArray block(static_cast<qsizetype>(before) + (64 << 20), 'x');
        const auto after = find(runningProcesses(), pid)->privateBytes;
        QVERIFY2(after >= before + (60 << 20), qPrintable(QStringLiteral("%1, then %2").arg(before).arg(after)));
    }
    void listsAChildUntilItEnds() {
        QProcess child;
        for (const auto* waitsForInput : {"cat", "cmd"}) { // on Linux, on Windows
            child.start(QString::fromLatin1(waitsForInput), QStringList());
            if (child.waitForStarted()) break;
        }
        QVERIFY(child.state() == QProcess::Running);
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

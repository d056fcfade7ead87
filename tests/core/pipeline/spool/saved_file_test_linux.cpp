#include "core/pipeline/spool/saved_file.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace highwater;

/// Saving by a program that ends before saving has finished.
class SavedFileTest : public QObject {
    Q_OBJECT
  private slots:
    void nothingIsLeftOfAProgramThatIsKilled() {
        const QTemporaryDir folder;
        const auto child = ::fork();
        if (child == 0) {
            const std::array<std::byte, 4096> bytes{};
            (void)pipeline::writeBeside(folder.filePath("part.etl").toStdString(),
                                        [&](std::unique_ptr<OutputFile> file) {
                                            (void)file->append(bytes);
                                            ::kill(::getpid(), SIGKILL);
                                            return Result<void>();
                                        });
            ::_exit(0);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList());
    }
};

HIGHWATER_TEST(SavedFileTest);
#include "saved_file_test_linux.moc"

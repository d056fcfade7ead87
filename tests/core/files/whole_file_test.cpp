#include "core/files/whole_file.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace highwater;

/// Files that appear when they are complete.
class WholeFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path place() const { return folder_.filePath("a.txt").toStdString(); }
    QString content() const {
        QFile file(folder_.filePath("a.txt"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QString("not there");
    }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden); }

  private slots:
    void init() {
        QVERIFY(folder_.isValid());
        QFile::remove(folder_.filePath("a.txt"));
    }

    void holdsAllThatWasWritten() {
        const auto written = writeWholeFile(place(), [](std::ostream& out) -> Result<void> {
            for (int i = 0; i < 100'000; ++i)
                out << i % 10;
            return {};
        });
        QVERIFY(written.hasValue());
        QCOMPARE(content().size(), qsizetype{100'000});
        QVERIFY(content().endsWith("789"));
        QCOMPARE(files(), QStringList("a.txt"));
    }
    void isNotThereWhileItIsWritten() {
        const auto written = writeWholeFile(place(), [&](std::ostream& out) -> Result<void> {
            out << "a" << std::flush;
            return files().contains("a.txt") ? Result<void>(Error{}) : Result<void>();
        });
        QVERIFY(written.hasValue());
    }
    void leavesWhatWasThereWhereItFails() {
        QVERIFY(writeWholeFile(place(), [](std::ostream& out) -> Result<void> {
                    out << "old";
                    return {};
                }).hasValue());
        const auto failed = writeWholeFile(place(), [](std::ostream& out) -> Result<void> {
            out << "new";
            return Error{ErrorKind::Cancelled, "Stopped."};
        });
        QCOMPARE(failed.error().message, std::string("Stopped."));
        QCOMPARE(content(), QString("old"));
        QCOMPARE(files(), QStringList("a.txt"));
    }
    void canBeWrittenByItsName() {
        const auto written = makeWholeFile(place(), [](const std::filesystem::path& part) -> Result<void> {
            std::ofstream(part) << "by name";
            return {};
        });
        QVERIFY(written.hasValue());
        QCOMPARE(content(), QString("by name"));
        const auto failed = makeWholeFile(place(), [](const std::filesystem::path&) -> Result<void> {
            return Error{ErrorKind::Io, "No."};
        });
        QVERIFY(!failed.hasValue());
        QCOMPARE(content(), QString("by name"));
        QCOMPARE(files(), QStringList("a.txt"));
    }
    void isReadByWhomTheUserLets() {
        QVERIFY(writeWholeFile(place(), [](std::ostream&) { return Result<void>(); }).hasValue());
        QFile usual(folder_.filePath("usual.txt"));
        QVERIFY(usual.open(QIODevice::WriteOnly));
        QCOMPARE(QFile::permissions(folder_.filePath("a.txt")), usual.permissions());
        usual.remove();
    }
    void saysThatAFolderIsNone() {
        const auto failed = writeWholeFile(folder_.path().toStdString(), [](std::ostream&) { return Result<void>(); });
        QVERIFY(!failed.hasValue());
        QVERIFY(failed.error().message.find("it is a folder") != std::string::npos);
    }
};
HIGHWATER_TEST(WholeFileTest);
#include "whole_file_test.moc"

#include "core/log/log_file.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;

class LogFileTest : public QObject {
    Q_OBJECT

    static std::unique_ptr<LogFile> open(const QTemporaryDir& folder) {
        auto opened = LogFile::open(std::filesystem::path(folder.path().toStdU16String()), [](const std::string&) {});
        return opened.hasValue() ? std::move(opened).value() : nullptr;
    }
    static LogLine line(std::string sentence) {
        return {std::chrono::system_clock::now(), LogLevel::Information, LogArea::Open, std::move(sentence)};
    }
    static QString nameOf(const LogFile& file) { return QString::fromStdString(file.path().filename().string()); }

  private slots:
    void threeFilesOfAMegabyteAreAllThatStays() {
        const QTemporaryDir folder;
        const std::string kilobyte(1000, 'x');
        for (int part = 0; part < 5; ++part) { // each is written before the next starts, so none is lost
            const auto file = open(folder);
            QVERIFY(file);
            for (int i = 0; i < 1000; ++i)
                file->write(line(std::to_string(part) + kilobyte));
        }
        const QDir state(folder.path());
        QCOMPARE(state.entryList({"*.log"}, QDir::Files, QDir::Name),
                 (QStringList{"highwater.1.log", "highwater.2.log", "highwater.log"}));
        for (const auto& file : state.entryInfoList({"*.log"}, QDir::Files))
            QVERIFY2(file.size() <= static_cast<qint64>(LogFile::kMostBytes), qPrintable(file.fileName()));
        QFile newest(state.filePath("highwater.log"));
        QVERIFY(newest.open(QIODevice::ReadOnly));
        QVERIFY(newest.readAll().contains("4xxx"));
    }
    void eachRunningProgramHasAFileOfItsOwn() {
        const QTemporaryDir folder;
        auto first = open(folder);
        const auto second = open(folder);
        QVERIFY(first && second);
        QCOMPARE(nameOf(*first), "highwater.log");
        QCOMPARE(nameOf(*second), "highwater-2.log");
        first.reset();
        const auto third = open(folder);
        QVERIFY(third);
        QCOMPARE(nameOf(*third), "highwater.log"); // which is free again
    }
    void moreProgramsThanFilesAreRefused() {
        const QTemporaryDir folder;
        std::vector<std::unique_ptr<LogFile>> files;
        for (int i = 0; i < LogFile::kMostPrograms; ++i)
            files.push_back(open(folder));
        QVERIFY(files.back());
        QVERIFY(!open(folder));
    }
    void whatWasThereStays() {
        const QTemporaryDir folder;
        open(folder)->write(line("of the first run"));
        open(folder)->write(line("of the second run"));
        QFile file(folder.filePath("highwater.log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        QVERIFY(text.contains("first run") && text.contains("second run"));
    }
};
HIGHWATER_TEST(LogFileTest);
#include "log_file_test.moc"

#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTest>

#include <filesystem>

using namespace highwater;
using namespace highwater::tests;

namespace {

const std::vector<std::vector<std::string>> kQuestions{
    {"table", "--table", "heap", "--by", "Process,Type,Stack"},
    {"table", "--table", "heap", "--by", "Process,Thread,Impacting Type", "--columns", "Count,Size,Peak Size"},
    {"table", "--table", "virtualalloc", "--by", "Process,Type,Stack"},
    {"table", "--table", "frees", "--by", "Process,Stack"},
    {"table", "--table", "managed", "--by", "Process,Stack"},
    {"timeline", "--table", "heap", "--points", "50"},
    {"timeline", "--table", "virtualalloc", "--points", "50"},
    {"leaks"},
    {"heaps"},
};

} // namespace

/// A part of a trace gives the same answers as the interval of the whole, byte for byte.
class CropCommandTest : public QObject {
    Q_OBJECT

    static Answer ask(std::vector<std::string> question, const std::string& trace, const std::string& range) {
        question.insert(question.end(), {trace, "--range", range, "--symbols", ""});
        return runCli(question);
    }
    static void compareAnswers(const std::string& trace, const std::string& range) {
        const auto cropped = temporaryPath("cropped.etl");
        const auto answer = runCli({"crop", trace, "--range", range, "-o", cropped});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        for (const auto& question : kQuestions) {
            const auto whole = ask(question, trace, range);
            const auto part = ask(question, cropped, range);
            QCOMPARE(part.exitCode, whole.exitCode);
            QCOMPARE(part.answers, whole.answers);
        }
        std::filesystem::remove(cropped);
    }

  private slots:
    void answersAsTheWhole_data() {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("range");
        for (const auto* shape : {"plain", "keys", "shuffled"}) {
            for (const auto* range : {"2:10", "14.05:14.06", "20.03:31.5", "31:"})
                QTest::addRow("%s %s", shape, range) << shape << range;
        }
    }
    void answersAsTheWhole() {
        QFETCH(QString, shape);
        QFETCH(QString, range);
        compareAnswers(exercise2File(shape.toStdString()), range.toStdString());
    }
    void answersAsTheWholeOfRealTraces() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not there.");
        const QDir folder(QString::fromStdString(sharedTracesFolder()));
        compareAnswers(folder.filePath("perfview_diaghub.etl").toStdString(), "3.92:9.146");
        compareAnswers(folder.filePath("perfview_net.4.5.2.x64.etl").toStdString(), "3.774:8.807");
        compareAnswers(folder.filePath("sawbuck_image_data_32_v0.etl").toStdString(), "0.601:1.402");
    }
    void reportsTheWrittenFile() {
        const auto cropped = temporaryPath("one process.etl");
        const auto answer = runCli({"crop", exercise2File("plain"), "--process", "memorytestapp.exe", "-o", cropped});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "Saved " + cropped), answer.messages.c_str());
        const auto info = runCli({"info", cropped});
        QVERIFY(has(info.messages, "Cropped from a longer trace: from its start to its end, process 4242 only."));
        QVERIFY(!has(info.answers, "explorer"));
    }
    void takesProcessesAsTablesShowThem() {
        const auto trace = exercise2File("plain");
        const auto cropped = temporaryPath("shown process.etl");
        const auto answer = runCli({"crop", trace, "--process", kProcess, "-o", cropped});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY(has(runCli({"info", cropped}).messages, "process 4242 only."));
        for (const auto* other : {"MemoryTestApp.exe (4243)", "explorer.exe (4242)", "MemoryTestApp.exe ()", " (4242)"})
            QCOMPARE(runCli({"crop", trace, "--process", other, "-o", cropped}).exitCode, 1);
    }
    void doesNotMoveTheBeginOfAPartBack() {
        const auto part = temporaryPath("part.etl"), again = temporaryPath("part of the part.etl");
        QCOMPARE(runCli({"crop", exercise2File("plain"), "--range", "12:22", "-o", part}).exitCode, 0);
        const auto answer = runCli({"crop", part, "--range", "2:15", "-o", again});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "The range starts at 2 s, before the start of the trace. Only part of the "
                                      "recording was kept, starting at 12 s."),
                 answer.messages.c_str());
        QVERIFY(!std::filesystem::exists(again));
    }
    void needsAFile() {
        for (const auto* output : {"-", ""}) {
            const auto answer = runCli({"crop", exercise2File("plain"), "--range", "1:2", "-o", output});
            QCOMPARE(answer.exitCode, 1);
            QVERIFY2(has(answer.messages, "Specify the file to write: -o OUT.etl."), answer.messages.c_str());
        }
    }
    void requiresAPartToKeep() {
        const auto answer = runCli({"crop", exercise2File("plain"), "-o", temporaryPath("all.etl")});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(
            has(answer.messages, "Specify the part to keep: --range START:END in seconds, --process NAME, or both."));
    }
};

HIGHWATER_TEST(CropCommandTest);
#include "crop_command_test.moc"

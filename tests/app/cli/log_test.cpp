#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace highwater;
using namespace highwater::tests;

/// The log of the real program, in a home folder of its own.
class LogTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> home_;
    QByteArray level_;

    static std::string lossyFile() {
        static const auto path = temporaryPath("lossy-for-the-log.etl");
        const fixtures::TraceShape shape{.bufferBytes = 16384, .processors = 4, .shuffleSeed = 5, .dropBuffer = 40};
        return fixtures::exercise2Trace(shape).writeTo(path).hasValue() ? path : std::string();
    }
    std::string logged() const {
        QFile file(home_->filePath("highwater/highwater.log"));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
    /// Messages that come with an answer.
    static std::vector<std::string> lossesOf(const std::string& path) {
        const auto answer =
            runCliProgram({"table", path, "--table", "heap", "--by", "Process", "--no-symbols", "--format", "json"})
                .json();
        std::vector<std::string> losses;
        for (const auto& loss : answer["health"])
            losses.push_back(loss["sentence"].get<std::string>());
        return losses;
    }

  private slots:
    void init() {
        home_ = std::make_unique<QTemporaryDir>();
        level_ = qgetenv("HIGHWATER_LOG");
        qunsetenv("HIGHWATER_LOG");
        qputenv("XDG_STATE_HOME", home_->path().toUtf8());
        qputenv("_NT_SYMCACHE_PATH", home_->filePath("cache").toUtf8());
        qunsetenv("LOCALAPPDATA");
    }
    void cleanup() {
        qputenv("HIGHWATER_LOG", level_);
        qunsetenv("XDG_STATE_HOME");
        qunsetenv("_NT_SYMCACHE_PATH");
    }

    void logsOpenedFilesAndLosses() {
        const auto path = lossyFile();
        const auto losses = lossesOf(path);
        QVERIFY2(losses.size() >= 2, "the trace has lost a buffer and stacks");
        QFile::remove(home_->filePath("highwater/highwater.log"));
        QCOMPARE(runCliProgram({"info", path}).exitCode, 0);
        const auto log = logged();
        QVERIFY2(has(log, "highwater-cli") && has(log, ", info"), log.c_str());
        QVERIFY2(has(log, "open      Read " + path + " in "), log.c_str());
        for (const auto& loss : losses)
            QVERIFY2(has(log, loss), (loss + " is not in\n" + log).c_str());
    }
    void logsWhyNothingWasOpened() {
        const auto answer = runCliProgram({"info", "/no/such/trace.etl"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(logged(), "error   open      ") && has(logged(), "/no/such/trace.etl"), logged().c_str());
    }
    void showsItOnStderrWhenAsked() {
        const auto quiet = runCliProgram({"info", lossyFile()});
        QVERIFY(!has(quiet.messages, "[info]"));
        for (const auto* verbose : {"-v", "--verbose"}) {
            const auto answer = runCliProgram({"info", lossyFile(), verbose});
            QCOMPARE(answer.answers, quiet.answers);
            QVERIFY2(has(answer.messages, "highwater-cli: [info] open: Read "), answer.messages.c_str());
            QVERIFY(has(answer.messages, "highwater-cli: [warning] loss: 1 buffer is missing."));
        }
    }
    void theLevelIsTakenFromTheCommandLineThenTheEnvironment() {
        qputenv("HIGHWATER_LOG", "off");
        QCOMPARE(runCliProgram({"info", lossyFile()}).exitCode, 0);
        QVERIFY(QDir(home_->path()).isEmpty());
        const auto shown = runCliProgram({"info", lossyFile(), "-v"});
        QVERIFY(has(shown.messages, "[info] open:")); // shown, but not kept
        QVERIFY(QDir(home_->path()).isEmpty());
        QCOMPARE(runCliProgram({"info", lossyFile(), "--log-level", "warning"}).exitCode, 0);
        QVERIFY2(has(logged(), "1 buffer is missing") && !has(logged(), "Read "), logged().c_str());
        QCOMPARE(runCliProgram({"info", lossyFile(), "--log-level", "loud"}).exitCode, 1);
    }
    void symbolPlacesAreLoggedWithoutSecrets() {
        const std::vector<std::string> command{
            "table",      exercise2File("plain"),
            "--table",    "heap",
            "--by",       "Stack",
            "--symbols",  "srv*http://me:SECRET@127.0.0.1:9/symbols?key=SECRET;/no/such/folder",
            "--log-level"};
        auto detailed = command;
        detailed.insert(detailed.end(), {"debug", "-v"});
        const auto answer = runCliProgram(detailed);
        QCOMPARE(answer.exitCode, 0);
        for (const auto& text : {logged(), answer.messages}) {
            QVERIFY2(has(text, "http://127.0.0.1:9/symbols"), text.c_str());
            QVERIFY2(has(text, "/no/such/folder"), text.c_str());
            QVERIFY2(has(text, ": no symbols; "), text.c_str());
            QVERIFY2(!has(text, "SECRET"), text.c_str());
        }
        // The server is down: each of those that query it at the same time reports this once, and reports missing files
        // only when details are requested.
        QFile::remove(home_->filePath("highwater/highwater.log"));
        auto usual = command;
        usual.push_back("info");
        QCOMPARE(runCliProgram(usual).exitCode, 0);
        const auto log = logged();
        QVERIFY2(!has(log, "/no/such/folder"), log.c_str());
        const auto told = QString::fromStdString(log).count("does not answer");
        QVERIFY2(told >= 1 && told <= 4, log.c_str());
    }
};
HIGHWATER_TEST(LogTest);
#include "log_test.moc"

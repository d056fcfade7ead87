#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>

using namespace highwater;
using namespace highwater::tests;

namespace {

QString source(const char* name) { return QStringLiteral(HIGHWATER_MANAGED_PROGRAMS "/") + name; }
QString built(const char* name) { return QString::fromStdString(temporaryPath(name)); }
bool isThere(const char* program) { return !QStandardPaths::findExecutable(program).isEmpty(); }

bool compile(const char* compiler, const QStringList& arguments) {
    QProcess process;
    process.start(compiler, arguments);
    return process.waitForFinished(120'000) && process.exitCode() == 0;
}

QStringList nodeProgram(const QString& rounds) { return {"node", source("leaky.js"), rounds}; }
QStringList javaProgram(const QString& rounds, const QStringList& options = {}) {
    return QStringList{"java"} + options + QStringList{"-cp", built(""), "Leaky", rounds};
}
QStringList monoProgram(const QString& rounds) { return {"mono", built("Leaky.exe"), rounds}; }

/// Files in which runtimes describe their code, and V8's log beside them.
QStringList leftovers() {
    return QDir("/tmp").entryList({"perf-*.map", ".java_pid*.map"}, QDir::Files) +
           QDir::current().entryList({"isolate-*-v8.log"}, QDir::Files);
}

/// The whole table, for messages.
std::string tableOf(const std::string& file) {
    return runCli({"table", file, "--table", "heap", "--by", "Stack (bottom-up)", "--sort", "Size:desc", "--top", "3",
                   "--depth", "12"})
        .answers;
}

/// The function that allocated most.
std::string largestOf(const std::string& file) {
    const auto answer = runCli({"table", file, "--table", "heap", "--by", "Stack (bottom-up)", "--sort", "Size:desc",
                                "--top", "1", "--depth", "1", "--format", "json"});
    const auto rows = answer.json()["rows"];
    return rows.empty() ? answer.messages : rows[0]["key"].get<std::string>();
}

} // namespace

/// Programs in JavaScript, Java and C#, recorded live: bottom-up, the leaking function comes first, under its name in
/// the source.
class ManagedProgramsTest : public QObject {
    Q_OBJECT

    struct Made {
        int exitCode = -1;
        std::string messages;
    };
    std::map<QString, Made> launched_;
    QStringList leftBefore_;
    bool hasJava_ = false, hasMono_ = false;

    static std::string recording(const QString& name) {
        return temporaryPath("managed_" + name.toStdString() + ".etl");
    }

    void skipWhereMissing(const QString& runtime) const {
        if (runtime == "node" && !isThere("node")) QSKIP("There is no node: installer/packages-test.txt.");
        if (runtime == "java" && !hasJava_) QSKIP("There is no javac and java: installer/packages-test.txt.");
        if (runtime == "mono" && !hasMono_) QSKIP("There is no mcs and mono: installer/packages-test.txt.");
    }

    /// Records a program that is already running for two seconds.
    Made attach(const QStringList& program, const std::string& file) {
        QProcess target;
        target.setStandardOutputFile(QProcess::nullDevice());
        target.setStandardErrorFile(QProcess::nullDevice());
        target.start(program[0], program.mid(1));
        if (!target.waitForStarted()) return {};
        QTest::qWait(1500); // its functions are compiled by now
        const auto answer =
            runCliProgram({"record", "-o", file, "--duration", "2", "--pid", std::to_string(target.processId())});
        target.kill();
        target.waitForFinished();
        return {answer.exitCode, answer.messages};
    }

  private slots:
    void initTestCase() {
        leftBefore_ = leftovers();
        hasJava_ = isThere("java") && isThere("javac") && compile("javac", {"-d", built(""), source("Leaky.java")});
        hasMono_ =
            isThere("mono") && isThere("mcs") && compile("mcs", {"-out:" + built("Leaky.exe"), source("Leaky.cs")});
        std::map<QString, std::unique_ptr<QProcess>> recorders; // all in parallel
        const auto start = [&](const QString& name, const QStringList& program, const QStringList& options = {}) {
            auto& recorder = recorders[name] = std::make_unique<QProcess>();
            recorder->start(HIGHWATER_CLI, QStringList{"record", "-o", QString::fromStdString(recording(name))} +
                                               options + QStringList{"--"} + program);
        };
        if (isThere("node")) start("node", nodeProgram("30"));
        if (isThere("node")) start("node without", nodeProgram("3"), {"--no-managed-names"});
        if (hasJava_) start("java", javaProgram("40"));
        if (hasMono_) start("mono", monoProgram("20"));
        for (auto& [name, recorder] : recorders) {
            const bool isDone = recorder->waitForFinished(90'000);
            launched_[name] = {isDone ? recorder->exitCode() : -1, recorder->readAllStandardError().toStdString()};
        }
    }

    void theFunctionThatLeaksIsFirst_data() {
        QTest::addColumn<QString>("function");
        QTest::newRow("node") << "leaky.js!leak:5";
        QTest::newRow("java") << "[Java]!Leaky.leak";
        QTest::newRow("mono") << "[Mono]!Leaky.Leak";
    }
    void theFunctionThatLeaksIsFirst() {
        QFETCH(QString, function);
        const QString name = QTest::currentDataTag();
        skipWhereMissing(name);
        QVERIFY2(launched_[name].exitCode == 0, launched_[name].messages.c_str());
        const auto file = recording(name);
        QVERIFY2(largestOf(file) == function.toStdString(), tableOf(file).c_str());
        // The recorder reports that it made the runtime report names, and the trace file contains this as a note.
        QVERIFY2(has(launched_[name].messages, "so that its runtime reports function names"),
                 launched_[name].messages.c_str());
        QVERIFY(has(runCli({"info", file}).answers, "so that its runtime reports function names"));
    }

    /// Its callers up to the start of the program, without unknown frames in between.
    void theWholeStackIsThere_data() {
        QTest::addColumn<QStringList>("callers");
        QTest::newRow("node") << QStringList{"leaky.js!leak:5", "leaky.js!(anonymous):16",
                                             "node:internal/timers!listOnTimeout", "!__libc_start_call_main"};
        QTest::newRow("java") << QStringList{"[Java]!Leaky.leak", "libjvm.so!JavaCalls::call_helper", "!clone3"};
        QTest::newRow("mono") << QStringList{"[Mono]!Leaky.Leak", "[Mono]!Leaky.Main", "mono-sgen!mono_main",
                                             "!__libc_start_call_main"};
    }
    void theWholeStackIsThere() {
        QFETCH(QStringList, callers);
        const QString name = QTest::currentDataTag();
        skipWhereMissing(name);
        const auto table = runCli({"table", recording(name), "--table", "heap", "--by", "Stack (bottom-up)", "--sort",
                                   "Size:desc", "--top", "1", "--size", "5000:5001"})
                               .answers;
        std::size_t at = 0;
        for (const auto& caller : callers) {
            at = table.find(caller.toStdString(), at);
            QVERIFY2(at != std::string::npos, qPrintable(caller + "\n" + QString::fromStdString(table)));
        }
    }

    void nothingIsLeftBehind() { QCOMPARE(leftovers(), leftBefore_); }

    void withoutTheOptionNothingIsSetAndNothingNamed() {
        skipWhereMissing("node");
        QVERIFY2(launched_["node without"].exitCode == 0, launched_["node without"].messages.c_str());
        QVERIFY(!has(launched_["node without"].messages, "NODE_OPTIONS"));
        QVERIFY(!has(tableOf(recording("node without")), "leaky.js!"));
    }

    void aProgramThatRunsAlreadyIsNamedByTheMapThatItWrites() {
        skipWhereMissing("node");
        const auto file = temporaryPath("attached_node.etl");
        auto program = nodeProgram("2000");
        program.insert(1, "--perf-basic-prof");
        program.insert(1, "--interpreted-frames-native-stack");
        const auto made = attach(program, file);
        for (const auto& left : leftovers())
            if (!leftBefore_.contains(left)) QFile::remove((left.startsWith("perf") ? "/tmp/" : "") + left);
        QVERIFY2(made.exitCode == 0, made.messages.c_str());
        QVERIFY2(largestOf(file) == "leaky.js!leak:5", tableOf(file).c_str());
    }

    void aJavaProgramThatRunsAlreadyIsAsked() {
        skipWhereMissing("java");
        const auto file = temporaryPath("attached_java.etl");
        const auto made = attach(javaProgram("2000", {"-XX:+PreserveFramePointer"}), file);
        QVERIFY2(made.exitCode == 0, made.messages.c_str());
        QVERIFY2(largestOf(file) == "[Java]!Leaky.leak", tableOf(file).c_str());
        QVERIFY2(!has(made.messages, "PreserveFramePointer"), made.messages.c_str());
        QCOMPARE(leftovers(), leftBefore_); // only Highwater requested the map
    }

    void aJavaProgramWithoutFramePointersIsReported() {
        skipWhereMissing("java");
        const auto file = temporaryPath("attached_plain_java.etl");
        const auto made = attach(javaProgram("2000"), file);
        QVERIFY2(made.exitCode == 0, made.messages.c_str());
        QVERIFY2(has(made.messages, "without -XX:+PreserveFramePointer"), made.messages.c_str());
    }
};

HIGHWATER_TEST(ManagedProgramsTest);
#include "managed_programs_linux_test.moc"

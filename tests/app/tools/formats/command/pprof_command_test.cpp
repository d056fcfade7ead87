#include "tests/app/cli/cli_runner.h"
#include "tests/core/formats/pprof/read_profile.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

QString goProgram() {
    const auto found = QStandardPaths::findExecutable("go", {"/usr/lib/go-1.19/bin"});
    return found.isEmpty() ? QStandardPaths::findExecutable("go") : found;
}

/// Functions, or whole stacks, and their memory.
using Amounts = std::map<std::string, std::int64_t>;

/// Lines "12B PERCENT PERCENT 34B PERCENT NAME" after their heading: amounts that end in a function.
Amounts flatOf(const QString& top) {
    Amounts amounts;
    bool isBehindHead = false;
    for (const auto& line : top.split('\n', Qt::SkipEmptyParts)) {
        const auto words = line.simplified().split(' ');
        if (isBehindHead && words.size() > 5 && words[0] != "0") {
            auto number = words[0];
            if (number.endsWith('B')) number.chop(1);
            amounts[words.mid(5).join(' ').toStdString()] += number.toLongLong();
        }
        isBehindHead = isBehindHead || words[0] == "flat";
    }
    return amounts;
}

/// Blocks between lines of minus signs: labels, then the amount before the innermost call, then its callers.
Amounts tracesOf(const QString& traces) {
    Amounts amounts;
    std::string path;
    std::int64_t amount = 0;
    const auto finish = [&] {
        if (amount != 0) amounts[path] += amount; // pprof also lists stacks that only have other values
        path.clear();
        amount = 0;
    };
    bool isInBlocks = false;
    for (const auto& line : traces.split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith("-----------+")) {
            finish();
            isInBlocks = true;
            continue;
        }
        const auto words = line.simplified().split(' ');
        if (!isInBlocks || words[0].endsWith(':')) continue;
        if (path.empty()) {
            auto number = words[0];
            if (number.endsWith('B')) number.chop(1);
            amount = number.toLongLong();
            path = words.mid(1).join(' ').toStdString();
        } else {
            path = words.join(' ').toStdString() + ";" + path;
        }
    }
    finish();
    return amounts;
}

} // namespace

/// highwater-cli pprof.
class PprofCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;
    QTemporaryDir folder_;

    std::string pathOf(const char* name) const { return folder_.filePath(name).toStdString(); }
    Answer write(const std::string& file, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"pprof", exercise_, "--no-symbols", "-o", file});
        return runCli(more);
    }
    /// Like the flame graph of the same rows.
    Amounts stacksOf(const char* measure, std::vector<std::string> more) const {
        more.insert(more.begin(), {"flames", exercise_, "--no-symbols", "--by", "Stack", "--measure", measure});
        Amounts amounts;
        std::istringstream lines(runCli(more).answers);
        for (std::string line; std::getline(lines, line);) {
            const auto blank = line.rfind(' ');
            amounts[line.substr(0, blank)] += std::stoll(line.substr(blank + 1));
        }
        return amounts;
    }
    QString goPprof(const QStringList& arguments) const {
        QProcess go;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", folder_.path());
        environment.insert("PPROF_TMPDIR", folder_.path());
        go.setProcessEnvironment(environment);
        go.start(goProgram(), QStringList{"tool", "pprof", "-unit=B"} + arguments);
        if (!go.waitForFinished(120'000) || go.exitCode() != 0) return "failed: " + go.readAllStandardError();
        return go.readAllStandardOutput();
    }

  private slots:
    void initTestCase() {
        exercise_ = exercise2File("plain");
        QVERIFY(folder_.isValid());
    }

    void goAgreesToTheByte_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("measure");
        QTest::addColumn<QString>("filter");
        for (const auto* table : {"heap", "virtualalloc"}) {
            const auto row = [&](const char* type, const char* measure, const char* filter) {
                QTest::addRow("%s %s", table, type) << table << type << measure << filter;
            };
            row("alloc_space", "Size", "[Type]:~<AI");
            row("alloc_objects", "Count", "[Type]:~<AI");
            row("inuse_objects", "Count", "[Type]:~>FO");
            row("inuse_space", "Size", "[Type]:~>FO");
        }
    }
    void goAgreesToTheByte() {
        if (goProgram().isEmpty()) QSKIP("There is no go: installer/packages-test.txt.");
        QFETCH(QString, table);
        QFETCH(QString, type);
        QFETCH(QString, measure);
        QFETCH(QString, filter);
        const auto file = pathOf("go.pb.gz");
        const std::vector<std::string> rows{"--table", table.toStdString(), "--range", "12:22"};
        QCOMPARE(write(file, rows).exitCode, 0);
        auto filtered = rows;
        filtered.insert(filtered.end(), {"--filter", filter.toStdString()});
        const auto stacks = stacksOf(measure.toStdString().c_str(), filtered);
        QVERIFY(!stacks.empty());
        Amounts functions;
        for (const auto& [path, amount] : stacks)
            functions[path.substr(path.rfind(';') + 1)] += amount;
        const QStringList asked{"-sample_index=" + type, "-nodecount=100000", QString::fromStdString(file)};
        const auto top = goPprof(QStringList{"-top", "-nodefraction=0"} + asked);
        QVERIFY2(flatOf(top) == functions, qPrintable(top));
        const auto traces = goPprof(QStringList{"-traces"} + asked);
        QVERIFY2(tracesOf(traces) == stacks, qPrintable(traces));
    }

#ifdef HIGHWATER_READS_PPROF
    void describesItsSourceAndLosses() {
        const auto file = pathOf("facts.pb.gz");
        QCOMPARE(write(file, {"--range", "12:22", "--size", "1:"}).exitCode, 0);
        QFile bytes(QString::fromStdString(file));
        QVERIFY(bytes.open(QIODevice::ReadOnly));
        const auto profile = readProfile(bytes.readAll().toStdString());
        QCOMPARE(profile.problem, std::string());
        QCOMPARE(profile.comments.at(0), "Heap Allocations of " + std::filesystem::path(exercise_).filename().string() +
                                             ", 12 s to 22 s, --size '1:'");
        QVERIFY2(has(profile.comments.at(1), "2 frees have no recorded allocation."), profile.comments.at(1).c_str());
        QCOMPARE(profile.durationNanos, std::int64_t{10'000'000'000});
        // 2024-01-17T21:20:00Z, and 12 s
        QCOMPARE(profile.timeNanos, std::int64_t{1'705'526'412'000'000'000});
        QVERIFY(profile.mappings.at(0).file.ends_with("MemoryTestApp.exe")); // the program of the profile
        QCOMPARE(profile.mappings.at(0).buildId.size(), std::size_t{33});    // GUID and age
        for (const auto& sample : profile.samples) {
            QVERIFY(sample.labels.contains("thread"));
            QVERIFY(sample.labels.at("heap").starts_with("0x"));
            QVERIFY(has(sample.labels.at("process"), "(" + sample.labels.at("pid") + ")"));
        }
    }
#endif

    void isTheSameToStdout() {
        const auto file = pathOf("same.pb.gz");
        const auto written = write(file);
        QVERIFY2(has(written.messages, "samples in " + file), written.messages.c_str());
        QVERIFY(written.answers.empty());
        QFile bytes(QString::fromStdString(file));
        QVERIFY(bytes.open(QIODevice::ReadOnly));
        const auto content = bytes.readAll().toStdString();
        QVERIFY(content == runCliProgram({"pprof", exercise_, "--no-symbols"}).answers);
        QVERIFY(content == write("-").answers);
        QCOMPARE(QDir(folder_.path()).entryList({"*.part*"}).size(), 0);
    }
    void replacesAFileOnlyWhenComplete() {
        const auto file = pathOf("there.pb.gz");
        QFile there(QString::fromStdString(file));
        QVERIFY(there.open(QIODevice::WriteOnly));
        there.write("old");
        there.close();
        QCOMPARE(write(file, {"--filter", "[Nothing]:=1"}).exitCode, 1);
        QCOMPARE(there.size(), qint64{3});
        QCOMPARE(write(file).exitCode, 0);
        QVERIFY(QFileInfo(there).size() > 3);
    }
    void saysWhyItCannotWrite() {
        auto answer = write(pathOf("no/such/folder.pb.gz"));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "Cannot"), answer.messages.c_str());
        answer = write(exercise_);
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "is the trace itself"), answer.messages.c_str());
        answer = write(folder_.path().toStdString());
        QVERIFY2(has(answer.messages, "it is a folder"), answer.messages.c_str());
        if (std::filesystem::exists("/dev/full")) {
            answer = runProgram("sh", {"-c", std::string(HIGHWATER_CLI) + " pprof '" + exercise_ + "' > /dev/full"});
            QCOMPARE(answer.exitCode, 2);
            QVERIFY2(has(answer.messages, "could not be written"), answer.messages.c_str());
        }
    }
    void isOfAllocations() {
        const auto answer = write(pathOf("frees.pb.gz"), {"--table", "frees"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "virtualalloc, heap or managed"), answer.messages.c_str());
        QVERIFY(!std::filesystem::exists(pathOf("frees.pb.gz")));
    }
    void saysWhyThereIsNothing() {
        const auto answer = write(pathOf("none.pb.gz"), {"--size", "900GB:"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "0 samples in "), answer.messages.c_str());
    }
};
HIGHWATER_TEST(PprofCommandTest);
#include "pprof_command_test.moc"

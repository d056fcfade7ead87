#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr auto kInterpreter = "/usr/lib/heaptrack/libexec/heaptrack_interpret";
constexpr std::int64_t kLeaks = 300, kLeakBytes = 10'007; // the same as in known_totals.cpp
constexpr std::int64_t kChurns = 5000, kChurnBytes = 4'099;
const QString kGoSource = HIGHWATER_PROFILED_PROGRAMS "/known_totals.go";
const QString kJsSource = HIGHWATER_PROFILED_PROGRAMS "/known_totals.js";
constexpr std::int64_t kGoChurnClass = 4'864; // runtime/sizeclasses.go
constexpr std::int64_t kLeakClass = 10'240,
                       kChurnClass = 5'120; // size classes of jemalloc, on 64 bits: "SIZE CLASSES" of its manual

QString fileOf(std::string_view name) { return QString::fromStdString(temporaryPath(name)); }

/// Debian installs it outside of PATH.
QString goProgram() {
    const auto found = QStandardPaths::findExecutable("go");
    return found.isEmpty() ? QStandardPaths::findExecutable("go", {"/usr/lib/go-1.19/bin"}) : found;
}

/// Runs a shell, as the tools' manuals do. Returns its output if it failed.
QString runShell(const QString& line) {
    QProcess shell;
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start("sh", {"-c", line});
    const bool isDone = shell.waitForFinished(120'000) && shell.exitCode() == 0;
    return isDone ? QString() : line + ": " + shell.readAll();
}

/// The number of blocks of exactly this size, and their sums at the end.
struct Sums {
    std::int64_t count = 0, size = 0, impacting = 0;
    friend bool operator==(const Sums&, const Sums&) = default;
};

/// All bytes of a call in V8, wherever it appears; "": of all calls.
std::int64_t selfSizeOf(const Json& node, const std::string& function) {
    const bool isMeant = function.empty() || node["callFrame"]["functionName"] == function;
    auto bytes = isMeant ? node["selfSize"].get<std::int64_t>() : 0;
    for (const auto& child : node["children"])
        bytes += selfSizeOf(child, function);
    return bytes;
}

Json tableOf(const std::string& file, std::int64_t size, const std::string& by) {
    return runCli({"table", file, "--table", "heap", "--by", by, "--size",
                   std::to_string(size) + ":" + std::to_string(size + 1), "--format", "json"})
        .json();
}

Sums valuesOf(const Json& row) {
    const auto& values = row["values"];
    return {values["Count"], values["Size"], values["Impacting Size"]};
}

Sums sumsOf(const std::string& file, std::int64_t size) {
    const auto rows = tableOf(file, size, "Process")["rows"];
    return rows.size() == 1 ? valuesOf(rows[0]) : Sums();
}

/// The first three functions, starting at the allocation.
std::vector<std::string> ownersOf(const std::string& file, std::int64_t size) {
    std::vector<std::string> keys;
    auto rows = tableOf(file, size, "Stack (bottom-up)")["rows"];
    for (; rows.size() == 1 && keys.size() < 3; rows = Json(rows[0]["rows"]))
        keys.push_back(rows[0]["key"]);
    return keys;
}

} // namespace

/// One program with known totals, recorded by Highwater and by other profilers: the numbers in their files are the
/// same.
class OtherProfilersTest : public QObject {
    Q_OBJECT

    const QString program_ = HIGHWATER_KNOWN_TOTALS;

    void compareWithOwn(const std::string& file) {
        const auto own = temporaryPath("known_totals.etl");
        QCOMPARE(sumsOf(own, kLeakBytes), (Sums{kLeaks, kLeaks * kLeakBytes, kLeaks * kLeakBytes}));
        QCOMPARE(sumsOf(file, kLeakBytes), sumsOf(own, kLeakBytes));
        QCOMPARE(sumsOf(own, kChurnBytes), (Sums{kChurns, kChurns * kChurnBytes, 0}));
        QCOMPARE(sumsOf(file, kChurnBytes), sumsOf(own, kChurnBytes));
        QCOMPARE(ownersOf(own, kLeakBytes),
                 (std::vector<std::string>{"known_totals!leakOne", "known_totals!leakThem", "known_totals!main"}));
        QCOMPARE(ownersOf(file, kLeakBytes), ownersOf(own, kLeakBytes));
    }

    /// For files that contain sums per stack, but no sizes of single blocks.
    void compareStacks(const std::string& file, std::int64_t leakBytes = kLeakBytes,
                       std::int64_t churnBytes = kChurnBytes) {
        const auto answer =
            runCli({"table", file, "--table", "heap", "--by", "Stack (bottom-up)", "--format", "json"}).json();
        const auto leak = answer["rows"][0];
        const auto churn = answer["rows"][1];
        std::vector<std::string> names{churn["key"], leak["key"]};
        QVERIFY2(has(names[0], "!churn") || has(names[1], "!churn"), answer.dump().substr(0, 1000).c_str());
        const auto& leaking = has(names[1], "!leakOne") ? leak : churn;
        const auto& churning = has(names[0], "!churn") ? churn : leak;
        QVERIFY2(has(leaking["key"], "!leakOne"), answer.dump().substr(0, 1000).c_str());
        QCOMPARE(valuesOf(leaking), (Sums{kLeaks, kLeaks * leakBytes, kLeaks * leakBytes}));
        QCOMPARE(valuesOf(churning), (Sums{kChurns, kChurns * churnBytes, 0}));
        QVERIFY(has(leaking["rows"][0]["key"], "!leakThem"));
        QVERIFY(has(leaking["rows"][0]["rows"][0]["key"], "!main"));
    }
    /// Memory in use when the program ended.
    void comparePprof(const std::string& file) {
        const auto answer =
            runCli({"table", file, "--table", "heap", "--by", "Stack", "--columns", "Count,Impacting Size,Size",
                    "--leaves", "--filter", R"([Stack]:~="leakOne")", "--format", "json"});
        std::int64_t count = 0, bytes = 0;
        const auto parsed = answer.json();
        for (const auto& row : parsed["rows"]) {
            count += row["values"]["Count"].get<std::int64_t>();
            bytes += row["values"]["Impacting Size"].get<std::int64_t>();
        }
        QVERIFY2(bytes == kLeaks * kLeakBytes && count == kLeaks,
                 (answer.answers + answer.messages).substr(0, 2000).c_str());
    }

  private slots:
    void initTestCase() {
        const auto recorded =
            runCliProgram({"record", "-o", temporaryPath("known_totals.etl"), "--", program_.toStdString()});
        QVERIFY2(recorded.exitCode == 0, recorded.messages.c_str());
    }

    void heaptrack_data() {
        QTest::addColumn<QString>("packer");
        QTest::newRow("as it is") << "cat";
        QTest::newRow("gzip") << "gzip -c";
        QTest::newRow("Zstandard") << "zstd -qc";
    }
    void heaptrack() {
        QFETCH(QString, packer);
        if (QStandardPaths::findExecutable("heaptrack").isEmpty() || !QFile::exists(kInterpreter))
            QSKIP("There is no heaptrack: installer/packages-test.txt.");
        const auto raw = fileOf("heaptrack.known"), file = fileOf("heaptrack.known.77");
        auto said = runShell(QString("heaptrack --raw -o %1 %2").arg(raw, program_));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        // A file that was not interpreted has no names: the message describes the fix, and the test applies it.
        const auto refused = runCli({"info", (raw + ".raw.zst").toStdString()});
        QVERIFY2(has(refused.messages, "heaptrack_interpret"), refused.messages.c_str());
        said = runShell(QString("zstd -dc < %1.raw.zst | %2 | %3 > %4").arg(raw, kInterpreter, packer, file));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        compareWithOwn(file.toStdString());
    }
    void dhat() {
        if (QStandardPaths::findExecutable("valgrind").isEmpty())
            QSKIP("There is no valgrind: installer/packages-test.txt.");
        const auto file = fileOf("dhat.json");
        const auto said = runShell(QString("valgrind --tool=dhat --dhat-out-file=%1 %2").arg(file, program_));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        compareStacks(file.toStdString());
        // Options that make no sense for sums are refused with a message.
        const auto leaks = runCli({"leaks", file.toStdString()});
        QVERIFY2(has(leaks.messages, "contains totals per stack"), leaks.messages.c_str());
        const auto times = runCli({"timeline", file.toStdString(), "--table", "heap"});
        QVERIFY2(has(times.messages, "the file does not contain times"), times.messages.c_str());
        const auto column =
            runCli({"table", file.toStdString(), "--table", "heap", "--by", "Process", "--columns", "LifeTime"});
        QVERIFY2(has(column.messages, "LifeTime is not meaningful"), column.messages.c_str());
    }
    void massif() {
        if (QStandardPaths::findExecutable("valgrind").isEmpty())
            QSKIP("There is no valgrind: installer/packages-test.txt.");
        const auto file = fileOf("massif.out");
        const auto said = runShell(QString("valgrind --tool=massif --massif-out-file=%1 %2").arg(file, program_));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        const auto answer = runCli({"table", file.toStdString(), "--table", "heap", "--by", "Stack (bottom-up)",
                                    "--columns", "Peak Size,Size", "--sort", "Peak Size:desc", "--format", "json"})
                                .json();
        const auto first = answer["rows"][0];
        QCOMPARE(first["key"].get<std::string>(), std::string("[unknown]!leakOne"));
        QCOMPARE(first["values"]["Peak Size"].get<std::int64_t>(), kLeaks * kLeakBytes);
    }
    /// gperftools writes text; its own pprof and Go's make a profile of it.
    void pprofOfGperftools() {
        const QString library = "/usr/lib/x86_64-linux-gnu/libtcmalloc.so.4";
        if (!QFile::exists(library) || goProgram().isEmpty())
            QSKIP("There is no libtcmalloc, or no go: installer/packages-test.txt.");
        const auto text = fileOf("gperftools"), file = fileOf("gperftools.pb.gz");
        auto said = runShell(QString("rm -f %1.*.heap; HEAPPROFILE=%1 LD_PRELOAD=%2 %3").arg(text, library, program_));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        const auto last = QString("$(ls %1.*.heap | tail -n 1)").arg(text);
        said = runShell(QString("HOME=%4 %5 tool pprof -proto -output=%1 %2 %3")
                            .arg(file, program_, last, fileOf(""), goProgram()));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        comparePprof(file.toStdString());
    }
    /// jemalloc writes text without names; the test follows Highwater's advice.
    void jemalloc() {
        const QString library = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2";
        if (!QFile::exists(library) || QStandardPaths::findExecutable("jeprof").isEmpty())
            QSKIP("There is no libjemalloc, or no jeprof: installer/packages-test.txt.");
        const auto text = fileOf("jemalloc"), file = fileOf("jemalloc.named.heap");
        const QString options = "prof:true,prof_final:true,prof_accum:true,lg_prof_sample:0,prof_prefix:";
        auto said = runShell(
            QString("rm -f %1.*.heap; MALLOC_CONF=%2%1 LD_PRELOAD=%3 %4").arg(text, options, library, program_));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        said = runShell(QString("mv %1.*.heap %1").arg(text));
        if (!said.isEmpty()) QSKIP("This libjemalloc was built without profiling (--enable-prof).");
        const auto nameless = runCli({"info", text.toStdString()});
        const QString advice = "(jeprof --raw PROGRAM FILE; cat FILE) > NEW";
        QVERIFY2(has(nameless.messages, advice.toStdString()), nameless.messages.c_str());
        auto command = advice;
        command.replace("PROGRAM", program_).replace("FILE", text).replace("NEW", file);
        said = runShell(command);
        QVERIFY2(said.isEmpty(), qPrintable(said));
        compareStacks(file.toStdString(), kLeakClass, kChurnClass);
        QVERIFY(!has(runCli({"info", file.toStdString()}).messages, "jeprof"));
    }
    void pprofOfGo() {
        if (goProgram().isEmpty()) QSKIP("There is no go: installer/packages-test.txt.");
        const auto program = fileOf("known_totals_go"), file = fileOf("go.pb.gz");
        const auto said = runShell(QString("cd %1 && HOME=%1 GO111MODULE=off %2 build -o %3 %4 && %3 %5")
                                       .arg(fileOf(""), goProgram(), program, kGoSource, file));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        const auto rows =
            runCli({"table", file.toStdString(), "--table", "heap", "--by", "Stack (bottom-up)", "--format", "json"})
                .json()["rows"];
        const auto rowOf = [&rows](const std::string& function) {
            const auto found =
                std::find_if(rows.begin(), rows.end(), [&](const Json& row) { return has(row["key"], function); });
            return found == rows.end() ? Json() : *found;
        };
        const auto leaking = rowOf("!main.leakOne");
        QCOMPARE(valuesOf(leaking), (Sums{kLeaks, kLeaks * kLeakClass, kLeaks * kLeakClass}));
        QVERIFY(has(leaking["rows"][0]["key"], "!main.leakThem"));
        QVERIFY(has(leaking["rows"][0]["rows"][0]["key"], "!main.main"));
        // Go's runtime occasionally allocates something small for the running goroutine.
        const auto churn = valuesOf(rowOf("!main.churn"));
        QVERIFY2(churn.count >= kChurns && churn.count < kChurns + 20, std::to_string(churn.count).c_str());
        QVERIFY(churn.size >= kChurns * kGoChurnClass && churn.size < kChurns * kGoChurnClass + 4096);
        QVERIFY(churn.impacting < 4096);
    }
    /// V8 takes samples: its numbers are known only once it has written them.
    void heapProfileOfV8() {
        if (QStandardPaths::findExecutable("node").isEmpty()) QSKIP("There is no node: installer/packages-test.txt.");
        const auto file = fileOf("node.heapprofile");
        const auto said = runShell(QString("node --heap-prof --heap-prof-interval=64 --heap-prof-dir=%1 "
                                           "--heap-prof-name=node.heapprofile %2")
                                       .arg(fileOf(""), kJsSource));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto head = Json::parse(written.readAll().toStdString())["head"];
        const auto leaked = selfSizeOf(head, "leakOne");
        QVERIFY(leaked > kLeaks * 8 * 1'007 * 9 / 10 && leaked < kLeaks * 8 * 1'007 * 11 / 10);
        const auto answer = runCli({"table", file.toStdString(), "--table", "heap", "--by", "Stack (bottom-up)",
                                    "--columns", "Size,Impacting Size", "--format", "json"})
                                .json();
        std::int64_t all = 0;
        for (const auto& row : answer["rows"])
            all += row["values"]["Size"].get<std::int64_t>();
        QCOMPARE(all, selfSizeOf(head, ""));
        const auto row = answer["rows"][0];
        QCOMPARE(row["key"].get<std::string>(), std::string("[unknown]!leakOne"));
        QCOMPARE(row["values"]["Impacting Size"].get<std::int64_t>(), leaked);
        QCOMPARE(row["rows"][0]["key"].get<std::string>(), std::string("[unknown]!leakThem"));
    }
};

HIGHWATER_TEST(OtherProfilersTest);
#include "other_profilers_linux_test.moc"

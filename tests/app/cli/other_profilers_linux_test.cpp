#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr auto kInterpreter = "/usr/lib/heaptrack/libexec/heaptrack_interpret";
constexpr std::int64_t kLeaks = 300, kLeakBytes = 10'007; // as known_totals.cpp has them
constexpr std::int64_t kChurns = 5000, kChurnBytes = 4'099;

QString fileOf(std::string_view name) { return QString::fromStdString(temporaryPath(name)); }

/// By a shell, as the tools' manuals have it. What it said where it failed.
QString runShell(const QString& line) {
    QProcess shell;
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start("sh", {"-c", line});
    const bool isDone = shell.waitForFinished(120'000) && shell.exitCode() == 0;
    return isDone ? QString() : line + ": " + shell.readAll();
}

/// How many blocks of exactly this size there were, and what they came to in the end.
struct Sums {
    std::int64_t count = 0, size = 0, impacting = 0;
    friend bool operator==(const Sums&, const Sums&) = default;
};

Json tableOf(const std::string& file, std::int64_t size, const std::string& by) {
    return runCli({"table", file, "--table", "heap", "--by", by, "--size",
                   std::to_string(size) + ":" + std::to_string(size + 1), "--format", "json"})
        .json();
}

Sums sumsOf(const std::string& file, std::int64_t size) {
    const auto rows = tableOf(file, size, "Process")["rows"];
    if (rows.size() != 1) return {};
    const auto& values = rows[0]["values"];
    return {values["Count"], values["Size"], values["Impacting Size"]};
}

/// The first three functions from the allocation on.
std::vector<std::string> ownersOf(const std::string& file, std::int64_t size) {
    std::vector<std::string> keys;
    auto rows = tableOf(file, size, "Stack (bottom-up)")["rows"];
    for (; rows.size() == 1 && keys.size() < 3; rows = Json(rows[0]["rows"]))
        keys.push_back(rows[0]["key"]);
    return keys;
}

} // namespace

/// One program with known totals, recorded by Highwater and by other profilers: what their files say is the same.
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
        // What is not interpreted has no names: the sentence says what to do, and that is done here.
        const auto refused = runCli({"info", (raw + ".raw.zst").toStdString()});
        QVERIFY2(has(refused.messages, "heaptrack_interpret"), refused.messages.c_str());
        said = runShell(QString("zstd -dc < %1.raw.zst | %2 | %3 > %4").arg(raw, kInterpreter, packer, file));
        QVERIFY2(said.isEmpty(), qPrintable(said));
        compareWithOwn(file.toStdString());
    }
};

HIGHWATER_TEST(OtherProfilersTest);
#include "other_profilers_linux_test.moc"

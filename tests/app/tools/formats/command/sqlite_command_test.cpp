#include "tests/app/cli/cli_runner.h"
#include "tests/core/formats/sqlite/read_database.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fmt/format.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Lines = std::vector<std::string>;

} // namespace

/// highwater-cli sqlite.
class SqliteCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;
    QTemporaryDir folder_;

    std::string file() const { return folder_.filePath("a.sqlite").toStdString(); }
    Lines ask(const std::string& sql) const { return rowsOfSql(file(), sql); }
    Answer write(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"sqlite", exercise_, "--no-symbols", "-o", file()});
        return runCli(more);
    }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden); }

  private slots:
    void initTestCase() {
        exercise_ = exercise2File("plain");
        QVERIFY(folder_.isValid());
    }
    void init() { std::filesystem::remove(file()); }

    void sumsAreThoseOfTheTables_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("name");
        QTest::newRow("heap") << "heap"
                              << "heap_allocations";
        QTest::newRow("virtualalloc") << "virtualalloc"
                                      << "virtualalloc_commits";
    }
    void sumsAreThoseOfTheTables() {
        QFETCH(QString, table);
        QFETCH(QString, name);
        const std::vector<std::string> range{"--range", "12:22"};
        QCOMPARE(write(range).exitCode, 0);
        std::vector<std::string> asked{"table",    exercise_, "--table",   table.toStdString(),
                                       "--by",     "Process", "--columns", "Count,Size,Allocated,Freed,Impacting Size",
                                       "--format", "json"};
        asked.insert(asked.end(), range.begin(), range.end());
        Lines wanted;
        const auto answer = runCli(asked).json();
        for (const auto& row : answer["rows"]) {
            const auto& values = row["values"];
            wanted.push_back(fmt::format("{}|{}|{}|{}|{}|{}", row["key"].get<std::string>(),
                                         values["Count"].get<std::int64_t>(), values["Size"].get<std::int64_t>(),
                                         values["Allocated"].get<std::int64_t>(), values["Freed"].get<std::int64_t>(),
                                         values["Impacting Size"].get<std::int64_t>()));
        }
        QVERIFY(!wanted.empty());
        auto found = ask(fmt::format("SELECT label, count(*), sum(size), sum(allocated), sum(freed), sum(impacting) "
                                     "FROM {} JOIN processes ON processes.id = process GROUP BY 1",
                                     name.toStdString()));
        std::sort(wanted.begin(), wanted.end());
        std::sort(found.begin(), found.end());
        QCOMPARE(found, wanted);
    }
    void reportsTheWrittenAmount() {
        const auto answer = write();
        QVERIFY2(has(answer.messages, "6,412 rows in " + file() + "."), answer.messages.c_str());
        QCOMPARE(ask("SELECT (SELECT count(*) FROM heap_allocations) + (SELECT count(*) FROM virtualalloc_commits)"),
                 Lines{"6412"});
        QCOMPARE(ask("SELECT value FROM meta WHERE name = 'start_unix_ns'"), Lines{"1705526400000000000"});
        QCOMPARE(ask("SELECT id, count FROM losses"), Lines{"unmatched_frees|2"});
        QCOMPARE(files(), QStringList("a.sqlite"));
    }
    void aFilterIsOfOneTable() {
        auto answer = write({"--size", "1KB:"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "A filter applies to one table"), answer.messages.c_str());
        answer = write({"--size", "1KB:", "--table", "virtualalloc"});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(ask("SELECT count(*) FROM heap_allocations"), Lines{"0"});
        QCOMPARE(write({"--table", "frees"}).exitCode, 1);
    }
    void replacesTheFileWhenComplete() {
        QCOMPARE(write().exitCode, 0);
        const auto size = std::filesystem::file_size(file());
        QCOMPARE(write({"--range", "900:"}).exitCode, 1);
        QCOMPARE(std::filesystem::file_size(file()), size);
        QCOMPARE(write({"--range", "0:1"}).exitCode, 0);
        QVERIFY(std::filesystem::file_size(file()) < size);
    }
    void aFullDiskIsReportedAndLeavesNoFile() {
        // Simulates a full disk by a limit on the file size.
        const auto answer = runProgram(
            "sh", {"-c", fmt::format("trap '' XFSZ; ulimit -f 100; '{}' sqlite '{}' --no-symbols --no-index -o '{}'",
                                     HIGHWATER_CLI, exercise_, file())});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "Cannot write " + file()), answer.messages.c_str());
        QCOMPARE(files(), QStringList());
    }
    void saysWhyItCannotWrite() {
        auto answer =
            runCli({"sqlite", exercise_, "--no-symbols", "-o", folder_.filePath("no/a.sqlite").toStdString()});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "Cannot "), answer.messages.c_str());
        answer = runCli({"sqlite", exercise_, "--no-symbols", "-o", exercise_});
        QVERIFY2(has(answer.messages, "is the trace itself"), answer.messages.c_str());
        answer = runCli({"sqlite", exercise_, "--no-symbols", "-o", "-"});
        QCOMPARE(answer.exitCode, 1);
        answer = runCli({"sqlite", exercise_, "--no-symbols"});
        QCOMPARE(answer.exitCode, 1);
    }
};
HIGHWATER_TEST(SqliteCommandTest);
#include "sqlite_command_test.moc"

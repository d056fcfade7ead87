#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

class FleetAddTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
    std::string store() const { return path("fleet.sqlite"); }
    Answer add(std::vector<std::string> words) const {
        words.insert(words.begin(), {"fleet", "add", store()});
        return runCli(words);
    }
    Json runs() const { return runCli({"fleet", "runs", store(), "--format", "json"}).json()["runs"]; }
    void copy(const char* shape, const char* name) const {
        QVERIFY(QFile::copy(QString::fromStdString(exercise2File(shape)), folder_->filePath(name)));
    }

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QCOMPARE(runCli({"fleet", "init", store()}).exitCode, 0);
    }

    void aTraceIsARunWithItsLabels() {
        const auto answer =
            add({exercise2File("plain"), "--label", "build=8123", "--label", "machine=lab-17", "--label",
                 "scenario=start", "--label", "who=o'neill; DROP TABLE runs", "--no-symbols"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "1 added, 0 already in the fleet, 0 not read."), answer.messages.c_str());
        QCOMPARE(runs().size(), std::size_t{1});
        const auto run = runs()[0];
        QCOMPARE(run["build"], Json("8123"));
        QCOMPARE(run["machine"], Json("lab-17"));
        QCOMPARE(run["scenario"], Json("start"));
        QCOMPARE(run["labels"]["who"], Json("o'neill; DROP TABLE runs"));
        QVERIFY(run["duration_s"].get<double>() > 30);
        // The outstanding bytes in its tables.
        std::int64_t outstanding = 0;
        for (const auto* table : {"heap", "virtualalloc"}) {
            const auto json = runCli({"table", exercise2File("plain"), "--table", table, "--by", "Process", "--columns",
                                      "Size,Allocated,Impacting Size", "--format", "json", "--no-symbols"})
                                  .json();
            for (const auto& row : json["rows"])
                outstanding += row["values"]["Size"].get<std::int64_t>() -
                               row["values"]["Allocated"].get<std::int64_t>() +
                               row["values"]["Impacting Size"].get<std::int64_t>();
        }
        QVERIFY(outstanding > 0);
        QCOMPARE(run["inuse_space"], Json(outstanding));
    }
    void addingTwiceChangesNothing() {
        copy("plain", "a.etl");
        QCOMPARE(add({path("a.etl"), "--no-symbols"}).exitCode, 0);
        QVERIFY(QFile::rename(folder_->filePath("a.etl"), folder_->filePath("moved.etl")));
        const auto again = add({path("moved.etl"), "--no-symbols"});
        QCOMPARE(again.exitCode, 0);
        QVERIFY2(has(again.messages, "moved.etl: already in the fleet: its path in the fleet is "),
                 again.messages.c_str());
        QCOMPARE(runs().size(), std::size_t{1});
    }
    void foldersAreSearched() {
        QVERIFY(QDir(folder_->path()).mkpath("night/lab-1"));
        copy("plain", "night/lab-1/a.etl");
        copy("compressed", "night/b.ETL");
        QFile other(folder_->filePath("night/readme.txt"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        const auto answer = add({path("night"), "--jobs", "2", "--no-symbols"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QCOMPARE(runs().size(), std::size_t{2});
        QVERIFY(QDir(folder_->path()).mkpath("empty"));
        QCOMPARE(add({path("empty")}).exitCode, 2);
    }
    void aDamagedTraceDoesNotStopTheOthers() {
        QFile damaged(folder_->filePath("damaged.etl"));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("this is no trace");
        damaged.close();
        const auto answer = add({path("damaged.etl"), path("missing.etl"), exercise2File("plain"), "--no-symbols"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "1 added, 0 already in the fleet, 2 not read."), answer.messages.c_str());
        QVERIFY(has(answer.messages, "damaged.etl: "));
        QVERIFY(has(answer.messages, "missing.etl"));
        QCOMPARE(runs().size(), std::size_t{1});
    }
    void aDifferentCopyOfARunIsReported() {
        const auto trace = exercise2File("plain");
        QCOMPARE(add({trace, "--no-symbols", "--label", "build=1", "--label", "machine=m"}).exitCode, 0);
        QVERIFY(has(add({trace, "--label", "build=1"}).messages, "already in the fleet."));
        const auto other = add({trace, "--label", "build=2"});
        QVERIFY2(has(other.messages, "already in the fleet with build=1, machine=m, scenario=; its labels were not "
                                     "changed (use --update to change this)."),
                 other.messages.c_str());
        copy("plain", "copy.etl");
        const auto elsewhere = add({path("copy.etl")});
        QVERIFY2(has(elsewhere.messages, "already in the fleet: its path in the fleet is "),
                 elsewhere.messages.c_str());
        QCOMPARE(runs()[0]["build"], Json("1"));
    }
    void aRunThatIsThereIsUpdatedIfAsked() {
        const auto trace = exercise2File("plain");
        QCOMPARE(add({trace, "--no-symbols", "--label", "build=1", "--label", "machine=m", "--label", "branch=a",
                      "--label", "who=me"})
                     .exitCode,
                 0);
        const auto before = runs()[0];
        copy("plain", "copy.etl");
        const auto answer =
            add({path("copy.etl"), "--update", "--label", "build=2", "--label", "branch=b", "--label", "new=o'clock"});
        QVERIFY2(has(answer.messages, "copy.etl: already in the fleet; its path and labels were updated."),
                 answer.messages.c_str());
        QCOMPARE(runs().size(), std::size_t{1});
        auto wanted = before;
        wanted["build"] = "2";
        wanted["trace"] = path("copy.etl");
        wanted["labels"] = Json{{"branch", "b"}, {"who", "me"}, {"new", "o'clock"}};
        QCOMPARE(runs()[0], wanted);
        QVERIFY(has(add({path("copy.etl"), "--update"}).messages, "copy.etl: already in the fleet."));
    }
    void aRunMayBeTakenOut() {
        QCOMPARE(add({exercise2File("plain"), "--no-symbols"}).exitCode, 0);
        const auto run = runs()[0]["run"].get<std::string>();
        const auto remove = [&](const std::string& which) { return runCli({"fleet", "remove", store(), which}); };
        QCOMPARE(remove("nonsense").exitCode, 1);
        QCOMPARE(runCli({"fleet", "remove", store()}).exitCode, 1);
        const auto none = remove(std::string(32, '0'));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(has(none.messages, "is not a run of this fleet. Use fleet runs to list its runs."),
                 none.messages.c_str());
        const auto answer = remove(run);
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "1 removed, 0 not found."), answer.messages.c_str());
        QVERIFY(runs().empty());
        QCOMPARE(add({exercise2File("plain"), "--no-symbols"}).exitCode, 0);
        QCOMPARE(runs().size(), std::size_t{1});
    }
    void anEmptyFileIsANewFleet() {
        QFile empty(folder_->filePath("empty.sqlite"));
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.close();
        const auto answer = runCli({"fleet", "add", path("empty.sqlite"), exercise2File("plain"), "--no-symbols"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY(has(answer.messages, "Created the fleet " + path("empty.sqlite")));
    }
    void windowsAreAskedFor() {
        QCOMPARE(add({exercise2File("plain"), "--windows", "10", "--no-symbols", "--label", "build=1"}).exitCode, 0);
        const auto answer =
            runCli({"fleet", "slope", store(), "--build", "1", "--window", "10 s to 20 s", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(!answer.json()["rows"].empty());
    }
    /// A cache that is filled at once is not a slope, whatever its size and time.
    void aJumpIsNotASlope() {
        for (const double when : {0.5, 5.0, 7.3}) {
            fixtures::TraceBuilder builder;
            builder.processRunsAlready(
                {.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"cache.dll", "leak.dll", "start.dll"}});
            std::uint64_t address = 0x40000000;
            const auto keep = [&](double seconds, std::uint64_t bytes, const char* stack) {
                builder.virtualAlloc({fixtures::seconds(seconds), 10, 11}, {address, bytes}, 0x3000, stack);
                address += 0x1000000;
            };
            for (int i = 0; i < 50; ++i) {
                if (i * 0.2 <= when && when < (i + 1) * 0.2) {
                    keep(when, 0x100000, "cache.dll!fill");
                    keep(when + 0.01, 0x80000, "cache.dll!fill");
                }
                keep(i * 0.2 + 0.1, 0x1000, "leak.dll!get");
            }
            const auto file = path("jump.etl");
            QVERIFY(builder.writeTo(file).hasValue());
            const auto build = std::to_string(when);
            QCOMPARE(add({file, "--label", "build=" + build, "--no-symbols"}).exitCode, 0);
            const auto rows = runCli({"fleet", "slope", store(), "--build", build, "--format", "json"}).json()["rows"];
            QCOMPARE(rows.size(), std::size_t{1});
            QVERIFY(rows[0]["owner"].get<std::string>().starts_with("leak.dll!"));
        }
    }
    void missingInputsAreReported() {
        const auto answer = add({exercise2File("plain"), "--no-symbols"});
        QVERIFY(has(answer.messages, "Specify it with --label build=NUMBER"));
        QVERIFY(has(answer.messages, "functions without names"));
    }
    void aFileThatIsNotThereIsANewFleet() {
        const auto answer = runCli({"fleet", "add", path("new.sqlite"), exercise2File("plain"), "--no-symbols"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "Created the fleet ") && has(answer.messages, "new.sqlite."),
                 answer.messages.c_str());
        QCOMPARE(runCli({"fleet", "runs", path("new.sqlite"), "--format", "json"}).json()["runs"].size(), 1u);
    }
    void anUnusableStoreIsReportedBeforeReading() {
        const auto answer = runCli({"fleet", "add", path("no such folder/other.sqlite"), path("missing.etl")});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(!has(answer.messages, "missing.etl"), answer.messages.c_str());
    }
};

HIGHWATER_TEST(FleetAddTest);

} // namespace

#include "fleet_add_test.moc"

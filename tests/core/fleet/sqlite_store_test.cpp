#include "core/fleet/stores/open_fleet_store.h"

#include "core/sqlite/sqlite_connection.h"
#include "core/sqlite/sqlite_statement.h"
#include "tests/core/fleet/ask_everything.h"
#include "tests/core/fleet/made_fleet.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>
#include <thread>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

void run(const std::string& file, const std::string& sql) {
    sqlite3* database = nullptr;
    ::sqlite3_open(file.c_str(), &database);
    ::sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    ::sqlite3_close(database);
}

} // namespace

/// Runs in a SQLite file, compared with a plain recount, and the effects of errors.
class SqliteStoreTest : public QObject {
    Q_OBJECT

    // In memory, because thousands of runs are written, each synced to the disk.
    QTemporaryDir folder_{QDir("/dev/shm").exists() ? "/dev/shm/highwater-fleet-XXXXXX" : ""};
    int files_ = 0;

    std::string newFile() { return folder_.filePath(QString("%1.sqlite").arg(++files_)).toStdString(); }
    std::unique_ptr<FleetStore> newStore(const std::string& file) {
        auto store = openFleetStore(file).value();
        const auto made = store->create({});
        if (!made.hasValue()) qFatal("%s", made.error().message.c_str());
        return store;
    }
    static QString errorOf(const std::string& file) {
        const auto runs = openFleetStore(file).value()->runs({}, {});
        return runs.hasValue() ? "none" : QString::fromStdString(runs.error().message);
    }

  private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void answersAreThoseOfAPlainRecount() {
        for (unsigned seed = 0; seed < 24; ++seed) {
            const auto store = newStore(newFile());
            const auto difference = askEverything(*store, seed, seed % 3 == 0 ? 36 : 3 + seed, 60);
            QVERIFY2(difference.empty(), fmt::format("seed {}: {}", seed, difference).c_str());
        }
    }
    void fivePlantedRegressionsAreFoundAmongThousandRuns() {
        const auto store = newStore(newFile());
        const auto wrong = findPlanted(*store, {});
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    void whatOnlyBeganToLeakIsNotNew() { QCOMPARE(findNewAndGone(*newStore(newFile())), std::string()); }
    void severalMayAddTheSameRunsAtOnce() {
        const auto file = newFile();
        newStore(file);
        std::vector<summary::RunSummary> runs;
        MadeFleet made(5);
        for (int i = 0; i < 12; ++i)
            runs.push_back(made.run("1", "m", 20));
        std::vector<std::string> errors(4);
        std::atomic<int> added = 0;
        std::vector<std::thread> adders;
        for (auto& error : errors)
            adders.emplace_back([&, file] {
                const auto store = openFleetStore(file).value();
                for (const auto& one : runs) {
                    const auto outcome = store->add(one, {});
                    if (!outcome.hasValue())
                        error = outcome.error().message;
                    else if (outcome.value() == AddOutcome::Added)
                        ++added;
                }
            });
        for (auto& adder : adders)
            adder.join();
        for (const auto& error : errors)
            QCOMPARE(error, std::string());
        QCOMPARE(added.load(), 12);
        QCOMPARE(openFleetStore(file).value()->runs({}, {}).value().size(), 12u);
    }
    void aStoreMayBeMadeTwice() {
        const auto file = newFile();
        auto store = newStore(file);
        MadeFleet made(1);
        QVERIFY(store->add(made.run("1", "m", 3), {}).hasValue());
        QVERIFY(newStore(file)->create({}).hasValue());
        QCOMPARE(store->runs({}, {}).value().size(), 1u);
        QCOMPARE(QString::fromStdString(store->create("three").error().message),
                 QString("An SQLite file does not support clusters. Omit --cluster."));
    }
    void whatIsNoStoreIsToldAndLeftAlone() {
        const auto file = newFile();
        const auto name = QString::fromStdString(file);
        QCOMPARE(errorOf(file),
                 QString("%1 does not exist. To create a fleet, run highwater-cli fleet init.").arg(name));
        QVERIFY(!std::filesystem::exists(file));
        std::ofstream(file) << std::string(5000, 'x');
        QCOMPARE(errorOf(file), QString("%1 is not an SQLite database.").arg(name));
        QCOMPARE(QString::fromStdString(openFleetStore(file).value()->create({}).error().message),
                 QString("%1 is not an SQLite database.").arg(name));
        QCOMPARE(std::filesystem::file_size(file), 5000u);
        const auto other = newFile();
        run(other, "CREATE TABLE of_somebody(a)");
        QCOMPARE(
            errorOf(other),
            QString("%1 is an SQLite file, but not a fleet. Choose another file.").arg(QString::fromStdString(other)));
        QCOMPARE(
            QString::fromStdString(openFleetStore(other).value()->create({}).error().message),
            QString("%1 is an SQLite file with other tables. Choose another name.").arg(QString::fromStdString(other)));
    }
    /// SQLite itself accepts it as an empty database.
    void anEmptyFileIsNoFleetYet() {
        const auto file = newFile();
        std::ofstream(file).close();
        const auto name = QString::fromStdString(file);
        QCOMPARE(errorOf(file), QString("%1 is empty. To create a fleet, run highwater-cli fleet init.").arg(name));
        QCOMPARE(openFleetStore(file).value()->hasRun("x").error().kind, ErrorKind::NotFound);
        newStore(file);
        QCOMPARE(errorOf(file), QString("none"));
    }
    void aStoreOfAnotherVersionIsTold() {
        const auto file = newFile();
        newStore(file);
        run(file, "PRAGMA user_version = 2");
        const auto sentence =
            QString("%1 is a fleet of version 2, but this program supports version 1. Use a newer Highwater.")
                .arg(QString::fromStdString(file));
        QCOMPARE(errorOf(file), sentence);
        auto store = openFleetStore(file).value();
        MadeFleet made(1);
        QCOMPARE(QString::fromStdString(store->add(made.run("1", "m", 3), {}).error().message), sentence);
        QCOMPARE(QString::fromStdString(store->create({}).error().message), sentence);
    }
    /// Its runs have no resident memory: it is unknown, not 0.
    void aFleetWithoutResidentMemoryIsStillAFleet() {
        const auto file = newFile();
        const auto store = newStore(file);
        MadeFleet made(1);
        const auto withMemory = [&](std::optional<std::int64_t> held) {
            auto one = made.run("1", "m", 3);
            one.facts.resident = {{"app.exe", 4096, held}, {"other", 8192, 5}};
            return one;
        };
        const auto memoryOf = [&](const summary::RunSummary& one) {
            const auto rows = openFleetStore(file).value()->runs({}, {});
            if (!rows.hasValue()) qFatal("%s", rows.error().message.c_str());
            const auto row =
                std::ranges::find(rows.value(), one.facts.run, [](const auto& of) { return of.facts.run; });
            return row->facts.resident;
        };
        const auto old = withMemory(1), added = withMemory(std::nullopt), other = withMemory(2);
        QVERIFY(store->add(old, {}).hasValue() && store->add(other, {}).hasValue());
        run(file, "DROP TABLE process_memory");
        QVERIFY(memoryOf(old).empty());
        QVERIFY(openFleetStore(file).value()->remove(other.facts.run, {}).value());
        run(file, "DROP TABLE process_memory");
        QVERIFY(openFleetStore(file).value()->add(added, {}).hasValue());
        QVERIFY(memoryOf(old).empty());
        QVERIFY(memoryOf(added) == added.facts.resident);
        QVERIFY(openFleetStore(file).value()->remove(added.facts.run, {}).value());
        auto again = added;
        again.facts.resident.clear();
        QVERIFY(openFleetStore(file).value()->add(again, {}).hasValue());
        QVERIFY(memoryOf(again).empty());
    }
    void damageIsToldAndNeverACrash() {
        const auto file = newFile();
        {
            auto store = newStore(file);
            MadeFleet made(1);
            for (int i = 0; i < 20; ++i)
                QVERIFY(store->add(made.run("1", "m", 12), {}).hasValue());
        }
        std::ifstream in(file, std::ios::binary);
        const std::string whole((std::istreambuf_iterator<char>(in)), {});
        std::mt19937 random(3);
        int told = 0;
        for (int i = 0; i < 100; ++i) {
            auto bytes = whole;
            for (int k = 0; k < 60; ++k)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (i % 2 == 0) bytes.resize(random() % bytes.size());
            const auto damaged = newFile();
            std::ofstream(damaged, std::ios::binary) << bytes;
            auto store = openFleetStore(damaged).value();
            const auto runs = store->runs({}, {});
            const auto slopes = store->slopes("1", {}, 10, {});
            MadeFleet made(static_cast<unsigned>(i) + 100);
            const auto added = store->add(made.run("1", "m", 12), {});
            told += !runs.hasValue() || !slopes.hasValue() || !added.hasValue() ? 1 : 0;
        }
        QVERIFY2(told > 50, fmt::format("{}", told).c_str());
    }
    /// It is the index into the names of tables.
    void aTableThatThereIsNotIsTold() {
        const auto file = newFile();
        const auto store = newStore(file);
        MadeFleet made(2);
        for (const auto* build : {"1", "2"})
            QVERIFY(store->add(made.run(build, "m", 12), {}).hasValue());
        for (const auto* table : {"4294967297", "77", "-1"}) {
            run(file, fmt::format("UPDATE samples SET row_table = {} WHERE row_table = (SELECT max(row_table) FROM "
                                  "samples)",
                                  table));
            GrewQuestion question;
            question.fromBuild = "1";
            question.toBuild = "2";
            const auto grew = store->grew(question, {});
            QVERIFY2(!grew.hasValue(), table);
            QCOMPARE(QString::fromStdString(grew.error().message),
                     QString("%1 contains rows of an unknown table. It is damaged or was written by a newer "
                             "Highwater.")
                         .arg(QString::fromStdString(file)));
        }
    }
    /// Even in a file from another user, tables must be ordinary tables, and reading them must end.
    void aFleetOfAStrangerIsNotBelieved_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("sentence");
        const QString no = "Cannot use %1 because its %2. Highwater always creates an ordinary table.";
        QTest::newRow("a view without an end")
            << "DROP TABLE runs; CREATE VIEW runs AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
               "SELECT id, id AS run, '' AS trace, 0 AS bytes, 0 AS recorded_at, 0 AS duration, '' AS recorder, "
               "'' AS system, 0 AS events_lost, 0 AS buffers_lost, 0 AS stacks_unresolved, 1 AS is_whole, '1' AS "
               "build, "
               "'' AS machine, '' AS scenario, 0 AS added_at, 0 AS sample_count, 0 AS inuse_space, 0 AS frames_unnamed "
               "FROM n"
            << no.arg("%1", "runs is a view");
        QTest::newRow("a view of another case")
            << "DROP TABLE labels; CREATE VIEW LABELS AS SELECT 1 AS run, 0 AS position, '' AS name, '' AS value"
            << no.arg("%1", "LABELS is a view");
        QTest::newRow("a table of a module") << "DROP TABLE health; CREATE VIRTUAL TABLE health USING fts5(run)"
                                             << no.arg("%1", "health is a virtual table");
        QTest::newRow("a view of memory")
            << "DROP TABLE process_memory; CREATE VIEW process_memory AS SELECT run, 1 AS "
               "rss_peak, 1 AS held FROM runs"
            << no.arg("%1", "process_memory is a view");
        QTest::newRow("a column that is computed")
            << "ALTER TABLE runs RENAME COLUMN system TO kept; ALTER TABLE runs ADD COLUMN system TEXT GENERATED "
               "ALWAYS AS (printf('%.*c', 4000000, 'x')) VIRTUAL"
            << no.arg("%1", "runs is a table with a computed column");
        QTest::newRow("a long text")
            << "UPDATE runs SET build = CAST(zeroblob(8000000) AS TEXT)"
            << "%1 contains a text of more than 4.0 MB. It is damaged or was not written by Highwater.";
    }
    void aFleetOfAStrangerIsNotBelieved() {
        QFETCH(QString, change);
        QFETCH(QString, sentence);
        const auto file = newFile();
        MadeFleet made(1);
        QVERIFY(newStore(file)->add(made.run("1", "m", 3), {}).hasValue());
        run(file, change.toStdString());
        QElapsedTimer took;
        took.start();
        QCOMPARE(errorOf(file), sentence.arg(QString::fromStdString(file)));
        QVERIFY(took.elapsed() < 10'000);
        if (!change.startsWith("UPDATE"))
            QVERIFY(!openFleetStore(file).value()->add(made.run("2", "m", 3), {}).hasValue());
    }
    void noTriggerOfAFleetRuns() {
        const auto file = newFile();
        MadeFleet made(1);
        QVERIFY(newStore(file)->add(made.run("1", "m", 3), {}).hasValue());
        run(file, "CREATE TRIGGER all_gone AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
        QVERIFY(openFleetStore(file).value()->add(made.run("2", "m", 3), {}).hasValue());
        QCOMPARE(openFleetStore(file).value()->runs({}, {}).value().size(), 2u);
    }
    void aPipeIsNoFleet() {
        const auto file = newFile();
        QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        QCOMPARE(errorOf(file), QString("%1 is not a regular file.").arg(QString::fromStdString(file)));
    }
    /// Asking never writes, not even where it could.
    void askingWritesNothing() {
        const auto file = newFile();
        newStore(file);
        const auto opened = sqlite::SqliteConnection::open(file, sqlite::OpenFor::Reading);
        QVERIFY(opened.hasValue());
        opened.value()->run("DELETE FROM row_tables");
        QVERIFY(opened.value()->error().has_value());
    }
    void aQuestionWithoutAnEndEnds() {
        const auto file = newFile();
        newStore(file);
        const auto opened = sqlite::SqliteConnection::open(file, sqlite::OpenFor::Reading);
        QVERIFY(opened.hasValue());
        opened.value()->watch({}, std::chrono::seconds(1));
        QElapsedTimer took;
        took.start();
        {
            sqlite::SqliteStatement endless(
                *opened.value(),
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
            QVERIFY(!endless.next());
        }
        QVERIFY(took.elapsed() >= 900 && took.elapsed() < 10'000);
        QCOMPARE(QString::fromStdString(opened.value()->takeOutcome().error().message),
                 QString("The query was stopped because it took too long for a file of the size of %1. Narrow the "
                         "query.")
                     .arg(QString::fromStdString(file)));
    }
    /// Any number of texts can use the same pages of a file.
    void moreTextThanTheFileHasIsNotRead() {
        const auto file = newFile();
        newStore(file);
        const auto opened = sqlite::SqliteConnection::open(file, sqlite::OpenFor::Reading);
        QVERIFY(opened.hasValue());
        opened.value()->watch({});
        {
            sqlite::SqliteStatement texts(*opened.value(),
                                          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
                                          "n) SELECT zeroblob(4000000) FROM n");
            std::size_t bytes = 0;
            while (texts.next())
                bytes += texts.bytes(0).size();
            QVERIFY(bytes < std::size_t{600} << 20);
        }
        QCOMPARE(opened.value()->takeOutcome().error().kind, ErrorKind::Damaged);
    }
    void aFullDiskIsToldAndNothingIsLost() {
        const auto file = newFile();
        auto store = newStore(file);
        MadeFleet made(1);
        QVERIFY(store->add(made.run("1", "m", 12), {}).hasValue());
        run(file, "VACUUM");
        // SQLite's own limit gives the error of a full disk, but it lasts only as long as a connection, so an index
        // that has room for one run simulates it here. Triggers in files of other users do not run.
        run(file, "CREATE UNIQUE INDEX full ON runs (bytes * 0)");
        const auto added = store->add(made.run("2", "m", 12), {});
        QVERIFY(!added.hasValue());
        QVERIFY2(added.error().message.starts_with("Cannot use " + file), added.error().message.c_str());
        run(file, "DROP INDEX full");
        QCOMPARE(store->runs({}, {}).value().size(), 1u);
        QVERIFY(store->add(made.run("2", "m", 12), {}).hasValue());
        QCOMPARE(store->runs({}, {}).value().size(), 2u);
    }
    void whatTakesLongCanBeCancelled() {
        const auto file = newFile();
        auto store = newStore(file);
        MadeFleet made(1);
        std::stop_source stop;
        stop.request_stop();
        const auto added = store->add(made.run("1", "m", 4000), stop.get_token());
        QVERIFY(!added.hasValue());
        QCOMPARE(added.error().kind, ErrorKind::Cancelled);
        QCOMPARE(store->runs({}, {}).value().size(), 0u);
    }
    /// A run of one program, whose only stack has this many bytes; 0: the program has only another stack.
    summary::RunSummary runOf(MadeFleet& made, const std::string& build, const std::string& scenario,
                              std::int64_t bytes) {
        summary::RunSummary one;
        one.facts.run = made.name();
        one.facts.build = build;
        one.facts.machine = "m";
        one.facts.scenario = scenario;
        one.processes = {scenario + ".exe"};
        one.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000}};
        MadeFleet::addStack(one, bytes > 0 ? 1 : 2);
        summary::Sample sample;
        sample.inuseSpace = bytes > 0 ? bytes : 5;
        one.samples = {sample};
        return one;
    }
    GrewQuestion fromOneToTwo() {
        GrewQuestion question;
        question.fromBuild = "1";
        question.toBuild = "2";
        return question;
    }

    /// Two of three runs are of a scenario with another program: as zeros they would hide the growth.
    void runsOfOtherProgramsAreNoZeros() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (const auto* build : {"1", "2"}) {
            for (int i = 0; i < 4; ++i) {
                const auto bytes = std::string(build) == "1" ? 100'000 + i : 200'000 + i;
                QVERIFY(store->add(runOf(made, build, "day", bytes), {}).hasValue());
                for (int k = 0; k < 2; ++k)
                    QVERIFY(store->add(runOf(made, build, "night", 0), {}).hasValue());
            }
        }
        const auto answer = store->grew(fromOneToTwo(), {}).value();
        QCOMPARE(answer.rows.size(), 1u);
        QCOMPARE(answer.rows[0].growth, 100'000);
        QCOMPARE(answer.rows[0].from.runs, 4u);
        QVERIFY(answer.canTell);
        QCOMPARE(QString::fromStdString(answer.notes.back()),
                 QString("Runs of 2 scenarios are compared together (day, night). Select one of them to compare "
                         "like with like."));
    }
    void aProcessOfOneBuildIsNotCompared() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(store->add(runOf(made, "1", "day", 100), {}).hasValue());
            QVERIFY(store->add(runOf(made, "2", "night", 100'000), {}).hasValue());
        }
        const auto answer = store->grew(fromOneToTwo(), {}).value();
        QVERIFY(answer.rows.empty());
        QVERIFY(!answer.canTell);
        QCOMPARE(QString::fromStdString(answer.notes.back()),
                 QString("Processes only in build 2 are not compared: night.exe."));
        QVERIFY(store->presence({"1", "2", {}, false}, {}).value().rows.empty());
    }
    void whatIsNewHasSomething() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(store->add(runOf(made, "1", "day", 0), {}).hasValue());
            auto one = runOf(made, "2", "day", 100);
            one.facts.machine = std::to_string(i);
            if (i % 2 == 0) one.samples[0].inuseSpace = 0; // the median is 50, rounded down
            if (i == 1) one.samples[0].inuseSpace = 0;
            QVERIFY(store->add(one, {}).hasValue());
        }
        QVERIFY(store->presence({"1", "2", {}, false, 0.1}, {}).value().rows.empty());
    }
    /// Builds of three runs each with these values; returns the first bad build and the build that fixed it.
    QString firstBadOf(const std::vector<std::pair<std::string, std::int64_t>>& builds) {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (const auto& [build, bytes] : builds)
            for (int i = 0; i < 3; ++i) {
                auto one = runOf(made, build, "day", bytes + i);
                one.facts.recordedAt = 1'000 - static_cast<std::int64_t>(made.pick(900));
                if (!store->add(one, {}).hasValue()) return "not added";
            }
        const auto answer = store->history({MadeFleet::key(1), analysis::Table::Heap, {}}, {}).value();
        const auto name = [&](const auto& at) { return at ? answer.builds[*at].build : std::string("none"); };
        return QString::fromStdString(name(answer.firstBad) + " " + name(answer.mended));
    }
    void aRegressionThatWasMendedIsTold() {
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 100}, {"11", 5000}, {"12", 100}, {"13", 100}}), QString("11 12"));
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 5000}, {"11", 5000}}), QString("10 none"));
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 5000}, {"11", 2000}}), QString("10 none")); // less bad is not good
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 100}}), QString("none none"));
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 900}}), QString("none none")); // less than the usual minimum
        QCOMPARE(firstBadOf({{"9", 100}, {"10", 2000}, {"11", 90'000}}), QString("11 none")); // 10 grew slowly
        QCOMPARE(firstBadOf({{"v1.9", 100}, {"v1.10", 5000}, {"v1.11", 100}}), QString("v1.10 v1.11"));
    }
    void namesThatAreNotThereAreToldWithThoseThatAre() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (const auto* build : {"1", "2"})
            QVERIFY(store->add(runOf(made, build, "day", 100), {}).hasValue());
        auto question = fromOneToTwo();
        question.samples.window = "nix";
        QCOMPARE(QString::fromStdString(store->grew(question, {}).error().message),
                 QString("No run has a window nix. Available windows: whole."));
        question.samples = {};
        question.samples.process = "nix";
        QCOMPARE(QString::fromStdString(store->grew(question, {}).error().message),
                 QString("No run has a process nix. Available processes: day.exe."));
        const auto stack = MadeFleet::key(1);
        QCOMPARE(QString::fromStdString(store->worst({stack, analysis::Table::Heap, {}, "nix"}, {}).error().message),
                 QString("No runs found for build nix. Builds with runs, newest first: 2, 1."));
        const QString noStack("The fleet has no stack 00000000000000010000000000000002. Use grew, new, gone or slope "
                              "to list the keys of its stacks.");
        QCOMPARE(QString::fromStdString(store->worst({{1, 2}, analysis::Table::Heap, {}, {}}, {}).error().message),
                 noStack);
        QCOMPARE(QString::fromStdString(store->history({{1, 2}, analysis::Table::Heap, {}}, {}).error().message),
                 noStack);
        const auto withoutStack = store->history({{}, analysis::Table::Heap, {}}, {}); // no run has such rows
        QVERIFY(!withoutStack.hasValue() && withoutStack.error().kind == ErrorKind::NotFound);
    }
    void labelsThatAreColumnsAreAskedForAsOthersAre() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        for (const auto* build : {"1", "2"})
            QVERIFY(store->add(runOf(made, build, "day", 100), {}).hasValue());
        QCOMPARE(store->runs({{}, {}, {}, {{"build", "2"}}}, {}).value().size(), 1u);
        QCOMPARE(store->health({{}, {}, {}, {{"machine", "m"}, {"scenario", "day"}}}, {}).value().size(), 2u);
    }
    void aBuildThatIsNotThereIsToldWithThoseThatAre() {
        auto store = newStore(newFile());
        MadeFleet made(1);
        GrewQuestion question;
        question.fromBuild = "1";
        question.toBuild = "7";
        QCOMPARE(QString::fromStdString(store->grew(question, {}).error().message),
                 QString("The fleet has no runs yet. Add runs with highwater-cli fleet add."));
        for (const auto* build : {"1", "2"}) {
            auto one = made.run(build, "m", 3);
            one.facts.recordedAt = std::stoi(build);
            one.facts.scenario = "day";
            QVERIFY(store->add(one, {}).hasValue());
        }
        QCOMPARE(QString::fromStdString(store->grew(question, {}).error().message),
                 QString("No runs found for build 7. Builds with runs, newest first: 2, 1."));
        question.toBuild = "2";
        question.samples.scenario = "night";
        QCOMPARE(QString::fromStdString(store->grew(question, {}).error().message),
                 QString("No runs found for build 1 in scenario night. Builds with runs, newest first: 2, 1."));
        question.samples.scenario.clear();
        QCOMPARE(QString::fromStdString(store->grew(question, {}).value().notes.front()),
                 QString("Each build has only one run, so changes cannot be distinguished from noise. Add more runs."));
        QCOMPARE(store->grew(question, {}).value().rows.size(), 0u);
        question.toBuild = "1";
        QCOMPARE(store->grew(question, {}).error().kind, ErrorKind::Usage);
    }
};
HIGHWATER_TEST(SqliteStoreTest);
#include "sqlite_store_test.moc"

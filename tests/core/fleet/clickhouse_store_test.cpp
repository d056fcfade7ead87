#include "core/fleet/stores/open_fleet_store.h"

#include "tests/core/fleet/ask_everything.h"
#include "tests/core/fleet/clickhouse_servers.h"
#include "tests/core/fleet/made_fleet.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <optional>
#include <thread>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

/// Runs in three ClickHouse servers, compared with a plain recount, and the effects of a misbehaving server.
class ClickHouseStoreTest : public QObject {
    Q_OBJECT

    std::optional<ClickHouseServers> servers_;
    int databases_ = 0;

    std::string newDatabase() { return fmt::format("fleet_{}", ++databases_); }
    /// On all three, as it is created where the servers have no ZooKeeper.
    std::unique_ptr<FleetStore> newStore(const std::string& database) {
        for (int i = 2; i >= 0; --i) {
            auto store = openFleetStore(servers_->place(i, database)).value();
            const auto made = store->create("three");
            if (made.hasValue()) return store;
            if (i == 0) qFatal("%s", made.error().message.c_str());
        }
        return nullptr;
    }
    static QString errorOf(const std::string& place) {
        const auto runs = openFleetStore(place).value()->runs({}, {});
        return runs.hasValue() ? "none" : QString::fromStdString(runs.error().message);
    }

  private slots:
    void initTestCase() {
        qunsetenv("HIGHWATER_CLICKHOUSE_USER");
        qunsetenv("HIGHWATER_CLICKHOUSE_PASSWORD");
        servers_.emplace(3);
        if (!servers_->problem().empty()) QSKIP(servers_->problem().c_str());
    }
    void cleanupTestCase() { servers_.reset(); }

    void answersAreThoseOfAPlainRecount() {
        for (unsigned seed = 0; seed < 4; ++seed) {
            const auto store = newStore(newDatabase());
            const auto difference = askEverything(*store, seed, seed % 2 == 0 ? 30 : 5 + seed, 60);
            QVERIFY2(difference.empty(), fmt::format("seed {}: {}", seed, difference).c_str());
        }
    }
    void oneServerIsEnough() {
        auto store = openFleetStore(servers_->place(1, newDatabase())).value();
        QVERIFY(store->create({}).hasValue());
        QVERIFY(store->create({}).hasValue());
        const auto difference = askEverything(*store, 77, 20, 40);
        QVERIFY2(difference.empty(), difference.c_str());
    }
    /// Its runs have no resident memory: it is unknown, not 0.
    void aFleetWithoutResidentMemoryIsStillAFleet() {
        const auto database = newDatabase();
        auto store = openFleetStore(servers_->place(1, database)).value();
        QVERIFY(store->create({}).hasValue());
        servers_->ask(1, fmt::format("DROP TABLE {}.process_memory", database));
        MadeFleet made(1);
        const auto addWithMemory = [&] {
            auto run = made.run("1", "m", 3);
            run.facts.resident = {{"app.exe", 4096, 7}};
            return store->add(run, {}).hasValue();
        };
        const auto runsWithMemory = [&] {
            const auto rows = store->runs({}, {}).value();
            return std::ranges::count_if(rows, [](const auto& row) { return !row.facts.resident.empty(); });
        };
        QVERIFY(addWithMemory());
        QCOMPARE(runsWithMemory(), 0);
        QVERIFY(store->create({}).hasValue());
        QVERIFY(addWithMemory());
        QCOMPARE(runsWithMemory(), 1);
        QCOMPARE(store->runs({}, {}).value().size(), std::size_t{2});
    }
    /// Otherwise the memory of a run would be only on the server that added it.
    void aClusterGetsTheTableOfMemoryOnAllServers() {
        const auto database = newDatabase();
        const auto store = newStore(database);
        for (int i = 0; i < 3; ++i)
            for (const auto* table : {"process_memory", "process_memory_local"})
                servers_->ask(i, fmt::format("DROP TABLE IF EXISTS {}.{}", database, table));
        MadeFleet made(1);
        const auto addedAt = [&](int server) {
            auto one = made.run("1", "m", 3);
            one.facts.resident = {{"app.exe", 4096, 7}};
            const auto outcome = openFleetStore(servers_->place(server, database)).value()->add(one, {});
            return outcome.hasValue() ? std::string() : outcome.error().message;
        };
        const auto withMemory = [&](int server) {
            const auto rows = openFleetStore(servers_->place(server, database)).value()->runs({}, {}).value();
            return std::ranges::count_if(rows, [](const auto& row) { return !row.facts.resident.empty(); });
        };
        // Without the name of the cluster, which the fleet has.
        for (int i = 2; i >= 0; --i) {
            QCOMPARE(addedAt(0), std::string());
            const auto created = openFleetStore(servers_->place(i, database)).value()->create({});
            QVERIFY2(created.hasValue() == (i == 0), created.hasValue() ? "done" : created.error().message.c_str());
            // Also on a server that has the table for queries but not yet the tables that it queries.
            QCOMPARE(errorOf(servers_->place(i, database)), QString("none"));
            QCOMPARE(addedAt(i), std::string());
        }
        QCOMPARE(store->runs({}, {}).value().size(), std::size_t{6});
        for (int i = 0; i < 3; ++i)
            QVERIFY(withMemory(i) >= 1);
    }
    void fivePlantedRegressionsAreFound() {
        PlantedFleet fleet;
        fleet.machines = 40; // fewer than for SQLite: writing a run takes several exchanges with three servers
        fleet.runsOfMachine = 6;
        fleet.stacks = 1000;
        fleet.grown = {7, 250, 501, 752, 999};
        const auto store = newStore(newDatabase());
        const auto wrong = findPlanted(*store, fleet);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    void whatOnlyBeganToLeakIsNotNew() {
        const auto store = newStore(newDatabase());
        QCOMPARE(findNewAndGone(*store), std::string());
    }
    void aStackLiesOnOneServerWithAllItsRuns() {
        const auto database = newDatabase();
        auto store = newStore(database);
        MadeFleet made(3);
        for (int i = 0; i < 5; ++i)
            QVERIFY(store->add(made.run("1", "m", 60), {}).hasValue());
        std::size_t all = 0, sum = 0;
        for (int i = 0; i < 3; ++i) {
            const auto stacks =
                std::stoul(servers_->ask(i, fmt::format("SELECT uniqExact(stack) FROM {}.samples_local", database)));
            QVERIFY(stacks > 0);
            sum += stacks;
        }
        all = std::stoul(servers_->ask(0, fmt::format("SELECT uniqExact(stack) FROM {}.samples", database)));
        QCOMPARE(sum, all);
    }
    /// It is the index into the names of tables.
    void aTableThatThereIsNotIsTold() {
        const auto database = newDatabase();
        auto store = newStore(database);
        MadeFleet made(3);
        QVERIFY(store->add(made.run("1", "m", 60), {}).hasValue());
        QVERIFY(store->slopes("1", {}, 10, {}).hasValue());
        servers_->ask(0,
                      fmt::format("INSERT INTO {0}.samples_local SELECT stack, 77, process, window, load, 1, 1, 1, 1, "
                                  "1, 1, 1, 1, 1, 1 FROM {0}.samples_local WHERE window = 0 LIMIT 1",
                                  database));
        const auto slopes = store->slopes("1", {}, 10, {});
        QVERIFY(!slopes.hasValue());
        QVERIFY2(slopes.error().message.find("Cannot understand the answer") != std::string::npos,
                 slopes.error().message.c_str());
    }
    void severalMayAddTheSameRunsAtOnce() {
        const auto database = newDatabase();
        newStore(database);
        std::vector<summary::RunSummary> runs;
        MadeFleet made(5);
        for (int i = 0; i < 6; ++i)
            runs.push_back(made.run("1", "m", 12));
        std::vector<std::string> errors(3);
        std::vector<std::thread> adders;
        for (std::size_t i = 0; i < errors.size(); ++i)
            adders.emplace_back([&, i] {
                const auto store = openFleetStore(servers_->place(static_cast<int>(i), database)).value();
                for (const auto& one : runs)
                    if (const auto outcome = store->add(one, {}); !outcome.hasValue())
                        errors[i] = outcome.error().message;
            });
        for (auto& adder : adders)
            adder.join();
        for (const auto& error : errors)
            QCOMPARE(error, std::string());
        auto store = openFleetStore(servers_->place(0, database)).value();
        QCOMPARE(store->runs({}, {}).value().size(), 6u);
        // Rows that were written twice count once.
        auto once = newStore(newDatabase());
        for (const auto& one : runs)
            QVERIFY(once->add(one, {}).hasValue());
        SampleFilter filter;
        filter.measure = Measure::Peak;
        const auto wanted = once->worst({MadeFleet::key(1), analysis::Table::Heap, filter, {}, 100}, {}).value().runs;
        const auto found = store->worst({MadeFleet::key(1), analysis::Table::Heap, filter, {}, 100}, {}).value().runs;
        QCOMPARE(found.size(), wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            QCOMPARE(found[i].value, wanted[i].value);
    }
    void samplesOfALoadThatWasNotFinishedAreNotSeen() {
        const auto database = newDatabase();
        auto store = newStore(database);
        MadeFleet made(5);
        QVERIFY(store->add(made.run("1", "m", 12), {}).hasValue());
        SampleFilter filter;
        const auto before = store->slopes("1", filter, 100, {}).value();
        const auto copy =
            fmt::format("INSERT INTO {0}.samples SELECT stack, row_table, process, window, load + 1, alloc_space, "
                        "alloc_objects, inuse_space, inuse_objects, freed, peak, impacting, slope * 5, first, "
                        "last FROM {0}.samples",
                        database);
        QCOMPARE(servers_->ask(0, copy), std::string());
        const auto after = openFleetStore(servers_->place(0, database)).value()->slopes("1", filter, 100, {}).value();
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i)
            QCOMPARE(after[i].side.median, before[i].side.median);
    }
    void aClusterWithoutZooKeeperIsMadeServerByServer() {
        const auto database = newDatabase();
        const auto first = openFleetStore(servers_->place(0, database)).value()->create("three");
        QVERIFY(!first.hasValue());
        QVERIFY2(first.error().message.find("Run the same command with the address of each server") !=
                     std::string::npos,
                 first.error().message.c_str());
        QCOMPARE(openFleetStore(servers_->place(0, database)).value()->create("four").error().kind,
                 ErrorKind::NotFound);
        QCOMPARE(openFleetStore(servers_->place(0, database)).value()->create("a'b").error().kind, ErrorKind::Usage);
    }
    void aFleetStaysOfTheServersThatItIsOf() {
        const auto database = newDatabase();
        const auto place = servers_->place(0, database);
        QVERIFY(openFleetStore(place).value()->create({}).hasValue());
        const auto made = openFleetStore(place).value()->create("three");
        QVERIFY(!made.hasValue());
        QVERIFY2(made.error().message.ends_with("is already a fleet on a single server. Choose another database for a "
                                                "fleet on cluster three."),
                 made.error().message.c_str());
        QCOMPARE(servers_->ask(0, fmt::format("SELECT count() FROM system.tables WHERE database = '{}' AND name LIKE "
                                              "'%_local'",
                                              database)),
                 std::string("0\n"));
        const auto spread = newDatabase();
        newStore(spread);
        QVERIFY(openFleetStore(servers_->place(0, spread)).value()->create("three").hasValue());
        QVERIFY(openFleetStore(servers_->place(0, spread)).value()->create({}).hasValue());
    }
    void whatIsNoStoreIsToldAndLeftAlone() {
        const auto place = servers_->place(0, "nowhere");
        QVERIFY2(errorOf(place).startsWith("No fleet found in nowhere at 127.0.0.1:"), qPrintable(errorOf(place)));
        servers_->ask(0, "CREATE DATABASE of_somebody");
        servers_->ask(0, "CREATE TABLE of_somebody.runs (a Int8) ENGINE = Memory");
        const auto other = servers_->place(0, "of_somebody");
        QVERIFY2(errorOf(other).startsWith("No fleet found in of_somebody"), qPrintable(errorOf(other)));
        const auto made = openFleetStore(other).value()->create({});
        QVERIFY(!made.hasValue());
        QVERIFY2(made.error().message.find("contains other tables") != std::string::npos, made.error().message.c_str());
        QCOMPARE(servers_->ask(0, "SELECT name FROM system.tables WHERE database = 'of_somebody'"),
                 std::string("runs\n"));
    }
    void aStoreOfAnotherVersionIsTold() {
        const auto database = newDatabase();
        newStore(database);
        for (const auto& [version, advice] : {std::pair{1, "Create a new fleet"}, {3, "Use a newer Highwater"}}) {
            servers_->ask(0, fmt::format("DROP TABLE {}.fleet", database));
            servers_->ask(0, fmt::format("CREATE VIEW {}.fleet AS SELECT toUInt32({}) AS version", database, version));
            const auto error = errorOf(servers_->place(0, database));
            const auto end =
                fmt::format("is a fleet of version {}, but this program supports version 2. {}.", version, advice);
            QVERIFY2(error.endsWith(QString::fromStdString(end)), qPrintable(error));
            const auto made = openFleetStore(servers_->place(0, database)).value()->create({});
            QCOMPARE(QString::fromStdString(made.error().message), error);
        }
    }
    void aPasswordThatIsRefusedIsToldAndNeverRepeated() {
        const auto database = newDatabase();
        newStore(database);
        const auto place = servers_->place(0, database);
        qputenv("HIGHWATER_CLICKHOUSE_USER", "guarded");
        qputenv("HIGHWATER_CLICKHOUSE_PASSWORD", "wr0ng");
        const auto error = errorOf(place);
        qputenv("HIGHWATER_CLICKHOUSE_PASSWORD", "s3cret");
        const auto right = errorOf(place);
        qputenv("HIGHWATER_CLICKHOUSE_USER", "small");
        qunsetenv("HIGHWATER_CLICKHOUSE_PASSWORD");
        const auto first = errorOf(place);
        const auto second = errorOf(place);
        qunsetenv("HIGHWATER_CLICKHOUSE_USER");
        QVERIFY2(error.contains("rejected user guarded") && !error.contains("wr0ng"), qPrintable(error));
        QCOMPARE(right, QString("none"));
        QVERIFY2(second.contains("a quota of this user is used up"), qPrintable(first + " " + second));
    }
    void aServerThatIsDownIsToldAndNothingIsLost() {
        const auto database = newDatabase();
        auto store = newStore(database);
        MadeFleet made(9);
        const auto first = made.run("1", "m", 30);
        const auto second = made.run("1", "m", 30);
        QVERIFY(store->add(first, {}).hasValue());
        servers_->kill(2); // one of the shards
        const auto added = store->add(second, {});
        QVERIFY(!added.hasValue());
        const auto asked = store->slopes("1", {}, 10, {});
        QVERIFY(!asked.hasValue()); // and never an answer from two thirds
        servers_->kill(0);
        const auto down = errorOf(servers_->place(0, database));
        QVERIFY2(down.contains("does not answer"), qPrintable(down));
        for (const int server : {0, 2}) {
            servers_->start(server);
            QVERIFY(servers_->waitUntilUp(server));
        }
        QTRY_VERIFY_WITH_TIMEOUT(store->runs({}, {}).hasValue(), 20'000);
        QCOMPARE(store->runs({}, {}).value().size(), 1u);
        QVERIFY(store->add(second, {}).hasValue());
        QCOMPARE(store->runs({}, {}).value().size(), 2u);
    }
};
HIGHWATER_TEST(ClickHouseStoreTest);
#include "clickhouse_store_test.moc"

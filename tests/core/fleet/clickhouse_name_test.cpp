#include "core/fleet/clickhouse/clickhouse_naming.h"
#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/clickhouse/row_binary.h"
#include "core/fleet/stores/open_fleet_store.h"

#include "tests/core/fleet/clickhouse_servers.h"
#include "tests/core/fleet/later_names.h"
#include "tests/core/fleet/odd_server.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <thread>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

using Lines = std::vector<std::string>;
constexpr int kRuns = 8;

/// Functions that get their names later in three ClickHouse servers. The answers then equal those of a fleet that had
/// the names from the start, and those of SQLite.
class ClickHouseNameTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::optional<ClickHouseServers> servers_;
    int stores_ = 0;

    std::string newDatabase() {
        const auto database = fmt::format("named_{}", ++stores_);
        for (int i = 2; i >= 0; --i) {
            const auto made = openFleetStore(servers_->place(i, database)).value()->create("three");
            if (!made.hasValue() && i == 0) qFatal("%s", made.error().message.c_str());
        }
        return database;
    }
    std::unique_ptr<FleetStore> open(const std::string& database, int server = 0) {
        return openFleetStore(servers_->place(server, database)).value();
    }
    std::unique_ptr<FleetStore> newFile() {
        auto store = openFleetStore(folder_.filePath(QString("%1.sqlite").arg(++stores_)).toStdString()).value();
        if (!store->create({}).hasValue()) qFatal("no store");
        return store;
    }
    static void addRuns(FleetStore& store, bool hasNames) {
        for (int i = 0; i < kRuns; ++i)
            if (const auto added = store.add(manyStacksRun(i, hasNames), {}); !added.hasValue())
                qFatal("%s", added.error().message.c_str());
    }
    static std::size_t nameAll(FleetStore& store) {
        std::size_t stacks = 0;
        for (const auto* build : {"aa", "bb"}) {
            const auto named = store.name(namesOf(build), isPlumbing, {});
            if (!named.hasValue()) qFatal("%s", named.error().message.c_str());
            stacks += named.value();
        }
        return stacks;
    }
    /// Rows of existing runs, without random values.
    std::string rowsOf(const std::string& database) {
        return servers_->ask(
            0,
            fmt::format("SELECT run, hex(stack), row_table, process, window, alloc_space, alloc_objects, inuse_space, "
                        "inuse_objects, freed, peak, impacting, slope, first, last FROM {0}.samples GLOBAL ANY INNER "
                        "JOIN (SELECT load, run FROM {0}.runs_there) USING load ORDER BY run, stack, row_table, "
                        "process, window",
                        database));
    }
    std::string changes(const std::string& database) {
        return servers_->ask(0, fmt::format("SELECT count(), max(version) FROM {}.runs", database));
    }

  private slots:
    void initTestCase() {
        qunsetenv("HIGHWATER_CLICKHOUSE_USER");
        qunsetenv("HIGHWATER_CLICKHOUSE_PASSWORD");
        servers_.emplace(3);
        if (!servers_->problem().empty()) QSKIP(servers_->problem().c_str());
    }
    void cleanupTestCase() { servers_.reset(); }

    void namedLaterIsAsNamedAtOnce() {
        const auto withNames = newDatabase(), without = newDatabase();
        const auto wanted = open(withNames), store = open(without);
        const auto fileWanted = newFile(), file = newFile();
        addRuns(*wanted, true);
        addRuns(*fileWanted, true);
        addRuns(*store, false);
        addRuns(*file, false);
        const auto answers = answersOf(*fileWanted);
        QVERIFY(answers.size() > 500);
        QCOMPARE(answersOf(*wanted), answers);
        QCOMPARE(answersOf(*store), answersOf(*file));
        QVERIFY(answersOf(*store) != answers);
        auto unnamed = store->framesWithoutNames({}).value();
        auto unnamedInFile = file->framesWithoutNames({}).value();
        const auto place = [](const auto& frame) {
            return std::tie(frame.buildId, frame.name, frame.module, frame.rva);
        };
        const auto isBefore = [&](const auto& a, const auto& b) { return place(a) < place(b); };
        std::ranges::sort(unnamed, isBefore);
        std::ranges::sort(unnamedInFile, isBefore);
        QCOMPARE(unnamed.size(), std::size_t{13});
        QVERIFY(std::ranges::equal(unnamed, unnamedInFile,
                                   [&](const auto& a, const auto& b) { return place(a) == place(b); }));

        const auto stacks = nameAll(*store);
        QCOMPARE(stacks, nameAll(*file));
        QVERIFY(stacks > 50);
        QCOMPARE(answersOf(*file), answers);
        QCOMPARE(answersOf(*store), answers);
        QCOMPARE(answersOf(*open(without, 2)), answers);
        QCOMPARE(rowsOf(without), rowsOf(withNames));
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{2}); // no names are known for these
        QCOMPARE(file->framesWithoutNames({}).value().size(), std::size_t{2});

        std::size_t sum = 0;
        for (int i = 0; i < 3; ++i)
            sum += std::stoul(servers_->ask(i, fmt::format("SELECT uniqExact(stack) FROM {}.samples_local", without)));
        QCOMPARE(fmt::format("{}\n", sum),
                 servers_->ask(0, fmt::format("SELECT uniqExact(stack) FROM {}.samples", without)));
    }
    void againChangesNothing() {
        const auto database = newDatabase();
        const auto store = open(database);
        addRuns(*store, false);
        QVERIFY(nameAll(*store) > 0);
        const auto rows = rowsOf(database), runs = changes(database);
        QCOMPARE(nameAll(*store), std::size_t{0});
        QCOMPARE(nameAll(*open(database, 1)), std::size_t{0});
        QCOMPARE(changes(database), runs);
        QCOMPARE(rowsOf(database), rows);
    }
    /// The adding store has cached the contents from before as well.
    void whatComesLaterIsNamedLater() {
        const auto database = newDatabase();
        const auto adder = open(database);
        for (int i = 0; i < kRuns / 2; ++i)
            QVERIFY(adder->add(manyStacksRun(i, false), {}).hasValue());
        nameAll(*open(database));
        for (int i = kRuns / 2; i < kRuns; ++i)
            QVERIFY(adder->add(manyStacksRun(i, i % 3 == 0), {}).hasValue());
        const auto store = open(database);
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{13});
        nameAll(*store);
        const auto wanted = newFile();
        addRuns(*wanted, true);
        QCOMPARE(answersOf(*store), answersOf(*wanted));
    }
    void labelsAndRemovalsStay() {
        const auto database = newDatabase();
        const auto store = open(database);
        const auto wanted = newFile();
        addRuns(*store, false);
        addRuns(*wanted, true);
        auto facts = manyStacksRun(3, false).facts;
        facts.machine = "o'ther";
        facts.labels = {{"branch", "a'; DROP TABLE runs; --"}};
        const auto gone = manyStacksRun(5, false).facts.run;
        for (auto* one : {store.get(), wanted.get()}) {
            QVERIFY(one->relabel(facts, {}).value());
            QVERIFY(one->remove(gone, {}).value());
        }
        nameAll(*store);
        QCOMPARE(answersOf(*store), answersOf(*wanted));
        QVERIFY(store->add(manyStacksRun(5, true), {}).hasValue());
        QVERIFY(wanted->add(manyStacksRun(5, true), {}).hasValue());
        facts.machine = "m1";
        for (auto* one : {store.get(), wanted.get()})
            QVERIFY(one->relabel(facts, {}).value());
        QCOMPARE(answersOf(*store), answersOf(*wanted));
    }
    /// The keys of an older answer.
    void aStackThatIsCalledOtherwiseNowIsNotThere() {
        const auto store = open(newDatabase());
        const auto file = newFile();
        for (auto* one : {store.get(), file.get()}) {
            addRuns(*one, false);
            const auto before = one->slopes("1", {}, 1, {}).value().front().stack;
            QVERIFY(one->worst({before.key, before.table, {}, {}, 10}, {}).hasValue());
            nameAll(*one);
            const auto worst = one->worst({before.key, before.table, {}, {}, 10}, {});
            QVERIFY(!worst.hasValue());
            QCOMPARE(worst.error().kind, ErrorKind::NotFound);
        }
    }
    /// Two stores name at the same time while another changes labels and removes runs: each run is named once.
    void severalMayNameAtOnce() {
        const auto database = newDatabase();
        addRuns(*open(database), false);
        const auto gone = manyStacksRun(5, false).facts.run;
        std::vector<std::thread> threads;
        std::vector<std::string> errors(3);
        for (std::size_t i = 0; i < 2; ++i)
            threads.emplace_back([&, i] {
                const auto store = open(database, static_cast<int>(i));
                for (const auto* build : {"aa", "bb"})
                    if (const auto named = store->name(namesOf(build), isPlumbing, {}); !named.hasValue())
                        errors[i] = named.error().message;
            });
        threads.emplace_back([&] {
            if (const auto removed = open(database, 2)->remove(gone, {}); !removed.hasValue())
                errors[2] = removed.error().message;
        });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(errors, Lines(3));
        const auto store = open(database);
        nameAll(*store);
        const auto wanted = newFile();
        addRuns(*wanted, true);
        QVERIFY(wanted->remove(gone, {}).value());
        QCOMPARE(answersOf(*store), answersOf(*wanted));
    }
    void aServerThatIsDownIsToldAndNothingIsLost() {
        const auto database = newDatabase();
        const auto store = open(database);
        addRuns(*store, false);
        const auto before = answersOf(*store);
        servers_->kill(2); // one of the shards
        const auto named = store->name(namesOf("aa"), isPlumbing, {});
        QVERIFY(!named.hasValue());
        QVERIFY(!store->framesWithoutNames({}).hasValue());
        servers_->start(2);
        QVERIFY(servers_->waitUntilUp(2));
        QTRY_VERIFY_WITH_TIMEOUT(store->runs({}, {}).hasValue(), 20'000);
        QCOMPARE(answersOf(*store), before);
        nameAll(*store);
        const auto wanted = newFile();
        addRuns(*wanted, true);
        QCOMPARE(answersOf(*store), answersOf(*wanted));
    }
    /// A run that can be read only in part must not be replaced by that part.
    void samplesThatAreMissingAreTold() {
        const auto database = newDatabase();
        const auto store = open(database);
        addRuns(*store, false);
        for (int i = 0; i < 3; ++i)
            servers_->ask(i, fmt::format("DROP TABLE {}.samples_local", database));
        QVERIFY(!store->name(namesOf("aa"), isPlumbing, {}).hasValue());
        const auto one = openFleetStore(servers_->place(1, fmt::format("named_{}", ++stores_))).value();
        QVERIFY(one->create({}).hasValue());
        addRuns(*one, false);
        const auto name = fmt::format("named_{}", stores_);
        const auto runs = changes(name);
        servers_->ask(1, fmt::format("CREATE TABLE {0}.other AS {0}.samples", name));
        servers_->ask(1, fmt::format("INSERT INTO {0}.other SELECT * FROM {0}.samples WHERE first % 5 != 0", name));
        servers_->ask(1, fmt::format("RENAME TABLE {0}.samples TO {0}.all, {0}.other TO {0}.samples", name));
        const auto named = one->name(namesOf("aa"), isPlumbing, {});
        QVERIFY(!named.hasValue());
        QVERIFY2(named.error().message.ends_with("does not have all samples of a run, so the run keeps its names."),
                 named.error().message.c_str());
        QCOMPARE(servers_->ask(1, fmt::format("SELECT max(version) FROM {}.runs", name)), std::string("1\n"));
        servers_->ask(1, fmt::format("RENAME TABLE {0}.samples TO {0}.other, {0}.all TO {0}.samples", name));
        nameAll(*one);
        const auto wanted = newFile();
        addRuns(*wanted, true);
        QCOMPARE(answersOf(*one), answersOf(*wanted));
    }
};
HIGHWATER_TEST(ClickHouseNameTest);

/// The errors when answers during naming are refusals, break off or are malformed.
class ClickHouseNameAnswersTest : public QObject {
    Q_OBJECT

    using Answer = OddServer::Answer;
    using Request = OddServer::Request;

    static bool asks(const Request& request, const char* what) {
        return request.head.find(what) != std::string::npos || request.body.find(what) != std::string::npos;
    }
    static ClickHouseStore storeOf(const std::string& place) {
        ClickHouseLimits limits;
        limits.whole = std::chrono::milliseconds(3000); // below the limit for a pause, so it is certain which applies
        return ClickHouseStore(parseClickHouseAddress(place).value(), limits);
    }
    static std::string number(std::uint64_t value) { return {reinterpret_cast<const char*>(&value), 8}; }
    /// Until it is named: a fleet of one run, load 7, with one sample of one stack: app!+0x10 of build aa.
    static Answer oneRun(const Request& request) {
        if (asks(request, "SELECT version FROM fleet")) return OddServer::fine(std::string("\2\0\0\0", 4));
        const std::string key(16, 'k');
        if (asks(request, "groupUniqArray")) return OddServer::fine(key + "\1" + number(7));
        if (asks(request, "SELECT stack, owner"))
            return OddServer::fine(key +
                                   "\x09"
                                   "app!+0x10"
                                   "\1"
                                   "\x09"
                                   "app!+0x10"
                                   "\1" +
                                   std::string("\1\0\0\0", 4) +
                                   "\1"
                                   "\2"
                                   "aa");
        if (asks(request, "SELECT load, sample_count")) return OddServer::fine(number(7) + number(1));
        if (asks(request, "arrayJoin([7])"))
            return OddServer::fine(key + std::string(1, '\1') + number(3) + number(0) + number(7) +
                                   std::string(80, '\1'));
        return OddServer::fine({});
    }
    /// Naming with a server whose first answers about this are `odd`: returns the result, and how often it was asked.
    static std::pair<std::string, int> nameWith(const char* about, const Answer& odd, int howOften = 1000) {
        int asked = 0;
        bool isNamed = false;
        OddServer server([&](const Request& request) {
            if (asks(request, about) && ++asked <= howOften) return odd;
            isNamed = isNamed || asks(request, "INSERT INTO runs");
            if (isNamed && asks(request, "groupUniqArray")) return OddServer::fine({});
            return oneRun(request);
        });
        auto store = storeOf(server.place());
        const auto named = store.name(namesOf("aa"), isPlumbing, {});
        return {named.hasValue() ? std::to_string(named.value()) : named.error().message, asked};
    }

  private slots:
    void init() {
        qunsetenv("HIGHWATER_CLICKHOUSE_USER");
        qunsetenv("HIGHWATER_CLICKHOUSE_PASSWORD");
    }
    void anAnswerThatMakesNoSenseIsTold() {
        QCOMPARE(nameWith("nothing", {}).first, std::string("1"));
        for (const auto* about :
             {"groupUniqArray", "SELECT stack, owner", "SELECT load, sample_count", "arrayJoin([7])"}) {
            const auto told = nameWith(about, OddServer::fine("abc"));
            QVERIFY2(told.first.find("Cannot understand the answer") != std::string::npos,
                     (about + told.first).c_str());
            QCOMPARE(told.second, 1);
        }
    }
    void positionsThatThereAreNotAreTold() {
        for (const char position : {char{0}, char{2}}) {
            const auto row = std::string(16, 'k') + "\1x\1\1x\1" + position + std::string(3, '\0') +
                             "\1"
                             "\2"
                             "aa";
            const auto told = nameWith("SELECT stack, owner", OddServer::fine(row));
            QVERIFY2(told.first.find("Cannot understand the answer") != std::string::npos, told.first.c_str());
        }
    }
    void aFullServerIsTold() {
        for (const auto* about : {"INSERT%20INTO%20stacks", "INSERT%20INTO%20samples", "INSERT INTO runs"}) {
            const auto told = nameWith(about, OddServer::exception(243, "Not enough space"));
            QVERIFY2(told.first.ends_with("is full. Free some space and try again."), told.first.c_str());
            QCOMPARE(told.second, 1);
        }
    }
    void whatBreaksOffIsDoneAgain() {
        for (const auto* about : {"groupUniqArray", "INSERT%20INTO%20samples", "INSERT INTO runs"}) {
            const auto told = nameWith(about, {"HTTP/1.1 200 OK\r\nContent-Le"}, 2);
            QCOMPARE(told.first, std::string("1"));
            QVERIFY(told.second >= 3);
        }
        const auto slow = nameWith("arrayJoin([7])", {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 0, true});
        QVERIFY2(slow.first.find("did not complete its answer") != std::string::npos, slow.first.c_str());
    }
};
HIGHWATER_TEST(ClickHouseNameAnswersTest);

} // namespace

#include "clickhouse_name_test.moc"

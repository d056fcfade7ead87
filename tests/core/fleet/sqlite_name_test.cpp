#include "core/fleet/stores/open_fleet_store.h"
#include "tests/core/fleet/later_names.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <sqlite3.h>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

class SqliteNameTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    int files_ = 0;

    std::string newFile() { return folder_.filePath(QString("%1.sqlite").arg(++files_)).toStdString(); }
    /// Runs of two builds on two machines.
    static std::unique_ptr<FleetStore> storeOf(const std::string& file, bool hasNames) {
        auto store = openFleetStore(file).value();
        if (!store->create({}).hasValue()) qFatal("no store");
        for (int i = 0; i < 8; ++i)
            if (!store->add(fewStacksRun(i, hasNames), {}).hasValue()) qFatal("not added");
        return store;
    }
    static std::string valueOf(const std::string& file, const char* sql) {
        sqlite3* database = nullptr;
        ::sqlite3_open(file.c_str(), &database);
        std::string value;
        ::sqlite3_exec(
            database, sql,
            [](void* out, int, char** values, char**) {
                *static_cast<std::string*>(out) = values[0] == nullptr ? "" : values[0];
                return 0;
            },
            &value, nullptr);
        ::sqlite3_close(database);
        return value;
    }

  private slots:
    /// One after the other, as debug files arrive.
    void namedLaterIsAsNamedAtOnce() {
        const auto wanted = storeOf(newFile(), true);
        const auto file = newFile();
        const auto store = storeOf(file, false);
        QVERIFY(answersOf(*store) != answersOf(*wanted));
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{10});
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{5});
        QCOMPARE(store->name(namesOf("bb"), isPlumbing, {}).value(), std::size_t{3});
        QCOMPARE(answersOf(*store), answersOf(*wanted));
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{1}); // no names are known for it
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{0});
        // The old names are gone, and no row has a dangling reference.
        QCOMPARE(valueOf(file, "SELECT count(*) FROM stacks"), std::string("4"));
        QCOMPARE(valueOf(file, "SELECT count(*) FROM samples WHERE stack NOT IN (SELECT id FROM stacks)"),
                 std::string("0"));
        QCOMPARE(valueOf(file, "SELECT count(*) FROM stack_frames WHERE stack NOT IN (SELECT id FROM stacks) OR frame "
                               "NOT IN (SELECT id FROM frames)"),
                 std::string("0"));
    }
    void whateverTheStacks() {
        const auto wanted = openFleetStore(newFile()).value();
        const auto store = openFleetStore(newFile()).value();
        QVERIFY(wanted->create({}).hasValue() && store->create({}).hasValue());
        for (int i = 0; i < 12; ++i) {
            QVERIFY(wanted->add(manyStacksRun(i, true), {}).hasValue());
            QVERIFY(store->add(manyStacksRun(i, i % 5 == 4), {}).hasValue());
        }
        for (const auto* build : {"bb", "aa"})
            QVERIFY(store->name(namesOf(build), isPlumbing, {}).hasValue());
        QCOMPARE(answersOf(*store), answersOf(*wanted));
    }
    /// A stack that was added with names is merged with those that get the same names.
    void runsWithNamesMayBeThere() {
        const auto file = newFile();
        const auto store = storeOf(file, false);
        RunMaker maker("1", "m", "aa", true);
        for (const auto& stack : kStacksOfA)
            maker.add(stack, 0);
        QVERIFY(store->add(maker.take(std::string(32, 'f')), {}).hasValue());
        QVERIFY(store->name(namesOf("aa"), isPlumbing, {}).hasValue());
        const auto slopes = store->slopes("1", {}, 100, {}).value();
        for (const auto& row : slopes)
            QCOMPARE(row.side.runs, std::size_t{5});
    }
    void aFailureLeavesEverythingAsItWas() {
        const auto file = newFile();
        const auto before = answersOf(*storeOf(file, false));
        sqlite3* database = nullptr;
        ::sqlite3_open(file.c_str(), &database);
        // An index that has room for one new frame simulates a disk that fills up, because triggers in files of other
        // users do not run.
        const auto full =
            "CREATE UNIQUE INDEX full ON frames (id * 0) WHERE id > " + valueOf(file, "SELECT max(id) FROM frames");
        ::sqlite3_exec(database, full.c_str(), nullptr, nullptr, nullptr);
        const auto store = openFleetStore(file).value();
        QVERIFY(!store->name(namesOf("aa"), isPlumbing, {}).hasValue());
        QCOMPARE(answersOf(*store), before);
        ::sqlite3_exec(database, "DROP INDEX full", nullptr, nullptr, nullptr);
        ::sqlite3_close(database);
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{5});
    }
};

HIGHWATER_TEST(SqliteNameTest);

} // namespace

#include "sqlite_name_test.moc"

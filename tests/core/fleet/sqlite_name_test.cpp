#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/stack_key.h"

#include "tests/core/fleet/plain_answers.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sqlite3.h>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

using Functions = std::vector<std::string>;

/// What lies at the offsets of two builds of a program, innermost first: a function, one that was inlined into another,
/// and an allocator of the program's own.
const std::map<std::string, std::map<std::string, Functions>> kPlaces{{"aa",
                                                                       {{"app!+0x10", {"app!work"}},
                                                                        {"app!+0x18", {"app!work"}},
                                                                        {"app!+0x20", {"app!inner", "app!outer"}},
                                                                        {"app!+0x40", {"app!main"}},
                                                                        {"app!+0x50", {"app!my_malloc"}}}},
                                                                      {"bb",
                                                                       {{"app!+0x10", {"app!main"}},
                                                                        {"app!+0x28", {"app!inner", "app!outer"}},
                                                                        {"app!+0x60", {"app!my_malloc"}},
                                                                        {"app!+0x70", {"app!work"}}}}};

/// A stack as a run has it, innermost first, which of its functions owns it by their names, and what it keeps.
struct MadeStack {
    Functions calls;
    std::string owner;
    std::int64_t size;
};
const std::vector<MadeStack> kStacksOfA{{{"libc.so!malloc", "app!+0x10", "app!+0x40"}, "app!work", 100},
                                        {{"libc.so!malloc", "app!+0x18", "app!+0x40"}, "app!work", 50},
                                        {{"app!+0x20", "app!+0x40"}, "app!inner", 7},
                                        {{"app!+0x50", "app!+0x40"}, "app!main", 11},
                                        {{"app!+0x30", "app!+0x40"}, "app!+0x30", 9}};
const std::vector<MadeStack> kStacksOfB{{{"libc.so!malloc", "app!+0x70", "app!+0x10"}, "app!work", 400},
                                        {{"app!+0x28", "app!+0x10"}, "app!inner", 8},
                                        {{"app!+0x60", "app!+0x10"}, "app!main", 12}};

summary::Frame frameOf(const std::string& name, const std::string& buildId) {
    summary::Frame frame;
    frame.name = name;
    frame.module = name.substr(0, name.find('!'));
    frame.buildId = buildId;
    frame.isNamed = name.find("!+") == std::string::npos;
    return frame;
}

/// As a summary has it, with these names or none.
class RunMaker {
  public:
    RunMaker(std::string build, std::string machine, std::string buildId, bool hasNames)
        : buildId_(std::move(buildId)), hasNames_(hasNames) {
        run_.facts.build = std::move(build);
        run_.facts.machine = std::move(machine);
        run_.processes = {"app"};
        run_.windows = {{summary::WindowKind::Whole, "whole", 0, 1000}};
    }
    void add(const MadeStack& made, std::int64_t more) {
        Functions names;
        for (const auto& call : made.calls) {
            const auto place = kPlaces.at(buildId_).find(call);
            if (hasNames_ && place != kPlaces.at(buildId_).end())
                names.insert(names.end(), place->second.begin(), place->second.end());
            else
                names.push_back(call);
        }
        // Without a name nobody knows it for an allocator.
        const auto owner = hasNames_ ? made.owner : names[names[0] == "libc.so!malloc" ? 1 : 0];
        auto& sample = sampleOf(names, owner);
        sample.inuseSpace += made.size + more;
        sample.peak += 2 * made.size;
        sample.slope += 3 * made.size;
        sample.first = sample.allocObjects == 0 ? made.size : std::min(sample.first, made.size);
        sample.last = std::max(sample.last, made.size);
        ++sample.allocObjects;
    }
    summary::RunSummary take(const std::string& id) {
        run_.facts.run = id;
        return run_;
    }

  private:
    std::uint32_t numberOf(const std::string& name) {
        const auto [entry, isNew] = frames_.try_emplace(name, static_cast<std::uint32_t>(run_.frames.size()));
        if (isNew) run_.frames.push_back(frameOf(name, buildId_));
        return entry->second;
    }
    summary::Sample& sampleOf(const Functions& names, const std::string& owner) {
        std::vector<summary::StackKey> keys;
        summary::Stack stack;
        for (const auto& name : names) {
            stack.frames.push_back(numberOf(name));
            const auto& frame = run_.frames[stack.frames.back()];
            keys.push_back(frame.isNamed ? summary::functionKey(name) : summary::unnamedFunctionKey(name, buildId_));
        }
        stack.key = summary::stackKey(keys);
        stack.owner = numberOf(owner);
        const auto known = std::ranges::find(run_.stacks, stack.key, &summary::Stack::key);
        if (known != run_.stacks.end()) return run_.samples[static_cast<std::size_t>(known - run_.stacks.begin())];
        summary::Sample sample;
        sample.stack = static_cast<std::uint32_t>(run_.stacks.size());
        run_.stacks.push_back(stack);
        return run_.samples.emplace_back(sample);
    }

    summary::RunSummary run_;
    std::string buildId_;
    bool hasNames_;
    std::map<std::string, std::uint32_t> frames_;
};

std::vector<NamedFrame> namesOf(const std::string& buildId) {
    std::vector<NamedFrame> names;
    for (const auto& [place, functions] : kPlaces.at(buildId)) {
        auto& named = names.emplace_back(NamedFrame{place, buildId, {}});
        for (const auto& function : functions)
            named.functions.push_back(frameOf(function, buildId));
    }
    return names;
}

bool isPlumbing(std::string_view function) { return function.ends_with("malloc"); }

class SqliteNameTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    int files_ = 0;

    std::string newFile() { return folder_.filePath(QString("%1.sqlite").arg(++files_)).toStdString(); }
    /// Runs of two builds on two machines.
    static std::unique_ptr<FleetStore> storeOf(const std::string& file, bool hasNames) {
        auto store = openFleetStore(file).value();
        if (!store->create({}).hasValue()) qFatal("no store");
        for (int i = 0; i < 8; ++i) {
            const bool isA = i % 2 == 0;
            RunMaker maker(isA ? "1" : "2", "m" + std::to_string(i % 4 / 2), isA ? "aa" : "bb", hasNames);
            for (const auto& stack : isA ? kStacksOfA : kStacksOfB)
                maker.add(stack, i);
            if (!store->add(maker.take(fmt::format("{:032}", i)), {}).hasValue()) qFatal("not added");
        }
        return store;
    }
    static PlainAnswers::Lines answersOf(FleetStore& store) {
        PlainAnswers::Lines lines;
        const auto add = [&](const auto& answer) {
            const auto more = linesOf(answer.value());
            lines.insert(lines.end(), more.begin(), more.end());
        };
        for (const auto measure : {Measure::InuseSpace, Measure::Peak, Measure::AllocObjects}) {
            SampleFilter filter;
            filter.measure = measure;
            add(store.grew({"1", "2", filter, 1, 0.05, 100}, {}));
            add(store.presence({"1", "2", filter, true, 0.01, 0, 100}, {}));
        }
        add(store.slopes("1", {}, 100, {}));
        add(store.slopes("2", {}, 100, {}));
        add(store.health({}, {}));
        const auto slopes = store.slopes("1", {}, 100, {}).value();
        for (const auto& row : slopes)
            add(store.worst({row.stack.key, analysis::Table::Heap, {}, {}, 100}, {}));
        const auto runs = store.runs({}, {}).value();
        for (const auto& run : runs)
            lines.push_back(fmt::format("{} samples", run.sampleCount));
        return lines;
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
    /// One after the other, as debug files come.
    void namedLaterIsAsNamedAtOnce() {
        const auto wanted = storeOf(newFile(), true);
        const auto file = newFile();
        const auto store = storeOf(file, false);
        QVERIFY(answersOf(*store) != answersOf(*wanted));
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{10});
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{5});
        QCOMPARE(store->name(namesOf("bb"), isPlumbing, {}).value(), std::size_t{3});
        QCOMPARE(answersOf(*store), answersOf(*wanted));
        QCOMPARE(store->framesWithoutNames({}).value().size(), std::size_t{1}); // of which nobody knows more
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{0});
        // Nothing is left of what they were called, and no row refers to nothing.
        QCOMPARE(valueOf(file, "SELECT count(*) FROM stacks"), std::string("4"));
        QCOMPARE(valueOf(file, "SELECT count(*) FROM samples WHERE stack NOT IN (SELECT id FROM stacks)"),
                 std::string("0"));
        QCOMPARE(valueOf(file, "SELECT count(*) FROM stack_frames WHERE stack NOT IN (SELECT id FROM stacks) OR frame "
                               "NOT IN (SELECT id FROM frames)"),
                 std::string("0"));
    }
    /// A stack that somebody added with names takes in those that get them.
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
        ::sqlite3_exec(database,
                       "CREATE TRIGGER full BEFORE INSERT ON samples BEGIN SELECT raise(ROLLBACK, 'no room'); END",
                       nullptr, nullptr, nullptr);
        const auto store = openFleetStore(file).value();
        QVERIFY(!store->name(namesOf("aa"), isPlumbing, {}).hasValue());
        QCOMPARE(answersOf(*store), before);
        ::sqlite3_exec(database, "DROP TRIGGER full", nullptr, nullptr, nullptr);
        ::sqlite3_close(database);
        QCOMPARE(store->name(namesOf("aa"), isPlumbing, {}).value(), std::size_t{5});
    }
};

HIGHWATER_TEST(SqliteNameTest);

} // namespace

#include "sqlite_name_test.moc"

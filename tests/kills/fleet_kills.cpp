// Kills processes that add runs to a fleet, or name their functions, again and again, and checks the store: a run is
// complete or absent, and never there twice; it has its old names or its new ones, and never both.
//
//   fleet_kills COUNT      on SQLite, then on three ClickHouse servers if they are installed
//   fleet_kills add PLACE SEED   the process to be killed
//   fleet_kills name PLACE       the same
//
// Prints one line for each engine and exits with 1 if there was a problem.

#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/stack_key.h"

#include "tests/core/fleet/clickhouse_servers.h"
#include "tests/core/fleet/later_names.h"
#include "tests/core/fleet/made_fleet.h"
#include "tests/core/fleet/plain_answers.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <random>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

constexpr unsigned kRuns = 24;

std::vector<summary::RunSummary> runsOf(unsigned seed) {
    MadeFleet made(seed);
    std::vector<summary::RunSummary> runs;
    for (unsigned i = 0; i < kRuns; ++i)
        runs.push_back(made.run("8120", "lab-" + std::to_string(i % 3), 60));
    return runs;
}

int addAll(const std::string& place, unsigned seed) {
    auto store = openFleetStore(place).value();
    for (const auto& run : runsOf(seed))
        if (const auto added = store->add(run, {}); !added.hasValue()) {
            std::fprintf(stderr, "%s\n", added.error().message.c_str());
            return 1;
        }
    return 0;
}

int nameAll(const std::string& place) {
    auto store = openFleetStore(place).value();
    for (const auto* build : {"aa", "bb"})
        if (const auto named = store->name(namesOf(build), isPlumbing, {}); !named.hasValue()) {
            std::fprintf(stderr, "%s\n", named.error().message.c_str());
            return 1;
        }
    return 0;
}

/// Checks the stored runs: returns the problem, and sets their number.
std::string wrongAt(FleetStore& store, const std::vector<summary::RunSummary>& runs, std::size_t& count) {
    const auto found = store.runs({}, {});
    if (!found.hasValue()) return found.error().message;
    count = found.value().size();
    std::vector<summary::RunSummary> there;
    for (const auto& run : runs)
        if (std::ranges::any_of(found.value(), [&](const auto& row) { return row.facts.run == run.facts.run; }))
            there.push_back(run);
    const PlainAnswers plain(there);
    if (linesOf(found.value()) != plain.runs({})) return "the runs are not those that were added";
    if (there.empty()) return {};
    SampleFilter filter;
    const auto slopes = store.slopes("8120", filter, 1000, {});
    if (!slopes.hasValue()) return slopes.error().message;
    if (linesOf(slopes.value()) != plain.slopes("8120", filter, 1000)) return "samples are missing, or there twice";
    for (unsigned stack = 0; stack < 60; stack += 7) {
        const WorstQuestion question{MadeFleet::key(stack), analysis::Table::Heap, filter, {}, 1000};
        const auto worst = store.worst(question, {});
        if (!worst.hasValue()) { // no run with the stack has arrived yet
            if (plain.worst(question) == linesOf(WorstAnswer())) continue;
            return worst.error().message;
        }
        if (linesOf(worst.value()) != plain.worst(question)) return "a stack has samples of a run that is not there";
    }
    return {};
}

/// The same at one moment, with retries: a server may still be processing the last request of a killed adder.
std::string wrongIn(FleetStore& store, const std::vector<summary::RunSummary>& runs, std::size_t& count) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        auto wrong = wrongAt(store, runs, count);
        if (wrong.empty()) return wrong;
        const auto now = store.runs({}, {});
        if (now.hasValue() && now.value().size() == count) return wrong;
    }
    return "runs do not cease to come";
}

/// One engine: makes stores, and kills adders until they have added everything; each at most longestMs after its start,
/// or longer if too few were in the middle.
bool isKillProof(const std::string& engine, int kills, int longestMs, const std::function<std::string()>& newPlace) {
    std::mt19937 random(static_cast<unsigned>(kills));
    std::string place;
    std::vector<summary::RunSummary> runs;
    std::size_t count = 0, inBetween = 0;
    unsigned seed = 0;
    for (int kill = 0; kill < kills; ++kill) {
        if (place.empty() || count == kRuns) {
            place = newPlace();
            runs = runsOf(++seed);
            count = 0;
        }
        QProcess adder;
        adder.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        adder.start(QCoreApplication::applicationFilePath(),
                    {"add", QString::fromStdString(place), QString::number(seed)});
        adder.waitForStarted();
        QThread::usleep(random() % static_cast<unsigned>(longestMs * 1000));
        adder.kill();
        adder.waitForFinished();
        const auto before = count;
        auto store = openFleetStore(place).value();
        if (const auto wrong = wrongIn(*store, runs, count); !wrong.empty() || count < before) {
            fmt::print("{}: after kill {}: {}\n", engine, kill + 1, wrong.empty() ? "runs are lost" : wrong);
            return false;
        }
        inBetween += count > before && count < kRuns ? 1 : 0;
        // On a slow or busy machine more time passes before the work starts.
        if (count == before && inBetween * 5 < static_cast<std::size_t>(kill)) longestMs += longestMs / 5;
    }
    fmt::print("{}: {} kills, {} of them between two runs or within one, {} stores\n", engine, kills, inBetween, seed);
    // A process that is killed before it does anything, or after everything, shows nothing.
    return inBetween * 10 >= static_cast<std::size_t>(kills) || (std::puts("too few were in the middle"), false);
}

constexpr int kRunsToName = 20;

/// All known facts of runs: the number of samples of each, and of each stack its facts by its key.
using Content = std::map<std::string, std::vector<std::string>>;

Content contentOf(FleetStore& store, const std::vector<FleetStack>& stacks) {
    Content content;
    const auto runs = store.runs({}, {});
    if (!runs.hasValue()) return content;
    for (const auto& run : runs.value())
        content[run.facts.run].push_back(fmt::format("{} samples, {} bytes", run.sampleCount, run.inuseSpace));
    for (const auto& stack : stacks) {
        const auto worst = store.worst({stack.key, stack.table, {}, {}, 1000}, {});
        if (!worst.hasValue()) continue; // no run has it
        for (const auto& row : worst.value().runs)
            content[row.facts.run].push_back(
                fmt::format("{}: {} from {} to {}", text(stack.key), row.value, row.first, row.last));
    }
    return content;
}

void addStacksOf(FleetStore& store, std::vector<FleetStack>& stacks) {
    for (const auto* build : {"1", "2"}) {
        const auto slopes = store.slopes(build, {}, 10'000, {});
        if (!slopes.hasValue()) continue;
        for (const auto& row : slopes.value())
            if (std::ranges::none_of(stacks, [&](const auto& stack) { return stack.key == row.stack.key; }))
                stacks.push_back(row.stack);
    }
}

/// A store of runs without names, or with them.
std::unique_ptr<FleetStore> storeToName(const std::string& place, bool hasNames) {
    auto store = openFleetStore(place).value();
    for (int i = 0; i < kRunsToName; ++i)
        if (const auto added = store->add(fewStacksRun(i, hasNames), {}); !added.hasValue())
            fmt::print("{}\n", added.error().message);
    return store;
}

/// One engine: kills naming processes until everything is named, then starts again. leastBetween: how often only some
/// of the runs must be named for the test to be conclusive.
bool isNamingKillProof(const std::string& engine, int kills, int longestMs, int leastBetween,
                       const std::function<std::string()>& newPlace) {
    std::mt19937 random(static_cast<unsigned>(kills));
    const auto named = storeToName(newPlace(), true);
    std::vector<FleetStack> stacks;
    addStacksOf(*named, stacks);
    const auto unnamed = storeToName(newPlace(), false);
    addStacksOf(*unnamed, stacks);
    const auto before = contentOf(*unnamed, stacks), after = contentOf(*named, stacks);
    std::string place;
    int inBetween = 0, stores = 0;
    std::size_t runsBefore = 0;
    for (int kill = 0; kill < kills; ++kill) {
        if (place.empty()) {
            place = newPlace();
            storeToName(place, false);
            runsBefore = 0;
            ++stores;
        }
        QProcess namer;
        namer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        namer.start(QCoreApplication::applicationFilePath(), {"name", QString::fromStdString(place)});
        namer.waitForStarted();
        QThread::usleep(random() % static_cast<unsigned>(longestMs * 1000));
        namer.kill();
        namer.waitForFinished();
        auto store = openFleetStore(place).value();
        std::size_t isNamed = 0;
        for (int attempt = 0;; ++attempt) { // a server may still be processing the last request
            std::size_t isUnnamed = 0;
            isNamed = 0;
            for (const auto& [run, content] : contentOf(*store, stacks)) {
                isNamed += content == after.at(run) ? 1 : 0;
                isUnnamed += content == before.at(run) ? 1 : 0;
            }
            if (isNamed + isUnnamed == kRunsToName && isNamed >= runsBefore) break;
            if (attempt < 20) continue;
            fmt::print("{}: after kill {}: {} runs are as they were, {} as they are to be, of {}\n", engine, kill + 1,
                       isUnnamed, isNamed, kRunsToName);
            return false;
        }
        inBetween += isNamed > runsBefore && isNamed < kRunsToName ? 1 : 0;
        if (isNamed == runsBefore && inBetween * kills < 2 * leastBetween * kill) longestMs += longestMs / 5;
        runsBefore = isNamed;
        if (isNamed == kRunsToName) place.clear();
    }
    fmt::print("{}: {} kills of who names, {} of them between two runs, {} stores\n", engine, kills, inBetween, stores);
    return inBetween >= leastBetween || (std::puts("too few were in the middle"), false);
}

} // namespace

int main(int count, char** arguments) {
    QCoreApplication application(count, arguments);
    if (count == 4 && std::string(arguments[1]) == "add")
        return addAll(arguments[2], static_cast<unsigned>(std::stoul(arguments[3])));
    if (count == 3 && std::string(arguments[1]) == "name") return nameAll(arguments[2]);
    const int kills = count > 1 ? std::atoi(arguments[1]) : 100;
    QTemporaryDir folder(QFile::exists("/dev/shm") ? "/dev/shm/highwater-fleet-XXXXXX" : "");
    int files = 0;
    const auto newFile = [&] {
        const auto place = folder.filePath(QString("%1.sqlite").arg(++files)).toStdString();
        if (!openFleetStore(place).value()->create({}).hasValue()) std::puts("no store");
        return place;
    };
    bool isFine = isKillProof("SQLite", kills, 60, newFile);
    isFine = isNamingKillProof("SQLite", kills / 2, 40, 0, newFile) && isFine;
    ClickHouseServers servers(3);
    if (!servers.problem().empty()) {
        fmt::print("ClickHouse is skipped: {}\n", servers.problem());
        return isFine ? 0 : 1;
    }
    const auto newDatabase = [&] {
        const auto database = fmt::format("fleet_{}", ++files);
        for (const int server : {2, 1, 0})
            if (!openFleetStore(servers.place(server, database)).value()->create("three").hasValue() && server == 0)
                std::puts("no store");
        return servers.place(0, database);
    };
    isFine = isKillProof("ClickHouse", kills, 900, newDatabase) && isFine;
    isFine = isNamingKillProof("ClickHouse", kills / 2, 250, std::max(kills / 50, 1), newDatabase) && isFine;
    return isFine ? 0 : 1;
}

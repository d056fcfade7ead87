// Kills who adds runs to a fleet, again and again, and looks at what is there: a run whole or not at all, and none
// twice.
//
//   fleet_kills COUNT      on SQLite, then on three servers of ClickHouse where they are installed
//   fleet_kills add PLACE SEED   what is killed
//
// Prints a line for each engine and ends with 1 if anything was not as it should be.

#include "core/fleet/stores/open_fleet_store.h"

#include "tests/core/fleet/clickhouse_servers.h"
#include "tests/core/fleet/made_fleet.h"
#include "tests/core/fleet/plain_answers.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
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

/// What is wrong with what is there; how many runs are.
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
        if (!worst.hasValue()) { // no run has come so far that has the stack
            if (plain.worst(question) == linesOf(std::vector<WorstRun>())) continue;
            return worst.error().message;
        }
        if (linesOf(worst.value()) != plain.worst(question)) return "a stack has samples of a run that is not there";
    }
    return {};
}

/// The same, of one moment: a server may still be at what a killed adder sent last.
std::string wrongIn(FleetStore& store, const std::vector<summary::RunSummary>& runs, std::size_t& count) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        auto wrong = wrongAt(store, runs, count);
        if (wrong.empty()) return wrong;
        const auto now = store.runs({}, {});
        if (now.hasValue() && now.value().size() == count) return wrong;
    }
    return "runs do not cease to come";
}

/// One engine: makes stores, and kills adders until they have added everything.
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
    }
    fmt::print("{}: {} kills, {} of them between two runs or within one, {} stores\n", engine, kills, inBetween, seed);
    // One who is killed before it does anything, or after everything, shows nothing.
    return inBetween * 10 >= static_cast<std::size_t>(kills) || (std::puts("too few were in the middle"), false);
}

} // namespace

int main(int count, char** arguments) {
    QCoreApplication application(count, arguments);
    if (count == 4 && std::string(arguments[1]) == "add")
        return addAll(arguments[2], static_cast<unsigned>(std::stoul(arguments[3])));
    const int kills = count > 1 ? std::atoi(arguments[1]) : 100;
    QTemporaryDir folder(QFile::exists("/dev/shm") ? "/dev/shm/highwater-fleet-XXXXXX" : "");
    int files = 0;
    bool isFine = isKillProof("SQLite", kills, 60, [&] {
        const auto place = folder.filePath(QString("%1.sqlite").arg(++files)).toStdString();
        if (!openFleetStore(place).value()->create({}).hasValue()) std::puts("no store");
        return place;
    });
    ClickHouseServers servers(3);
    if (!servers.problem().empty()) {
        fmt::print("ClickHouse is skipped: {}\n", servers.problem());
        return isFine ? 0 : 1;
    }
    isFine =
        isKillProof("ClickHouse", kills, 900,
                    [&] {
                        const auto database = fmt::format("fleet_{}", ++files);
                        for (const int server : {2, 1, 0})
                            if (!openFleetStore(servers.place(server, database)).value()->create("three").hasValue() &&
                                server == 0)
                                std::puts("no store");
                        return servers.place(0, database);
                    }) &&
        isFine;
    return isFine ? 0 : 1;
}

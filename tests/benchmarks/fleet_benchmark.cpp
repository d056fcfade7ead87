// Measures how fast runs are added to a fleet, the size of a row there, and the time of a "grew" query.
//
//   fleet_benchmark PLACE RUNS STACKS [BUILDS]   adds RUNS runs of STACKS stacks, alternating between BUILDS builds
//   (2),
//                                                and queries five times what grew between the last two builds
//   PLACE: a file, clickhouse://HOST:PORT/DATABASE, or "three": servers of its own on this machine
//
//   fleet_benchmark PLACE RUNS STACKS name       adds such runs without names, and names all functions of them
//
// The store is created if it does not exist (on a cluster: by highwater-cli fleet init). RUNS 0: only queries. For ten
// million rows: RUNS 1000, STACKS 10000; for twenty million, where the query should take at most 3 s: RUNS 2000.

#include "core/fleet/stores/open_fleet_store.h"
#include "tests/core/fleet/clickhouse_servers.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <string>
#include <thread>

using namespace highwater;
using namespace highwater::fleet;

namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string placeOf(std::uint32_t stack) { return fmt::format("app!+0x{:x}", stack); }

/// Everything except the values; the same for all runs.
summary::RunSummary runOfStacks(unsigned stacks, bool hasNames) {
    summary::RunSummary run;
    run.processes = {"app.exe"};
    run.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000}};
    std::mt19937_64 random(1);
    for (std::uint32_t i = 0; i < stacks; ++i) {
        run.frames.push_back(
            {hasNames ? fmt::format("app!work_{}", i) : placeOf(i), "app", "aa01", i, hasNames, "work.cpp", i});
        run.stacks.push_back({{random(), random()}, {i, 0}, i});
        run.samples.push_back({0, 0, i, analysis::Table::Heap, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    }
    return run;
}

/// The runs to add.
struct Load {
    unsigned runs = 0, stacks = 0, builds = 2;
    bool hasNames = true;
};

/// Sizes that vary by some percent from run to run; in the last build some are twice as large.
void fill(summary::RunSummary& run, unsigned number, const Load& load) {
    std::mt19937 random(number);
    const auto build = number % load.builds;
    run.facts.run = fmt::format("{:032x}", number * 0x9E3779B97F4A7C15ull);
    run.facts.build = fmt::format("{}", build);
    run.facts.machine = fmt::format("lab-{}", number / load.builds % 100);
    run.facts.recordedAt = number;
    for (std::uint32_t i = 0; i < run.samples.size(); ++i) {
        auto& sample = run.samples[i];
        const auto noise = 90 + static_cast<std::int64_t>(random() % 21);
        const auto size =
            (std::int64_t{1} << (10 + i % 14)) * noise / 100 * (i % 1000 == 7 && build + 1 == load.builds ? 2 : 1);
        sample.inuseSpace = sample.impacting = size;
        sample.inuseObjects = size / 64;
        sample.allocSpace = size * 3;
        sample.allocObjects = size * 3 / 64;
        sample.freed = size * 2;
        sample.peak = size + size / 8;
        sample.slope = size / 60;
        sample.first = static_cast<std::int64_t>(random() % 1'000'000'000);
        sample.last = 60'000'000'000 - static_cast<std::int64_t>(random() % 1'000'000'000);
    }
}

bool tell(const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    return false;
}

bool add(FleetStore& store, const Load& load) {
    const auto there = store.runs({}, {});
    if (!there.hasValue()) return tell(there.error());
    const auto first = static_cast<unsigned>(there.value().size());
    auto run = runOfStacks(load.stacks, load.hasNames);
    double inside = 0;
    for (unsigned number = first; number < first + load.runs; ++number) {
        fill(run, number, load);
        const auto begin = std::chrono::steady_clock::now();
        const auto added = store.add(run, {});
        inside += secondsSince(begin);
        if (!added.hasValue()) return tell(added.error());
    }
    const auto rows = static_cast<double>(load.runs) * load.stacks;
    fmt::print("{} rows in {:.1f} s: {:.0f} rows a second, {:.1f} ms a run\n", rows, inside, rows / inside,
               inside / load.runs * 1000);
    return true;
}

bool grew(FleetStore& store, const Load& load) {
    GrewQuestion question;
    question.fromBuild = fmt::format("{}", load.builds - 2);
    question.toBuild = fmt::format("{}", load.builds - 1);
    question.leastGrowth = 4096;
    const auto all = store.runs({}, {});
    if (!all.hasValue()) return tell(all.error());
    std::size_t rows = 0;
    for (const auto& run : all.value())
        if (run.facts.build == question.fromBuild || run.facts.build == question.toBuild) rows += run.sampleCount;
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto answer = store.grew(question, {});
        if (!answer.hasValue()) return tell(answer.error());
        fmt::print("{:.2f} s: {} of {} stacks grew, of {} rows in two builds\n", secondsSince(begin),
                   answer.value().significant, answer.value().tested, rows);
    }
    return true;
}

bool name(FleetStore& store, const Load& load) {
    std::vector<NamedFrame> names;
    for (std::uint32_t i = 0; i < load.stacks; ++i)
        names.push_back({placeOf(i), "aa01", {{fmt::format("app!work_{}", i), "app", "aa01", i, true, "work.cpp", i}}});
    const auto begin = std::chrono::steady_clock::now();
    const auto unnamed = store.framesWithoutNames({});
    if (!unnamed.hasValue()) return tell(unnamed.error());
    const auto asked = secondsSince(begin);
    const auto named = store.name(names, [](std::string_view) { return false; }, {});
    if (!named.hasValue()) return tell(named.error());
    const auto all = secondsSince(begin);
    fmt::print("{} stacks named in {:.1f} s, {:.1f} s of it to find {} frames: {:.0f} rows a second\n", named.value(),
               all, asked, unnamed.value().size(), static_cast<double>(load.runs) * load.stacks / all);
    return true;
}

bool measure(const std::string& place, const Load& load) {
    auto store = openFleetStore(place);
    if (!store.hasValue()) return tell(store.error());
    if (const auto made = store.value()->create({}); !made.hasValue()) return tell(made.error());
    if (load.runs > 0 && !add(*store.value(), load)) return false;
    if (!load.hasNames && !name(*store.value(), load)) return false;
    return grew(*store.value(), load);
}

/// Bytes per row, when all merges are done.
void printSize(const tests::ClickHouseServers& servers, int count) {
    const auto sum = [&](const char* sql) {
        double all = 0;
        for (int i = 0; i < count; ++i)
            all += std::strtod(servers.ask(i, sql).c_str(), nullptr);
        return all;
    };
    while (sum("SELECT count() FROM system.merges") > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto* parts = "FROM system.parts WHERE active AND table = 'samples_local'";
    const auto rows = sum(fmt::format("SELECT sum(rows) {}", parts).c_str());
    fmt::print("{} rows, {:.1f} bytes a row on disk\n", rows,
               sum(fmt::format("SELECT sum(bytes_on_disk) {}", parts).c_str()) / rows);
}

bool measureThree(const Load& load) {
    constexpr int kServers = 3;
    const tests::ClickHouseServers servers(kServers, tests::ClickHouseServers::Files::OnDisk);
    if (!servers.problem().empty()) return tell({ErrorKind::NotFound, servers.problem()});
    for (int i = 0; i < kServers; ++i) {
        const auto made = openFleetStore(servers.place(i, "bench")).value()->create("three");
        if (!made.hasValue() && i + 1 == kServers) return tell(made.error()); // the earlier ones lack some tables
    }
    if (!measure(servers.place(0, "bench"), load)) return false;
    printSize(servers, kServers);
    return true;
}

} // namespace

int main(int count, char** arguments) {
    const QCoreApplication application(count, arguments);
    const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
    if (count < 4) return fmt::print("see the head of fleet_benchmark.cpp\n"), 1;
    const bool isToName = count > 4 && std::string_view(arguments[4]) == "name";
    const Load load{number(2), std::max(number(3), 1U), count > 4 ? std::max(number(4), 2U) : 2, !isToName};
    const std::string place = arguments[1];
    if (place == "three") return measureThree(load) ? 0 : 1;
    if (!measure(place, load)) return 1;
    if (std::error_code none; std::filesystem::is_regular_file(place, none))
        fmt::print("{} bytes on disk\n", std::filesystem::file_size(place));
    return 0;
}

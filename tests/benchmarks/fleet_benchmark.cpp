// How fast runs go into a fleet, and how long it takes to say what grew.
//
//   fleet_benchmark add PLACE FIRST COUNT STACKS   runs of that many stacks, numbered from FIRST, of 10 builds in turn
//   fleet_benchmark grew PLACE                     between builds 8 and 9, five times
//
// The store is made where it is not there (on a cluster: by highwater-cli fleet init). Bytes a row: the size of the
// file; of ClickHouse: SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND table LIKE 'samples%'

#include "core/fleet/stores/open_fleet_store.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <random>

using namespace highwater;
using namespace highwater::fleet;

namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Everything but the values, which is the same for all runs.
summary::RunSummary runOfStacks(unsigned stacks) {
    summary::RunSummary run;
    run.processes = {"app.exe"};
    run.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000}};
    std::mt19937_64 random(1);
    for (std::uint32_t i = 0; i < stacks; ++i) {
        run.frames.push_back({fmt::format("app!work_{}", i), "app", "aa01", i, true, "work.cpp", i});
        run.stacks.push_back({{random(), random()}, {i, 0}, i});
        run.samples.push_back({0, 0, i, analysis::Table::Heap, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    }
    return run;
}

/// Sizes that differ by some percent from run to run, as they do.
void fill(summary::RunSummary& run, unsigned number) {
    std::mt19937 random(number);
    run.facts.run = fmt::format("{:032x}", number * 0x9E3779B97F4A7C15ull);
    run.facts.build = fmt::format("{}", number % 10);
    run.facts.machine = fmt::format("lab-{}", number / 10 % 100);
    run.facts.recordedAt = number;
    for (std::uint32_t i = 0; i < run.samples.size(); ++i) {
        auto& sample = run.samples[i];
        const auto noise = 90 + static_cast<std::int64_t>(random() % 21);
        const auto size =
            (std::int64_t{1} << (10 + i % 14)) * noise / 100 * (i % 1000 == 7 && number % 10 == 9 ? 2 : 1);
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

int add(FleetStore& store, unsigned first, unsigned count, unsigned stacks) {
    auto run = runOfStacks(stacks);
    double inside = 0;
    for (unsigned number = first; number < first + count; ++number) {
        fill(run, number);
        const auto begin = std::chrono::steady_clock::now();
        const auto added = store.add(run, {});
        inside += secondsSince(begin);
        if (!added.hasValue()) return fmt::print("{}\n", added.error().message), 1;
    }
    const auto rows = static_cast<double>(count) * stacks;
    fmt::print("{} rows in {:.1f} s: {:.0f} rows a second, {:.0f} ms a run\n", rows, inside, rows / inside,
               inside / count * 1000);
    return 0;
}

int grew(FleetStore& store) {
    for (int i = 0; i < 5; ++i) {
        GrewQuestion question;
        question.fromBuild = "8";
        question.toBuild = "9";
        question.leastGrowth = 4096;
        const auto begin = std::chrono::steady_clock::now();
        const auto answer = store.grew(question, {});
        if (!answer.hasValue()) return fmt::print("{}\n", answer.error().message), 1;
        fmt::print("{:.2f} s: {} of {} stacks grew, of {} runs\n", secondsSince(begin), answer.value().significant,
                   answer.value().tested,
                   answer.value().rows.empty() ? 0 : answer.value().rows[0].from.runs + answer.value().rows[0].to.runs);
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
    if (count < 3) return fmt::print("see the head of fleet_benchmark.cpp\n"), 1;
    auto store = openFleetStore(arguments[2]);
    if (!store.hasValue()) return fmt::print("{}\n", store.error().message), 1;
    if (std::strcmp(arguments[1], "grew") == 0) return grew(*store.value());
    if (const auto made = store.value()->create({}); !made.hasValue())
        return fmt::print("{}\n", made.error().message), 1;
    return count == 6 ? add(*store.value(), number(3), number(4), number(5)) : 1;
}

#include "tests/core/fleet/made_fleet.h"

#include <fmt/format.h>

namespace highwater::tests {

summary::StackKey MadeFleet::key(unsigned stack) {
    // Spread over all bits, as hashes are.
    return {(stack + 1) * 0x9E3779B97F4A7C15ull, (stack + 7) * 0xC2B2AE3D27D4EB4Full};
}

void MadeFleet::addStack(summary::RunSummary& run, unsigned stack) {
    if (run.frames.empty()) {
        run.frames.push_back({"libc.so.6!malloc", "libc.so.6", "aa01", 0x100, true, "", 0});
        run.frames.push_back({"app!main", "app", "bb02", 0x200, true, "main.cpp", 7});
    }
    const auto own = static_cast<std::uint32_t>(run.frames.size());
    run.frames.push_back({function(stack), "app", "bb02", 0x1000 + stack, true, "it's.cpp", stack});
    run.stacks.push_back({key(stack), {0, own, 1}, own});
}

std::string MadeFleet::name() {
    return fmt::format("{:016x}{:08x}{:08x}", ++count_ * 0x9E3779B97F4A7C15ull, random_(), random_());
}

summary::RunSummary MadeFleet::run(const std::string& build, const std::string& machine, unsigned stacks) {
    summary::RunSummary run;
    auto& facts = run.facts;
    facts = {name(),
             "/traces/" + build + ".etl",
             1000 + pick(100),
             std::nullopt,
             60'000'000'000,
             "Highwater",
             "Linux 6",
             pick(4) == 0 ? pick(50) : 0,
             pick(2),
             pick(3),
             pick(5) != 0,
             {},
             build,
             machine,
             pick(2) == 0 ? "night" : "day",
             {}};
    if (pick(8) != 0) facts.recordedAt = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(pick(1000));
    if (pick(3) == 0) facts.health = {"Events were lost.", "It's \"odd\"."};
    if (pick(2) == 0)
        facts.labels = {{"branch", kNastyTexts[pick(static_cast<unsigned>(kNastyTexts.size()))]}, {"it's", "a label"}};
    for (const auto* process : {"app.exe", "help'er", "never allocates"}) {
        if (pick(3) == 0) continue;
        facts.resident.push_back({process, static_cast<std::int64_t>(pick(1000)) << 32, std::nullopt});
        if (pick(3) != 0) facts.resident.back().held = pick(1000) * 1000;
    }
    run.processes = {"app.exe", "help'er"};
    // Some scenarios run other programs.
    const std::uint32_t processes = facts.scenario == "night" || pick(4) != 0 ? 2 : 1;
    run.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000},
                   {summary::WindowKind::BetweenMarks, "Warm to 'Full'", 5, 500}};
    if (pick(3) == 0) run.windows.push_back({summary::WindowKind::BetweenMarks, "Warm to 'Full'", 600, 700});
    for (unsigned stack = 0; stack < stacks; ++stack) {
        if (pick(3) == 0) continue;
        addStack(run, stack);
        const auto number = static_cast<std::uint32_t>(run.stacks.size() - 1);
        for (std::uint32_t window = 0; window < run.windows.size(); ++window) {
            for (std::uint32_t process = 0; process < processes; ++process) {
                for (const auto table : {analysis::Table::VirtualAlloc, analysis::Table::Heap}) {
                    if (pick(3) == 0) continue;
                    const auto size = [&] { return static_cast<std::int64_t>(pick(7) == 0 ? 0 : pick(1000) * 1000); };
                    run.samples.push_back({window, process, number, table, size(), size(), size(), size(), size(),
                                           size(), size() - 500'000, size() - 300'000, size(), size()});
                }
            }
        }
    }
    if (pick(2) == 0) { // rows without a stack
        run.stacks.push_back({{0, 0}, {}, 0});
        run.samples.push_back({0, 0, static_cast<std::uint32_t>(run.stacks.size() - 1), analysis::Table::Heap, 1, 2,
                               30'000, 4, 5, 6, 7, 8, 9, 10});
    }
    if (pick(3) == 0 && !run.frames.empty())
        run.frames.push_back({fmt::format("lib!+0x{:x}", pick(99)), "lib", "cc03", 5, false, "", 0});
    return run;
}

} // namespace highwater::tests

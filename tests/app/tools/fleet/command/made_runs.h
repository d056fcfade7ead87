#pragma once

#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/stack_key.h"

#include <string>
#include <vector>

namespace highwater::tests {

/// A run of one process with two stacks: app!Cache::store keeps this many bytes, app!load always the same.
inline summary::RunSummary madeRun(const std::string& build, const std::string& machine, unsigned number,
                                   std::int64_t kept) {
    summary::RunSummary run;
    run.facts.run = build + machine + std::to_string(number);
    run.facts.run.resize(32, '0');
    run.facts.trace = "/lab/" + build + " \"" + machine + "\"," + std::to_string(number) + ".etl";
    run.facts.build = build;
    run.facts.machine = machine;
    run.facts.scenario = "startup";
    run.facts.labels = {{"branch", "main"}};
    run.facts.recordedAt = 1'700'000'000'000'000'000 + std::stoll(build) * 1'000'000'000;
    run.facts.duration = 2'500'000'000;
    run.facts.isWhole = number != 1;
    run.facts.eventsLost = number == 1 ? 7 : 0;
    run.processes = {"app"};
    run.windows = {{summary::WindowKind::Whole, "whole", 0, run.facts.duration}};
    const auto addStack = [&](const std::string& name, std::int64_t bytes) {
        summary::Frame frame;
        frame.name = name;
        frame.module = "app";
        frame.isNamed = true;
        const auto index = static_cast<std::uint32_t>(run.frames.size());
        run.frames.push_back(frame);
        const auto function = summary::functionKey(name);
        run.stacks.push_back({summary::stackKey({&function, 1}), {index}, index});
        summary::Sample sample;
        sample.stack = static_cast<std::uint32_t>(run.stacks.size() - 1);
        sample.inuseSpace = sample.allocSpace = sample.peak = bytes;
        sample.allocObjects = 1;
        sample.inuseObjects = bytes > 1'000'000 ? 4 : 1;
        sample.slope = bytes * 3600;
        sample.last = 1'000'000'000;
        run.samples.push_back(sample);
    };
    addStack("app!Cache::store", kept + number);
    addStack("app!load", 5000);
    return run;
}

/// Three machines with two runs of each build; in 8123 app!Cache::store keeps 1 MB more. False if a store cannot be
/// made.
inline bool makeFleet(const std::string& place) {
    const auto store = fleet::openFleetStore(place);
    if (!store.hasValue() || !store.value()->create({}).hasValue()) return false;
    for (const auto* build : {"8120", "8123"})
        for (const auto* machine : {"lab-1", "lab-2", "lab-3"})
            for (unsigned number = 0; number < 2; ++number)
                if (!store.value()
                         ->add(madeRun(build, machine, number, build == std::string("8123") ? 1'148'576 : 100'000), {})
                         .hasValue())
                    return false;
    return true;
}

} // namespace highwater::tests

#include "core/fleet/questions/stored_facts.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <tuple>

namespace highwater::fleet {

StoredFacts storedFacts(const summary::RunSummary& run) {
    StoredFacts facts;
    facts.addedAt =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    for (const auto& sample : run.samples)
        if (sample.window == 0) facts.inuseSpace = addWithin(facts.inuseSpace, sample.inuseSpace);
    facts.framesUnnamed =
        static_cast<std::size_t>(std::ranges::count_if(run.frames, [](const auto& frame) { return !frame.isNamed; }));
    return facts;
}

std::vector<const summary::Sample*> samplesInOrder(const summary::RunSummary& run) {
    std::vector<const summary::Sample*> samples;
    samples.reserve(run.samples.size());
    for (const auto& sample : run.samples)
        samples.push_back(&sample);
    std::ranges::sort(samples, {}, [&](const auto* sample) {
        return std::tuple(sample->window, run.stacks[sample->stack].key, sample->process, sample->table);
    });
    return samples;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> processesOfWindows(const summary::RunSummary& run) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& sample : run.samples)
        pairs.emplace(sample.window, sample.process);
    return pairs;
}

bool isNamed(const summary::RunSummary& run, const summary::Stack& stack) {
    return std::ranges::all_of(stack.frames, [&](auto frame) { return run.frames[frame].isNamed; });
}

std::vector<std::string> windowNames(const summary::RunSummary& run) {
    std::set<std::string> taken;
    std::vector<std::string> names;
    for (const auto& window : run.windows) {
        auto name = window.name;
        for (int number = 2; !taken.insert(name).second; ++number)
            name = window.name + " (" + std::to_string(number) + ")";
        names.push_back(std::move(name));
    }
    return names;
}

} // namespace highwater::fleet

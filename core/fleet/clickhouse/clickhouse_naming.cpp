#include "core/fleet/clickhouse/clickhouse_naming.h"

#include <algorithm>
#include <tuple>

namespace highwater::fleet {
namespace {

auto placeOf(const ClickHouseNaming::Sample& sample) {
    return std::tie(sample.stack, sample.table, sample.process, sample.window, sample.load);
}

} // namespace

ClickHouseNaming::ClickHouseNaming(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing)
    : isPlumbing_(isPlumbing) {
    for (const auto& frame : frames) {
        if (frame.functions.empty()) continue;
        NewFrames now{&frame, {}};
        for (const auto& function : frame.functions)
            now.names.push_back({function.name, {}, true});
        frames_.emplace(frameKey(frame.name, false, frame.buildId), std::move(now));
    }
}

const std::vector<CalledFrame>* ClickHouseNaming::namesNow(const CalledFrame& frame) const {
    const auto found = frames_.find(frameKey(frame.name, false, frame.buildId));
    return found == frames_.end() ? nullptr : &found->second.names;
}

void ClickHouseNaming::addStack(const summary::StackKey& key, const CalledStack& stack,
                                std::span<const std::uint64_t> loads) {
    auto now = renamed(
        stack, [this](const auto& frame) { return namesNow(frame); }, isPlumbing_);
    const auto newKey = now ? keyOf(now->frames) : key;
    std::vector<std::uint32_t> unnamed;
    for (const auto& frame : now ? now->frames : stack.frames)
        if (!frame.isNamed)
            unnamed.push_back(unnamedFrames_
                                  .try_emplace(frameKey(frame.name, false, frame.buildId),
                                               static_cast<std::uint32_t>(unnamedFrames_.size()))
                                  .first->second);
    if (!unnamed.empty()) unnamed_.try_emplace(newKey, std::move(unnamed));
    if (!now) return;
    renamed_.emplace(key, newKey);
    stacks_.try_emplace(newKey, std::move(*now));
    loads_.insert(loads.begin(), loads.end());
}

void ClickHouseNaming::addNames(NewNames& names) const {
    for (const auto& [key, frame] : frames_)
        for (const auto& function : frame.frame->functions)
            names.addFrame(function);
    for (const auto& [key, stack] : stacks_)
        names.addStack(key, stack.frames[stack.owner].name, stack.frames);
}

void ClickHouseNaming::giveStacks(std::vector<Sample>& samples) const {
    // Samples of a stack are mostly consecutive.
    summary::StackKey before, now;
    for (auto& sample : samples) {
        if (sample.stack != before) {
            const auto found = renamed_.find(sample.stack);
            now = found == renamed_.end() ? sample.stack : found->second;
            before = sample.stack;
        }
        sample.stack = now;
    }
}

void ClickHouseNaming::countUnnamed(const std::vector<Sample>& samples, std::vector<Run>& runs) const {
    std::unordered_map<std::uint64_t, std::vector<bool>> ofLoads;
    auto names = unnamed_.end();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i == 0 || samples[i].stack != samples[i - 1].stack) names = unnamed_.find(samples[i].stack);
        if (names == unnamed_.end()) continue;
        auto& ofLoad = ofLoads[samples[i].load];
        ofLoad.resize(unnamedFrames_.size());
        for (const auto frame : names->second)
            ofLoad[frame] = true;
    }
    for (auto& run : runs)
        run.framesUnnamed = static_cast<std::uint64_t>(std::ranges::count(ofLoads[run.load], true));
}

void ClickHouseNaming::rewrite(std::vector<Sample>& samples, std::vector<Run>& runs) const {
    giveStacks(samples);
    std::ranges::sort(samples, [](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
    std::size_t kept = 0;
    for (const auto& sample : samples) {
        if (kept > 0 && placeOf(samples[kept - 1]) == placeOf(sample))
            samples[kept - 1].numbers.add(sample.numbers);
        else
            samples[kept++] = sample;
    }
    samples.resize(kept);
    countUnnamed(samples, runs);
    std::unordered_map<std::uint64_t, Run*> byLoad;
    for (auto& run : runs) {
        byLoad.emplace(run.load, &run);
        run.sampleCount = 0;
    }
    for (auto& sample : samples) {
        auto& run = *byLoad.at(sample.load);
        ++run.sampleCount;
        sample.load = run.newLoad;
    }
}

} // namespace highwater::fleet

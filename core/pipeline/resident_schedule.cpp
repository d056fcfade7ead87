#include "core/pipeline/resident_schedule.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

constexpr int kMostInVain = 3;

} // namespace

void ResidentSchedule::add(const std::vector<std::uint32_t>& pids, Clock::time_point now) {
    for (const auto pid : pids) {
        const bool isKnown = std::ranges::find(processes_, pid, &Process::pid) != processes_.end();
        if (!isKnown) processes_.push_back({pid, now});
    }
}

void ResidentSchedule::ask() {
    for (auto& process : processes_)
        process.isAsked = true;
}

ResidentSchedule::Clock::time_point ResidentSchedule::timeOf(const Process& process) const {
    return process.isAsked ? freeIfAsked_ : std::max(process.due, free_);
}

/// The process that can be sampled first. If several can be sampled at the same time: the one that is due first.
const ResidentSchedule::Process* ResidentSchedule::nextProcess() const {
    const auto next = std::ranges::min_element(processes_, [this](const Process& a, const Process& b) {
        const auto ofA = timeOf(a), ofB = timeOf(b);
        return ofA != ofB ? ofA < ofB : a.due < b.due;
    });
    return next == processes_.end() ? nullptr : &*next;
}

std::optional<std::uint32_t> ResidentSchedule::due(Clock::time_point now) const {
    const auto* const process = nextProcess();
    return process != nullptr && timeOf(*process) <= now ? std::optional(process->pid) : std::nullopt;
}

ResidentSchedule::Clock::time_point ResidentSchedule::next() const {
    const auto* const process = nextProcess();
    return process != nullptr ? timeOf(*process) : Clock::time_point::max();
}

std::vector<std::uint32_t> ResidentSchedule::processes() const {
    std::vector<std::uint32_t> pids;
    for (const auto& process : processes_)
        pids.push_back(process.pid);
    return pids;
}

/// Requested samples count like others, so that fewer follow without a request.
void ResidentSchedule::noteSampled(std::uint32_t pid, Outcome outcome, Cost cost, Clock::time_point now) {
    const std::chrono::duration<double> ofBytes(static_cast<double>(cost.bytes) / kBytesPerSecond);
    const auto pause = std::max(cost.time * kPause, std::chrono::duration_cast<Clock::duration>(ofBytes));
    free_ = std::max(free_, now) + pause;
    freeIfAsked_ = now + cost.time * kPauseIfAsked;
    const auto process = std::ranges::find(processes_, pid, &Process::pid);
    if (process == processes_.end()) return;
    process->due = now + kEvery;
    process->isAsked = false;
    process->inVain = outcome == Outcome::Nothing ? process->inVain + 1 : 0;
    if (outcome == Outcome::Failed || process->inVain == kMostInVain) processes_.erase(process);
}

} // namespace highwater::pipeline

#include "core/analysis/balance/balance.h"

#include "core/analysis/balance/sample_sweep.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/heaps/heap_lives.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace highwater::analysis {
namespace {

/// Some of its blocks are from before the recording or from its parent, or the recording has none at all. A fork that
/// has executed a program (it has another name) has no blocks of its parent.
bool hasUnrecordedBlocks(const store::PublishedTrace& trace, ProcessIndex index) {
    const auto& process = (*trace.processes)[index];
    const bool hasBlocksOfParent = process.isFork && process.forkName.empty();
    return process.isAttached || hasBlocksOfParent || (trace.heap.rows == 0 && trace.heap.evicted.rows == 0);
}

bool isIn(TimeRange interval, TraceTime time, TraceTime end) {
    return interval.contains(time) || (time == end && interval.end >= end && interval.start <= end);
}

bool isMeant(const store::PublishedTrace& trace, const BalanceQuery& query, ProcessIndex process) {
    if (query.runningAt && (*trace.processes)[process].end < *query.runningAt) return false;
    return !query.only || std::ranges::find(*query.only, process) != query.only->end();
}

/// The samples in the interval, by process.
std::map<std::uint32_t, SampledMemory> samplesIn(const store::PublishedTrace& trace, const BalanceQuery& query) {
    std::map<std::uint32_t, SampledMemory> ofProcesses;
    if (!trace.residentSamples) return ofProcesses;
    const auto whole = trace.wholeRange();
    const ProcessesByPid processes(*trace.processes);
    for (const auto& sample : *trace.residentSamples) {
        const auto time = sample->time;
        if (!isIn(whole, time, whole.end) || !isIn(query.interval, time, whole.end)) continue;
        const auto process = processes.at(sample->pid, time);
        if (!process || !isMeant(trace, query, *process)) continue;
        auto& samples = ofProcesses[process->value];
        samples.process = *process;
        samples.samples.push_back(sample);
    }
    return ofProcesses;
}

SharedResidentSample highestOf(const std::vector<SharedResidentSample>& samples) {
    return *std::ranges::max_element(samples, {}, [](const auto& sample) { return sample->resident(); });
}

using ChooseSample = std::function<SharedResidentSample(const std::vector<SharedResidentSample>&)>;

/// The balance of each process at one of its samples.
Result<std::vector<Balance>> balancesAt(const store::PublishedTrace& trace, const BalanceQuery& query,
                                        const ChooseSample& choose, const std::stop_token& stop) {
    if (auto refused = whyNoBalance(trace)) return *std::move(refused);
    std::vector<SampledMemory> processes;
    for (auto& [number, samples] : samplesIn(trace, query))
        processes.push_back({samples.process, {choose(samples.samples)}});
    std::vector<Balance> balances(processes.size());
    const auto answer = [&](std::size_t i, const ResidentSample& sample, ProcessMemory& memory) {
        const auto process = processes[i].process;
        auto& balance = balances[i];
        balance.process = process;
        balance.name = trace.processes->key(process);
        balance.isIncomplete = hasUnrecordedBlocks(trace, process);
        balance.point = memory.pointAt(sample, imagesAt(*trace.processes, process, sample.time),
                                       balance.isIncomplete ? ProcessMemory::Free::Unknown : ProcessMemory::Free::Known,
                                       balance.parts);
    };
    TRY(sweepSamples(trace, processes, answer, stop));
    std::ranges::stable_sort(balances, std::ranges::greater(),
                             [](const Balance& balance) { return balance.point.resident; });
    return balances;
}

} // namespace

TimeRange upTo(TraceTime instant) { return {kBeforeTrace, instant == kNever ? kNever : TraceTime{instant.ns + 1}}; }

std::optional<Error> whyNoBalance(const store::PublishedTrace& trace) {
    if (trace.residentSamples && !trace.residentSamples->empty()) return std::nullopt;
    if (auto refused = whyNoAnswer(AnswerKind::Balance, trace.lacks)) return refused;
    return Error{
        ErrorKind::Unsupported,
        fmt::format("This trace has no balance of resident memory because it contains no samples of resident "
                    "memory. {}",
                    trace.isOfAgent
                        ? "It was recorded by an earlier version of Highwater, or ended before the first sample."
                        : "Only Linux recordings contain them.")};
}

std::vector<SampledProcess> sampledProcesses(const store::PublishedTrace& trace, TimeRange interval) {
    std::vector<SampledProcess> list;
    for (const auto& [number, samples] : samplesIn(trace, {interval})) {
        const auto highest = highestOf(samples.samples);
        const auto process = samples.process;
        list.push_back({process, trace.processes->key(process), samples.samples.size(), highest->resident(),
                        highest->time, hasUnrecordedBlocks(trace, process)});
    }
    std::ranges::stable_sort(list, std::ranges::greater(), &SampledProcess::peak);
    return list;
}

Result<std::vector<Balance>> balanceAt(const store::PublishedTrace& trace, const BalanceQuery& query,
                                       const std::stop_token& stop) {
    return balancesAt(
        trace, query, [](const auto& samples) { return samples.back(); }, stop);
}

Result<std::vector<Balance>> balanceAtPeak(const store::PublishedTrace& trace, const BalanceQuery& query,
                                           const std::stop_token& stop) {
    return balancesAt(trace, query, highestOf, stop);
}

Result<std::vector<BalanceCourse>> balanceCourses(const store::PublishedTrace& trace, const BalanceQuery& query,
                                                  const std::stop_token& stop) {
    if (auto refused = whyNoBalance(trace)) return *std::move(refused);
    std::vector<SampledMemory> processes;
    std::vector<BalanceCourse> courses;
    for (auto& [number, samples] : samplesIn(trace, query)) {
        courses.push_back(
            {samples.process, trace.processes->key(samples.process), {}, (*trace.processes)[samples.process].end});
        processes.push_back(std::move(samples));
    }
    const auto answer = [&](std::size_t i, const ResidentSample& sample, ProcessMemory& memory) {
        const auto process = processes[i].process;
        const bool isIncomplete = hasUnrecordedBlocks(trace, process);
        courses[i].points.push_back(
            memory.pointAt(sample, imagesAt(*trace.processes, process, sample.time),
                           isIncomplete ? ProcessMemory::Free::Unknown : ProcessMemory::Free::Known));
    };
    TRY(sweepSamples(trace, processes, answer, stop));
    std::ranges::stable_sort(courses, std::ranges::greater(), [](const BalanceCourse& course) {
        return std::ranges::max(course.points, {}, &BalancePoint::resident).resident;
    });
    return courses;
}

double explainedShare(const BalancePoint& point) {
    if (point.resident == 0) return 1;
    return 1 - static_cast<double>(point.layers[MemoryLayer::Unknown]) / static_cast<double>(point.resident);
}

} // namespace highwater::analysis

#include "core/pipeline/unrecorded_memory.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace highwater::pipeline {
namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;

/// The sums of a process at two instants.
struct Peak {
    PrivateBytesSample sample; ///< with the most private bytes
    ByteCount recorded = 0;
    TraceTime first;                         ///< the first sample
    std::optional<PrivateBytesSample> early; ///< the first sample after the start
    ByteCount recordedEarly = 0;
};

using Peaks = std::map<std::uint32_t, Peak>; ///< by pid

/// Since `start`; allocations outstanding earlier are not fully known.
Peaks peaksOf(const TraceNotes& notes, TraceTime start) {
    Peaks peaks;
    for (const auto& sample : notes.privateBytes) {
        if (sample.time < start) continue;
        const auto [known, isFirst] = peaks.try_emplace(sample.pid);
        auto& peak = known->second;
        if (isFirst) peak.first = sample.time;
        if (!peak.early && sample.time.ns - peak.first.ns >= kStartNs) peak.early = sample;
        if (sample.bytes > peak.sample.bytes) peak.sample = sample;
    }
    return peaks;
}

/// Adds the amounts outstanding at the two instants.
void addRows(const store::PublishedTrace& trace, const store::TableView& table, Peaks& peaks) {
    const auto& processes = trace.processes->processes();
    std::vector<Peak*> ofProcess(processes.size(), nullptr);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const auto found = peaks.find(processes[i].pid);
        if (found != peaks.end()) ofProcess[i] = &found->second;
    }
    for (std::uint32_t i = 0; i < table.rows; ++i) {
        const RowId row{i};
        const auto process = trace.heapOf(table.site(row)).process.value;
        auto* const peak = process < ofProcess.size() ? ofProcess[process] : nullptr;
        if (peak == nullptr) continue;
        const auto isOutstanding = [&](TraceTime time) { return table.begin(row) <= time && table.end(row) > time; };
        if (isOutstanding(peak->sample.time)) peak->recorded += table.size(row);
        if (peak->early && isOutstanding(peak->early->time)) peak->recordedEarly += table.size(row);
    }
}

/// Only if memory grew between the two instants.
void setGrowth(const Peak& peak, UnrecordedMemory& memory) {
    if (!peak.early || peak.early->time >= peak.sample.time || peak.early->bytes >= peak.sample.bytes) return;
    memory.since = peak.early->time;
    memory.grown = peak.sample.bytes - peak.early->bytes;
    const auto recorded = peak.recorded > peak.recordedEarly ? peak.recorded - peak.recordedEarly : 0;
    memory.grownUnrecorded = memory.grown - std::min(memory.grown, recorded);
}

void setOrigin(const store::PublishedTrace& trace, std::uint32_t pid, UnrecordedMemory& memory) {
    for (const auto& process : trace.processes->processes()) {
        if (process.pid != pid) continue;
        memory.isAttached |= process.isAttached;
        memory.isFork |= process.isFork;
    }
}

std::string_view otherSource(const UnrecordedMemory& memory) {
    if (memory.isAttached) return "it was allocated before the recording, or ";
    return memory.isFork ? "it was inherited from the parent process, or " : "";
}

/// A process that executes another program has several names in turn.
std::string nameOf(const store::PublishedTrace& trace, const PrivateBytesSample& sample) {
    auto name = fmt::format("Process {}", sample.pid);
    for (const auto& process : trace.processes->processes()) {
        if (process.pid != sample.pid || !process.nameKnown || process.start > sample.time) continue;
        name = fmt::format("{} ({})", printable(process.name), sample.pid); // a name may contain line ends
    }
    return name;
}

} // namespace

std::vector<UnrecordedMemory> unrecordedMemory(const store::PublishedTrace& trace, const TraceNotes& notes,
                                               const HeapAtPeaks* counted) {
    auto peaks = peaksOf(notes, trace.retainedFrom);
    if (!trace.columns || !trace.processes || peaks.empty()) return {};
    addRows(trace, trace.heap, peaks);
    for (auto& [pid, peak] : peaks)
        peak.recorded += counted != nullptr ? counted->outstanding(pid) : 0;
    addRows(trace, trace.virtualAlloc, peaks);
    std::vector<UnrecordedMemory> found;
    for (const auto& [pid, peak] : peaks) {
        const auto& sample = peak.sample;
        const auto unrecorded = sample.bytes > peak.recorded ? sample.bytes - peak.recorded : 0;
        if (sample.bytes == 0) continue;
        found.push_back({nameOf(trace, sample), sample.time, sample.bytes, unrecorded, {}});
        setOrigin(trace, pid, found.back());
        if (counted == nullptr) setGrowth(peak, found.back()); // the blocks of the earlier instant are not known
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &UnrecordedMemory::privateBytes);
    return found;
}

bool isWorthSaying(const UnrecordedMemory& memory) {
    constexpr ByteCount kLeastBytes = 1024 * 1024;
    constexpr ByteCount kLeastShare = 10;
    return memory.unrecorded >= kLeastBytes && memory.unrecorded >= memory.privateBytes / kLeastShare;
}

bool isGrowthMissing(const UnrecordedMemory& memory) {
    constexpr ByteCount kLeastBytes = 5 * 1024 * 1024;
    constexpr ByteCount kLeastShare = 10;
    return memory.grownUnrecorded >= kLeastBytes && memory.grownUnrecorded >= memory.grown / kLeastShare;
}

std::string describe(const UnrecordedMemory& memory) {
    if (isGrowthMissing(memory))
        return fmt::format("The private memory of {} grew by {} between {:.1f} s and {:.1f} s, and {} of this was not "
                           "recorded, because {}.",
                           memory.process, megabytes(memory.grown), memory.since.seconds(), memory.time.seconds(),
                           megabytes(memory.grownUnrecorded),
                           memory.isAttached
                               ? "the process requests memory through functions that it had looked up before Highwater "
                                 "attached to it. To record them, start it from Highwater"
                               : "modules, thread stacks and the C library use it themselves, or the process requests "
                                 "memory by system calls of its own");
    return fmt::format(
        "{} had {} of private memory at {:.1f} s. Of this, {} was not recorded because {}modules, thread "
        "stacks and the C library use it themselves.",
        memory.process, megabytes(memory.privateBytes), memory.time.seconds(), megabytes(memory.unrecorded),
        otherSource(memory));
}

bool isOfAgent(std::string_view sessionName) { return sessionName == kAgentSessionName; }

} // namespace highwater::pipeline

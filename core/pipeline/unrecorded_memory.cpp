#include "core/pipeline/unrecorded_memory.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace highwater::pipeline {
namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;
constexpr std::int64_t kMostInstants = 1'000'000; ///< between samples, of all processes
constexpr std::int64_t kMostInstantsOfSample = 64;

/// The blocks of a process over time. An allocator may keep memory that was freed, so that private memory corresponds
/// to the most that was outstanding before. This is determined for the time between instants: those of samples, and
/// others between them. Within such a time, no block counts as freed: it may have been allocated before all frees.
class BlocksOverTime {
  public:
    /// `parts`: into which the time since the previous sample, or since `start`, is divided.
    void addSample(TraceTime time, TraceTime start, std::int64_t parts) {
        const auto before = times_.empty() ? std::min(start, time) : times_.back();
        const auto step = (time.ns - before.ns) / parts;
        for (std::int64_t i = 1; i < parts && step > 0; ++i)
            times_.push_back({before.ns + i * step});
        times_.push_back(time);
    }
    /// Rows that begin in the order of time take the least work.
    void add(TraceTime begin, TraceTime end, ByteCount size) {
        if (changes_.empty()) {
            changes_.resize(times_.size() + 1);
            allocated_.resize(times_.size());
        }
        if (next_ > 0 && times_[next_ - 1] >= begin) next_ = firstFrom(begin);
        while (next_ < times_.size() && times_[next_] < begin)
            ++next_;
        if (next_ == times_.size()) return;
        allocated_[next_] += size;
        if (end <= times_[next_]) return; // not outstanding at any of these instants
        changes_[next_] += size;
        changes_[firstFrom(end)] -= size;
    }
    /// The most until then.
    [[nodiscard]] ByteCount mostUntil(TraceTime time) const {
        ByteCount now = 0, most = 0;
        for (std::size_t i = 0; i < times_.size() && !changes_.empty() && times_[i] <= time; ++i) {
            most = std::max(most, now + allocated_[i]);
            now += changes_[i];
        }
        return most;
    }

  private:
    [[nodiscard]] std::size_t firstFrom(TraceTime time) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(times_, time) - times_.begin());
    }

    std::vector<TraceTime> times_;
    std::vector<ByteCount> changes_;   ///< by instant, and at the end; wraps around
    std::vector<ByteCount> allocated_; ///< since the instant before
    std::size_t next_ = 0;           ///< the first instant at or after the last begin
};

/// The sums of a process at two instants, and facts about the process.
struct Peak {
    TraceTime program = kBeforeTrace; ///< the start of the program that ran last
    PrivateBytesSample sample;        ///< with the most private bytes
    ByteCount recorded = 0;
    TraceTime first;                         ///< the first sample
    std::optional<PrivateBytesSample> early; ///< the first sample after the start
    ByteCount recordedEarly = 0;
    BlocksOverTime blocks;
    const store::ProcessInstance* named = nullptr; ///< the last one with a name that had started at the sample
    bool isAttached = false;
    bool isFork = false;
    bool isSampled = false; ///< its resident memory
};

using Peaks = std::map<std::uint32_t, Peak>; ///< by pid

/// A program that a process executes loads its images anew, and those of the program before it are of earlier epochs.
TraceTime programStart(const store::ProcessInstance& process) {
    auto start = kNever;
    for (const auto& image : process.images)
        if (image.lastEpoch > process.epoch) start = std::min(start, image.loaded);
    return start == kNever ? process.start : start;
}

/// The start of the last program of each pid. The memory of those before it is gone.
std::map<std::uint32_t, TraceTime> programStarts(const store::ProcessTable& processes) {
    std::map<std::uint32_t, TraceTime> starts;
    for (const auto& process : processes.processes())
        starts[process.pid] = programStart(process);
    return starts;
}

/// Since `start`; allocations outstanding earlier are not fully known.
Peaks peaksOf(const TraceNotes& notes, const std::map<std::uint32_t, TraceTime>& programs, TraceTime start) {
    Peaks peaks;
    // A file can have millions of samples.
    const auto samples = static_cast<std::int64_t>(notes.privateBytes.size());
    const auto parts =
        std::clamp<std::int64_t>(kMostInstants / std::max<std::int64_t>(samples, 1), 1, kMostInstantsOfSample);
    for (const auto& sample : notes.privateBytes) {
        const auto program = programs.find(sample.pid);
        const auto since = program == programs.end() ? kBeforeTrace : program->second;
        if (sample.time < std::max(start, since)) continue;
        const auto [known, isFirst] = peaks.try_emplace(sample.pid);
        auto& peak = known->second;
        if (isFirst) peak.first = sample.time;
        peak.program = since;
        peak.blocks.addSample(sample.time, std::max({start, since, TraceTime{0}}), parts);
        if (!peak.early && sample.time.ns - peak.first.ns >= kStartNs) peak.early = sample;
        if (sample.bytes > peak.sample.bytes) peak.sample = sample;
    }
    return peaks;
}

/// Visits the rows of these processes, without those of earlier programs: visit(row, peak).
template <typename Visit>
void eachRow(const store::PublishedTrace& trace, const store::TableView& table, Peaks& peaks, Visit visit) {
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
        if (peak != nullptr && table.end(row) > peak->program) visit(row, *peak);
    }
}

/// Adds the blocks that were outstanding at some time until the two instants.
void addBlocks(const store::PublishedTrace& trace, Peaks& peaks) {
    const auto& table = trace.heap;
    eachRow(trace, table, peaks,
            [&](RowId row, Peak& peak) { peak.blocks.add(table.begin(row), table.end(row), table.size(row)); });
    for (auto& [pid, peak] : peaks) {
        peak.recorded += peak.blocks.mostUntil(peak.sample.time);
        if (peak.early) peak.recordedEarly += peak.blocks.mostUntil(peak.early->time);
    }
}

/// Adds the pages that were outstanding at the two instants: the system takes them back at once.
void addPages(const store::PublishedTrace& trace, Peaks& peaks) {
    const auto& table = trace.virtualAlloc;
    eachRow(trace, table, peaks, [&](RowId row, Peak& peak) {
        const auto isOutstanding = [&](TraceTime time) { return table.begin(row) <= time && table.end(row) > time; };
        if (isOutstanding(peak.sample.time)) peak.recorded += table.size(row);
        if (peak.early && isOutstanding(peak.early->time)) peak.recordedEarly += table.size(row);
    });
}

/// Only if memory grew between the two instants.
void setGrowth(const Peak& peak, UnrecordedMemory& memory) {
    if (!peak.early || peak.early->time >= peak.sample.time || peak.early->bytes >= peak.sample.bytes) return;
    memory.since = peak.early->time;
    memory.grown = peak.sample.bytes - peak.early->bytes;
    const auto recorded = peak.recorded > peak.recordedEarly ? peak.recorded - peak.recordedEarly : 0;
    memory.grownUnrecorded = memory.grown - std::min(memory.grown, recorded);
}

/// In one pass, because a file can have any number of processes with samples. A process that executes another program
/// has several names in turn.
void findProcesses(const store::ProcessTable& processes, Peaks& peaks) {
    for (const auto& process : processes.processes()) {
        const auto found = peaks.find(process.pid);
        if (found == peaks.end()) continue;
        auto& peak = found->second;
        peak.isAttached |= process.isAttached;
        peak.isFork |= process.isFork;
        if (process.nameKnown && process.start <= peak.sample.time) peak.named = &process;
    }
}

void findSampled(const SharedResidentSamples& samples, Peaks& peaks) {
    if (!samples) return;
    for (const auto& sample : *samples) {
        const auto found = peaks.find(sample->pid);
        if (found != peaks.end()) found->second.isSampled = true;
    }
}

/// Whether the balance of the file divides all of its memory. If the recording keeps no rows, its file still has them.
bool isInBalance(const Peak& peak, std::uint32_t pid, const HeapAtPeaks* counted) {
    const bool hasBlocks = counted == nullptr || counted->most(pid) > 0;
    return peak.isSampled && hasBlocks && !peak.isAttached && !peak.isFork;
}

std::string_view otherSource(const UnrecordedMemory& memory) {
    if (memory.isAttached) return "was allocated before the recording or ";
    return memory.isFork ? "was inherited from the parent process or " : "";
}

std::string nameOf(const Peak& peak) {
    if (peak.named == nullptr) return fmt::format("Process {}", peak.sample.pid);
    return fmt::format("{} ({})", printable(peak.named->name), peak.sample.pid); // a name may contain line ends
}

} // namespace

std::vector<UnrecordedMemory> unrecordedMemory(const store::PublishedTrace& trace, const TraceNotes& notes,
                                               const HeapAtPeaks* counted) {
    if (!trace.columns || !trace.processes || notes.privateBytes.empty()) return {};
    auto peaks = peaksOf(notes, programStarts(*trace.processes), trace.retainedFrom);
    if (peaks.empty()) return {};
    addBlocks(trace, peaks);
    for (auto& [pid, peak] : peaks)
        peak.recorded += counted != nullptr ? counted->most(pid) : 0;
    addPages(trace, peaks);
    findProcesses(*trace.processes, peaks);
    findSampled(trace.residentSamples, peaks);
    std::vector<UnrecordedMemory> found;
    for (const auto& [pid, peak] : peaks) {
        const auto& sample = peak.sample;
        const auto unrecorded = sample.bytes > peak.recorded ? sample.bytes - peak.recorded : 0;
        if (sample.bytes == 0) continue;
        auto& memory = found.emplace_back();
        memory.process = nameOf(peak);
        memory.time = sample.time;
        memory.privateBytes = sample.bytes;
        memory.unrecorded = unrecorded;
        memory.isAttached = peak.isAttached;
        memory.isFork = peak.isFork;
        memory.isInBalance = isInBalance(peak, pid, counted);
        if (counted == nullptr) setGrowth(peak, memory); // the blocks of the earlier instant are not known
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &UnrecordedMemory::privateBytes);
    return found;
}

bool isWorthSaying(const UnrecordedMemory& memory) {
    constexpr ByteCount kLeastBytes = 1024 * 1024;
    constexpr ByteCount kLeastShare = 10;
    return !memory.isInBalance && memory.unrecorded >= kLeastBytes &&
           memory.unrecorded >= memory.privateBytes / kLeastShare;
}

namespace {

constexpr ByteCount kLeastGrowth = 5 * 1024 * 1024;
constexpr ByteCount kLeastShareOfGrowth = 10;

} // namespace

bool isGrowthMissing(const UnrecordedMemory& memory) {
    return memory.grownUnrecorded >= kLeastGrowth && memory.grownUnrecorded >= memory.grown / kLeastShareOfGrowth;
}

bool isGrowthStillMissing(const UnrecordedMemory& memory) {
    return memory.grownUnrecorded >= kLeastGrowth / 2 &&
           memory.grownUnrecorded >= memory.grown / (2 * kLeastShareOfGrowth);
}

std::string describeGrowth(const UnrecordedMemory& memory) {
    return fmt::format("The private memory of {} grew by {} between {:.1f} s and {:.1f} s, and {} of this was not "
                       "recorded{}.",
                       memory.process, megabytes(memory.grown), memory.since.seconds(), memory.time.seconds(),
                       megabytes(memory.grownUnrecorded),
                       memory.isAttached
                           ? ", because the process requests memory through functions that it had looked up before "
                             "Highwater attached to it. To record them, start it from Highwater"
                           : ". It belongs to modules, thread stacks or the C library, or was requested by direct "
                             "system calls");
}

std::string describe(const UnrecordedMemory& memory) {
    if (isGrowthMissing(memory)) return describeGrowth(memory);
    return fmt::format(
        "{} had {} of private memory at {:.1f} s. Of this, {} was not recorded because it {}belongs to modules, thread "
        "stacks or the C library.",
        memory.process, megabytes(memory.privateBytes), memory.time.seconds(), megabytes(memory.unrecorded),
        otherSource(memory));
}

bool isOfAgent(std::string_view sessionName) { return sessionName == kAgentSessionName; }

} // namespace highwater::pipeline

#include "core/analysis/balance/private_bytes.h"

#include "core/analysis/columns/column_set.h"
#include "core/analysis/rows/row_selection.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

/// From this time on, the process has this many private bytes.
struct Change {
    TraceTime time;
    std::uint32_t process = 0;
    ByteCount bytes = 0;
};

bool selectsProcesses(const RowFilter& filter) {
    const ColumnSet ofProcesses{Column::Process, Column::ProcessName, Column::Pid};
    const auto isOfProcess = [&](const KeyStep& step) { return ofProcesses.contains(step.column); };
    const auto isOfProcesses = [&](const KeyPath& path) { return std::ranges::all_of(path, isOfProcess); };
    return (!filter.hasConditions() || ofProcesses.containsAll(filter.query->columns())) &&
           std::ranges::all_of(filter.clauses,
                               [&](const auto& clause) { return std::ranges::all_of(clause.anyOf, isOfProcesses); });
}

bool isOfWholeProcesses(const TimelineQuery& query) {
    return (query.table == Table::Heap || query.table == Table::VirtualAlloc) &&
           query.measure == TimelineMeasure::Bytes && selectsProcesses(query.filter);
}

/// Processes with rows anywhere in the trace, so that the line does not depend on the interval. By index. The filter
/// only selects processes, so that sites are enough, which are few.
Result<std::vector<bool>> processesOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                      const TimelineQuery& query, const std::stop_token& stop) {
    SelectionQuery wanted;
    wanted.table = query.table;
    wanted.interval = trace.wholeRange();
    wanted.columns = {Column::Process};
    wanted.filter = &query.filter;
    wanted.bySite = true;
    const auto selection = TRY(RowSelection::make(trace, labels, wanted, stop));
    std::vector<bool> chosen(trace.processes->processes().size(), false);
    for (const auto& cell : selection->cells()) {
        const auto process = selection->reader().key(Column::Process, cell.key);
        if (process < chosen.size()) chosen[process] = true;
    }
    return chosen;
}

/// In the order of time. The end of a process with samples is a change to 0.
std::vector<Change> changesOf(const store::ProcessTable& table, const TraceNotes& notes,
                              const std::vector<bool>& chosen) {
    const auto& processes = table.processes();
    const store::ProcessesByPid byPid(table);
    std::vector<bool> hasSamples(processes.size(), false);
    std::vector<Change> changes;
    for (const auto& sample : notes.privateBytes) {
        const auto process = byPid.at(sample.pid, sample.time);
        if (!process || !chosen[process->value] || sample.time >= processes[process->value].end) continue;
        hasSamples[process->value] = true;
        changes.push_back({sample.time, process->value, sample.bytes});
    }
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        if (hasSamples[i] && processes[i].end != kNever) changes.push_back({processes[i].end, i, 0});
    }
    std::ranges::stable_sort(changes, {}, &Change::time);
    return changes;
}

/// The sum over all processes, as time advances.
class RunningSum {
  public:
    RunningSum(const std::vector<Change>& changes, std::size_t processes) : changes_(changes), now_(processes, 0) {}

    /// kNever: no more changes.
    [[nodiscard]] TraceTime nextTime() const { return next_ < changes_.size() ? changes_[next_].time : kNever; }
    /// Applies all changes at nextTime().
    void step() {
        for (const auto time = nextTime(); next_ < changes_.size() && changes_[next_].time == time; ++next_) {
            auto& bytes = now_[changes_[next_].process];
            sum_ += changes_[next_].bytes - bytes; // wraps around: damaged files have any sizes
            bytes = changes_[next_].bytes;
        }
    }
    [[nodiscard]] bool hasBegun() const { return next_ > 0; }
    [[nodiscard]] SignedByteCount sum() const {
        constexpr auto kMost = static_cast<ByteCount>(std::numeric_limits<SignedByteCount>::max());
        return static_cast<SignedByteCount>(std::min(sum_, kMost));
    }

  private:
    const std::vector<Change>& changes_;
    std::vector<ByteCount> now_; ///< by process
    std::size_t next_ = 0;
    ByteCount sum_ = 0;
};

PrivateBytesLine lineOf(const std::vector<Change>& changes, std::size_t processes, const Timeline& timeline) {
    PrivateBytesLine line;
    const auto slices = timeline.starts.size();
    RunningSum running(changes, processes);
    for (std::size_t i = 0; i < slices; ++i) {
        const auto end = i + 1 < slices ? timeline.starts[i + 1] : timeline.interval.end;
        while (running.nextTime() <= timeline.starts[i] && running.nextTime() != kNever)
            running.step();
        auto peak = running.sum();
        for (; running.nextTime() < end; peak = std::max(peak, running.sum()))
            running.step();
        line.peaks.push_back(peak);
        if (!running.hasBegun()) line.firstSlice = i + 1;
    }
    line.atEnd = running.sum();
    return line;
}

} // namespace

std::vector<ProcessMemoryPeaks> processMemoryPeaks(const store::PublishedTrace& trace, const TraceNotes& notes) {
    const store::ProcessesByPid byPid(*trace.processes);
    // Processes of the trace by index, then unknown ones by pid.
    std::map<std::pair<bool, std::uint32_t>, ProcessMemoryPeaks> peaks;
    for (const auto& sample : notes.privateBytes) {
        const auto process = byPid.at(sample.pid, sample.time);
        auto& peak = peaks[{!process, process ? process->value : sample.pid}];
        if (peak.samples == 0)
            peak.process = process ? trace.processes->key(*process) : fmt::format("Unknown ({})", sample.pid);
        if (peak.samples == 0 || sample.bytes > peak.privateBytes)
            std::tie(peak.privateBytes, peak.privateTime) = std::tie(sample.bytes, sample.time);
        if (peak.samples == 0 || sample.workingSet > peak.workingSet)
            std::tie(peak.workingSet, peak.workingSetTime) = std::tie(sample.workingSet, sample.time);
        ++peak.samples;
    }
    std::vector<ProcessMemoryPeaks> list;
    for (auto& [key, peak] : peaks)
        list.push_back(std::move(peak));
    std::ranges::stable_sort(list, std::ranges::greater(), &ProcessMemoryPeaks::privateBytes);
    return list;
}

Result<std::optional<PrivateBytesLine>> privateBytesLine(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const TimelineQuery& query, const Timeline& timeline,
                                                         const TraceNotes& notes, const std::stop_token& stop) {
    if (notes.privateBytes.empty() || !isOfWholeProcesses(query)) return std::optional<PrivateBytesLine>();
    const auto chosen = TRY(processesOf(trace, labels, query, stop));
    auto line = lineOf(changesOf(*trace.processes, notes, chosen), chosen.size(), timeline);
    return line.firstSlice < line.peaks.size() ? std::optional(std::move(line)) : std::nullopt;
}

} // namespace highwater::analysis

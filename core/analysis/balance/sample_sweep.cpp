#include "core/analysis/balance/sample_sweep.h"

#include "core/analysis/balance/allocator_rules.h"
#include "core/analysis/balance/used_pages.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/sweeps/event_reader.h"
#include "core/store/published/processes_by_pid.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>

namespace highwater::analysis {
namespace {

using store::AllocationTable, store::TableKind;

/// Addresses that any of the samples can have blocks in.
PageRanges areasOf(const std::vector<SharedResidentSample>& samples) {
    PageRanges areas;
    for (const auto& sample : samples) {
        PageRanges ofSample;
        for (const auto& mapping : sample->mappings) {
            if (isAnonymous(*sample, mapping)) ofSample.push_back(pagesOf(mapping.begin, mapping.end - mapping.begin));
        }
        areas = unionOf(areas, unionOf(std::move(ofSample)));
    }
    return areas;
}

std::vector<TraceTime> timesOf(const std::vector<SharedResidentSample>& samples) {
    std::vector<TraceTime> times;
    for (const auto& sample : samples)
        times.push_back(sample->time);
    return times;
}

/// The memory that the program got or returned while the sample of that number was read.
ChangedPages changedAt(const std::vector<ChangedMemory>& changed, std::size_t sample) {
    PageRanges blocks, rows;
    for (const auto& memory : std::ranges::equal_range(changed, sample, {}, &ChangedMemory::sample))
        (memory.isBlock ? blocks : rows).push_back(memory.pages);
    return {unionOf(std::move(blocks)), unionOf(std::move(rows))};
}

/// The events of one table, read once.
class EventsUpTo {
  public:
    EventsUpTo(const store::TableView& view, TraceTime from)
        : reader_(view, EventReader::firstFrom(view, from), EventReader::Reach::Far) {
        take();
    }
    /// Visits the events before t. False: stopped.
    template <typename Visit>
    bool advance(TraceTime t, const std::stop_token& stop, Visit visit) {
        constexpr std::uint64_t kStopEvery = 1 << 16;
        for (; next_ && next_->time < t; take()) {
            if (reader_.position() % kStopEvery == 0 && stop.stop_requested()) return false;
            visit(*next_);
        }
        return true;
    }

  private:
    void take() { next_ = reader_.atEnd() ? std::nullopt : std::optional(reader_.next()); }

    EventReader reader_;
    std::optional<RowEvent> next_;
};

/// A process on the way from sample to sample.
struct Followed {
    ProcessMemory memory;
    TraceTime first;                          ///< its first sample
    TraceTime previous;                       ///< the sample that was answered last
    TraceTime next;                           ///< the one that is answered next
    bool isDone = false;                      ///< its last sample has been answered
    std::unordered_set<RowId> partlyReleased; ///< outstanding rows of VirtualAlloc
    std::vector<ChangedMemory> changed = {};
};

class SampleSweep {
  public:
    SampleSweep(const store::PublishedTrace& trace, const std::vector<SampledMemory>& processes,
                const SampleAnswer& answer, const std::stop_token& stop)
        : trace_(trace), processes_(processes), answer_(answer), stop_(stop) {}

    /// False: stopped.
    bool run() {
        if (processes_.empty()) return true;
        if (!begin()) return false;
        return fill(TableKind::Heap) && fill(TableKind::VirtualAlloc) && follow();
    }

  private:
    bool begin() {
        std::vector<FollowedProcess> processes;
        for (const auto& [process, samples] : processes_)
            processes.push_back({process, areasOf(samples), timesOf(samples), rulesOf(*trace_.processes, process)});
        auto memory = findUsedMemory(trace_, processes, stop_);
        if (!memory) return false;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            const auto first = processes_[i].samples.front()->time;
            auto& [pages, changed] = (*memory)[i];
            followed_.push_back({ProcessMemory(std::move(pages), processes[i].rules),
                                 first,
                                 first,
                                 first,
                                 false,
                                 {},
                                 std::move(changed)});
        }
        heapSites_ = followedSites(trace_, TableKind::Heap, processes);
        pageSites_ = followedSites(trace_, TableKind::VirtualAlloc, processes);
        return true;
    }
    [[nodiscard]] Followed* followedOf(TableKind kind, RowId row) {
        const auto& sites = kind == TableKind::Heap ? heapSites_ : pageSites_;
        const auto place = sites[trace_.table(kind).columns->rows.site(row).value];
        return place == kNotFollowed ? nullptr : &followed_[place];
    }

    /// Adds the rows that are outstanding at the first sample of their process.
    bool fill(TableKind kind) {
        const auto& view = trace_.table(kind);
        if (kind == TableKind::VirtualAlloc) findPartlyReleased();
        const auto times = std::ranges::minmax(followed_, {}, &Followed::first);
        return eachRowThere(view, {times.min.first, times.max.first}, stop_, [&](RowId row) { addIfThere(kind, row); });
    }
    void addIfThere(TableKind kind, RowId row) {
        auto* const process = followedOf(kind, row);
        const auto& view = trace_.table(kind);
        if (process == nullptr || view.begin(row) >= process->first || view.end(row) < process->first) return;
        kind == TableKind::Heap ? addBlock(row, *process) : addPages(row, *process);
    }
    void findPartlyReleased() {
        const auto& partials = trace_.virtualAlloc.columns->rows.partials();
        for (std::uint64_t i = 0; i < trace_.virtualAlloc.partials; ++i) {
            auto* const process = followedOf(TableKind::VirtualAlloc, partials[i].row);
            if (process != nullptr && partials[i].time < process->first)
                process->partlyReleased.insert(partials[i].row);
        }
    }

    bool follow() {
        std::vector<std::tuple<TraceTime, std::size_t, std::size_t>> order; // time, process, sample
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            for (std::size_t j = 0; j < processes_[i].samples.size(); ++j)
                order.emplace_back(processes_[i].samples[j]->time, i, j);
        }
        std::ranges::sort(order);
        const auto first = std::get<TraceTime>(order.front());
        std::optional<EventsUpTo> blocks, pages;
        if (order.size() > processes_.size()) {
            blocks.emplace(trace_.heap, first);
            pages.emplace(trace_.virtualAlloc, first);
        }
        for (const auto& [time, process, sample] : order) {
            // Each process has its own next sample, up to which short-lived blocks do not matter.
            if (blocks && !blocks->advance(time, stop_, [&](const RowEvent& event) { applyToBlocks(event); }))
                return false;
            if (pages && !pages->advance(time, stop_, [&](const RowEvent& event) { applyToPages(event); }))
                return false;
            if (stop_.stop_requested()) return false;
            auto& followed = followed_[process];
            const auto& samples = processes_[process].samples;
            followed.memory.setChanged(changedAt(followed.changed, sample));
            answer_(process, *samples[sample], followed.memory);
            followed.previous = time;
            followed.isDone = sample + 1 == samples.size();
            if (!followed.isDone) followed.next = samples[sample + 1]->time;
        }
        return true;
    }
    /// Blocks that begin and end between two samples, which are most of them, are left out.
    void applyToBlocks(const RowEvent& event) {
        auto* const process = followedOf(TableKind::Heap, event.row);
        if (process == nullptr || process->isDone || event.time < process->first) return;
        if (event.kind == RowEvent::Kind::Begin) {
            if (trace_.heap.end(event.row) >= process->next) addBlock(event.row, *process);
        } else if (event.rows < 0 && trace_.heap.begin(event.row) < process->previous) {
            process->memory.removeBlock(tableOf(TableKind::Heap).address(event.row), trace_.heap.size(event.row));
        }
    }
    void applyToPages(const RowEvent& event) {
        auto* const process = followedOf(TableKind::VirtualAlloc, event.row);
        if (process == nullptr || process->isDone || event.time < process->first) return;
        if (event.kind == RowEvent::Kind::Begin) return addPages(event.row, *process);
        if (event.rows < 0) return removePages(event.row, *process);
        if (!process->partlyReleased.insert(event.row).second) return;
        process->memory.removePages(rangeOf(event.row));
        process->memory.addPartly(rangeOf(event.row));
    }

    void addBlock(RowId row, Followed& process) const {
        process.memory.addBlock(tableOf(TableKind::Heap).address(row), trace_.heap.size(row));
    }
    void addPages(RowId row, Followed& process) const {
        if (process.partlyReleased.contains(row)) return process.memory.addPartly(rangeOf(row));
        process.memory.addPages(rangeOf(row));
    }
    void removePages(RowId row, Followed& process) const {
        if (process.partlyReleased.erase(row) != 0) return process.memory.removePartly(rangeOf(row));
        process.memory.removePages(rangeOf(row));
    }
    [[nodiscard]] const AllocationTable& tableOf(TableKind kind) const { return trace_.table(kind).columns->rows; }
    [[nodiscard]] PageRange rangeOf(RowId row) const {
        return pagesOf(tableOf(TableKind::VirtualAlloc).address(row), trace_.virtualAlloc.size(row));
    }

    const store::PublishedTrace& trace_;
    const std::vector<SampledMemory>& processes_;
    const SampleAnswer& answer_;
    const std::stop_token& stop_;
    std::vector<Followed> followed_; ///< by process of the list
    std::vector<std::uint32_t> heapSites_, pageSites_;
};

} // namespace

std::vector<SampledMemory> samplesIn(const store::PublishedTrace& trace, TimeRange interval) {
    if (!trace.residentSamples) return {};
    std::map<std::uint32_t, SampledMemory> ofProcesses;
    const store::ProcessesByPid processes(*trace.processes);
    for (const auto& sample : *trace.residentSamples) {
        if (!trace.isMeasuredIn(interval, sample->time)) continue;
        const auto process = processes.at(sample->pid, sample->time);
        if (!process) continue;
        auto& samples = ofProcesses[process->value];
        samples.process = *process;
        samples.samples.push_back(sample);
    }
    std::vector<SampledMemory> list;
    for (auto& [number, samples] : ofProcesses)
        list.push_back(std::move(samples));
    return list;
}

SharedResidentSample highestOf(const std::vector<SharedResidentSample>& samples) {
    return *std::ranges::max_element(samples, {}, [](const auto& sample) { return sample->resident(); });
}

Result<void> sweepSamples(const store::PublishedTrace& trace, const std::vector<SampledMemory>& processes,
                          const SampleAnswer& answer, const std::stop_token& stop) {
    if (!SampleSweep(trace, processes, answer, stop).run()) return cancelled();
    return {};
}

} // namespace highwater::analysis

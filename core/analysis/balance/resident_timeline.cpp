#include "core/analysis/balance/resident_timeline.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/sample_sweep.h"
#include "core/analysis/sweeps/slice_levels.h"
#include "core/analysis/timeline/timeline_groups.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace highwater::analysis {
namespace {

/// The slices in which samples were taken.
class SampledSlices {
  public:
    SampledSlices(const std::vector<SampledMemory>& processes, const ResidentTimelineQuery& query)
        : edges_(sliceEdges(query.interval, std::max(query.points, 1u))) {
        for (const auto& process : processes) {
            for (const auto& sample : process.samples)
                starts_.push_back(startOf(sample->time));
        }
        std::ranges::sort(starts_);
        const auto repeated = std::ranges::unique(starts_);
        starts_.erase(repeated.begin(), repeated.end());
    }
    [[nodiscard]] const std::vector<TraceTime>& starts() const { return starts_; }
    /// The index of the slice that contains a sample taken at this time.
    [[nodiscard]] std::uint32_t indexOf(TraceTime time) const {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(starts_, startOf(time)) - starts_.begin());
    }

  private:
    /// `time` is in the interval. Samples at the end of the trace are in its last slice.
    [[nodiscard]] TraceTime startOf(TraceTime time) const {
        return *(std::upper_bound(edges_.begin() + 1, edges_.end() - 1, time) - 1);
    }

    std::vector<TraceTime> edges_;
    std::vector<TraceTime> starts_;
};

/// From this time on, the process has these layers.
struct LayerChange {
    TraceTime time;
    ProcessIndex process;
    LayerBytes layers;
    bool isSample = false;
};

/// The memory of processes at the start of the interval, and their samples in it, in any order.
std::vector<LayerChange> samplesOf(const BalanceWithCourses& found) {
    std::vector<LayerChange> changes;
    for (const auto& balance : found.balances)
        changes.push_back({kBeforeTrace, balance.process, balance.point.layers});
    for (const auto& course : found.courses) {
        for (const auto& point : course.points)
            changes.push_back({point.time, course.process, point.layers, true});
    }
    return changes;
}

/// The same with the ends of the processes, in the order of time. A sample at the end of its process is before it.
std::vector<LayerChange> withEnds(const store::PublishedTrace& trace, std::vector<LayerChange> changes) {
    std::vector<bool> hasEnd(trace.processes->processes().size(), false);
    const auto sampled = changes.size();
    for (std::size_t i = 0; i < sampled; ++i) {
        const auto process = changes[i].process;
        const auto end = (*trace.processes)[process].end;
        if (end == kNever || hasEnd[process.value]) continue;
        hasEnd[process.value] = true;
        changes.push_back({TraceTime{end.ns + 1}, process, {}});
    }
    std::ranges::stable_sort(changes, {}, &LayerChange::time);
    return changes;
}

/// The layers of all processes together, as time advances.
class LayerSums {
  public:
    explicit LayerSums(std::size_t processes) : now_(processes) {}

    void apply(const LayerChange& change) {
        auto& before = now_[change.process.value];
        for (const auto layer : allMemoryLayers())
            sum_[layer] += change.layers[layer] - before[layer]; // wraps around: damaged files have any sizes
        before = change.layers;
    }
    [[nodiscard]] const LayerBytes& sum() const { return sum_; }

  private:
    std::vector<LayerBytes> now_; ///< by process
    LayerBytes sum_;
};

/// For each slice, the layers at the sample in it at which they are highest.
std::vector<LayerBytes> highestLayers(const store::PublishedTrace& trace, const std::vector<LayerChange>& changes,
                                      const SampledSlices& slices) {
    std::vector<LayerBytes> highest(slices.starts().size());
    LayerSums sums(trace.processes->processes().size());
    for (std::size_t i = 0; i < changes.size();) {
        const auto time = changes[i].time;
        bool isSample = false;
        for (; i < changes.size() && changes[i].time == time; ++i) {
            sums.apply(changes[i]);
            isSample = isSample || changes[i].isSample;
        }
        if (!isSample) continue;
        auto& best = highest[slices.indexOf(time)];
        if (sums.sum().sum() > best.sum()) best = sums.sum();
    }
    return highest;
}

/// Layers that are empty at all times have no series.
std::vector<ResidentSeries> seriesOf(const std::vector<LayerBytes>& slices) {
    std::vector<ResidentSeries> all;
    for (const auto layer : allMemoryLayers()) {
        if (std::ranges::all_of(slices, [&](const LayerBytes& layers) { return layers[layer] == 0; })) continue;
        ResidentSeries series{std::string(layerId(layer)), {}};
        for (std::uint32_t i = 0; i < slices.size(); ++i)
            series.values.push_back({i, slices[i][layer]});
        all.push_back(std::move(series));
    }
    return all;
}

Result<std::vector<ResidentSeries>> layerSeries(const store::PublishedTrace& trace, TimeRange interval,
                                                const SampledSlices& slices, const std::stop_token& stop) {
    const BalanceQuery before{{kBeforeTrace, interval.start}, {}, interval.start};
    const auto found = TRY(balanceWithCourses(trace, before, interval, stop));
    return seriesOf(highestLayers(trace, withEnds(trace, samplesOf(found)), slices));
}

std::vector<ResidentSeries> processSeries(const store::PublishedTrace& trace,
                                          const std::vector<SampledMemory>& processes, const SampledSlices& slices) {
    std::vector<std::pair<ByteCount, ResidentSeries>> byPeak;
    for (const auto& process : processes) {
        auto& [peak, series] = byPeak.emplace_back(0, ResidentSeries{trace.processes->key(process.process), {}});
        for (const auto& sample : process.samples) {
            const auto slice = slices.indexOf(sample->time);
            const auto resident = sample->resident();
            peak = std::max(peak, resident);
            if (series.values.empty() || series.values.back().slice != slice) series.values.push_back({slice, 0});
            series.values.back().bytes = std::max(series.values.back().bytes, resident);
        }
    }
    std::ranges::stable_sort(byPeak, std::ranges::greater(), [](const auto& of) { return of.first; });
    std::vector<ResidentSeries> all;
    for (auto& [peak, series] : byPeak)
        all.push_back(std::move(series));
    return all;
}

/// A sample at the end of the process or of the trace is within the slice that ends there.
void addRss(const store::PublishedTrace& trace, const SampledMemory& process, SliceLevels& levels, TraceTime last) {
    ByteCount before = 0;
    const auto change = [&](TraceTime time, ByteCount resident) {
        levels.change(time, 0, resident - before); // wraps around if it falls
        before = resident;
    };
    for (const auto& sample : process.samples)
        change(std::min(sample->time, last), sample->resident());
    if (const auto end = (*trace.processes)[process.process].end; end < last) change(end, 0);
    levels.finish();
}

} // namespace

Timeline residentOutline(const store::PublishedTrace& trace, std::uint32_t points) {
    Timeline timeline{trace.wholeRange(), {}, {}};
    const auto processes = samplesIn(trace, timeline.interval);
    if (processes.empty() || timeline.interval.isEmpty()) return timeline;
    const auto peakOf = [](const SampledMemory& process) { return highestOf(process.samples)->resident(); };
    const auto& highest = *std::ranges::max_element(processes, {}, peakOf);
    const auto edges = sliceEdges(timeline.interval, std::max(points, 1u));
    SliceLevels levels(edges, 1);
    addRss(trace, highest, levels, TraceTime{timeline.interval.end.ns - 1});
    timeline.starts.assign(edges.begin(), edges.end() - 1);
    TimelineSeries series;
    series.name = trace.processes->key(highest.process);
    series.peaks = std::move(levels.values(0));
    series.atEnd = series.peaks.back();
    timeline.series.push_back(std::move(series));
    return timeline;
}

Result<ResidentTimeline> computeResidentTimeline(const store::PublishedTrace& trace, const ResidentTimelineQuery& query,
                                                 const std::stop_token& stop) {
    if (auto refused = whyNoBalance(trace)) return *std::move(refused);
    const auto processes = samplesIn(trace, query.interval);
    const SampledSlices slices(processes, query);
    ResidentTimeline timeline{query.interval, slices.starts(), {}};
    if (query.series == ResidentTimelineQuery::Series::Processes) {
        // A field of CSV for each, also where there is no value.
        if (std::uint64_t{processes.size()} * timeline.starts.size() > kMaxTimelinePoints)
            return tooManyPoints(processes.size(), timeline.starts.size());
        timeline.series = processSeries(trace, processes, slices);
        return timeline;
    }
    auto layers = TRY(layerSeries(trace, query.interval, slices, stop));
    timeline.series = std::move(layers);
    return timeline;
}

} // namespace highwater::analysis

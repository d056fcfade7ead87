#include "core/analysis/sweeps/peak_pass.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/sweeps/row_tags.h"
#include "core/analysis/sweeps/tag_sweep.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr std::uint64_t kEventsPerPart = 1u << 16;
constexpr std::uint64_t kMostParts = 64;

using Peaks = std::vector<std::vector<std::int64_t>>;

/// A range of events that one thread sweeps as if nothing preceded it.
struct Part {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::size_t firstSlice = 0;
    std::size_t slices = 0;           ///< slices that it overlaps
    std::vector<std::int64_t> peaks;  ///< by slice and group
    std::vector<std::uint64_t> level; ///< by group: net change of the part; may wrap
};

/// The first event of each slice, and one past the last.
std::optional<std::vector<std::uint64_t>> eventsAt(const IntervalRows& rows, std::span<const TraceTime> edges,
                                                   const std::stop_token& stop) {
    constexpr std::size_t kEdgesPerTask = 64;
    std::vector<std::uint64_t> events(edges.size());
    const auto tasks = (edges.size() + kEdgesPerTask - 1) / kEdgesPerTask;
    const bool finished = forEachSpan(tasks, workersFor(tasks), stop, [&](unsigned, std::uint64_t task) {
        const auto last = std::min(edges.size(), (task + 1) * kEdgesPerTask);
        for (auto i = task * kEdgesPerTask; i < last; ++i) {
            // Events at or after the horizon have not happened yet.
            const auto time = std::clamp(edges[i].ns, rows.bounds().t0, rows.bounds().t1);
            events[i] = EventReader::firstFrom(rows.view(), TraceTime{time});
        }
    });
    if (!finished) return std::nullopt;
    return events;
}

/// The slice of the event; if empty slices start there as well, the first of them.
std::size_t sliceAt(const std::vector<std::uint64_t>& events, std::uint64_t event) {
    const auto next = std::lower_bound(events.begin(), events.end() - 1, event);
    const bool begins = next != events.end() - 1 && *next == event;
    return static_cast<std::size_t>(next - events.begin()) - (begins ? 0 : 1);
}

std::vector<Part> divide(const std::vector<std::uint64_t>& events, std::uint32_t groups) {
    const auto count = events.back() - events.front();
    // Joining parts costs a step for every group of each.
    const auto wanted = std::min({count / kEventsPerPart, count / (std::uint64_t{groups} + 1), kMostParts});
    const auto parts = std::max<std::uint64_t>(1, wanted);
    std::vector<Part> made(parts);
    for (std::uint64_t i = 0; i < parts; ++i) {
        auto& part = made[i];
        part.first = events.front() + count * i / parts;
        part.last = events.front() + count * (i + 1) / parts;
        part.firstSlice = i == 0 ? 0 : sliceAt(events, part.first);
    }
    for (std::uint64_t i = 0; i < parts; ++i) {
        auto& part = made[i];
        auto last = events.size() - 1;
        if (i + 1 < parts) {
            const auto next = made[i + 1].firstSlice;
            last = events[next] < part.last ? next + 1 : next;
        }
        part.slices = last - part.firstSlice;
    }
    return made;
}

template <typename Tags>
void sweepPart(TagSweep<Tags>& sweep, const std::vector<std::uint64_t>& events, std::uint32_t groups, Part& part,
               const std::stop_token& stop) {
    part.peaks.resize(part.slices * groups);
    sweep.start(part.first);
    for (std::size_t i = 0; i < part.slices; ++i) {
        const bool finished = sweep.advance(std::min(part.last, events[part.firstSlice + i + 1]), stop);
        if (!finished) return;
        sweep.takePeaks({part.peaks.data() + i * groups, groups});
    }
    part.level = sweep.levels();
}

Peaks join(const std::vector<Part>& parts, const std::vector<std::uint64_t>& opening, std::size_t slices) {
    const auto groups = opening.size();
    Peaks peaks(groups, std::vector<std::int64_t>(slices));
    auto level = opening;
    std::size_t filled = 0; // slices that an earlier part has started
    for (const auto& part : parts) {
        for (std::size_t i = 0; i < part.slices; ++i) {
            const auto slice = part.firstSlice + i;
            for (std::size_t group = 0; group < groups; ++group) {
                const auto relative = static_cast<std::uint64_t>(part.peaks[i * groups + group]);
                const auto peak = static_cast<std::int64_t>(level[group] + relative);
                auto& value = peaks[group][slice];
                value = slice < filled ? std::max(value, peak) : peak;
            }
            filled = std::max(filled, slice + 1);
        }
        for (std::size_t group = 0; group < groups; ++group) {
            level[group] += part.level[group];
        }
    }
    return peaks;
}

template <typename Tags>
std::optional<Peaks> sweep(const RowPopulation& population, const Tags& tags, RowSweep::Measure measure,
                           const std::vector<std::uint32_t>& series, const std::vector<std::uint64_t>& opening,
                           std::span<const TraceTime> edges, const std::stop_token& stop) {
    const auto events = eventsAt(population.rows(), edges, stop);
    if (!events) return std::nullopt;
    const auto count = static_cast<std::uint32_t>(opening.size());
    auto parts = divide(*events, count);
    const auto workers = workersFor(parts.size());
    std::vector<TagSweep<Tags>> sweeps(workers, TagSweep<Tags>(population.rows().view(), tags, series, count, measure));
    const bool finished = forEachSpan(parts.size(), workers, stop, [&](unsigned worker, std::uint64_t part) {
        sweepPart(sweeps[worker], *events, count, parts[part], stop);
    });
    if (!finished) return std::nullopt;
    return join(parts, opening, edges.size() - 1);
}

} // namespace

/// Only one of them is set.
struct PeakPass::Words {
    std::optional<RowTags<std::uint32_t>> narrow;
    std::optional<RowTags<std::uint64_t>> wide;
};

PeakPass::PeakPass(const RowPopulation& population, const GroupsOfRows& groups, RowSweep::Measure measure)
    : population_(population), groups_(groups), measure_(measure), words_(std::make_unique<Words>()) {}
PeakPass::~PeakPass() = default;

std::optional<std::vector<std::vector<std::int64_t>>> PeakPass::run(const std::vector<std::uint64_t>& opening,
                                                                    std::span<const TraceTime> edges,
                                                                    std::span<const std::uint32_t> series,
                                                                    const std::stop_token& stop) {
    constexpr auto kFirst = TagSweep<RowTags<std::uint32_t>>::kFirst;
    auto& [narrow, wide] = *words_;
    const bool isNarrow = groups_.count <= RowTags<std::uint32_t>::kMostGroups;
    if (isNarrow && !narrow) narrow = RowTags<std::uint32_t>::make(population_, groups_, measure_, stop);
    if (!isNarrow && !wide) wide = RowTags<std::uint64_t>::make(population_, groups_, measure_, stop);
    if (!narrow && !wide) return std::nullopt;
    std::vector<std::uint32_t> seriesOf{0};
    for (std::uint32_t i = 0; i < groups_.count; ++i) {
        seriesOf.push_back((series.empty() ? i : series[i]) + kFirst);
    }
    return narrow ? sweep(population_, *narrow, measure_, seriesOf, opening, edges, stop)
                  : sweep(population_, *wide, measure_, seriesOf, opening, edges, stop);
}

} // namespace highwater::analysis

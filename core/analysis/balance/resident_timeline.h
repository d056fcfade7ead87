#pragma once

#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

// Resident memory over time, in slices, from samples of it (docs/numbers.md 25.2).

struct ResidentTimelineQuery {
    enum class Series : std::uint8_t {
        Layers,    ///< sums of all sampled processes, from the bottom of the chart up
        Processes, ///< the highest Rss first
    };
    TimeRange interval;
    std::uint32_t points = 1000; ///< equal slices; at least 1
    Series series = Series::Layers;
};

/// The values of a layer or process, in bytes.
struct ResidentSeries {
    struct Value {
        std::uint32_t slice = 0; ///< index in ResidentTimeline::starts
        ByteCount bytes = 0;
        friend bool operator==(const Value&, const Value&) = default;
    };
    std::string name;          ///< id of the layer, key of the process
    std::vector<Value> values; ///< ascending; a slice without a value is a gap: the process was not sampled in it
};

struct ResidentTimeline {
    TimeRange interval;
    std::vector<TraceTime> starts; ///< starts of the slices that contain samples; others are left out
    std::vector<ResidentSeries> series;
};

/// One sweep over the rows for layers; none for processes. Memory depends on the number of samples. Any thread, but not
/// the GUI thread. Errors: Cancelled, Unsupported, Usage (more series and slices
/// than kMaxTimelinePoints).
[[nodiscard]] Result<ResidentTimeline> computeResidentTimeline(const store::PublishedTrace& trace,
                                                               const ResidentTimelineQuery& query,
                                                               const std::stop_token& stop = {});

/// The Rss of the process that has the highest one, over the whole trace, as one series of `points` equal slices: each
/// with the highest Rss in it, where every sample lasts until the next one or the end of the process. Without samples
/// it has no series. Reads no rows. Any thread, but not the GUI thread.
[[nodiscard]] Timeline residentOutline(const store::PublishedTrace& trace, std::uint32_t points);

} // namespace highwater::analysis

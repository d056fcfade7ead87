#pragma once

#include "core/analysis/balance/process_memory.h"
#include "core/base/result.h"
#include "core/event/resident_sample.h"
#include "core/store/published/published_trace.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// A process and some of its samples, in the order of time.
struct SampledMemory {
    ProcessIndex process;
    std::vector<SharedResidentSample> samples; ///< not empty
};

/// The processes with samples in the interval, in the order of the process table. Reads no rows.
[[nodiscard]] std::vector<SampledMemory> samplesIn(const store::PublishedTrace& trace, TimeRange interval);

/// The first one with the highest Rss.
[[nodiscard]] SharedResidentSample highestOf(const std::vector<SharedResidentSample>& samples);

/// Called for every sample with its process (index in the list) and the memory of it at that time.
using SampleAnswer = std::function<void(std::size_t process, const ResidentSample& sample, ProcessMemory& memory)>;

/// Follows the memory of processes from sample to sample: rows that are outstanding at the first ones, then the events
/// after it, in the order of time. A row exists at a sample if it began before the sample and did not end before it.
/// Samples of different processes are answered in the order of time. Errors: Cancelled.
[[nodiscard]] Result<void> sweepSamples(const store::PublishedTrace& trace, const std::vector<SampledMemory>& processes,
                                        const SampleAnswer& answer, const std::stop_token& stop);

} // namespace highwater::analysis

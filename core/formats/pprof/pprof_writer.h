#pragma once

#include "core/formats/pprof/pprof_samples.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::formats {

/// Contents of a profile in addition to its samples.
struct PprofFacts {
    std::optional<std::int64_t> unixNanos; ///< start of the interval; nullopt: unknown
    std::vector<std::string> comments;     ///< lines: contents of the profile, and missing data
};

/// Writes a profile of the memory that stacks allocated in the interval and keep at its end, compressed with gzip.
/// Values: alloc_objects, alloc_space, inuse_objects and inuse_space; only the first two for managed objects, which are
/// samples without a known end. Labels: process, pid, thread, thread_name, and heap, or type for managed objects.
/// Returns the number of samples. Memory grows with the stacks, not with the rows. Any thread. Errors: Cancelled,
/// Usage; those of the stream remain in the stream.
[[nodiscard]] Result<std::size_t> writePprof(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                             const PprofQuery& query, const PprofFacts& facts, std::ostream& out,
                                             const std::stop_token& stop = {});

} // namespace highwater::formats

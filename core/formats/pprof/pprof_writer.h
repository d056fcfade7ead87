#pragma once

#include "core/formats/pprof/pprof_samples.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::formats {

/// What a profile says beside its samples.
struct PprofFacts {
    std::optional<std::int64_t> unixNanos; ///< when the interval began; nothing: the trace does not say
    std::vector<std::string> comments;     ///< lines: what it is of, and what is missing
};

/// Writes a profile of what stacks allocated inside of the interval and keep at its end, gzip-compressed: values
/// alloc_objects, alloc_space, inuse_objects and inuse_space (of managed objects, which are samples that no end is
/// known of, the first two); labels process, pid, thread, thread_name, and heap, or of managed objects type. Returns
/// how many samples there are. Memory goes with the stacks, not with the rows. Any thread. Errors: Cancelled, Usage;
/// those of the stream are its own.
[[nodiscard]] Result<std::size_t> writePprof(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                             const PprofQuery& query, const PprofFacts& facts, std::ostream& out,
                                             const std::stop_token& stop = {});

} // namespace highwater::formats

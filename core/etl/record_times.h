#pragma once

#include "core/etl/record_header.h"
#include "core/etl/trace_header.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::etl {

/// The range of possible times of the records of a file. A record far outside has a damaged time; a single one would
/// make a trace of seconds as long as a century.
struct TimeLimits {
    std::int64_t earliest = std::numeric_limits<std::int64_t>::min();
    std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    std::int64_t leap = std::numeric_limits<std::int64_t>::max(); ///< no record is this far from both neighbours
};

/// According to the header of the file, with room for clock changes during the recording: from a day before its start
/// to ten minutes after its end. `trustsEnd` false, or a file that was not closed: a year. No limits if the header does
/// not specify them.
[[nodiscard]] TimeLimits timeLimitsOf(const TraceHeader& header, bool trustsEnd);

/// Replaces damaged times of records of a buffer with that of the previous record, or before the first good time with
/// that one. A time is damaged if it is outside the limits, or if it leaps in either direction and the next record does
/// not follow. If all records would be damaged, nothing is changed. Returns the number of damaged times.
std::uint64_t repairTimes(std::vector<RecordExtent>& records, const TimeLimits& limits);

} // namespace highwater::etl

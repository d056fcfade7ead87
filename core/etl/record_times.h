#pragma once

#include "core/etl/record_header.h"
#include "core/etl/trace_header.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::etl {

/// Between which times the records of a file can be. A record far outside has a damaged time, and one is enough to make
/// a trace of seconds as long as a century.
struct TimeLimits {
    std::int64_t earliest = std::numeric_limits<std::int64_t>::min();
    std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    std::int64_t leap = std::numeric_limits<std::int64_t>::max(); ///< no record is that far from both neighbours
};

/// As the header of the file tells, with room for clocks that were set meanwhile: from a day before its begin to ten
/// minutes after its end. `trustsEnd` false, or a file that was not closed: a year. None where the header cannot say.
[[nodiscard]] TimeLimits timeLimitsOf(const TraceHeader& header, bool trustsEnd);

/// Gives records of a buffer whose time is damaged the one of the record before them; before the first good time, that.
/// Damaged is what lies outside the limits, and a leap, to either side, that the record behind it does not go along
/// with. Where all records would be damaged nothing is changed. Returns how many there were.
std::uint64_t mendTimes(std::vector<RecordExtent>& records, const TimeLimits& limits);

} // namespace highwater::etl

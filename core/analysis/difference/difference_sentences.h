#pragma once

#include "core/analysis/difference/difference.h"

#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A note about a difference in addition to its numbers.
struct DifferenceNote {
    std::string id;   ///< for programs: "unnamed_frames_merged"
    std::string name; ///< the counted items: "unnamed frames merged"
    std::uint64_t count = 1;
    std::string sentence;
};

/// Merged frames; intervals whose lengths differ by more than a tenth; memory that a program freed on exit
/// (FreedOnExit, of the first recording of each side); noise. Reads the rows of a recording whose program exited
/// several times.
[[nodiscard]] std::vector<DifferenceNote> notesOf(const Difference& difference, const std::stop_token& stop = {});
/// Whether the intervals of both sides differ in length by more than a tenth, so that rates are reported.
[[nodiscard]] bool haveDifferentLengths(const Difference& difference);
/// The measure per second of the interval; 0 for an interval of length 0.
[[nodiscard]] double perSecond(std::int64_t value, double seconds);

} // namespace highwater::analysis

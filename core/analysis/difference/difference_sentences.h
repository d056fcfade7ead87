#pragma once

#include "core/analysis/difference/difference.h"

#include <string>
#include <vector>

namespace highwater::analysis {

/// Something to be known of a difference beside its numbers.
struct DifferenceNote {
    std::string id;   ///< for programs: "unnamed_frames_merged"
    std::string name; ///< what is counted: "unnamed frames merged"
    std::uint64_t count = 1;
    std::string sentence;
};

/// Frames that were merged; intervals whose lengths differ by more than a tenth; what is known of noise.
[[nodiscard]] std::vector<DifferenceNote> notesOf(const Difference& difference);
/// Whether the intervals of both sides differ in length by more than a tenth: rates are told then.
[[nodiscard]] bool isOfOtherLength(const Difference& difference);
/// What the measure comes to in a second of the interval; 0 of an interval without length.
[[nodiscard]] double perSecond(std::int64_t value, double seconds);

} // namespace highwater::analysis

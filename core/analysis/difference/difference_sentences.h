#pragma once

#include "core/analysis/difference/difference.h"
#include "core/analysis/difference/difference_note.h"

#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Merged frames; intervals whose lengths differ by more than a tenth; memory that a program freed on exit
/// (FreedOnExit, of the first recording of each side); unreachable memory and holders of what grew, in pictures of
/// memory (findPictureChanges); noise. Reads the rows of a recording whose program exited, or that has pictures,
/// several times.
[[nodiscard]] std::vector<DifferenceNote> notesOf(const Difference& difference, const std::stop_token& stop = {});
/// Whether the intervals of both sides differ in length by more than a tenth, so that rates are reported.
[[nodiscard]] bool haveDifferentLengths(const Difference& difference);
/// The measure per second of the interval; 0 for an interval of length 0.
[[nodiscard]] double perSecond(std::int64_t value, double seconds);

} // namespace highwater::analysis

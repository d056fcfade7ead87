#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace highwater {

/// Which differences between several recordings a side stand apart from what changes from one to the next.
/// docs/numbers.md 15 defines all of it. Any thread.

/// How many times as wide as the wider side the gap between the two must be; and with few recordings on a side.
inline constexpr std::uint64_t kGapInWidths = 1;
inline constexpr std::uint64_t kGapInWidthsOfFew = 5;
inline constexpr std::size_t kFewRecordings = 3;
/// From so many recordings on each side the order of the values says enough.
inline constexpr std::size_t kEnoughForRanks = 4;
/// How many of the changes that ranks tell may be none.
inline constexpr double kFalseShare = 0.05;

/// Of an even number of values the mean of the middle two, rounded down. Not empty.
[[nodiscard]] std::int64_t medianOf(std::vector<std::int64_t> values);
/// Whether all values of one side lie above all of the other, so far away that chance does not put them there.
[[nodiscard]] bool standsApart(std::span<const std::int64_t> before, std::span<const std::int64_t> after);
/// Mann and Whitney's test of both sides: how probable sums of ranks are that are as far from equal, by chance alone.
[[nodiscard]] double probabilityByRanks(std::span<const std::int64_t> before, std::span<const std::int64_t> after);
/// Benjamini and Hochberg: the highest of these probabilities that still tells a change, if of all that do a share is
/// to be wrong; below 0 if none does.
[[nodiscard]] double highestTold(std::vector<double> probabilities, double falseShare);

} // namespace highwater

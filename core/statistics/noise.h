#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace highwater {

/// Separates differences between the recordings of two sides from the variation between recordings of the same side.
/// Defined in docs/numbers.md 15. Any thread.

/// The least ratio of the gap between the sides to the width of the wider side; the second applies to few recordings
/// per side.
inline constexpr std::uint64_t kGapInWidths = 1;
inline constexpr std::uint64_t kGapInWidthsOfFew = 5;
inline constexpr std::size_t kFewRecordings = 3;
/// With at least this many recordings per side, the order of the values is sufficient evidence.
inline constexpr std::size_t kEnoughForRanks = 4;
/// The share of the changes detected by ranks that may be false.
inline constexpr double kFalseShare = 0.05;

/// For an even number of values, the mean of the middle two, rounded down. Not empty.
[[nodiscard]] std::int64_t medianOf(std::vector<std::int64_t> values);
/// Whether all values of one side are above all values of the other, with a gap too large for chance.
[[nodiscard]] bool differsFromNoise(std::span<const std::int64_t> before, std::span<const std::int64_t> after);
/// Mann-Whitney test of both sides: the probability that chance alone produces rank sums at least this far apart.
[[nodiscard]] double probabilityByRanks(std::span<const std::int64_t> before, std::span<const std::int64_t> after);
/// Benjamini-Hochberg: the highest of these probabilities that still indicates a change, if the given share of detected
/// changes may be false; below 0 if none does.
[[nodiscard]] double highestSignificant(std::vector<double> probabilities, double falseShare);

} // namespace highwater

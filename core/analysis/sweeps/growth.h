#pragma once

#include <span>
#include <vector>

namespace highwater::analysis {

/// The growth rate of an amount per second, with its 95 % confidence interval (docs/numbers.md 12).
struct Growth {
    double perSecond = 0;
    double low = 0;
    double high = 0;
};

/// The level that an amount never falls below again, from each instant on: for a sawtooth its lower edge, for a leak
/// the leak without temporary allocations.
[[nodiscard]] std::vector<double> floorsOf(std::span<const double> levels);

/// The median of the slopes between all pairs of values (Theil-Sen), which are `step` seconds apart, with Kendall's
/// confidence interval. Robust against a jump at either end. Fewer than three values: 0.
[[nodiscard]] Growth growthOf(std::span<const double> values, double step);
/// The slope of growthOf() without its interval: several times faster, for many groups.
[[nodiscard]] double slopeOf(std::span<const double> values, double step);

} // namespace highwater::analysis

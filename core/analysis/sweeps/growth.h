#pragma once

#include <span>
#include <vector>

namespace highwater::analysis {

/// How fast an amount grows, per second, and between which speeds that lies with 95 % (docs/numbers.md 12).
struct Growth {
    double perSecond = 0;
    double low = 0;
    double high = 0;
};

/// What an amount never falls below any more, from each instant on: of a sawtooth its lower edge, of a leak the leak
/// without what comes and goes beside it.
[[nodiscard]] std::vector<double> floorsOf(std::span<const double> levels);

/// The median of the slopes between all pairs of values that lie `step` seconds apart each (Theil and Sen), and its
/// confidence interval after Kendall. A jump at either end does not move it. Fewer than three values: 0.
[[nodiscard]] Growth growthOf(std::span<const double> values, double step);
/// What growthOf() says alone, without its interval: several times as fast, for who asks it of many groups.
[[nodiscard]] double slopeOf(std::span<const double> values, double step);

} // namespace highwater::analysis

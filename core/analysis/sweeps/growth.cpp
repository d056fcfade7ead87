#include "core/analysis/sweeps/growth.h"

#include <algorithm>
#include <cmath>

namespace highwater::analysis {

std::vector<double> floorsOf(std::span<const double> levels) {
    std::vector<double> floors(levels.begin(), levels.end());
    for (std::size_t i = floors.size(); i-- > 1;)
        floors[i - 1] = std::min(floors[i - 1], floors[i]);
    return floors;
}

namespace {

std::vector<double> slopesOfPairs(std::span<const double> values, double step) {
    std::vector<double> slopes;
    slopes.reserve(values.size() * (values.size() - 1) / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = i + 1; j < values.size(); ++j)
            slopes.push_back((values[j] - values[i]) / (static_cast<double>(j - i) * step));
    }
    return slopes;
}

} // namespace

double slopeOf(std::span<const double> values, double step) {
    if (values.size() < 3 || !(step > 0)) return 0;
    const bool isFlat = std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
    if (isFlat) return 0;
    auto slopes = slopesOfPairs(values, step);
    const auto upper = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), upper, slopes.end());
    if (slopes.size() % 2 != 0) return *upper;
    return (*std::max_element(slopes.begin(), upper) + *upper) / 2;
}

Growth growthOf(std::span<const double> values, double step) {
    if (values.size() < 3 || !(step > 0)) return {};
    auto slopes = slopesOfPairs(values, step);
    std::sort(slopes.begin(), slopes.end());
    const auto at = [&](double rank) {
        const auto last = static_cast<double>(slopes.size() - 1);
        return slopes[static_cast<std::size_t>(std::clamp(std::round(rank), 0.0, last))];
    };
    // The variance of Kendall's statistic determines the distance of the limits from the middle, in ranks.
    const auto n = static_cast<double>(values.size());
    const auto spread = 1.96 * std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
    const auto middle = static_cast<double>(slopes.size() - 1) / 2;
    const auto median = (at(std::floor(middle)) + at(std::ceil(middle))) / 2;
    return {median, at(middle - spread / 2), at(middle + spread / 2)};
}

} // namespace highwater::analysis

#include "core/statistics/noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace highwater {
namespace {

/// For more values, the rank sums are approximately normally distributed.
constexpr std::size_t kMostCounted = 24;

/// Ranks times two, so that equal values, which share their middle rank, have integer ranks; and the sum of t^3 - t
/// over the groups of t equal values.
struct Ranks {
    std::vector<std::uint32_t> doubled; ///< in the order of the values; first those before
    double ties = 0;
};

Ranks ranksOf(std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    std::vector<std::int64_t> values(before.begin(), before.end());
    values.insert(values.end(), after.begin(), after.end());
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    Ranks ranks;
    ranks.doubled.resize(values.size());
    for (std::size_t first = 0; first < order.size();) {
        auto last = first;
        while (last < order.size() && values[order[last]] == values[order[first]])
            ++last;
        for (auto i = first; i < last; ++i)
            ranks.doubled[order[i]] = static_cast<std::uint32_t>(first + 1 + last);
        const auto equal = static_cast<double>(last - first);
        ranks.ties += equal * equal * equal - equal;
        first = last;
    }
    return ranks;
}

/// Counts the ways to choose `chosen` of these ranks by their sum. Returns the share of ways whose sum is at least as
/// far from the mean as `sum`.
double shareOfChoices(const std::vector<std::uint32_t>& ranks, std::size_t chosen, std::uint64_t sum) {
    const auto most = std::accumulate(ranks.begin(), ranks.end(), std::uint64_t{0});
    std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(most + 1));
    ways[0][0] = 1;
    for (const auto rank : ranks) {
        for (auto count = chosen; count-- > 0;) {
            for (std::uint64_t total = 0; total + rank <= most; ++total)
                ways[count + 1][total + rank] += ways[count][total];
        }
    }
    // Doubled ranks times the number of values: integers, which compare exactly.
    const auto distanceOf = [&](std::uint64_t total) {
        const auto a = total * ranks.size();
        const auto b = most * chosen;
        return a > b ? a - b : b - a;
    };
    double far = 0, all = 0;
    for (std::uint64_t total = 0; total <= most; ++total) {
        all += ways[chosen][total];
        if (distanceOf(total) >= distanceOf(sum)) far += ways[chosen][total];
    }
    return far / all;
}

double normalProbability(const Ranks& ranks, double before, double after, double doubledSum) {
    const auto all = before + after;
    const auto variance = before * after / 12 * (all + 1 - ranks.ties / (all * (all - 1)));
    if (variance <= 0) return 1;
    const auto distance = std::abs(doubledSum / 2 - before * (all + 1) / 2);
    return std::erfc(std::max(0.0, distance - 0.5) / std::sqrt(2 * variance));
}

} // namespace

std::int64_t medianOf(std::vector<std::int64_t> values) {
    std::sort(values.begin(), values.end());
    const auto low = static_cast<std::uint64_t>(values[(values.size() - 1) / 2]);
    const auto high = static_cast<std::uint64_t>(values[values.size() / 2]);
    return static_cast<std::int64_t>(low + (high - low) / 2);
}

bool differsFromNoise(std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    const auto [lowBefore, highBefore] = std::minmax_element(before.begin(), before.end());
    const auto [lowAfter, highAfter] = std::minmax_element(after.begin(), after.end());
    // Unsigned because differences of signed numbers may overflow.
    const auto difference = [](std::int64_t high, std::int64_t low) {
        return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    };
    std::uint64_t gap = 0;
    if (*lowAfter > *highBefore) gap = difference(*lowAfter, *highBefore);
    if (*lowBefore > *highAfter) gap = difference(*lowBefore, *highAfter);
    const auto width = std::max(difference(*highBefore, *lowBefore), difference(*highAfter, *lowAfter));
    const bool isFew = std::min(before.size(), after.size()) < kFewRecordings;
    return gap > 0 && width <= gap / (isFew ? kGapInWidthsOfFew : kGapInWidths);
}

double probabilityByRanks(std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    const auto ranks = ranksOf(before, after);
    const auto ofBefore = std::span(ranks.doubled).first(before.size());
    const auto sum = std::accumulate(ofBefore.begin(), ofBefore.end(), std::uint64_t{0});
    if (ranks.doubled.size() <= kMostCounted) return shareOfChoices(ranks.doubled, before.size(), sum);
    return normalProbability(ranks, static_cast<double>(before.size()), static_cast<double>(after.size()),
                             static_cast<double>(sum));
}

double highestSignificant(std::vector<double> probabilities, double falseShare) {
    std::sort(probabilities.begin(), probabilities.end());
    const auto count = static_cast<double>(probabilities.size());
    for (auto i = probabilities.size(); i-- > 0;) {
        if (probabilities[i] <= falseShare * static_cast<double>(i + 1) / count) return probabilities[i];
    }
    return -1;
}

} // namespace highwater

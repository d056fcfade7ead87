#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <limits>

namespace highwater::tests {

/// "Time of 2n below 3 times that of n."
inline constexpr double kMostWorkRatio = 3;

/// The time for a whole list divided by the time for one half of it: 2 if the work grows linearly, 4 if it grows with
/// the square. `work` is called with the length of a list, starting at `count` entries and growing until the time is
/// measurable. Processor time, the minimum of several runs: other load on the machine does not count, and a result that
/// reaches the limit is measured again.
template <typename Work>
[[nodiscard]] double workRatio(std::size_t count, const Work& work) {
    constexpr int kRuns = 4, kDoublings = 8, kTries = 4;
    constexpr double kEnoughSeconds = 0.02;
    const auto secondsOf = [&](std::size_t entries) {
        auto least = std::numeric_limits<double>::max();
        for (int run = 0; run < kRuns; ++run) {
            const auto begin = std::clock();
            work(entries);
            least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
            if (least > 1) break; // nothing disturbs that much
        }
        return least;
    };
    auto half = secondsOf(count);
    for (int doubled = 0; half < kEnoughSeconds && doubled < kDoublings; ++doubled)
        half = secondsOf(count *= 2);
    // Two doublings with equal weight: caches that overflow at one of them are not decisive.
    const auto ratioOf = [&](double seconds) { return std::sqrt(secondsOf(4 * count) / seconds); };
    auto ratio = half > 0 ? ratioOf(half) : 0;
    for (int again = 0; ratio >= kMostWorkRatio && again < kTries; ++again)
        ratio = std::min(ratio, ratioOf(secondsOf(count)));
    return ratio;
}

} // namespace highwater::tests

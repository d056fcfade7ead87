#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <limits>

namespace highwater::tests {

/// "Time of 2n below 3 times that of n."
inline constexpr double kMostWorkRatio = 3;

/// How many times as long as one half of a list the whole list takes: 2 where the work grows with it, 4 where it grows
/// with its square. `work` is called with how long a list is to be, from `count` entries on, as many as take long
/// enough to be measured. Processor time, the least of several runs: what else the machine does is not held against it,
/// and what reaches the limit is measured again.
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
    // Two doublings, of which each counts the same: caches that are full at one of them do not decide.
    const auto ratioOf = [&](double seconds) { return std::sqrt(secondsOf(4 * count) / seconds); };
    auto ratio = half > 0 ? ratioOf(half) : 0;
    for (int again = 0; ratio >= kMostWorkRatio && again < kTries; ++again)
        ratio = std::min(ratio, ratioOf(secondsOf(count)));
    return ratio;
}

} // namespace highwater::tests

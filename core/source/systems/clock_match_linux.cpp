#include "core/source/systems/clock_match_linux.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace highwater::source {
namespace {

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

/// This thread may lose its processor during a reading; the shortest one is the best.
ClockPair readTogether(const std::function<std::int64_t()>& clock) {
    constexpr int kReadings = 8;
    ClockPair best;
    auto shortest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kReadings; ++i) {
        const auto begin = nowNs();
        const auto ticks = clock();
        const auto duration = nowNs() - begin;
        if (duration >= shortest) continue;
        shortest = duration;
        best = {begin + duration / 2, ticks};
    }
    return best;
}

std::int64_t ticksAt(std::int64_t monotonicNs, const ClockPair& before, const ClockPair& after) {
    const auto ns = after.monotonicNs - before.monotonicNs;
    const auto since = std::clamp<std::int64_t>(monotonicNs - before.monotonicNs, 0, std::max<std::int64_t>(ns, 0));
    if (since <= 0) return before.ticks;
    const auto share = static_cast<double>(since) / static_cast<double>(ns);
    return before.ticks + static_cast<std::int64_t>(share * static_cast<double>(after.ticks - before.ticks));
}

} // namespace highwater::source

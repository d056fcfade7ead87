#include "core/source/agent/agent_clock_linux.h"

#include <fstream>
#include <string>

namespace highwater::source {

namespace {

/// The processor's tick counter is a reliable clock only where the kernel itself uses it (constant speed, equal on all
/// cores).
bool kernelTrustsTsc() {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    return file >> name && name == "tsc";
}

struct Moment {
    std::uint64_t tick;
    std::uint64_t ns;
};

/// Reads both clocks at one instant: the least interrupted of a few attempts.
Moment momentOf(agent::TickClock kind) {
    Moment best{};
    std::uint64_t bestSpan = ~std::uint64_t{0};
    for (int i = 0; i < 5; ++i) {
        const std::uint64_t before = agent::ticksNow(kind);
        const std::uint64_t ns = agent::monotonicNs();
        const std::uint64_t after = agent::ticksNow(kind);
        if (after - before >= bestSpan) continue;
        bestSpan = after - before;
        best = {before + (after - before) / 2, ns};
    }
    return best;
}

} // namespace

AgentClock::AgentClock() {
#if defined(__x86_64__)
    if (kernelTrustsTsc()) kind_ = agent::TickClock::Tsc;
#endif
    const Moment first = momentOf(kind_);
    baseTick_ = first.tick;
    firstNs_ = first.ns;
    if (kind_ == agent::TickClock::Monotonic) return;
    constexpr std::uint64_t kMeasureNs = 5'000'000;
    while (agent::monotonicNs() - first.ns < kMeasureNs) {
    }
    const Moment second = momentOf(kind_);
    spans_.back().nsPerTick = static_cast<double>(second.ns - first.ns) / static_cast<double>(second.tick - first.tick);
}

std::uint64_t AgentClock::ticksOf(std::int64_t ns) const {
    return static_cast<std::uint64_t>(static_cast<double>(ns) / spans_.back().nsPerTick);
}

std::int64_t AgentClock::nsAt(std::uint64_t tick) const {
    auto span = spans_.end() - 1;
    while (tick < span->fromTick && span != spans_.begin())
        --span;
    const double since = static_cast<double>(static_cast<std::int64_t>(tick - span->fromTick)) * span->nsPerTick;
    return static_cast<std::int64_t>(firstNs_) + static_cast<std::int64_t>(span->fromNs + since);
}

void AgentClock::adjust() {
    constexpr double kSecond = 1e9;
    if (kind_ == agent::TickClock::Monotonic) return;
    const Span& last = spans_.back();
    if (static_cast<double>(now() - last.fromTick) * last.nsPerTick < kSecond) return;
    const Moment moment = momentOf(kind_);
    const std::uint64_t tick = moment.tick - baseTick_;
    const auto trueNs = static_cast<double>(moment.ns - firstNs_);
    const double shownNs = static_cast<double>(nsAt(tick) - static_cast<std::int64_t>(firstNs_));
    // Measured from the start, and therefore more precise over time.
    const double speed = trueNs / static_cast<double>(tick);
    if (spans_.size() == kMostSpans) spans_.erase(spans_.begin());
    spans_.push_back({tick, shownNs, speed * (1 + (trueNs - shownNs) / kSecond)});
}

} // namespace highwater::source

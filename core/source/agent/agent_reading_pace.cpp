#include "core/source/agent/agent_reading_pace.h"

#include "core/agent_linux/channel_layout.h"

#include <algorithm>

namespace highwater::source {

namespace {

using std::chrono::milliseconds;

/// Tens of thousands of events: many milliseconds of most programs.
constexpr std::uint64_t kLittleBytes = 512u << 10;
/// Number of events after which the pace and ended processes are checked again.
constexpr std::size_t kEventsInHurry = 128 * 1024;
constexpr std::size_t kLeastShare = 8 * 1024;
constexpr std::size_t kMostShare = kEventsInHurry;

/// Idle time is reported in steps of 10 ms.
constexpr milliseconds kMeasure{50};
/// Per measurement, for all processors together. Below the latter value a program may have waited for a processor.
constexpr milliseconds kSomeIdle{20}, kNoIdle{10};
/// While the backlog is younger than this, more than half of the processors must be idle, because two of them may be
/// hardware threads of one core.
constexpr std::int64_t kYoungNs = 2'000'000'000;

bool isPressing(const AgentBacklog& backlog) {
    return backlog.bytes >= backlog.mostBytes / 2 || backlog.lagNs >= AgentReadingPace::kMostLagNs ||
           backlog.threads >= agent::kMostThreads / 2 || backlog.processes >= agent::kMostProcesses / 2 ||
           backlog.isProcessHeldBack;
}

} // namespace

/// Reading consumes idle time. Increases the share until little idle time is left; reduces it strongly when there is
/// none.
void AgentReadingPace::noteIdle(milliseconds now, std::optional<milliseconds> idle) {
    if (!idle) {
        share_ = kMostShare;
        return;
    }
    if (!from_) from_ = {now, *idle};
    const auto took = now - from_->now;
    if (took < kMeasure) return;
    const auto was = *idle - from_->idle;
    from_ = {now, *idle};
    const auto half = took * processors_ / 2;
    if (was >= (isYoung_ ? half + kNoIdle : kSomeIdle))
        share_ = std::clamp(share_ + share_ / 2, kLeastShare, kMostShare);
    else if (was < (isYoung_ ? half : kNoIdle))
        share_ = share_ > kLeastShare ? share_ / 2 : 0;
}

std::size_t AgentReadingPace::most(const AgentBacklog& backlog, Program program) {
    // Hysteresis: once started, reading continues until nearly everything is read, instead of starting again and again.
    const bool isLittle = backlog.bytes <= kLittleBytes && !isPressing(backlog);
    isHurrying_ = program == Program::IsOver || isPressing(backlog) || (isHurrying_ && !isLittle);
    isYoung_ = backlog.lagNs < kYoungNs;
    if (isHurrying_) return kEventsInHurry;
    return isLittle ? kAll : share_;
}

} // namespace highwater::source

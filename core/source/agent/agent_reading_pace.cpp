#include "core/source/agent/agent_reading_pace.h"

#include "core/agent_linux/channel_layout.h"

#include <algorithm>

namespace highwater::source {

namespace {

using std::chrono::milliseconds;

/// Some ten thousands of events: what most programs do in many milliseconds.
constexpr std::uint64_t kLittleBytes = 512u << 10;
/// A second thought, and a look at who has ended, after so many.
constexpr std::size_t kEventsInHurry = 128 * 1024;
constexpr std::size_t kLeastShare = 8 * 1024;
constexpr std::size_t kMostShare = kEventsInHurry;

/// Idle time is told in steps of 10 ms.
constexpr milliseconds kMeasure{50};
/// While measuring, of all processors together. With less than the latter somebody may have waited for one.
constexpr milliseconds kSomeIdle{20}, kNoIdle{10};
/// So long more than half of the processors must be idle: two of them may be one that shares out its time.
constexpr std::int64_t kYoungNs = 2'000'000'000;

bool isPressing(const AgentBacklog& backlog) {
    return backlog.bytes >= backlog.mostBytes / 2 || backlog.lagNs >= AgentReadingPace::kMostLagNs ||
           backlog.threads >= agent::kMostThreads / 2 || backlog.processes >= agent::kMostProcesses / 2 ||
           backlog.isSomebodyWaiting;
}

} // namespace

/// What is read takes idle time away: more and more until little of it is left, much less when none is.
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
    // Once begun, until nearly all is read: on the verge of it, it would begin again and again.
    const bool isLittle = backlog.bytes <= kLittleBytes && !isPressing(backlog);
    isHurrying_ = program == Program::IsOver || isPressing(backlog) || (isHurrying_ && !isLittle);
    isYoung_ = backlog.lagNs < kYoungNs;
    if (isHurrying_) return kEventsInHurry;
    return isLittle ? kAll : share_;
}

} // namespace highwater::source

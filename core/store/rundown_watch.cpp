#include "core/store/rundown_watch.h"

#include <algorithm>

namespace highwater::store {
namespace {

bool followsOn(TraceTime before, TraceTime time) {
    std::int64_t pause = 0;
    return !__builtin_sub_overflow(time.ns, before.ns, &pause) && pause <= RundownWatch::kLongestPauseNs;
}

} // namespace

void RundownWatch::note(Occasion occasion, TraceTime time) {
    if (occasion == Occasion::RundownStart && followsOn(lastBegin_, time)) lastBegin_ = std::max(lastBegin_, time);
    if (occasion != Occasion::RundownEnd) return;
    if (!end_ || !followsOn(end_->end, time))
        end_ = TimeRange{time, time};
    else
        end_->end = std::max(end_->end, time);
}

RundownZones RundownWatch::zones(TraceTime reached) const {
    RundownZones zones;
    if (end_ && end_->start < reached && followsOn(end_->end, reached))
        zones.end = {std::max(TraceTime{0}, end_->start), reached};
    const auto latest = zones.end.isEmpty() ? reached : zones.end.start;
    if (lastBegin_ > TraceTime{0}) zones.begin = {TraceTime{0}, std::min(lastBegin_, latest)};
    return zones;
}

} // namespace highwater::store

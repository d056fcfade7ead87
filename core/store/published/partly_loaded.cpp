#include "core/store/published/partly_loaded.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::store {

bool isPartlyLoaded(const PublishedTrace& trace) {
    return std::ranges::find(trace.health.zones, std::string_view(kNotLoaded), &LostZone::what) !=
           trace.health.zones.end();
}

std::shared_ptr<const PublishedTrace> partlyLoaded(const std::shared_ptr<const PublishedTrace>& trace) {
    if (isPartlyLoaded(*trace)) return trace;
    auto part = std::make_shared<PublishedTrace>(*trace);
    auto& health = part->health;
    // Before the other remarks: those without a zone come last.
    health.remarks.insert(
        health.remarks.begin(),
        fmt::format("Loading was stopped at {:.3f} s of the trace, and later events are not included. Open "
                    "the trace again to load them.",
                    trace->horizon.seconds()));
    ++health.remarksWithZone;
    health.zones.push_back(
        {trace->horizon, trace->horizon, kNotLoaded, 0, true, ZoneEdge::LastLoaded, ZoneEdge::LastLoaded});
    return part;
}

} // namespace highwater::store

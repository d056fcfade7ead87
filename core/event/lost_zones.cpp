#include "core/event/lost_zones.h"

#include "core/base/counted.h"

#include <algorithm>
#include <utility>

namespace highwater {
namespace {

constexpr const char* kSeveral = "several losses";

void join(LostZone& zone, const LostZone& next) {
    if (zone.end < next.end) {
        zone.end = next.end;
        zone.endEdge = next.endEdge;
    }
    const bool isCounted = zone.what == next.what && zone.count > 0 && next.count > 0;
    zone.count = isCounted ? zone.count + std::min(next.count, ~zone.count) : 0;
    zone.isStartCertain = zone.isStartCertain && next.isStartCertain;
    if (zone.what != next.what) zone.what = kSeveral;
}

/// Distance between two zones. Times span the whole 64-bit range.
std::uint64_t gapBetween(const LostZone& zone, const LostZone& next) {
    if (next.start <= zone.end) return 0;
    return static_cast<std::uint64_t>(next.start.ns) - static_cast<std::uint64_t>(zone.end.ns);
}

} // namespace

std::string_view describe(ZoneEdge edge) {
    switch (edge) {
    case ZoneEdge::Marker:
        return "the record that reports the loss";
    case ZoneEdge::TraceStart:
        return "the start of the trace";
    case ZoneEdge::LastBuffers:
        return "the oldest of the processors' last buffers";
    case ZoneEdge::BufferBefore:
        return "the preceding buffer of the same processor";
    case ZoneEdge::BufferAfter:
        return "the buffer that reports the loss";
    case ZoneEdge::NextBuffers:
        return "the next buffer of every processor";
    case ZoneEdge::LastRecord:
        return "the last record of the file";
    case ZoneEdge::HeaderEnd:
        return "the end time in the file header";
    case ZoneEdge::LastLoaded:
        return "the end of the loaded part";
    case ZoneEdge::Recorder:
        break;
    }
    return "the time that the recorder reports";
}

std::string_view countedIn(const LostZone& zone) {
    if (zone.what == kEndOfFile || zone.what.starts_with("buffers")) return "buffers";
    return zone.what.starts_with("events") ? "events" : "";
}

std::string countedLoss(const LostZone& zone) {
    const auto unit = countedIn(zone);
    if (zone.count == 0 || unit.empty()) return zone.what;
    const auto count = counted(zone.count, unit.substr(0, unit.size() - 1));
    return zone.what.starts_with(unit) ? count + zone.what.substr(unit.size()) : zone.what + ": " + count;
}

void LostZones::add(LostZone zone) {
    if (zone.end < zone.start) {
        zone.end = zone.start;
        zone.endEdge = zone.startEdge;
    }
    const auto later = std::upper_bound(zones_.begin(), zones_.end(), zone,
                                        [](const LostZone& a, const LostZone& b) { return a.start < b.start; });
    const auto at = static_cast<std::size_t>(later - zones_.begin());
    zones_.insert(later, std::move(zone));
    joinFrom(at == 0 ? 0 : at - 1);
    if (zones_.size() > kMost) joinNearest();
}

/// Merges touching zones of the same kind, starting with the zone before the new one.
void LostZones::joinFrom(std::size_t first) {
    for (auto i = first; i < first + 2 && i < zones_.size(); ++i) {
        while (i + 1 < zones_.size() && zones_[i + 1].what == zones_[i].what && zones_[i + 1].start <= zones_[i].end) {
            join(zones_[i], zones_[i + 1]);
            zones_.erase(zones_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
}

void LostZones::joinNearest() {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i + 1 < zones_.size(); ++i) {
        if (gapBetween(zones_[i], zones_[i + 1]) < gapBetween(zones_[nearest], zones_[nearest + 1])) nearest = i;
    }
    join(zones_[nearest], zones_[nearest + 1]);
    zones_.erase(zones_.begin() + static_cast<std::ptrdiff_t>(nearest) + 1);
}

} // namespace highwater

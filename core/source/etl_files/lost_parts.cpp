#include "core/source/etl_files/lost_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace highwater::source {
namespace {

using etl::BufferPlace;

constexpr auto kUnknownTicks = std::numeric_limits<std::int64_t>::min();

/// Those whose time is known, by their numbers. Nothing: the numbers cannot be relied on.
std::vector<BufferPlace> inOrderOfNumbers(const etl::BufferList& buffers) {
    if (buffers.missing + buffers.behindTheEnd == 0 || buffers.places.size() != buffers.found) return {};
    auto places = buffers.places;
    std::erase_if(places, [](const BufferPlace& place) { return place.startTicks == kUnknownTicks; });
    std::ranges::sort(places, {}, &BufferPlace::sequence);
    const auto same = std::ranges::adjacent_find(places, {}, &BufferPlace::sequence);
    return same == places.end() ? places : std::vector<BufferPlace>();
}

bool isGap(const BufferPlace& before, const BufferPlace& after) { return after.sequence - 1 > before.sequence; }

/// When every processor that has buffers behind the gap has begun the first of them. From the back to the front, so
/// that each buffer is looked at once.
class NextBegins {
  public:
    void addBefore(const BufferPlace& place) { begins_[place.processor] = place.startTicks; }
    [[nodiscard]] std::int64_t latest() const {
        auto latest = kUnknownTicks;
        for (const auto& [processor, ticks] : begins_)
            latest = std::max(latest, ticks);
        return latest;
    }

  private:
    std::map<std::uint16_t, std::int64_t> begins_;
};

void addGaps(const std::vector<BufferPlace>& places, std::vector<LostTicks>& lost) {
    NextBegins next;
    for (auto i = places.size(); i-- > 1;) {
        next.addBefore(places[i]);
        if (isGap(places[i - 1], places[i]))
            lost.push_back({places[i - 1].startTicks, next.latest(), "buffers missing"});
    }
}

void addTo(std::vector<LostTicks>& lost, std::int64_t first, std::int64_t last) {
    const bool goesOn = !lost.empty() && lost.back().last == first;
    if (goesOn)
        lost.back().last = last;
    else
        lost.push_back({first, last, "events lost"});
}

/// Each says so of what came before it on its processor.
std::vector<LostTicks> afterLosses(const etl::EtlReader& reader) {
    std::vector<LostTicks> lost;
    auto places = reader.buffers().places;
    std::ranges::sort(places, etl::isEarlierInStream);
    auto before = reader.header().ticks;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i - 1].processor != places[i].processor) before = reader.header().ticks;
        if (places[i].startTicks == kUnknownTicks) continue;
        if (places[i].isAfterLoss) addTo(lost, std::min(before, places[i].startTicks), places[i].startTicks);
        before = places[i].startTicks;
    }
    return lost;
}

/// When the recording ended; nothing: its file was not closed.
std::optional<std::int64_t> endTicks(const etl::TraceHeader& header) {
    constexpr double kFileTimesPerSecond = 1e7, kMostTicks = 9e18;
    if (!header.isClosed() || header.endFileTime <= header.startFileTime || header.startFileTime <= 0) return {};
    const auto seconds = static_cast<double>(header.endFileTime - header.startFileTime) / kFileTimesPerSecond;
    const auto end = static_cast<double>(header.ticks) + seconds * static_cast<double>(etl::ticksPerSecondOf(header));
    if (end > kMostTicks) return {};
    return static_cast<std::int64_t>(end);
}

/// Buffers of other processors that were still being filled are behind the end, too: from the first of them on.
std::int64_t startOfEnd(const etl::BufferList& buffers, const std::vector<BufferPlace>& places,
                        std::int64_t lastTicks) {
    if (buffers.missing > 0) return lastTicks; // what is missing in between is told as gaps
    const auto gap = std::ranges::adjacent_find(places, isGap);
    return gap == places.end() ? lastTicks : std::min(lastTicks, gap->startTicks);
}

} // namespace

std::vector<LostTicks> lostParts(const etl::EtlReader& reader, std::int64_t lastTicks) {
    std::vector<LostTicks> lost;
    const auto& buffers = reader.buffers();
    const auto places = inOrderOfNumbers(buffers);
    if (buffers.missing > 0) addGaps(places, lost);
    if (buffers.markedLossy > 0) std::ranges::move(afterLosses(reader), std::back_inserter(lost));
    if (reader.endsEarly()) {
        const auto end = std::max(lastTicks, endTicks(reader.header()).value_or(lastTicks));
        lost.push_back({startOfEnd(buffers, places, lastTicks), end, "the end of the file"});
    }
    return lost;
}

/// How large it was is known of closed files whose buffers all have one size.
EarlyEnd earlyEnd(const etl::EtlReader& reader, std::int64_t lastTicks) {
    const auto& header = reader.header();
    const std::uint64_t bytes = reader.image().bytes.size();
    const std::uint64_t whole = std::uint64_t{header.buffersWritten} * header.bufferBytes;
    std::string place = reader.buffers().truncated > 0 ? "in the middle of a buffer, " : "";
    if (header.isClosed() && reader.buffers().compressed == 0 && whole > bytes)
        place += fmt::format("after {} of {} bytes", bytes, whole);
    else
        place += fmt::format("after {} bytes", bytes);
    return {reader.image().name, lastTicks, std::move(place)};
}

} // namespace highwater::source

#include "core/source/etl_files/lost_parts.h"

#include "core/base/text.h"
#include "core/event/lost_zones.h"
#include "core/event/trace_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>

namespace highwater::source {
namespace {

using etl::BufferPlace;
using etl::kUnknownTicks;

/// The buffers whose time is known, sorted by number. Empty if the numbers are not reliable.
std::vector<BufferPlace> inOrderOfNumbers(const etl::BufferList& buffers) {
    if (buffers.places.size() != buffers.found) return {};
    auto places = buffers.places;
    std::erase_if(places, [](const BufferPlace& place) { return place.startTicks == kUnknownTicks; });
    std::ranges::sort(places, {}, &BufferPlace::sequence);
    const auto same = std::ranges::adjacent_find(places, {}, &BufferPlace::sequence);
    return same == places.end() ? places : std::vector<BufferPlace>();
}

bool isGap(const BufferPlace& before, const BufferPlace& after) { return after.sequence - 1 > before.sequence; }

/// The time when every processor with buffers after the gap has started the first of them. Computed from back to front,
/// so that each buffer is visited once.
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

/// Buffers of one processor have increasing numbers and times, so a missing buffer starts after the last buffer of its
/// processor. That processor is not known. It is certain to be one of those seen only if all processors have been seen.
class BegunBefore {
  public:
    explicit BegunBefore(const etl::TraceHeader& header)
        : processors_(header.sessionName == kAgentSessionName ? 1 : header.processors) {} // the agent uses one
    void add(const BufferPlace& place) {
        if (!place.isHeader) begins_[place.processor] = place.startTicks;
    }
    [[nodiscard]] std::int64_t earliest(std::int64_t none) const {
        if (begins_.empty()) return none;
        return std::ranges::min(begins_ | std::views::values);
    }
    [[nodiscard]] ZoneEdge edge() const { return begins_.empty() ? ZoneEdge::TraceStart : ZoneEdge::LastBuffers; }
    [[nodiscard]] bool isCertain() const { return begins_.size() >= std::max(processors_, 1u); }

  private:
    std::map<std::uint16_t, std::int64_t> begins_;
    std::uint32_t processors_;
};

void addGaps(const etl::TraceHeader& header, const std::vector<BufferPlace>& places, std::vector<LostTicks>& lost) {
    const auto first = lost.size();
    BegunBefore before(header);
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        before.add(places[i]);
        if (!isGap(places[i], places[i + 1])) continue;
        const auto count = static_cast<std::uint64_t>(places[i + 1].sequence - places[i].sequence - 1);
        lost.push_back({before.earliest(header.ticks), 0, "buffers missing", count, before.isCertain(), before.edge(),
                        ZoneEdge::NextBuffers});
    }
    NextBegins next;
    auto gap = lost.size();
    for (auto i = places.size(); i-- > 1 && gap > first;) {
        next.addBefore(places[i]);
        if (isGap(places[i - 1], places[i])) lost[--gap].last = next.latest();
    }
}

void addTo(std::vector<LostTicks>& lost, std::int64_t first, std::int64_t last, ZoneEdge edge) {
    const bool goesOn = !lost.empty() && lost.back().last == first;
    if (goesOn)
        lost.back().last = last;
    else
        lost.push_back({first, last, "events lost", 0, false, edge, ZoneEdge::BufferAfter});
}

/// Each buffer reports losses that precede it on its processor.
std::vector<LostTicks> afterLosses(const etl::EtlReader& reader) {
    std::vector<LostTicks> lost;
    auto places = reader.buffers().places;
    std::ranges::sort(places, etl::isEarlierInStream);
    auto before = reader.header().ticks;
    auto edge = ZoneEdge::TraceStart;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i - 1].processor != places[i].processor) {
            before = reader.header().ticks;
            edge = ZoneEdge::TraceStart;
        }
        if (places[i].startTicks == kUnknownTicks) continue;
        if (places[i].isAfterLoss) addTo(lost, std::min(before, places[i].startTicks), places[i].startTicks, edge);
        before = places[i].startTicks;
        if (!places[i].isHeader) edge = ZoneEdge::BufferBefore;
    }
    return lost;
}

/// Buffers that other processors were still filling are also beyond the end.
LostTicks endOf(const etl::EtlReader& reader, const std::vector<BufferPlace>& places, std::int64_t lastTicks) {
    const auto& header = reader.header();
    const auto& buffers = reader.buffers();
    const auto told = std::max(lastTicks, endTicks(header).value_or(lastTicks));
    LostTicks end{lastTicks,
                  told,
                  kEndOfFile,
                  buffers.behindTheEnd + buffers.truncated,
                  false,
                  ZoneEdge::LastRecord,
                  told > lastTicks ? ZoneEdge::HeaderEnd : ZoneEdge::LastRecord};
    if (!header.isClosed() || places.empty()) return end;
    auto last = places.end();
    if (buffers.missing == 0) { // otherwise gaps cover the missing buffers in between
        const auto gap = std::ranges::adjacent_find(places, isGap);
        last = gap == places.end() ? gap : std::next(gap);
    }
    BegunBefore before(header);
    std::for_each(places.begin(), last, [&](const BufferPlace& place) { before.add(place); });
    end.isStartCertain = before.isCertain();
    const auto begun = before.earliest(header.ticks);
    if (header.processors > 1 && begun < lastTicks) {
        end.first = begun;
        end.startEdge = before.edge();
    }
    return end;
}

} // namespace

std::optional<std::int64_t> endTicks(const etl::TraceHeader& header) {
    constexpr double kFileTimesPerSecond = 1e7, kMostTicks = 9e18;
    if (!header.isClosed() || header.endFileTime <= header.startFileTime || header.startFileTime <= 0) return {};
    const auto seconds = static_cast<double>(header.endFileTime - header.startFileTime) / kFileTimesPerSecond;
    const auto end = static_cast<double>(header.ticks) + seconds * static_cast<double>(etl::ticksPerSecondOf(header));
    if (end > kMostTicks) return {};
    return static_cast<std::int64_t>(end);
}

std::vector<LostTicks> lostParts(const etl::EtlReader& reader, std::int64_t lastTicks) {
    std::vector<LostTicks> lost;
    const auto& buffers = reader.buffers();
    const auto places = inOrderOfNumbers(buffers);
    if (buffers.missing > 0) addGaps(reader.header(), places, lost);
    if (buffers.markedLossy > 0) std::ranges::move(afterLosses(reader), std::back_inserter(lost));
    if (reader.endsEarly()) lost.push_back(endOf(reader, places, lastTicks));
    return lost;
}

/// The original size is known only for closed files whose buffers all have the same size. Whether a file is compressed
/// is not known before the buffer that follows the header has been read.
EarlyEnd earlyEnd(const etl::EtlReader& reader, std::int64_t lastTicks) {
    const auto& header = reader.header();
    const std::uint64_t bytes = reader.image().bytes.size();
    const std::uint64_t whole = std::uint64_t{header.buffersWritten} * header.bufferBytes;
    if (reader.buffers().unreadable > 0) {
        std::uint64_t read = 0;
        for (const auto& buffer : reader.buffers().places)
            read = std::max(read, buffer.fileOffset + buffer.storedBytes);
        if (read < bytes)
            return {reader.image().name, lastTicks,
                    fmt::format("because it is damaged after {} of {} bytes", thousands(read), thousands(bytes))};
    }
    std::string place = reader.buffers().truncated > 0 ? "in the middle of a buffer, " : "";
    const bool isPlain = reader.buffers().compressed == 0 && reader.buffers().places.size() > 1;
    if (header.isClosed() && isPlain && whole > bytes)
        place += fmt::format("after {} of {} bytes", thousands(bytes), thousands(whole));
    else
        place += fmt::format("after {} bytes", thousands(bytes));
    return {reader.image().name, lastTicks, std::move(place)};
}

} // namespace highwater::source

#include "core/source/etl_files/same_boot.h"

#include "core/event/trace_notes.h"
#include "core/source/etl_files/lost_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace highwater::source {
namespace {

constexpr std::uint64_t kBootToleranceTicks = 10'000'000ull * 10; ///< 10 s in 100 ns

std::uint64_t difference(std::int64_t a, std::int64_t b) {
    return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                 : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

bool isAnotherBoot(const etl::TraceHeader& a, const etl::TraceHeader& b) {
    if (etl::clockOf(a) == ClockKind::SystemTime) return false;   // the wall clock does not start at boot
    if (a.bootFileTime == 0 || b.bootFileTime == 0) return false; // not recorded
    return difference(a.bootFileTime, b.bootFileTime) > kBootToleranceTicks;
}

/// The last time that a file covers.
std::int64_t lastTicksOf(const etl::EtlReader& reader) {
    auto last = endTicks(reader.header()).value_or(reader.header().ticks);
    for (const auto& place : reader.buffers().places)
        last = std::max(last, place.startTicks);
    return last;
}

Error refusal(const etl::EtlReader& a, const etl::EtlReader& b, std::string_view what) {
    return {ErrorKind::Usage,
            fmt::format("{} and {} cannot be opened together: {}.", a.image().name, b.image().name, what)};
}

/// Recordings of Linux programs number their stacks and threads independently, so the numbers of overlapping files
/// collide.
Result<void> checkAgentTimes(std::span<const etl::EtlReader> readers) {
    std::vector<const etl::EtlReader*> ofAgent;
    for (const auto& reader : readers) {
        if (reader.header().sessionName == kAgentSessionName) ofAgent.push_back(&reader);
    }
    std::ranges::stable_sort(ofAgent, {}, [](const auto* reader) { return reader->header().ticks; });
    const etl::EtlReader* latest = nullptr;
    auto until = std::numeric_limits<std::int64_t>::min();
    for (const auto* reader : ofAgent) {
        if (latest != nullptr && reader->header().ticks <= until)
            return refusal(*latest, *reader, "they record Linux programs and overlap in time");
        latest = reader;
        until = lastTicksOf(*reader);
    }
    return {};
}

} // namespace

Result<void> checkSameBoot(std::span<const etl::EtlReader> readers) {
    const auto& first = readers.front();
    for (const auto& reader : readers.subspan(1)) {
        const auto refuse = [&](std::string_view what) { return refusal(first, reader, what); };
        const auto& a = first.header();
        const auto& b = reader.header();
        if (etl::clockOf(a) != etl::clockOf(b)) return refuse("they were recorded with different clocks");
        if (isAnotherBoot(a, b)) return refuse("they were recorded after different system boots");
        if (etl::ticksPerSecondOf(a) != etl::ticksPerSecondOf(b)) return refuse("their clocks run at different speeds");
    }
    return checkAgentTimes(readers);
}

std::string gapSentence(std::span<const etl::EtlReader> readers) {
    std::vector<const etl::EtlReader*> inOrder;
    for (const auto& reader : readers)
        inOrder.push_back(&reader);
    std::ranges::stable_sort(inOrder, {}, [](const auto* reader) { return reader->header().ticks; });
    const auto* latest = inOrder.front();
    auto until = lastTicksOf(*latest);
    std::string said;
    auto widest = static_cast<double>(etl::ticksPerSecondOf(latest->header())); // a second
    for (const auto* reader : std::span(inOrder).subspan(1)) {
        const auto begin = reader->header().ticks;
        const auto gap = begin > until ? static_cast<double>(difference(begin, until)) : 0;
        if (gap > widest) {
            widest = gap;
            said = fmt::format("{} ends {:.1f} s before {} begins. They seem to be two separate recordings, which form "
                               "one trace only because they were opened together.",
                               latest->image().name, gap / static_cast<double>(etl::ticksPerSecondOf(latest->header())),
                               reader->image().name);
        }
        const auto end = lastTicksOf(*reader);
        if (end < until) continue;
        until = end;
        latest = reader;
    }
    return said;
}

TraceProperties combinedProperties(std::span<const etl::EtlReader> readers) {
    const auto earliest = std::min_element(readers.begin(), readers.end(), [](const auto& a, const auto& b) {
        return a.header().ticks < b.header().ticks;
    });
    const auto& header = earliest->header();
    TraceProperties properties;
    properties.osBuild = header.osBuild;
    properties.pointerBytes = header.pointerBytes;
    properties.cpuSpeedMhz = header.cpuSpeedMhz;
    properties.clock = etl::clockOf(header);
    properties.ticksPerSecond = etl::ticksPerSecondOf(header);
    properties.firstTicks = header.ticks;
    properties.startFileTime = header.startFileTime;
    properties.bootFileTime = header.bootFileTime;
    properties.biasMinutes = header.biasMinutes;
    properties.sessionName = header.sessionName;
    for (const auto& reader : readers) {
        properties.processors = std::max(properties.processors, reader.header().processors);
        properties.eventsLost += reader.header().eventsLost;
        properties.buffersLost += reader.header().buffersLost;
        properties.closed = properties.closed && reader.header().isClosed();
    }
    return properties;
}

} // namespace highwater::source

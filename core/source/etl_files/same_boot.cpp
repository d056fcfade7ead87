#include "core/source/etl_files/same_boot.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace

Result<void> checkSameBoot(std::span<const etl::EtlReader> readers) {
    const auto& first = readers.front();
    for (const auto& reader : readers.subspan(1)) {
        const auto refuse = [&](std::string_view what) {
            return Error{ErrorKind::Usage, fmt::format("{} and {} cannot be opened together: {}.", first.image().name,
                                                       reader.image().name, what)};
        };
        const auto& a = first.header();
        const auto& b = reader.header();
        if (etl::clockOf(a) != etl::clockOf(b)) return refuse("they were recorded with different clocks");
        if (isAnotherBoot(a, b)) return refuse("they were recorded after different starts of the system");
        if (etl::ticksPerSecondOf(a) != etl::ticksPerSecondOf(b)) return refuse("their clocks run at different speeds");
    }
    return {};
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

#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater {

/// The clock of the time fields in records (TRACE_LOGFILE_HEADER ReservedFlags; docs/etl-format.md 3).
enum class ClockKind : std::uint8_t { Qpc = 1, SystemTime = 2, CpuCycle = 3 };

/// Data that is never in a file of another profiler. core/analysis/columns/trace_lacks.h derives from it which columns
/// are meaningless.
struct TraceLacks {
    bool addresses = false; ///< addresses of blocks; those in the trace were made up
    bool threads = false;
    bool pages = false;   ///< requests to the system: VirtualAlloc, mmap
    bool objects = false; ///< single objects: a row represents several
    bool times = false;   ///< times: all events are at one instant
    bool counts = false;  ///< object counts

    [[nodiscard]] bool isAny() const { return *this != TraceLacks(); }
    friend bool operator==(const TraceLacks&, const TraceLacks&) = default;
};

/// Facts about a trace as a whole, from its header record(s). Immutable after opening the source.
struct TraceProperties {
    std::vector<std::string> paths; ///< the files, or empty for a realtime source
    std::uint64_t fileBytes = 0;
    std::uint32_t osBuild = 0;
    std::uint32_t pointerBytes = 0; ///< pointer size of the recording system; not used to decode records
    std::uint32_t processors = 0;
    std::uint32_t cpuSpeedMhz = 0;
    ClockKind clock = ClockKind::Qpc;
    std::int64_t ticksPerSecond = 10'000'000; ///< resolution of the time fields, by clock kind; never 0
    std::int64_t firstTicks = 0;              ///< time field of the first header record, which is time 0
    std::int64_t startFileTime = 0;           ///< wall clock at time 0, 100 ns since 1601 (UTC)
    std::int64_t bootFileTime = 0;
    std::int32_t biasMinutes = 0; ///< UTC = local + bias
    std::uint32_t eventsLost = 0;
    std::uint32_t buffersLost = 0;
    bool closed = true; ///< false: the recorder did not finish the file
    std::string sessionName;
    TraceLacks lacks{};
};

} // namespace highwater

#pragma once

#include "core/etl/raw_record.h"
#include "core/event/trace_properties.h"

#include <optional>
#include <string>

namespace highwater::etl {

namespace log_mode {
inline constexpr std::uint32_t kSequential = 0x1, kCircular = 0x2, kAppend = 0x4, kNewFile = 0x8, kPreallocate = 0x20,
                               kBuffering = 0x400, kCompressed = 0x04000000, kNoPerProcessorBuffers = 0x10000000;
}

/// The first record of a file: TRACE_LOGFILE_HEADER (docs/etl-format.md 3). Sizes in bytes, times in 100 ns since 1601.
struct TraceHeader {
    std::uint32_t bufferBytes = 0; ///< buffer size of the session; all plain buffers have this size
    std::uint8_t osMajor = 0;
    std::uint8_t osMinor = 0;
    std::uint32_t osBuild = 0;
    std::uint32_t processors = 0;
    std::int64_t endFileTime = 0; ///< 0: the recorder did not close the file
    std::uint32_t logMode = 0;
    std::uint32_t buffersWritten = 0; ///< all buffers, including the header buffer; 0 in a file that was not closed
    std::uint32_t pointerBytes = 8;
    std::uint32_t eventsLost = 0;
    std::uint32_t cpuSpeedMhz = 0;
    std::int32_t biasMinutes = 0; ///< UTC = local + bias at the start of the trace; written as a zone without dates
    std::int64_t bootFileTime = 0;
    std::int64_t performanceFrequency = 0;
    std::int64_t startFileTime = 0;
    std::uint32_t clockType = 0;
    std::uint32_t buffersLost = 0;
    std::int64_t ticks = 0; ///< time field of the record: the same instant as startFileTime
    std::string sessionName;
    std::string fileName;

    [[nodiscard]] bool isClosed() const { return buffersWritten != 0 && endFileTime != 0; }
};

/// Nothing if the record is something else, or ends before the end of the fixed fields. Missing names are empty.
[[nodiscard]] std::optional<TraceHeader> parseTraceHeader(const RawRecord& record);

/// The whole record, including the header: SYSTEM32 for 4-byte pointers, otherwise SYSTEM64; not padded.
[[nodiscard]] std::vector<std::byte> encodeTraceHeader(const TraceHeader& header);

/// The clock of the file and its frequency; never 0 ticks per second.
[[nodiscard]] ClockKind clockOf(const TraceHeader& header);
[[nodiscard]] std::int64_t ticksPerSecondOf(const TraceHeader& header);
/// Whether the file or the kind of clock specifies the frequency; otherwise it is an assumption.
[[nodiscard]] bool hasClockFrequency(const TraceHeader& header);

} // namespace highwater::etl

#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/etl/raw_record.h"
#include "core/event/trace_health.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// Where a file lacks something, in the ticks of its records.
struct LostTicks {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< the same: only an instant is known
    std::string what;      ///< "buffers missing"
    std::uint64_t count = 0;
    bool isStartCertain = false; ///< as LostZone has them, and what follows
    ZoneEdge startEdge = ZoneEdge::Recorder;
    ZoneEdge endEdge = ZoneEdge::Recorder;
};

/// A file that lacks its end.
struct EarlyEnd {
    std::string name;
    std::int64_t lastTicks = 0; ///< of its last record
    std::string place;          ///< "in the middle of a buffer, after 1000 of 2000 bytes"
};

/// Facts of a file beyond TraceProperties, for `info`.
struct EtlFileFacts {
    std::uint64_t buffers = 0; ///< header buffers included, over all files
    std::uint64_t buffersCompressed = 0;
    std::map<std::uint16_t, std::uint64_t> buffersByStream{}; ///< by processor, or by stream of a file of Highwater
    std::vector<std::string> sessions{};                      ///< names of the sessions that recorded, each once
    bool isCircular = false;                                  ///< the newest buffers took the place of the oldest
    // Known once run() has returned.
    std::vector<EarlyEnd> earlyEnds{};
    std::vector<LostTicks> lost{};
};

/// How a program ended that a source started.
struct ProgramEnd {
    std::uint32_t exitCode = 0; ///< its own; 0 where a signal ended it
    int signal = 0;             ///< 0: it ended by itself

    /// One number for both, as shells have it.
    [[nodiscard]] std::uint32_t status() const {
        constexpr std::uint32_t kBySignal = 128;
        return signal != 0 ? kBySignal + static_cast<std::uint32_t>(signal) : exitCode;
    }
};

/// Where raw records come from: a file, an ETW session, an agent. Nothing behind it knows which.
class RecordSource {
  public:
    virtual ~RecordSource() = default;

    /// Facts of the trace; complete once the source exists.
    [[nodiscard]] virtual const TraceProperties& properties() const = 0;

    /// What a source that is a file knows of it.
    [[nodiscard]] virtual EtlFileFacts facts() const { return {}; }

    /// The processes that are recorded, of sources that know them from the start.
    [[nodiscard]] virtual std::vector<std::uint32_t> targets() const { return {}; }

    /// Tells what time it is, in the ticks of the records: of realtime sources, whose records come later than that. May
    /// be called by any thread, and after the source has gone. Null: the source has no such clock.
    [[nodiscard]] virtual std::function<std::int64_t()> clock() const { return nullptr; }

    /// How the program ended that the source started, once run() has returned. Nothing: the source started none, or was
    /// stopped before its end.
    [[nodiscard]] virtual std::optional<ProgramEnd> programEnd() const { return std::nullopt; }

    /// Delivers all records in time order to the sink, on the calling thread, until the end or until stop is requested.
    /// Odd bytes are counted in health, never an error. Cancelled is reported as ErrorKind::Cancelled.
    /// A realtime source that is stopped delivers what was recorded until then and ends without an error. While it
    /// still collects names of generated code, progress has a total that is not done. May be called once more after it
    /// returned (it starts from the beginning), except for realtime sources.
    virtual Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) = 0;
};

} // namespace highwater::source

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

/// A range with missing data in a file, in the ticks of its records.
struct LostTicks {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< equal to `first` if only an instant is known
    std::string what;      ///< "buffers missing"
    std::uint64_t count = 0;
    bool isStartCertain = false; ///< this and the following fields as in LostZone
    ZoneEdge startEdge = ZoneEdge::Recorder;
    ZoneEdge endEdge = ZoneEdge::Recorder;
};

/// A file whose end is missing.
struct EarlyEnd {
    std::string name;
    std::int64_t lastTicks = 0; ///< ticks of its last record
    std::string place;          ///< "in the middle of a buffer, after 1000 of 2000 bytes"
};

/// Facts of a file beyond TraceProperties, for `info`.
struct EtlFileFacts {
    std::uint64_t buffers = 0; ///< header buffers included, over all files
    std::uint64_t buffersCompressed = 0;
    std::map<std::uint16_t, std::uint64_t> buffersByStream{}; ///< by processor, or by stream in a Highwater file
    std::vector<std::string> sessions{};                      ///< names of the recording sessions, without duplicates
    bool isCircular = false;                                  ///< the newest buffers replaced the oldest
    // Known after run() has returned.
    std::vector<EarlyEnd> earlyEnds{};
    std::vector<LostTicks> lost{};
};

/// The end of a program that a source started.
struct ProgramEnd {
    std::uint32_t exitCode = 0; ///< 0 if a signal ended it
    int signal = 0;             ///< 0: not ended by a signal

    /// One number for both, as in shells.
    [[nodiscard]] std::uint32_t status() const {
        constexpr std::uint32_t kBySignal = 128;
        return signal != 0 ? kBySignal + static_cast<std::uint32_t>(signal) : exitCode;
    }
};

/// A source of raw records: a file, an ETW session or an agent. Later stages do not depend on which one.
class RecordSource {
  public:
    virtual ~RecordSource() = default;

    /// Facts of the trace; complete once the source exists.
    [[nodiscard]] virtual const TraceProperties& properties() const = 0;

    /// Facts of the file, if the source is a file.
    [[nodiscard]] virtual EtlFileFacts facts() const { return {}; }

    /// The recorded processes, for sources that know them from the start.
    [[nodiscard]] virtual std::vector<std::uint32_t> targets() const { return {}; }

    /// A function that returns the pids of the recorded processes that were found since its last call, for sources that
    /// also record processes which begin later. Any thread may call it, even after the source was destroyed. Null:
    /// there are only targets().
    [[nodiscard]] virtual std::function<std::vector<std::uint32_t>()> foundProcesses() const { return nullptr; }

    /// A function that returns the current time in the ticks of the records, for realtime sources, whose records arrive
    /// later than that. Any thread may call it, even after the source was destroyed. Null: the source has no such
    /// clock.
    [[nodiscard]] virtual std::function<std::int64_t()> clock() const { return nullptr; }

    /// Calls `waits` on the thread of run() for each recorded process that waits at its end until its memory has been
    /// copied for a picture (CaptureOptions::waitsAtExit). Before run().
    virtual void whenProcessWaits(std::function<void(std::uint32_t pid)> /*waits*/) {}

    /// A function that lets such a process end. Any thread may call it, even after the source was destroyed. Null: no
    /// process waits.
    [[nodiscard]] virtual std::function<void(std::uint32_t pid)> letsEnd() const { return nullptr; }

    /// The end of the program that the source started, after run() has returned. Nothing if the source did not start a
    /// program or was stopped before the program ended.
    [[nodiscard]] virtual std::optional<ProgramEnd> programEnd() const { return std::nullopt; }

    /// Delivers all records in time order to the sink, on the calling thread, until the end or until stop is requested.
    /// Invalid bytes are counted in health and never cause an error. A canceled file source returns
    /// ErrorKind::Cancelled. A stopped realtime source delivers everything recorded until then and returns no error.
    /// While it still collects names of generated code, progress has a total that is not done. May be called again
    /// after it returned (it then starts from the beginning), except for realtime sources.
    virtual Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) = 0;
};

} // namespace highwater::source

#pragma once

#include "core/base/units.h"
#include "core/decode/records/clock.h"
#include "core/event/trace_properties.h"
#include "core/pipeline/spool/carry_over.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace highwater::store {
class TraceStore;
}

namespace highwater::pipeline {

/// How much of a recording is kept: its newest part, and whatever older is outstanding. One of the two is 0.
struct KeepLast {
    std::chrono::nanoseconds time{0}; ///< at least this much; at times twice as much
    ByteCount bytes = 0;              ///< the file is at most about so large; at times half as large
};

/// Who writes the files of such a recording: one that is whole, and at times the one that follows it.
class WindowFiles {
  public:
    virtual ~WindowFiles() = default;
    [[nodiscard]] virtual std::uint64_t wholeBytes() const = 0;
    [[nodiscard]] virtual std::uint64_t nextBytes() const = 0;
    /// Whether what was asked for has been done.
    [[nodiscard]] virtual bool isReady() const = 0;
    /// The next file begins after what was delivered until now.
    virtual void beginNext(std::int64_t startTicks) = 0;
    /// The next file takes the place of the whole one.
    virtual void goOnInNext(CarryOver state) = 0;
};

/// Decides when a recording lets go of its oldest part, and tells its store and its files. Pipeline thread only.
class RecordingWindow {
  public:
    RecordingWindow(const KeepLast& keep, const TraceProperties& properties, WindowFiles& files);

    /// After each batch; all its events have these ticks or earlier ones, all that follow have none earlier.
    void afterBatch(store::TraceStore& store, std::int64_t newestTicks, std::size_t records);

  private:
    [[nodiscard]] bool isNextWanted(TraceTime now) const;
    [[nodiscard]] bool isNextDue(TraceTime now) const;

    KeepLast keep_;
    decode::Clock clock_;
    WindowFiles& files_;
    std::int64_t newestTicks_;
    TraceTime start_; ///< of the whole file
    std::optional<std::int64_t> nextTicks_;
    TraceTime nextStart_;
};

} // namespace highwater::pipeline

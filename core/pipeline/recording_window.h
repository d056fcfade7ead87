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

/// The part of a recording that is kept: its newest part, and all older outstanding allocations. One of the two is 0.
struct KeepLast {
    std::chrono::nanoseconds time{0}; ///< at least this much; sometimes twice as much
    ByteCount bytes = 0;              ///< approximate maximum size of the file; sometimes half as large
};

/// Writer of the files of such a recording: a complete one, and sometimes its successor.
class WindowFiles {
  public:
    virtual ~WindowFiles() = default;
    [[nodiscard]] virtual std::uint64_t wholeBytes() const = 0;
    [[nodiscard]] virtual std::uint64_t nextBytes() const = 0;
    /// Whether the requested work has been done.
    [[nodiscard]] virtual bool isReady() const = 0;
    /// Starts the next file after everything delivered until now.
    virtual void beginNext(std::int64_t startTicks) = 0;
    /// The next file replaces the current one.
    virtual void continueInNext(CarryOver state) = 0;
};

/// Decides when a recording discards its oldest part, and instructs its store and its files. Pipeline thread only.
class RecordingWindow {
  public:
    RecordingWindow(const KeepLast& keep, const TraceProperties& properties, WindowFiles& files);

    /// Call after each batch. All its events have these ticks or earlier ones, and all following events have later or
    /// equal ones.
    void afterBatch(store::TraceStore& store, std::int64_t newestTicks, std::size_t records);

  private:
    [[nodiscard]] bool isNextWanted(TraceTime now) const;
    [[nodiscard]] bool isNextDue(TraceTime now) const;

    KeepLast keep_;
    decode::Clock clock_;
    WindowFiles& files_;
    std::int64_t newestTicks_;
    TraceTime start_; ///< start of the current file
    std::optional<std::int64_t> nextTicks_;
    TraceTime nextStart_;
};

} // namespace highwater::pipeline

#pragma once

#include "core/base/units.h"
#include "core/event/snapshot_events.h"

#include <chrono>
#include <optional>

namespace highwater::pipeline {

/// When a recording takes snapshots automatically; never if nothing is set.
struct SnapshotPlan {
    /// The minimum of Windows' own recorder.
    static constexpr std::chrono::seconds kShortest{5};

    std::optional<std::chrono::milliseconds> every{};
    /// Heap memory has grown by this much since the last snapshot of any origin; before the first one, since the start.
    std::optional<ByteCount> onGrowth{};
    [[nodiscard]] bool isAny() const { return every || onGrowth; }
    friend bool operator==(const SnapshotPlan&, const SnapshotPlan&) = default;
};

/// Determines when the next one is due. One thread.
class SnapshotSchedule {
  public:
    using Clock = std::chrono::steady_clock;

    explicit SnapshotSchedule(const SnapshotPlan& plan) : plan_(plan) {}

    /// The recording has started.
    void begin(Clock::time_point now) { lastPeriodic_ = now; }
    /// The reason to take one now; nothing if none is due. A returned one counts as taken.
    [[nodiscard]] std::optional<SnapshotOrigin> due(Clock::time_point now, SignedByteCount outstanding);
    /// A snapshot was taken for another reason.
    void noteTaken(SignedByteCount outstanding) { atLast_ = outstanding; }

  private:
    SnapshotPlan plan_;
    Clock::time_point lastPeriodic_;
    SignedByteCount atLast_ = 0;
};

} // namespace highwater::pipeline

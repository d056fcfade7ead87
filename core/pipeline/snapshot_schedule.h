#pragma once

#include "core/base/units.h"
#include "core/event/snapshot_events.h"

#include <chrono>
#include <optional>

namespace highwater::pipeline {

/// When a recording takes snapshots by itself; nothing set: never.
struct SnapshotPlan {
    /// As often as Windows' own recorder may be told to.
    static constexpr std::chrono::seconds kShortest{5};

    std::optional<std::chrono::milliseconds> every{};
    /// What is outstanding of heaps has grown by so much since the last snapshot, whoever asked for that; before the
    /// first one, since the begin.
    std::optional<ByteCount> onGrowth{};
    [[nodiscard]] bool isAny() const { return every || onGrowth; }
    friend bool operator==(const SnapshotPlan&, const SnapshotPlan&) = default;
};

/// Says when the next one is due. One thread.
class SnapshotSchedule {
  public:
    using Clock = std::chrono::steady_clock;

    explicit SnapshotSchedule(const SnapshotPlan& plan) : plan_(plan) {}

    /// The recording has begun.
    void begin(Clock::time_point now) { lastPeriodic_ = now; }
    /// Why one is to be taken now; nothing: none is. One that is told has been taken.
    [[nodiscard]] std::optional<SnapshotOrigin> due(Clock::time_point now, SignedByteCount outstanding);
    /// Another one was taken.
    void noteTaken(SignedByteCount outstanding) { atLast_ = outstanding; }

  private:
    SnapshotPlan plan_;
    Clock::time_point lastPeriodic_;
    SignedByteCount atLast_ = 0;
};

} // namespace highwater::pipeline

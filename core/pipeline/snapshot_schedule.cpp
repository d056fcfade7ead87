#include "core/pipeline/snapshot_schedule.h"

namespace highwater::pipeline {

std::optional<SnapshotOrigin> SnapshotSchedule::due(Clock::time_point now, SignedByteCount outstanding) {
    if (plan_.every && now - lastPeriodic_ >= *plan_.every) {
        // What was missed while nothing came is not made up for: it would be the same snapshot several times.
        lastPeriodic_ += (now - lastPeriodic_) / *plan_.every * *plan_.every;
        atLast_ = outstanding;
        return SnapshotOrigin::Periodic;
    }
    // Sizes come from elsewhere: their difference may be any number of 64 bits.
    const auto grown = static_cast<ByteCount>(outstanding) - static_cast<ByteCount>(atLast_);
    if (plan_.onGrowth && outstanding > atLast_ && grown >= *plan_.onGrowth) {
        atLast_ = outstanding;
        return SnapshotOrigin::Growth;
    }
    return std::nullopt;
}

} // namespace highwater::pipeline

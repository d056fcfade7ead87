#include "core/pipeline/snapshot_schedule.h"

namespace highwater::pipeline {

std::optional<SnapshotOrigin> SnapshotSchedule::due(Clock::time_point now, SignedByteCount outstanding) {
    if (plan_.every && now - lastPeriodic_ >= *plan_.every) {
        // Snapshots missed during a pause are not made up for because they would all be the same.
        lastPeriodic_ += (now - lastPeriodic_) / *plan_.every * *plan_.every;
        atLast_ = outstanding;
        return SnapshotOrigin::Periodic;
    }
    // Sizes come from other modules, so their difference may be any 64-bit number.
    const auto grown = static_cast<ByteCount>(outstanding) - static_cast<ByteCount>(atLast_);
    if (plan_.onGrowth && outstanding > atLast_ && grown >= *plan_.onGrowth) {
        atLast_ = outstanding;
        return SnapshotOrigin::Growth;
    }
    return std::nullopt;
}

} // namespace highwater::pipeline

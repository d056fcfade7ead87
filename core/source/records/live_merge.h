#pragma once

#include "core/source/records/live_ring.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::source {

/// Merges the records of several rings, each in time order. A record waits until every other ring has passed its time.
/// The wait ends after `patience` for a ring without new records, and at once while a ring is half full, because
/// records would be lost there. Late records are passed on when they arrive, and are counted. A seldom ring, which is
/// empty in most recordings, is waited for only after its first record, and its late records are not counted. One
/// thread.
class LiveMerge {
  public:
    /// `now` and `patience` in ticks of the records' clock. The rings must outlive it.
    LiveMerge(std::vector<LiveRing*> rings, std::int64_t patience, std::int64_t now);
    /// Before the first look().
    void addSeldom(LiveRing& ring);

    /// Examines the state of the rings. Call it before a round of next().
    void look(std::int64_t now);
    /// No more records follow: ends all waiting.
    void finish();
    /// The ring with the next due record; null: none. The caller takes the record with head() and pop() before the next
    /// call.
    [[nodiscard]] LiveRing* next();
    /// All records before this time have been passed on, except late ones.
    [[nodiscard]] std::int64_t reached() const { return reached_; }
    [[nodiscard]] std::uint64_t late() const { return late_; }

  private:
    struct Stream {
        LiveRing* ring;
        std::uint64_t accepted = 0; ///< its value at the last look
        std::int64_t changedAt = 0; ///< time of the last look that found new records
        bool isSeldom = false;
    };
    [[nodiscard]] std::int64_t reachOf(Stream& stream, std::int64_t now) const;

    std::vector<Stream> streams_;
    std::int64_t patience_;
    std::int64_t dueUntil_ = std::numeric_limits<std::int64_t>::min(); ///< records at or before this time are due
    std::int64_t reached_;
    std::int64_t newestGiven_ = std::numeric_limits<std::int64_t>::min();
    std::uint64_t late_ = 0;
    bool isFinished_ = false;
};

} // namespace highwater::source

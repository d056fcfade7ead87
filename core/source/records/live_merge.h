#pragma once

#include "core/source/records/live_ring.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::source {

/// Puts the records of several rings, each in time order, into one order. A record waits until every other ring has got
/// past its time: but no longer than `patience` for a ring that gets nothing, and not at all while a ring is half full
/// (what waits there would be lost). Who comes late goes out when it comes, and is counted. A seldom ring, which most
/// recordings get nothing from, is waited for from its first record on, and not counted where it is late. One thread.
class LiveMerge {
  public:
    /// `now` and `patience` in ticks of the records' clock. The rings must outlive it.
    LiveMerge(std::vector<LiveRing*> rings, std::int64_t patience, std::int64_t now);
    /// Before the first look().
    void addSeldom(LiveRing& ring);

    /// Looks how far the rings have got. Before a round of next().
    void look(std::int64_t now);
    /// Nothing more comes: from now on nobody waits.
    void finish();
    /// The ring whose head is due next; null: none is. The caller takes it with head() and pop() before the next call.
    [[nodiscard]] LiveRing* next();
    /// All records before these ticks have been given out, but for late ones.
    [[nodiscard]] std::int64_t reached() const { return reached_; }
    [[nodiscard]] std::uint64_t late() const { return late_; }

  private:
    struct Stream {
        LiveRing* ring;
        std::uint64_t accepted = 0; ///< when it was looked at last
        std::int64_t changedAt = 0; ///< the moment of the look that saw something new
        bool isSeldom = false;
    };
    [[nodiscard]] std::int64_t reachOf(Stream& stream, std::int64_t now) const;

    std::vector<Stream> streams_;
    std::int64_t patience_;
    std::int64_t dueUntil_ = std::numeric_limits<std::int64_t>::min(); ///< what happened then, or before, may go
    std::int64_t reached_;
    std::int64_t newestGiven_ = std::numeric_limits<std::int64_t>::min();
    std::uint64_t late_ = 0;
    bool isFinished_ = false;
};

} // namespace highwater::source

#pragma once

#include "core/event/process_events.h"
#include "core/store/published/rundown_zones.h"

#include <optional>

namespace highwater::store {

/// Finds the rundowns of a trace (docs/numbers.md 9). The records of a rundown follow each other with pauses of at most
/// kLongestPause. Isolated records in the middle of a trace, for example of a process that was attached to, do not
/// belong to a rundown. Pipeline thread only.
class RundownWatch {
  public:
    static constexpr std::int64_t kLongestPauseNs = 1'000'000'000;

    /// A record of a rundown, RundownStart or RundownEnd.
    void note(Occasion occasion, TraceTime time);
    /// For a trace that begins at time 0 and has reached `reached`.
    [[nodiscard]] RundownZones zones(TraceTime reached) const;

  private:
    TraceTime lastBegin_;
    std::optional<TimeRange> end_; ///< from the first to the last record of the current run
};

} // namespace highwater::store

#pragma once

#include "core/analysis/explain/surge.h"
#include "core/analysis/leaks/leak_suspects.h"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// What of the frames that an explanation shows has no name.
struct UnnamedFrames {
    std::size_t frames = 0;           ///< different ones that are shown
    std::size_t unnamed = 0;          ///< of these
    std::vector<std::string> modules; ///< theirs, in the order in which they are met
};

/// What is wrong in an interval. A plain value.
struct Explanation {
    Table table = Table::Heap;
    TimeRange interval; ///< as far as the trace goes
    SurgeReport rise;
    std::size_t judged = 0;                                  ///< stacks that keep what they allocated
    SuppressedLeaks suppressed;                              ///< that are not judged
    std::vector<LeakSuspect> suspects;                       ///< at most three
    std::vector<std::pair<LeakVerdict, std::size_t>> others; ///< verdicts on the stacks that are none, and how many
    std::string whyNone;                                     ///< why there are no suspects; else empty
    UnnamedFrames names;
};

/// The surge and the suspects of leaks. `query.most` means nothing here. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Explanation> explain(const store::PublishedTrace& trace, FrameLabels& labels,
                                          const LeakQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis

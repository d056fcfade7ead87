#pragma once

#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/sweeps/growth.h"

#include <cstdint>
#include <string_view>

namespace highwater::analysis {

/// What a stack does with the memory it takes. In the order of suspicion.
enum class LeakVerdict : std::uint8_t {
    Growing,     ///< keeps some of what it takes all the time
    Kept,        ///< took it in one go, or too seldom to speak of growth, and never freed it
    TooEarly,    ///< began only lately
    LevelledOff, ///< keeps what it took, and takes no more
    Renewed,     ///< a cache or a queue: frees what is older
    Sawtooth,    ///< fills, and is emptied
    StartUp,     ///< took it when the process began
    LostFrees,   ///< as many frees were lost as it seems to keep
};
/// "growing", "levelled_off", ...: for programs.
[[nodiscard]] std::string_view verdictWord(LeakVerdict verdict);

struct LeakJudgement {
    LeakVerdict verdict = LeakVerdict::Kept;
    /// 0 to 1: how much speaks for a leak that goes on. The product of the parts below (docs/numbers.md 12).
    double confidence = 0;
    double evenness = 0; ///< how evenly the kept rows began from the first row of the stack to the end
    double overdue = 0;  ///< share of kept rows that no rows are like that were freed: docs/numbers.md 12
    double certain = 0;  ///< share of kept rows that are not explained by lost frees
    double fresh = 0;    ///< 1: the last kept row is as old as their rhythm has it; less: it may have stopped
    std::int64_t usualLifetime = 0; ///< ns: 95 % of what was freed had lived no longer. 0: nothing was
    Growth growth;                  ///< bytes per second, from the first row of the stack to the end
    TraceTime since = kNever;       ///< the first row of the stack
    /// The verdict is about the blocks as one thing that changes its size (SizeCourse), not about when rows came; so
    /// are evenness, fresh and growth then.
    bool isBySize = false;
};

/// What is known of frees that the recording lacks. A block whose free was lost stays outstanding until its address is
/// given out again.
struct LostFrees {
    double byRecorder = 0;       ///< share of events that the recorder says it lost
    double seen = 0;             ///< share of frees that were found out to be lost, by their addresses
    double secondsUntilSeen = 0; ///< 95 % of these were found out within so long
};

struct LeakCircumstances {
    LostFrees lostFrees{};
    bool beginsProcess = false; ///< the period begins where the process does
    bool isBeforeMain = false;  ///< the loader called it to start the program: it comes once
};

/// From here on growth is as good as certain.
inline constexpr double kSureConfidence = 0.8;

/// The evidence has kept rows. When rows came decides first; what is not growing by that may be by its size.
[[nodiscard]] LeakJudgement judge(const LeakEvidence& evidence, const LeakPeriod& period,
                                  const LeakCircumstances& circumstances);

} // namespace highwater::analysis

#pragma once

#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/sweeps/growth.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater::analysis {

/// The behavior of a stack that keeps memory, in order of suspicion.
enum class LeakVerdict : std::uint8_t {
    Growing,     ///< keeps some of its allocations all the time
    Unreachable, ///< does not grow, but a picture of memory shows that nothing refers to some of its blocks
    Kept,        ///< allocated at once, or too rarely to show growth, and never freed
    TooEarly,    ///< started only recently
    LevelledOff, ///< keeps its allocations and allocates no more
    Renewed,     ///< a cache or a queue: frees older allocations
    Sawtooth,    ///< fills up and is emptied
    StartUp,     ///< allocated at process start
    LostFrees,   ///< as many frees were lost as the rows that it seems to keep
};
/// "growing", "levelled_off", ...: for programs.
[[nodiscard]] std::string_view verdictWord(LeakVerdict verdict);

/// The last slice edge before which each kept row is older than any freed row of the stack ever became, and the rows
/// before it. In a queue that is emptied again and again, what the emptyings left.
struct LowPoint {
    TraceTime time;
    std::uint64_t madeCount = 0; ///< rows that were allocated before
    std::uint64_t keptCount = 0; ///< those of them that are kept
    ByteCount keptBytes = 0;
};

struct LeakJudgement {
    LeakVerdict verdict = LeakVerdict::Kept;
    /// 0 to 1: evidence for a leak that continues. The product of the parts below (docs/numbers.md 12).
    double confidence = 0;
    double evenness = 0; ///< how evenly the kept rows started between the first row of the stack and the end
    double overdue = 0;  ///< share of kept rows that are unlike the freed rows: docs/numbers.md 12
    double certain = 0;  ///< share of kept rows that are not explained by lost frees
    double fresh = 0;    ///< 1: the age of the last kept row fits their rhythm; less: it may have stopped
    std::int64_t usualLifetime = 0; ///< ns: 95 % of the freed rows lived no longer. 0: none were freed
    Growth growth;                  ///< bytes per second, from the first row of the stack to the end
    TraceTime since = kNever;       ///< the first row of the stack
    /// The verdict is based on the size of all blocks as one object (SizeCourse) instead of the times of the rows.
    /// Evenness, fresh and growth are then as well.
    bool isBySize = false;
    /// The verdict `Growing` is based on the rows before this low point, as are evenness, fresh and growth; the later
    /// rows, more than a tenth, may still be freed. Nothing: on all rows. `Sawtooth`: nothing if all kept rows are
    /// later.
    std::optional<LowPoint> lowPoint;
};

/// Known losses of frees. A block with a lost free stays outstanding until its address is reused.
struct LostFrees {
    double byRecorder = 0;       ///< share of events that the recorder reports as lost
    double seen = 0;             ///< share of frees detected as lost by reused addresses
    double secondsUntilSeen = 0; ///< 95 % of these were detected within this time
};

struct LeakCircumstances {
    LostFrees lostFrees{};
    bool beginsProcess = false; ///< the period starts with the process
    bool isBeforeMain = false;  ///< called by the loader at program start, so only once
};

/// From here on, growth is considered certain.
inline constexpr double kSureConfidence = 0.8;

/// The evidence must have kept rows. The times of the rows decide first; if they do not show growth, the size may.
[[nodiscard]] LeakJudgement judge(const LeakEvidence& evidence, const LeakPeriod& period,
                                  const LeakCircumstances& circumstances);

} // namespace highwater::analysis

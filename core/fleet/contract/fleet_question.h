#pragma once

#include "core/analysis/columns/columns.h"
#include "core/summary/run_summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::fleet {

// Questions to a store of runs and their answers, as plain values. Sizes are bytes, times nanoseconds.

/// Which number of a sample is compared.
enum class Measure : std::uint8_t { InuseSpace, InuseObjects, AllocSpace, AllocObjects, Freed, Peak, Impacting, Slope };

/// The growth of a median from which on it is asked about, where nobody says another one: in the unit of the measure.
[[nodiscard]] constexpr std::int64_t usualLeast(Measure measure) {
    const bool isCount = measure == Measure::InuseObjects || measure == Measure::AllocObjects;
    return isCount ? 1 : 1024; // bytes, of slopes bytes an hour
}
/// The least rise above such a median that is growth, whatever is asked: slopes of equal code differ by how long runs
/// took, so that less than a tenth tells nothing.
[[nodiscard]] constexpr std::int64_t leastRise(Measure measure, std::int64_t before) {
    constexpr std::int64_t kShareOfSlope = 10;
    return measure == Measure::Slope && before > 0 ? before / kShareOfSlope : 0;
}

/// Which runs and samples take part. What is empty or nothing leaves nothing out.
struct RunFilter {
    std::string build;
    std::string machine;
    std::string scenario;
    std::vector<std::pair<std::string, std::string>> labels;
};

/// What questions about stacks have in common.
struct SampleFilter {
    std::string scenario;
    std::string process; ///< by its name
    std::string machine;
    /// Nothing: all, each stack of each table by itself. Questions about one stack have a table of their own, which
    /// counts.
    std::optional<analysis::Table> table;
    std::string window = "whole";
    Measure measure = Measure::InuseSpace;
};

/// A stack of one table and process, as answers have it.
struct FleetStack {
    summary::StackKey key;
    analysis::Table table = analysis::Table::Heap;
    std::string process;
    std::string owner;               ///< normalised function
    std::vector<std::string> frames; ///< the same, innermost first; empty: rows without a stack
};

struct RunRow {
    summary::RunFacts facts;
    std::int64_t addedAt = 0; ///< since 1970, UTC
    std::size_t sampleCount = 0;
    std::int64_t inuseSpace = 0;      ///< of all samples of the whole run
    std::vector<std::string> windows; ///< names of its parts, the whole first
};

/// One side of a comparison: over machines, each by the median of its runs. Runs count that have the process of the
/// stack in the window; one of them that does not have the stack has 0.
/// Runs that do not say their machine are of one that has no name. A machine has the stack where the value is not 0.
struct Side {
    std::size_t runs = 0;
    std::size_t machines = 0;     ///< that have runs
    std::size_t machinesWith = 0; ///< and the stack in any of them
    std::int64_t median = 0;
    std::int64_t p95 = 0; ///< the smallest value that 95 % of the machines do not exceed
};

struct GrewQuestion {
    std::string fromBuild, toBuild;
    SampleFilter samples;
    std::int64_t leastGrowth = usualLeast(Measure::InuseSpace); ///< of medians; smaller ones are not asked about
    double falseShare = 0.05;                                   ///< of what is told, by Benjamini and Hochberg
    std::size_t most = 100;
};
struct GrownStack {
    FleetStack stack;
    Side from, to;
    std::int64_t growth = 0; ///< of medians
    double p = 1;            ///< by Mann and Whitney, over all runs
};
struct GrewAnswer {
    std::vector<GrownStack> rows;   ///< what is significant alone, largest growth first
    std::size_t tested = 0;         ///< stacks
    std::size_t significant = 0;    ///< of them; rows may be fewer
    std::vector<std::string> notes; ///< what makes the answer weaker than it looks: few runs, losses
    bool canTell = false;           ///< whether there are runs enough that any stack could have been told
    std::size_t runsNotWhole = 0;   ///< of both builds
};

/// Stacks that one build has and the other has in none of its runs, whatever the measure: what allocates there and
/// keeps nothing is there. In the same shape: `from` or `to` is 0. Told where at least this share of machines has it,
/// and their median is above 0.
struct PresenceQuestion {
    std::string fromBuild, toBuild;
    SampleFilter samples;
    bool isGone = false;     ///< asked is for what the older build has alone
    double leastShare = 0.5; ///< of the machines of the build that has it
    std::int64_t least = 0;  ///< median there
    std::size_t most = 100;
};

/// Builds in their order: by number where all names are numbers with points, such as 8.10 or v8.10, else by the first
/// recording of each, oldest first.
struct BuildValue {
    std::string build;
    std::optional<std::int64_t> firstRecordedAt;
    Side side;
};
/// The values of a stack by build: the history that the window draws.
struct HistoryQuestion {
    summary::StackKey stack;
    analysis::Table table = analysis::Table::Heap;
    SampleFilter samples;
};
struct HistoryAnswer {
    FleetStack stack;
    std::vector<BuildValue> builds;
    /// The first build whose own runs stand apart, above, from those of all builds before it (noise.h); nothing: none.
    std::optional<std::size_t> firstBad;
    /// The first one behind it whose runs stand apart, below, from all since, and no longer above those before.
    std::optional<std::size_t> mended;
};

struct WorstQuestion {
    summary::StackKey stack;
    analysis::Table table = analysis::Table::Heap;
    SampleFilter samples;
    std::string build; ///< empty: all
    std::size_t most = 20;
};
struct WorstRun {
    summary::RunFacts facts;
    std::string process;
    std::int64_t value = 0;
    std::int64_t start = 0; ///< of the window in the run
    std::int64_t end = 0;
    std::int64_t first = 0; ///< begin of the stack's first row, and of its last
    std::int64_t last = 0;
};

struct SlopeRow {
    FleetStack stack;
    Side side; ///< bytes an hour
};

/// Of a build and machine: how far what it says can be believed.
struct HealthRow {
    std::string build, machine;
    std::size_t runs = 0;
    std::size_t runsNotWhole = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0;
    std::uint64_t stacksUnresolved = 0;
    std::size_t framesUnnamed = 0; ///< of the run that has most
};

} // namespace highwater::fleet

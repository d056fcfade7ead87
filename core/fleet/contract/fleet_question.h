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

// Queries to a store of runs and their answers, as plain values. Sizes are in bytes, times in nanoseconds.

/// The value to compare: of a sample, or, from RssPeak on, of the processes with one name in a whole run.
enum class Measure : std::uint8_t {
    InuseSpace,
    InuseObjects,
    AllocSpace,
    AllocObjects,
    Freed,
    Peak,
    Impacting,
    Slope,
    RssPeak,
    Held
};
/// Whether rows of an answer are processes instead of stacks. Runs without samples of resident memory have no value:
/// they are not compared, but counted.
[[nodiscard]] constexpr bool isOfProcesses(Measure measure) { return measure >= Measure::RssPeak; }

/// The default for the smallest growth of a median to report, in the unit of the measure.
[[nodiscard]] constexpr std::int64_t usualLeast(Measure measure) {
    const bool isCount = measure == Measure::InuseObjects || measure == Measure::AllocObjects;
    return isCount ? 1 : 1024; // bytes; for slopes, bytes an hour
}
/// The smallest rise above `before` that counts as growth. Slopes of the same code differ with the duration of runs, so
/// less than a tenth is not significant.
[[nodiscard]] constexpr std::int64_t leastRise(Measure measure, std::int64_t before) {
    constexpr std::int64_t kShareOfSlope = 10;
    return measure == Measure::Slope && before > 0 ? before / kShareOfSlope : 0;
}

/// Selects runs and samples. Empty members select everything.
struct RunFilter {
    std::string build;
    std::string machine;
    std::string scenario;
    std::vector<std::pair<std::string, std::string>> labels;
};

/// Common parts of queries about stacks and processes.
struct SampleFilter {
    std::string scenario;
    std::string process; ///< by name
    std::string machine;
    /// nullopt: all tables, with separate rows for each stack and table. Queries about one stack have a table of their
    /// own, which is used instead.
    std::optional<analysis::Table> table;
    std::string window = "whole"; ///< like the table, only for measures of stacks
    Measure measure = Measure::InuseSpace;
};

/// A stack of one table and process in an answer. For a measure of processes only the process is set.
struct FleetStack {
    summary::StackKey key;
    analysis::Table table = analysis::Table::Heap;
    std::string process;
    std::string owner;               ///< normalized function
    std::vector<std::string> frames; ///< normalized functions, innermost first; empty: rows without a stack
};

struct RunRow {
    summary::RunFacts facts;
    std::int64_t addedAt = 0; ///< nanoseconds since 1970, UTC
    std::size_t sampleCount = 0;
    std::int64_t inuseSpace = 0;      ///< sum over all samples of the whole run
    std::vector<std::string> windows; ///< names of its windows, the whole run first
};

/// One side of a comparison over machines; the value of a machine is the median of its runs. Includes the runs that
/// have the process of the stack in the window; runs without the stack count as 0.
/// Runs of unknown machines form one machine without a name. A machine has the stack if its value is not 0.
struct Side {
    std::size_t runs = 0;
    std::size_t machines = 0;     ///< machines with runs
    std::size_t machinesWith = 0; ///< machines with the stack in any run
    std::int64_t median = 0;
    std::int64_t p95 = 0; ///< the smallest value that 95 % of the machines do not exceed
};

struct GrewQuestion {
    std::string fromBuild, toBuild;
    SampleFilter samples;
    std::int64_t leastGrowth = usualLeast(Measure::InuseSpace); ///< growth of medians; smaller growth is not reported
    double falseShare = 0.05; ///< limit for false discoveries among the reported rows (Benjamini and Hochberg)
    std::size_t most = 100;
};
struct GrownStack {
    FleetStack stack;
    Side from, to;
    std::int64_t growth = 0; ///< growth of the median
    double p = 1;            ///< probability by Mann and Whitney, over all runs
};
struct GrewAnswer {
    std::vector<GrownStack> rows;   ///< significant rows only, largest growth first
    std::size_t tested = 0;         ///< number of stacks or processes
    std::size_t significant = 0;    ///< number of significant ones; rows may be fewer
    std::vector<std::string> notes; ///< limitations of the answer: few runs, losses
    bool canTell = false;           ///< whether there are enough runs to find any stack significant
    std::size_t runsNotWhole = 0;   ///< total of both builds
};

/// Stacks that one build has and the other has in none of its runs, regardless of the measure: a stack that allocates
/// but keeps nothing counts. Same form as growth, with `from` or `to` 0. Reported if at least this share of machines
/// has the stack, and the median is above 0.
struct PresenceQuestion {
    std::string fromBuild, toBuild;
    SampleFilter samples;
    bool isGone = false;     ///< report stacks that only the older build has
    double leastShare = 0.5; ///< share of the machines of the build that has the stack
    std::int64_t least = 0;  ///< smallest median to report
    std::size_t most = 100;
};

/// Builds in order: by number if all names are numbers with points, such as 8.10 or v8.10, otherwise by the first
/// recording of each, oldest first.
struct BuildValue {
    std::string build;
    std::optional<std::int64_t> firstRecordedAt;
    Side side;
};
/// The values of a stack by build, as drawn in the history chart. A measure of processes needs the process instead.
struct HistoryQuestion {
    summary::StackKey stack;
    analysis::Table table = analysis::Table::Heap;
    SampleFilter samples;
};
struct HistoryAnswer {
    FleetStack stack;
    std::vector<BuildValue> builds;
    /// The first build whose runs are significantly above those of all earlier builds (noise.h); nullopt: none.
    std::optional<std::size_t> firstBad;
    /// The first build after it whose runs are significantly below all since then, and no longer above the earlier
    /// ones.
    std::optional<std::size_t> mended;
    std::size_t runsUnknown = 0; ///< runs with the process, but without a value
};

/// The runs with the highest values of a stack, or, for a measure of processes, of each process.
struct WorstQuestion {
    summary::StackKey stack;
    analysis::Table table = analysis::Table::Heap;
    SampleFilter samples;
    std::string build; ///< empty: all builds
    std::size_t most = 20;
};
struct WorstRun {
    summary::RunFacts facts;
    std::string process;
    std::int64_t value = 0;
    std::int64_t start = 0; ///< start of the window in the run
    std::int64_t end = 0;
    std::int64_t first = 0; ///< start of the stack's first row, and of its last; for processes those of the window
    std::int64_t last = 0;
};

struct WorstAnswer {
    std::vector<WorstRun> runs;  ///< worst first
    std::size_t runsUnknown = 0; ///< runs with the process, but without a value
};

struct SlopeRow {
    FleetStack stack;
    Side side; ///< bytes an hour
};

/// Reliability of the data of a build and machine.
struct HealthRow {
    std::string build, machine;
    std::size_t runs = 0;
    std::size_t runsNotWhole = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0;
    std::uint64_t stacksUnresolved = 0;
    std::size_t framesUnnamed = 0; ///< maximum over the runs
};

} // namespace highwater::fleet

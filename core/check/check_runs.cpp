#include "core/check/check_runs.h"

#include "core/analysis/difference/renames.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/shell_words.h"
#include "core/statistics/noise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace highwater::check {
namespace {

/// The bytes of one stack in the runs of a side; 0 for runs without the stack.
struct Values {
    std::vector<std::int64_t> outstanding;
    std::vector<std::vector<std::int64_t>> courses; ///< by run
};

struct Compared {
    Values before, after;
    const summary::RunSummary* example = nullptr; ///< the newest run that contains it
    std::uint32_t stack = 0;                      ///< in `example`
    bool isSuppressed = false;                    ///< in any run
};

using Key = std::pair<std::string, summary::StackKey>; ///< name of the process, stack

std::size_t slicesOf(const summary::RunSummary& run) {
    return static_cast<std::size_t>(std::count_if(run.windows.begin(), run.windows.end(), [](const auto& window) {
        return window.kind == summary::WindowKind::Slice;
    }));
}

/// The slice of a window; nothing: the window is the whole run.
std::optional<std::size_t> sliceOf(const summary::RunSummary& run, std::uint32_t window) {
    if (run.windows[window].kind != summary::WindowKind::Slice) return std::nullopt;
    return window - (run.windows.size() - slicesOf(run));
}

/// For kept bytes, which are not negative.
void addTo(std::int64_t& sum, std::int64_t bytes) {
    sum += std::min(bytes, std::numeric_limits<std::int64_t>::max() - std::max<std::int64_t>(sum, 0));
}

void take(const CheckedRun& checked, std::size_t number, std::size_t runs, analysis::Table table,
          Values Compared::*side, std::map<Key, Compared>& stacks) {
    const auto& run = checked.summary;
    const auto slices = slicesOf(run);
    for (const auto& sample : run.samples) {
        if (sample.table != table) continue;
        auto& stack = stacks[{run.processes[sample.process], run.stacks[sample.stack].key}];
        stack.example = &run;
        stack.stack = sample.stack;
        stack.isSuppressed = stack.isSuppressed || checked.suppressed.contains(run.stacks[sample.stack].key);
        auto& values = stack.*side;
        values.outstanding.resize(runs);
        values.courses.resize(runs);
        // After renames, a run may contain a stack several times.
        if (run.windows[sample.window].kind == summary::WindowKind::Whole)
            addTo(values.outstanding[number], sample.inuseSpace);
        const auto slice = sliceOf(run, sample.window);
        if (!slice) continue;
        values.courses[number].resize(slices);
        addTo(values.courses[number][*slice], sample.peak);
    }
}

/// The median of each slice; slices that a run lacks count as 0.
std::vector<std::int64_t> medianCourse(const std::vector<std::vector<std::int64_t>>& courses, std::size_t slices) {
    std::vector<std::int64_t> course;
    for (std::size_t i = 0; i < slices && !courses.empty(); ++i) {
        std::vector<std::int64_t> values;
        for (const auto& ofRun : courses)
            values.push_back(i < ofRun.size() ? ofRun[i] : 0);
        course.push_back(medianOf(std::move(values)));
    }
    return course;
}

GrownStack describe(const Key& key, const Compared& compared, std::size_t slices) {
    const auto& run = *compared.example;
    const auto& stack = run.stacks[compared.stack];
    GrownStack grown;
    grown.process = key.first;
    grown.key = key.second;
    grown.owner = run.frames[stack.owner];
    for (const auto frame : stack.frames)
        grown.frames.push_back(run.frames[frame]);
    grown.before = medianOf(compared.before.outstanding);
    grown.after = medianOf(compared.after.outstanding);
    grown.courseBefore = medianCourse(compared.before.courses, slices);
    grown.courseAfter = medianCourse(compared.after.courses, slices);
    return grown;
}

void count(std::int64_t growth, SuppressedGrowth& suppressed) {
    ++suppressed.stacks;
    suppressed.bytes += std::min(growth, std::numeric_limits<std::int64_t>::max() - suppressed.bytes);
}

/// Finds the stacks that differ significantly, by the same rules as differences. Suppressed stacks are included, so
/// that suppressing a stack does not change the others.
void findGrown(std::map<Key, Compared>& stacks, std::size_t runsBefore, std::size_t runsAfter, std::size_t slices,
               CheckResult& result) {
    const bool hasRanks = std::min(runsBefore, runsAfter) >= kEnoughForRanks;
    const bool isNoiseKnown = runsBefore > 1 || runsAfter > 1;
    std::vector<double> probabilities;
    for (auto& [key, compared] : stacks) {
        compared.before.outstanding.resize(runsBefore);
        compared.after.outstanding.resize(runsAfter);
        compared.before.courses.resize(runsBefore);
        compared.after.courses.resize(runsAfter);
        if (hasRanks)
            probabilities.push_back(probabilityByRanks(compared.before.outstanding, compared.after.outstanding));
    }
    const auto told = hasRanks ? highestSignificant(probabilities, kFalseShare) : -1;
    std::size_t number = 0;
    for (const auto& [key, compared] : stacks) {
        const auto p = hasRanks ? std::optional(probabilities[number++]) : std::nullopt;
        const auto growth = medianOf(compared.after.outstanding) - medianOf(compared.before.outstanding);
        const bool isApart = !isNoiseKnown ||
                             differsFromNoise(compared.before.outstanding, compared.after.outstanding) ||
                             (p && *p <= told);
        if (growth <= 0 || growth < result.smallest || !isApart) continue;
        if (compared.isSuppressed) {
            count(growth, result.suppressed);
            continue;
        }
        result.grown.push_back(describe(key, compared, slices));
        result.grown.back().p = p;
    }
    std::stable_sort(result.grown.begin(), result.grown.end(),
                     [](const auto& a, const auto& b) { return a.growth() > b.growth(); });
    result.compared = stacks.size();
}

/// Whether runs were checked and none of them has a row that the line matches.
bool isIdle(std::size_t line, std::span<const CheckedRun> before, std::span<const CheckedRun> after) {
    bool isAsked = false;
    for (const auto* side : {&before, &after}) {
        for (const auto& run : *side) {
            if (run.matches.empty()) continue;
            isAsked = true;
            if (run.matches[line]) return false;
        }
    }
    return isAsked;
}

/// The processes that have compared rows.
std::set<std::string> processesOf(std::span<const CheckedRun> runs, analysis::Table table) {
    std::set<std::string> names;
    for (const auto& run : runs) {
        for (const auto& sample : run.summary.samples)
            if (sample.table == table) names.insert(run.summary.processes[sample.process]);
    }
    return names;
}

/// The first names that the other side lacks; empty: it lacks none.
std::string missingNames(const std::set<std::string>& side, const std::set<std::string>& other) {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::string> names;
    for (const auto& name : side)
        if (!other.contains(name)) names.push_back(name.empty() ? "an unnamed process" : printable(name));
    const auto more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// A renamed program counts as a different process.
void addOneSidedProcessNotes(std::span<const CheckedRun> before, std::span<const CheckedRun> after,
                             CheckResult& result) {
    if (before.empty()) return;
    const auto old = processesOf(before, result.table), added = processesOf(after, result.table);
    if (const auto names = missingNames(added, old); !names.empty())
        result.notes.push_back(
            fmt::format("Only the new runs contain {}. All memory that is kept there counts as growth.", names));
    if (const auto names = missingNames(old, added); !names.empty())
        result.notes.push_back(fmt::format("Only the earlier runs contain {}.", names));
    std::vector<std::string> gone, come;
    std::ranges::set_difference(old, added, std::back_inserter(gone));
    std::ranges::set_difference(added, old, std::back_inserter(come));
    if (gone.size() != 1 || come.size() != 1 || gone.front().empty() || come.front().empty()) return;
    const auto line = analysis::Renames::lineOf(gone.front(), come.front());
    result.notes.push_back(fmt::format("If {} is {} under another name, compare both as one with {}",
                                       printable(come.front()), printable(gone.front()), exports::renameHint(line)));
}

void addNotes(std::span<const CheckedRun> before, std::span<const CheckedRun> after, CheckResult& result) {
    for (const auto& line : result.budgets)
        if (line.matchesNothing)
            result.notes.push_back(
                fmt::format("Line {} of the budget matches nothing: {}", line.rule.line, line.rule.text));
    for (const auto& verdict : result.unreachable)
        if (auto text = limitsText(verdict.memory); !text.empty()) result.notes.push_back(std::move(text));
    if (before.empty() && !result.budgets.empty())
        result.notes.emplace_back("Without runs to compare with, only the budget was checked.");
    else if (before.size() == 1 && after.size() == 1)
        result.notes.emplace_back(
            "With one run per side, the noise is unknown and every growth counts. Use at least three runs per side.");
    addOneSidedProcessNotes(before, after, result);
    for (const auto* side : {&before, &after}) {
        for (const auto& run : *side) {
            const auto& frames = run.summary.frames;
            const auto unnamed = static_cast<std::size_t>(
                std::count_if(frames.begin(), frames.end(), [](const auto& frame) { return !frame.isNamed; }));
            if (unnamed * 2 > frames.size())
                result.notes.push_back(fmt::format("{}: {} of {} {} no name, but stacks of different builds are "
                                                   "matched only by name. Use --symbols.",
                                                   run.trace, thousands(unnamed), counted(frames.size(), "function"),
                                                   byNumber(unnamed, "has", "have")));
            if (!run.summary.facts.isWhole)
                result.notes.push_back(fmt::format("{} is incomplete. Its totals are bounds.", run.trace));
        }
    }
}

} // namespace

std::size_t CheckResult::idleBudgets() const {
    return static_cast<std::size_t>(
        std::count_if(budgets.begin(), budgets.end(), [](const auto& line) { return line.matchesNothing; }));
}

std::size_t CheckResult::brokenBudgets() const {
    return static_cast<std::size_t>(
        std::count_if(budgets.begin(), budgets.end(), [](const auto& line) { return line.isBroken(); }));
}

std::size_t CheckResult::leaking() const {
    return static_cast<std::size_t>(std::ranges::count_if(unreachable, &UnreachableVerdict::isExceeded));
}

CheckResult checkRuns(std::span<const CheckedRun> before, std::span<const CheckedRun> after,
                      std::span<const BudgetRule> budget, const CheckOptions& options) {
    CheckResult result;
    result.table = options.table;
    result.smallest = options.smallest;
    for (std::size_t i = 0; i < budget.size(); ++i) {
        std::vector<std::int64_t> values;
        for (const auto& run : after)
            values.push_back(run.budgets[i]);
        const auto worst = std::ranges::max(values);
        const auto runs = values.size();
        result.budgets.push_back({budget[i], worst, medianOf(std::move(values)), runs, isIdle(i, before, after)});
    }
    std::map<Key, Compared> stacks;
    std::size_t slices = 0;
    std::vector<std::int64_t> durations;
    for (std::size_t i = 0; i < before.size(); ++i) {
        take(before[i], i, before.size(), options.table, &Compared::before, stacks);
        result.tracesBefore.push_back(before[i].trace);
        slices = std::max(slices, slicesOf(before[i].summary));
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        take(after[i], i, after.size(), options.table, &Compared::after, stacks);
        result.traces.push_back(after[i].trace);
        slices = std::max(slices, slicesOf(after[i].summary));
        durations.push_back(after[i].summary.facts.duration);
        for (const auto& memory : after[i].unreachable)
            result.unreachable.push_back({after[i].trace, memory, options.unreachable});
    }
    result.seconds = static_cast<double>(medianOf(std::move(durations))) / 1e9;
    if (!before.empty()) findGrown(stacks, before.size(), after.size(), slices, result);
    addNotes(before, after, result);
    return result;
}

} // namespace highwater::check

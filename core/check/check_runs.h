#pragma once

#include "core/analysis/columns/columns.h"
#include "core/check/budget.h"
#include "core/check/unreachable_stacks.h"
#include "core/summary/run_summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace highwater::check {

/// The data that the check uses from a trace of either side.
struct CheckedRun {
    std::string trace;                      ///< path as given by the user
    summary::RunSummary summary;            ///< slices, if any, are equal parts of the run
    std::vector<std::int64_t> budgets;      ///< for a new run: by budget line
    std::vector<bool> matches;              ///< by budget line: whether it matches any row; empty: not checked
    std::set<summary::StackKey> suppressed; ///< keys of its suppressed stacks
    std::vector<UnreachableMemory> unreachable = {}; ///< for a new run: by process; empty: not checked
};

/// A budget line and its values in the new runs.
struct BudgetVerdict {
    BudgetRule rule;
    std::int64_t value = 0;  ///< for the worst run, because a limit applies to each run
    std::int64_t median = 0; ///< over runs
    std::size_t runs = 1;
    bool matchesNothing = false; ///< no row of any run, before or new, matches; its names may have changed
    [[nodiscard]] bool isBroken() const { return value > rule.limit; }
};

/// A stack that keeps more memory than before.
struct GrownStack {
    std::string process; ///< process name
    summary::StackKey key;
    summary::Frame owner;
    std::vector<summary::Frame> frames; ///< innermost first; empty: rows without a stack
    std::int64_t before = 0;            ///< medians
    std::int64_t after = 0;
    std::optional<double> p; ///< Mann-Whitney, if there are enough runs
    /// Medians of the highest outstanding bytes in equal parts of the runs; empty: runs have no slices.
    std::vector<std::int64_t> courseBefore, courseAfter;
    [[nodiscard]] std::int64_t growth() const { return after - before; }
};

/// Stacks that grew but are suppressed.
struct SuppressedGrowth {
    std::size_t stacks = 0;
    std::int64_t bytes = 0;
};

struct CheckOptions {
    analysis::Table table = analysis::Table::Heap;
    std::int64_t smallest = 64 * 1024; ///< smallest growth of medians that counts
    ByteCount unreachable = 0;         ///< highest allowed unreachable memory of a process, if runs contain any
};

struct CheckResult {
    analysis::Table table = analysis::Table::Heap;
    std::vector<BudgetVerdict> budgets;
    std::vector<GrownStack> grown; ///< largest growth first, without suppressed stacks
    SuppressedGrowth suppressed;
    std::vector<UnreachableVerdict> unreachable; ///< by new run and process
    std::size_t compared = 0; ///< stacks
    std::int64_t smallest = 0;
    std::vector<std::string> traces, tracesBefore; ///< paths as given by the user
    std::vector<std::string> notes;                ///< limitations of the result, one sentence each
    double seconds = 0;                            ///< median of the new runs

    [[nodiscard]] std::size_t brokenBudgets() const;
    [[nodiscard]] std::size_t idleBudgets() const; ///< budget lines that match nothing
    [[nodiscard]] std::size_t leaking() const;     ///< processes with too much unreachable memory
    [[nodiscard]] bool hasPassed() const { return grown.empty() && brokenBudgets() == 0 && leaking() == 0; }
};

/// Compares new runs with the runs before. Without runs before, nothing grew. Noise is defined in docs/numbers.md 15.
/// `after` is not empty. Any thread.
[[nodiscard]] CheckResult checkRuns(std::span<const CheckedRun> before, std::span<const CheckedRun> after,
                                    std::span<const BudgetRule> budget, const CheckOptions& options);

} // namespace highwater::check

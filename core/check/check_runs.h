#pragma once

#include "core/analysis/columns/columns.h"
#include "core/check/budget.h"
#include "core/summary/run_summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace highwater::check {

/// What is kept of a trace of either side.
struct CheckedRun {
    std::string trace;                 ///< as it was typed
    summary::RunSummary summary;       ///< its slices, if any, are equal parts of it
    std::vector<std::int64_t> budgets; ///< of a new run: by line of the budget
    std::vector<bool> matches;         ///< by line of the budget: whether it is about any row; empty: nobody looked
    std::set<summary::StackKey> suppressed; ///< of its stacks
};

/// A line of the budget, and what the new runs have of it.
struct BudgetVerdict {
    BudgetRule rule;
    std::int64_t value = 0;  ///< of the worst run: a limit is one for each of them
    std::int64_t median = 0; ///< over runs
    std::size_t runs = 1;
    bool matchesNothing = false; ///< no row of any run, before or new: what it names may be called otherwise
    [[nodiscard]] bool isBroken() const { return value > rule.limit; }
};

/// A stack that keeps more than it did.
struct GrownStack {
    std::string process; ///< by its name
    summary::StackKey key;
    summary::Frame owner;
    std::vector<summary::Frame> frames; ///< innermost first; empty: rows without a stack
    std::int64_t before = 0;            ///< medians
    std::int64_t after = 0;
    std::optional<double> p; ///< by Mann and Whitney, where there are enough runs
    /// Highest outstanding bytes in equal parts of the runs, medians; empty: runs have no slices.
    std::vector<std::int64_t> courseBefore, courseAfter;
    [[nodiscard]] std::int64_t growth() const { return after - before; }
};

/// Stacks that grew and that nobody wants to hear of.
struct SuppressedGrowth {
    std::size_t stacks = 0;
    std::int64_t bytes = 0;
};

struct CheckOptions {
    analysis::Table table = analysis::Table::Heap;
    std::int64_t smallest = 64 * 1024; ///< growth of medians that counts
};

struct CheckResult {
    analysis::Table table = analysis::Table::Heap;
    std::vector<BudgetVerdict> budgets;
    std::vector<GrownStack> grown; ///< largest growth first, but for suppressed ones
    SuppressedGrowth suppressed;
    std::size_t compared = 0; ///< stacks
    std::int64_t smallest = 0;
    std::vector<std::string> traces, tracesBefore; ///< as they were typed
    std::vector<std::string> notes;                ///< what makes it weaker than it looks, a sentence each
    double seconds = 0;                            ///< median of the new runs

    [[nodiscard]] std::size_t brokenBudgets() const;
    [[nodiscard]] std::size_t idleBudgets() const; ///< that match nothing
    [[nodiscard]] bool hasPassed() const { return grown.empty() && brokenBudgets() == 0; }
};

/// Compares new runs with those before, of which there may be none: then nothing grew. Noise is that of docs/numbers.md
/// 15. `after` is not empty. Any thread.
[[nodiscard]] CheckResult checkRuns(std::span<const CheckedRun> before, std::span<const CheckedRun> after,
                                    std::span<const BudgetRule> budget, const CheckOptions& options);

} // namespace highwater::check

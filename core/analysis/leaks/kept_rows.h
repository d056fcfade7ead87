#pragma once

#include "core/analysis/leaks/leak_evidence.h"

#include <array>
#include <cstddef>

namespace highwater::analysis {

/// The times of kept rows, from the stack's first row on: of all, or of those in the first slices of the period. A
/// plain value (docs/numbers.md 12).
struct KeptRows {
    /// Kept rows that come in bursts with nothing in between, as left by jobs: runs of slices with about the same
    /// number of rows. For such stacks, a burst counts like a single row of other stacks.
    struct Bursts {
        double count = 0;  ///< 0: no bursts
        double rhythm = 0; ///< seconds between bursts
    };

    std::size_t firstSlice = 0; ///< that of the stack's first row, kept or not
    std::size_t endSlice = LeakPeriod::kSlices;
    TraceTime begin; ///< the stack's first row, kept or not
    TraceTime end;   ///< the end of the slices
    TraceTime first; ///< the first kept row
    TraceTime last;  ///< the last kept row; the end of its slice if later ones follow behind the slices
    double count = 0;
    std::array<double, 3> thirds{}; ///< their numbers in the thirds of the slices from the first one on
    Bursts bursts;

    [[nodiscard]] double seconds() const; ///< from `begin` to `end`
    /// 1: all thirds are equal within chance; 0: one is empty.
    [[nodiscard]] double evenness() const;
    /// Falls to 0 if no more rows were kept for a third of the time, beyond three times the usual distance between kept
    /// rows, or once the distance between bursts.
    [[nodiscard]] double fresh() const;
    /// 0 to 1: whether there are enough rows for a statement.
    [[nodiscard]] double enough() const;
};

/// The kept rows of the slices before this one.
[[nodiscard]] KeptRows keptRowsUntil(std::size_t endSlice, const LeakEvidence& evidence, const LeakPeriod& period);

/// Kept rows that started before this number of slices, which may be fractional.
[[nodiscard]] double keptBefore(const LeakEvidence& evidence, double slices);

[[nodiscard]] inline double secondsBetween(TraceTime from, TraceTime to) {
    return static_cast<double>(to.ns - from.ns) / 1e9;
}

} // namespace highwater::analysis

#pragma once

#include "core/analysis/query/row_filter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::ui {

/// The rows of a table that mean something to its reader, by their paths. They go along with a question, because frames
/// that get names are other rows: the answer says what they are now. A plain value.
struct RowViewState {
    using Paths = std::vector<analysis::KeyPath>;

    std::uint64_t version = 0;          ///< of what the reader has done: another number, other rows
    std::shared_ptr<const void> naming; ///< TableAnswer::naming() of the answer that the paths are of
    Paths expanded;
    std::size_t leafRows = 0; ///< how many single rows of the leaves among them were looked at, at most
    Paths opening;            ///< of the expanded ones, those whose rows are on their way
    Paths selected;
    Paths painted;
    std::uint64_t seriesVersion = 0; ///< GraphState's, of the next three
    Paths openedSeries;
    Paths closedSeries;
    Paths hiddenSeries;
    // At most one path each:
    Paths current;
    Paths revealed;         ///< still to be brought on screen
    Paths top;              ///< on top of the viewport
    Paths expansion;        ///< below which everything is being opened
    bool isRenamed = false; ///< of an answer: any of the paths is another one than it was in the question

    /// All but the expanded ones.
    [[nodiscard]] std::array<Paths*, 10> marked() {
        return {&opening,      &selected, &painted,  &openedSeries, &closedSeries,
                &hiddenSeries, &current,  &revealed, &top,          &expansion};
    }
};

} // namespace highwater::ui

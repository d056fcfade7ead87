#pragma once

#include "core/analysis/query/row_filter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::ui {

/// Paths of table rows that the user has opened, selected or otherwise marked. A query carries them, because frames
/// that gain names become other rows; the answer contains the updated paths. A plain value.
struct RowViewState {
    using Paths = std::vector<analysis::KeyPath>;

    std::uint64_t version = 0;          ///< increases with user actions; another number means other rows
    std::shared_ptr<const void> naming; ///< TableAnswer::naming() of the answer to which the paths belong
    Paths expanded;
    std::size_t leafRows = 0; ///< maximum number of single rows loaded for any leaf among them
    Paths opening;            ///< expanded rows whose children are being loaded
    Paths selected;
    Paths painted;
    std::uint64_t seriesVersion = 0; ///< from GraphState, for the next three
    Paths openedSeries;
    Paths closedSeries;
    Paths hiddenSeries;
    // At most one path each:
    Paths current;
    Paths revealed;         ///< still to be scrolled into view
    Paths top;              ///< first row of the viewport
    Paths expansion;        ///< row that is being expanded completely
    bool isRenamed = false; ///< in an answer: any path differs from the query's

    /// All except the expanded ones.
    [[nodiscard]] std::array<Paths*, 10> marked() {
        return {&opening,      &selected, &painted,  &openedSeries, &closedSeries,
                &hiddenSeries, &current,  &revealed, &top,          &expansion};
    }
};

} // namespace highwater::ui

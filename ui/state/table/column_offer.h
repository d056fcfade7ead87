#pragma once

#include "ui/state/table/layout_edit.h"

#include "core/store/published/published_trace.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace highwater::ui {

/// Quickly available facts about a trace that determine which columns of a table can be filled.
struct TraceFacts {
    bool hasRows = false;
    bool hasStacks = true;      ///< stacks of the calls in the table
    bool hasAllocStacks = true; ///< for Frees: stacks of the allocations
    bool hasEnds = true;        ///< something was freed
    bool hasThreads = true;
    bool hasSources = true; ///< the heap reports the path that served an allocation
    bool hasThreadNames = true;
    bool hasSamples = true;      ///< samples of resident memory
    bool hasPictures = true;     ///< pictures of memory
    std::string sampleNote = {}; ///< analysis::sampleNote() of the visible interval
    std::string pictureNote = {}; ///< analysis::pictureNote() of the visible interval
    TraceLacks lacks{}; ///< properties of the file, whatever its events
};
/// Checks a bounded number of sites, so it is fast enough for the GUI thread. Null: all facts hold.
[[nodiscard]] TraceFacts traceFactsOf(const store::PublishedTrace* trace, analysis::Table table);

/// A line of the column chooser.
struct ColumnOffer {
    QString name;                           ///< as WPA names it
    std::optional<analysis::Column> column; ///< nothing: only WPA has it
    LayoutZone zone = LayoutZone::Values;   ///< zone for the chosen column: Keys or Values
    QString reason;                         ///< a clause: why it cannot be filled; empty: it can
    QString definition;                     ///< a sentence; may be empty
};
/// All columns of this table, both those that WPA has and those that only this program has, in the order of the
/// chooser, keys first. Any thread.
[[nodiscard]] std::vector<ColumnOffer> columnOffers(analysis::Table table, const TraceFacts& facts);

} // namespace highwater::ui

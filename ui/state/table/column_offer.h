#pragma once

#include "ui/state/table/layout_edit.h"

#include "core/store/published/published_trace.h"

#include <QString>

#include <optional>
#include <vector>

namespace highwater::ui {

/// What a trace can say about the columns of one table, as far as that is known at a glance.
struct TraceFacts {
    bool hasRows = false;
    bool hasStacks = true;      ///< of the calls that the table is about
    bool hasAllocStacks = true; ///< of Frees: of what was freed
    bool hasEnds = true;        ///< something was freed
    bool hasThreads = true;
    bool hasSources = true; ///< the heap says by which path it served
    bool hasThreadNames = true;
    TraceLacks lacks{}; ///< of the file, whatever happened
};
/// Looks at a bounded number of places in the program, so it is quick on the GUI thread. Null: a trace that has all.
[[nodiscard]] TraceFacts traceFactsOf(const store::PublishedTrace* trace, analysis::Table table);

/// A line of the column chooser.
struct ColumnOffer {
    QString name;                           ///< as WPA names it
    std::optional<analysis::Column> column; ///< nothing: WPA has it, this program does not
    LayoutZone zone = LayoutZone::Values;   ///< where it is put when it is chosen: Keys or Values
    QString reason;                         ///< why it cannot be filled, a clause; empty: it can
    QString definition;                     ///< a sentence; may be empty
};
/// Every column that WPA has in that table and those that only this program has, in the order of offer, keys first.
/// Any thread.
[[nodiscard]] std::vector<ColumnOffer> columnOffers(analysis::Table table, const TraceFacts& facts);

} // namespace highwater::ui

#pragma once

#include "app/cli/table_tree.h"
#include "core/analysis/columns/columns.h"
#include "core/base/units.h"
#include "core/event/trace_health.h"

#include <ostream>
#include <vector>

namespace highwater::cli {

/// An answer of `table`, ready to print.
struct TableAnswer {
    analysis::Table table = analysis::Table::VirtualAlloc;
    TimeRange interval;
    std::vector<analysis::Column> keys;
    std::vector<analysis::ValueColumn> columns;
    std::vector<TreeRow> rows;
    HealthReport health;
};

/// An aligned tree. Stacks move right only where they fork, which is marked "|-".
void printTableText(const TableAnswer& answer, std::ostream& out);
/// A line per row of the tree with all keys from the root, then the values; the frames of a stack are one field
/// ("outer;inner").
void printTableCsv(const TableAnswer& answer, std::ostream& out);
/// The shape of docs/numbers.md 6.2.
void printTableJson(const TableAnswer& answer, std::ostream& out);

} // namespace highwater::cli

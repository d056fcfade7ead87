#pragma once

#include "core/analysis/table/table_query.h"
#include "core/export/table_writer.h"

#include <memory>
#include <ostream>

namespace highwater::exports {

enum class TableFormat {
    Text,       ///< for people: an aligned tree. Stacks move right only where they fork, which is marked "|-"
    Csv,        ///< a line per row with all keys from the root, then the values; a stack is one field ("outer;inner")
    JsonTree,   ///< the tree; docs/numbers.md 6.2 gives its shape
    JsonLeaves, ///< an object per row with its `keys` (stacks as lists of frames) and `values`
};

/// For answers to this query. The stream outlives the writer.
[[nodiscard]] std::unique_ptr<TableWriter> makeTableWriter(TableFormat format, const analysis::Query& query,
                                                           std::ostream& out);

} // namespace highwater::exports

#pragma once

#include "core/analysis/table/table_query.h"
#include "core/export/table_look.h"
#include "core/export/table_writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>

namespace highwater::exports {

struct TableHead;

enum class TableFormat : std::uint8_t {
    /// For people: an aligned tree; of leaves whole paths. Stacks move right only where they fork, which is marked
    /// "|-".
    Text,
    Csv,        ///< a line per row with all keys from the root, then the values; a stack is one field ("outer;inner")
    NestedJson, ///< one object; docs/numbers.md 6.2 gives its shape
    JsonLines,  ///< an object a line, each with its whole path: docs/numbers.md 6.2
};

/// All that is known of a format: both programs offer it by what stands here.
struct TableFormatSpec {
    TableFormat format;
    std::string_view word;     ///< on the command line
    std::string_view name;     ///< in menus
    std::string_view fileKind; ///< in the dialog that asks for a file's name
    std::string_view suffix;   ///< without a dot; empty: the window does not offer it
    std::unique_ptr<TableWriter> (*makeWriter)(TableHead head, TableRows rows, std::ostream& out);
};
/// In the order in which they are offered.
[[nodiscard]] std::span<const TableFormatSpec> tableFormats();
[[nodiscard]] const TableFormatSpec& specOf(TableFormat format);
/// Nothing: no format is called so.
[[nodiscard]] std::optional<TableFormat> parseTableFormat(std::string_view word);

/// For answers to this query. The stream outlives the writer.
[[nodiscard]] std::unique_ptr<TableWriter> makeTableWriter(TableFormat format, TableRows rows,
                                                           const analysis::Query& query, std::ostream& out,
                                                           TableLook look = {});

} // namespace highwater::exports

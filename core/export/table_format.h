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
    /// Readable: an aligned tree, or whole paths for leaves. Stacks are indented only where they fork, marked with
    /// "|-".
    Text,
    Csv,        ///< one line per row: all keys from the root, then the values; a stack is one field ("outer;inner")
    NestedJson, ///< one object: docs/numbers.md 6.2
    JsonLines,  ///< one object per line, each with its whole path: docs/numbers.md 6.2
};

/// Description of a format, used by both programs.
struct TableFormatSpec {
    TableFormat format;
    std::string_view word;     ///< on the command line
    std::string_view name;     ///< in menus
    std::string_view fileKind; ///< in the file dialog
    std::string_view suffix;   ///< without a dot; empty: not available in the window
    std::unique_ptr<TableWriter> (*makeWriter)(TableHead head, TableRows rows, std::ostream& out);
};
/// In display order.
[[nodiscard]] std::span<const TableFormatSpec> tableFormats();
[[nodiscard]] const TableFormatSpec& specOf(TableFormat format);
/// nullopt: unknown format.
[[nodiscard]] std::optional<TableFormat> parseTableFormat(std::string_view word);

/// Creates a writer for results of this query. The stream must outlive the writer.
[[nodiscard]] std::unique_ptr<TableWriter> makeTableWriter(TableFormat format, TableRows rows,
                                                           const analysis::Query& query, std::ostream& out,
                                                           TableLook look = {});

} // namespace highwater::exports

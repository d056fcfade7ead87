#pragma once

#include "core/analysis/table/table_query.h"
#include "core/export/json_text.h"
#include "core/export/table_look.h"
#include "core/export/table_writer.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace highwater::exports {

/// The parts of a query that all writers in this folder need.
struct TableHead {
    explicit TableHead(const analysis::Query& query, TableLook howItLooks = {});

    analysis::Table table;
    TimeRange interval;
    std::vector<analysis::Column> keys;
    std::vector<analysis::ValueColumn> columns;
    std::vector<std::string> keyNames;    ///< one per key
    std::vector<std::string> columnNames; ///< one per column
    TableLook look;
};

/// The values of a row by column name.
[[nodiscard]] Json valuesJson(const TableHead& head, const std::vector<analysis::CellValue>& values);
/// The key of a step; a time is wall clock time if there is a clock.
[[nodiscard]] std::string stepText(const TableHead& head, const PathStep& step);
/// The texts of a path for each key column: several for a stack, none for keys below the row.
[[nodiscard]] std::vector<std::vector<std::string>> textsByKey(const TableHead& head,
                                                               const std::vector<PathStep>& path);

/// "app.exe (1) / main;inner / 0x1d0000"
[[nodiscard]] std::string inOneLine(const TableHead& head, const std::vector<PathStep>& path);

[[nodiscard]] std::unique_ptr<TableWriter> makeTextWriter(TableHead head, TableRows rows, std::ostream& out);
/// The same for a tree and for leaves.
[[nodiscard]] std::unique_ptr<TableWriter> makeCsvWriter(TableHead head, TableRows rows, std::ostream& out);
[[nodiscard]] std::unique_ptr<TableWriter> makeJsonWriter(TableHead head, TableRows rows, std::ostream& out);
[[nodiscard]] std::unique_ptr<TableWriter> makeNdjsonWriter(TableHead head, TableRows rows, std::ostream& out);

} // namespace highwater::exports

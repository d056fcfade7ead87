#include "app/cli/arguments/table_presets.h"

#include "app/cli/arguments/query_arguments.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/table/standard_presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace highwater::cli {
namespace {

using analysis::Aggregation, analysis::StandardPreset, analysis::Table;

std::string keysText(const StandardPreset& preset) {
    std::vector<std::string_view> names;
    for (const auto key : preset.keys)
        names.push_back(analysis::columnName(preset.table, key));
    return fmt::format("{}", fmt::join(names, ","));
}

std::string columnsText(const StandardPreset& preset) {
    std::vector<std::string> names;
    for (const auto column : preset.columns)
        names.push_back(analysis::valueColumnName(preset.table, column));
    return fmt::format("{}", fmt::join(names, ","));
}

std::string sortText(const StandardPreset& preset) {
    std::vector<std::string> names;
    for (const auto& key : preset.sort)
        names.push_back(fmt::format("{}:{}", analysis::valueColumnName(preset.table, key.value()),
                                    key.descending ? "desc" : "asc"));
    return fmt::format("{}", fmt::join(names, ","));
}

/// The requested table, or all tables if none is given.
Result<std::vector<Table>> askedTables(const TableRequest& request) {
    if (request.table.empty()) return std::vector<Table>(analysis::kTables.begin(), analysis::kTables.end());
    const auto table = TRY(parseTableWord(request.table));
    return std::vector{table};
}

Error unknownPreset(const std::string& name, const std::vector<Table>& tables) {
    std::vector<std::string_view> names;
    for (const auto table : tables) {
        for (const auto& preset : analysis::standardPresetsOf(table)) {
            if (std::find(names.begin(), names.end(), preset.name) == names.end()) names.push_back(preset.name);
        }
    }
    return {ErrorKind::Usage,
            fmt::format("Unknown preset \"{}\"{}. Presets: {}.", name,
                        tables.size() == 1 ? fmt::format(" of the table {}", tableWord(tables.front())) : std::string(),
                        fmt::join(names, ", "))};
}

Result<const StandardPreset*> presetOf(const TableRequest& request) {
    const auto tables = TRY(askedTables(request));
    std::vector<const StandardPreset*> found;
    for (const auto table : tables) {
        if (const auto* preset = analysis::findPreset(table, request.preset)) found.push_back(preset);
    }
    if (found.empty()) return unknownPreset(request.preset, tables);
    if (found.size() == 1) return found.front();
    std::vector<std::string> words;
    for (const auto* preset : found)
        words.push_back(fmt::format("--table {}", tableWord(preset->table)));
    return Error{ErrorKind::Usage, fmt::format("Several tables have a preset \"{}\". Choose one with {}.",
                                               found.front()->name, fmt::join(words, " or "))};
}

struct ColumnLine {
    std::string name;
    std::string_view use;
    std::string meaning;
};

ColumnLine lineOf(Table table, analysis::Column column) {
    std::vector<std::string_view> names;
    for (const auto aggregation : analysis::aggregationsOf(table, column)) {
        if (aggregation != Aggregation::Own) names.push_back(analysis::aggregationName(aggregation));
    }
    auto meaning = std::string(analysis::columnDefinition(table, column));
    if (!names.empty()) meaning += fmt::format("{}[{}]", meaning.empty() ? "" : " ", fmt::join(names, ", "));
    return {std::string(analysis::columnName(table, column)), analysis::isAggregate(column) ? "no" : "yes", meaning};
}

/// Prints a titled list per requested table.
template <typename WriteList>
Result<void> listEach(const TableRequest& request, std::ostream& out, WriteList writeList) {
    const auto tables = TRY(askedTables(request));
    const auto* separator = "";
    for (const auto table : tables) {
        out << std::exchange(separator, "\n") << fmt::format("--table {}: {}\n\n", tableWord(table), tableTitle(table));
        writeList(table);
    }
    return {};
}

} // namespace

Result<TableRequest> withPreset(TableRequest request) {
    if (request.preset.empty()) return request;
    const auto found = TRY(presetOf(request));
    const auto& preset = *found;
    const auto give = [](std::string& word, std::string text) {
        if (word.empty()) word = std::move(text);
    };
    give(request.table, std::string(tableWord(preset.table)));
    give(request.by, keysText(preset));
    give(request.columns, columnsText(preset));
    give(request.sort, sortText(preset));
    return request;
}

Result<void> listColumns(const TableRequest& request, std::ostream& out) {
    return listEach(request, out, [&out](Table table) {
        std::vector<ColumnLine> lines{{"Column", "--by", "Meaning [aggregations: Max(Size) and the like]"}};
        for (const auto column : analysis::columnsOf(table))
            lines.push_back(lineOf(table, column));
        std::size_t width = 0;
        for (const auto& line : lines)
            width = std::max(width, line.name.size());
        for (const auto& line : lines)
            out << fmt::format("{:<{}}  {:<4}  {}\n", line.name, width, line.use, line.meaning);
    });
}

Result<void> listPresets(const TableRequest& request, std::ostream& out) {
    return listEach(request, out, [&out](Table table) {
        for (const auto& preset : analysis::standardPresetsOf(table)) {
            out << fmt::format("{}\n    --by \"{}\" --columns \"{}\" --sort \"{}\"\n", preset.name, keysText(preset),
                               columnsText(preset), sortText(preset));
        }
    });
}

} // namespace highwater::cli

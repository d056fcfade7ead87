#include "core/export/table_head.h"

#include <fmt/format.h>

namespace highwater::exports {

TableHead::TableHead(const analysis::Query& query, TableLook howItLooks)
    : table(query.table), interval(query.interval), keys(query.keys), columns(query.columns), look(howItLooks) {
    for (const auto key : keys) {
        keyNames.emplace_back(analysis::columnName(table, key));
    }
    for (const auto column : columns) {
        columnNames.push_back(analysis::valueColumnName(table, column));
    }
}

Json valuesJson(const TableHead& head, const std::vector<analysis::CellValue>& values) {
    auto json = Json::object();
    for (std::size_t i = 0; i < head.columns.size(); ++i)
        json[head.columnNames[i]] = cellJson(head.columns[i], values[i]);
    return json;
}

std::string stepText(const TableHead& head, const PathStep& step) {
    const bool isTime = step.time && isOnClock(step.column, *step.time, head.look);
    return isTime ? head.look.clock->text(*step.time) : step.text;
}

std::vector<std::vector<std::string>> textsByKey(const TableHead& head, const std::vector<PathStep>& path) {
    std::vector<std::vector<std::string>> texts(head.keys.size());
    std::size_t key = 0;
    for (const auto& step : path) {
        while (key + 1 < head.keys.size() && head.keys[key] != step.column) {
            ++key;
        }
        texts[key].push_back(stepText(head, step));
    }
    return texts;
}

std::string inOneLine(const TableHead& head, const std::vector<PathStep>& path) {
    std::string line;
    for (const auto& texts : textsByKey(head, path)) {
        if (texts.empty()) continue;
        line += line.empty() ? "" : " / ";
        line += fmt::format("{}", fmt::join(texts, ";"));
    }
    return line;
}

} // namespace highwater::exports

#pragma once

#include "core/analysis/query/query_expression.h"

#include <map>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A row with the values that a test gives it. Other columns have no value.
struct TestRow final : QueriedRow {
    std::map<Column, CellValue> values;
    std::map<Column, std::vector<std::string_view>> stacks;
    std::optional<std::string_view> series;

    [[nodiscard]] CellValue value(Column column) const override {
        const auto found = values.find(column);
        return found == values.end() ? CellValue{} : found->second;
    }
    [[nodiscard]] std::span<const std::string_view> frames(Column column) const override {
        const auto found = stacks.find(column);
        return found == stacks.end() ? std::span<const std::string_view>{} : found->second;
    }
    [[nodiscard]] std::optional<std::string_view> seriesName() const override { return series; }
};

} // namespace highwater::analysis

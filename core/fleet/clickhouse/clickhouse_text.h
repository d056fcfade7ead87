#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace highwater::fleet {

/// Quotes any text for ClickHouse's SQL.
[[nodiscard]] std::string quotedForClickHouse(std::string_view text);
/// Whether a text has only letters, digits and _, so that it can be a table name without quotes; not empty.
[[nodiscard]] bool isIdentifier(std::string_view text);

/// A trusted part of a statement.
struct SqlWord {
    std::string text;
};
using SqlValue = std::variant<std::int64_t, std::uint64_t, std::string, std::vector<std::string>,
                              std::vector<std::uint64_t>, SqlWord>;

/// Inserts values for the placeholders of a statement, {name:Type} as in newer servers: 18.16 does not support them.
/// Placeholders inside values are not replaced. A missing value is a programming error (assert).
[[nodiscard]] std::string filledIn(std::string_view sql, const std::map<std::string, SqlValue, std::less<>>& values);

/// Splits a file into its statements, each of which ends with a line that contains only ';'. Keeps comments.
[[nodiscard]] std::vector<std::string> statementsOf(std::string_view sql);

} // namespace highwater::fleet

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace highwater::fleet {

/// A text as ClickHouse's SQL has it, in quotes, whatever is in it.
[[nodiscard]] std::string quotedForClickHouse(std::string_view text);
/// Letters, digits and _, which need no quotes as the name of a table; not empty.
[[nodiscard]] bool isIdentifier(std::string_view text);

/// Part of a statement, of the program's own making.
struct SqlWord {
    std::string text;
};
using SqlValue = std::variant<std::int64_t, std::uint64_t, std::string, std::vector<std::string>,
                              std::vector<std::uint64_t>, SqlWord>;

/// Puts values in the places of a statement, which are written {name:Type} as newer servers know them: 18.16 has none.
/// Places inside values are none. What has no value is an error of ours (an assert).
[[nodiscard]] std::string filledIn(std::string_view sql, const std::map<std::string, SqlValue, std::less<>>& values);

/// The statements of a file: each ends with a line that is nothing but ';'. Comments stay.
[[nodiscard]] std::vector<std::string> statementsOf(std::string_view sql);

} // namespace highwater::fleet

#include "core/fleet/clickhouse/clickhouse_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::fleet {
namespace {

std::string textOf(const SqlValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return quotedForClickHouse(*text);
    if (const auto* word = std::get_if<SqlWord>(&value)) return word->text;
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
    if (const auto* numbers = std::get_if<std::vector<std::uint64_t>>(&value))
        return fmt::format("[{}]", fmt::join(*numbers, ","));
    std::string list = "[";
    for (const auto& text : std::get<std::vector<std::string>>(value))
        list += (list.size() > 1 ? "," : "") + quotedForClickHouse(text);
    return list + "]";
}

/// The name in "{name:Type}" at the start of the text.
std::string_view placeAt(std::string_view sql) {
    std::size_t end = 1;
    while (end < sql.size() && (isIdentifier(sql.substr(end, 1))))
        ++end;
    return end > 1 && end < sql.size() && sql[end] == ':' ? sql.substr(1, end - 1) : std::string_view();
}

} // namespace

std::string quotedForClickHouse(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            (quoted += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            quoted += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
        else
            quoted += c;
    }
    return quoted += '\'';
}

bool isIdentifier(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

std::string filledIn(std::string_view sql, const std::map<std::string, SqlValue, std::less<>>& values) {
    std::string filled;
    bool isComment = false;
    for (std::size_t at = 0; at < sql.size(); ++at) {
        if (sql.substr(at).starts_with("--")) isComment = true;
        if (sql[at] == '\n') isComment = false;
        const auto name = sql[at] == '{' && !isComment ? placeAt(sql.substr(at)) : std::string_view();
        if (name.empty()) {
            if (!isComment) filled += sql[at];
            continue;
        }
        const auto value = values.find(name);
        assert(value != values.end());
        if (value != values.end()) filled += textOf(value->second);
        at = sql.find('}', at);
    }
    return filled;
}

std::vector<std::string> statementsOf(std::string_view sql) {
    std::vector<std::string> statements(1);
    while (!sql.empty()) {
        const auto end = std::min(sql.find('\n'), sql.size() - 1) + 1;
        const auto line = sql.substr(0, end);
        sql.remove_prefix(end);
        if (trimmed(line) == ";")
            statements.emplace_back();
        else
            statements.back() += line;
    }
    std::erase_if(statements, [](const auto& statement) { return trimmed(statement).empty(); });
    return statements;
}

} // namespace highwater::fleet

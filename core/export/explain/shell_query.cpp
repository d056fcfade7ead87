#include "core/export/explain/shell_query.h"

#include "core/analysis/query/query_expression.h"

namespace highwater::exports {
namespace {

/// The end of the quoted text that starts at `begin`, after its closing quote. A doubled quote is part of the text.
std::size_t endOfText(std::string_view query, std::size_t begin) {
    const char quote = query[begin];
    for (auto at = begin + 1; at < query.size(); ++at) {
        if (query[at] != quote) continue;
        if (at + 1 == query.size() || query[at + 1] != quote) return at + 1;
        ++at;
    }
    return query.size();
}

/// Converts a text in double quotes to single quotes.
std::string inSingleQuotes(std::string_view text) {
    std::string single = "'";
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        if (text[at] == '"') ++at; // first of a doubled quote
        if (text[at] == '\'') single += '\'';
        single += text[at];
    }
    return single + '\'';
}

/// Single quotes start a text only at the start of a word: it's is a word.
bool beginsText(std::string_view query, std::size_t at) {
    if (query[at] == '"') return true;
    return query[at] == '\'' &&
           (at == 0 || std::string_view(" \t(:=<>~!*]").find(query[at - 1]) != std::string_view::npos);
}

std::string withSingleQuotes(std::string_view query) {
    std::string result;
    for (std::size_t at = 0; at < query.size();) {
        if (!beginsText(query, at)) {
            result += query[at++];
            continue;
        }
        const auto end = endOfText(query, at);
        const auto text = query.substr(at, end - at);
        result += text.front() == '"' ? inSingleQuotes(text) : std::string(text);
        at = end;
    }
    return result;
}

} // namespace

std::string queryFor(Shell shell, analysis::Table table, const std::string& query) {
    if (shell == Shell::Posix || query.find('"') == std::string::npos) return query;
    using analysis::QueryExpression;
    auto single = withSingleQuotes(query);
    const auto before = QueryExpression::parse(table, query), after = QueryExpression::parse(table, single);
    return before.hasValue() && after.hasValue() && before.value() == after.value() ? single : query;
}

} // namespace highwater::exports

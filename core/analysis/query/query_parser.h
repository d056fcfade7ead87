#pragma once

#include "core/analysis/columns/column_set.h"
#include "core/analysis/query/query_node.h"
#include "core/analysis/query/query_text.h"

#include <optional>
#include <string>
#include <string_view>

namespace highwater::analysis {

/// Parses one query, once. Internal: use QueryExpression::parse.
///     query     = or            or = and { OR and }          and = not { [AND] not }        not = { NOT } primary
///     primary   = "(" or ")" | column [":"] operator value | text
class QueryParser {
  public:
    QueryParser(Table table, std::string_view text);

    /// Nothing: blank text, or error().
    std::optional<QueryNode> parse();
    [[nodiscard]] const std::optional<QueryError>& error() const { return error_; }

    [[nodiscard]] ColumnSet columns() const { return columns_; }
    [[nodiscard]] bool usesSeriesName() const { return usesSeriesName_; }
    [[nodiscard]] std::size_t textConditionCount() const { return textConditionCount_; }

  private:
    struct Operator;
    struct Span {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    struct Value {
        std::string text;
        Span span;
        bool isNothing = false; ///< []
    };
    static const Operator kOperators[];

    std::optional<QueryNode> parseOr(unsigned depth);
    std::optional<QueryNode> parseAnd(unsigned depth);
    std::optional<QueryNode> parseNot(unsigned depth);
    std::optional<QueryNode> parsePrimary(unsigned depth);
    std::optional<QueryNode> parseBareText();
    std::optional<QueryNode> parseCondition(QueryCondition target, std::size_t begin);
    /// The operator after a column, if any, and its span for sentences.
    const Operator* readOperator(bool ofText, Span& span);
    std::optional<Value> readValue(bool ofText, Span op);
    std::optional<std::string> readQuoted();
    std::optional<QueryNode> textNode(QueryCondition condition, TextOperator op, const Value& value);
    std::optional<QueryNode> numberNode(QueryCondition condition, NumberOperator op, const Value& value);

    /// A column named here without brackets and followed by an operator; moves past it.
    std::optional<QueryCondition> readBareColumn();
    std::optional<QueryCondition> readBracketedColumn();
    std::optional<QueryCondition> targetOf(std::string_view name) const;

    void skipBlanks();
    [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    /// The word at this position up to a blank, parenthesis or double quote.
    [[nodiscard]] std::string_view wordHere() const;
    /// Whether the word here, if no operator follows, is "AND", "OR" or "NOT".
    [[nodiscard]] bool keywordHere(std::string_view keyword) const;
    [[nodiscard]] bool anyKeywordHere() const;
    bool takeKeyword(std::string_view keyword);
    [[nodiscard]] std::string_view textOf(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
    std::nullopt_t fail(std::string sentence, Span span);
    /// Fails for a word in the place of a column; empty: there is no word.
    std::nullopt_t failForName(std::string_view name, std::size_t begin);

    Table table_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<QueryError> error_;
    ColumnSet columns_;
    bool usesSeriesName_ = false;
    std::size_t textConditionCount_ = 0;
};

} // namespace highwater::analysis

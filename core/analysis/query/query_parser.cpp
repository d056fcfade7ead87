#include "core/analysis/query/query_parser.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/query/query_columns.h"
#include "core/base/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::string_view kTextOperators = ":=, :<>, :~= (contains), :~! (does not contain), :~< (starts with), :~> "
                                            "(ends with), :~ (* and ?) or :* (regular expression)";
constexpr std::string_view kNumberOperators = ":=, :<>, :<, :<=, :> or :>=";

bool isBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

bool isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

/// The characters of column names.
bool isNameCharacter(char c) {
    return isLetterOrDigit(c) || std::string_view(" \t()-%#._/").find(c) != std::string_view::npos;
}

/// For error sentences: long input is truncated; the position shows the rest.
std::string cited(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    return '"' + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "...\"" : "\"");
}

/// If a word looks like a condition on an unknown column, such as "Foo>100" or "Foo~=bar": its name; empty for an
/// operator alone. Function names ("vector<int>", "operator==", "~Widget") do not match.
std::optional<std::string_view> nameBeforeOperator(std::string_view word) {
    constexpr std::string_view kSigns = "<>=!~";
    const auto begin = word.find_first_of(kSigns);
    if (begin == std::string_view::npos) return std::nullopt;
    const auto end = std::min(word.find_first_not_of(kSigns, begin), word.size());
    const auto name = word.substr(0, begin), sign = word.substr(begin, end - begin), value = word.substr(end);
    if (begin == 0) return value.empty() ? std::optional(name) : std::nullopt;
    const bool isName = std::all_of(name.begin(), name.end(), [](char c) { return isLetterOrDigit(c) || c == '_'; });
    if (!isName || name.ends_with("operator")) return std::nullopt;
    if (sign == "=" || sign == "==" || sign == "!=" || sign == "~=" || sign == "~~") return name;
    const bool isOfNumbers = sign == "<" || sign == ">" || sign == "<=" || sign == ">=" || sign == "<>";
    const auto digits = std::min(value.find_first_not_of("0123456789."), value.size());
    const bool isNumber = digits > 0 && (digits == value.size() || isUnit(value.substr(digits)));
    return isOfNumbers && isNumber ? std::optional(name) : std::nullopt;
}

QueryNode connected(QueryNode::Kind kind, std::vector<QueryNode> children) {
    if (children.size() == 1) return std::move(children.front());
    QueryNode node{kind, {}, std::nullopt};
    for (auto& child : children) {
        if (child.kind == kind) {
            std::move(child.children.begin(), child.children.end(), std::back_inserter(node.children));
        } else {
            node.children.push_back(std::move(child));
        }
    }
    return node;
}

} // namespace

struct QueryParser::Operator {
    std::string_view sign;
    std::optional<TextOperator> ofText;
    std::optional<NumberOperator> ofNumber;
    bool negated = false;
};

/// Longer signs before their prefixes.
const QueryParser::Operator QueryParser::kOperators[] = {
    {"<>", TextOperator::Equals, NumberOperator::Equals, true},
    {"!=", TextOperator::Equals, NumberOperator::Equals, true},
    {"<=", {}, NumberOperator::LessOrEqual, false},
    {">=", {}, NumberOperator::GreaterOrEqual, false},
    {"~=", TextOperator::Contains, {}, false},
    {"~~", TextOperator::Contains, {}, false},
    {"~!", TextOperator::Contains, {}, true},
    {"~<", TextOperator::StartsWith, {}, false},
    {"~>", TextOperator::EndsWith, {}, false},
    {"==", TextOperator::Equals, NumberOperator::Equals, false},
    {"=", TextOperator::Equals, NumberOperator::Equals, false},
    {"<", {}, NumberOperator::Less, false},
    {">", {}, NumberOperator::Greater, false},
    {"~", TextOperator::Wildcard, {}, false},
    {"*", TextOperator::Regex, {}, false},
    {"", TextOperator::Contains, NumberOperator::Equals, false}, // only after a colon
};

QueryParser::QueryParser(Table table, std::string_view text) : table_(table), text_(text) {}

std::optional<QueryNode> QueryParser::parse() {
    if (text_.size() > kLongestQuery) {
        return fail("The query is too long.", {kLongestQuery, text_.size()});
    }
    skipBlanks();
    if (atEnd()) return std::nullopt;
    auto node = parseOr(0);
    if (node && !atEnd()) return fail("This ) has no matching (.", {at_, at_ + 1});
    return node;
}

std::optional<QueryNode> QueryParser::parseOr(unsigned depth) {
    std::vector<QueryNode> children;
    do {
        auto child = parseAnd(depth);
        if (!child) return std::nullopt;
        children.push_back(*std::move(child));
    } while (takeKeyword("OR"));
    return connected(QueryNode::Kind::Or, std::move(children));
}

std::optional<QueryNode> QueryParser::parseAnd(unsigned depth) {
    std::vector<QueryNode> children;
    do {
        auto child = parseNot(depth);
        if (!child) return std::nullopt;
        children.push_back(*std::move(child));
        skipBlanks();
    } while (takeKeyword("AND") || (!atEnd() && peek() != ')' && !keywordHere("OR")));
    return connected(QueryNode::Kind::And, std::move(children));
}

std::optional<QueryNode> QueryParser::parseNot(unsigned depth) {
    skipBlanks();
    const auto begin = at_;
    if (depth > kDeepestNesting) return fail("The query is nested too deeply.", {begin, begin + 1});
    if (!takeKeyword("NOT")) return parsePrimary(depth);
    auto child = parseNot(depth + 1);
    if (!child) return std::nullopt;
    QueryNode node{QueryNode::Kind::Not, {}, std::nullopt};
    node.children.push_back(*std::move(child));
    return node;
}

std::optional<QueryNode> QueryParser::parsePrimary(unsigned depth) {
    const auto begin = at_;
    if (atEnd()) return fail("The query ends where a condition is expected.", {begin, begin});
    if (peek() == ')') return fail("A condition is missing before this ).", {begin, begin + 1});
    if (anyKeywordHere()) {
        const Span word{begin, begin + wordHere().size()};
        return fail("A condition is missing before " + std::string(textOf(word)) + '.', word);
    }
    if (peek() == '(') {
        ++at_;
        auto node = parseOr(depth + 1);
        if (!node) return std::nullopt;
        if (peek() != ')') return fail("This ( is not closed.", {begin, begin + 1});
        ++at_;
        return node;
    }
    if (peek() == '[') {
        const auto target = readBracketedColumn();
        return target ? parseCondition(*target, begin) : std::nullopt;
    }
    if (const auto target = readBareColumn()) return parseCondition(*target, begin);
    return parseBareText();
}

std::optional<QueryNode> QueryParser::parseBareText() {
    Value value{{}, {at_, at_}};
    if (peek() == '"' || peek() == '\'') {
        auto text = readQuoted();
        if (!text) return std::nullopt;
        value.text = *std::move(text);
        value.span.end = at_;
        skipBlanks();
        if (peek() == ':') return fail("Put column names in [ ], not in quotes.", value.span);
        return textNode({}, TextOperator::Contains, value);
    }
    const auto word = wordHere();
    // "ntdll!std::vector" and "C:\folder" are words. Any other colon ends the name of a column.
    auto colon = word.find(':');
    while (colon != std::string_view::npos && colon + 1 < word.size() && colon > 0) {
        const bool isScope = word[colon + 1] == ':' && colon + 2 < word.size() &&
                             (isLetterOrDigit(word[colon + 2]) ||
                              std::string_view("_~<`$").find(word[colon + 2]) != std::string_view::npos);
        const bool isPath = word[colon + 1] == '\\' || word[colon + 1] == '/';
        if (!isScope && !isPath) break;
        colon = word.find(':', colon + 2);
    }
    at_ += std::min(colon, word.size());
    value.span.end = at_;
    value.text = textOf(value.span);
    if (const auto name = nameBeforeOperator(value.text)) return failForName(*name, value.span.begin);
    skipBlanks();
    if (peek() == ':') {
        if (value.text.empty()) return fail("A column name is missing before this colon.", {at_, at_ + 1});
        return fail(std::string(tableTitle(table_)) + " has no column " + cited(value.text) + '.' +
                        columnSuggestion(table_, value.text),
                    value.span);
    }
    return textNode({}, TextOperator::Contains, value);
}

std::nullopt_t QueryParser::failForName(std::string_view name, std::size_t begin) {
    constexpr std::string_view kQuotes = " To search for the text, put it in quotes.";
    if (name.empty()) {
        return fail("A column name is missing before this operator." + std::string(kQuotes), {begin, begin + 1});
    }
    return fail(std::string(tableTitle(table_)) + " has no column " + cited(name) + '.' +
                    columnSuggestion(table_, name) + std::string(kQuotes),
                {begin, begin + name.size()});
}

std::optional<QueryNode> QueryParser::parseCondition(QueryCondition target, std::size_t begin) {
    if (target.target == QueryCondition::Target::Column && specOf(target.column).isOfWholeGroups) {
        return fail(std::string(columnName(table_, target.column)) +
                        " is a value of groups, not of single allocations. Sort by it instead.",
                    {begin, at_});
    }
    const bool ofText =
        target.target == QueryCondition::Target::SeriesName || valueKind(target.column) == ValueKind::Text;
    Span sign;
    const auto* op = readOperator(ofText, sign);
    if (op == nullptr) return std::nullopt;
    const auto value = readValue(ofText, sign);
    if (!value) return std::nullopt;
    target.negated = op->negated;
    const bool isEquality = op->ofNumber == NumberOperator::Equals && !op->sign.empty();
    if (value->isNothing && !isEquality) {
        return fail("[] means no value and requires the operator := or :<>.", {sign.begin, value->span.end});
    }
    const bool isColumn = target.target == QueryCondition::Target::Column;
    const bool isEmptyText = isEquality && value->text.empty() && (!ofText || (isColumn && isStack(target.column)));
    if (isColumn && (value->isNothing || isEmptyText)) {
        columns_.add(target.column);
        target.test = QueryCondition::NoValue{};
        return QueryNode{QueryNode::Kind::Condition, {}, std::move(target)};
    }
    return ofText ? textNode(std::move(target), *op->ofText, *value)
                  : numberNode(std::move(target), *op->ofNumber, *value);
}

const QueryParser::Operator* QueryParser::readOperator(bool ofText, Span& span) {
    skipBlanks();
    span.begin = at_;
    const bool hasColon = peek() == ':';
    if (hasColon) ++at_;
    if (hasColon) skipBlanks();
    const auto rest = text_.substr(std::min(at_, text_.size()));
    const auto* op = std::find_if(std::begin(kOperators), std::end(kOperators), [rest](const Operator& candidate) {
        return rest.substr(0, candidate.sign.size()) == candidate.sign;
    });
    const auto after = at_ + op->sign.size();
    const auto oddEnd = std::min(text_.find_first_not_of("=<>!$&|^:", after), text_.size());
    if (oddEnd > after) {
        fail(cited(textOf({span.begin, oddEnd})) + " is not an operator. Use " +
                 std::string(ofText ? kTextOperators : kNumberOperators) +
                 ". Put text that starts like an operator in quotes.",
             {span.begin, oddEnd});
        return nullptr;
    }
    const auto end = text_.find_last_not_of(kBlanks, after - 1) + 1;
    if (op->sign.empty() && (!hasColon || after >= text_.size())) {
        fail("An operator is missing after the column. Use " + std::string(ofText ? kTextOperators : kNumberOperators) +
                 '.',
             {std::min(span.begin, end), std::min(span.begin, end) + (hasColon ? 1 : 0)});
        return nullptr;
    }
    if (ofText ? !op->ofText : !op->ofNumber) {
        fail(ofText ? "This column contains text. Use " + std::string(kTextOperators) + '.'
                    : "This column contains numbers. Use " + std::string(kNumberOperators) + '.',
             {span.begin, after});
        return nullptr;
    }
    at_ = after;
    span.end = std::max(end, span.begin + 1);
    return op;
}

std::optional<QueryParser::Value> QueryParser::readValue(bool ofText, Span op) {
    skipBlanks();
    Value value{{}, {at_, at_}};
    if (peek() == '"' || peek() == '\'') {
        auto text = readQuoted();
        if (!text) return std::nullopt;
        value.text = ofText ? *std::move(text) : std::string(trimmed(*text));
        value.span.end = at_;
        return value;
    }
    if (peek() == '[' && peek(1) == ']') {
        at_ += 2;
        value.span.end = at_;
        value.isNothing = true;
        return value;
    }
    const auto word = wordHere();
    if (word.empty() || anyKeywordHere()) {
        return fail("A value is missing after " + std::string(textOf(op)) + '.', {op.end, op.end});
    }
    value.text = word;
    at_ += word.size();
    value.span.end = at_;
    if (ofText || word.back() < '0' || word.back() > '9') return value;
    // "20 MB": the unit of a number may be separate.
    skipBlanks();
    if (const auto unit = wordHere(); isUnit(unit)) {
        at_ += unit.size();
        value.text += unit;
        value.span.end = at_;
    }
    return value;
}

std::optional<std::string> QueryParser::readQuoted() {
    const auto begin = at_;
    const char quote = text_[at_++];
    std::string result;
    while (!atEnd()) {
        if (peek() == quote && peek(1) != quote) {
            ++at_;
            return result;
        }
        if (peek() == quote) ++at_;
        result += text_[at_++];
    }
    return fail(std::string("This ") + quote + " is not closed.", {begin, text_.size()});
}

std::optional<QueryNode> QueryParser::textNode(QueryCondition condition, TextOperator op, const Value& value) {
    auto text = value.text;
    if (op == TextOperator::Wildcard && text.find_first_of("*?") == std::string::npos) op = TextOperator::Contains;
    if (condition.target == QueryCondition::Target::SeriesName) {
        usesSeriesName_ = true;
        const auto column = findColumn(table_, text); // an alias is replaced by the column's own name
        if (column && op == TextOperator::Equals) text = columnName(table_, *column);
    } else if (condition.target == QueryCondition::Target::Column) {
        columns_.add(condition.column);
    } else {
        for (const auto column : textColumnsOf(table_))
            columns_.add(column);
    }
    auto test = TextCondition::create(op, std::move(text), textConditionCount_);
    if (!test.hasValue()) return fail(test.error().message, value.span);
    ++textConditionCount_;
    condition.test = std::move(test).value();
    return QueryNode{QueryNode::Kind::Condition, {}, std::move(condition)};
}

std::optional<QueryNode> QueryParser::numberNode(QueryCondition condition, NumberOperator op, const Value& value) {
    auto test = NumberCondition::create(valueKind(condition.column), op, value.text);
    if (!test.hasValue()) return fail(test.error().message, value.span);
    columns_.add(condition.column);
    condition.test = std::move(test).value();
    return QueryNode{QueryNode::Kind::Condition, {}, std::move(condition)};
}

std::optional<QueryCondition> QueryParser::targetOf(std::string_view name) const {
    if (equalsIgnoringCase(name, kSeriesName)) return QueryCondition{QueryCondition::Target::SeriesName, {}, false, {}};
    const auto column = findColumn(table_, name);
    if (!column) return std::nullopt;
    return QueryCondition{QueryCondition::Target::Column, *column, false, {}};
}

std::optional<QueryCondition> QueryParser::readBareColumn() {
    constexpr std::size_t kLongestName = 64;
    auto end = at_;
    while (end < text_.size() && end - at_ <= kLongestName && isNameCharacter(text_[end]))
        ++end;
    if (end >= text_.size() || std::string_view(":<>=!~").find(text_[end]) == std::string_view::npos)
        return std::nullopt;
    if (text_.substr(end, 2) == "::" || (text_[end] == '!' && text_.substr(end, 2) != "!=")) return std::nullopt;
    auto target = targetOf(trimmed(text_.substr(at_, end - at_)));
    if (target) at_ = end;
    return target;
}

std::optional<QueryCondition> QueryParser::readBracketedColumn() {
    const auto begin = at_;
    const auto close = text_.find(']', begin);
    if (close == std::string_view::npos) {
        fail("This [ is not closed. Put column names in [ ].", {begin, begin + 1});
        return std::nullopt;
    }
    at_ = close + 1;
    const auto name = trimmed(text_.substr(begin + 1, close - begin - 1));
    auto target = targetOf(name);
    if (!target) {
        fail(std::string(tableTitle(table_)) + " has no column " + cited(name) + '.' + columnSuggestion(table_, name),
             {begin, close + 1});
    }
    return target;
}

void QueryParser::skipBlanks() {
    while (!atEnd() && isBlank(text_[at_]))
        ++at_;
}

std::string_view QueryParser::wordHere() const {
    auto end = at_;
    while (end < text_.size() && !isBlank(text_[end]) && text_[end] != '(' && text_[end] != ')' && text_[end] != '"')
        ++end;
    return text_.substr(std::min(at_, text_.size()), end - at_);
}

bool QueryParser::keywordHere(std::string_view keyword) const {
    auto word = wordHere();
    if (word.size() > keyword.size() && (word[keyword.size()] == '[' || word[keyword.size()] == '\'')) {
        word = word.substr(0, keyword.size());
    }
    return equalsIgnoringCase(word, keyword);
}

bool QueryParser::anyKeywordHere() const { return keywordHere("AND") || keywordHere("OR") || keywordHere("NOT"); }

bool QueryParser::takeKeyword(std::string_view keyword) {
    skipBlanks();
    if (!keywordHere(keyword)) return false;
    at_ += keyword.size();
    return true;
}

std::nullopt_t QueryParser::fail(std::string sentence, Span span) {
    if (!error_) error_ = QueryError{std::move(sentence), span.begin, span.end - span.begin};
    return std::nullopt;
}

} // namespace highwater::analysis

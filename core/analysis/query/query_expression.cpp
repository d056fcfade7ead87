#include "core/analysis/query/query_expression.h"

#include "core/analysis/query/query_columns.h"
#include "core/analysis/query/query_node.h"
#include "core/analysis/query/query_parser.h"

#include <algorithm>

namespace highwater::analysis {

struct QueryExpression::Parts {
    Table table = Table::VirtualAlloc;
    std::optional<QueryNode> root;
    std::vector<Column> textColumns;
    ColumnSet columns;
    bool usesSeriesName = false;
    std::size_t textConditionCount = 0;
};

namespace {

Truth truthOf(bool holds) { return holds ? Truth::True : Truth::False; }

Truth negationOf(Truth truth) { return truth == Truth::Unknown ? truth : truthOf(truth == Truth::False); }

std::string textOf(CellValue value) {
    if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    return {};
}

std::optional<std::int64_t> numberOf(const CellValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    const auto* time = std::get_if<TraceTime>(&value);
    if (time == nullptr || *time == kNever || *time == kBeforeTrace) return std::nullopt;
    return time->ns;
}

Outcomes negationOf(Outcomes outcomes) { return {outcomes.canFail, outcomes.canHold, outcomes.canBeUnknown}; }

Outcomes outcomesOf(const QueryNode& node, const std::function<Outcomes(const QueryCondition&)>& ofCondition) {
    switch (node.kind) {
    case QueryNode::Kind::Condition: {
        const auto outcomes = ofCondition(*node.condition);
        return node.condition->negated ? negationOf(outcomes) : outcomes;
    }
    case QueryNode::Kind::Not:
        return negationOf(outcomesOf(node.children.front(), ofCondition));
    default:
        break;
    }
    // By De Morgan, an Or is an And of the negations.
    const bool isAnd = node.kind == QueryNode::Kind::And;
    Outcomes result{true, false, false};
    bool canAvoidFailing = true;
    for (const auto& child : node.children) {
        auto outcomes = outcomesOf(child, ofCondition);
        if (!isAnd) outcomes = negationOf(outcomes);
        const bool isDecided = outcomes == Outcomes{false, true, false};
        if (isDecided) return isAnd ? outcomes : negationOf(outcomes);
        result.canHold = result.canHold && outcomes.canHold;
        result.canFail = result.canFail || outcomes.canFail;
        result.canBeUnknown = result.canBeUnknown || outcomes.canBeUnknown;
        canAvoidFailing = canAvoidFailing && (outcomes.canHold || outcomes.canBeUnknown);
    }
    result.canBeUnknown = result.canBeUnknown && canAvoidFailing;
    return isAnd ? result : negationOf(result);
}

/// Evaluates one query for one row.
class Evaluation {
  public:
    /// Without `known`, every column is known, and a missing series name is empty.
    Evaluation(const QueriedRow& row, const std::vector<Column>& textColumns, std::optional<ColumnSet> known)
        : row_(row), textColumns_(textColumns), known_(known) {}

    [[nodiscard]] Truth of(const QueryNode& node) const {
        switch (node.kind) {
        case QueryNode::Kind::Condition:
            return of(*node.condition);
        case QueryNode::Kind::Not:
            return negationOf(of(node.children.front()));
        case QueryNode::Kind::And:
            return connected(node, Truth::False);
        case QueryNode::Kind::Or:
            break;
        }
        return connected(node, Truth::True);
    }

  private:
    [[nodiscard]] Truth connected(const QueryNode& node, Truth decisive) const {
        auto result = negationOf(decisive);
        for (const auto& child : node.children) {
            const auto truth = of(child);
            if (truth == decisive) return decisive;
            if (truth == Truth::Unknown) result = truth;
        }
        return result;
    }

    [[nodiscard]] Truth of(const QueryCondition& condition) const {
        auto truth = Truth::False;
        switch (condition.target) {
        case QueryCondition::Target::Column:
            truth = ofColumn(condition);
            break;
        case QueryCondition::Target::AnyText:
            truth = ofAnyText(std::get<TextCondition>(condition.test));
            break;
        case QueryCondition::Target::SeriesName:
            truth = ofSeriesName(std::get<TextCondition>(condition.test));
            break;
        }
        return condition.negated ? negationOf(truth) : truth;
    }

    [[nodiscard]] bool isKnown(Column column) const { return !known_ || known_->contains(column); }

    [[nodiscard]] Truth ofColumn(const QueryCondition& condition) const {
        if (!isKnown(condition.column)) return Truth::Unknown;
        if (const auto* text = std::get_if<TextCondition>(&condition.test))
            return truthOf(textHolds(condition.column, *text));
        if (isStack(condition.column)) return truthOf(row_.frames(condition.column).empty());
        return truthOf(holds(condition, row_.value(condition.column)));
    }

    [[nodiscard]] bool textHolds(Column column, const TextCondition& condition) const {
        return isStack(column) ? row_.anyFrame(column, condition) : row_.textMatches(column, condition);
    }

    [[nodiscard]] Truth ofAnyText(const TextCondition& condition) const {
        auto result = Truth::False;
        for (const auto column : textColumns_) {
            if (!isKnown(column)) {
                result = Truth::Unknown;
            } else if (textHolds(column, condition)) {
                return Truth::True;
            }
        }
        return result;
    }

    [[nodiscard]] Truth ofSeriesName(const TextCondition& condition) const {
        const auto name = row_.seriesName();
        if (!name && known_) return Truth::Unknown;
        return truthOf(condition.matches(name.value_or(std::string_view())));
    }

    const QueriedRow& row_;
    const std::vector<Column>& textColumns_;
    std::optional<ColumnSet> known_;
};

void readFramesAlso(QueryNode& node, OtherReading reading) {
    for (auto& child : node.children)
        readFramesAlso(child, reading);
    if (!node.condition) return;
    auto& condition = *node.condition;
    if (condition.target != QueryCondition::Target::Column || !isStack(condition.column)) return;
    if (const auto* text = std::get_if<TextCondition>(&condition.test)) condition.test = text->alsoOf(reading);
}

std::string_view operatorText(const TextCondition& condition, bool negated) {
    switch (condition.op()) {
    case TextOperator::Equals:
        return negated ? ":<>" : ":=";
    case TextOperator::Contains:
        return negated ? ":~!" : ":~=";
    case TextOperator::StartsWith:
        return ":~<";
    case TextOperator::EndsWith:
        return ":~>";
    case TextOperator::Wildcard:
        return ":~";
    case TextOperator::Regex:
        break;
    }
    return ":*";
}

std::string_view operatorText(const NumberCondition& condition, bool negated) {
    switch (condition.op()) {
    case NumberOperator::Equals:
        return negated ? ":<>" : ":=";
    case NumberOperator::Less:
        return ":<";
    case NumberOperator::LessOrEqual:
        return ":<=";
    case NumberOperator::Greater:
        return ":>";
    case NumberOperator::GreaterOrEqual:
        break;
    }
    return ":>=";
}

std::string spelled(Table table, const QueryCondition& condition) {
    const auto* text = std::get_if<TextCondition>(&condition.test);
    if (condition.target == QueryCondition::Target::AnyText) return QueryExpression::quoted(text->text());
    std::string result = "[";
    result +=
        condition.target == QueryCondition::Target::SeriesName ? kSeriesName : columnName(table, condition.column);
    result += ']';
    if (text != nullptr) {
        result += operatorText(*text, condition.negated);
        result += QueryExpression::quoted(text->text());
    } else if (const auto* number = std::get_if<NumberCondition>(&condition.test)) {
        result += operatorText(*number, condition.negated);
        result += number->literal();
    } else {
        result += condition.negated ? ":<>[]" : ":=[]";
    }
    return result;
}

std::string spelled(Table table, const QueryNode& node) {
    if (node.kind == QueryNode::Kind::Condition) return spelled(table, *node.condition);
    const auto child = [table, &node](const QueryNode& inner) {
        auto text = spelled(table, inner);
        // Kinds are in order of precedence. (NOT NOT x does not need parentheses.)
        const bool bindsLess = inner.kind > node.kind;
        return bindsLess ? "(" + text + ")" : text;
    };
    if (node.kind == QueryNode::Kind::Not) return "NOT " + child(node.children.front());
    std::string result;
    for (const auto& inner : node.children) {
        if (!result.empty()) result += node.kind == QueryNode::Kind::And ? " AND " : " OR ";
        result += child(inner);
    }
    return result;
}

} // namespace

bool holds(const QueryCondition& condition, const CellValue& value) {
    if (const auto* text = std::get_if<TextCondition>(&condition.test)) return text->matches(textOf(value));
    const auto number = numberOf(value);
    if (const auto* test = std::get_if<NumberCondition>(&condition.test)) return number && test->matches(*number);
    return !number && textOf(value).empty();
}

bool QueriedRow::textMatches(Column column, const TextCondition& condition) const {
    return condition.matches(textOf(value(column)));
}

bool QueriedRow::anyFrame(Column column, const TextCondition& condition) const {
    const auto labels = frames(column);
    if (labels.empty()) return condition.matches(kNoStack);
    return std::any_of(labels.begin(), labels.end(), [&](std::string_view label) { return condition.matches(label); });
}

QueryExpression::QueryExpression(Table table) {
    auto parts = std::make_shared<Parts>();
    parts->table = table;
    parts_ = std::move(parts);
}

ParsedQuery QueryExpression::parse(Table table, std::string_view text) {
    QueryParser parser(table, text);
    auto parts = std::make_shared<Parts>();
    parts->table = table;
    parts->root = parser.parse();
    if (parser.error()) return *parser.error();
    parts->textColumns = textColumnsOf(table);
    parts->textConditionCount = parser.textConditionCount();
    parts->columns = parser.columns();
    parts->usesSeriesName = parser.usesSeriesName();
    return QueryExpression(std::shared_ptr<const Parts>(std::move(parts)));
}

QueryExpression QueryExpression::alsoOfFrames(OtherReading reading) const {
    auto parts = std::make_shared<Parts>(*parts_);
    if (parts->root) readFramesAlso(*parts->root, reading);
    return QueryExpression(std::shared_ptr<const Parts>(std::move(parts)));
}

std::string QueryExpression::quoted(std::string_view text) {
    std::string result = "\"";
    for (const auto c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

Table QueryExpression::table() const { return parts_->table; }

bool QueryExpression::isEmpty() const { return !parts_->root; }

bool QueryExpression::matches(const QueriedRow& row) const {
    return isEmpty() || Evaluation(row, parts_->textColumns, std::nullopt).of(*parts_->root) == Truth::True;
}

Truth QueryExpression::evaluate(const QueriedRow& row, ColumnSet known) const {
    return isEmpty() ? Truth::True : Evaluation(row, parts_->textColumns, known).of(*parts_->root);
}

Outcomes QueryExpression::outcomes(const std::function<Outcomes(const QueryCondition&)>& ofCondition) const {
    return isEmpty() ? Outcomes{true, false, false} : outcomesOf(*parts_->root, ofCondition);
}

ColumnSet QueryExpression::columns() const { return parts_->columns; }

bool QueryExpression::usesSeriesName() const { return parts_->usesSeriesName; }

std::size_t QueryExpression::textConditionCount() const { return parts_->textConditionCount; }

std::string QueryExpression::toString() const {
    return isEmpty() ? std::string() : spelled(parts_->table, *parts_->root);
}

bool QueryExpression::equals(const QueryExpression& other) const {
    return parts_ == other.parts_ || (parts_->table == other.parts_->table && parts_->root == other.parts_->root);
}

std::string QueryExpression::refusalForRows() const {
    if (!usesSeriesName()) return {};
    return "[Series Name] is the name of a group and cannot filter rows. Use a column instead.";
}

} // namespace highwater::analysis

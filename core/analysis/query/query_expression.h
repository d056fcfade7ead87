#pragma once

#include "core/analysis/columns/column_set.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/query/query_text.h"
#include "core/analysis/query/text_condition.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace highwater::analysis {

/// The interface through which an expression reads a row (or a group, or a site with the columns that its rows share).
class QueriedRow {
  public:
    virtual ~QueriedRow() = default;
    /// The value of a column without frames. monostate: no value; the times kNever and kBeforeTrace also mean no value.
    [[nodiscard]] virtual CellValue value(Column column) const = 0;
    /// The labels of a stack column, in any order; empty for a row without a stack.
    [[nodiscard]] virtual std::span<const std::string_view> frames(Column column) const = 0;
    /// Whether the value as text matches. Override it if many rows share values: results can be cached per
    /// condition.index(), column and value. Must agree with value().
    [[nodiscard]] virtual bool textMatches(Column column, const TextCondition& condition) const;
    /// Whether any frame matches. Override it if stacks share frames: results can be cached per condition.index() and
    /// label, and per node of the stack tree. Must agree with frames(): no frames match like a single kNoStack frame.
    [[nodiscard]] virtual bool anyFrame(Column column, const TextCondition& condition) const;
    /// For [Series Name]: WPA's name of the rightmost key column of a group. Single rows have none.
    [[nodiscard]] virtual std::optional<std::string_view> seriesName() const { return std::nullopt; }
};

/// The text that represents a row without a stack.
inline constexpr std::string_view kNoStack = "(no stack)";

enum class Truth : std::uint8_t { False, True, Unknown };

/// The possible results of a condition or a query, for one group or for all of a kind.
struct Outcomes {
    bool canHold = false;
    bool canFail = false;
    bool canBeUnknown = false; ///< neither: unknown for a group
    friend bool operator==(Outcomes, Outcomes) = default;
};

struct QueryCondition;
class ParsedQuery;

/// A parsed query for search and filters. Immutable and cheap to copy; any thread.
///
/// The language is WPA Query Syntax, an extension of Windows' Advanced Query Syntax:
///     [Commit Stack]:~="Inner" AND Size:>20MB AND NOT (Type:=AIFI OR [Commit Time]:<1.5s)
/// - Columns: in brackets or bare, case-insensitive, WPA's names in the table or aliases (parseColumn); [Series Name].
/// - Text operators: := :<> :~= (or :~~) contains, :~! does not contain, :~< starts with, :~> ends with, :~ with * and
///   ? for the whole text (without: contains), :* regular expression (ECMAScript) for the whole text, : contains.
/// - Number operators: := :<> :< :<= :> :>= ; literals: NumberCondition. The colon is optional: `Size > 20MB`.
/// - Text in "..." or '...' (a doubled quote is one quote) or one word. A text without a column matches if any text
///   column contains it. [] means no value: `[Decommit Time]:=[]`.
/// - Precedence: NOT, AND, OR, case-insensitive; adjacent conditions are joined by AND.
/// - A condition applies to a stack if any of its frames matches; :<> and :~! mean that none does.
/// - No value is empty as text, "(no stack)" as a stack, and satisfies only :<> as a number.
/// - All comparisons are case-insensitive (A to Z).
class QueryExpression {
  public:
    /// Without conditions: matches every row.
    explicit QueryExpression(Table table);
    /// A blank text is a query without conditions.
    static ParsedQuery parse(Table table, std::string_view text);
    /// The same query, except that frames may also satisfy conditions on stacks with their other reading. The spelling
    /// is unchanged.
    [[nodiscard]] QueryExpression alsoOfFrames(OtherReading reading) const;
    /// Quotes `text` for use in a query.
    static std::string quoted(std::string_view text);

    [[nodiscard]] Table table() const;
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] bool matches(const QueriedRow& row) const;
    /// The answer that holds for all values of the columns outside `known` (and of the series name, if the row has
    /// none). Reads only known columns of the row. May return Unknown where more thorough logic would find an answer.
    [[nodiscard]] Truth evaluate(const QueriedRow& row, ColumnSet known) const;

    /// Combines the possible outcomes of the conditions, which are requested without their negations.
    [[nodiscard]] Outcomes outcomes(const std::function<Outcomes(const QueryCondition&)>& ofCondition) const;

    /// Every column that an answer can depend on.
    [[nodiscard]] ColumnSet columns() const;
    /// Such a query finds groups of a table; it is not valid as a filter for rows.
    [[nodiscard]] bool usesSeriesName() const;
    /// Why it cannot select rows, which have no series name; empty: it can.
    [[nodiscard]] std::string refusalForRows() const;
    /// TextCondition::index() is below this.
    [[nodiscard]] std::size_t textConditionCount() const;

    /// The query in full spelling: parsing it returns an equal expression.
    [[nodiscard]] std::string toString() const;
    friend bool operator==(const QueryExpression& a, const QueryExpression& b) { return a.equals(b); }

  private:
    struct Parts;
    explicit QueryExpression(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
    [[nodiscard]] bool equals(const QueryExpression& other) const;

    std::shared_ptr<const Parts> parts_; ///< never null
};

/// An expression, or the error in its text.
class [[nodiscard]] ParsedQuery {
  public:
    ParsedQuery(QueryExpression value) : state_(std::move(value)) {}
    ParsedQuery(QueryError error) : state_(std::move(error)) {}
    [[nodiscard]] bool hasValue() const { return std::holds_alternative<QueryExpression>(state_); }
    [[nodiscard]] const QueryExpression& value() const { return std::get<QueryExpression>(state_); }
    [[nodiscard]] const QueryError& error() const { return std::get<QueryError>(state_); }

  private:
    std::variant<QueryExpression, QueryError> state_;
};

} // namespace highwater::analysis

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

/// What an expression asks a row (or a group, or a site with the columns that its rows share).
class QueriedRow {
  public:
    virtual ~QueriedRow() = default;
    /// The value of a column without frames. monostate: no value; so are the times kNever and kBeforeTrace.
    [[nodiscard]] virtual CellValue value(Column column) const = 0;
    /// The labels of a stack column, in any order; none for a row without stack.
    [[nodiscard]] virtual std::span<const std::string_view> frames(Column column) const = 0;
    /// Whether the value as text matches. Override where many rows share values: answers can be remembered per
    /// condition.index(), column and value. Must agree with value().
    [[nodiscard]] virtual bool textMatches(Column column, const TextCondition& condition) const;
    /// Whether any frame matches. Override where stacks share frames: answers can be remembered per condition.index()
    /// and label, and per node of the stack tree. Must agree with frames(): no frames match like one that is kNoStack.
    [[nodiscard]] virtual bool anyFrame(Column column, const TextCondition& condition) const;
    /// For [Series Name]: WPA's name of the right-most key column of a group. Single rows have none.
    [[nodiscard]] virtual std::optional<std::string_view> seriesName() const { return std::nullopt; }
};

/// What a row without stack is asked as: what it reads like.
inline constexpr std::string_view kNoStack = "(no stack)";

enum class Truth : std::uint8_t { False, True, Unknown };

/// What may come out: of a condition or a query, for one group or for all of a kind.
struct Outcomes {
    bool canHold = false;
    bool canFail = false;
    bool canBeUntold = false; ///< neither: a group does not know
    friend bool operator==(Outcomes, Outcomes) = default;
};

struct QueryCondition;
class ParsedQuery;

/// A parsed query of the find row and of filters. Immutable and cheap to copy; any thread.
///
/// The language is WPA's ("WPA Query Syntax", an extension of Windows' Advanced Query Syntax):
///     [Commit Stack]:~="Inner" AND Size:>20MB AND NOT (Type:=AIFI OR [Commit Time]:<1.5s)
/// - Columns: in brackets or bare, any case, WPA's names of the table or aliases (parseColumn); [Series Name].
/// - Text operators: := :<> :~= (or :~~) contains, :~! contains not, :~< starts with, :~> ends with, :~ with * and ?
///   fits the whole text (without: contains), :* regular expression (ECMAScript) fits the whole text, : contains.
/// - Number operators: := :<> :< :<= :> :>= ; literals: NumberCondition. The colon may be left out: `Size > 20MB`.
/// - Text in "..." or '...' (the quote doubled stands for itself) or one word. A text without a column: some text
///   column contains it. [] is no value: `[Decommit Time]:=[]`.
/// - NOT binds before AND before OR, in any case; conditions side by side are joined by AND.
/// - A stack satisfies a condition if any of its frames does; :<> and :~! mean that none does.
/// - No value: as text it is empty, as stack "(no stack)"; as number it satisfies :<> only.
/// - Case counts nowhere (A to Z).
class QueryExpression {
  public:
    /// Without conditions: matches every row.
    explicit QueryExpression(Table table);
    /// Blank text is a query without conditions.
    static ParsedQuery parse(Table table, std::string_view text);
    /// The same query, whose conditions of stacks frames satisfy by their other reading, too. It has the same spelling.
    [[nodiscard]] QueryExpression alsoOfFrames(OtherReading reading) const;
    /// `text` as it must stand in a query: in quotes.
    static std::string quoted(std::string_view text);

    [[nodiscard]] Table table() const;
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] bool matches(const QueriedRow& row) const;
    /// The answer that holds whatever the columns outside `known` are (and the series name, if the row tells none).
    /// Asks the row for known columns only. Unknown may be said of an answer that cleverer logic could find.
    [[nodiscard]] Truth evaluate(const QueriedRow& row, ColumnSet known) const;

    /// What the conditions' outcomes (asked for without their negations) make of the whole.
    [[nodiscard]] Outcomes outcomes(const std::function<Outcomes(const QueryCondition&)>& ofCondition) const;

    /// Every column that an answer can depend on.
    [[nodiscard]] ColumnSet columns() const;
    /// Such a query finds groups of a table; as a filter of rows it makes no sense.
    [[nodiscard]] bool usesSeriesName() const;
    /// Why it cannot choose rows, which have no names of series; empty: it can.
    [[nodiscard]] std::string refusalForRows() const;
    /// TextCondition::index() is below this.
    [[nodiscard]] std::size_t textConditionCount() const;

    /// The query in full spelling: parsing it gives an equal expression.
    [[nodiscard]] std::string toString() const;
    friend bool operator==(const QueryExpression& a, const QueryExpression& b) { return a.equals(b); }

  private:
    struct Parts;
    explicit QueryExpression(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
    [[nodiscard]] bool equals(const QueryExpression& other) const;

    std::shared_ptr<const Parts> parts_; ///< never null
};

/// An expression or what is wrong with its text.
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

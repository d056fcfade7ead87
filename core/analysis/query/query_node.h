#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/number_condition.h"
#include "core/analysis/query/text_condition.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace highwater::analysis {

/// One `[Column]:op value`. Like QueryNode, internal to the query language.
struct QueryCondition {
    enum class Target : std::uint8_t { Column, AnyText, SeriesName };
    /// `:=[]`
    struct NoValue {
        friend bool operator==(NoValue, NoValue) = default;
    };

    Target target = Target::AnyText;
    Column column = Column::Process; ///< only for Target::Column
    bool negated = false;            ///< written with :<> or :~!
    std::variant<NoValue, TextCondition, NumberCondition> test;
    friend bool operator==(const QueryCondition&, const QueryCondition&) = default;
};

/// Whether the condition, before negation, holds for a value. For stacks: for the text of one frame.
[[nodiscard]] bool holds(const QueryCondition& condition, const CellValue& value);

/// A condition or a combination of nodes. At most kDeepestNesting levels.
struct QueryNode {
    enum class Kind : std::uint8_t { Condition, Not, And, Or };

    Kind kind = Kind::Condition;
    std::vector<QueryNode> children;         ///< Not: one; And, Or: at least two, none of the same kind
    std::optional<QueryCondition> condition; ///< only for Kind::Condition
    friend bool operator==(const QueryNode&, const QueryNode&) = default;
};

inline constexpr std::string_view kSeriesName = "Series Name";

} // namespace highwater::analysis

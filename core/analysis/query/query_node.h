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

/// One `[Column]:op value`. Internal to the query language, as is QueryNode.
struct QueryCondition {
    enum class Target : std::uint8_t { Column, AnyText, SeriesName };
    /// `:=[]`
    struct NoValue {
        friend bool operator==(NoValue, NoValue) = default;
    };

    Target target = Target::AnyText;
    Column column = Column::Process; ///< of Target::Column only
    bool negated = false;            ///< written with :<> or :~!
    std::variant<NoValue, TextCondition, NumberCondition> test;
    friend bool operator==(const QueryCondition&, const QueryCondition&) = default;
};

/// What the condition says of a value, before it is negated. Of stacks: of the text of one frame.
[[nodiscard]] bool holds(const QueryCondition& condition, const CellValue& value);

/// A condition or a connection of nodes. At most kDeepestNesting levels.
struct QueryNode {
    enum class Kind : std::uint8_t { Condition, Not, And, Or };

    Kind kind = Kind::Condition;
    std::vector<QueryNode> children;         ///< Not: one; And, Or: at least two, none of the same kind
    std::optional<QueryCondition> condition; ///< of Kind::Condition only
    friend bool operator==(const QueryNode&, const QueryNode&) = default;
};

inline constexpr std::string_view kSeriesName = "Series Name";

} // namespace highwater::analysis

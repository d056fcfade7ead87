#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/query/query_expression.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// One group of one key column. Depending on the column, `key` is a ProcessIndex, thread id, heap handle, enum value,
/// frame label id (see FrameLabels), address, or nanoseconds. Valid for the life of the trace.
struct KeyStep {
    Column column = Column::Process;
    std::uint64_t key = 0;
    friend bool operator==(const KeyStep&, const KeyStep&) = default;
};

/// The path from the root of a grouped table to one of its rows. Several steps of the same stack column are adjacent:
/// the frames of a prefix of the stack or, if steps of other columns follow, of the whole stack (rows below a stack's
/// last frame are those whose stack ends there).
using KeyPath = std::vector<KeyStep>;

/// Selects rows. All clauses and the query must hold; Type and Impacting Type are relative to the query's interval.
struct RowFilter {
    struct Clause {
        enum class Mode : std::uint8_t { Keep, Remove };
        Mode mode = Mode::Keep;
        std::vector<KeyPath> anyOf; ///< several selected rows
        friend bool operator==(const Clause&, const Clause&) = default;
    };
    std::vector<Clause> clauses;
    std::optional<QueryExpression> query =
        std::nullopt; ///< the Count of a row is 1, its sums are those of a group with only this row
    /// Context for Generation, Survived Marks and Annotation, if the question does not provide its own; null: none.
    SharedMarks marks = nullptr;
    std::shared_ptr<const Annotations> annotations = nullptr;

    [[nodiscard]] bool isEmpty() const { return clauses.empty() && !hasConditions(); }
    /// Whether there is a query with conditions; without them, every row matches.
    [[nodiscard]] bool hasConditions() const { return query && !query->isEmpty(); }
    /// Why the query cannot filter the rows of this table (kind Usage); nothing: it can.
    [[nodiscard]] std::optional<Error> refusal(Table table) const;
    friend bool operator==(const RowFilter& a, const RowFilter& b);
};

} // namespace highwater::analysis

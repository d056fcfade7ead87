#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/query/query_node.h"
#include "core/analysis/rows/population.h"
#include "core/analysis/table/grouped_table.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <vector>

namespace highwater::analysis {

/// Evaluates a query for groups of a table, and for all groups below one without opening it. TableSearch defines the
/// values that a group has. Internal to the search; one thread at a time. The table must outlive it.
class GroupMatcher {
  public:
    using NodeId = GroupedTable::NodeId;

    GroupMatcher(const GroupedTable& table, const QueryExpression& query);

    [[nodiscard]] bool matches(NodeId node);
    /// Whether the answer for this group depends on its peak, which is not computed yet.
    [[nodiscard]] bool needsPeak(NodeId node);
    /// False only if no group below matches.
    [[nodiscard]] bool mayMatchBelow(NodeId node);

  private:
    /// The values to use: the group's own cells, the keys of the groups that contain it, or both.
    enum class Scope : std::uint8_t { Own, Inherited, All };
    /// Cached results of a text condition: by key, or by label for frames.
    struct Answers {
        std::map<Column, tsl::robin_map<std::uint64_t, bool, SeededHash>> ofKeys;  ///< as values
        std::map<Column, tsl::robin_map<std::uint64_t, bool, SeededHash>> ofTexts; ///< as key texts
        std::map<Column, std::vector<std::uint32_t>>
            deepestOfStacks; ///< by stack: kNotAsked, or number of frames up to the last match
    };
    /// The position of a node.
    struct Place {
        std::vector<KeyStep> path;
        std::size_t depth = 0;   ///< frames of the node's own stack column up to it; 0 if it is not a stack
        std::size_t nextKey = 0; ///< the first key further right
    };

    [[nodiscard]] Place placeOf(NodeId node) const;
    [[nodiscard]] Column keyFor(Column column) const;
    [[nodiscard]] bool isKey(Column column) const;

    [[nodiscard]] Outcomes ofNode(const QueryCondition& condition, NodeId node, const Place& place, Scope scope);
    [[nodiscard]] Outcomes ofColumn(const QueryCondition& condition, Column column, NodeId node, const Place& place,
                                    Scope scope);
    [[nodiscard]] Outcomes ofAggregate(const QueryCondition& condition, NodeId node) const;
    [[nodiscard]] Outcomes below(const QueryCondition& condition, NodeId node, const Place& place, Scope scope);
    [[nodiscard]] Outcomes columnBelow(const QueryCondition& condition, Column column, NodeId node, const Place& place,
                                       Scope scope);
    [[nodiscard]] Outcomes aggregateBelow(const QueryCondition& condition, NodeId node) const;
    /// Decreases must not be hidden by increases of other groups.
    [[nodiscard]] Outcomes impactBelow(const QueryCondition& condition, NodeId node) const;
    [[nodiscard]] Outcomes seriesBelow(const TextCondition& condition, NodeId node, const Place& place) const;
    [[nodiscard]] bool anyTextBelow(const TextCondition& condition, NodeId node, const Place& place);
    /// Whether a key of this column below the node matches; for stacks, a frame deeper than `depth`.
    [[nodiscard]] bool anyKeyBelow(const TextCondition& condition, Column column, NodeId node, std::size_t depth,
                                   bool asText);

    [[nodiscard]] bool keyHolds(const QueryCondition& condition, KeyStep step);
    [[nodiscard]] bool frameOfPathHolds(const QueryCondition& condition, Column column, const Place& place);
    [[nodiscard]] bool valueMatches(const TextCondition& condition, KeyStep step);
    [[nodiscard]] bool textMatches(const TextCondition& condition, KeyStep step);
    [[nodiscard]] std::uint32_t deepestMatch(const TextCondition& condition, Column column, const CellKey& cell);

    const GroupedTable& table_;
    QueryExpression query_;
    bool usesPeak_;
    std::vector<Answers> answers_; ///< by TextCondition::index
};

} // namespace highwater::analysis

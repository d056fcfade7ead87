#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/rows/key_reader.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Evaluates a query for cells if the cell has enough data, otherwise for rows. Results of text conditions for keys,
/// frames and stacks are cached. The reader must outlive it and contain the stacks of the query's columns. One thread
/// at a time.
class QueryMatcher {
  public:
    QueryMatcher(const QueryExpression& query, const KeyReader& reader);

    /// A cell has every column except aggregates and per-row columns.
    [[nodiscard]] Truth matches(const CellKey& cell);
    [[nodiscard]] bool matches(const RowFacts& row);

  private:
    class Values;
    enum class Memo : std::uint8_t { NotAsked, No, Yes };
    /// The cached results of one text condition.
    struct Answers {
        std::map<Column, tsl::robin_map<std::uint64_t, bool, SeededHash>> ofKeys;
        std::map<Column, std::vector<Memo>> ofStacks;
        std::vector<Memo> ofLabels;
    };

    [[nodiscard]] bool keyMatches(Column column, std::uint64_t key, const TextCondition& condition);
    [[nodiscard]] bool stackMatches(Column column, const CellKey& cell, const TextCondition& condition);
    [[nodiscard]] bool labelMatches(std::uint32_t label, const TextCondition& condition);

    QueryExpression query_;
    const KeyReader& reader_;
    ColumnSet ofCells_;
    std::vector<Answers> answers_;        ///< by TextCondition::index
    std::vector<std::string> frameTexts_; ///< texts of the stack that was read last
    std::vector<std::string_view> frames_;
};

} // namespace highwater::analysis

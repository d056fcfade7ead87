#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/rows/query_matcher.h"

#include <optional>
#include <vector>

namespace highwater::analysis {

/// Evaluates a RowFilter for cells if the cell has enough data, otherwise for rows. The reader must outlive it and
/// contain the stacks of the filter's columns. One thread at a time.
class RowMatcher {
  public:
    enum class Match : std::uint8_t { No, Yes, NeedsRow };

    RowMatcher(const RowFilter& filter, const KeyReader& reader);

    [[nodiscard]] Match matches(const CellKey& cell);
    [[nodiscard]] bool matches(const RowFacts& row);

  private:
    struct Stack {
        Column column = Column::Stack;
        KeyPath steps;
        std::vector<RenewedFrame> frames; ///< each with its current rows
        bool isWhole = false;             ///< steps of other columns follow, so the stack ends with these frames
        bool isRenamed = false;           ///< a frame has other rows than when the path was created
        bool isPlain = true;              ///< each frame has a single name, that of its steps
    };
    /// A KeyPath, divided by the data that its steps need.
    struct Path {
        KeyPath ofCells;
        KeyPath ofRows;
        std::vector<Stack> stacks;
    };
    struct Clause {
        bool keep = true;
        std::vector<Path> anyOf;
    };

    static Path sortSteps(const KeyPath& path, const KeyReader& reader);
    static void renew(Stack& stack, const KeyReader& reader);
    static bool beginsWith(const Stack& wanted, std::span<const std::uint32_t> stack);
    static bool beginsWithFrames(const Stack& wanted, std::span<const std::uint32_t> stack);
    [[nodiscard]] bool stackMatches(const Stack& wanted, const CellKey& cell) const;
    [[nodiscard]] bool cellMatches(const Path& path, const CellKey& cell) const;
    [[nodiscard]] bool rowMatches(const Path& path, const RowFacts& row) const;
    [[nodiscard]] Match anyMatches(const Clause& clause, const CellKey& cell) const;
    [[nodiscard]] Match clausesMatch(const CellKey& cell) const;
    [[nodiscard]] bool clausesMatch(const RowFacts& row) const;

    const KeyReader& reader_;
    std::vector<Clause> clauses_;
    std::optional<QueryMatcher> query_;
};

} // namespace highwater::analysis

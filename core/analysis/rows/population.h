#pragma once

#include "core/analysis/rows/interval_rows.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

inline constexpr std::uint32_t kNoSite = 0xFFFFFFFFu;
inline constexpr std::uint32_t kNoCell = 0xFFFFFFFFu;

/// What all rows of a cell have in common: enough to answer every key that is not of single rows.
struct CellKey {
    std::uint32_t site =
        kNoSite; ///< where the row began; Frees: only if an alloc stack is asked for, or there is no endSite
    std::uint32_t endSite = kNoSite; ///< Frees: where the release happened
    store::TableKind table = store::TableKind::VirtualAlloc;
    RowType type = RowType::AOFO;
    Impact impact = Impact::Impacting;
    std::uint8_t freeType = 0;
    bool isRealloc = false;
    bool isTemporary = false;
    friend bool operator==(const CellKey&, const CellKey&) = default;
};

struct CellKeyHash {
    std::size_t operator()(const CellKey& key) const noexcept;
};

/// Rows that no site-level key tells apart, summed. What grouping works on: a few thousand instead of millions of rows.
struct Cell {
    CellKey key;
    Sums sums;
};

/// What the columns of single rows are made of.
struct RowNumbers {
    Address address = 0;
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever;
    ByteCount size = 0;
};

/// One row (of Frees: one release), as far as keys and sums see it.
struct RowFacts : RowNumbers {
    CellKey key;
    Sums sums;
};

/// A row of an ordinary table: its RowId. A release: see release_population.cpp.
using RowRef = std::uint64_t;

struct Member {
    RowRef row = 0;
    std::uint32_t cell = 0;
};

/// Which of the rows' facts are told apart. The fewer, the fewer cells and the faster the pass.
struct PopulationOptions {
    IntervalRows::Options rows;
    bool byFreeType = false;
    bool byImpact = false;
    bool byRealloc = false;
    bool byTemporary = false;
    bool byAllocSite = false; ///< Frees only
};

/// The rows that take part in a query, as cells, and row by row where that is needed. Immutable after construction and
/// keepCells; any thread.
class Population {
  public:
    /// May be called on several threads at once; `worker` < the number of workers asked for.
    using Visit = std::function<void(unsigned worker, std::span<const Member>)>;

    virtual ~Population() = default;

    [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
    /// Takes out the cells whose flag is 0; their rows are no members any more.
    void keepCells(const std::vector<std::uint8_t>& keep);

    /// All rows with the cell that they are counted in; with one worker in row order. False when stopped.
    virtual bool visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const = 0;
    /// How many workers are worth while.
    [[nodiscard]] virtual unsigned workers() const = 0;
    [[nodiscard]] virtual RowFacts facts(RowRef row) const = 0;
    /// facts() without key and sums: for the columns of single rows.
    [[nodiscard]] virtual RowNumbers numbersOf(RowRef row) const { return facts(row); }

  protected:
    /// The cells have new numbers: numbers[old] = new, or kNoCell.
    virtual void renumberCells(const std::vector<std::uint32_t>& numbers) = 0;

    std::vector<Cell> cells_;
};

/// Cells found by their keys.
class CellIndex {
  public:
    /// The number of the cell with this key, made if need be.
    std::uint32_t cellOf(const CellKey& key, std::vector<Cell>& cells);
    /// kNoCell if there is none.
    [[nodiscard]] std::uint32_t find(const CellKey& key) const;
    void renumber(const std::vector<std::uint32_t>& numbers);

  private:
    tsl::robin_map<CellKey, std::uint32_t, CellKeyHash> numbers_;
};

} // namespace highwater::analysis

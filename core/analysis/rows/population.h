#pragma once

#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/rows/large_array.h"

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
    std::uint32_t annotation = 0; ///< a key of Column::Annotation; 0 unless that is asked for
    std::uint32_t instance = 0;   ///< Heap Snapshot only: its number
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
using Cells = LargeVector<Cell>;

/// A row of an ordinary table: its RowId. A release: see release_population.cpp.
using RowRef = std::uint64_t;

/// What the columns of single rows are made of.
struct RowNumbers {
    Address address = 0;
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever;
    ByteCount size = 0;
    RowRef row = 0; ///< its own
};

/// One row (of Frees: one release), as far as keys and sums see it.
struct RowFacts : RowNumbers {
    CellKey key;
    Sums sums;
};

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

/// Says which labels rows have, as keys of Column::Annotation. One thread at a time.
class LabelsOfRows {
  public:
    virtual ~LabelsOfRows() = default;
    /// Nothing: rows of the cell may have different ones.
    [[nodiscard]] virtual std::optional<std::uint32_t> keyOf(const CellKey& cell) = 0;
    [[nodiscard]] virtual std::uint32_t keyOf(const RowFacts& row) = 0;
};

/// The rows that take part in a query, as cells, and row by row where that is needed. Immutable after construction,
/// annotate and keepCells; any thread.
class Population {
  public:
    /// May be called on several threads at once; `worker` < the number of workers asked for.
    using Visit = std::function<void(unsigned worker, std::span<const Member>)>;

    virtual ~Population() = default;

    [[nodiscard]] const Cells& cells() const { return cells_; }
    /// Tells the rows apart by their labels: cell by cell, and row by row where a cell has several. At most once, first
    /// of all. False when stopped.
    virtual bool annotate(LabelsOfRows& labels, const std::stop_token& stop) = 0;
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
    /// Labels the cells whose rows have one label; the flags of the others are 1.
    [[nodiscard]] std::vector<std::uint8_t> annotateCells(LabelsOfRows& labels);

    /// A row of a cell with several labels, and where it is counted among the new cells.
    struct Annotated {
        RowRef row = 0;
        std::uint32_t cell = 0;
    };
    struct AnnotatedRows {
        Cells cells;
        std::vector<Annotated> rows; ///< in row order
    };
    /// Nothing when stopped.
    [[nodiscard]] std::optional<AnnotatedRows> annotateRows(const std::vector<std::uint8_t>& ofCells,
                                                            LabelsOfRows& labels, const std::stop_token& stop) const;
    /// The new cells in the place of those whose rows they have. The number of the first.
    std::uint32_t replaceCells(const std::vector<std::uint8_t>& replaced, Cells cells);

    Cells cells_;
};

/// Cells found by their keys.
class CellIndex {
  public:
    /// The number of the cell with this key, made if need be.
    std::uint32_t cellOf(const CellKey& key, Cells& cells);
    /// kNoCell if there is none.
    [[nodiscard]] std::uint32_t find(const CellKey& key) const;
    void renumber(const std::vector<std::uint32_t>& numbers);
    /// Of cells that are there already.
    void add(const CellKey& key, std::uint32_t number) { numbers_.try_emplace(key, number); }

  private:
    tsl::robin_map<CellKey, std::uint32_t, CellKeyHash> numbers_;
};

} // namespace highwater::analysis

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

/// The properties that all rows of a cell share. They determine every key except those of per-row columns.
struct CellKey {
    std::uint32_t site =
        kNoSite; ///< site of the allocation; Frees: only if an alloc stack is requested, or there is no endSite
    std::uint32_t endSite = kNoSite; ///< Frees: site of the release
    store::TableKind table = store::TableKind::VirtualAlloc;
    RowType type = RowType::AOFO;
    Impact impact = Impact::Impacting;
    std::uint8_t freeType = 0;
    bool isRealloc = false;
    bool isTemporary = false;
    std::uint32_t annotation = 0; ///< a key of Column::Annotation; 0 unless requested
    std::uint32_t instance = 0;   ///< Heap Snapshot only: its number
    friend bool operator==(const CellKey&, const CellKey&) = default;
};

struct CellKeyHash {
    std::size_t operator()(const CellKey& key) const noexcept;
};

/// The sum of rows that no site-level key distinguishes. Grouping works on a few thousand cells instead of millions of
/// rows.
struct Cell {
    CellKey key;
    Sums sums;
};
using Cells = LargeVector<Cell>;

/// For ordinary tables, a RowId. For releases, see release_population.cpp.
using RowRef = std::uint64_t;

/// The values of a row for the per-row columns.
struct RowNumbers {
    Address address = 0;
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever;
    ByteCount size = 0;
    RowRef row = 0; ///< its own reference
};

/// One row (in Frees: one release) with its keys and sums.
struct RowFacts : RowNumbers {
    CellKey key;
    Sums sums;
};

struct Member {
    RowRef row = 0;
    std::uint32_t cell = 0;
};

/// The facts by which rows are distinguished. Fewer facts mean fewer cells and a faster pass.
struct PopulationOptions {
    IntervalRows::Options rows;
    bool byFreeType = false;
    bool byImpact = false;
    bool byRealloc = false;
    bool byTemporary = false;
    bool byAllocSite = false; ///< Frees only
};

/// Determines the labels of rows as keys of Column::Annotation. One thread at a time.
class LabelsOfRows {
  public:
    virtual ~LabelsOfRows() = default;
    /// Nothing: rows of the cell may have different labels.
    [[nodiscard]] virtual std::optional<std::uint32_t> keyOf(const CellKey& cell) = 0;
    [[nodiscard]] virtual std::uint32_t keyOf(const RowFacts& row) = 0;
};

/// The rows of a query, as cells, and individually if necessary. Immutable after construction, annotate and keepCells;
/// any thread.
class Population {
  public:
    /// May be called on several threads at once; `worker` < requested number of workers.
    using Visit = std::function<void(unsigned worker, std::span<const Member>)>;

    virtual ~Population() = default;

    [[nodiscard]] const Cells& cells() const { return cells_; }
    /// Distinguishes rows by label: cell by cell, and row by row in cells with several labels. Call it at most once,
    /// before anything else. False: stopped.
    virtual bool annotate(LabelsOfRows& labels, const std::stop_token& stop) = 0;
    /// Removes the cells whose flag is 0; their rows are no longer members.
    void keepCells(const std::vector<std::uint8_t>& keep);

    /// All rows with their cell; with one worker, in row order. False: stopped.
    virtual bool visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const = 0;
    /// The useful number of workers.
    [[nodiscard]] virtual unsigned workers() const = 0;
    [[nodiscard]] virtual RowFacts facts(RowRef row) const = 0;
    /// facts() without key and sums, for the per-row columns.
    [[nodiscard]] virtual RowNumbers numbersOf(RowRef row) const { return facts(row); }

  protected:
    /// Cells have new numbers: numbers[old] = new, or kNoCell.
    virtual void renumberCells(const std::vector<std::uint32_t>& numbers) = 0;
    /// Labels the cells whose rows have a single label; the flags of the others are 1.
    [[nodiscard]] std::vector<std::uint8_t> annotateCells(LabelsOfRows& labels);

    /// A row of a cell with several labels, and its new cell.
    struct Annotated {
        RowRef row = 0;
        std::uint32_t cell = 0;
    };
    struct AnnotatedRows {
        Cells cells;
        std::vector<Annotated> rows; ///< in row order
    };
    /// Nothing: stopped.
    [[nodiscard]] std::optional<AnnotatedRows> annotateRows(const std::vector<std::uint8_t>& ofCells,
                                                            LabelsOfRows& labels, const std::stop_token& stop) const;
    /// Replaces the flagged cells with the new cells for their rows. Returns the number of the first.
    std::uint32_t replaceCells(const std::vector<std::uint8_t>& replaced, Cells cells);

    Cells cells_;
};

/// An index of cells by key.
class CellIndex {
  public:
    /// The number of the cell with this key, created if necessary.
    std::uint32_t cellOf(const CellKey& key, Cells& cells);
    /// kNoCell: none.
    [[nodiscard]] std::uint32_t find(const CellKey& key) const;
    void renumber(const std::vector<std::uint32_t>& numbers);
    /// For existing cells.
    void add(const CellKey& key, std::uint32_t number) { numbers_.try_emplace(key, number); }

  private:
    tsl::robin_map<CellKey, std::uint32_t, CellKeyHash> numbers_;
};

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/rows/pass_cache.h"
#include "core/analysis/rows/population.h"
#include "core/analysis/rows/row_pass.h"

#include <tsl/robin_map.h>

namespace highwater::analysis {

/// A cell number, or kNoCell, for each of very many places. Places without a cell take no memory.
class CellsOfScan {
  public:
    CellsOfScan() = default;
    explicit CellsOfScan(std::size_t size) : inverted_(size) {}

    [[nodiscard]] std::size_t size() const { return inverted_.size(); }
    [[nodiscard]] std::uint32_t operator[](std::size_t place) const { return ~inverted_[place]; }
    void set(std::size_t place, std::uint32_t cell) { inverted_[place] = ~cell; }

  private:
    static_assert(~kNoCell == 0);
    LargeArray<std::uint32_t> inverted_;
};

/// The member rows of Heap Allocations or VirtualAlloc Commit LifeTimes. Sums come from the fast pass; the few rows
/// that it does not support (sizes over 4 GB, partial releases, realloc marks) are removed from it and counted
/// individually. The trace must outlive it.
class RowPopulation final : public Population {
  public:
    /// Nothing: stopped.
    static std::unique_ptr<RowPopulation> make(const store::PublishedTrace& trace, store::TableKind kind,
                                               const PopulationOptions& options, const std::stop_token& stop);

    bool annotate(LabelsOfRows& labels, const std::stop_token& stop) override;

    [[nodiscard]] const IntervalRows& rows() const { return rows_; }
    /// kNoCell: not a member.
    [[nodiscard]] std::uint32_t cellOf(RowId row) const;

    /// The same rows as columns, in blocks with cells of scan(); cellsOfScan() maps these to cells of this population.
    /// Not valid for exceptions(). Calls visit(worker, const RowBlock&) in any order; false: stopped.
    template <typename Visit>
    bool visitBlocks(unsigned workers, const std::stop_token& stop, Visit visit) const {
        return forEachSpan(scan_.spans(), workers, stop, [&](unsigned worker, std::uint64_t span) {
            if (rows_.spanIsOutside(span)) return;
            scan_.visit(scan_.firstOfSpan(span), scan_.lastOfSpan(span),
                        [&](const RowBlock& block) { visit(worker, block); });
        });
    }
    [[nodiscard]] const RowScan& scan() const { return scan_; }
    /// The key of a pass over the rows that omits the exceptions and ignores the filter. Nothing: labels made rows
    /// exceptions.
    [[nodiscard]] std::optional<PassKey> passKey() const;
    /// By cell of the scan, including RowScan::none(): kNoCell if not selected.
    [[nodiscard]] const CellsOfScan& cellsOfScan() const { return cellOfDense_; }
    /// Rows that are counted individually, sorted, and their cells (kNoCell: not selected).
    [[nodiscard]] const std::vector<RowId>& exceptions() const { return exceptions_; }
    [[nodiscard]] const std::vector<std::uint32_t>& cellsOfExceptions() const { return cellOfException_; }

    bool visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const override;
    [[nodiscard]] unsigned workers() const override;
    [[nodiscard]] RowFacts facts(RowRef row) const override;
    [[nodiscard]] RowNumbers numbersOf(RowRef row) const override;

  private:
    RowPopulation(const store::PublishedTrace& trace, store::TableKind kind, const PopulationOptions& options);

    void findExceptions();
    /// The result of the pass, from the cache or new. Null: stopped.
    [[nodiscard]] std::shared_ptr<const CountedCells> count(const std::stop_token& stop) const;
    /// Removes the exceptions.
    void removeExceptions(CountedCells& counted) const;
    void addOrdinary(const CountedCells& counted);
    void addExceptions();
    /// From now on, counts these rows individually, in cells starting at this number.
    void makeExceptions(const std::vector<Annotated>& rows, std::uint32_t firstCell);
    [[nodiscard]] std::uint64_t denseIndexOf(RowId row) const;
    [[nodiscard]] CellKey keyOf(RowId row, const Sums& sums) const;
    [[nodiscard]] bool isMarkedRealloc(RowId row) const;
    void visitSpan(std::uint64_t span, std::vector<Member>& members) const;
    void renumberCells(const std::vector<std::uint32_t>& numbers) override;

    IntervalRows rows_;
    PopulationOptions options_;
    RowPassOptions pass_;
    RowScan scan_;
    CellsOfScan cellOfDense_;
    std::vector<RowId> reallocMarks_; ///< sorted; only if requested
    std::vector<RowId> exceptions_;   ///< sorted
    std::vector<std::uint32_t> cellOfException_;
    bool isAnnotated_ = false;
    bool hasAnnotatedRows_ = false; ///< among the exceptions
};

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/weighted_sum.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Minimum, maximum, count and sum of the values of single rows.
class RowSummary {
  public:
    /// value: from RowValues.
    void add(std::uint64_t value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
        ++count_;
        // In halves, which do not overflow for any possible number of rows.
        sumOfLowHalves_ += value & 0xFFFFFFFFu;
        sumOfHighHalves_ += value >> 32;
    }
    void add(const RowSummary& other);

    /// 0: the other values do not exist.
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t low() const { return low_; }
    [[nodiscard]] std::uint64_t high() const { return high_; }
    /// The sum of RowValues for signed columns, at most the largest value below kNever.
    [[nodiscard]] std::int64_t signedSum() const;
    [[nodiscard]] std::int64_t signedAverage() const;

  private:
    std::uint64_t low_ = ~std::uint64_t{0};
    std::uint64_t high_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t sumOfLowHalves_ = 0;
    std::uint64_t sumOfHighHalves_ = 0;
};

/// Reads the values of single rows as numbers in the order of the values. The reader must outlive it.
class RowValues {
  public:
    explicit RowValues(const KeyReader& reader) : reader_(reader) {}

    /// The per-row column for an aggregate: Size sums up RowSize. Nothing: single rows have no value.
    [[nodiscard]] static std::optional<Column> rowColumn(Column column);
    /// Nothing: this row has none. Not for aggregates, whose values are in the sums of the row.
    [[nodiscard]] std::optional<std::uint64_t> of(Column rowColumn, const RowNumbers& row) const;
    [[nodiscard]] std::optional<std::uint64_t> of(Column rowColumn, const RowFacts& row) const;
    [[nodiscard]] static CellValue cellValue(Column rowColumn, std::uint64_t value);

  private:
    const KeyReader& reader_;
};

/// Summaries per cell from one pass over the rows.
class RowStatistics {
  public:
    /// Call it once. weighted: per-row columns whose values are weighted by the size of the row. False: stopped.
    bool collect(const RowSelection& selection, const std::vector<Column>& rowColumns,
                 const std::vector<Column>& weighted, const std::stop_token& stop);
    /// By cell; rowColumn must be collected.
    [[nodiscard]] const std::vector<RowSummary>& of(Column rowColumn) const { return ofCells_.at(rowColumn); }
    [[nodiscard]] const std::vector<WeightedSum>& weightedOf(Column rowColumn) const {
        return weightedOfCells_.at(rowColumn);
    }

  private:
    std::map<Column, std::vector<RowSummary>> ofCells_;
    std::map<Column, std::vector<WeightedSum>> weightedOfCells_;
};

} // namespace highwater::analysis

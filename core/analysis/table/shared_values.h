#pragma once

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/table/row_statistics.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

class RowPopulation;

/// For each cell, the value of each per-row column if all its rows have the same. Uses one pass, which stops reading
/// the rows of a cell as soon as they differ in all of these columns.
class SharedValues {
  public:
    /// Nothing: no row has a value.
    using Value = std::optional<std::uint64_t>;

    /// Call it once. For ordinary tables; each column once. False: stopped.
    bool collect(const RowPopulation& population, const KeyReader& reader, std::vector<Column> rowColumns,
                 const std::stop_token& stop);
    /// As in RowValues; nothing: several values. rowColumn must be collected.
    [[nodiscard]] std::optional<Value> of(Column rowColumn, std::size_t cell) const;

  private:
    /// By cell: bit i: column i has several values; kSeen: there is a row.
    using State = std::uint16_t;
    static constexpr State kSeen = 1 << kMostRowColumns;
    struct Found;
    class Pass;
    /// Null: stopped. find() returns cached results.
    [[nodiscard]] std::shared_ptr<const Found> pass(const RowPopulation& population, const KeyReader& reader,
                                                    const std::stop_token& stop) const;
    [[nodiscard]] std::shared_ptr<const Found> find(const RowPopulation& population, const KeyReader& reader,
                                                    const std::stop_token& stop) const;
    /// Rows that the pass omits.
    void addExceptions(const RowPopulation& population, const RowValues& values);

    std::vector<Column> columns_;
    std::vector<State> states_;
    std::vector<std::vector<std::uint64_t>> values_; ///< by column and cell
};

} // namespace highwater::analysis

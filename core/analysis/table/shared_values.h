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

/// What all rows of a cell say in columns of single rows, or that they say several things: of one pass that has nothing
/// more to do with the rows of a cell as soon as that is known.
class SharedValues {
  public:
    /// Nothing: no row has a value.
    using Value = std::optional<std::uint64_t>;

    /// Once. Of ordinary tables; each column once. False when stopped.
    bool collect(const RowPopulation& population, const KeyReader& reader, std::vector<Column> rowColumns,
                 const std::stop_token& stop);
    /// As RowValues says; nothing: several. rowColumn was collected.
    [[nodiscard]] std::optional<Value> of(Column rowColumn, std::size_t cell) const;

  private:
    /// By cell: bit i: column i has several values; kSeen: there is a row.
    using State = std::uint16_t;
    static constexpr State kSeen = 1 << kMostRowColumns;
    struct Found;
    class Pass;
    /// Null when stopped. find() knows what was found before.
    [[nodiscard]] std::shared_ptr<const Found> pass(const RowPopulation& population, const KeyReader& reader,
                                                    const std::stop_token& stop) const;
    [[nodiscard]] std::shared_ptr<const Found> find(const RowPopulation& population, const KeyReader& reader,
                                                    const std::stop_token& stop) const;
    /// Rows that the pass leaves out.
    void addExceptions(const RowPopulation& population, const RowValues& values);

    std::vector<Column> columns_;
    std::vector<State> states_;
    std::vector<std::vector<std::uint64_t>> values_; ///< by column and cell
};

} // namespace highwater::analysis

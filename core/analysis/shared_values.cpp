#include "core/analysis/shared_values.h"

#include "core/analysis/large_array.h"
#include "core/analysis/row_population.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// Stands for no value. Only times may have none, and of them this is kNever.
constexpr std::uint64_t kNoValue = ~std::uint64_t{0};

bool mayLack(Column rowColumn) {
    return valueKind(rowColumn) == ValueKind::Time || valueKind(rowColumn) == ValueKind::Duration;
}

} // namespace

/// One worker's part. Cells are those of the population's scan.
class SharedValues::Pass {
  public:
    Pass(const RowPopulation& population, const KeyReader& reader, const std::vector<Column>& columns)
        : population_(population),
          columns_(columns),
          values_(reader),
          all_(static_cast<State>(kSeen | ((1u << columns.size()) - 1))),
          states_(population.cellsOfScan().size()) {
        const auto& cells = population.cellsOfScan();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i] == kNoCell) states_[i] = all_; // nothing to find out
        }
        for (std::size_t c = 0; c < columns.size(); ++c) {
            first_.emplace_back(cells.size());
        }
        needsAddress_ = std::any_of(columns.begin(), columns.end(),
                                    [](auto c) { return c == Column::Address || c == Column::PageAddress; });
    }

    void visit(const RowBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            if (states_[block.cells[i]] != all_) addRow(block, i);
        }
    }
    void add(const Pass& other) {
        for (std::size_t cell = 0; cell < states_.size(); ++cell) {
            if (states_[cell] == all_ || (other.states_[cell] & kSeen) == 0) continue;
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                addValue(cell, c, other.first_[c][cell]);
            }
            states_[cell] |= other.states_[cell];
        }
    }
    [[nodiscard]] State state(std::size_t cell) const { return states_[cell]; }
    [[nodiscard]] std::uint64_t value(std::size_t column, std::size_t cell) const { return first_[column][cell]; }

  private:
    void addRow(const RowBlock& block, std::size_t i) {
        const auto row = static_cast<RowId>(block.firstRow + i);
        const auto& exceptions = population_.exceptions();
        if (!exceptions.empty() && std::binary_search(exceptions.begin(), exceptions.end(), row)) return;
        const auto& view = population_.rows().view();
        const RowNumbers numbers{needsAddress_ ? view.columns->rows.address(row) : 0, TraceTime{block.begins[i]},
                                 block.ends[i] < view.horizon.ns ? TraceTime{block.ends[i]} : kNever, block.sizes[i]};
        const auto cell = block.cells[i];
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if ((states_[cell] >> c & 1) == 0) addValue(cell, c, values_.of(columns_[c], numbers).value_or(kNoValue));
        }
        states_[cell] |= kSeen;
    }
    void addValue(std::size_t cell, std::size_t column, std::uint64_t value) {
        auto& first = first_[column][cell];
        if ((states_[cell] & kSeen) == 0) first = value;
        if (first != value) states_[cell] |= static_cast<State>(1u << column);
    }

    const RowPopulation& population_;
    const std::vector<Column>& columns_;
    RowValues values_;
    State all_; ///< of cells that no row can change any more
    bool needsAddress_ = false;
    LargeArray<State> states_;
    std::vector<LargeArray<std::uint64_t>> first_; ///< by column and cell
};

bool SharedValues::collect(const RowPopulation& population, const KeyReader& reader, std::vector<Column> rowColumns,
                           const std::stop_token& stop) {
    columns_ = std::move(rowColumns);
    if (columns_.empty()) return true;
    const auto workers = population.workers();
    std::vector<Pass> passes;
    passes.reserve(workers);
    for (unsigned worker = 0; worker < workers; ++worker) {
        passes.emplace_back(population, reader, columns_);
    }
    const auto visit = [&](unsigned worker, const RowBlock& block) { passes[worker].visit(block); };
    if (!population.visitBlocks(workers, stop, visit)) return false;
    auto& all = passes.front();
    std::for_each(passes.begin() + 1, passes.end(), [&](const Pass& pass) { all.add(pass); });
    states_.resize(population.cells().size());
    values_.assign(columns_.size(), std::vector<std::uint64_t>(states_.size()));
    const auto& cells = population.cellsOfScan();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == kNoCell) continue;
        states_[cells[i]] = all.state(i);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            values_[c][cells[i]] = all.value(c, i);
        }
    }
    addExceptions(population, RowValues(reader));
    return !stop.stop_requested();
}

void SharedValues::addExceptions(const RowPopulation& population, const RowValues& values) {
    for (std::size_t i = 0; i < population.exceptions().size(); ++i) {
        const auto cell = population.cellsOfExceptions()[i];
        if (cell == kNoCell) continue;
        const auto numbers = population.numbersOf(population.exceptions()[i]);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const auto value = values.of(columns_[c], numbers).value_or(kNoValue);
            if ((states_[cell] & kSeen) == 0) values_[c][cell] = value;
            if (values_[c][cell] != value) states_[cell] |= static_cast<State>(1u << c);
        }
        states_[cell] |= kSeen;
    }
}

std::optional<SharedValues::Value> SharedValues::of(Column rowColumn, std::size_t cell) const {
    const auto column =
        static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), rowColumn) - columns_.begin());
    if ((states_[cell] >> column & 1) != 0) return std::nullopt;
    const auto value = values_[column][cell];
    return (states_[cell] & kSeen) == 0 || (value == kNoValue && mayLack(rowColumn)) ? Value() : Value(value);
}

} // namespace highwater::analysis

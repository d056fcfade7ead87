#include "core/analysis/table/shared_values.h"

#include "core/analysis/rows/large_array.h"
#include "core/analysis/rows/row_population.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// Represents no value. Only times, of which this is kNever, and keys of pictures, which are smaller, may be missing.
constexpr std::uint64_t kNoValue = ~std::uint64_t{0};

bool mayLack(Column rowColumn) {
    return valueKind(rowColumn) == ValueKind::Time || valueKind(rowColumn) == ValueKind::Duration ||
           specOf(rowColumn).need == ColumnNeed::Pictures;
}

} // namespace

/// By cell of the scan: the first value of each column, and whether there are others.
struct SharedValues::Found {
    LargeArray<State> states;
    std::vector<LargeArray<std::uint64_t>> first; ///< by column

    Found(std::size_t cells, std::size_t columns) : states(cells) {
        for (std::size_t c = 0; c < columns; ++c) {
            first.emplace_back(cells);
        }
    }
    void add(std::size_t cell, std::size_t column, std::uint64_t value) {
        auto& known = first[column][cell];
        if ((states[cell] & kSeen) == 0) known = value;
        if (known != value) states[cell] |= static_cast<State>(1u << column);
    }
    void add(const Found& other) {
        for (std::size_t cell = 0; cell < states.size(); ++cell) {
            if ((other.states[cell] & kSeen) == 0) continue;
            for (std::size_t c = 0; c < first.size(); ++c) {
                add(cell, c, other.first[c][cell]);
            }
            states[cell] |= other.states[cell];
        }
    }
};

/// The part of one worker.
class SharedValues::Pass {
  public:
    Pass(const RowPopulation& population, const KeyReader& reader, const std::vector<Column>& columns)
        : population_(population),
          columns_(columns),
          values_(reader),
          all_(static_cast<State>(kSeen | ((1u << columns.size()) - 1))),
          needsAddress_(std::any_of(columns.begin(), columns.end(), [](auto c) { return specOf(c).needsAddress; })),
          found_(population.cellsOfScan().size(), columns.size()) {
        found_.states[population.scan().none()] = all_; // nothing to determine
    }

    void visit(const RowBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            if (found_.states[block.cells[i]] != all_) addRow(block, i);
        }
    }
    [[nodiscard]] Found& found() { return found_; }

  private:
    void addRow(const RowBlock& block, std::size_t i) {
        const auto row = static_cast<RowId>(block.firstRow + i);
        const auto& exceptions = population_.exceptions();
        if (!exceptions.empty() && std::binary_search(exceptions.begin(), exceptions.end(), row)) return;
        const auto& view = population_.rows().view();
        const RowNumbers numbers{needsAddress_ ? view.columns->rows.address(row) : 0, TraceTime{block.begins[i]},
                                 block.ends[i] < view.horizon.ns ? TraceTime{block.ends[i]} : kNever, block.sizes[i],
                                 row};
        const auto cell = block.cells[i];
        auto& state = found_.states[cell];
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if ((state >> c & 1) == 0) found_.add(cell, c, values_.of(columns_[c], numbers).value_or(kNoValue));
        }
        state |= kSeen;
    }

    const RowPopulation& population_;
    const std::vector<Column>& columns_;
    RowValues values_;
    State all_; ///< state of cells that no further row can change
    bool needsAddress_;
    Found found_;
};

std::shared_ptr<const SharedValues::Found> SharedValues::pass(const RowPopulation& population, const KeyReader& reader,
                                                              const std::stop_token& stop) const {
    const auto workers = population.workers();
    std::vector<Pass> passes;
    passes.reserve(workers);
    for (unsigned worker = 0; worker < workers; ++worker) {
        passes.emplace_back(population, reader, columns_);
    }
    const auto visit = [&](unsigned worker, const RowBlock& block) { passes[worker].visit(block); };
    if (!population.visitBlocks(workers, stop, visit)) return nullptr;
    auto& all = passes.front().found();
    std::for_each(passes.begin() + 1, passes.end(), [&](Pass& pass) { all.add(pass.found()); });
    return std::make_shared<const Found>(std::move(all));
}

std::shared_ptr<const SharedValues::Found> SharedValues::find(const RowPopulation& population, const KeyReader& reader,
                                                              const std::stop_token& stop) const {
    static PassCache<Found> cache;
    auto key = population.passKey();
    // SelectionLifeTime depends on the interval even if the rows do not; marks are not part of the key.
    const bool isOfMore = std::any_of(columns_.begin(), columns_.end(), [](auto column) {
        return specOf(column).isOfInterval || specOf(column).isOfMarks;
    });
    if (!key || isOfMore || population.scan().index().size() > kMostCellsKept) {
        return pass(population, reader, stop);
    }
    key->rowColumns = columns_;
    if (auto known = cache.find(*key)) return known;
    auto found = pass(population, reader, stop);
    if (found) cache.add(*std::move(key), found);
    return found;
}

bool SharedValues::collect(const RowPopulation& population, const KeyReader& reader, std::vector<Column> rowColumns,
                           const std::stop_token& stop) {
    columns_ = std::move(rowColumns);
    if (columns_.empty()) return true;
    const auto found = find(population, reader, stop);
    if (!found) return false;
    states_.resize(population.cells().size());
    values_.assign(columns_.size(), std::vector<std::uint64_t>(states_.size()));
    const auto& cells = population.cellsOfScan();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == kNoCell) continue;
        states_[cells[i]] = found->states[i];
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            values_[c][cells[i]] = found->first[c][i];
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

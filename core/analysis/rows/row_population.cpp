#include "core/analysis/rows/row_population.h"

#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>

namespace highwater::analysis {

RowPopulation::RowPopulation(const store::PublishedTrace& trace, store::TableKind kind,
                             const PopulationOptions& options)
    : rows_(trace, kind, options.rows),
      options_(options),
      pass_{options.byFreeType, options.byImpact, options.byTemporary},
      scan_(rows_, pass_) {}

std::unique_ptr<RowPopulation> RowPopulation::make(const store::PublishedTrace& trace, store::TableKind kind,
                                                   const PopulationOptions& options, const std::stop_token& stop) {
    std::unique_ptr<RowPopulation> population(new RowPopulation(trace, kind, options));
    const auto counted = population->count(stop);
    if (!counted) return nullptr;
    population->findExceptions();
    if (population->exceptions_.empty()) {
        population->addOrdinary(*counted);
    } else {
        auto own = *counted;
        population->removeExceptions(own);
        population->addOrdinary(own);
    }
    population->addExceptions();
    return population;
}

void RowPopulation::findExceptions() {
    const auto& view = rows_.view();
    const auto& table = view.columns->rows;
    const auto& wide = table.wideSizes();
    for (std::uint64_t i = 0; i < wide.size() && wide[i].row < view.rows; ++i) {
        exceptions_.push_back(static_cast<RowId>(wide[i].row));
    }
    const auto& objects = table.wideObjects();
    for (std::uint64_t i = 0; i < objects.size() && objects[i].row < view.rows; ++i) {
        exceptions_.push_back(static_cast<RowId>(objects[i].row));
    }
    for (const auto& partial : rows_.partials()) {
        exceptions_.push_back(partial.row);
    }
    if (options_.byRealloc) {
        for (std::uint64_t i = 0; i < view.reallocMarks; ++i) {
            reallocMarks_.push_back(table.reallocMarks()[i]);
        }
        std::sort(reallocMarks_.begin(), reallocMarks_.end());
        exceptions_.insert(exceptions_.end(), reallocMarks_.begin(), reallocMarks_.end());
    }
    std::sort(exceptions_.begin(), exceptions_.end());
    exceptions_.erase(std::unique(exceptions_.begin(), exceptions_.end()), exceptions_.end());
}

std::uint64_t RowPopulation::denseIndexOf(RowId row) const {
    const auto& view = rows_.view();
    const auto type = rows_.typeOf(view.begin(row).ns, rows_.end(row).ns);
    const auto& index = scan_.index();
    const auto& codes = index.endCodes();
    const auto code = codes.size() == 1 ? 0 : codes.of(rows_.endKind(row), rows_.isTemporary(row));
    return index.of(view.columns->rows.site(row).value, type, code, view.columns->rows.narrowSizes()[row] == 0);
}

bool RowPopulation::isMarkedRealloc(RowId row) const {
    return std::binary_search(reallocMarks_.begin(), reallocMarks_.end(), row);
}

CellKey RowPopulation::keyOf(RowId row, const Sums& sums) const {
    const auto& view = rows_.view();
    CellKey key;
    key.site = view.columns->rows.site(row).value;
    key.table = rows_.kind();
    key.type = rows_.typeOf(view.begin(row).ns, rows_.end(row).ns);
    key.impact = IntervalRows::impactOf(key.type, sums.impacting);
    if (options_.byFreeType) key.freeType = static_cast<std::uint8_t>(rows_.endKind(row));
    key.isRealloc = view.site(row).isRealloc || isMarkedRealloc(row);
    if (options_.byTemporary) key.isTemporary = rows_.isTemporary(row);
    return key;
}

std::optional<PassKey> RowPopulation::passKey() const {
    if (hasAnnotatedRows_) return std::nullopt;
    auto key = PassKey::make(rows_, pass_);
    if (key) key->byRealloc = options_.byRealloc;
    return key;
}

std::shared_ptr<const CountedCells> RowPopulation::count(const std::stop_token& stop) const {
    static PassCache<CountedCells> cache;
    const auto key = PassKey::make(rows_, pass_);
    if (auto known = key ? cache.find(*key) : nullptr) return known;
    auto counted = countRows(rows_, scan_, stop);
    if (!counted) return nullptr;
    const auto shared = std::make_shared<const CountedCells>(*std::move(counted));
    if (key && shared->cells.size() <= kMostCellsKept) cache.add(*key, shared);
    return shared;
}

void RowPopulation::removeExceptions(CountedCells& counted) const {
    const auto& view = rows_.view();
    for (const auto row : exceptions_) {
        if (!rows_.isMember(view.begin(row).ns, rows_.end(row).ns)) continue;
        const auto place = std::ranges::lower_bound(counted.places, denseIndexOf(row));
        auto& cell = counted.cells[static_cast<std::size_t>(place - counted.places.begin())];
        --cell.count;
        cell.bytes -= view.columns->rows.narrowSizes()[row];
    }
}

void RowPopulation::addOrdinary(const CountedCells& counted) {
    const auto& view = rows_.view();
    const auto& index = scan_.index();
    cellOfDense_ = CellsOfScan(index.size() + 1);
    // There may be a million, and a growing vector would need twice their memory.
    cells_.reserve(counted.cells.size());
    for (std::size_t at = 0; at < counted.cells.size(); ++at) {
        const auto [count, bytes] = counted.cells[at];
        if (count == 0) continue; // all of its rows were exceptions
        const auto i = counted.places[at];
        const auto type = index.type(i);
        const bool inside = type == RowType::AIFI || type == RowType::AIFO;
        const bool freed = type == RowType::AIFI || type == RowType::AOFI;
        Sums sums{count, bytes, inside ? bytes : 0, freed ? bytes : 0, 0, inside ? 0 : bytes, count};
        sums.impacting = (freed ? 0 : bytes) - sums.opening;
        CellKey key;
        key.site = index.site(i);
        key.table = rows_.kind();
        key.type = type;
        // Rows of one cell are alike, so one row is sufficient: only rows with a size have an impact.
        const bool changes = (type == RowType::AIFO || type == RowType::AOFI) && !index.isZero(i);
        key.impact = IntervalRows::impactOf(type, changes ? 1 : 0);
        key.freeType = static_cast<std::uint8_t>(index.endCodes().kind(index.endCode(i)));
        key.isTemporary = index.endCodes().isTemporary(index.endCode(i));
        key.isRealloc = view.columns->sites[SiteId{key.site}].isRealloc;
        cellOfDense_.set(i, static_cast<std::uint32_t>(cells_.size()));
        cells_.push_back(Cell{key, sums});
    }
}

void RowPopulation::addExceptions() {
    CellIndex index;
    cellOfException_.resize(exceptions_.size(), kNoCell);
    for (std::size_t i = 0; i < exceptions_.size(); ++i) {
        const auto row = exceptions_[i];
        if (!rows_.isMember(rows_.view().begin(row).ns, rows_.end(row).ns)) continue;
        const auto sums = rows_.sumsOf(row);
        const auto cell = index.cellOf(keyOf(row, sums), cells_);
        cells_[cell].sums += sums;
        cellOfException_[i] = cell;
    }
}

bool RowPopulation::annotate(LabelsOfRows& labels, const std::stop_token& stop) {
    const auto hasSeveral = annotateCells(labels);
    if (std::find(hasSeveral.begin(), hasSeveral.end(), 1) != hasSeveral.end()) {
        auto annotated = annotateRows(hasSeveral, labels, stop);
        if (!annotated) return false;
        makeExceptions(annotated->rows, replaceCells(hasSeveral, std::move(annotated->cells)));
    }
    isAnnotated_ = true;
    return !stop.stop_requested();
}

void RowPopulation::makeExceptions(const std::vector<Annotated>& rows, std::uint32_t firstCell) {
    std::vector<RowId> merged;
    std::vector<std::uint32_t> cells;
    auto added = rows.begin();
    const auto addUpTo = [&](std::uint64_t end) {
        for (; added != rows.end() && added->row < end; ++added) {
            merged.push_back(static_cast<RowId>(added->row));
            cells.push_back(firstCell + added->cell);
        }
    };
    for (std::size_t i = 0; i < exceptions_.size(); ++i) {
        addUpTo(std::uint64_t{exceptions_[i]} + 1);
        if (!merged.empty() && merged.back() == exceptions_[i]) continue;
        merged.push_back(exceptions_[i]);
        cells.push_back(cellOfException_[i]);
    }
    addUpTo(rows_.view().rows);
    exceptions_ = std::move(merged);
    cellOfException_ = std::move(cells);
    hasAnnotatedRows_ = true;
}

std::uint32_t RowPopulation::cellOf(RowId row) const {
    if (!exceptions_.empty()) {
        const auto found = std::lower_bound(exceptions_.begin(), exceptions_.end(), row);
        if (found != exceptions_.end() && *found == row) {
            return cellOfException_[static_cast<std::size_t>(found - exceptions_.begin())];
        }
    }
    if (!rows_.isMember(rows_.view().begin(row).ns, rows_.end(row).ns)) return kNoCell;
    return cellOfDense_[denseIndexOf(row)];
}

void RowPopulation::visitSpan(std::uint64_t span, std::vector<Member>& members) const {
    members.clear();
    auto exception = std::lower_bound(exceptions_.begin(), exceptions_.end(), scan_.firstOfSpan(span));
    scan_.visit(scan_.firstOfSpan(span), scan_.lastOfSpan(span), [&](const RowBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            const auto row = block.firstRow + i;
            auto cell = cellOfDense_[block.cells[i]];
            if (exception != exceptions_.end() && *exception == row) {
                cell = cellOfException_[static_cast<std::size_t>(exception++ - exceptions_.begin())];
            }
            if (cell != kNoCell) members.push_back(Member{row, cell});
        }
    });
}

bool RowPopulation::visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const {
    std::vector<std::vector<Member>> members(workers);
    return forEachSpan(scan_.spans(), workers, stop, [&](unsigned worker, std::uint64_t span) {
        if (rows_.spanIsOutside(span)) return;
        visitSpan(span, members[worker]);
        visit(worker, members[worker]);
    });
}

unsigned RowPopulation::workers() const { return workersFor(scan_.spans()); }

RowNumbers RowPopulation::numbersOf(RowRef ref) const {
    const auto row = static_cast<RowId>(ref);
    const auto& view = rows_.view();
    return {view.columns->rows.address(row), view.begin(row), rows_.end(row), view.size(row), ref};
}

RowFacts RowPopulation::facts(RowRef ref) const {
    RowFacts facts{numbersOf(ref), {}, {}};
    facts.sums = rows_.sumsOf(static_cast<RowId>(ref));
    facts.key = keyOf(static_cast<RowId>(ref), facts.sums);
    if (!isAnnotated_) return facts;
    const auto cell = cellOf(static_cast<RowId>(ref));
    facts.key.annotation = cell == kNoCell ? 0 : cells_[cell].key.annotation;
    return facts;
}

void RowPopulation::renumberCells(const std::vector<std::uint32_t>& numbers) {
    for (std::size_t i = 0; i < cellOfDense_.size(); ++i) {
        if (const auto cell = cellOfDense_[i]; cell != kNoCell) cellOfDense_.set(i, numbers[cell]);
    }
    for (auto& cell : cellOfException_) {
        if (cell != kNoCell) cell = numbers[cell];
    }
}

} // namespace highwater::analysis

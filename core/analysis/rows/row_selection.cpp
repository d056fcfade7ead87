#include "core/analysis/rows/row_selection.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/release_population.h"
#include "core/analysis/rows/row_annotator.h"
#include "core/analysis/rows/row_matcher.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/snapshot_population.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

/// Sites, with one cell each, whether or not any of their rows are members. Has no rows: sums are 0, and no member is
/// visited.
class SitePopulation final : public Population {
  public:
    SitePopulation(const store::PublishedTrace& trace, store::TableKind kind, const std::vector<std::uint32_t>* sites) {
        const auto count = sites == nullptr ? trace.table(kind).sites : static_cast<std::uint32_t>(sites->size());
        cells_.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            CellKey key;
            key.site = sites == nullptr ? i : (*sites)[i];
            key.table = kind;
            cells_.push_back({key, {}});
        }
    }
    /// Labels may depend on single rows, so they are never requested here.
    bool annotate(LabelsOfRows& labels, const std::stop_token& stop) override {
        (void)annotateCells(labels);
        return !stop.stop_requested();
    }
    bool visitMembers(unsigned /*workers*/, const std::stop_token& stop, const Visit& /*visit*/) const override {
        return !stop.stop_requested();
    }
    [[nodiscard]] unsigned workers() const override { return 1; }
    [[nodiscard]] RowFacts facts(RowRef /*row*/) const override { return {}; }

  private:
    void renumberCells(const std::vector<std::uint32_t>& /*numbers*/) override {}
};

ColumnSet columnsOfFilter(const RowFilter& filter, ColumnSet columns) {
    for (const auto& clause : filter.clauses) {
        for (const auto& path : clause.anyOf) {
            for (const auto& step : path) {
                columns.add(step.column);
            }
        }
    }
    if (filter.hasConditions()) columns.add(filter.query->columns());
    return columns;
}

/// Every column except aggregates must be in the table.
std::optional<Error> checkColumns(Table table, const ColumnSet& columns) {
    for (const auto& spec : kColumnSpecs) {
        const auto column = spec.column;
        // Filters to single rows support any table.
        const bool isKnown = isAggregate(column) || hasColumn(table, column) || column == Column::Allocation;
        if (!columns.contains(column) || isKnown) continue;
        return Error{ErrorKind::Usage, fmt::format("The table \"{}\" has no column \"{}\".", tableTitle(table),
                                                   columnName(table, column))};
    }
    return std::nullopt;
}

PopulationOptions populationOptions(const SelectionQuery& query, const ColumnSet& columns) {
    PopulationOptions options;
    options.rows = {query.interval, query.membership, query.processExitFreesHeap};
    options.byFreeType = columns.contains(Column::FreeType);
    options.byImpact = columns.contains(Column::ImpactingType);
    options.byRealloc = columns.contains(Column::IsRealloc);
    options.byTemporary = columns.contains(Column::Temporary);
    const auto ofFrees = columnsOf(Table::Frees);
    options.byAllocSite =
        std::ranges::any_of(ofFrees, [&](auto column) { return isAllocStack(column) && columns.contains(column); });
    return options;
}

/// Null: stopped.
Result<std::unique_ptr<Population>> makePopulation(const store::PublishedTrace& trace, const SelectionQuery& query,
                                                   const PopulationOptions& options, const std::stop_token& stop) {
    using Made = std::unique_ptr<Population>;
    if (query.bySite) return Made(std::make_unique<SitePopulation>(trace, rowsOf(query.table), query.sites));
    if (query.table == Table::Frees) return Made(ReleasePopulation::make(trace, options, stop));
    if (query.table == Table::Snapshot) {
        auto instances = instancesIn(trace, query.instances, query.interval);
        auto made = SnapshotPopulation::make(trace, std::move(instances), query.processExitFreesHeap, stop);
        return made.hasValue() ? Result<Made>(std::move(made).value()) : made.error();
    }
    return Made(RowPopulation::make(trace, rowsOf(query.table), options, stop));
}

/// A filter may provide the context for its columns.
SelectionQuery withContextOfFilter(SelectionQuery query) {
    if (query.filter == nullptr) return query;
    if (!query.marks) query.marks = query.filter->marks;
    if (query.annotations == nullptr) query.annotations = query.filter->annotations.get();
    return query;
}

} // namespace

const AllocatorFrames* skippedIn(Table table, const AllocatorFrames* asked) {
    const bool isOther = table == Table::Managed && asked == AllocatorFrames::builtIn().get();
    return isOther ? AllocatorFrames::builtInManaged().get() : asked;
}

Result<std::unique_ptr<RowSelection>> RowSelection::make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const SelectionQuery& asked, const std::stop_token& stop) {
    const auto query = withContextOfFilter(asked);
    auto columns = query.filter == nullptr ? query.columns : columnsOfFilter(*query.filter, query.columns);
    const bool hasLabels = query.annotations != nullptr && columns.contains(Column::Annotation);
    if (hasLabels) {
        if (auto error = refusalOf(*query.annotations, query.table)) return *std::move(error);
        columns.add(columnsOf(*query.annotations));
    }
    if (auto error = checkColumns(query.table, columns)) return *std::move(error);
    if (query.filter != nullptr) {
        if (auto error = query.filter->refusal(query.table)) return *std::move(error);
    }
    std::unique_ptr<RowSelection> selection(new RowSelection);
    selection->population_ = TRY(makePopulation(trace, query, populationOptions(query, columns), stop));
    if (!selection->population_ || stop.stop_requested()) return cancelled();
    selection->reader_ = std::make_unique<KeyReader>(trace, labels, query.interval, query.table, query.marks);
    selection->reader_->setInstances(instancesOf(trace, query.instances));
    const auto* allocatorFrames = skippedIn(query.table, query.allocatorFrames);
    for (const auto column : columnsOf(query.table)) {
        const auto* skipped = isBottomUp(column) ? allocatorFrames : nullptr;
        if (!columns.contains(column)) continue;
        if (isOfTags(column))
            selection->reader_->addTags(column, selection->cells());
        else if (isStack(column))
            selection->reader_->addStacks(column, selection->cells(), skipped);
    }
    if (columns.contains(Column::Owner)) selection->reader_->addOwners();
    constexpr std::array kOfPictures{Column::Reachability, Column::Holder, Column::ObjectType};
    if (std::ranges::any_of(kOfPictures, [&](Column column) { return columns.contains(column); }))
        selection->reader_->addPictures();
    if (columns.contains(Column::SourceLine)) selection->reader_->addSources(selection->cells(), allocatorFrames);
    if (hasLabels) {
        RowAnnotator annotator(*query.annotations, *selection->reader_, labels);
        if (!selection->population_->annotate(annotator, stop)) return cancelled();
    }
    if (query.filter != nullptr && !query.filter->isEmpty() && !selection->applyFilter(*query.filter, stop)) {
        return cancelled();
    }
    return selection;
}

bool RowSelection::applyFilter(const RowFilter& filter, const std::stop_token& stop) {
    RowMatcher matcher(filter, *reader_);
    std::vector<std::uint8_t> keep;
    std::vector<std::uint8_t> undecided;
    for (const auto& cell : cells()) {
        const auto match = matcher.matches(cell.key);
        keep.push_back(match == RowMatcher::Match::No ? 0 : 1);
        if (match != RowMatcher::Match::No) undecided.push_back(match == RowMatcher::Match::NeedsRow ? 1 : 0);
    }
    population_->keepCells(keep);
    if (std::find(undecided.begin(), undecided.end(), 1) == undecided.end()) return true;
    std::vector<RowRef> rows;
    const bool finished = population_->visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            if (undecided[member.cell] == 0 || matcher.matches(population_->facts(member.row)))
                rows.push_back(member.row);
        }
    });
    singleRows_ = std::move(rows);
    return finished;
}

std::optional<std::vector<RowRef>> RowSelection::rowsOf(const std::vector<std::uint8_t>& wanted,
                                                        const std::stop_token& stop) const {
    std::vector<RowRef> rows;
    const bool finished = population_->visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            if (wanted[member.cell] != 0) rows.push_back(member.row);
        }
    });
    if (!finished) return std::nullopt;
    return rows;
}

} // namespace highwater::analysis

#include "core/analysis/flames/flames.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/flames/flame_tree_builder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::array kMeasures{Column::ImpactingSize, Column::Size,      Column::Count,
                               Column::PeakSize,      Column::Allocated, Column::Freed};
constexpr std::array kMeasuresOfFrees{Column::Size, Column::Count};

std::optional<Error> refusalOf(const FlameQuery& query) {
    for (const auto key : query.keys) {
        if (!isAggregate(key)) continue;
        return Error{ErrorKind::Usage, fmt::format("Cannot group frames by \"{}\" because it is a sum over rows.",
                                                   columnName(query.table, key))};
    }
    const auto known = flameMeasuresOf(query.table);
    if (std::find(known.begin(), known.end(), query.measure) != known.end()) return std::nullopt;
    return Error{ErrorKind::Usage, fmt::format("A flame graph of \"{}\" cannot show \"{}\" as the frame width.",
                                               tableTitle(query.table), columnName(query.table, query.measure))};
}

/// Removes duplicates and columns that distinguish single rows, which would make each row a frame.
std::vector<Column> keysOf(const FlameQuery& query) {
    std::vector<Column> keys;
    for (const auto key : query.keys) {
        if (!isOfSingleRows(key) && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

Result<std::unique_ptr<RowSelection>> select(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const FlameQuery& query, TimeRange interval, const std::stop_token& stop) {
    ColumnSet columns;
    for (const auto key : keysOf(query))
        columns.add(key);
    return RowSelection::make(trace, labels,
                              {query.table, interval, Membership::Table, columns, &query.filter,
                               query.processExitFreesHeap, query.allocatorFrames.get()},
                              stop);
}

} // namespace

std::span<const Column> flameMeasuresOf(Table table) {
    return !isOfAllocations(table) ? std::span<const Column>(kMeasuresOfFrees) : std::span<const Column>(kMeasures);
}

Result<FlameTree> computeFlames(const store::PublishedTrace& trace, FrameLabels& labels, const FlameQuery& query,
                                const std::stop_token& stop) {
    if (auto refusal = refusalOf(query)) return *std::move(refusal);
    FlameTree tree;
    FlamePaths paths(keysOf(query));
    const auto now = TRY(select(trace, labels, query, query.interval, stop));
    const auto amounts = flameAmountsOf(*now, query.table, query.measure, stop);
    if (!amounts) return cancelled();
    paths.add(*now, *amounts, FlamePaths::Of::Now);
    tree.peakTime = amounts->peakTime;
    std::unique_ptr<RowSelection> before; // used until the end for its stacks
    if (query.before) {
        before = TRY(select(trace, labels, query, *query.before, stop));
        const auto amountsBefore = flameAmountsOf(*before, query.table, query.measure, stop);
        if (!amountsBefore) return cancelled();
        paths.add(*before, *amountsBefore, FlamePaths::Of::Before);
        tree.hasBefore = true;
    }
    if (!paths.finish(stop)) return cancelled();
    tree.valueName = columnName(query.table, query.measure);
    const auto& reader = now->reader();
    const auto textOf = [&](const KeyStep& step) { return reader.text(step.column, step.key); };
    if (!FlameTreeBuilder(paths, textOf, query.mostFrames).build(tree, stop)) return cancelled();
    return tree;
}

} // namespace highwater::analysis

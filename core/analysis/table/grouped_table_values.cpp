#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/table/grouped_table_impl.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

CellValue number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

bool has(std::span<const Aggregation> offered, Aggregation aggregation) {
    return std::find(offered.begin(), offered.end(), aggregation) != offered.end();
}

/// For results of normalized(), in which Peak Size is the peak of Size, which a table need not have.
bool isOffered(Table table, ValueColumn asked) {
    if (asked == ValueColumn{Column::Size, Aggregation::Peak}) return hasColumn(table, Column::PeakSize);
    return has(aggregationsOf(table, asked.column), asked.aggregation);
}

bool has(std::span<const Column> columns, Column column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

/// Whether it needs more than the summary of the rows' values.
bool hasPassOfItsOwn(Aggregation aggregation) {
    return aggregation == Aggregation::UniqueCount || aggregation == Aggregation::WeightedAverage;
}

/// Whether the value is in the sums of the cells, or derived from them.
bool isOfSums(ValueColumn value) {
    return isAggregate(value.column) && value.aggregation != Aggregation::Min && value.aggregation != Aggregation::Max;
}

/// The sum of an aggregate divided by the number of rows, rounded.
CellValue averageOf(std::int64_t sum, std::uint64_t rows) {
    const auto divisor = static_cast<std::int64_t>(rows);
    const auto rest = sum % divisor;
    const auto up = (rest < 0 ? -rest : rest) >= divisor - divisor / 2 ? 1 : 0;
    return sum / divisor + (sum < 0 ? -up : up);
}

} // namespace

std::optional<Error> GroupedTable::Impl::refusal() const {
    for (const auto key : query.keys) {
        if (isAggregate(key)) {
            return Error{ErrorKind::Usage, fmt::format("Cannot group rows by \"{}\" because it is a sum over rows.",
                                                       columnName(query.table, key))};
        }
    }
    for (const auto asked : requestedValues()) {
        if (asked.aggregation == Aggregation::Own) continue;
        // Every table accepts aggregates; without outstanding rows, they have no values.
        if (asked == ValueColumn{Column::Size, Aggregation::Peak}) continue;
        if (isOffered(query.table, asked)) continue;
        return Error{ErrorKind::Usage, fmt::format("The table \"{}\" has no column \"{}\".", tableTitle(query.table),
                                                   valueColumnName(query.table, asked))};
    }
    return std::nullopt;
}

ColumnSet GroupedTable::Impl::usedColumns() const {
    ColumnSet columns;
    for (const auto column : query.keys) {
        columns.add(column);
    }
    for (const auto asked : requestedValues()) {
        columns.add(asked.column);
    }
    return columns;
}

std::vector<ValueColumn> GroupedTable::Impl::requestedValues() const {
    std::vector<ValueColumn> asked;
    for (const auto column : query.columns) {
        asked.push_back(normalized(column));
    }
    for (const auto& key : query.sort) {
        if (!isOfOneLevel(key)) asked.push_back(normalized(key.value()));
    }
    return asked;
}

std::vector<Column> GroupedTable::Impl::requestedRowColumns() const {
    std::vector<Column> columns;
    for (const auto [column, aggregation] : requestedValues()) {
        const auto rowColumn = RowValues::rowColumn(column);
        // Sums of aggregates, and values derived from them, are in the cells.
        if (!rowColumn || isOfSums({column, aggregation}) || hasPassOfItsOwn(aggregation)) continue;
        if (!has(columns, *rowColumn)) columns.push_back(*rowColumn);
    }
    return columns;
}

std::vector<Column> GroupedTable::Impl::requestedWeightedColumns() const {
    std::vector<Column> columns;
    for (const auto [column, aggregation] : requestedValues()) {
        if (aggregation == Aggregation::WeightedAverage && !has(columns, column)) columns.push_back(column);
    }
    return columns;
}

bool GroupedTable::Impl::isRequestedAsShared(Column rowColumn) const {
    const auto asked = requestedValues();
    return std::all_of(asked.begin(), asked.end(), [&](const ValueColumn& value) {
        return value == ValueColumn{rowColumn} || isOfSums(value) || hasPassOfItsOwn(value.aggregation) ||
               RowValues::rowColumn(value.column) != rowColumn;
    });
}

bool GroupedTable::Impl::collectRowColumns(const std::stop_token& stop) {
    const auto* rows = dynamic_cast<const RowPopulation*>(&selection->population());
    std::vector<Column> summed;
    for (const auto column : requestedRowColumns()) {
        if (rows != nullptr && isRequestedAsShared(column)) {
            sharedColumns.push_back(column);
        } else {
            summed.push_back(column);
            summaries[column];
        }
    }
    const auto weighted = requestedWeightedColumns();
    for (const auto column : weighted)
        weightedSums[column];
    // If only some rows of a cell are selected, the tree consists of rows.
    if (selection->singleRows()) return true;
    return (sharedColumns.empty() || sharedValues.collect(*rows, selection->reader(), sharedColumns, stop)) &&
           statistics.collect(*selection, summed, weighted, stop);
}

CellValue GroupedTable::Impl::value(NodeId id, ValueColumn asked) const {
    asked = normalized(asked);
    const auto [column, aggregation] = asked;
    if (trace->lacks.isAny() && !whyNoColumn(asked, trace->lacks).empty()) return {};
    if (aggregation == Aggregation::Own) {
        return isAggregate(column) ? aggregate(id, column) : sharedValue(id, column);
    }
    if (!isOffered(query.table, asked)) return {};
    const auto peak = column == Column::Count ? tree->node(id).peakCount : tree->node(id).peak;
    switch (aggregation) {
    case Aggregation::Sum:
        return sum(id, column);
    case Aggregation::Count:
        return count(id, column);
    case Aggregation::Average:
        return average(id, column);
    case Aggregation::WeightedAverage:
        return weightedAverage(id, column);
    case Aggregation::UniqueCount: {
        const auto computed = uniqueCounts.find(column);
        const auto* found = computed == uniqueCounts.end() ? nullptr : computed->second.find(id);
        return found == nullptr ? CellValue() : number(*found);
    }
    case Aggregation::Peak:
        return peak ? CellValue(*peak) : CellValue();
    case Aggregation::Min:
    case Aggregation::Max:
        return extreme(id, asked);
    case Aggregation::Own: // handled above
        break;
    }
    return {};
}

CellValue GroupedTable::Impl::aggregate(NodeId id, Column column) const {
    const auto& sums = tree->node(id).sums;
    const bool releases = !hasLevels(query.table);
    switch (column) {
    case Column::Count:
        return number(sums.count);
    case Column::Size:
        return number(sums.size);
    case Column::Freed:
        return hasColumn(query.table, Column::Freed) ? number(sums.freed) : CellValue();
    case Column::ImpactingSize:
        return releases ? CellValue() : number(sums.impacting);
    case Column::Allocated:
        return hasColumn(query.table, Column::Allocated) ? number(sums.allocated) : CellValue();
    case Column::PeakTime: {
        const auto* time = peakTimes.find(id);
        return time == nullptr ? CellValue() : CellValue(*time);
    }
    case Column::Resident:
    case Column::HeldPages: {
        const auto* held = heldMemory.find(id);
        if (held == nullptr || !*held) return {};
        return number(column == Column::Resident ? (*held)->resident : (*held)->heldPages);
    }
    case Column::Retained: {
        const auto* bytes = retained.find(id);
        return bytes == nullptr || !*bytes ? CellValue() : number(**bytes);
    }
    case Column::Slope:
    case Column::Trend: {
        const auto* trend = trends.find(id);
        if (trend == nullptr) return {};
        if (column == Column::Trend) return trend->highest;
        return trend->bytesPerSecond ? CellValue(*trend->bytesPerSecond) : CellValue();
    }
    default:
        return {};
    }
}

CellValue GroupedTable::Impl::sum(NodeId id, Column column) const {
    if (column == Column::RowSize) return number(tree->node(id).sums.size);
    const auto* of = summary(id, column);
    return of == nullptr || of->count() == 0 ? CellValue() : CellValue(TraceTime{of->signedSum()});
}

CellValue GroupedTable::Impl::average(NodeId id, Column column) const {
    const auto& sums = tree->node(id).sums;
    if (column == Column::RowSize || column == Column::Size) {
        // Sizes are unsigned, so their sum may exceed a signed number.
        return sums.count == 0
                   ? CellValue()
                   : number(sums.size / sums.count + (sums.size % sums.count + sums.count / 2) / sums.count);
    }
    if (isAggregate(column)) {
        const auto sum = std::get<std::int64_t>(aggregate(id, column));
        return sums.count == 0 ? CellValue() : averageOf(sum, sums.count);
    }
    const auto* of = summary(id, column);
    return of == nullptr || of->count() == 0 ? CellValue() : CellValue(TraceTime{of->signedAverage()});
}

CellValue GroupedTable::Impl::weightedAverage(NodeId id, Column column) const {
    const auto* of = weightedSum(id, column);
    const auto average = of == nullptr ? std::nullopt : of->average();
    return average ? RowValues::cellValue(column, *average) : CellValue();
}

CellValue GroupedTable::Impl::extreme(NodeId id, ValueColumn asked) const {
    const auto rowColumn = *RowValues::rowColumn(asked.column);
    const auto* of = summary(id, rowColumn);
    if (of == nullptr || of->count() == 0) return {};
    return RowValues::cellValue(rowColumn, asked.aggregation == Aggregation::Min ? of->low() : of->high());
}

CellValue GroupedTable::Impl::count(NodeId id, Column column) const {
    if (isAggregate(column)) return number(tree->node(id).sums.count);
    if (isOfSingleRows(column)) {
        const auto* of = summary(id, column);
        return of == nullptr ? CellValue() : number(of->count());
    }
    const auto computed = keyCounts.find(column);
    const auto* found = computed == keyCounts.end() ? nullptr : computed->second.find(id);
    return found == nullptr ? CellValue() : number(*found);
}

bool GroupedTable::Impl::isKnown(Column column) const {
    return hasColumn(query.table, column) && (!specOf(column).needsAsking || used.contains(column));
}

CellValue GroupedTable::Impl::sharedValue(NodeId id, Column column) const {
    if (column == Column::SourceLine && tree->node(id).depth > 0) {
        const auto* known = sources.find(id);
        return known == nullptr ? sourceOfFrame(id).value_or(CellValue()) : *known;
    }
    if (!isStack(column)) return sharedKey(id, column).value_or(CellValue());
    return isKnown(column) && !tree->elements(id).empty() ? sharedStack(id, column) : CellValue();
}

std::optional<GroupedTable::Impl::ElementKey> GroupedTable::Impl::rowKey(NodeTree::Element element,
                                                                         Column rowColumn) const {
    const auto row = element & ~NodeTree::kRow;
    if (row != element) return RowValues(selection->reader()).of(rowColumn, selection->population().numbersOf(row));
    if (has(sharedColumns, rowColumn)) return sharedValues.of(rowColumn, element);
    const auto& of = statistics.of(rowColumn)[element];
    if (of.count() == 0) return ElementKey();
    if (of.count() != selection->cells()[element].sums.rows || of.low() != of.high()) return std::nullopt;
    return ElementKey(of.low());
}

std::optional<CellValue> GroupedTable::Impl::sharedKey(NodeId id, Column column) const {
    const auto& reader = selection->reader();
    for (auto ancestor = id; ancestor != kRoot; ancestor = tree->node(ancestor).parent) {
        const auto& node = tree->node(ancestor);
        if (node.column == column) return reader.value(column, node.key);
    }
    if (!isKnown(column) || tree->elements(id).empty()) return {};
    const bool single = isOfSingleRows(column);
    if (single && !has(sharedColumns, column) && !summaries.contains(column)) return {};
    std::optional<ElementKey> shared;
    for (const auto element : tree->elements(id)) {
        const auto key = single ? rowKey(element, column) : ElementKey(reader.key(column, tree->keyOf(element)));
        if (!key || (shared && *shared != *key)) return {};
        shared = key;
    }
    if (!single || (*shared && valueKind(column) == ValueKind::Text)) return reader.value(column, **shared);
    return *shared ? RowValues::cellValue(column, **shared) : CellValue();
}

std::vector<RowCode> GroupedTable::Impl::codeOf(NodeId id) const {
    const auto& node = tree->node(id);
    std::vector<StackId> stacks;
    for (const auto element : tree->elements(id)) {
        const auto stack = selection->reader().stackId(node.column, tree->keyOf(element));
        if (stacks.empty() || stacks.back() != stack) stacks.push_back(stack);
    }
    std::sort(stacks.begin(), stacks.end());
    stacks.erase(std::unique(stacks.begin(), stacks.end()), stacks.end());
    return selection->reader().codeOf(node.column, stacks, node.depth - 1);
}

std::optional<CellValue> GroupedTable::Impl::sourceOfFrame(NodeId id) const {
    if (!isKnown(Column::SourceLine)) return std::nullopt;
    const auto found = sourcesOf(codeOf(id));
    if (found.size() > 1) return std::nullopt;
    return found.empty() ? CellValue() : CellValue(found.front().text());
}

CellValue GroupedTable::Impl::sharedStack(NodeId id, Column column) const {
    const auto& reader = selection->reader();
    const auto elements = tree->elements(id);
    const auto stack = reader.stackId(column, tree->keyOf(elements.front()));
    for (const auto element : elements) {
        if (reader.stackId(column, tree->keyOf(element)) != stack) return {};
    }
    std::string text;
    for (const auto label : reader.stack(column, tree->keyOf(elements.front()))) {
        text.append(text.empty() ? "" : "/").append(labels->text(LabelId{label}));
    }
    return text;
}

} // namespace highwater::analysis

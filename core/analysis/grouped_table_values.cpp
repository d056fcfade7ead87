#include "core/analysis/grouped_table_impl.h"

#include <algorithm>

namespace highwater::analysis {

ColumnSet GroupedTable::Impl::usedColumns() const {
    ColumnSet columns;
    for (const auto column : query.keys) {
        columns.add(column);
    }
    for (const auto column : query.columns) {
        columns.add(column);
    }
    for (const auto& key : query.sort) {
        columns.add(key.column);
    }
    return columns;
}

bool GroupedTable::Impl::collectSingleValues(const std::stop_token& stop) {
    std::vector<Column> columns;
    for (auto i = static_cast<int>(Column::Address); i <= static_cast<int>(Column::RowSize); ++i) {
        if (used.contains(static_cast<Column>(i))) columns.push_back(static_cast<Column>(i));
    }
    if (columns.empty() || selection->singleRows()) return true;
    const auto& population = selection->population();
    const auto& reader = selection->reader();
    const auto workers = population.workers();
    const auto cellCount = selection->cells().size();
    // [worker][column][cell]
    std::vector<std::vector<std::vector<KeySpan>>> spans(
        workers, std::vector<std::vector<KeySpan>>(columns.size(), std::vector<KeySpan>(cellCount)));
    const bool finished = population.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
        for (const auto& member : members) {
            const auto facts = population.valuesOf(member.row);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                spans[worker][c][member.cell].add(reader.key(columns[c], facts));
            }
        }
    });
    for (std::size_t c = 0; finished && c < columns.size(); ++c) {
        for (unsigned worker = 1; worker < workers; ++worker) {
            for (std::size_t cell = 0; cell < cellCount; ++cell) {
                spans[0][c][cell].add(spans[worker][c][cell]);
            }
        }
        singleValues[columns[c]] = std::move(spans[0][c]);
    }
    return finished;
}

CellValue GroupedTable::Impl::aggregate(const TreeNode& node, Column column) const {
    const auto& sums = node.sums;
    const auto number = [](std::uint64_t value) { return CellValue(static_cast<std::int64_t>(value)); };
    const bool releases = query.table == Table::Frees;
    switch (column) {
    case Column::Count:
        return number(sums.count);
    case Column::Size:
        return number(sums.size);
    case Column::Freed:
        return number(sums.freed);
    case Column::ImpactingSize:
        return releases ? CellValue() : number(sums.impacting);
    case Column::Allocated:
        return releases ? CellValue() : number(sums.allocated);
    case Column::PeakSize:
        return node.peak ? CellValue(*node.peak) : CellValue();
    default:
        return {};
    }
}

CellValue GroupedTable::Impl::sharedValue(NodeId id, Column column) const {
    if (!isStack(column)) return sharedKey(id, column).value_or(CellValue());
    return used.contains(column) && !tree->elements(id).empty() ? sharedStack(id, column) : CellValue();
}

std::optional<CellValue> GroupedTable::Impl::sharedKey(NodeId id, Column column) const {
    const auto& reader = selection->reader();
    for (auto ancestor = id; ancestor != kRoot; ancestor = tree->node(ancestor).parent) {
        const auto& node = tree->node(ancestor);
        if (node.column == column) return reader.value(column, node.key);
    }
    const auto known = columnsOf(query.table);
    if (std::find(known.begin(), known.end(), column) == known.end() || tree->elements(id).empty()) return {};
    // These are told apart only if asked for; others of one site always are.
    const bool needsAsking = isOfSingleRows(column) || column == Column::FreeType || column == Column::ImpactingType ||
                             column == Column::IsRealloc;
    if (needsAsking && !used.contains(column)) return {};
    const auto span = keySpan(id, column);
    if (span.low != span.high) return {};
    return reader.value(column, span.low);
}

GroupedTable::Impl::KeySpan GroupedTable::Impl::keySpan(NodeId id, Column column) const {
    const auto& reader = selection->reader();
    const bool single = isOfSingleRows(column);
    KeySpan span;
    for (const auto element : tree->elements(id)) {
        if ((element & NodeTree::kRow) != 0) {
            const auto facts = selection->population().facts(element & ~NodeTree::kRow);
            span.add(single ? reader.key(column, facts) : reader.key(column, facts.key));
        } else if (single) {
            span.add(singleValues.at(column)[element]);
        } else {
            span.add(reader.key(column, selection->cells()[element].key));
        }
        if (span.low != span.high) break; // no shared value
    }
    return span;
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
        text += (text.empty() ? "" : "/") + labels->text(LabelId{label});
    }
    return text;
}

} // namespace highwater::analysis

#include "app/cli/table_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace highwater::cli {
namespace {

using analysis::Aggregation, analysis::CellValue, analysis::GroupedTable, analysis::ValueColumn;
using NodeId = GroupedTable::NodeId;

/// A row before its values are asked for: one node, or those that --top leaves out.
struct Place {
    std::uint32_t level = 0;
    bool hasSiblings = false;
    bool isRest = false;
    std::vector<NodeId> nodes;
};

/// Opens nodes in pre-order, without recursion: stacks may be thousands of frames deep.
std::vector<Place> openNodes(GroupedTable& table, TreeLimits limits) {
    std::vector<Place> places;
    std::vector<Place> waiting{{0, false, false, {GroupedTable::kRoot}}};
    while (!waiting.empty()) {
        const auto place = std::move(waiting.back());
        waiting.pop_back();
        if (place.level > 0) places.push_back(place);
        if (place.isRest || (limits.depth != 0 && place.level >= limits.depth)) continue;
        const auto& children = table.children(place.nodes.front());
        const auto shown = limits.top != 0 ? std::min<std::size_t>(limits.top, children.size()) : children.size();
        const bool hasSiblings = children.size() > 1;
        if (shown < children.size()) {
            waiting.push_back({place.level + 1,
                               hasSiblings,
                               true,
                               {children.begin() + static_cast<std::ptrdiff_t>(shown), children.end()}});
        }
        for (auto i = shown; i-- > 0;) {
            waiting.push_back({place.level + 1, hasSiblings, false, {children[i]}});
        }
    }
    return places;
}

/// Of groups together. Nothing for values that do not add up.
CellValue sumOf(const GroupedTable& table, std::span<const NodeId> nodes, ValueColumn column) {
    const auto asked = analysis::normalized(column);
    const bool isSum = analysis::isAggregate(asked.column) && asked.aggregation == Aggregation::Own;
    if (!isSum && asked.aggregation != Aggregation::Count) return {};
    std::int64_t sum = 0;
    for (const auto node : nodes) {
        const auto value = table.value(node, column);
        if (const auto* number = std::get_if<std::int64_t>(&value)) sum += *number;
    }
    return sum;
}

} // namespace

Result<std::vector<TreeRow>> openTree(GroupedTable& table, const std::vector<ValueColumn>& columns, TreeLimits limits) {
    const auto places = openNodes(table, limits);
    std::vector<NodeId> nodes;
    for (const auto& place : places) {
        if (!place.isRest) nodes.push_back(place.nodes.front());
    }
    if (auto done = table.computeValues(nodes); !done.hasValue()) return done.error();
    std::vector<TreeRow> rows;
    rows.reserve(places.size());
    for (const auto& place : places) {
        const auto node = place.nodes.front();
        auto& row = rows.emplace_back();
        row.level = place.level;
        row.column = table.column(node);
        row.hasSiblings = place.hasSiblings;
        row.key = place.isRest ? fmt::format("({} more)", place.nodes.size()) : table.keyText(node);
        for (const auto column : columns) {
            row.values.push_back(place.isRest ? sumOf(table, place.nodes, column) : table.value(node, column));
        }
    }
    return rows;
}

} // namespace highwater::cli

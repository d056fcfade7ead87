#include "core/export/table_walk.h"

#include "core/analysis/columns/column_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace highwater::exports {
namespace {

using analysis::Aggregation, analysis::CellValue, analysis::GroupedTable, analysis::ValueColumn;
using NodeId = GroupedTable::NodeId;

/// A row before its values are computed: one node, or the nodes omitted by --top.
struct Place {
    std::uint32_t level = 0;
    bool isRest = false;
    std::vector<NodeId> nodes;
};

std::size_t shownOf(const std::vector<NodeId>& children, TreeLimits limits) {
    return limits.top != 0 ? std::min<std::size_t>(limits.top, children.size()) : children.size();
}

/// One level at a time, because some values need a pass over all rows regardless of the number of nodes. False:
/// stopped.
bool openLevels(GroupedTable& table, TreeLimits limits, const std::stop_token& stop = {}) {
    std::vector<NodeId> level{GroupedTable::kRoot};
    for (std::uint32_t depth = 0; !level.empty() && (limits.depth == 0 || depth < limits.depth); ++depth) {
        if (!table.open(level, stop)) return false;
        std::vector<NodeId> below;
        for (const auto node : level) {
            const auto& children = table.children(node, stop);
            for (std::size_t i = 0; i < shownOf(children, limits); ++i)
                if (table.hasChildren(children[i])) below.push_back(children[i]);
        }
        level = std::move(below);
    }
    return true;
}

/// In pre-order. Not recursive, because stacks may be thousands of frames deep.
std::vector<Place> openNodes(GroupedTable& table, TreeLimits limits) {
    (void)openLevels(table, limits);
    std::vector<Place> places;
    std::vector<Place> waiting{{0, false, {GroupedTable::kRoot}}};
    while (!waiting.empty()) {
        const auto place = std::move(waiting.back());
        waiting.pop_back();
        if (place.level > 0) places.push_back(place);
        if (place.isRest || (limits.depth != 0 && place.level >= limits.depth)) continue;
        const auto& children = table.children(place.nodes.front());
        const auto shown = shownOf(children, limits);
        if (shown < children.size()) {
            waiting.push_back(
                {place.level + 1, true, {children.begin() + static_cast<std::ptrdiff_t>(shown), children.end()}});
        }
        for (auto i = shown; i-- > 0;) {
            waiting.push_back({place.level + 1, false, {children[i]}});
        }
    }
    return places;
}

/// The sum over several groups. Empty for values that cannot be added.
CellValue sumOf(const GroupedTable& table, std::span<const NodeId> nodes, ValueColumn column) {
    const auto asked = analysis::normalized(column);
    const bool isSum = analysis::isAggregate(asked.column) && asked.aggregation == Aggregation::Own &&
                       !analysis::specOf(asked.column).isOfWholeGroups;
    if (!isSum && asked.aggregation != Aggregation::Count) return {};
    std::int64_t sum = 0;
    for (const auto node : nodes) {
        const auto value = table.value(node, column);
        if (const auto* number = std::get_if<std::int64_t>(&value)) sum += *number;
    }
    return sum;
}

PathStep stepOf(const GroupedTable& table, NodeId node) {
    PathStep step{table.column(node), table.keyText(node)};
    if (analysis::valueKind(step.column) == analysis::ValueKind::Time)
        step.time = TraceTime{static_cast<std::int64_t>(table.key(node))};
    return step;
}

/// Requires that the values of the node were computed.
void takeValues(const GroupedTable& table, NodeId node, std::vector<CellValue>& values) {
    values.clear();
    for (const auto column : table.query().columns) {
        values.push_back(table.shownValue(node, column));
    }
}

void writeTotal(const GroupedTable& table, TableWriter& writer) {
    std::vector<CellValue> values;
    takeValues(table, GroupedTable::kRoot, values);
    writer.total(values);
}

/// The current position of a walk, and the row to write there.
class RowAt {
  public:
    RowAt(GroupedTable& table, TableWriter& writer) : table_(table), writer_(writer) {}

    void write(const Place& place) {
        const auto node = place.nodes.front();
        path_.resize(place.level - 1);
        path_.push_back(place.isRest ? PathStep{table_.column(node), fmt::format("({} more)", place.nodes.size())}
                                     : stepOf(table_, node));
        values_.clear();
        for (const auto column : table_.query().columns) {
            values_.push_back(place.isRest ? sumOf(table_, place.nodes, column) : table_.shownValue(node, column));
        }
        writer_.write({path_, values_});
    }

  private:
    GroupedTable& table_;
    TableWriter& writer_;
    std::vector<PathStep> path_;
    std::vector<CellValue> values_;
};

/// Visits the leaves of a table. Not recursive.
class LeafWalk {
  public:
    LeafWalk(GroupedTable& table, TableWriter& writer) : table_(table), writer_(writer) {}

    /// Error: Cancelled.
    Result<std::size_t> run(const std::stop_token& stop, const ExportProgress& progress) {
        if (!openLevels(table_, {}, stop)) return cancelled();
        const auto leaves = leavesInOrder();
        if (!table_.computeValues(leaves, stop).hasValue()) return cancelled();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (stop.stop_requested()) return cancelled();
            write(leaves[i]);
            if ((i + 1) % kRowsPerProgress == 0 && progress) progress(i + 1);
        }
        return leaves.size();
    }

  private:
    static constexpr std::size_t kRowsPerProgress = 4096;

    static Error cancelled() { return {ErrorKind::Cancelled, "The export was cancelled."}; }

    std::vector<NodeId> leavesInOrder() {
        std::vector<NodeId> leaves, waiting{GroupedTable::kRoot};
        while (!waiting.empty()) {
            const auto node = waiting.back();
            waiting.pop_back();
            if (node != GroupedTable::kRoot && !table_.hasChildren(node)) {
                leaves.push_back(node);
                continue;
            }
            const auto& children = table_.children(node);
            waiting.insert(waiting.end(), children.rbegin(), children.rend());
        }
        return leaves;
    }

    void pathTo(NodeId node) {
        path_.clear();
        for (; node != GroupedTable::kRoot; node = table_.parent(node))
            path_.push_back(stepOf(table_, node));
        std::ranges::reverse(path_);
    }

    void write(NodeId node) {
        pathTo(node);
        takeValues(table_, node, values_);
        writer_.write({path_, values_});
    }

    GroupedTable& table_;
    TableWriter& writer_;
    std::vector<PathStep> path_;
    std::vector<CellValue> values_;
};

} // namespace

Result<void> writeTree(GroupedTable& table, TreeLimits limits, const HealthReport& health, TableWriter& writer) {
    const auto places = openNodes(table, limits);
    std::vector<NodeId> nodes;
    for (const auto& place : places) {
        if (!place.isRest) nodes.push_back(place.nodes.front());
    }
    const bool hasTotal = writer.wantsTotal() && !places.empty();
    if (hasTotal) nodes.push_back(GroupedTable::kRoot);
    TRY(table.computeValues(nodes));
    writer.begin();
    RowAt row(table, writer);
    for (const auto& place : places) {
        row.write(place);
    }
    if (hasTotal) writeTotal(table, writer);
    writer.end(health);
    return {};
}

Result<std::size_t> writeLeaves(GroupedTable& table, const HealthReport& health, TableWriter& writer,
                                const std::stop_token& stop, const ExportProgress& progress) {
    writer.begin();
    auto written = TRY(LeafWalk(table, writer).run(stop, progress));
    if (writer.wantsTotal() && written > 0) {
        TRY(table.computeValues(std::array{GroupedTable::kRoot}, stop));
        writeTotal(table, writer);
    }
    writer.end(health);
    return written;
}

} // namespace highwater::exports

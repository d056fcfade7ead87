#include "ui/state/table_answer.h"

#include "ui/state/key_tree.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;
using analysis::KeyPath;

namespace {

/// Copies rows out of a table, opening it on the way.
class RowReader {
  public:
    RowReader(GroupedTable& table, std::stop_token stop) : table_(table), stop_(std::move(stop)) {}

    TableRow describe(GroupedTable::NodeId node) {
        TableRow row;
        row.node = node;
        if (node != GroupedTable::kRoot) {
            row.step = {table_.column(node), table_.key(node)};
            row.text = QString::fromStdString(table_.keyText(node));
        }
        row.hasChildren = node == GroupedTable::kRoot || table_.hasChildren(node);
        row.values.reserve(table_.query().columns.size());
        for (const auto column : table_.query().columns) {
            row.values.push_back(table_.value(node, column));
        }
        return row;
    }

    /// Fills row.rows. Nothing happens after a stop.
    void open(TableRow& row) {
        if (row.isOpen || !row.hasChildren || stop_.stop_requested()) return;
        const auto children = table_.children(row.node, stop_);
        if (stop_.stop_requested()) return;
        if (!table_.computeValues(children, stop_).hasValue()) return;
        row.rows.reserve(children.size());
        for (const auto child : children) {
            row.rows.push_back(describe(child));
        }
        row.isOpen = true;
    }

    /// Opens every row that one of the paths leads to; `at` is where `row` stands in them.
    void openAlong(TableRow& row, const KeyTree& paths, KeyTree::NodeId at) {
        open(row);
        if (!paths.hasChildren(at)) return;
        for (auto& child : row.rows) {
            if (const auto next = paths.child(at, child.step)) openAlong(child, paths, *next);
        }
    }

    /// Opens everything above the key column number `levels`, and the frames of stacks above it.
    void openLevels(TableRow& row, std::size_t levels) {
        if (row.node != GroupedTable::kRoot && levelOf(row.step.column) >= levels) return;
        open(row);
        for (auto& child : row.rows) {
            openLevels(child, levels);
        }
    }

    /// The same, only counting.
    std::size_t countLevels(GroupedTable::NodeId node, std::size_t levels, std::size_t limit) {
        if (stop_.stop_requested()) return 0;
        if (node != GroupedTable::kRoot && levelOf(table_.column(node)) >= levels) return 0;
        const auto children = table_.children(node, stop_);
        auto count = children.size();
        for (std::size_t i = 0; i < children.size() && count <= limit; ++i) {
            count += countLevels(children[i], levels, limit - std::min(limit, count));
        }
        return count;
    }

    void openToNextFork(TableRow& row) {
        for (auto* at = &row; at; at = at->rows.size() == 1 ? &at->rows.front() : nullptr) {
            open(*at);
        }
    }

    void openHotPath(TableRow& row) {
        for (auto* at = &row; at; at = hottest(*at)) {
            open(*at);
        }
    }

  private:
    /// Among equals the first as sorted.
    TableRow* hottest(TableRow& row) {
        const auto found =
            std::max_element(row.rows.begin(), row.rows.end(),
                             [&](const TableRow& a, const TableRow& b) { return heat(a.node) < heat(b.node); });
        if (found == row.rows.end()) return nullptr;
        found->isHot = true;
        return &*found;
    }

    std::int64_t heat(GroupedTable::NodeId node) const {
        for (const auto& sort : table_.query().sort) {
            const auto kind = analysis::valueKind(sort.value());
            if (kind == analysis::ValueKind::Text || kind == analysis::ValueKind::Hex) continue;
            if (const auto number = numberIn(table_.value(node, sort.value()))) return *number;
        }
        return numberIn(table_.value(node, Column::ImpactingSize)).value_or(0);
    }

    static std::optional<std::int64_t> numberIn(const analysis::CellValue& value) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) return std::llabs(*number);
        if (const auto* time = std::get_if<TraceTime>(&value)) return time->ns;
        return std::nullopt;
    }

    /// 1 for rows of the first key column.
    std::size_t levelOf(Column column) const {
        const auto& keys = table_.query().keys;
        return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), column) - keys.begin()) + 1;
    }

    GroupedTable& table_;
    std::stop_token stop_;
};

Error cancelled() { return {ErrorKind::Cancelled, "The question was replaced by a newer one."}; }

} // namespace

bool asksTheSame(const analysis::Query& a, const analysis::Query& b) {
    return a.table == b.table && a.interval == b.interval && a.keys == b.keys && a.columns == b.columns &&
           a.sort == b.sort && a.filter == b.filter && a.processExitFreesHeap == b.processExitFreesHeap &&
           a.allocatorFrames == b.allocatorFrames;
}

Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop) {
    auto table = GroupedTable::compute(request.trace, request.labels, request.query, stop);
    if (!table.hasValue()) return table.error();
    RowReader reader(*table.value(), stop);
    auto total = reader.describe(GroupedTable::kRoot);
    KeyTree expanded(request.expanded);
    for (const auto& path : request.expanded)
        expanded.insert(table.value()->renewed(path)); // functions may have got names since
    reader.openAlong(total, expanded, KeyTree::kRoot);
    if (stop.stop_requested()) return cancelled();
    return std::shared_ptr<const TableAnswer>(
        std::make_shared<TableAnswer>(request.query, table.value(), std::move(total)));
}

Result<TableRow> openRows(const TableAnswer& answer, const OpenWish& wish, std::stop_token stop) {
    const std::scoped_lock lock(answer.mutex_);
    if (!answer.table_ || stop.stop_requested()) return cancelled();
    RowReader reader(*answer.table_, stop);
    auto row = reader.describe(wish.mode == OpenMode::AlongPath ? GroupedTable::kRoot : wish.node);
    switch (wish.mode) {
    case OpenMode::ToNextFork:
        reader.openToNextFork(row);
        break;
    case OpenMode::HotPath:
        reader.openHotPath(row);
        break;
    case OpenMode::AlongPath:
        reader.openAlong(row, KeyTree({wish.path}), KeyTree::kRoot);
        break;
    case OpenMode::Levels:
        reader.openLevels(row, wish.levels);
        break;
    }
    if (stop.stop_requested()) return cancelled();
    return row;
}

Result<std::size_t> countRows(const TableAnswer& answer, const OpenWish& wish, std::size_t limit,
                              std::stop_token stop) {
    const std::scoped_lock lock(answer.mutex_);
    if (!answer.table_) return cancelled();
    const auto count = RowReader(*answer.table_, stop).countLevels(wish.node, wish.levels, limit);
    if (stop.stop_requested()) return cancelled();
    return count;
}

} // namespace highwater::ui

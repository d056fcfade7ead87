#include "ui/state/table_answer.h"

#include <algorithm>
#include <cstdlib>

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

    /// Opens every node that one of the paths leads to. All paths share the first `depth` steps, which lead to `row`.
    void openAlong(TableRow& row, const std::vector<const KeyPath*>& paths, std::size_t depth) {
        open(row);
        for (auto& child : row.rows) {
            std::vector<const KeyPath*> below;
            std::copy_if(paths.begin(), paths.end(), std::back_inserter(below),
                         [&](const KeyPath* path) { return path->size() > depth && (*path)[depth] == child.step; });
            if (!below.empty()) openAlong(child, below, depth + 1);
        }
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
    /// The child that changes the outstanding amount most; among equals the first as sorted.
    TableRow* hottest(TableRow& row) {
        const auto found =
            std::max_element(row.rows.begin(), row.rows.end(),
                             [&](const TableRow& a, const TableRow& b) { return impact(a.node) < impact(b.node); });
        if (found == row.rows.end()) return nullptr;
        found->isHot = true;
        return &*found;
    }

    std::int64_t impact(GroupedTable::NodeId node) const {
        const auto value = table_.value(node, Column::ImpactingSize);
        const auto* bytes = std::get_if<std::int64_t>(&value);
        return bytes ? std::llabs(*bytes) : 0;
    }

    GroupedTable& table_;
    std::stop_token stop_;
};

Error cancelled() { return {ErrorKind::Cancelled, "The question was replaced by a newer one."}; }

} // namespace

Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop) {
    auto table = GroupedTable::compute(request.trace, request.labels, request.query, stop);
    if (!table.hasValue()) return table.error();
    RowReader reader(*table.value(), stop);
    std::vector<const KeyPath*> paths;
    for (const auto& path : request.expanded) {
        paths.push_back(&path);
    }
    auto total = reader.describe(GroupedTable::kRoot);
    reader.openAlong(total, paths, 0);
    if (stop.stop_requested()) return cancelled();
    return std::shared_ptr<const TableAnswer>(
        std::make_shared<TableAnswer>(request.query, table.value(), std::move(total)));
}

Result<TableRow> openRows(const TableAnswer& answer, GroupedTable::NodeId node, OpenMode mode, std::stop_token stop) {
    const std::scoped_lock lock(answer.mutex_);
    if (!answer.table_) return cancelled();
    RowReader reader(*answer.table_, stop);
    auto row = reader.describe(node);
    if (mode == OpenMode::ToNextFork)
        reader.openToNextFork(row);
    else
        reader.openHotPath(row);
    if (stop.stop_requested()) return cancelled();
    return row;
}

} // namespace highwater::ui

#include "ui/state/table/table_answer.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/key_reader.h"
#include "ui/format/plain_text.h"
#include "ui/state/table/key_tree.h"
#include "ui/state/table/path_renewal.h"
#include "ui/state/table/single_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;
using analysis::KeyPath;

namespace {

/// Copies rows from a table, opening it as needed.
class RowReader {
  public:
    RowReader(GroupedTable& table, std::stop_token stop) : table_(table), stop_(std::move(stop)) {}

    TableRow describe(GroupedTable::NodeId node) {
        TableRow row;
        row.node = node;
        if (node != GroupedTable::kRoot) {
            row.step = {table_.column(node), table_.key(node)};
            const bool isSingle = row.step.column == Column::Allocation;
            row.text = isSingle ? singleRowText(table_, node) : visibleText(table_.keyText(node));
        }
        row.rowCount = table_.rowCount(node);
        row.hasChildren = node == GroupedTable::kRoot || table_.hasChildren(node);
        row.values.reserve(table_.query().columns.size());
        for (const auto column : table_.query().columns) {
            row.values.push_back(table_.shownValue(node, column));
        }
        return row;
    }

    /// Fills row.rows. Has no effect after a stop.
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

    /// Fills row.rows of a leaf with single rows. Has no effect after a stop.
    void openPage(TableRow& row, std::size_t first, std::size_t count) {
        if (row.isOpen || row.rowCount == 0 || stop_.stop_requested()) return;
        const auto rows = table_.rows(row.node, first, count, stop_);
        if (stop_.stop_requested() || !table_.computeValues(rows, stop_).hasValue()) return;
        row.rows.reserve(rows.size());
        for (const auto single : rows)
            row.rows.push_back(describe(single));
        row.firstRow = first;
        row.isOpen = true;
    }

    /// Number of rows to load for an expanded leaf; at least a page.
    void setLeafRows(std::size_t rows) { leafRows_ = std::clamp(rows, kRowsPerPage, kMostRowsKept); }

    /// Opens every row on these paths; `at` is the position of `row` in them.
    void openAlong(TableRow& row, const KeyTree& paths, KeyTree::NodeId at) {
        open(row);
        if (at != KeyTree::kRoot && paths.isMember(at)) openPage(row, 0, leafRows_);
        if (!paths.hasChildren(at)) return;
        for (auto& child : row.rows) {
            if (const auto next = paths.child(at, child.step)) openAlong(child, paths, *next);
        }
    }

    /// Opens every row on the path to a row and, if it exists, marks them as hot.
    void openAlong(TableRow& row, const KeyPath& path) {
        std::vector<TableRow*> way{&row};
        for (const auto& step : path) {
            open(*way.back());
            auto& rows = way.back()->rows;
            const auto next = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.step == step; });
            if (next == rows.end()) return;
            way.push_back(&*next);
        }
        open(*way.back());
        for (auto* at : way) {
            at->isHot = true;
        }
    }

    /// Opens everything above key column number `levels`, including the frames of stacks above it.
    void openLevels(TableRow& row, std::size_t levels) {
        if (row.node != GroupedTable::kRoot && levelOf(row.step.column) >= levels) return;
        open(row);
        for (auto& child : row.rows) {
            openLevels(child, levels);
        }
    }

    /// The same, but only counts.
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
        openPage(row, 0, kRowsPerPage);
        for (auto* at = &row; at; at = at->rows.size() == 1 ? &at->rows.front() : nullptr) {
            open(*at);
        }
    }

    void openHotPath(TableRow& row) {
        std::vector<TableRow*> way;
        for (auto* at = &row; at; at = hottest(*at)) {
            open(*at);
            way.push_back(at);
        }
        endAtOwner(way);
    }

  private:
    /// Closes the owner's row if it is below the first row. The next Ctrl+Right starts there and shows further frames.
    void endAtOwner(const std::vector<TableRow*>& way) {
        const auto owner = table_.ownerOnWayTo(way.back()->node, stop_);
        const auto found =
            std::find_if(way.begin() + 1, way.end(), [&](const TableRow* row) { return row->node == owner; });
        if (found == way.end() || *found == way.back()) return;
        (*found)->rows.clear();
        (*found)->isOpen = false;
    }

    /// The largest one among equals, and then the first in sort order: in a table without growth, all Slopes are 0.
    /// Null if more remains in the row's own function than in any function that it calls.
    TableRow* hottest(TableRow& row) {
        const auto place = [&](const TableRow& of) {
            return std::pair(heat(of.node), numberIn(table_.value(of.node, Column::Size)).value_or(0));
        };
        const auto found = std::max_element(row.rows.begin(), row.rows.end(),
                                            [&](const TableRow& a, const TableRow& b) { return place(a) < place(b); });
        if (found == row.rows.end() || staysIn(row, *found)) return nullptr;
        found->isHot = true;
        return &*found;
    }

    bool staysIn(const TableRow& row, const TableRow& hottest) const {
        const auto column = row.step.column;
        if (row.node == GroupedTable::kRoot || !analysis::isStack(column) || hottest.step.column != column)
            return false;
        const auto amount = [&, by = summedColumn()](const TableRow& of) {
            const auto value = table_.value(of.node, by);
            const auto* number = std::get_if<std::int64_t>(&value);
            return number ? static_cast<double>(*number) : 0.0;
        };
        auto own = amount(row);
        for (const auto& called : row.rows)
            own -= amount(called);
        return own != 0 && std::abs(own) >= std::abs(amount(hottest));
    }

    /// The column that measures a row's own share: the sort column if it is additive.
    Column summedColumn() const {
        for (const auto& sort : table_.query().sort) {
            const auto by = analysis::normalized(sort.value());
            const bool addsUp = analysis::isAggregate(by.column) && by.aggregation == analysis::Aggregation::Own &&
                                !analysis::specOf(by.column).isOfWholeGroups;
            if (addsUp) return by.column;
        }
        return Column::Size;
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
    std::size_t leafRows_ = kRowsPerPage;
};

Error replaced() { return {ErrorKind::Cancelled, "The query was replaced by a newer one."}; }

std::vector<TableRow> rowsOfClause(const GroupedTable& table, const analysis::RowFilter::Clause& clause) {
    const auto& keys = table.query().keys;
    const auto isKey = [&keys](const analysis::KeyStep& step) {
        return std::find(keys.begin(), keys.end(), step.column) != keys.end();
    };
    std::vector<TableRow> rows;
    if (clause.anyOf.empty() || !std::all_of(clause.anyOf.front().begin(), clause.anyOf.front().end(), isKey))
        return rows;
    for (const auto& step : table.renewed(clause.anyOf.front())) {
        auto& row = rows.emplace_back();
        row.step = step;
        row.text = visibleText(table.reader().text(step.column, step.key));
    }
    return rows;
}

/// The rows of the table that the user has opened.
Result<std::shared_ptr<const TableAnswer>> answerWith(std::shared_ptr<TableAnswer::Source> source,
                                                      const analysis::Query& query, RowViewState kept,
                                                      const std::stop_token& stop) {
    RowReader reader(*source->table, stop);
    auto total = reader.describe(GroupedTable::kRoot);
    reader.setLeafRows(kept.leafRows);
    reader.openAlong(total, KeyTree(kept.expanded), KeyTree::kRoot);
    kept.isRenamed = false;
    if (source->naming && kept.naming != source->naming) {
        PathRenewal(*source->table, total, [&reader](TableRow& row) { reader.open(row); }).renew(kept);
        if (kept.isRenamed) reader.openAlong(total, KeyTree(kept.expanded), KeyTree::kRoot);
    }
    if (stop.stop_requested()) return replaced();
    const auto rowsOnUnknownPages = source->table->rowsOnUnknownPages();
    return std::shared_ptr<const TableAnswer>(
        std::make_shared<TableAnswer>(query, std::move(source), std::move(total), std::move(kept), rowsOnUnknownPages));
}

} // namespace

bool haveSameLabels(const std::shared_ptr<const analysis::Annotations>& a,
                    const std::shared_ptr<const analysis::Annotations>& b) {
    static const analysis::Annotations kNone;
    return a == b || (a ? *a : kNone) == (b ? *b : kNone);
}

bool asksTheSame(const analysis::Query& a, const analysis::Query& b) {
    return a.table == b.table && a.interval == b.interval && a.keys == b.keys && a.columns == b.columns &&
           a.sort == b.sort && a.filter == b.filter && a.processExitFreesHeap == b.processExitFreesHeap &&
           a.allocatorFrames == b.allocatorFrames && haveSameLabels(a.annotations, b.annotations);
}

Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop) {
    auto source = std::make_shared<TableAnswer::Source>();
    // Read before the table is computed: if names arrive in between, the next query looks for changes again.
    const auto& keys = request.query.keys;
    if (std::any_of(keys.begin(), keys.end(), analysis::isStack))
        source->naming = request.labels->labelsOf(*request.trace);
    source->table = TRY(GroupedTable::compute(request.trace, request.labels, request.query, stop));
    for (const auto& clause : request.query.filter.clauses)
        source->filterRows.push_back(rowsOfClause(*source->table, clause));
    return answerWith(std::move(source), request.query, request.kept, stop);
}

std::optional<Result<std::shared_ptr<const TableAnswer>>>
answerSorted(const std::shared_ptr<TableAnswer::Source>& source, const TableRequest& request, std::stop_token stop) {
    const std::scoped_lock lock(source->mutex);
    if (stop.stop_requested()) return replaced();
    if (!source->table->sortBy(request.query.sort)) return std::nullopt;
    return answerWith(source, request.query, request.kept, stop);
}

Result<std::shared_ptr<const TableAnswer>> answerRows(const RowsRequest& request, std::stop_token stop) {
    const auto& source = request.answer->source();
    if (!source->table) return replaced();
    const std::scoped_lock lock(source->mutex);
    (void)source->table->sortBy(request.answer->query().sort); // another answer may have changed the order
    return answerWith(source, request.answer->query(), request.kept, stop);
}

Result<TableRow> openRows(const TableAnswer& answer, const ExpandRequest& expansion, std::stop_token stop) {
    const std::scoped_lock lock(answer.source()->mutex);
    if (!answer.source()->table || stop.stop_requested()) return replaced();
    (void)answer.source()->table->sortBy(answer.query().sort);
    RowReader reader(*answer.source()->table, stop);
    auto row = reader.describe(expansion.mode == OpenMode::AlongPath ? GroupedTable::kRoot : expansion.node);
    switch (expansion.mode) {
    case OpenMode::ToNextFork:
        reader.openToNextFork(row);
        break;
    case OpenMode::HotPath:
        reader.openHotPath(row);
        break;
    case OpenMode::AlongPath:
        reader.openAlong(row, answer.source()->table->renewed(expansion.path));
        break;
    case OpenMode::Levels:
        reader.openLevels(row, expansion.levels);
        break;
    case OpenMode::Page:
        reader.openPage(row, expansion.first, kRowsPerPage);
        break;
    }
    if (stop.stop_requested()) return replaced();
    return row;
}

Result<std::size_t> countRows(const TableAnswer& answer, const ExpandRequest& expansion, std::size_t limit,
                              std::stop_token stop) {
    const std::scoped_lock lock(answer.source()->mutex);
    if (!answer.source()->table) return replaced();
    const auto count = RowReader(*answer.source()->table, stop).countLevels(expansion.node, expansion.levels, limit);
    if (stop.stop_requested()) return replaced();
    return count;
}

} // namespace highwater::ui

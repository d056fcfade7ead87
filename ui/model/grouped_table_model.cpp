#include "ui/model/grouped_table_model.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/rows/key_reader.h"
#include "ui/format/cell_format.h"
#include "ui/format/column_format.h"
#include "ui/format/plain_text.h"
#include "ui/state/table/layout_edit.h"
#include "ui/state/table/single_rows.h"

#include <QColor>
#include <QGuiApplication>
#include <QPalette>
#include <QThreadPool>

#include <algorithm>
#include <tuple>
#include <utility>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;
using analysis::KeyPath;

namespace {

/// Includes the line for rows that have not been loaded.
std::size_t countOf(const TableRow* row) {
    if (!row) return 0;
    return row->rows.size() + (row->isOpen && row->rows.size() < row->rowCount ? 1 : 0);
}

/// Frees a large object on another thread, because freeing a hundred thousand rows takes longer than a frame.
template <typename... Things>
void releaseElsewhere(Things... things) {
    auto shared = std::make_shared<std::tuple<Things...>>(std::move(things)...);
    QThreadPool::globalInstance()->start([held = std::move(shared)]() mutable { held.reset(); });
}

/// The amount of keys that are a time, a duration or bytes. Nothing for names, and for words instead of an amount
/// ("(outstanding)").
std::optional<analysis::CellValue> amountOf(const TableRow& row) {
    if (!analysis::KeyReader::exists(row.step.column, row.step.key)) return std::nullopt;
    const auto number = static_cast<std::int64_t>(row.step.key);
    switch (analysis::valueKind(row.step.column)) {
    case analysis::ValueKind::Time:
    case analysis::ValueKind::Duration:
        return TraceTime{number};
    case analysis::ValueKind::Bytes:
    case analysis::ValueKind::SignedBytes:
        return number;
    default:
        return std::nullopt;
    }
}

} // namespace

struct GroupedTableModel::Node {
    Node* parent = nullptr;
    const TableRow* row = nullptr; ///< for the root: the totals, or null
    std::unique_ptr<Node[]> children;
    std::unique_ptr<Pages> pages; ///< for a leaf, instead of children
    int position = 0;
    bool isAsked = false;

    [[nodiscard]] bool isOpen() const { return row && (row->isOpen || !parent); }
    /// Does not access the row, because views call it for each one.
    [[nodiscard]] bool isMore() const;
    [[nodiscard]] std::size_t count() const;
};

/// The loaded single rows of a leaf. Nodes keep their addresses when more arrive.
struct GroupedTableModel::Pages {
    struct Page {
        std::size_t first = 0;
        std::unique_ptr<Node[]> nodes;
    };
    std::vector<Page> pages;
    std::size_t count = 0; ///< number of rows in all pages
    TableRow moreRow;
    std::unique_ptr<Node> more; ///< the last line, while rows are missing

    void add(Node& leaf, const std::vector<TableRow>& rows) {
        auto& page = pages.emplace_back(Page{count, std::make_unique<Node[]>(rows.size())});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            page.nodes[i].parent = &leaf;
            page.nodes[i].row = &rows[i];
            page.nodes[i].position = static_cast<int>(count + i);
        }
        count += rows.size();
        if (more) more->position = static_cast<int>(count);
    }
    [[nodiscard]] Node& at(std::size_t position) {
        if (position >= count) return *more;
        const auto next = std::upper_bound(pages.begin(), pages.end(), position,
                                           [](auto p, const Page& page) { return p < page.first; });
        return std::prev(next)->nodes[position - std::prev(next)->first];
    }
    void printDataLoss(const TableRow& leaf) { moreRow = moreRows(leaf.rowCount - count, leaf.values.size()); }
};

std::size_t GroupedTableModel::Node::count() const {
    return pages ? pages->count + (pages->more ? 1 : 0) : countOf(row);
}

bool GroupedTableModel::Node::isMore() const { return parent && parent->pages && parent->pages->more.get() == this; }

GroupedTableModel::GroupedTableModel(const SeriesColors& colors, QObject* parent)
    : QAbstractItemModel(parent), colors_(colors), root_(std::make_unique<Node>()) {}

GroupedTableModel::~GroupedTableModel() = default;

void GroupedTableModel::setLayout(TableLayout layout) {
    if (layout == layout_) return;
    if (!answer_) beginResetModel();
    layout_ = std::move(layout);
    updateShownLayout();
    if (!answer_) return endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
}

void GroupedTableModel::setTimeBase(const TimeBase& base) {
    timeBase_ = base;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
}

/// Sections belong to the current answer until the next one arrives, even if the layout has changed since.
void GroupedTableModel::updateShownLayout() {
    shown_ = layout_;
    if (!answer_) return;
    const auto& query = answer_->query();
    shown_.table = query.table;
    shown_.keys.assign(query.keys.begin(), query.keys.end());
    shown_.columns.assign(query.columns.begin(), query.columns.end());
    shown_.graphed = std::min(layout_.graphed, query.columns.size());
    shown_.sort = query.sort;
    const auto takeOver = [](std::vector<LayoutColumn>& into, const std::vector<LayoutColumn>& from) {
        for (auto& column : into) {
            const auto found =
                std::find_if(from.begin(), from.end(), [&](const auto& other) { return other.value == column.value; });
            if (found != from.end()) column = *found;
        }
    };
    takeOver(shown_.keys, layout_.keys);
    takeOver(shown_.columns, layout_.columns);
}

void GroupedTableModel::setAnswer(std::shared_ptr<const TableAnswer> answer) {
    emit aboutToReplace();
    beginResetModel();
    dropNodes();
    answer_ = std::move(answer);
    if (answer_) root_->row = &answer_->total();
    updateShownLayout();
    endResetModel();
}

void GroupedTableModel::dropNodes() {
    asked_.clear();
    releaseElsewhere(std::exchange(root_, std::make_unique<Node>()), std::exchange(answer_, nullptr),
                     std::exchange(opened_, {}));
}

void GroupedTableModel::makeChildren(Node& node) const {
    const auto count = countOf(node.row);
    if (node.children || node.pages || count == 0) return;
    if (node.row->rowCount > 0) {
        node.pages = std::make_unique<Pages>();
        node.pages->add(node, node.row->rows);
        if (count == node.row->rows.size()) return;
        node.pages->printDataLoss(*node.row);
        node.pages->more = std::make_unique<Node>();
        node.pages->more->parent = &node;
        node.pages->more->row = &node.pages->moreRow;
        node.pages->more->position = static_cast<int>(node.pages->count);
        return;
    }
    node.children = std::make_unique<Node[]>(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto& child = node.children[i];
        child.parent = &node;
        child.row = &node.row->rows[i];
        child.position = static_cast<int>(i);
    }
}

GroupedTableModel::Node& GroupedTableModel::childOf(Node& node, std::size_t position) const {
    makeChildren(node);
    return node.pages ? node.pages->at(position) : node.children[position];
}

void GroupedTableModel::insertOpened(const std::shared_ptr<const TableAnswer>& answer,
                                     std::shared_ptr<const TableRow> row) {
    if (answer != answer_ || !answer_) return;
    auto* node = findNode(row->node);
    if (!node) return;
    opened_.push_back(row);
    if (row->firstRow > 0)
        addPage(*node, *row);
    else
        merge(*node, *row);
    asked_.remove(row->node);
    emit rowsOpened(indexOf(*node));
}

/// Inserts before the line for missing rows, which is removed with the last of them.
void GroupedTableModel::addPage(Node& leaf, const TableRow& page) {
    if (!leaf.pages || !leaf.pages->more) return;
    auto& pages = *leaf.pages;
    pages.more->isAsked = false;
    const auto count = static_cast<int>(page.rows.size());
    if (!page.isOpen || page.firstRow != pages.count || count == 0) return;
    const auto index = indexOf(leaf);
    const auto first = static_cast<int>(pages.count);
    beginInsertRows(index, first, first + count - 1);
    pages.add(leaf, page.rows);
    pages.printDataLoss(*leaf.row);
    endInsertRows();
    const auto last = static_cast<int>(pages.count);
    if (pages.count < leaf.row->rowCount) {
        const auto more = createIndex(last, 0, pages.more.get());
        emit dataChanged(more, more.siblingAtColumn(columnCount() - 1), {Qt::DisplayRole});
        return;
    }
    beginRemoveRows(index, last, last);
    pages.more.reset();
    endRemoveRows();
}

bool GroupedTableModel::isLeaf(const QModelIndex& index) const {
    return index.isValid() && nodeAt(index)->row->rowCount > 0;
}

bool GroupedTableModel::isMore(const QModelIndex& index) const { return index.isValid() && nodeAt(index)->isMore(); }

bool GroupedTableModel::wantsPage(const QModelIndex& more) const { return isMore(more) && !nodeAt(more)->isAsked; }

void GroupedTableModel::fetchPage(const QModelIndex& more) {
    if (!wantsPage(more)) return;
    auto* node = nodeAt(more);
    node->isAsked = true;
    emit pageWanted(nodeOf(more.parent()), node->parent->pages->count);
}

void GroupedTableModel::merge(Node& node, const TableRow& row) {
    node.isAsked = false;
    if (!row.isOpen) return;
    if (!node.isOpen()) {
        const auto count = static_cast<int>(countOf(&row));
        if (count > 0) beginInsertRows(indexOf(node), 0, count - 1);
        node.row = &row;
        if (count > 0) endInsertRows();
    } else if (row.rowCount > 0) {
        return; // its rows are loaded
    } else if (!node.children) {
        node.row = &row; // its rows have not been accessed yet
    } else {
        for (std::size_t i = 0; i < std::min(countOf(node.row), row.rows.size()); ++i) {
            merge(node.children[i], row.rows[i]);
        }
    }
}

void GroupedTableModel::setDrawnRows(std::optional<KeyTree> drawn) {
    hasSwatches_ = drawn.has_value();
    drawn_ = std::move(drawn).value_or(KeyTree());
    refreshColors();
}

void GroupedTableModel::refreshColors() {
    if (rowCount() == 0 || columnCount() < 2) return;
    emit dataChanged(index(0, 1), index(rowCount() - 1, 1), {Qt::DecorationRole});
}

GroupedTableModel::Node* GroupedTableModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : root_.get();
}

QModelIndex GroupedTableModel::indexOf(const Node& node) const {
    return node.parent ? createIndex(node.position, 0, &node) : QModelIndex();
}

GroupedTableModel::Node* GroupedTableModel::findNode(GroupedTable::NodeId id) const {
    if (id == GroupedTable::kRoot) return root_.get();
    if (auto* found = asked_.value(id, nullptr)) return found;
    std::vector<Node*> open{root_.get()};
    while (!open.empty()) {
        auto* node = open.back();
        open.pop_back();
        for (std::size_t i = 0; node->children && i < countOf(node->row); ++i) {
            auto& child = node->children[i];
            if (child.row->node == id) return &child;
            if (child.children) open.push_back(&child);
        }
    }
    return nullptr;
}

KeyPath GroupedTableModel::pathOf(const QModelIndex& index) const {
    KeyPath path;
    for (const auto* node = nodeAt(index); node->parent; node = node->parent) {
        path.push_back(node->row->step);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

QModelIndex GroupedTableModel::deepestIndexOf(const KeyPath& path) const {
    auto* node = root_.get();
    for (const auto& step : path) {
        Node* found = nullptr;
        for (std::size_t i = 0; !found && i < node->count(); ++i) {
            auto& child = childOf(*node, i);
            if (child.row->step == step) found = &child;
        }
        if (!found) break;
        node = found;
    }
    return indexOf(*node);
}

QModelIndex GroupedTableModel::indexOf(const KeyPath& path) const {
    const auto found = deepestIndexOf(path);
    std::size_t depth = 0;
    for (const auto* node = nodeAt(found); node->parent; node = node->parent) {
        ++depth;
    }
    return depth == path.size() ? found : QModelIndex();
}

QModelIndex GroupedTableModel::indexOfNode(GroupedTable::NodeId id) const {
    const auto* found = findNode(id);
    return found ? indexOf(*found) : QModelIndex();
}

GroupedTable::NodeId GroupedTableModel::nodeOf(const QModelIndex& index) const {
    auto* node = nodeAt(index);
    if (!node->parent) return GroupedTable::kRoot;
    asked_.insert(node->row->node, node);
    return node->row->node;
}

const TableRow* GroupedTableModel::rowOf(const QModelIndex& index) const { return nodeAt(index)->row; }

const analysis::KeyStep& GroupedTableModel::stepAt(int row, const QModelIndex& parent) const {
    return childOf(*nodeAt(parent), static_cast<std::size_t>(row)).row->step;
}

std::vector<std::shared_ptr<const void>> GroupedTableModel::keepRows() const {
    std::vector<std::shared_ptr<const void>> kept(opened_.begin(), opened_.end());
    kept.emplace_back(answer_);
    return kept;
}

std::optional<analysis::ValueColumn> GroupedTableModel::valueColumn(int section) const {
    const auto place = placeOfSection(shown_, section);
    if (place.kind != LayoutPlace::Kind::Value) return std::nullopt;
    return shown_.columns[place.index].value;
}

std::optional<Column> GroupedTableModel::keyColumn(int section) const {
    const auto place = placeOfSection(shown_, section);
    if (place.kind != LayoutPlace::Kind::Key) return std::nullopt;
    return shown_.keys[place.index].value.column;
}

int GroupedTableModel::sectionOf(Column key) const {
    const auto found = std::find_if(shown_.keys.begin(), shown_.keys.end(),
                                    [&](const auto& other) { return other.value.column == key; });
    if (key == Column::Allocation) return std::max(1, static_cast<int>(shown_.keys.size()));
    return found == shown_.keys.end() ? 1 : 1 + static_cast<int>(found - shown_.keys.begin());
}

int GroupedTableModel::keySection(const QModelIndex& index) const {
    return index.isValid() ? sectionOf(nodeAt(index)->row->step.column) : 0;
}

BranchShape GroupedTableModel::branchShape(const QModelIndex& index, int section) const {
    const auto column = keyColumn(section);
    if (!index.isValid() || !column || !analysis::isStack(*column)) return {};
    const auto* node = nodeAt(index);
    while (node->parent && node->row->step.column != *column) {
        node = node->parent;
    }
    // Rows of a later key only continue the lines of the stack above them.
    const bool isFrame = node == nodeAt(index);
    BranchShape shape;
    std::vector<bool> upwards;
    for (bool first = true; node->parent && node->row->step.column == *column; node = node->parent, first = false) {
        const bool hasSiblings = countOf(node->parent->row) > 1;
        const bool isTop = !node->parent->parent || node->parent->row->step.column != *column;
        const bool isLast = static_cast<std::size_t>(node->position) + 1 == countOf(node->parent->row);
        if (isTop) {
            // The roots of several stacks are siblings without a branch; their descendants move in.
            if (hasSiblings && !(first && isFrame)) upwards.push_back(false);
        } else if (hasSiblings) {
            upwards.push_back(!isLast);
            if (first && isFrame) shape.isForkChild = true;
        }
    }
    shape.guides.assign(upwards.rbegin(), upwards.rend());
    shape.level = static_cast<int>(shape.guides.size());
    return shape;
}

/// In a suitable unit, because key headers do not show one.
QString GroupedTableModel::textOf(const TableRow& row) const {
    const auto amount = amountOf(row);
    if (!amount) return lineText(row.text);
    const auto* column = columnOfSection(shown_, sectionOf(row.step.column));
    const auto format = column ? column->format : ColumnFormat{};
    return formatCell(row.step.column, *amount, format.unit == ColumnUnit::WallClock ? format : ColumnFormat{},
                      timeBase_);
}

QString GroupedTableModel::describe(const TableRow& row) const {
    return columnTitle(shown_.table, row.step.column) + QStringLiteral(" = ") + textOf(row);
}

QString GroupedTableModel::describeKey(const QModelIndex& index) const {
    return answer_ && index.isValid() ? describe(*nodeAt(index)->row) : QString();
}

QString GroupedTableModel::describePath(const std::vector<const TableRow*>& rows) const {
    QStringList parts;
    for (const auto* row : rows) {
        if (row == rows.back() || !analysis::isStack(row->step.column)) parts << describe(*row);
    }
    return parts.join(QStringLiteral(" › "));
}

QModelIndex GroupedTableModel::index(int row, int column, const QModelIndex& parent) const {
    // Avoids the virtual calls of hasIndex(), because views call this for each row.
    auto& node = *nodeAt(parent);
    const auto position = static_cast<std::size_t>(row);
    if (row < 0 || column < 0 || parent.column() > 0 || position >= node.count() || column >= sectionCount(shown_))
        return {};
    return createIndex(row, column, &childOf(node, position));
}

QModelIndex GroupedTableModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return indexOf(*nodeAt(index)->parent);
}

int GroupedTableModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeAt(parent)->count());
}

int GroupedTableModel::columnCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : sectionCount(shown_);
}

bool GroupedTableModel::hasChildren(const QModelIndex& parent) const {
    if (parent.column() > 0) return false;
    const auto* node = nodeAt(parent);
    if (node->isOpen() || !node->parent) return node->count() > 0;
    return node->row->hasChildren || node->row->rowCount > 0;
}

bool GroupedTableModel::canOpen(const QModelIndex& index) const {
    if (index.column() > 0) return false;
    const auto* node = nodeAt(index);
    const bool hasRows = node->row && (node->row->hasChildren || node->row->rowCount > 0);
    return node->parent && hasRows && !node->isOpen() && !node->isAsked;
}

void GroupedTableModel::open(const QModelIndex& index) {
    if (!canOpen(index)) return;
    nodeAt(index)->isAsked = true;
    emit openWanted(nodeOf(index));
}

bool GroupedTableModel::canFetchMore(const QModelIndex& parent) const { return canOpen(parent) && !isLeaf(parent); }

/// The line for missing rows does not represent a row and supports no commands.
Qt::ItemFlags GroupedTableModel::flags(const QModelIndex& index) const {
    return isMore(index) ? Qt::ItemIsEnabled : QAbstractItemModel::flags(index);
}

void GroupedTableModel::fetchMore(const QModelIndex& parent) { open(parent); }

QVariant GroupedTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    const auto& node = *nodeAt(index);
    if (role == PathRole) return QVariant::fromValue(pathOf(index));
    if (role == KeyTextRole) return textOf(*node.row);
    if (role == NoteRole) return noteOn(index);
    const auto place = placeOfSection(shown_, index.column());
    if (place.kind == LayoutPlace::Kind::LineNumber) return lineData(index, role);
    if (place.kind == LayoutPlace::Kind::Value) return valueData(node, place.index, role);
    return index.column() == sectionOf(node.row->step.column) ? keyData(node, role) : QVariant();
}

QVariant GroupedTableModel::lineData(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
    if (role == Qt::AccessibleTextRole) return describeKey(index);
    if (role != Qt::ToolTipRole) return {};
    QStringList steps;
    for (auto at = index.siblingAtColumn(0); at.isValid(); at = at.parent()) {
        steps.prepend(describeKey(at));
    }
    return tooltipText(steps.join(QLatin1Char('\n')));
}

void GroupedTableModel::setNotes(RowNotes& notes) {
    notes_ = &notes;
    connect(notes_, &RowNotes::changed, this, [this] {
        if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {NoteRole});
    });
}

QString GroupedTableModel::noteOn(const QModelIndex& index) const {
    if (!notes_ || notes_->notes().empty()) return {};
    return notes_->textOf(shown_.table, pathOf(index));
}

/// Explanation of the key, or further facts about it.
QString GroupedTableModel::explain(const TableRow& row) const {
    const auto& table = answer_->source()->table;
    if (row.step.column != analysis::Column::Process || !table) return definitionOf(row.step.column, row.step.key);
    const auto& processes = *table->trace().processes;
    if (row.step.key >= processes.processes().size()) return {};
    QStringList names;
    for (const auto& name : processes.earlierNames(ProcessIndex{static_cast<std::uint32_t>(row.step.key)}))
        names << QString::fromStdString(name);
    return names.isEmpty() ? QString() : tr("previously ran %1").arg(names.join(QStringLiteral(", ")));
}

/// Rows of the first key without a line have the colour of the "others" series, unless descendants of theirs are drawn.
QVariant GroupedTableModel::swatchOf(const Node& node) const {
    if (!hasSwatches_) return {};
    if (node.parent != root_.get()) {
        const auto path = drawn_.isEmpty() ? analysis::KeyPath() : pathOf(indexOf(node));
        return drawn_.contains(path) ? QVariant(colors_.knownColorOf(path)) : QVariant();
    }
    const auto place = drawn_.child(KeyTree::kRoot, node.row->step);
    if (place && !drawn_.isMember(*place)) return {};
    const auto color = colors_.knownColorOf({node.row->step});
    return color.isValid() ? QVariant(color) : QVariant(SeriesColors::neutralColor());
}

QVariant GroupedTableModel::keyData(const Node& node, int role) const {
    const auto& row = *node.row;
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row);
    case SortRole:
    case PlainTextRole:
        return row.text;
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: {
        const auto amount = amountOf(row);
        auto text = amount ? formatExactCell(row.step.column, *amount) : row.text;
        const auto note = noteOn(indexOf(node));
        if (role == Qt::AccessibleTextRole)
            return note.isEmpty() ? lineText(text) : tr("%1, note: %2").arg(lineText(text), lineText(note));
        if (const auto definition = explain(row); !definition.isEmpty()) text += QStringLiteral(": ") + definition;
        return tooltipText(note.isEmpty() ? text : text + QLatin1Char('\n') + tr("Note: %1").arg(note));
    }
    case Qt::DecorationRole:
        return swatchOf(node);
    default:
        return {};
    }
}

QVariant GroupedTableModel::valueData(const Node& node, std::size_t position, int role) const {
    const auto column = shown_.columns[position].value;
    const auto& value = node.row->values[position];
    switch (role) {
    case Qt::DisplayRole:
        return lineText(formatCell(column, value, shown_.columns[position].format, timeBase_));
    case Qt::ToolTipRole:
        return tooltipText(formatExactCell(column, value));
    case Qt::AccessibleTextRole:
        return lineText(formatExactCell(column, value));
    case PlainTextRole:
        return visibleText(analysis::plainText(column, value));
    case SortRole:
        if (const auto* number = std::get_if<std::int64_t>(&value)) return QVariant::fromValue<qlonglong>(*number);
        if (const auto* time = std::get_if<TraceTime>(&value)) return QVariant::fromValue<qlonglong>(time->ns);
        return formatCell(column, value);
    case SeriesRole: {
        const auto* series = std::get_if<analysis::Series>(&value);
        if (series == nullptr) return {};
        return QVariant::fromValue(QList<qint64>(series->amounts->begin(), series->amounts->end()));
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
        return isZero(value) ? QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText)) : QVariant();
    default:
        return {};
    }
}

QVariant GroupedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto column = valueColumn(section);
    const auto key = keyColumn(section);
    switch (role) {
    case Qt::DisplayRole:
        if (column) return QString::fromStdString(analysis::valueColumnName(shown_.table, *column));
        return key ? columnTitle(shown_.table, *key) : QStringLiteral("#");
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (key || (column && !isNumeric(*column)) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
        return column ? QVariant(tooltipText(definitionOf(shown_.table, column->column))) : QVariant();
    case Qt::InitialSortOrderRole:
        return column && isNumeric(*column) ? Qt::DescendingOrder : Qt::AscendingOrder;
    default:
        return {};
    }
}

} // namespace highwater::ui

#include "moc_grouped_table_model.cpp"

#include "ui/model/grouped_table_model.h"

#include "ui/format/cell_format.h"

#include <QColor>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;
using analysis::KeyPath;

struct GroupedTableModel::Node {
    Node* parent = nullptr;
    int row = 0;
    GroupedTable::NodeId id = GroupedTable::kRoot;
    analysis::KeyStep step;
    QString text;
    std::vector<analysis::CellValue> values;
    bool hasChildren = false;
    bool isOpen = false;
    bool isAsked = false;
    std::vector<std::unique_ptr<Node>> children;
};

GroupedTableModel::GroupedTableModel(const SeriesColors& colors, QObject* parent)
    : QAbstractItemModel(parent), colors_(colors), root_(std::make_unique<Node>()) {}

GroupedTableModel::~GroupedTableModel() = default;

void GroupedTableModel::setAnswer(std::shared_ptr<const TableAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    nodes_.clear();
    root_ = std::make_unique<Node>();
    root_->isOpen = true;
    if (answer_) fill(*root_, answer_->total().rows);
    endResetModel();
}

void GroupedTableModel::fill(Node& node, const std::vector<TableRow>& rows) {
    node.children.reserve(rows.size());
    for (const auto& row : rows) {
        auto child = std::make_unique<Node>();
        child->parent = &node;
        child->row = static_cast<int>(node.children.size());
        child->id = row.node;
        child->step = row.step;
        child->text = row.text;
        child->values = row.values;
        child->hasChildren = row.hasChildren;
        child->isOpen = row.isOpen;
        nodes_.insert(row.node, child.get());
        fill(*child, row.rows);
        node.children.push_back(std::move(child));
    }
}

void GroupedTableModel::insertOpened(const std::shared_ptr<const TableAnswer>& answer, const TableRow& row) {
    auto* node = nodes_.value(row.node, nullptr);
    if (row.node == GroupedTable::kRoot) node = root_.get();
    if (answer != answer_ || !node) return;
    merge(*node, row);
    emit rowsOpened(indexOf(*node));
}

void GroupedTableModel::merge(Node& node, const TableRow& row) {
    node.isAsked = false;
    if (!row.isOpen) return;
    if (node.isOpen) {
        for (std::size_t i = 0; i < std::min(node.children.size(), row.rows.size()); ++i) {
            merge(*node.children[i], row.rows[i]);
        }
        return;
    }
    if (!row.rows.empty()) beginInsertRows(indexOf(node), 0, static_cast<int>(row.rows.size()) - 1);
    node.isOpen = true;
    fill(node, row.rows);
    if (!row.rows.empty()) endInsertRows();
}

void GroupedTableModel::refreshColors() {
    if (root_->children.empty()) return;
    emit dataChanged(index(0, 0), index(static_cast<int>(root_->children.size()) - 1, 0), {Qt::DecorationRole});
}

GroupedTableModel::Node* GroupedTableModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : root_.get();
}

QModelIndex GroupedTableModel::indexOf(const Node& node) const {
    return node.parent ? createIndex(node.row, 0, &node) : QModelIndex();
}

KeyPath GroupedTableModel::pathOf(const QModelIndex& index) const {
    KeyPath path;
    for (const auto* node = nodeAt(index); node->parent; node = node->parent) {
        path.push_back(node->step);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

QModelIndex GroupedTableModel::indexOf(const KeyPath& path) const {
    const auto* node = root_.get();
    for (const auto& step : path) {
        const auto found = std::find_if(node->children.begin(), node->children.end(),
                                        [&](const auto& child) { return child->step == step; });
        if (found == node->children.end()) return {};
        node = found->get();
    }
    return indexOf(*node);
}

QModelIndex GroupedTableModel::indexOfNode(GroupedTable::NodeId node) const {
    const auto* found = nodes_.value(node, nullptr);
    return found ? indexOf(*found) : QModelIndex();
}

GroupedTable::NodeId GroupedTableModel::nodeOf(const QModelIndex& index) const { return nodeAt(index)->id; }

std::optional<analysis::ValueColumn> GroupedTableModel::valueColumn(int section) const {
    if (!answer_ || section < 1 || section >= columnCount()) return std::nullopt;
    return answer_->query().columns[static_cast<std::size_t>(section) - 1];
}

QString GroupedTableModel::describeKey(const QModelIndex& index) const {
    if (!answer_ || !index.isValid()) return {};
    const auto* node = nodeAt(index);
    const auto name = analysis::columnName(answer_->query().table, node->step.column);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) + QStringLiteral(" = ") + node->text;
}

QModelIndex GroupedTableModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, nodeAt(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex GroupedTableModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return indexOf(*nodeAt(index)->parent);
}

int GroupedTableModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeAt(parent)->children.size());
}

int GroupedTableModel::columnCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    return answer_ ? static_cast<int>(answer_->query().columns.size()) + 1 : 1;
}

bool GroupedTableModel::hasChildren(const QModelIndex& parent) const {
    if (parent.column() > 0) return false;
    const auto* node = nodeAt(parent);
    return node->isOpen || !node->parent ? !node->children.empty() : node->hasChildren;
}

bool GroupedTableModel::canFetchMore(const QModelIndex& parent) const {
    const auto* node = nodeAt(parent);
    return parent.column() <= 0 && node->parent && node->hasChildren && !node->isOpen && !node->isAsked;
}

void GroupedTableModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    auto* node = nodeAt(parent);
    node->isAsked = true;
    emit openWanted(node->id);
}

QVariant GroupedTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    const auto& node = *nodeAt(index);
    if (role == PathRole) return QVariant::fromValue(pathOf(index));
    if (index.column() == 0) return keyData(node, role);
    return valueData(node, static_cast<std::size_t>(index.column()) - 1, role);
}

QVariant GroupedTableModel::keyData(const Node& node, int role) const {
    switch (role) {
    case Qt::DisplayRole:
    case SortRole:
    case PlainTextRole:
        return node.text;
    case Qt::ToolTipRole: {
        const auto definition = definitionOf(node.step.column, node.text);
        return definition.isEmpty() ? node.text : node.text + QStringLiteral(": ") + definition;
    }
    case Qt::DecorationRole: {
        if (node.parent != root_.get()) return {};
        const auto color = colors_.knownColorOf(node.step);
        return color.isValid() ? QVariant(color) : QVariant(SeriesColors::neutralColor());
    }
    default:
        return {};
    }
}

QVariant GroupedTableModel::valueData(const Node& node, std::size_t position, int role) const {
    const auto column = answer_->query().columns[position];
    const auto& value = node.values[position];
    switch (role) {
    case Qt::DisplayRole:
        return formatCell(column, value);
    case Qt::ToolTipRole:
        return formatExactCell(column, value);
    case PlainTextRole:
        return QString::fromStdString(analysis::plainText(column, value));
    case SortRole:
        if (const auto* number = std::get_if<std::int64_t>(&value)) return QVariant::fromValue<qlonglong>(*number);
        if (const auto* time = std::get_if<TraceTime>(&value)) return QVariant::fromValue<qlonglong>(time->ns);
        return formatCell(column, value);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
    case Qt::ForegroundRole:
        return isZero(value) ? QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText)) : QVariant();
    default:
        return {};
    }
}

QString GroupedTableModel::keysTitle() const {
    QStringList names;
    for (const auto column : answer_->query().keys) {
        const auto name = analysis::columnName(answer_->query().table, column);
        names << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return names.join(QStringLiteral(" › "));
}

QVariant GroupedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !answer_ || section < 0 || section >= columnCount()) return {};
    const auto column = valueColumn(section);
    if (role == Qt::DisplayRole) {
        if (!column) return keysTitle();
        return QString::fromStdString(analysis::valueColumnName(answer_->query().table, *column));
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | (column ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role == Qt::ToolTipRole && column) return definitionOf(column->column);
    if (role == Qt::InitialSortOrderRole)
        return column && isNumeric(*column) ? Qt::DescendingOrder : Qt::AscendingOrder;
    return {};
}

void GroupedTableModel::sort(int section, Qt::SortOrder order) { emit sortWanted(section, order); }

} // namespace highwater::ui

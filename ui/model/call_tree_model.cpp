#include "ui/model/call_tree_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <algorithm>

namespace highwater::ui {

CallTreeModel::CallTreeModel(Side side, QObject* parent) : QAbstractItemModel(parent), side_(side) {}

void CallTreeModel::setAnswer(std::shared_ptr<const analysis::Callers> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

const std::vector<analysis::CallNode>& CallTreeModel::nodes() const {
    static const std::vector<analysis::CallNode> kNone;
    if (!answer_) return kNone;
    return side_ == Side::Callers ? answer_->callers.nodes() : answer_->callees.nodes();
}

const analysis::CallNode& CallTreeModel::nodeOf(const QModelIndex& index) const { return nodes()[index.internalId()]; }

const std::string& CallTreeModel::nameOf(const QModelIndex& index) const {
    return index.internalId() == 0 ? answer_->function : nodeOf(index).function;
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const auto node = parent.isValid() ? nodeOf(parent).children[static_cast<std::size_t>(row)] : 0;
    return createIndex(row, column, quintptr{node});
}

QModelIndex CallTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    const auto parent = nodeOf(index).parent;
    if (parent == 0) return createIndex(0, 0, quintptr{0});
    const auto& siblings = nodes()[nodes()[parent].parent].children;
    const auto row = std::find(siblings.begin(), siblings.end(), parent) - siblings.begin();
    return createIndex(static_cast<int>(row), 0, quintptr{parent});
}

int CallTreeModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    if (!parent.isValid()) return nodes().empty() ? 0 : 1;
    return static_cast<int>(nodeOf(parent).children.size());
}

int CallTreeModel::columnCount(const QModelIndex& /*parent*/) const { return kColumns; }

QString CallTreeModel::text(const QModelIndex& index) const {
    const auto& sums = nodeOf(index).sums;
    switch (index.column()) {
    case kFunction:
        return lineText(nameOf(index));
    case kCount:
        return formatCount(static_cast<std::int64_t>(sums.count));
    case kImpacting:
        return formatBytes(static_cast<SignedByteCount>(sums.impacting));
    case kSize:
        return formatBytes(static_cast<SignedByteCount>(sums.size));
    default:
        return {};
    }
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index);
    case Qt::ToolTipRole:
        return tooltipText(index.column() == kFunction ? toQString(nameOf(index)) : text(index));
    case Qt::TextAlignmentRole:
        return QVariant((index.column() == kFunction ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case kNameRole:
        return toQString(nameOf(index));
    default:
        return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == kFunction ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString kTitles[kColumns] = {side_ == Side::Callers ? ui::tr("Callers") : ui::tr("Callees"), ui::tr("Count"),
                                       ui::tr("Impacting Size"), ui::tr("Size")};
    return kTitles[section];
}

} // namespace highwater::ui

#include "moc_call_tree_model.cpp"

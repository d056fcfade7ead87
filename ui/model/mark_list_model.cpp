#include "ui/model/mark_list_model.h"

#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"

namespace highwater::ui {

MarkListModel::MarkListModel(MarkList& list, QObject* parent)
    : QAbstractTableModel(parent), list_(list), rows_(list.marks()) {
    connect(&list_, &MarkList::changed, this, &MarkListModel::follow);
}

/// Both are ordered by time.
void MarkListModel::follow() {
    const auto& wanted = list_.marks();
    std::size_t row = 0;
    for (const auto& mark : wanted) {
        while (row < rows_.size() && comesBefore(rows_[row], mark)) {
            beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
            rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(row));
            endRemoveRows();
        }
        if (row == rows_.size() || rows_[row].ticks != mark.ticks) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(row), mark);
            endInsertRows();
        } else if (!(rows_[row] == mark)) {
            rows_[row] = mark;
            emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), kColumns - 1));
        }
        ++row;
    }
    if (row == rows_.size()) return;
    beginRemoveRows({}, static_cast<int>(row), static_cast<int>(rows_.size()) - 1);
    rows_.resize(row);
    endRemoveRows();
}

int MarkListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MarkListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant MarkListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& mark = rows_[static_cast<std::size_t>(index.row())];
    const auto name = QString::fromStdString(mark.name);
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == kName ? lineText(name) : formatTime(mark.time);
    case Qt::EditRole:
        return index.column() == kName ? QVariant(name) : QVariant();
    case Qt::ToolTipRole:
        return tooltipText(tr("%1 at %2").arg(lineText(name), formatTime(mark.time)));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == kName ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

bool MarkListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || index.column() != kName) return false;
    const auto name = value.toString().trimmed();
    if (name.isEmpty()) return false;
    list_.rename(mark(index.row()).ticks, name);
    return true;
}

Qt::ItemFlags MarkListModel::flags(const QModelIndex& index) const {
    const auto flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == kName ? flags | Qt::ItemIsEditable : flags;
}

QVariant MarkListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == kName ? tr("Mark") : tr("Time");
}

} // namespace highwater::ui

#include "moc_mark_list_model.cpp"

#include "app/tools/fleet/page/fleet_table_model.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {
namespace {

QVariant alignmentOf(FleetUnit unit) {
    return QVariant((isRight(unit) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

/// Unknown values sort before all others.
QVariant sortValueOf(const FleetCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return toQString(*text);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<qlonglong>(*number);
    if (const auto* part = std::get_if<double>(&cell)) return *part;
    if (const auto* share = std::get_if<FleetShare>(&cell))
        return share->of == 0 ? 0.0 : static_cast<double>(share->with) / static_cast<double>(share->of);
    return {};
}

} // namespace

void FleetTableModel::setTable(std::shared_ptr<const FleetTable> table) {
    beginResetModel();
    table_ = std::move(table);
    endResetModel();
}

std::size_t FleetTableModel::rowOf(const QModelIndex& index) {
    return isFrame(index) ? static_cast<std::size_t>(index.internalId() - 1) : static_cast<std::size_t>(index.row());
}

QString FleetTableModel::nameOf(std::size_t row) const {
    const auto& of = table_->rows[row];
    QStringList words;
    for (const auto& frame : of.frames)
        words << toQString(frame);
    for (std::size_t i = 0; i < table_->columns.size(); ++i) {
        if (isRight(table_->columns[i].unit)) continue;
        words << cellText(*table_, table_->columns[i], of.cells[i]);
    }
    return words.join(QLatin1Char('\n'));
}

QModelIndex FleetTableModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex FleetTableModel::parent(const QModelIndex& child) const {
    if (!isFrame(child)) return {};
    return createIndex(static_cast<int>(rowOf(child)), 0, quintptr{0});
}

int FleetTableModel::rowCount(const QModelIndex& parent) const {
    if (!table_ || parent.column() > 0 || isFrame(parent)) return 0;
    return static_cast<int>(parent.isValid() ? table_->rows[rowOf(parent)].frames.size() : table_->rows.size());
}

int FleetTableModel::columnCount(const QModelIndex&) const {
    return table_ ? static_cast<int>(table_->columns.size()) : 0;
}

const FleetCell& FleetTableModel::cell(const QModelIndex& index) const {
    return table_->rows[rowOf(index)].cells[static_cast<std::size_t>(index.column())];
}

QVariant FleetTableModel::frameData(const QModelIndex& index, int role) const {
    if (index.column() != 0) return {};
    const auto& frame = table_->rows[rowOf(index)].frames[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return lineText(frame);
    case Qt::ToolTipRole:
        return tooltipText(toQString(frame));
    case kSortRole:
        return index.row();
    default:
        return {};
    }
}

QVariant FleetTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !table_) return {};
    if (isFrame(index)) return frameData(index, role);
    const auto& column = table_->columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(*table_, column, cell(index));
    case Qt::ToolTipRole:
        return tooltipText(cellText(*table_, column, cell(index)));
    case Qt::TextAlignmentRole:
        return alignmentOf(column.unit);
    case kSortRole:
        return sortValueOf(cell(index));
    default:
        return {};
    }
}

QVariant FleetTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto& column = table_->columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.help.isEmpty() ? QVariant() : tooltipText(column.help);
    case Qt::TextAlignmentRole:
        return alignmentOf(column.unit);
    default:
        return {};
    }
}

} // namespace highwater::ui

#include "moc_fleet_table_model.cpp"

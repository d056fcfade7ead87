#include "app/tools/difference/page/difference_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/model/row_table_model.h"

namespace highwater::ui {
namespace {

using analysis::DifferenceState, analysis::Measure;

struct DifferenceCell {
    const DifferenceRow& row;
    Measure decides;
};

QString amountText(DifferenceCell cell, std::int64_t value) {
    return cell.decides == Measure::Count ? formatCount(value) : formatBytes(value);
}

QString signOf(std::int64_t value) { return value > 0 ? QStringLiteral("+") : QString(); }

const RowColumns<DifferenceCell>& differenceColumns() {
    static const auto kCounted = ui::tr("Allocations that were outstanding at some time in the interval.");
    static const RowColumns<DifferenceCell> kAll{
        {ui::tr("Group"),
         ui::tr("Processes and functions, matched by name between the two sides. Function names include the module."),
         Qt::AlignLeft, [](DifferenceCell cell) { return lineText(cell.row.text); }},
        {ui::tr("State"), ui::tr("How the selected measure changed."), Qt::AlignLeft,
         [](DifferenceCell cell) { return differenceStateText(cell.row.state); },
         [](DifferenceCell cell) -> QVariant { return static_cast<int>(cell.row.state); }},
        {ui::tr("Before"), ui::tr("The selected measure before."), Qt::AlignRight,
         [](DifferenceCell cell) { return amountText(cell, cell.row.change.before); },
         [](DifferenceCell cell) { return sortNumber(cell.row.change.before); }},
        {ui::tr("After"), ui::tr("The selected measure after."), Qt::AlignRight,
         [](DifferenceCell cell) { return amountText(cell, cell.row.change.after); },
         [](DifferenceCell cell) { return sortNumber(cell.row.change.after); }},
        {ui::tr("Delta"), ui::tr("After minus before. The largest growth is first."), Qt::AlignRight,
         [](DifferenceCell cell) {
             return signOf(cell.row.change.delta()) + amountText(cell, cell.row.change.delta());
         },
         [](DifferenceCell cell) { return sortNumber(cell.row.change.delta()); }},
        {ui::tr("Count Before"), kCounted, Qt::AlignRight,
         [](DifferenceCell cell) { return formatCount(cell.row.count.before); },
         [](DifferenceCell cell) { return sortNumber(cell.row.count.before); }},
        {ui::tr("Count After"), kCounted, Qt::AlignRight,
         [](DifferenceCell cell) { return formatCount(cell.row.count.after); },
         [](DifferenceCell cell) { return sortNumber(cell.row.count.after); }},
        {ui::tr("Count Delta"), kCounted, Qt::AlignRight,
         [](DifferenceCell cell) { return signOf(cell.row.count.delta()) + formatCount(cell.row.count.delta()); },
         [](DifferenceCell cell) { return sortNumber(cell.row.count.delta()); }},
    };
    return kAll;
}

} // namespace

QString differenceStateText(DifferenceState state) { return toQString(analysis::stateText(state)); }
QString measureText(Measure measure) { return toQString(analysis::measureName(measure)); }

void DifferenceModel::setAnswer(std::shared_ptr<const DifferenceAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

QStringList DifferenceModel::pathOf(const QModelIndex& index) const {
    return index.isValid() ? pathOf(*answer_, rowOf(index)) : QStringList();
}

QStringList DifferenceModel::pathOf(const DifferenceAnswer& answer, std::uint32_t row) {
    QStringList path;
    for (; row != 0; row = answer.rows[row].parent)
        path.prepend(toQString(answer.rows[row].text));
    return path;
}

QModelIndex DifferenceModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column,
                       static_cast<quintptr>(answer_->rows[numberOf(parent)].children[static_cast<std::size_t>(row)]));
}

QModelIndex DifferenceModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || !answer_) return {};
    const auto parent = answer_->rows[rowOf(child)].parent;
    return parent == 0 ? QModelIndex()
                       : createIndex(static_cast<int>(answer_->rows[parent].place), 0, quintptr{parent});
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    if (!answer_ || parent.column() > 0) return 0;
    return static_cast<int>(answer_->rows[numberOf(parent)].children.size());
}

int DifferenceModel::columnCount(const QModelIndex&) const { return kColumns; }

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    const DifferenceCell cell{answer_->rows[rowOf(index)], answer_->decides};
    if (role != Qt::ToolTipRole) return cellDataOf(differenceColumns(), cell, index.column(), role, kSortRole);
    return tooltipText(index.column() == kGroup ? toQString(cell.row.text)
                                                : cellTextOf(differenceColumns(), cell, index.column()));
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return headerDataOf(differenceColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_difference_model.cpp"

#include "ui/model/difference_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {
namespace {

using analysis::DifferenceState, analysis::Measure;

bool isAmountColumn(int column) { return column >= DifferenceModel::kBefore; }

QString differenceToolTip(int section) {
    switch (section) {
    case DifferenceModel::kGroup:
        return ui::tr("What both sides call the same: processes by their names, functions with their modules.");
    case DifferenceModel::kState:
        return ui::tr("What became of it, by the number that is chosen above.");
    case DifferenceModel::kDelta:
        return ui::tr("After less before. What grew most comes first.");
    case DifferenceModel::kCountBefore:
    case DifferenceModel::kCountAfter:
    case DifferenceModel::kCountDelta:
        return ui::tr("Allocations that were outstanding at some time of the interval.");
    default:
        return ui::tr("The number that is chosen above.");
    }
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

QString DifferenceModel::amount(std::int64_t value) const {
    return answer_->decides == Measure::Count ? formatCount(value) : formatBytes(value);
}

QString DifferenceModel::delta(std::int64_t value) const {
    return (value > 0 ? QStringLiteral("+") : QString()) + amount(value);
}

QString DifferenceModel::text(const DifferenceRow& row, int column) const {
    switch (column) {
    case kGroup:
        return lineText(row.text);
    case kState:
        return differenceStateText(row.state);
    case kBefore:
        return amount(row.change.before);
    case kAfter:
        return amount(row.change.after);
    case kDelta:
        return delta(row.change.delta());
    case kCountBefore:
        return formatCount(row.count.before);
    case kCountAfter:
        return formatCount(row.count.after);
    case kCountDelta:
        return (row.count.delta() > 0 ? QStringLiteral("+") : QString()) + formatCount(row.count.delta());
    default:
        return {};
    }
}

QVariant DifferenceModel::sortValue(const DifferenceRow& row, int column) const {
    switch (column) {
    case kState:
        return static_cast<int>(row.state);
    case kBefore:
        return static_cast<qlonglong>(row.change.before);
    case kAfter:
        return static_cast<qlonglong>(row.change.after);
    case kDelta:
        return static_cast<qlonglong>(row.change.delta());
    case kCountBefore:
        return static_cast<qlonglong>(row.count.before);
    case kCountAfter:
        return static_cast<qlonglong>(row.count.after);
    case kCountDelta:
        return static_cast<qlonglong>(row.count.delta());
    default:
        return text(row, column);
    }
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    const auto& row = answer_->rows[rowOf(index)];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return tooltipText(index.column() == kGroup ? toQString(row.text) : text(row, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant((isAmountColumn(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kSortRole:
        return sortValue(row, index.column());
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((isAmountColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return tooltipText(differenceToolTip(section));
    if (role != Qt::DisplayRole) return {};
    const QString kTitles[kColumns] = {ui::tr("Group"),       ui::tr("State"),      ui::tr("Before"),
                                       ui::tr("After"),       ui::tr("Delta"),      ui::tr("Count Before"),
                                       ui::tr("Count After"), ui::tr("Count Delta")};
    return kTitles[section];
}

} // namespace highwater::ui

#include "moc_difference_model.cpp"

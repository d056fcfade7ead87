#include "ui/model/histogram_table_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <QPointF>

#include <algorithm>

namespace highwater::ui {
namespace {

using analysis::HistogramBar;

QString bytesOf(std::uint64_t bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }
QString countOf(std::uint64_t count) { return formatCount(static_cast<std::int64_t>(count)); }

bool isNumberColumn(int column) {
    return column == HistogramTableModel::kCount || column == HistogramTableModel::kBytes ||
           column == HistogramTableModel::kKept;
}

QVariant alignmentOf(int column) {
    return QVariant((isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

void HistogramTableModel::setAnswer(std::shared_ptr<const HistogramAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    longest_ = 0;
    for (const auto& bar : bars())
        longest_ = std::max(longest_, measure_ == Measure::Bytes ? bar.bytes : bar.count);
    endResetModel();
}

void HistogramTableModel::setMeasure(Measure measure) {
    measure_ = measure;
    setAnswer(std::move(answer_));
}

const std::vector<HistogramBar>& HistogramTableModel::bars() const {
    static const std::vector<HistogramBar> kNone;
    if (!answer_) return kNone;
    return answer_->query.exact > 0 ? answer_->histogram.exact : answer_->histogram.bars;
}

const HistogramBar* HistogramTableModel::bar(int row) const {
    if (row < 0 || row >= rowCount()) return nullptr;
    return &bars()[static_cast<std::size_t>(row)];
}

int HistogramTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(bars().size());
}

int HistogramTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString HistogramTableModel::text(const HistogramBar& bar, int column) const {
    switch (column) {
    case kValues:
        return toQString(analysis::barText(answer_->query.of, bar));
    case kCount:
        return countOf(bar.count);
    case kBytes:
        return bytesOf(bar.bytes);
    case kKept:
        return analysis::isOfEvents(answer_->query.table) ? QString() : bytesOf(bar.keptBytes);
    default:
        return {};
    }
}

QString HistogramTableModel::toolTip(const HistogramBar& bar) const {
    const auto exact = [](std::uint64_t bytes) { return formatExactBytes(static_cast<SignedByteCount>(bytes)); };
    auto words = ui::tr("%1: %2 rows, %3").arg(text(bar, kValues), countOf(bar.count), exact(bar.bytes));
    if (!analysis::isOfEvents(answer_->query.table))
        words += ui::tr("; of them %1 with %2 kept at the end of the interval")
                     .arg(countOf(bar.keptCount), exact(bar.keptBytes));
    return words;
}

QPointF HistogramTableModel::parts(const HistogramBar& bar) const {
    if (longest_ == 0) return {};
    const auto whole = measure_ == Measure::Bytes ? bar.bytes : bar.count;
    const auto kept = std::min(whole, measure_ == Measure::Bytes ? bar.keptBytes : bar.keptCount);
    const auto part = [&](std::uint64_t amount) { return static_cast<double>(amount) / static_cast<double>(longest_); };
    return {part(kept), part(whole - kept)};
}

QVariant HistogramTableModel::data(const QModelIndex& index, int role) const {
    const auto* found = index.isValid() ? bar(index.row()) : nullptr;
    if (found == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(*found, index.column());
    case Qt::ToolTipRole:
        return tooltipText(toolTip(*found));
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case kPartsRole:
        return index.column() == kBar ? QVariant(parts(*found)) : QVariant();
    default:
        return {};
    }
}

QVariant HistogramTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole) return alignmentOf(section);
    if (role != Qt::DisplayRole) return {};
    const bool isLife = answer_ && answer_->query.of == analysis::HistogramOf::LifeTime;
    const QString kTitles[kColumns] = {
        isLife ? ui::tr("LifeTime") : ui::tr("Allocation Size"), ui::tr("Count"), ui::tr("Size"), ui::tr("Kept"),
        measure_ == Measure::Bytes ? ui::tr("Kept and freed bytes") : ui::tr("Kept and freed rows")};
    return kTitles[section];
}

} // namespace highwater::ui

#include "moc_histogram_table_model.cpp"

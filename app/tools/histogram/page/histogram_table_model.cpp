#include "app/tools/histogram/page/histogram_table_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <QPointF>

#include <algorithm>

namespace highwater::ui {
namespace {

using analysis::HistogramBar;

QString bytesOf(std::uint64_t bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }
QString countOf(std::uint64_t count) { return formatCount(static_cast<std::int64_t>(count)); }

QString valuesOf(BarOfAnswer of) { return toQString(analysis::barText(of.query.of, of.bar)); }

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

std::span<const HistogramBar> HistogramTableModel::bars() const {
    if (!answer_) return {};
    return answer_->query.exact > 0 ? answer_->found.exact : answer_->found.bars;
}

const HistogramBar* HistogramTableModel::bar(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &bars()[static_cast<std::size_t>(row)];
}

const HistogramTableModel::Columns& HistogramTableModel::columns() const {
    static const Columns kAll{
        {ui::tr("Allocation Size"), QString(), Qt::AlignLeft, valuesOf},
        {ui::tr("Count"), QString(), Qt::AlignRight, [](BarOfAnswer of) { return countOf(of.bar.count); }},
        {ui::tr("Size"), QString(), Qt::AlignRight, [](BarOfAnswer of) { return bytesOf(of.bar.bytes); }},
        {ui::tr("Kept"), QString(), Qt::AlignRight,
         [](BarOfAnswer of) { return analysis::isOfEvents(of.query.table) ? QString() : bytesOf(of.bar.keptBytes); }},
        {ui::tr("Kept and freed bytes"), QString(), Qt::AlignLeft},
    };
    return kAll;
}

QString HistogramTableModel::toolTip(BarOfAnswer of, int) const {
    const auto exact = [](std::uint64_t bytes) { return formatExactBytes(static_cast<SignedByteCount>(bytes)); };
    auto words =
        ui::tr("%1: %2, %3").arg(valuesOf(of), rowCountText(of.query.table, of.bar.count), exact(of.bar.bytes));
    if (analysis::isOfEvents(of.query.table)) return words;
    if (of.bar.keptCount == 0) return ui::tr("%1; none kept at the end of the interval").arg(words);
    return ui::tr("%1; %2 of them (%3) kept at the end of the interval")
        .arg(words, countOf(of.bar.keptCount), exact(of.bar.keptBytes));
}

QPointF HistogramTableModel::parts(const HistogramBar& bar) const {
    if (longest_ == 0) return {};
    const auto whole = measure_ == Measure::Bytes ? bar.bytes : bar.count;
    const auto kept = std::min(whole, measure_ == Measure::Bytes ? bar.keptBytes : bar.keptCount);
    const auto part = [&](std::uint64_t amount) { return static_cast<double>(amount) / static_cast<double>(longest_); };
    return {part(kept), part(whole - kept)};
}

QVariant HistogramTableModel::data(const QModelIndex& index, int role) const {
    if (role != kPartsRole) return RowTableModel::data(index, role);
    const auto* found = index.column() == kBar ? bar(index.row()) : nullptr;
    return found ? QVariant(parts(*found)) : QVariant();
}

QVariant HistogramTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole) {
        const bool isLife = answer_ && answer_->query.of == analysis::HistogramOf::LifeTime;
        if (section == kValues && isLife) return ui::tr("LifeTime");
        if (section == kBar && measure_ == Measure::Count) return ui::tr("Kept and freed rows");
    }
    return RowTableModel::headerData(section, orientation, role);
}

} // namespace highwater::ui

#include "moc_histogram_table_model.cpp"

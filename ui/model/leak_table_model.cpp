#include "ui/model/leak_table_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

using analysis::LeakSuspect, analysis::LeakVerdict;

constexpr double kHundredth = 10'000'000; ///< ns

/// "14.20 s": where in the trace, not when to the nanosecond.
QString shortTime(TraceTime time) { return formatTick(time, static_cast<std::int64_t>(kHundredth)); }

bool isNumber(int column) {
    switch (column) {
    case LeakTableModel::kRank:
    case LeakTableModel::kGrowth:
    case LeakTableModel::kOutstanding:
    case LeakTableModel::kCount:
    case LeakTableModel::kFirst:
    case LeakTableModel::kLast:
        return true;
    default:
        return false;
    }
}

QString growthText(const LeakSuspect& suspect) {
    constexpr double kMost = 9e18; // a period of nanoseconds makes any amount fast
    const auto rate = std::llround(std::clamp(suspect.growth.perSecond, -kMost, kMost));
    return rate == 0 ? QString() : ui::tr("%1/s").arg(formatBytes(rate));
}

QString headerToolTip(int column) {
    switch (column) {
    case LeakTableModel::kOwner:
        return ui::tr(
            "The first function, from the allocation outwards, that is no allocator, no runtime and no container.");
    case LeakTableModel::kVerdict:
        return ui::tr("What the stack does with the memory it takes; the whole reason stands beside the list.");
    case LeakTableModel::kGrowth:
        return ui::tr("How fast the amount rises that the stack never falls below any more.");
    case LeakTableModel::kTrend:
        return ui::tr("Outstanding Size over the part of the interval in which the process lived.");
    case LeakTableModel::kOutstanding:
        return ui::tr(
            "Outstanding Size at the end of the interval, of older allocations, too; the reason beside the list "
            "tells those that were made in it.");
    case LeakTableModel::kCount:
        return ui::tr("Allocations that are outstanding at the end of the interval, older ones included.");
    case LeakTableModel::kFirst:
        return ui::tr("When the first of those was made that were made in the interval.");
    case LeakTableModel::kLast:
        return ui::tr("When the last of those was made that were made in the interval.");
    default:
        return {};
    }
}

} // namespace

QString verdictText(const LeakSuspect& suspect) {
    switch (suspect.verdict) {
    case LeakVerdict::Growing:
        return suspect.confidence >= analysis::kSureConfidence ? ui::tr("Still growing") : ui::tr("Probably growing");
    case LeakVerdict::Kept:
        return ui::tr("Never freed");
    case LeakVerdict::TooEarly:
        return ui::tr("Too early to tell");
    case LeakVerdict::LevelledOff:
        return ui::tr("Levelled off");
    case LeakVerdict::Renewed:
        return ui::tr("Comes and goes");
    case LeakVerdict::Sawtooth:
        return ui::tr("Fills and is emptied");
    case LeakVerdict::StartUp:
        return ui::tr("Start of the process");
    case LeakVerdict::LostFrees:
        return ui::tr("Perhaps nothing");
    }
    return {};
}

void LeakTableModel::setAnswer(std::shared_ptr<const LeakAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

const LeakSuspect* LeakTableModel::suspect(int row) const {
    if (!answer_ || row < 0 || row >= rowCount()) return nullptr;
    return &answer_->report.suspects[static_cast<std::size_t>(row)];
}

std::optional<int> LeakTableModel::rowOf(const analysis::KeyPath& path) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (suspect(row)->path == path) return row;
    }
    return std::nullopt;
}

int LeakTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !answer_ ? 0 : static_cast<int>(answer_->report.suspects.size());
}

int LeakTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString LeakTableModel::text(const LeakSuspect& suspect, int row, int column) {
    switch (column) {
    case kRank:
        return QString::number(row + 1);
    case kOwner:
        return lineText(suspect.owner);
    case kVerdict:
        return verdictText(suspect);
    case kGrowth:
        return growthText(suspect);
    case kOutstanding:
        return formatBytes(static_cast<SignedByteCount>(suspect.outstandingBytes));
    case kCount:
        return formatCount(static_cast<std::int64_t>(suspect.outstandingCount));
    case kFirst:
        return shortTime(suspect.first);
    case kLast:
        return shortTime(suspect.last);
    case kProcess:
        return lineText(suspect.process);
    default:
        return {};
    }
}

QVariant LeakTableModel::sortValue(const LeakSuspect& suspect, int row, int column) {
    switch (column) {
    case kRank:
        return row;
    case kVerdict:
        return static_cast<int>(suspect.verdict);
    case kGrowth:
    case kTrend:
        return suspect.growth.perSecond;
    case kOutstanding:
        return static_cast<qulonglong>(suspect.outstandingBytes);
    case kCount:
        return static_cast<qulonglong>(suspect.outstandingCount);
    case kFirst:
        return static_cast<qlonglong>(suspect.first.ns);
    case kLast:
        return static_cast<qlonglong>(suspect.last.ns);
    default:
        return text(suspect, row, column);
    }
}

QVariant LeakTableModel::data(const QModelIndex& index, int role) const {
    const auto* found = index.isValid() ? suspect(index.row()) : nullptr;
    if (found == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(*found, index.row(), index.column());
    case Qt::ToolTipRole:
        if (index.column() == kOwner || index.column() == kVerdict) return tooltipText(toQString(found->why));
        return tooltipText(text(*found, index.row(), index.column()));
    case Qt::TextAlignmentRole:
        return QVariant(isNumber(index.column()) ? Qt::AlignRight | Qt::AlignVCenter
                                                 : Qt::AlignLeft | Qt::AlignVCenter);
    case kSortRole:
        return sortValue(*found, index.row(), index.column());
    case kLevelsRole:
        if (index.column() == kTrend)
            return QVariant::fromValue(QList<qint64>(found->levels.begin(), found->levels.end()));
        return {};
    default:
        return {};
    }
}

QVariant LeakTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(isNumber(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return tooltipText(headerToolTip(section));
    if (role != Qt::DisplayRole) return {};
    const QString kTitles[kColumns] = {ui::tr("#"),     ui::tr("Owner"),       ui::tr("Verdict"), ui::tr("Growth"),
                                       ui::tr("Trend"), ui::tr("Outstanding"), ui::tr("Count"),   ui::tr("First"),
                                       ui::tr("Last"),  ui::tr("Process")};
    return kTitles[section];
}

} // namespace highwater::ui

#include "moc_leak_table_model.cpp"

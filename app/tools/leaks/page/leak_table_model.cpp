#include "app/tools/leaks/page/leak_table_model.h"

#include "app/pages/coming_name.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/pictures/picture_rows.h"
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

/// "14.20 s": rounded, because the position in the trace matters, not the nanosecond.
QString shortTime(TraceTime time) { return formatTick(time, static_cast<std::int64_t>(kHundredth)); }

QString growthText(const LeakSuspect& suspect) {
    constexpr double kMost = 9e18; // limits rates computed over nanoseconds
    const auto rate = std::llround(std::clamp(suspect.growth.perSecond, -kMost, kMost));
    return rate == 0 ? QString() : ui::tr("%1/s").arg(formatBytes(rate));
}

QString heldText(RankedSuspect of) {
    return of.suspect.held ? formatBytes(static_cast<SignedByteCount>(of.suspect.held->heldPages)) : QString();
}

QVariant heldOf(RankedSuspect of) { return of.suspect.held ? sortNumber(of.suspect.held->heldPages) : QVariant(); }

QString unreachableText(RankedSuspect of) {
    return of.suspect.picture ? formatBytes(static_cast<SignedByteCount>(of.suspect.unreachable().bytes)) : QString();
}

QVariant unreachableOf(RankedSuspect of) {
    return of.suspect.picture ? sortNumber(of.suspect.unreachable().bytes) : QVariant();
}

QString heldByText(RankedSuspect of) {
    const auto& picture = of.suspect.picture;
    if (!picture) return {};
    return picture->heldBy.empty() ? QString::fromUtf8(analysis::kNoHolder) : lineText(analysis::heldByPath(*picture));
}

QVariant growthOf(RankedSuspect of) { return of.suspect.growth.perSecond; }

} // namespace

QString verdictText(const LeakSuspect& suspect) {
    switch (suspect.verdict) {
    case LeakVerdict::Growing:
        return suspect.confidence >= analysis::kSureConfidence ? ui::tr("Still growing") : ui::tr("Probably growing");
    case LeakVerdict::Unreachable:
        return ui::tr("Unreachable");
    case LeakVerdict::Kept:
        return suspect.isYoung ? ui::tr("Not freed yet") : ui::tr("Never freed");
    case LeakVerdict::TooEarly:
        return ui::tr("Too early to judge");
    case LeakVerdict::LevelledOff:
        return ui::tr("Levelled off");
    case LeakVerdict::Renewed:
        return ui::tr("Steady turnover");
    case LeakVerdict::Sawtooth:
        return ui::tr("Rises and falls");
    case LeakVerdict::StartUp:
        return ui::tr("From startup");
    case LeakVerdict::LostFrees:
        return ui::tr("Uncertain");
    }
    return {};
}

void LeakTableModel::setAnswer(std::shared_ptr<const LeakAnswer> answer, bool areNamesComing) {
    beginResetModel();
    areNamesComing_ = areNamesComing;
    answer_ = std::move(answer);
    endResetModel();
}

std::span<const LeakSuspect> LeakTableModel::suspects() const {
    return answer_ ? std::span(answer_->found.suspects) : std::span<const LeakSuspect>();
}

const LeakSuspect* LeakTableModel::suspect(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &suspects()[static_cast<std::size_t>(row)];
}

bool LeakTableModel::hasHeldPages() const {
    return std::ranges::any_of(suspects(), [](const LeakSuspect& suspect) { return suspect.held.has_value(); });
}

std::optional<int> LeakTableModel::rowOf(analysis::Table table, const analysis::KeyPath& path) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (suspect(row)->table == table && suspect(row)->path == path) return row;
    }
    return std::nullopt;
}

const LeakTableModel::Columns& LeakTableModel::columns() const {
    static const Columns kAll{
        {ui::tr("#"), QString(), Qt::AlignRight, [](RankedSuspect of) { return QString::number(of.row + 1); },
         [](RankedSuspect of) -> QVariant { return static_cast<int>(of.row); }},
        {ui::tr("Owner"),
         ui::tr("The first function, from the allocation outwards, outside allocators, runtimes and containers."),
         Qt::AlignLeft, [](RankedSuspect of) { return lineText(analysis::ownerText(of.suspect)); }},
        {ui::tr("Verdict"), ui::tr("How the stack uses its memory. The details next to the list give the full reason."),
         Qt::AlignLeft, [](RankedSuspect of) { return verdictText(of.suspect); },
         [](RankedSuspect of) -> QVariant { return static_cast<int>(of.suspect.verdict); }},
        {ui::tr("Growth/s"), ui::tr("How fast the memory that is never freed grows."), Qt::AlignRight,
         [](RankedSuspect of) { return growthText(of.suspect); }, growthOf},
        {ui::tr("Trend"), ui::tr("Outstanding Size over the part of the interval in which the process was running."),
         Qt::AlignLeft, nullptr, growthOf},
        {ui::tr("Outstanding"),
         ui::tr("Outstanding Size at the end of the interval, including older allocations. The details next to the "
                "list show the part allocated in the interval."),
         Qt::AlignRight,
         [](RankedSuspect of) { return formatBytes(static_cast<SignedByteCount>(of.suspect.outstandingBytes)); },
         [](RankedSuspect of) { return sortNumber(of.suspect.outstandingBytes); }},
        {ui::tr("Unreachable"),
         ui::tr("Blocks of this stack that nothing refers to, in the newest picture of memory in the interval: a leak. "
                "The details next to the list show when they became unreachable."),
         Qt::AlignRight, unreachableText, unreachableOf},
        {ui::tr("Held Pages"),
         ui::tr("Resident pages that contain only blocks of this stack, in the newest sample of resident memory in the "
                "interval. If these blocks are freed, the allocator may return the pages to the system."),
         Qt::AlignRight, heldText, heldOf},
        {ui::tr("Held By"),
         ui::tr("The variable, stack or mapping that holds most bytes of the other blocks in this picture, and the "
                "owners of the blocks in between."),
         Qt::AlignLeft, heldByText},
        {ui::tr("Kind"), ui::tr("Heap: heap blocks. VirtualAlloc: pages that the program itself commits."),
         Qt::AlignLeft, [](RankedSuspect of) { return toQString(analysis::kindText(of.suspect.table)); }},
        {ui::tr("Count"), ui::tr("Allocations outstanding at the end of the interval, including older ones."),
         Qt::AlignRight,
         [](RankedSuspect of) { return formatCount(static_cast<std::int64_t>(of.suspect.outstandingCount)); },
         [](RankedSuspect of) { return sortNumber(of.suspect.outstandingCount); }},
        {ui::tr("First"), ui::tr("Time of the first of these allocations that was made in the interval."),
         Qt::AlignRight, [](RankedSuspect of) { return shortTime(of.suspect.first); },
         [](RankedSuspect of) { return sortNumber(of.suspect.first.ns); }},
        {ui::tr("Last"), ui::tr("Time of the last of these allocations that was made in the interval."), Qt::AlignRight,
         [](RankedSuspect of) { return shortTime(of.suspect.last); },
         [](RankedSuspect of) { return sortNumber(of.suspect.last.ns); }},
        {ui::tr("Process"), QString(), Qt::AlignLeft, [](RankedSuspect of) { return lineText(of.suspect.process); }},
    };
    return kAll;
}

QString LeakTableModel::toolTip(RankedSuspect of, int column) const {
    return column == kOwner || column == kVerdict ? toQString(of.suspect.why) : RowTableModel::toolTip(of, column);
}

QVariant LeakTableModel::data(const QModelIndex& index, int role) const {
    const bool isOwner = role == Qt::DisplayRole && index.column() == kOwner && areNamesComing_;
    if (const auto* owned = isOwner ? suspect(index.row()) : nullptr) {
        const auto coming = app::comingName(owned->owner);
        if (coming != owned->owner) return lineText(coming);
    }
    if (role != kLevelsRole) return RowTableModel::data(index, role);
    const auto* found = index.column() == kTrend ? suspect(index.row()) : nullptr;
    return found ? QVariant::fromValue(QList<qint64>(found->levels.begin(), found->levels.end())) : QVariant();
}

} // namespace highwater::ui

#include "moc_leak_table_model.cpp"

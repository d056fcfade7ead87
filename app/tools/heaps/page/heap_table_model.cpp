#include "app/tools/heaps/page/heap_table_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <limits>

namespace highwater::ui {
namespace {

using analysis::HeapFacts, analysis::HeapOrigin, analysis::SlackGap;

QString sizeText(ByteCount bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }
QString sizeText(const std::optional<ByteCount>& bytes) { return bytes ? sizeText(*bytes) : QString(); }
QString handleText(Address handle) { return QStringLiteral("0x") + QString::number(handle, 16); }

QString speedText(const std::optional<std::int64_t>& bytesPerSecond) {
    if (!bytesPerSecond || *bytesPerSecond == 0) return {};
    return ui::tr("%1/s").arg(formatByteDelta(*bytesPerSecond));
}

template <auto kBytes>
QString sizeOf(const HeapFacts& heap) {
    return sizeText(heap.*kBytes);
}

template <auto kTime>
QString timeOf(const HeapFacts& heap) {
    return heap.*kTime ? formatTime(*(heap.*kTime)) : QString();
}

template <auto kNumber>
QVariant numberOf(const HeapFacts& heap) {
    return sortNumber(heap.*kNumber);
}

/// Missing values sort before all numbers.
template <auto kBytes>
QVariant knownOf(const HeapFacts& heap) {
    return heap.*kBytes ? static_cast<double>(*(heap.*kBytes)) : -std::numeric_limits<double>::max();
}

} // namespace

QString heapSentence(const HeapFacts& heap) {
    QStringList words;
    if (heap.origin == HeapOrigin::Recorded) {
        words << (heap.creations > 1
                      ? ui::tr("Created %2 times, last at %1.")
                            .arg(formatTime(*heap.created), formatCount(static_cast<std::int64_t>(heap.creations)))
                      : ui::tr("Created at %1.").arg(formatTime(*heap.created)));
        if (heap.stack.empty()) words << ui::tr("The stack of its creation was not recorded.");
    } else if (heap.origin == HeapOrigin::Malloc) {
        words << ui::tr(
            "Contains all memory allocated by malloc and related functions. This heap was not created explicitly.");
    } else if (heap.origin == HeapOrigin::BeforeTrace) {
        words << ui::tr("It existed before the recording.");
    } else {
        words << ui::tr("Its creation was not recorded.");
    }
    if (heap.destroyed) words << ui::tr("Destroyed at %1.").arg(formatTime(*heap.destroyed));
    if (heap.slack)
        words << ui::tr("%2 of %1 committed in its ranges are live; %3 are slack.")
                     .arg(sizeText(*heap.committed), sizeText(heap.liveInRanges), sizeText(*heap.slack));
    else
        words << toQString(analysis::unknownSlackText(heap.gap));
    return words.join(QLatin1Char(' '));
}

void HeapTableModel::setAnswer(std::shared_ptr<const HeapAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

std::span<const HeapFacts> HeapTableModel::heaps() const {
    return answer_ ? std::span(answer_->found.heaps) : std::span<const HeapFacts>();
}

const HeapFacts* HeapTableModel::heap(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &heaps()[static_cast<std::size_t>(row)];
}

std::optional<int> HeapTableModel::rowOf(const analysis::KeyPath& path) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (heap(row)->path == path) return row;
    }
    return std::nullopt;
}

const HeapTableModel::Columns& HeapTableModel::columns() const {
    static const Columns kAll{
        {ui::tr("Process"), QString(), Qt::AlignLeft, [](const HeapFacts& heap) { return lineText(heap.process); }},
        {ui::tr("Handle"), QString(), Qt::AlignLeft, [](const HeapFacts& heap) { return handleText(heap.handle); },
         numberOf<&HeapFacts::handle>},
        {ui::tr("Created By"), ui::tr("The function that created the heap, if its creation was recorded."),
         Qt::AlignLeft, [](const HeapFacts& heap) { return lineText(analysis::creatorText(heap)); }},
        {ui::tr("Live"), ui::tr("Bytes in blocks that are outstanding at the end of the interval."), Qt::AlignRight,
         sizeOf<&HeapFacts::bytes>, numberOf<&HeapFacts::bytes>},
        {ui::tr("Blocks"), ui::tr("Blocks that are outstanding at the end of the interval."), Qt::AlignRight,
         [](const HeapFacts& heap) { return formatCount(static_cast<std::int64_t>(heap.count)); },
         numberOf<&HeapFacts::count>},
        {ui::tr("Growth"), ui::tr("Growth of the live bytes over the interval."), Qt::AlignRight,
         [](const HeapFacts& heap) { return formatByteDelta(heap.growth); }, numberOf<&HeapFacts::growth>},
        {ui::tr("Slope"), ui::tr("Growth rate, without the effect of single jumps: the median of all slopes."),
         Qt::AlignRight, [](const HeapFacts& heap) { return speedText(heap.bytesPerSecond); },
         [](const HeapFacts& heap) { return sortNumber(heap.bytesPerSecond.value_or(0)); }},
        {ui::tr("Peak"), ui::tr("The highest outstanding amount at any instant of the interval."), Qt::AlignRight,
         sizeOf<&HeapFacts::peak>, numberOf<&HeapFacts::peak>},
        {ui::tr("Slack"),
         ui::tr("Committed bytes in the ranges of the heap that do not belong to live blocks. Empty: unknown."),
         Qt::AlignRight, sizeOf<&HeapFacts::slack>, knownOf<&HeapFacts::slack>},
        {ui::tr("Committed"), ui::tr("Pages that VirtualAlloc committed in the ranges of the heap. Empty: unknown."),
         Qt::AlignRight, sizeOf<&HeapFacts::committed>, knownOf<&HeapFacts::committed>},
        {ui::tr("Reserved"), ui::tr("Address space of the heap, if its ranges were recorded. Empty: unknown."),
         Qt::AlignRight, sizeOf<&HeapFacts::reserved>, knownOf<&HeapFacts::reserved>},
        {ui::tr("Created"), QString(), Qt::AlignRight, timeOf<&HeapFacts::created>,
         [](const HeapFacts& heap) { return sortNumber(heap.created.value_or(kBeforeTrace).ns); }},
        {ui::tr("Destroyed"), QString(), Qt::AlignRight, timeOf<&HeapFacts::destroyed>,
         [](const HeapFacts& heap) { return sortNumber(heap.destroyed.value_or(kNever).ns); }},
    };
    return kAll;
}

QString HeapTableModel::toolTip(const HeapFacts& heap, int column) const {
    return column == kProcess || column == kCreator ? RowTableModel::toolTip(heap, column) : heapSentence(heap);
}

} // namespace highwater::ui

#include "moc_heap_table_model.cpp"

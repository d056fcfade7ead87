#include "ui/model/heap_table_model.h"

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

bool isHeapNumber(int column) {
    return column != HeapTableModel::kHandle && column != HeapTableModel::kCreator &&
           column != HeapTableModel::kProcess;
}

QString speedText(const std::optional<std::int64_t>& bytesPerSecond) {
    if (!bytesPerSecond || *bytesPerSecond == 0) return {};
    return ui::tr("%1/s").arg(formatByteDelta(*bytesPerSecond));
}

/// Before all numbers, where there is none.
QVariant orLeast(const std::optional<ByteCount>& bytes) {
    return bytes ? static_cast<double>(*bytes) : -std::numeric_limits<double>::max();
}

QString cellText(const HeapFacts& heap, int column) {
    switch (column) {
    case HeapTableModel::kHandle:
        return handleText(heap.handle);
    case HeapTableModel::kCreator:
        return lineText(analysis::creatorText(heap));
    case HeapTableModel::kLive:
        return sizeText(heap.bytes);
    case HeapTableModel::kBlocks:
        return formatCount(static_cast<std::int64_t>(heap.count));
    case HeapTableModel::kGrowth:
        return formatByteDelta(heap.growth);
    case HeapTableModel::kSlope:
        return speedText(heap.bytesPerSecond);
    case HeapTableModel::kPeak:
        return sizeText(heap.peak);
    case HeapTableModel::kSlack:
        return sizeText(heap.slack);
    case HeapTableModel::kCommitted:
        return sizeText(heap.committed);
    case HeapTableModel::kReserved:
        return sizeText(heap.reserved);
    case HeapTableModel::kCreated:
        return heap.created ? formatTime(*heap.created) : QString();
    case HeapTableModel::kDestroyed:
        return heap.destroyed ? formatTime(*heap.destroyed) : QString();
    default:
        return lineText(heap.process);
    }
}

QVariant sortOf(const HeapFacts& heap, int column) {
    switch (column) {
    case HeapTableModel::kHandle:
        return static_cast<qulonglong>(heap.handle);
    case HeapTableModel::kLive:
        return static_cast<qulonglong>(heap.bytes);
    case HeapTableModel::kBlocks:
        return static_cast<qulonglong>(heap.count);
    case HeapTableModel::kGrowth:
        return static_cast<qlonglong>(heap.growth);
    case HeapTableModel::kSlope:
        return static_cast<qlonglong>(heap.bytesPerSecond.value_or(0));
    case HeapTableModel::kPeak:
        return static_cast<qulonglong>(heap.peak);
    case HeapTableModel::kSlack:
        return orLeast(heap.slack);
    case HeapTableModel::kCommitted:
        return orLeast(heap.committed);
    case HeapTableModel::kReserved:
        return orLeast(heap.reserved);
    case HeapTableModel::kCreated:
        return static_cast<qlonglong>(heap.created.value_or(kBeforeTrace).ns);
    case HeapTableModel::kDestroyed:
        return static_cast<qlonglong>(heap.destroyed.value_or(kNever).ns);
    default:
        return cellText(heap, column);
    }
}

QString titleOf(int section) {
    switch (section) {
    case HeapTableModel::kHandle:
        return ui::tr("Handle");
    case HeapTableModel::kCreator:
        return ui::tr("Created By");
    case HeapTableModel::kLive:
        return ui::tr("Live");
    case HeapTableModel::kBlocks:
        return ui::tr("Blocks");
    case HeapTableModel::kGrowth:
        return ui::tr("Growth");
    case HeapTableModel::kSlope:
        return ui::tr("Slope");
    case HeapTableModel::kPeak:
        return ui::tr("Peak");
    case HeapTableModel::kSlack:
        return ui::tr("Slack");
    case HeapTableModel::kCommitted:
        return ui::tr("Committed");
    case HeapTableModel::kReserved:
        return ui::tr("Reserved");
    case HeapTableModel::kCreated:
        return ui::tr("Created");
    case HeapTableModel::kDestroyed:
        return ui::tr("Destroyed");
    default:
        return ui::tr("Process");
    }
}

QString definitionOf(int section) {
    switch (section) {
    case HeapTableModel::kCreator:
        return ui::tr("The function that made the heap, as far as its creation was recorded.");
    case HeapTableModel::kLive:
        return ui::tr("Bytes in blocks that are outstanding at the end of the interval.");
    case HeapTableModel::kBlocks:
        return ui::tr("Blocks that are outstanding at the end of the interval.");
    case HeapTableModel::kGrowth:
        return ui::tr("What these bytes grew by over the interval.");
    case HeapTableModel::kSlope:
        return ui::tr("How fast they grew: the median of all slopes, which single jumps do not move.");
    case HeapTableModel::kPeak:
        return ui::tr("The most that was outstanding at one instant of the interval.");
    case HeapTableModel::kSlack:
        return ui::tr("Committed bytes in the ranges of the heap that no live block of it has. Empty: not known.");
    case HeapTableModel::kCommitted:
        return ui::tr("Pages that VirtualAlloc committed in the ranges of the heap. Empty: not known.");
    case HeapTableModel::kReserved:
        return ui::tr("Address space of the heap, as far as its ranges were recorded. Empty: not known.");
    default:
        return {};
    }
}

} // namespace

QString heapSentence(const HeapFacts& heap) {
    QStringList words;
    if (heap.origin == HeapOrigin::Recorded) {
        words << (heap.creations > 1
                      ? ui::tr("Created at %1, the last of %2 times.")
                            .arg(formatTime(*heap.created), formatCount(static_cast<std::int64_t>(heap.creations)))
                      : ui::tr("Created at %1.").arg(formatTime(*heap.created)));
        if (heap.stack.empty()) words << ui::tr("No stack of that was recorded.");
    } else if (heap.origin == HeapOrigin::Malloc) {
        words << ui::tr("All that malloc and its like gave to the program: nobody made this heap.");
    } else if (heap.origin == HeapOrigin::BeforeTrace) {
        words << ui::tr("It existed before the recording.");
    } else {
        words << ui::tr("Its creation was not recorded.");
    }
    if (heap.destroyed) words << ui::tr("Destroyed at %1.").arg(formatTime(*heap.destroyed));
    if (heap.slack)
        words << ui::tr("Of %1 committed in its ranges %2 are live: %3 slack.")
                     .arg(sizeText(*heap.committed), sizeText(heap.liveInRanges), sizeText(*heap.slack));
    else
        words << ui::tr("Slack is not known: %1").arg(toQString(analysis::slackGapText(heap.gap)));
    return words.join(QLatin1Char(' '));
}

void HeapTableModel::setAnswer(std::shared_ptr<const HeapAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

const HeapFacts* HeapTableModel::heap(int row) const {
    if (row < 0 || row >= rowCount()) return nullptr;
    return &answer_->list.heaps[static_cast<std::size_t>(row)];
}

std::optional<int> HeapTableModel::rowOf(const analysis::KeyPath& path) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (heap(row)->path == path) return row;
    }
    return std::nullopt;
}

int HeapTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !answer_ ? 0 : static_cast<int>(answer_->list.heaps.size());
}

int HeapTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant HeapTableModel::data(const QModelIndex& index, int role) const {
    const auto* found = index.isValid() ? heap(index.row()) : nullptr;
    if (found == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole:
        return cellText(*found, index.column());
    case Qt::ToolTipRole:
        if (index.column() == kProcess || index.column() == kCreator)
            return tooltipText(cellText(*found, index.column()));
        return tooltipText(heapSentence(*found));
    case Qt::TextAlignmentRole:
        return QVariant((isHeapNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kSortRole:
        return sortOf(*found, index.column());
    default:
        return {};
    }
}

QVariant HeapTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((isHeapNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return tooltipText(definitionOf(section));
    return role == Qt::DisplayRole ? QVariant(titleOf(section)) : QVariant();
}

} // namespace highwater::ui

#include "moc_heap_table_model.cpp"

#include "app/tools/balance/page/balance_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/model/row_table_model.h"
#include "ui/theme/theme_colors.h"

#include <utility>

namespace highwater::ui {
namespace {

using analysis::Balance, analysis::BalancePart, analysis::MemoryLayer;

template <auto kBytes>
QString sizeOf(const BalancePart& part) {
    return formatBytes(static_cast<SignedByteCount>(part.*kBytes));
}
template <auto kBytes>
QVariant sortedSizeOf(const BalancePart& part) {
    return sortNumber(part.*kBytes);
}

/// Name and share depend on the level.
const RowColumns<const BalancePart&>& balanceColumns() {
    static const RowColumns<const BalancePart&> kAll{
        {ui::tr("Process / Layer / Mapping"),
         ui::tr("A process, the layers that add up to its resident memory, and the mappings of each layer.")},
        {ui::tr("Resident"), ui::tr("Memory in RAM (Rss) at the time of the sample."), Qt::AlignRight,
         sizeOf<&BalancePart::resident>, sortedSizeOf<&BalancePart::resident>},
        {ui::tr("% of Rss"), ui::tr("Share of the resident memory of the process."), Qt::AlignRight, nullptr,
         sortedSizeOf<&BalancePart::resident>},
        {ui::tr("Pss"),
         ui::tr("Resident memory, each page divided by the number of processes that share it. Mappings with several "
                "layers are divided by their resident bytes."),
         Qt::AlignRight, sizeOf<&BalancePart::proportional>, sortedSizeOf<&BalancePart::proportional>},
        {ui::tr("Private Dirty"), ui::tr("Resident memory that only this process has and has written to."),
         Qt::AlignRight, sizeOf<&BalancePart::privateDirty>, sortedSizeOf<&BalancePart::privateDirty>},
        {ui::tr("Swap"), ui::tr("Memory that the system has moved to swap space. It is not part of Rss."),
         Qt::AlignRight, sizeOf<&BalancePart::swapped>, sortedSizeOf<&BalancePart::swapped>},
        {ui::tr("Reserved"), ui::tr("Address space of the mappings, in RAM or not."), Qt::AlignRight,
         sizeOf<&BalancePart::reserved>, sortedSizeOf<&BalancePart::reserved>},
    };
    return kAll;
}

QString shareText(ByteCount part, ByteCount whole) {
    if (whole == 0) return {};
    return QString::number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 1);
}

} // namespace

std::size_t colorPlaceOf(MemoryLayer layer) { return static_cast<std::size_t>(layer); }

BalanceModel::Process BalanceModel::processOf(const Balance& balance) {
    Process process{&balance, {}, {}};
    for (const auto layer : analysis::allMemoryLayers()) {
        Layer of;
        of.sum.layer = layer;
        for (const auto& part : balance.parts) {
            if (part.layer != layer) continue;
            of.sum += part;
            of.parts.push_back(&part);
        }
        process.sum += of.sum;
        if (!of.parts.empty()) process.layers.push_back(std::move(of));
    }
    return process;
}

void BalanceModel::setAnswer(std::shared_ptr<const BalanceAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    processes_.clear();
    if (answer_) {
        for (const auto& balance : answer_->found.balances)
            processes_.push_back(processOf(balance));
    }
    endResetModel();
}

void BalanceModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    for (int row = 0; row < rowCount(); ++row) {
        const auto top = index(row, kName);
        if (const auto layers = rowCount(top); layers > 0)
            emit dataChanged(index(0, kName, top), index(layers - 1, kName, top), {Qt::DecorationRole});
    }
}

const BalanceModel::Process* BalanceModel::process(const QModelIndex& index) const {
    return index.isValid() && firstOf(index) < processes_.size() ? &processes_[firstOf(index)] : nullptr;
}

const BalanceModel::Layer* BalanceModel::layer(const QModelIndex& index) const {
    const auto* above = process(index);
    return above == nullptr || levelOf(index) == Level::First ? nullptr : &above->layers[secondOf(index)];
}

const BalancePart& BalanceModel::part(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::First:
        return process(index)->sum;
    case Level::Second:
        return layer(index)->sum;
    case Level::Third:
        break;
    }
    return *layer(index)->parts[static_cast<std::size_t>(index.row())];
}

const Balance* BalanceModel::balance(const QModelIndex& index) const {
    const auto* of = process(index);
    return of == nullptr ? nullptr : of->balance;
}

BalanceModel::RowName BalanceModel::nameOf(const QModelIndex& index) const {
    const auto* of = balance(index);
    if (of == nullptr) return {};
    RowName name{of->name, {}, {}};
    if (const auto* above = layer(index)) name.layer = above->sum.layer;
    if (levelOf(index) == Level::Third) name.mapping = part(index).mapping;
    return name;
}

QModelIndex BalanceModel::indexOf(const RowName& name) const {
    const auto rowIn = [&](const QModelIndex& parent, const RowName& wanted) {
        for (int row = 0; row < rowCount(parent); ++row)
            if (const auto found = index(row, kName, parent); nameOf(found) == wanted) return found;
        return QModelIndex();
    };
    const auto process = rowIn({}, {name.process, {}, {}});
    if (!process.isValid() || !name.layer) return process;
    const auto layer = rowIn(process, {name.process, name.layer, {}});
    return !layer.isValid() || name.mapping.empty() ? layer : rowIn(layer, name);
}

int BalanceModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    if (!parent.isValid()) return static_cast<int>(processes_.size());
    switch (levelOf(parent)) {
    case Level::First:
        return static_cast<int>(process(parent)->layers.size());
    case Level::Second:
        return static_cast<int>(layer(parent)->parts.size());
    case Level::Third:
        break;
    }
    return 0;
}

int BalanceModel::columnCount(const QModelIndex&) const { return kColumns; }

QString BalanceModel::name(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::First:
        return lineText(balance(index)->name);
    case Level::Second:
        return toQString(analysis::layerName(layer(index)->sum.layer));
    case Level::Third:
        break;
    }
    return lineText(part(index).mapping);
}

QVariant BalanceModel::sortValue(const QModelIndex& index) const {
    if (index.column() != kName) return cellDataOf(balanceColumns(), part(index), index.column(), kSortRole, kSortRole);
    if (levelOf(index) == Level::Second) return sortNumber(colorPlaceOf(part(index).layer));
    return name(index);
}

QVariant BalanceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || process(index) == nullptr) return {};
    const auto text = [&] {
        if (index.column() == kName) return name(index);
        if (index.column() == kShare) return shareText(part(index).resident, balance(index)->point.resident);
        return cellTextOf(balanceColumns(), part(index), index.column());
    };
    const bool isLayer = levelOf(index) == Level::Second;
    switch (role) {
    case Qt::DisplayRole:
        return text();
    case Qt::DecorationRole:
        if (!isLayer || index.column() != kName) return {};
        return seriesColor(palette_, colorPlaceOf(layer(index)->sum.layer));
    case Qt::ToolTipRole:
        return tooltipText(isLayer ? toQString(analysis::layerMeaning(layer(index)->sum.layer)) : text());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case kSortRole:
        return sortValue(index);
    default:
        return {};
    }
}

QVariant BalanceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::InitialSortOrderRole) return section == kName ? Qt::AscendingOrder : Qt::DescendingOrder;
    return headerDataOf(balanceColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_balance_model.cpp"

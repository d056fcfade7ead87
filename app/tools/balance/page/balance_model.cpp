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

/// The internal data of an index: nothing for a process, the process for a layer, and process and layer for a mapping.
static_assert(sizeof(quintptr) == 8, "two numbers in one");
quintptr idBelow(std::size_t process) { return process + 1; }
quintptr idBelow(std::size_t process, std::size_t layer) { return (quintptr{layer + 1} << 32) | (process + 1); }

enum class Level { Process, Layer, Mapping };
Level levelOf(const QModelIndex& index) {
    if (index.internalId() == 0) return Level::Process;
    return index.internalId() >> 32 == 0 ? Level::Layer : Level::Mapping;
}
std::size_t processRow(const QModelIndex& index) {
    if (levelOf(index) == Level::Process) return static_cast<std::size_t>(index.row());
    return static_cast<std::size_t>((index.internalId() & 0xFFFFFFFFu) - 1);
}
std::size_t layerRow(const QModelIndex& index) {
    if (levelOf(index) == Level::Layer) return static_cast<std::size_t>(index.row());
    return static_cast<std::size_t>((index.internalId() >> 32) - 1);
}

template <auto kBytes>
QString sizeOf(const BalancePart& part) {
    return formatBytes(static_cast<SignedByteCount>(part.*kBytes));
}

/// Name and share depend on the level.
const RowColumns<const BalancePart&>& balanceColumns() {
    static const RowColumns<const BalancePart&> kAll{
        {ui::tr("Process / Layer / Mapping"),
         ui::tr("A process, the layers that add up to its resident memory, and the mappings of each layer.")},
        {ui::tr("Resident"), ui::tr("Memory in RAM (Rss) at the time of the sample."), Qt::AlignRight,
         sizeOf<&BalancePart::resident>},
        {ui::tr("% of Rss"), ui::tr("Share of the resident memory of the process."), Qt::AlignRight},
        {ui::tr("Pss"),
         ui::tr("Resident memory, each page divided by the number of processes that share it. Mappings with several "
                "layers are divided by their resident bytes."),
         Qt::AlignRight, sizeOf<&BalancePart::proportional>},
        {ui::tr("Private Dirty"), ui::tr("Resident memory that only this process has and has written to."),
         Qt::AlignRight, sizeOf<&BalancePart::privateDirty>},
        {ui::tr("Swap"), ui::tr("Memory that the system has moved to swap space. It is not part of Rss."),
         Qt::AlignRight, sizeOf<&BalancePart::swapped>},
        {ui::tr("Reserved"), ui::tr("Address space of the mappings, in RAM or not."), Qt::AlignRight,
         sizeOf<&BalancePart::reserved>},
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
    return index.isValid() && processRow(index) < processes_.size() ? &processes_[processRow(index)] : nullptr;
}

const BalanceModel::Layer* BalanceModel::layer(const QModelIndex& index) const {
    const auto* above = process(index);
    return above == nullptr || levelOf(index) == Level::Process ? nullptr : &above->layers[layerRow(index)];
}

const BalancePart& BalanceModel::part(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::Process:
        return process(index)->sum;
    case Level::Layer:
        return layer(index)->sum;
    case Level::Mapping:
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
    if (levelOf(index) == Level::Mapping) name.mapping = part(index).mapping;
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

QModelIndex BalanceModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= kColumns) return {};
    if (!parent.isValid()) return createIndex(row, column, quintptr{0});
    if (levelOf(parent) == Level::Process) return createIndex(row, column, idBelow(processRow(parent)));
    return createIndex(row, column, idBelow(processRow(parent), layerRow(parent)));
}

QModelIndex BalanceModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || levelOf(index) == Level::Process) return {};
    const auto process = processRow(index);
    if (levelOf(index) == Level::Layer) return createIndex(static_cast<int>(process), 0, quintptr{0});
    return createIndex(static_cast<int>(layerRow(index)), 0, idBelow(process));
}

int BalanceModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    if (!parent.isValid()) return static_cast<int>(processes_.size());
    switch (levelOf(parent)) {
    case Level::Process:
        return static_cast<int>(process(parent)->layers.size());
    case Level::Layer:
        return static_cast<int>(layer(parent)->parts.size());
    case Level::Mapping:
        break;
    }
    return 0;
}

int BalanceModel::columnCount(const QModelIndex&) const { return kColumns; }

QString BalanceModel::name(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::Process:
        return lineText(balance(index)->name);
    case Level::Layer:
        return toQString(analysis::layerName(layer(index)->sum.layer));
    case Level::Mapping:
        break;
    }
    return lineText(part(index).mapping);
}

QVariant BalanceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || process(index) == nullptr) return {};
    const auto text = [&] {
        if (index.column() == kName) return name(index);
        if (index.column() == kShare) return shareText(part(index).resident, balance(index)->point.resident);
        return cellTextOf(balanceColumns(), part(index), index.column());
    };
    const bool isLayer = levelOf(index) == Level::Layer;
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
    default:
        return {};
    }
}

QVariant BalanceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return headerDataOf(balanceColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_balance_model.cpp"

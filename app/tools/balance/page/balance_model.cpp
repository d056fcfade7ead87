#include "app/tools/balance/page/balance_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/model/row_table_model.h"
#include "ui/theme/theme_colors.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::Balance, analysis::BalancePart, analysis::MemoryLayer, analysis::PartsBy;

/// The numbers of a row.
struct RowSizes {
    const BalancePart& part;
    ByteCount peak;
};

template <auto kBytes>
QString sizeOf(RowSizes row) {
    return formatBytes(static_cast<SignedByteCount>(row.part.*kBytes));
}
template <auto kBytes>
QVariant sortedSizeOf(RowSizes row) {
    return sortNumber(row.part.*kBytes);
}

/// Name and share depend on the level. The title of the name depends on the grouping.
const RowColumns<RowSizes>& balanceColumns() {
    static const RowColumns<RowSizes> kAll{
        {QString(), ui::tr("A process and the uses of its resident memory. The layers add up to Rss, and so do the "
                           "mappings and the modules (the program, its libraries, and other mappings by name).")},
        {ui::tr("Resident"), ui::tr("Memory in RAM (Rss) in this sample."), Qt::AlignRight,
         sizeOf<&BalancePart::resident>, sortedSizeOf<&BalancePart::resident>},
        {ui::tr("% of Rss"), ui::tr("Share of the resident memory of the process."), Qt::AlignRight, nullptr,
         sortedSizeOf<&BalancePart::resident>},
        {ui::tr("Peak"),
         ui::tr("Highest resident memory of this row in any sample of the interval. Rows peak at different times, so "
                "their peaks do not add up."),
         Qt::AlignRight, [](RowSizes row) { return formatBytes(static_cast<SignedByteCount>(row.peak)); },
         [](RowSizes row) { return sortNumber(row.peak); }},
        {ui::tr("Pss"),
         ui::tr("Proportional set size: each page is divided by the number of processes that share it. If a mapping "
                "has several layers, each layer gets a part in proportion to its resident bytes."),
         Qt::AlignRight, sizeOf<&BalancePart::proportional>, sortedSizeOf<&BalancePart::proportional>},
        {ui::tr("Private Dirty"), ui::tr("Resident pages used only by this process and written by it."), Qt::AlignRight,
         sizeOf<&BalancePart::privateDirty>, sortedSizeOf<&BalancePart::privateDirty>},
        {ui::tr("Swap"), ui::tr("Memory that the system has moved to swap space. It is not part of Rss."),
         Qt::AlignRight, sizeOf<&BalancePart::swapped>, sortedSizeOf<&BalancePart::swapped>},
        {ui::tr("Reserved"), ui::tr("Address space of the mappings, in RAM or not."), Qt::AlignRight,
         sizeOf<&BalancePart::reserved>, sortedSizeOf<&BalancePart::reserved>},
    };
    return kAll;
}

/// Parts with a peak that the balance does not have, the highest first. Few, because a process may have had any number.
std::vector<BalancePart> endedParts(const analysis::ResidentPeaks& peaks, PartsBy by,
                                    const std::vector<BalancePart>& present) {
    constexpr std::size_t kMostEnded = 20;
    std::set<std::pair<MemoryLayer, std::string_view>> known;
    for (const auto& part : present)
        known.insert({part.layer, part.name});
    auto peakParts = peaks.parts(by);
    std::erase_if(peakParts, [&](const auto& part) { return known.contains({part.layer, part.name}); });
    const auto isHigher = [](const auto& a, const auto& b) {
        return std::tuple(b.highest, a.layer, a.name) < std::tuple(a.highest, b.layer, b.name);
    };
    const auto shown = std::min(peakParts.size(), kMostEnded);
    std::ranges::partial_sort(peakParts, peakParts.begin() + static_cast<std::ptrdiff_t>(shown), isHigher);
    std::vector<BalancePart> ended;
    for (std::size_t i = 0; i < shown; ++i)
        ended.push_back({.layer = peakParts[i].layer, .name = std::string(peakParts[i].name)});
    return ended;
}

QString shareText(ByteCount part, ByteCount whole) {
    if (whole == 0) return {};
    return QString::number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 'f', 1);
}

const analysis::ResidentPeaks* peaksOf(const BalanceAnswer& answer, ProcessIndex process) {
    const auto found = std::ranges::find(*answer.found.courses, process, &analysis::BalanceCourse::process);
    return found == answer.found.courses->end() ? nullptr : found->peaks.get();
}

} // namespace

std::size_t colorPlaceOf(MemoryLayer layer) { return static_cast<std::size_t>(layer); }

QString groupingText(const BalanceGrouping& grouping, const QString& between) {
    QStringList keys{ui::tr("Layer"), grouping.by == PartsBy::Module ? ui::tr("Module") : ui::tr("Mapping")};
    if (grouping.order == BalanceGrouping::Order::LayersBelow) keys.swapItemsAt(0, 1);
    return keys.join(between);
}

/// The parts are in the order of their size.
BalanceModel::Process BalanceModel::processOf(const Balance& balance) const {
    Process process{&balance, peaksOf(*answer_, balance.process), {}, {}, {}};
    const bool isLayersFirst = grouping_.order == BalanceGrouping::Order::LayersFirst;
    std::map<std::pair<MemoryLayer, std::string_view>, Group> groups; // by layer or by name
    const auto add = [&](const BalancePart& part) {
        auto& group = isLayersFirst ? groups[{part.layer, {}}] : groups[{MemoryLayer::Live, part.name}];
        group.sum += part;
        isLayersFirst ? void(group.sum.layer = part.layer) : void(group.sum.name = part.name);
        group.parts.push_back(&part);
        process.sum += part;
    };
    const auto& parts = grouping_.by == PartsBy::Module ? balance.modules : balance.parts;
    std::ranges::for_each(parts, add);
    if (process.peaks != nullptr) {
        process.ended = endedParts(*process.peaks, grouping_.by, parts);
        std::ranges::for_each(process.ended, add);
        for (const auto layer : analysis::allMemoryLayers())
            if (isLayersFirst && process.peaks->of(layer) > 0) groups[{layer, {}}].sum.layer = layer;
    }
    for (auto& [key, group] : groups)
        process.groups.push_back(std::move(group));
    if (isLayersFirst) return process;
    std::ranges::stable_sort(process.groups, std::ranges::greater(), [](const Group& group) {
        return std::tuple(group.sum.resident, group.sum.swapped, group.sum.reserved);
    });
    for (auto& group : process.groups)
        std::ranges::sort(group.parts, {}, &BalancePart::layer);
    return process;
}

void BalanceModel::rebuild() {
    processes_.clear();
    if (!answer_) return;
    for (const auto& balance : answer_->found.balances)
        processes_.push_back(processOf(balance));
}

void BalanceModel::setAnswer(std::shared_ptr<const BalanceAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    rebuild();
    endResetModel();
}

void BalanceModel::setGrouping(const BalanceGrouping& grouping) {
    beginResetModel();
    grouping_ = grouping;
    rebuild();
    endResetModel();
}

void BalanceModel::setPalette(const QPalette& palette) {
    palette_ = palette;
    const auto repaint = [this](const QModelIndex& parent) {
        const auto rows = rowCount(parent);
        if (rows > 0)
            emit dataChanged(index(0, kName, parent), index(rows - 1, kColumns - 1, parent), {Qt::DecorationRole});
        return rows;
    };
    for (int row = 0; row < repaint({}); ++row) {
        const auto top = index(row, kName);
        for (int below = 0; below < repaint(top); ++below)
            repaint(index(below, kName, top));
    }
}

bool BalanceModel::isLayerLevel(Level level) const {
    return level == (grouping_.order == BalanceGrouping::Order::LayersFirst ? Level::Second : Level::Third);
}

const BalanceModel::Process* BalanceModel::process(const QModelIndex& index) const {
    return index.isValid() && firstOf(index) < processes_.size() ? &processes_[firstOf(index)] : nullptr;
}

const BalanceModel::Group* BalanceModel::group(const QModelIndex& index) const {
    const auto* above = process(index);
    return above == nullptr || levelOf(index) == Level::First ? nullptr : &above->groups[secondOf(index)];
}

const BalancePart& BalanceModel::part(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::First:
        return process(index)->sum;
    case Level::Second:
        return group(index)->sum;
    case Level::Third:
        break;
    }
    return *group(index)->parts[static_cast<std::size_t>(index.row())];
}

ByteCount BalanceModel::peak(const QModelIndex& index) const {
    const auto* peaks = process(index)->peaks;
    if (peaks == nullptr) return 0;
    const auto row = nameOf(index);
    if (!row.part.empty()) return peaks->of(grouping_.by, row.part, row.layer);
    return row.layer ? peaks->of(*row.layer) : peaks->ofProcess();
}

const Balance* BalanceModel::balance(const QModelIndex& index) const {
    const auto* of = process(index);
    return of == nullptr ? nullptr : of->balance;
}

BalanceModel::RowName BalanceModel::nameOf(const QModelIndex& index) const {
    const auto* of = balance(index);
    if (of == nullptr) return {};
    const auto level = levelOf(index);
    RowName name{of->name, {}, {}};
    if (isLayerLevel(level) || level == Level::Third) name.layer = part(index).layer;
    if (level != Level::First) name.part = part(index).name;
    return name;
}

QModelIndex BalanceModel::indexOf(const RowName& name) const {
    const auto rowIn = [&](const QModelIndex& parent, const RowName& wanted) {
        for (int row = 0; row < rowCount(parent); ++row)
            if (const auto found = index(row, kName, parent); nameOf(found) == wanted) return found;
        return QModelIndex();
    };
    const auto process = rowIn({}, {name.process, {}, {}});
    if (!process.isValid() || (!name.layer && name.part.empty())) return process;
    auto above = name;
    isLayerLevel(Level::Second) ? above.part.clear() : above.layer.reset();
    if (!above.layer && above.part.empty()) return {};
    const auto group = rowIn(process, above);
    return !group.isValid() || above == name ? group : rowIn(group, name);
}

int BalanceModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) return 0;
    if (!parent.isValid()) return static_cast<int>(processes_.size());
    switch (levelOf(parent)) {
    case Level::First:
        return static_cast<int>(process(parent)->groups.size());
    case Level::Second:
        return static_cast<int>(group(parent)->parts.size());
    case Level::Third:
        break;
    }
    return 0;
}

int BalanceModel::columnCount(const QModelIndex&) const { return kColumns; }

QString BalanceModel::name(const QModelIndex& index) const {
    const auto level = levelOf(index);
    if (level == Level::First) return lineText(balance(index)->name);
    return isLayerLevel(level) ? toQString(analysis::layerName(part(index).layer)) : lineText(part(index).name);
}

QString BalanceModel::text(const QModelIndex& index) const {
    switch (index.column()) {
    case kName:
        return name(index);
    case kShare:
        return shareText(part(index).resident, balance(index)->point.resident);
    case kPeak:
        if (process(index)->peaks == nullptr) return {};
        break;
    default:
        break;
    }
    return cellTextOf(balanceColumns(), {part(index), peak(index)}, index.column());
}

QVariant BalanceModel::sortValue(const QModelIndex& index) const {
    if (index.column() != kName)
        return cellDataOf(balanceColumns(), {part(index), peak(index)}, index.column(), kSortRole, kSortRole);
    if (isLayerLevel(levelOf(index))) return sortNumber(colorPlaceOf(part(index).layer));
    return name(index);
}

QVariant BalanceModel::color(const QModelIndex& index) const {
    const bool isOfProcess = levelOf(index) == Level::First;
    if (isOfProcess && index.column() == kSwapped && part(index).swapped > 0)
        return palette_.color(QPalette::PlaceholderText); // ChartColor::Quiet
    if (!isLayerLevel(levelOf(index)) || index.column() != kName) return {};
    return seriesColor(palette_, colorPlaceOf(part(index).layer));
}

QVariant BalanceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || process(index) == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index);
    case Qt::DecorationRole:
        return color(index);
    case Qt::ToolTipRole:
        return tooltipText(isLayerLevel(levelOf(index)) ? toQString(analysis::layerMeaning(part(index).layer))
                                                        : text(index));
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
    if (role == Qt::DisplayRole && orientation == Qt::Horizontal && section == kName)
        return ui::tr("Process / %1").arg(groupingText(grouping_, QStringLiteral(" / ")));
    return headerDataOf(balanceColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_balance_model.cpp"

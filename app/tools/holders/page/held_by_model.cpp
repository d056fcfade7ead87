#include "app/tools/holders/page/held_by_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/model/row_table_model.h"

#include <QFont>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace highwater::ui {
namespace {

using analysis::BlockSum, analysis::HeldBy, analysis::HeldNode, analysis::RootHolder;

/// The numbers of a row. Null: the row has none of them.
struct HeldCells {
    BlockSum all;
    const BlockSum* own = nullptr;
    const RootHolder* root = nullptr;
    std::optional<std::uint64_t> uncertain = {}; ///< blocks; of reachable rows below a process
    std::optional<BlockSum> before = {};
};

/// Rows without a change sort before all others.
constexpr auto kLeastChange = std::numeric_limits<std::int64_t>::min();

std::int64_t bytesChange(const HeldCells& cells) {
    return static_cast<std::int64_t>(cells.all.bytes - cells.before->bytes);
}
std::int64_t countChange(const HeldCells& cells) {
    return static_cast<std::int64_t>(cells.all.count - cells.before->count);
}

QString bytesOf(ByteCount bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }
QString countOf(std::uint64_t count) { return formatCount(static_cast<std::int64_t>(count)); }
QString countDelta(std::int64_t change) { return (change > 0 ? QStringLiteral("+") : QString()) + formatCount(change); }

QString kindOf(const RootHolder& root) {
    if (!root.kind) return ui::tr("Unreachable");
    switch (*root.kind) {
    case RootKind::Variable:
        return ui::tr("Variable");
    case RootKind::ThreadLocal:
        return ui::tr("Thread-local");
    case RootKind::Stack:
        return ui::tr("Stack");
    case RootKind::Register:
        return ui::tr("Registers");
    case RootKind::Mapping:
        break;
    }
    return ui::tr("Mapping");
}

QString certaintyOf(HeldCells cells) {
    if (!cells.uncertain) return {};
    if (*cells.uncertain == 0) return ui::tr("Yes");
    return *cells.uncertain == cells.all.count ? ui::tr("No") : ui::tr("Partly");
}

/// Rows without the number sort before all others.
QVariant sortedBytes(const BlockSum* sum) { return sum == nullptr ? QVariant(-1.0) : QVariant(double(sum->bytes)); }

const RowColumns<HeldCells>& heldColumns() {
    static const RowColumns<HeldCells> kAll{
        {ui::tr("Process / Holder / Owner"),
         ui::tr("A process; the variables, stacks and mappings that hold its heap blocks; and the functions that "
                "allocated the blocks on the path from a holder to the others. A block is listed below the holder from "
                "which the shortest path of pointers leads to it.")},
        {ui::tr("Kind"), ui::tr("The kind of memory that holds the blocks."), Qt::AlignLeft,
         [](HeldCells cells) { return cells.root == nullptr ? QString() : kindOf(*cells.root); }},
        {ui::tr("Certain"),
         ui::tr(
             "Yes: the blocks are reached by pointers to the start of blocks. No: only by pointers into the middle of "
             "a block, or by values that may not be pointers. Partly: some of the blocks are certain."),
         Qt::AlignLeft, certaintyOf},
        {ui::tr("Retained"),
         ui::tr(
             "Bytes of all blocks that would become unreachable without this holder, regardless of the filter. Blocks "
             "that another holder also refers to are not included."),
         Qt::AlignRight,
         [](HeldCells cells) { return cells.root == nullptr ? QString() : bytesOf(cells.root->retained); },
         [](HeldCells cells) { return QVariant(cells.root == nullptr ? -1.0 : double(cells.root->retained)); }},
        {ui::tr("Size"), ui::tr("Bytes of the blocks of this row and of the rows below it."), Qt::AlignRight,
         [](HeldCells cells) { return bytesOf(cells.all.bytes); },
         [](HeldCells cells) { return sortNumber(cells.all.bytes); }},
        {ui::tr("Count"), ui::tr("The number of these blocks."), Qt::AlignRight,
         [](HeldCells cells) { return countOf(cells.all.count); },
         [](HeldCells cells) { return sortNumber(cells.all.count); }},
        {ui::tr("Delta"), ui::tr("Size minus the size in the picture that this one is compared with."), Qt::AlignRight,
         [](HeldCells cells) { return cells.before ? formatByteDelta(bytesChange(cells)) : QString(); },
         [](HeldCells cells) { return sortNumber(cells.before ? bytesChange(cells) : kLeastChange); }},
        {ui::tr("Count Delta"), ui::tr("Count minus the count in the picture that this one is compared with."),
         Qt::AlignRight, [](HeldCells cells) { return cells.before ? countDelta(countChange(cells)) : QString(); },
         [](HeldCells cells) { return sortNumber(cells.before ? countChange(cells) : kLeastChange); }},
        {ui::tr("Own Size"), ui::tr("Bytes of the blocks of this row, without the rows below it."), Qt::AlignRight,
         [](HeldCells cells) { return cells.own == nullptr ? QString() : bytesOf(cells.own->bytes); },
         [](HeldCells cells) { return sortedBytes(cells.own); }},
        {ui::tr("Own Count"), ui::tr("The number of these blocks."), Qt::AlignRight,
         [](HeldCells cells) { return cells.own == nullptr ? QString() : countOf(cells.own->count); },
         [](HeldCells cells) { return QVariant(cells.own == nullptr ? -1.0 : double(cells.own->count)); }},
    };
    return kAll;
}

HeldCells cellsOf(const HeldByPageFound& found, std::size_t number) {
    const auto& row = found.rows[number];
    const auto& process = found.processes[row.process];
    HeldCells cells;
    if (!found.before.empty()) cells.before = found.before[number];
    if (row.node == HeldRow::kNone) {
        cells.all = totalOf(process);
        return cells;
    }
    const auto& node = process.nodes[row.node];
    cells.all = node.all;
    const bool isRoot = row.holder != HeldRow::kNone;
    // Blocks are never at a root itself.
    if (isRoot)
        cells.root = &process.holders[row.holder];
    else
        cells.own = &node.own;
    if (row.isReachable) cells.uncertain = node.uncertain;
    return cells;
}

} // namespace

void HeldByModel::setAnswer(std::shared_ptr<const HeldByAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    const auto isProcess = [](const HeldRow& row) { return row.parent == HeldRow::kNone; };
    processes_ = answer_ ? static_cast<int>(std::ranges::count_if(answer_->found.rows, isProcess)) : 0;
    endResetModel();
}

const HeldBy* HeldByModel::process(const QModelIndex& index) const {
    return index.isValid() && answer_ ? &answer_->found.processes[row(index).process] : nullptr;
}

std::size_t HeldByModel::processRow(QModelIndex index) const {
    while (index.parent().isValid())
        index = index.parent();
    return index.internalId();
}

std::string HeldByModel::text(const HeldRow& row) const {
    const auto& process = answer_->found.processes[row.process];
    return row.node == HeldRow::kNone ? process.name : process.nodes[row.node].title();
}

HeldByModel::RowName HeldByModel::nameOf(const QModelIndex& index) const {
    RowName name;
    for (auto at = index; at.isValid(); at = at.parent())
        name.insert(name.begin(), text(row(at)));
    return name;
}

QModelIndex HeldByModel::nearestTo(const RowName& name) const {
    QModelIndex at;
    for (const auto& wanted : name) {
        QModelIndex found;
        for (int i = 0; i < rowCount(at) && !found.isValid(); ++i)
            if (const auto below = index(i, 0, at); text(row(below)) == wanted) found = below;
        if (!found.isValid()) break;
        at = found;
    }
    return at;
}

QModelIndex HeldByModel::heaviestBelow(const QModelIndex& index) const {
    QModelIndex heaviest;
    ByteCount most = 0;
    for (int i = 0; i < rowCount(index); ++i) {
        const auto below = this->index(i, 0, index);
        const auto bytes = process(below)->nodes[row(below).node].all.bytes;
        if (heaviest.isValid() && bytes <= most) continue;
        heaviest = below;
        most = bytes;
    }
    return heaviest;
}

std::vector<analysis::KeyPath> HeldByModel::rowsOf(const QModelIndex& index) const {
    const auto* of = process(index);
    if (of == nullptr) return {};
    if (row(index).node != HeldRow::kNone) return analysis::rowsOf(*of, row(index).node);
    return {{{analysis::Column::Process, of->process.value}}};
}

QModelIndex HeldByModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const auto first = parent.isValid() ? this->row(parent).firstChild : 0;
    return createIndex(row, column, quintptr{first + static_cast<std::uint32_t>(row)});
}

QModelIndex HeldByModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || row(index).parent == HeldRow::kNone) return {};
    const auto parent = row(index).parent;
    const auto& above = answer_->found.rows[parent];
    const auto first = above.parent == HeldRow::kNone ? 0 : answer_->found.rows[above.parent].firstChild;
    return createIndex(static_cast<int>(parent - first), 0, quintptr{parent});
}

int HeldByModel::rowCount(const QModelIndex& parent) const {
    if (!answer_ || parent.column() > 0) return 0;
    return parent.isValid() ? static_cast<int>(row(parent).children) : processes_;
}

int HeldByModel::columnCount(const QModelIndex&) const { return kColumns; }

QString HeldByModel::tip(const QModelIndex& index) const {
    const auto& of = row(index);
    const auto shown = cellTextOf(heldColumns(), cellsOf(answer_->found, index.internalId()), index.column());
    if (index.column() != kName) return shown;
    const auto name = toQString(text(of));
    if (of.holder == HeldRow::kNone) return name;
    const auto& holder = process(index)->holders[of.holder];
    if (!holder.kind)
        return ui::tr(
                   "%1\nNo variable, stack or other memory of the program refers to these blocks, except blocks that "
                   "are unreachable themselves. The program can no longer free them, so they are leaks.")
            .arg(name);
    const auto address = process(index)->picture->roots[of.node].address;
    return address == 0 ? name : ui::tr("%1\nAt 0x%2").arg(name).arg(address, 0, 16);
}

QVariant HeldByModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    const auto& of = row(index);
    if (role == Qt::ToolTipRole) return tooltipText(tip(index));
    // Leaks must not be overlooked between variables.
    if (role == Qt::FontRole && of.holder != HeldRow::kNone && !of.isReachable) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (index.column() == kName && role == Qt::DisplayRole) return lineText(text(of));
    if (index.column() == kName && role == kSortRole) return toQString(text(of));
    return cellDataOf(heldColumns(), cellsOf(answer_->found, index.internalId()), index.column(), role, kSortRole);
}

QVariant HeldByModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return headerDataOf(heldColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_held_by_model.cpp"

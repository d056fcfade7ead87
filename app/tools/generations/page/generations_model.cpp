#include "app/tools/generations/page/generations_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/model/row_table_model.h"

namespace highwater::ui {
namespace {

using analysis::Generation, analysis::GenerationNumbers, analysis::GenerationStack;

bool hasMore(const Generation& generation) { return generation.stackCount > generation.stacks.size(); }

/// Only for numbers; other cells depend on the level.
const RowColumns<const GenerationNumbers&>& generationColumns() {
    static const RowColumns<const GenerationNumbers&> kAll{
        {ui::tr("Mark"),
         ui::tr("The mark, or the end of the interval. Below it are the stacks that keep memory allocated since the "
                "previous mark, by owner: the first function outside allocators, runtimes and containers.")},
        {ui::tr("Time"), QString(), Qt::AlignRight},
        {ui::tr("Growth"), ui::tr("Outstanding Size at this mark minus that at the previous mark."), Qt::AlignRight,
         [](const GenerationNumbers& numbers) { return formatByteDelta(numbers.growth); }},
        {ui::tr("# Persistent"),
         ui::tr("Allocations made since the previous mark that are outstanding at the end of the interval."),
         Qt::AlignRight,
         [](const GenerationNumbers& numbers) {
             return formatCount(static_cast<std::int64_t>(numbers.persistentCount));
         }},
        {ui::tr("Persistent"), ui::tr("Outstanding size of these allocations at the end of the interval."),
         Qt::AlignRight,
         [](const GenerationNumbers& numbers) {
             return formatBytes(static_cast<SignedByteCount>(numbers.persistentBytes));
         }},
        {ui::tr("Generation"),
         ui::tr("Value of the Generation column in tables for memory allocated since the previous mark.")},
        {ui::tr("Process")},
    };
    return kAll;
}

} // namespace

void GenerationsModel::setAnswer(std::shared_ptr<const GenerationsAnswer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

const Generation& GenerationsModel::at(std::size_t generation) const { return answer_->found.generations[generation]; }

const Generation* GenerationsModel::generation(const QModelIndex& index) const {
    return index.isValid() && answer_ ? &at(firstOf(index)) : nullptr;
}

const GenerationStack* GenerationsModel::stack(const QModelIndex& index) const {
    const auto* above = generation(index);
    if (above == nullptr || levelOf(index) == Level::First || secondOf(index) >= above->stacks.size()) return nullptr;
    return &above->stacks[secondOf(index)];
}

analysis::KeyPath GenerationsModel::path(const QModelIndex& index) const {
    const auto* of = generation(index);
    if (of == nullptr) return {};
    analysis::KeyPath path;
    if (levelOf(index) != Level::First) {
        const auto* own = stack(index);
        if (own == nullptr) return {};
        path = own->path;
    }
    // Added after the frames, so that the path covers the whole stack.
    path.push_back({analysis::Column::Generation, of->key});
    return path;
}

QModelIndex GenerationsModel::indexOf(const analysis::KeyPath& path) const {
    for (int mark = 0; mark < rowCount() && !path.empty(); ++mark) {
        const auto top = index(mark, 0);
        if (generation(top)->key != path.back().key) continue;
        if (path.size() == 1) return top;
        for (int row = 0; row < rowCount(top); ++row) {
            const auto below = index(row, 0, top);
            if (this->path(below) == path) return below;
        }
    }
    return {};
}

int GenerationsModel::rowCount(const QModelIndex& parent) const {
    if (!answer_ || parent.column() > 0) return 0;
    if (!parent.isValid()) return static_cast<int>(answer_->found.generations.size());
    if (levelOf(parent) == Level::Third) return 0;
    if (levelOf(parent) == Level::Second) {
        const auto* of = stack(parent);
        return of == nullptr ? 0 : static_cast<int>(of->stack.size());
    }
    const auto& of = at(firstOf(parent));
    return static_cast<int>(of.stacks.size()) + (hasMore(of) ? 1 : 0);
}

int GenerationsModel::columnCount(const QModelIndex&) const { return kColumns; }

QString GenerationsModel::name(const QModelIndex& index) const {
    const auto& of = at(firstOf(index));
    if (levelOf(index) == Level::First) return of.ticks ? lineText(of.mark) : tr("(end of the interval)");
    const auto* own = stack(index);
    if (own == nullptr)
        return tr("(%1 more)").arg(formatCount(static_cast<std::int64_t>(of.stackCount - of.stacks.size())));
    return lineText(levelOf(index) == Level::Second ? own->owner : own->stack[static_cast<std::size_t>(index.row())]);
}

QString GenerationsModel::text(const QModelIndex& index) const {
    const auto column = index.column();
    if (column == kName) return name(index);
    const auto& of = at(firstOf(index));
    const auto* own = stack(index);
    switch (levelOf(index)) {
    case Level::First:
        if (column == kTime) return formatTime(of.end);
        return column == kGeneration ? lineText(of.text) : cellTextOf(generationColumns(), of.numbers, column);
    case Level::Second:
        if (column == kProcess && own != nullptr) return lineText(own->process);
        return cellTextOf(generationColumns(), own == nullptr ? of.others : own->numbers, column);
    case Level::Third:
        break;
    }
    return {};
}

QVariant GenerationsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !answer_) return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index);
    case Qt::EditRole:
        return flags(index).testFlag(Qt::ItemIsEditable) ? QVariant(toQString(generation(index)->mark)) : QVariant();
    case Qt::ToolTipRole:
        return tooltipText(text(index));
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    default:
        return {};
    }
}

bool GenerationsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const auto name = value.toString().trimmed();
    if (role != Qt::EditRole || name.isEmpty() || !flags(index).testFlag(Qt::ItemIsEditable)) return false;
    emit renameWanted(*generation(index)->ticks, name);
    return true;
}

Qt::ItemFlags GenerationsModel::flags(const QModelIndex& index) const {
    const auto flags = QAbstractItemModel::flags(index);
    const bool isNamed = index.isValid() && answer_ && index.column() == kName && levelOf(index) == Level::First &&
                         generation(index)->ticks.has_value();
    return isNamed ? flags | Qt::ItemIsEditable : flags;
}

QVariant GenerationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return headerDataOf(generationColumns(), section, orientation, role);
}

} // namespace highwater::ui

#include "moc_generations_model.cpp"

#include "ui/model/module_table_model.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/symbol_format.h"

#include <algorithm>

namespace highwater::ui {
namespace {

using symbols::ModuleLoad;

bool isSamePlace(const symbols::TriedPlace& a, const symbols::TriedPlace& b) {
    return a.place == b.place && a.outcome == b.outcome;
}

/// What the row shows, and the places tried: after a retry, the same ones may have had another outcome.
bool looksLike(const ModuleLoad& a, const ModuleLoad& b) {
    return a.state == b.state && a.frames == b.frames && a.bytes == b.bytes && a.isFromCache == b.isFromCache &&
           a.hasPrivateSymbols == b.hasPrivateSymbols && a.bytesDone == b.bytesDone && a.bytesTotal == b.bytesTotal &&
           a.path == b.path && std::equal(a.tried.begin(), a.tried.end(), b.tried.begin(), b.tried.end(), isSamePlace);
}

} // namespace

void ModuleTableModel::clear() {
    beginResetModel();
    loads_.clear();
    rows_.clear();
    processes_.reset();
    endResetModel();
}

std::optional<int> ModuleTableModel::rowOf(store::ModuleIndex module) const {
    return module.value < rows_.size() ? rows_[module.value] : std::nullopt;
}

void ModuleTableModel::setStatus(const symbols::SymbolLoadStatus& status,
                                 std::shared_ptr<const store::ProcessTable> processes) {
    const bool isOtherTrace = processes_ && processes && processes->modules().size() < processes_->modules().size();
    if (isOtherTrace) clear();
    processes_ = std::move(processes);
    removeMissing(status);
    std::vector<const ModuleLoad*> fresh;
    for (const auto& load : status.modules) {
        if (const auto row = rowOf(load.module))
            update(*row, load);
        else
            fresh.push_back(&load);
    }
    if (fresh.empty()) return;
    const auto first = static_cast<int>(loads_.size());
    beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
    for (const auto* load : fresh) {
        if (rows_.size() <= load->module.value) rows_.resize(load->module.value + std::size_t{1});
        rows_[load->module.value] = static_cast<int>(loads_.size());
        loads_.push_back(*load);
    }
    endInsertRows();
}

void ModuleTableModel::removeMissing(const symbols::SymbolLoadStatus& status) {
    std::vector<bool> isThere(rows_.size());
    for (const auto& load : status.modules) {
        if (load.module.value < isThere.size()) isThere[load.module.value] = true;
    }
    for (auto row = static_cast<int>(loads_.size()); row-- > 0;) {
        if (isThere[load(row).module.value]) continue;
        beginRemoveRows({}, row, row);
        rows_[load(row).module.value].reset();
        loads_.erase(loads_.begin() + row);
        for (auto& other : rows_) {
            if (other && *other > row) --*other;
        }
        endRemoveRows();
    }
}

void ModuleTableModel::update(int row, const ModuleLoad& load) {
    auto& known = loads_[static_cast<std::size_t>(row)];
    if (looksLike(known, load)) return;
    known = load;
    emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

int ModuleTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(loads_.size());
}

int ModuleTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

const store::Module* ModuleTableModel::moduleOf(int row) const {
    const auto index = load(row).module;
    return processes_ && index.value < processes_->modules().size() ? &processes_->module(index) : nullptr;
}

QString ModuleTableModel::text(int row, int column) const {
    const auto* module = moduleOf(row);
    switch (column) {
    case kModule:
        return module ? lineText(module->name) : QString();
    case kState:
        return moduleState(load(row));
    case kFrames:
        return formatCount(static_cast<std::int64_t>(load(row).frames));
    case kBytes:
        return formatBytes(static_cast<std::int64_t>(load(row).bytes));
    case kIdentity:
        return module ? moduleIdentity(module->identity) : QString();
    case kPath:
        return module ? visibleText(processes_->dosPath(module->path)) : QString();
    default:
        return {};
    }
}

QVariant ModuleTableModel::sortValue(int row, int column) const {
    if (column == kFrames) return static_cast<qulonglong>(load(row).frames);
    if (column == kBytes) return static_cast<qulonglong>(load(row).bytes);
    return text(row, column);
}

QVariant ModuleTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const bool isNumber = index.column() == kFrames || index.column() == kBytes;
    switch (role) {
    case Qt::DisplayRole:
        return lineText(text(index.row(), index.column()));
    case Qt::ToolTipRole:
        if (index.column() == kBytes)
            return tr("%1 in rows whose stacks pass through the module")
                .arg(formatExactBytes(static_cast<std::int64_t>(load(index.row()).bytes)));
        return tooltipText(text(index.row(), index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft)));
    case kSortRole:
        return sortValue(index.row(), index.column());
    default:
        return {};
    }
}

QVariant ModuleTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    static const char* const kTitles[] = {QT_TR_NOOP("Module"), QT_TR_NOOP("State"),    QT_TR_NOOP("Frames"),
                                          QT_TR_NOOP("Bytes"),  QT_TR_NOOP("Identity"), QT_TR_NOOP("Path")};
    if (role == Qt::DisplayRole) return tr(kTitles[section]);
    if (role == Qt::ToolTipRole && section == kFrames) return tr("Distinct frames of stacks in the module");
    if (role == Qt::ToolTipRole && section == kBytes)
        return tr("Sizes of the rows whose stacks pass through the module");
    const bool isNumber = section == kFrames || section == kBytes;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft)));
    return {};
}

} // namespace highwater::ui

#include "moc_module_table_model.cpp"

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

/// Compares the row's cells and the places tried: after a retry, the same places may have other outcomes.
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

ModuleRow ModuleTableModel::rowAt(std::size_t row) const {
    const auto& load = loads_[row];
    const bool isKnown = processes_ && load.module.value < processes_->modules().size();
    return {load, processes_.get(), isKnown ? &processes_->module(load.module) : nullptr};
}

const ModuleTableModel::Columns& ModuleTableModel::columns() const {
    static const Columns kAll{
        {tr("Module"), QString(), Qt::AlignLeft,
         [](ModuleRow row) { return row.module ? lineText(row.module->name) : QString(); }},
        {tr("State"), QString(), Qt::AlignLeft, [](ModuleRow row) { return moduleState(row.load); }},
        {tr("Frames"), tr("Distinct stack frames in the module"), Qt::AlignRight,
         [](ModuleRow row) { return formatCount(static_cast<std::int64_t>(row.load.frames)); },
         [](ModuleRow row) { return sortNumber(row.load.frames); }},
        {tr("Bytes"), tr("Total size of the allocations whose stacks contain the module"), Qt::AlignRight,
         [](ModuleRow row) { return formatBytes(static_cast<std::int64_t>(row.load.bytes)); },
         [](ModuleRow row) { return sortNumber(row.load.bytes); }},
        {tr("Identity"), QString(), Qt::AlignLeft,
         [](ModuleRow row) { return row.module ? moduleIdentity(row.module->identity) : QString(); }},
        {tr("Path"), QString(), Qt::AlignLeft,
         [](ModuleRow row) { return row.module ? visibleText(row.processes->dosPath(row.module->path)) : QString(); }},
    };
    return kAll;
}

QString ModuleTableModel::toolTip(ModuleRow row, int column) const {
    if (column != kBytes) return RowTableModel::toolTip(row, column);
    return tr("%1 in rows whose stacks pass through the module")
        .arg(formatExactBytes(static_cast<std::int64_t>(row.load.bytes)));
}

} // namespace highwater::ui

#include "moc_module_table_model.cpp"

#include "ui/state/table_layout.h"

#include <algorithm>
#include <array>

namespace highwater::ui {

using analysis::Column;
using analysis::Table;

TableLayout defaultLayout(Table table) {
    const std::vector<analysis::SortKey> bySize{{Column::Size, true}};
    switch (table) {
    case Table::VirtualAlloc:
        return {
            table,
            {Column::Process, Column::ImpactingType, Column::Stack},
            {Column::Count, Column::ImpactingSize, Column::Size, Column::BeginTime, Column::EndTime, Column::FreeType},
            bySize};
    case Table::Heap:
        return {table,
                {Column::Process, Column::Handle, Column::ImpactingType, Column::Stack},
                {Column::Count, Column::ImpactingSize, Column::Size, Column::Allocated},
                bySize};
    case Table::Frees:
        break;
    }
    return {table, {Column::Process, Column::FreeType, Column::Stack}, {Column::Count, Column::Size}, bySize};
}

std::vector<Column> offeredColumns(Table table) {
    constexpr std::array kOffered{Column::Count,    Column::ImpactingSize, Column::Size,      Column::Allocated,
                                  Column::Freed,    Column::PeakSize,      Column::BeginTime, Column::EndTime,
                                  Column::LifeTime, Column::FreeType,      Column::Address,   Column::Thread};
    const auto known = analysis::columnsOf(table);
    std::vector<Column> offered;
    std::copy_if(kOffered.begin(), kOffered.end(), std::back_inserter(offered),
                 [&](Column column) { return std::find(known.begin(), known.end(), column) != known.end(); });
    return offered;
}

} // namespace highwater::ui

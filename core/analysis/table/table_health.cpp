#include "core/analysis/table/table_health.h"

#include <vector>

namespace highwater::analysis {
namespace {

std::uint64_t rowsWithoutStack(const store::TableView& table) {
    std::vector<bool> isWithout(table.sites);
    for (std::uint32_t site = 0; site < table.sites; ++site)
        isWithout[site] = table.columns->sites[SiteId{site}].stack.value == 0;
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row < table.rows; ++row)
        count += isWithout[table.columns->rows.site(static_cast<RowId>(row)).value] ? 1 : 0;
    return count;
}

} // namespace

HealthReport healthOf(const store::PublishedTrace& trace, Table table) {
    auto health = trace.health;
    if (table == Table::Frees) return health;
    const bool isOfHeaps = table != Table::VirtualAlloc;
    const auto foreign = isOfHeaps ? LossScope::Pages : LossScope::Heaps;
    for (std::size_t loss = 0; loss < kLossCount; ++loss) {
        if (describe(static_cast<Loss>(loss)).scope == foreign) health.leaveOut(static_cast<Loss>(loss));
    }
    auto& missing = health.counts[static_cast<std::size_t>(Loss::StacksMissing)];
    const auto kind = isOfHeaps ? store::TableKind::Heap : store::TableKind::VirtualAlloc;
    if (missing > 0) missing = trace.columns ? rowsWithoutStack(trace.table(kind)) : 0;
    return health;
}

} // namespace highwater::analysis

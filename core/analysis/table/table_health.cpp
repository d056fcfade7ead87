#include "core/analysis/table/table_health.h"

#include "core/analysis/rows/release_population.h"
#include "core/analysis/rows/row_population.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// Whether a stack column shows (no stack): also for a stack without frames, but not for a stack that has not arrived
/// yet.
bool isWithoutStack(const store::PublishedTrace& trace, const store::Site& site) {
    if (site.stack.value == 0) return true;
    const auto leaf = trace.leaf(site.stack);
    return leaf.value != 0 && trace.columns->stacks.node(leaf).depth == 0;
}

std::uint64_t rowsWithoutStack(const store::PublishedTrace& trace, store::TableKind kind) {
    const auto rows = RowPopulation::make(trace, kind, {.rows = {.interval = trace.wholeRange()}}, {});
    std::uint64_t count = 0;
    for (const auto& cell : rows->cells()) {
        if (!isWithoutStack(trace, trace.table(kind).columns->sites[SiteId{cell.key.site}])) continue;
        count += static_cast<std::uint64_t>(cell.sums.rows);
    }
    return count;
}

/// 0 if no release has a stack, because stacks of frees were not recorded.
std::uint64_t releasesWithoutStack(const store::PublishedTrace& trace) {
    const auto releases = ReleasePopulation::make(trace, {.rows = {.interval = trace.wholeRange()}}, {});
    std::uint64_t without = 0;
    bool hasAny = false;
    for (const auto& cell : releases->cells()) {
        const bool isWithout =
            cell.key.endSite == kNoSite ||
            isWithoutStack(trace, trace.table(cell.key.table).columns->endSites[SiteId{cell.key.endSite}]);
        if (isWithout) without += static_cast<std::uint64_t>(cell.sums.rows);
        hasAny = hasAny || !isWithout;
    }
    return hasAny ? without : 0;
}

} // namespace

HealthReport healthOf(const store::PublishedTrace& trace, const std::vector<Table>& tables) {
    auto all = healthOf(trace, tables.front());
    for (auto table = tables.begin() + 1; table != tables.end(); ++table) {
        if (std::find(tables.begin(), table, *table) != table) continue;
        const auto other = healthOf(trace, *table);
        for (std::size_t loss = 0; loss < kLossCount; ++loss) {
            const bool isOfRows = loss == static_cast<std::size_t>(Loss::StacksMissing);
            all.counts[loss] =
                isOfRows ? all.counts[loss] + other.counts[loss] : std::max(all.counts[loss], other.counts[loss]);
            all.bytes[loss] = std::max(all.bytes[loss], other.bytes[loss]);
            all.isAtLeast[loss] = all.isAtLeast[loss] || other.isAtLeast[loss];
        }
    }
    return all;
}

HealthReport healthOf(const store::PublishedTrace& trace, Table table) {
    auto health = trace.health;
    auto& missing = health.counts[static_cast<std::size_t>(Loss::StacksMissing)];
    health.countsRowsWithoutStack = true;
    if (table == Table::Frees) {
        if (missing > 0) missing = trace.columns ? releasesWithoutStack(trace) : 0;
        return health;
    }
    const auto kind = rowsOf(table);
    for (std::size_t loss = 0; loss < kLossCount; ++loss) {
        const auto scope = describe(static_cast<Loss>(loss)).scope;
        const bool isForeign = (scope == LossScope::Pages && kind != store::TableKind::VirtualAlloc) ||
                               (scope == LossScope::Heaps && kind != store::TableKind::Heap);
        if (isForeign) health.leaveOut(static_cast<Loss>(loss));
    }
    if (table == Table::GcHeap) missing = 0; // no call created its rows
    if (missing > 0) missing = trace.columns ? rowsWithoutStack(trace, kind) : 0;
    return health;
}

} // namespace highwater::analysis

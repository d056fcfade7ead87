#include "ui/state/table/column_offer.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/trace_lacks.h"
#include "ui/format/cell_format.h"
#include "ui/format/qt_text.h"

#include <algorithm>
#include <array>
#include <span>

namespace highwater::ui {

using analysis::Column;
using analysis::Table;

namespace {

/// This many sites are representative, because a recorded property is recorded for all of them.
constexpr std::uint32_t kSitesToCheck = 20'000;

/// Whether the predicate holds for any allocation site, or any free site (0 means: not freed).
template <typename Predicate>
bool anySite(const store::SiteTable& places, std::uint32_t first, std::uint32_t count, Predicate predicate) {
    for (auto i = first; i < std::min(count, kSitesToCheck); ++i) {
        if (predicate(places[SiteId{i}])) return true;
    }
    return false;
}

bool hasStack(const store::Site& site) { return site.stack.value != 0; }
bool hasThread(const store::Site& site) { return site.thread.isKnown(); }
bool hasSource(const store::Site& site) { return site.kind != 0; }

TraceFacts allocationFacts(const store::TableView& view) {
    const auto any = [&](auto predicate) { return anySite(view.columns->sites, 0, view.sites, predicate); };
    return {view.rows > 0, any(hasStack), any(hasStack), view.endSites > 1, any(hasThread), any(hasSource), true};
}

TraceFacts freeFacts(const store::TableView& view) {
    const auto any = [&](auto predicate) { return anySite(view.columns->endSites, 1, view.endSites, predicate); };
    auto facts = allocationFacts(view);
    facts.hasRows = facts.hasEnds;
    facts.hasStacks = any(hasStack);
    facts.hasThreads = any(hasThread);
    return facts;
}

TraceFacts either(const TraceFacts& a, const TraceFacts& b) {
    return {a.hasRows || b.hasRows,
            a.hasStacks || b.hasStacks,
            a.hasAllocStacks || b.hasAllocStacks,
            a.hasEnds || b.hasEnds,
            a.hasThreads || b.hasThreads,
            a.hasSources || b.hasSources,
            a.hasThreadNames || b.hasThreadNames};
}

/// Columns of WPA that this program cannot fill.
struct Missing {
    const char* name;
    const char* reason;
};
constexpr std::array kMissingOfHeap{
    Missing{"Thread Activity Tag", QT_TRANSLATE_NOOP("ColumnOffer", "not recorded in this trace")},
    Missing{"Allocation Nature",
            QT_TRANSLATE_NOOP("ColumnOffer", "WPA's own classification, which is not in the events")},
    Missing{"Bucket",
            QT_TRANSLATE_NOOP("ColumnOffer", "WPA computes it from heap internals that are not in the events")},
    Missing{"SubSegment",
            QT_TRANSLATE_NOOP("ColumnOffer", "WPA computes it from heap internals that are not in the events")},
};

std::span<const Missing> missingColumns(Table table) {
    switch (table) {
    case Table::Heap:
        return kMissingOfHeap;
    case Table::VirtualAlloc:
    case Table::Frees:
    case Table::Snapshot:
    case Table::Managed:
    case Table::GcHeap:
        break;
    }
    return {};
}

QString stackReason(Table table) {
    if (table == Table::Frees) return tr("no stacks of frees were recorded");
    if (table == Table::Managed) return tr("no stacks of managed allocations were recorded");
    return table != Table::VirtualAlloc ? tr("no stacks of heap calls were recorded")
                                        : tr("no stacks of VirtualAlloc calls were recorded");
}

QString reasonOf(Table table, Column column, const TraceFacts& facts) {
    using enum analysis::ColumnNeed;
    if (!facts.hasRows) return {}; // nothing known yet
    const auto whyNot = analysis::whyNoColumn(column, facts.lacks);
    if (!whyNot.empty()) return QString::fromUtf8(whyNot.data(), static_cast<qsizetype>(whyNot.size()));
    switch (analysis::specOf(column).need) {
    case Nothing:
        break;
    case Stacks:
        return facts.hasStacks ? QString() : stackReason(table);
    case AllocStacks:
        return facts.hasAllocStacks ? QString() : tr("no stacks of allocations were recorded");
    case Ends:
        return facts.hasEnds ? QString() : tr("nothing was freed in this trace");
    case Threads:
        return facts.hasThreads ? QString() : tr("not recorded in this trace");
    case ThreadNames:
        return facts.hasThreadNames ? QString() : tr("no thread has a name in this trace");
    case HeapPaths:
        return facts.hasSources ? QString() : tr("not recorded in this trace");
    case Samples:
        return facts.hasSamples ? QString() : tr("no samples of resident memory were recorded");
    case Pictures:
        return facts.hasPictures ? QString() : tr("no pictures of memory were taken");
    }
    return {};
}

LayoutZone zoneFor(Column column) {
    return analysis::specOf(column).isOfferedAsValue ? LayoutZone::Values : LayoutZone::Keys;
}

TraceFacts factsOfTable(const store::PublishedTrace& trace, Table table) {
    switch (table) {
    case Table::VirtualAlloc:
        return allocationFacts(trace.virtualAlloc);
    case Table::Heap:
    case Table::Snapshot:
        return allocationFacts(trace.heap);
    case Table::Managed:
        return allocationFacts(trace.managed);
    case Table::GcHeap:
        return allocationFacts(trace.gcHeap);
    case Table::Frees:
        break;
    }
    return either(freeFacts(trace.virtualAlloc), freeFacts(trace.heap));
}

} // namespace

TraceFacts traceFactsOf(const store::PublishedTrace* trace, Table table) {
    if (!trace || !trace->columns) return {};
    auto facts = factsOfTable(*trace, table);
    facts.lacks = trace->lacks;
    facts.hasSamples = trace->residentSamples != nullptr && !trace->residentSamples->empty();
    facts.hasPictures = trace->pictures != nullptr;
    facts.hasThreadNames = trace->threadNames != nullptr && !trace->threadNames->isEmpty();
    return facts;
}

std::vector<ColumnOffer> columnOffers(Table table, const TraceFacts& facts) {
    std::vector<ColumnOffer> offers;
    for (const auto column : analysis::columnsOf(table)) {
        offers.push_back({columnTitle(table, column), column, zoneFor(column), reasonOf(table, column, facts),
                          definitionOf(table, column)});
    }
    for (const auto& missing : missingColumns(table)) {
        offers.push_back({QString::fromLatin1(missing.name), std::nullopt, LayoutZone::Keys, tr(missing.reason), {}});
    }
    std::stable_sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) { return a.zone < b.zone; });
    return offers;
}

} // namespace highwater::ui

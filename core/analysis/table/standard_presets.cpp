#include "core/analysis/table/standard_presets.h"

#include "core/base/text.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

using Presets = std::vector<StandardPreset>;
using Values = std::vector<ValueColumn>;
using Sort = std::vector<SortKey>;

Presets presetsOfAllocations(Table table) {
    const bool isHeap = table == Table::Heap;
    const Sort bySize{{Column::Size, true}};
    const Sort byImpact{{Column::ImpactingSize, true}};
    // First by the change; without a change, by size.
    const Sort byImpactAndSize{{Column::ImpactingSize, true}, {Column::Size, true}};
    const Sort byPeak{{Column::Size, true, Aggregation::Peak}};
    const Sort bySlope{{Column::Slope, true}, {Column::ImpactingSize, true}};
    const Values sums{Column::Count, Column::ImpactingSize, Column::Size};
    const Values peaks{
        {Column::Count, Aggregation::Peak}, Column::Count, Column::Size, {Column::Size, Aggregation::Peak}};
    const auto exercise = isHeap ? Values{Column::BeginTime, Column::Count, Column::ImpactingSize, Column::Size}
                                 : Values{Column::BeginTime, Column::EndTime,       Column::FreeType,
                                          Column::Count,     Column::ImpactingSize, Column::Size};
    /// Distinguishes heaps.
    const auto keys = [&](std::vector<Column> behindProcess) {
        if (isHeap) behindProcess.insert(behindProcess.begin(), Column::Handle);
        behindProcess.insert(behindProcess.begin(), Column::Process);
        return behindProcess;
    };
    return {
        {isHeap ? "Impacting by Process and Handle" : "Impacting by Process", table,
         keys({Column::ImpactingType, Column::Stack}), sums, 3, byImpactAndSize},
        {isHeap ? "Outstanding Size by Process and Handle" : "Outstanding Commit by Process", table,
         keys({Column::Stack}), sums, 3, bySize, false, isHeap ? 2u : 1u}, // a line for each heap
        {isHeap ? "Exercise 2 Heap" : "Exercise 2 VirtualAlloc", table, keys({Column::ImpactingType, Column::Stack}),
         exercise, 3, byImpactAndSize},
        {"AIFO by Stack", table, {Column::Type, Column::Process, Column::Stack}, sums, 3, byImpact},
        {"Growth by Stack",
         table,
         {Column::Process, Column::Stack},
         {Column::Trend, Column::Slope, Column::Count, Column::ImpactingSize, Column::Size},
         1,
         bySlope},
        {"Held Pages by Stack",
         table,
         {Column::Process, Column::StackBottomUp},
         {Column::HeldPages, Column::Resident, Column::Count, Column::ImpactingSize, Column::Size},
         1,
         {{Column::HeldPages, true}, {Column::Size, true}}},
        {"Peak by Stack", table, {Column::Process, Column::Stack}, peaks, 1, byPeak, true},
        {"Size by Stack Tag", table, {Column::Process, Column::StackTag, Column::Stack}, sums, 2, byImpactAndSize},
    };
}

Presets presetsOfHeap() {
    auto presets = presetsOfAllocations(Table::Heap);
    // Temporary first, regardless of other sizes.
    presets.push_back({"Temporary by Stack",
                       Table::Heap,
                       {Column::Temporary, Column::Process, Column::Stack},
                       {{Column::LifeTime, Aggregation::Average}, Column::Count, Column::Size},
                       2,
                       {{Column::Temporary, true}, {Column::Count, true}}});
    const Values ofPictures{Column::Retained, Column::Count, Column::ImpactingSize, Column::Size};
    const Sort byRetained{{Column::Retained, true}, {Column::Size, true}};
    presets.push_back({"Held by Variable",
                       Table::Heap,
                       {Column::Process, Column::Holder, Column::StackBottomUp},
                       ofPictures,
                       2,
                       byRetained});
    presets.push_back({"Reachability by Stack",
                       Table::Heap,
                       {Column::Process, Column::Reachability, Column::StackBottomUp},
                       ofPictures,
                       2,
                       byRetained});
    presets.push_back({"Objects by Type",
                       Table::Heap,
                       {Column::Process, Column::ObjectType, Column::StackBottomUp},
                       ofPictures,
                       2,
                       byRetained});
    return presets;
}

Presets presetsOfFrees() {
    constexpr auto kTable = Table::Frees;
    const Sort bySize{{Column::Size, true}};
    const Values sums{Column::Count, Column::Size};
    return {
        {"Freed by Process", kTable, {Column::Process, Column::FreeType, Column::Stack}, sums, 2, bySize},
        {"Freed by Allocating Stack", kTable, {Column::Process, Column::AllocStack}, sums, 2, bySize},
        {"Freed by Allocating Function", kTable, {Column::Process, Column::AllocStackBottomUp}, sums, 2, bySize},
        {"Freed by Type", kTable, {Column::FreeType, Column::Process, Column::Stack}, sums, 2, bySize},
    };
}

Presets presetsOfSnapshots() {
    constexpr auto kTable = Table::Snapshot;
    const Sort byInstance{{Column::Instance, false}, {Column::Size, true}};
    const Values sums{Column::Count, Column::Size};
    const Values largest{Column::Count, Column::Size, {Column::Size, Aggregation::Max}};
    return {
        {"Count by Instance", kTable, {Column::Instance, Column::Process, Column::Stack}, sums, 2, byInstance},
        {"Count by Snapshot", kTable, {Column::Process, Column::Instance, Column::Stack}, largest, 2, byInstance},
    };
}

Presets presetsOfManaged() {
    constexpr auto kTable = Table::Managed;
    const Sort bySize{{Column::Size, true}};
    const Values sums{Column::Count, Column::Size};
    return {
        {"Allocated by Process and Type",
         kTable,
         {Column::Process, Column::ManagedType, Column::Stack},
         sums,
         2,
         bySize,
         false,
         2u}, // a line for each type
        {"Allocated by Process and Stack", kTable, {Column::Process, Column::Stack}, sums, 2, bySize},
        {"Allocated by Process and Function", kTable, {Column::Process, Column::StackBottomUp}, sums, 2, bySize},
        {"Allocated by Kind",
         kTable,
         {Column::Process, Column::ManagedKind, Column::ManagedType, Column::Stack},
         sums,
         2,
         bySize,
         false,
         2u},
    };
}

Presets presetsOfGcHeap() {
    constexpr auto kTable = Table::GcHeap;
    const Values sizes{Column::Trend, Column::Count, Column::ImpactingSize, Column::PeakSize};
    return {
        {"Size by Process and Generation",
         kTable,
         {Column::Process, Column::GcGeneration},
         sizes,
         1,
         {{Column::PeakSize, true}},
         false,
         2u}, // a line for each generation
    };
}

} // namespace

std::span<const StandardPreset> standardPresetsOf(Table table) {
    static const auto virtualAlloc = presetsOfAllocations(Table::VirtualAlloc);
    static const auto heap = presetsOfHeap();
    static const auto frees = presetsOfFrees();
    static const auto snapshots = presetsOfSnapshots();
    static const auto managed = presetsOfManaged();
    static const auto gcHeap = presetsOfGcHeap();
    switch (table) {
    case Table::VirtualAlloc:
        return virtualAlloc;
    case Table::Heap:
        return heap;
    case Table::Frees:
        return frees;
    case Table::Managed:
        return managed;
    case Table::GcHeap:
        return gcHeap;
    case Table::Snapshot:
        break;
    }
    return snapshots;
}

const StandardPreset* findPreset(Table table, std::string_view name) {
    const auto presets = standardPresetsOf(table);
    const auto found = std::find_if(presets.begin(), presets.end(),
                                    [&](const auto& preset) { return equalsIgnoringCase(preset.name, name); });
    return found == presets.end() ? nullptr : &*found;
}

} // namespace highwater::analysis

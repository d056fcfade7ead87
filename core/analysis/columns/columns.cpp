#include "core/analysis/columns/columns.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr auto kFirstAggregate = Column::Count;

constexpr std::array kVirtualAllocColumns{
    Column::Process,           Column::ProcessName, Column::Pid,           Column::Thread,     Column::Type,
    Column::ImpactingType,     Column::Stack,       Column::StackBottomUp, Column::SourceLine, Column::FreeType,
    Column::Address,           Column::PageAddress, Column::BeginTime,     Column::EndTime,    Column::LifeTime,
    Column::SelectionLifeTime, Column::RowSize,     Column::Count,         Column::Size,       Column::ImpactingSize,
    Column::Allocated,         Column::Freed,       Column::PeakSize};

constexpr std::array kHeapColumns{Column::Process,
                                  Column::ProcessName,
                                  Column::Pid,
                                  Column::Handle,
                                  Column::Thread,
                                  Column::Type,
                                  Column::ImpactingType,
                                  Column::Stack,
                                  Column::StackBottomUp,
                                  Column::SourceLine,
                                  Column::Source,
                                  Column::IsRealloc,
                                  Column::FreeType,
                                  Column::Address,
                                  Column::PageAddress,
                                  Column::BeginTime,
                                  Column::EndTime,
                                  Column::LifeTime,
                                  Column::SelectionLifeTime,
                                  Column::RowSize,
                                  Column::Count,
                                  Column::Size,
                                  Column::ImpactingSize,
                                  Column::Allocated,
                                  Column::Freed,
                                  Column::PeakSize};

constexpr std::array kFreesColumns{Column::Process,       Column::ProcessName, Column::Pid,        Column::Handle,
                                   Column::Thread,        Column::FreeType,    Column::Memory,     Column::Stack,
                                   Column::StackBottomUp, Column::AllocStack,  Column::SourceLine, Column::Address,
                                   Column::PageAddress,   Column::BeginTime,   Column::EndTime,    Column::LifeTime,
                                   Column::RowSize,       Column::Count,       Column::Size,       Column::Freed};

/// The names of Heap Allocations and Frees, in the order of Column.
constexpr std::array<std::string_view, 28> kNames{"Process",         "Process Name", "PID",
                                                  "Handle",          "Thread",       "Type",
                                                  "ImpactingType",   "Stack",        "Stack (bottom-up)",
                                                  "Alloc Stack",     "Source",       "Is Realloc",
                                                  "FreeType",        "Memory",       "Source File:Line",
                                                  "Address",         "Page Address", "AllocTime",
                                                  "FreeTime",        "LifeTime",     "SelectionLifeTime",
                                                  "Allocation Size", "Count",        "Size",
                                                  "Impacting Size",  "Allocated",    "Freed",
                                                  "Peak Size"};

std::string_view virtualAllocName(Column column) {
    switch (column) {
    case Column::Thread:
        return "Committing ThreadId";
    case Column::ImpactingType:
        return "Impacting Type";
    case Column::Stack:
        return "Commit Stack";
    case Column::StackBottomUp:
        return "Commit Stack (bottom-up)";
    case Column::BeginTime:
        return "Commit Time";
    case Column::EndTime:
        return "Decommit Time";
    case Column::LifeTime:
        return "Commit LifeTime";
    default:
        return {};
    }
}

/// Names that every table understands beside its own.
constexpr std::array<std::pair<std::string_view, Column>, 14> kAliases{{
    {"Stack", Column::Stack},
    {"Stack (bottom-up)", Column::StackBottomUp},
    {"Thread", Column::Thread},
    {"Impacting Type", Column::ImpactingType},
    {"ImpactingType", Column::ImpactingType},
    {"Peak Size", Column::PeakSize},
    {"Free Type", Column::FreeType},
    {"LifeTime", Column::LifeTime},
    {"AllocStack", Column::AllocStack},
    {"IsRealloc", Column::IsRealloc},
    {"PageAddress", Column::PageAddress},
    {"Source File", Column::SourceLine},
    {"Source Line", Column::SourceLine},
    {"SourceLine", Column::SourceLine},
}};

std::string sourceText(std::uint64_t key) {
    constexpr std::array<std::string_view, 7> kSources{
        "Unknown", "Lookaside", "Low fragmentation heap", "Main path", "Slow path", "Invalid", "Segment heap"};
    return key < kSources.size() ? std::string(kSources[key]) : fmt::format("Unknown ({})", key);
}

std::string freeTypeText(std::uint64_t key) {
    constexpr std::array<std::string_view, 9> kKinds{"(outstanding)",  "Free",         "ReAlloc",
                                                     "Heap destroyed", "Free lost",    "Decommit",
                                                     "Release",        "Process exit", "Unmatched free"};
    return key < kKinds.size() ? std::string(kKinds[key]) : fmt::format("Unknown ({})", key);
}

} // namespace

std::optional<Table> parseTable(std::string_view word) {
    for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
        if (equalsIgnoringCase(word, tableWord(table))) return table;
    }
    return std::nullopt;
}

std::string_view tableWord(Table table) {
    constexpr std::array<std::string_view, 3> kWords{"virtualalloc", "heap", "frees"};
    return kWords[static_cast<std::size_t>(table)];
}

std::string_view tableTitle(Table table) {
    constexpr std::array<std::string_view, 3> kTitles{"VirtualAlloc Commit LifeTimes", "Heap Allocations", "Frees"};
    return kTitles[static_cast<std::size_t>(table)];
}

bool isAggregate(Column column) { return column >= kFirstAggregate; }

bool isStack(Column column) {
    return column == Column::Stack || column == Column::StackBottomUp || column == Column::AllocStack;
}

bool isOfSingleRows(Column column) { return column >= Column::Address && column <= Column::RowSize; }

std::span<const Column> columnsOf(Table table) {
    switch (table) {
    case Table::VirtualAlloc:
        return kVirtualAllocColumns;
    case Table::Heap:
        return kHeapColumns;
    case Table::Frees:
        break;
    }
    return kFreesColumns;
}

std::string_view columnName(Table table, Column column) {
    if (table == Table::VirtualAlloc) {
        if (const auto own = virtualAllocName(column); !own.empty()) return own;
    }
    return kNames[static_cast<std::size_t>(column)];
}

std::optional<Column> parseColumn(Table table, std::string_view name) {
    const auto columns = columnsOf(table);
    for (const auto column : columns) {
        if (equalsIgnoringCase(name, columnName(table, column))) return column;
    }
    for (auto i = static_cast<int>(kFirstAggregate); i <= static_cast<int>(Column::PeakSize); ++i) {
        if (equalsIgnoringCase(name, columnName(table, static_cast<Column>(i)))) return static_cast<Column>(i);
    }
    for (const auto& [alias, column] : kAliases) {
        if (!equalsIgnoringCase(name, alias)) continue;
        if (std::find(columns.begin(), columns.end(), column) != columns.end()) return column;
    }
    return std::nullopt;
}

std::string enumText(Column column, std::uint64_t key) {
    constexpr std::array<std::string_view, 4> kTypes{"AOFO", "AOFI", "AIFO", "AIFI"};
    constexpr std::array<std::string_view, 3> kImpacts{"Impacting", "Transient", "Persistent"};
    switch (column) {
    case Column::Type:
        return key < kTypes.size() ? std::string(kTypes[key]) : std::string();
    case Column::ImpactingType:
        return key < kImpacts.size() ? std::string(kImpacts[key]) : std::string();
    case Column::Source:
        return sourceText(key);
    case Column::IsRealloc:
        return key != 0 ? "True" : "False";
    case Column::FreeType:
        return freeTypeText(key);
    case Column::Memory:
        return key != 0 ? "Heap" : "VirtualAlloc";
    default:
        return {};
    }
}

} // namespace highwater::analysis

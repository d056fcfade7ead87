#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/columns.h"
#include "core/base/enum_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

struct TableSpec {
    Table table;
    std::string_view word;
    std::string_view title;
};
constexpr std::array kTableSpecs{
    TableSpec{Table::VirtualAlloc, "virtualalloc", "VirtualAlloc Commit LifeTimes"},
    TableSpec{Table::Heap, "heap", "Heap Allocations"},
    TableSpec{Table::Frees, "frees", "Frees"},
    TableSpec{Table::Snapshot, "snapshot", "Heap Snapshot"},
    TableSpec{Table::Managed, "managed", "Managed Allocations"},
    TableSpec{Table::GcHeap, "gcheap", "GC Heap Size"},
};
static_assert(isEnumTable<&TableSpec::table>(kTableSpecs));

bool isAlias(const ColumnSpec& spec, std::string_view name) {
    return !name.empty() && std::any_of(spec.aliases.begin(), spec.aliases.end(),
                                        [name](auto alias) { return equalsIgnoringCase(name, alias); });
}

template <typename Predicate>
std::optional<Column> findColumnWith(Predicate isMeant) {
    const auto found = std::find_if(kColumnSpecs.begin(), kColumnSpecs.end(), isMeant);
    return found == kColumnSpecs.end() ? std::nullopt : std::optional(found->column);
}

} // namespace

std::optional<Table> parseTable(std::string_view word) {
    for (const auto& spec : kTableSpecs) {
        if (equalsIgnoringCase(word, spec.word)) return spec.table;
    }
    return std::nullopt;
}

std::string_view tableWord(Table table) { return kTableSpecs[static_cast<std::size_t>(table)].word; }

std::string_view tableTitle(Table table) { return kTableSpecs[static_cast<std::size_t>(table)].title; }

bool isAggregate(Column column) { return specOf(column).role == ColumnRole::Aggregate; }

bool isStack(Column column) { return specOf(column).role == ColumnRole::Stack; }
bool isBottomUp(Column column) { return column == Column::StackBottomUp || column == Column::AllocStackBottomUp; }
bool isAllocStack(Column column) {
    return column == Column::AllocStack || column == Column::AllocStackBottomUp || column == Column::AllocStackTag ||
           column == Column::AllocFrameTags;
}
bool isOfTags(Column column) {
    return column == Column::StackTag || column == Column::FrameTags || column == Column::AllocStackTag ||
           column == Column::AllocFrameTags;
}
bool showsFrames(Column column) { return isStack(column) && !isOfTags(column); }

Column reversedStack(Column column) {
    switch (column) {
    case Column::Stack:
        return Column::StackBottomUp;
    case Column::StackBottomUp:
        return Column::Stack;
    case Column::AllocStack:
        return Column::AllocStackBottomUp;
    case Column::AllocStackBottomUp:
        return Column::AllocStack;
    default:
        return column;
    }
}

bool showsNames(Column column) { return isStack(column) || isOfTags(column) || column == Column::SourceLine; }

bool isOfSingleRows(Column column) { return specOf(column).role == ColumnRole::RowKey; }

bool hasColumn(Table table, Column column) { return inTable(specOf(column), table).place != 0; }

std::string_view columnName(Table table, Column column) {
    const auto& spec = specOf(column);
    const auto own = inTable(spec, table).name;
    return own.empty() ? spec.name : own;
}

std::optional<Column> parseColumn(Table table, std::string_view name) {
    const auto isName = [&](const ColumnSpec& spec) {
        const bool isKnown = hasColumn(table, spec.column) || isAggregate(spec.column);
        return isKnown && equalsIgnoringCase(name, columnName(table, spec.column));
    };
    const auto isAliasHere = [&](const ColumnSpec& spec) {
        return hasColumn(table, spec.column) && isAlias(spec, name);
    };
    const auto column = findColumnWith(isName);
    return column ? column : findColumnWith(isAliasHere);
}

const KeyWord* findWord(Column column, std::uint64_t key) {
    const auto words = specOf(column).words;
    const auto found = std::find_if(words.begin(), words.end(), [key](const KeyWord& word) { return word.key == key; });
    return found == words.end() ? nullptr : &*found;
}

std::string enumText(Column column, std::uint64_t key) {
    if (specOf(column).words.empty()) return {};
    const auto* word = findWord(column, key);
    return word == nullptr ? fmt::format("Unknown ({})", key) : std::string(word->text);
}

} // namespace highwater::analysis

#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_properties.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace highwater::analysis {

/// Everything that is to be known about a column without a trace: one table, column_specs.cpp. What a column says of a
/// row is computed elsewhere (KeyReader). Constants; any thread.

/// What a column can be used for.
enum class ColumnRole : std::uint8_t {
    Key,       ///< rows are grouped by it; rows of one site have the same, or are kept apart by it
    Stack,     ///< a key that opens frame by frame
    RowKey,    ///< a key in which rows of one site differ (times, addresses, sizes)
    Aggregate, ///< a number of a group: no key
};

/// How the keys, and the lowest and highest values, of a column are ordered.
enum class ValueOrder : std::uint8_t { Signed, Unsigned, Text };
[[nodiscard]] constexpr ValueOrder usualOrder(ValueKind kind) {
    switch (kind) {
    case ValueKind::Text:
        return ValueOrder::Text;
    case ValueKind::SignedBytes:
    case ValueKind::BytesPerSecond:
    case ValueKind::Time:
    case ValueKind::Duration:
        return ValueOrder::Signed;
    case ValueKind::Count:
    case ValueKind::Bytes:
    case ValueKind::Hex:
    case ValueKind::Series:
        break;
    }
    return ValueOrder::Unsigned;
}

/// Whether one looks for the largest: of amounts and durations, not of addresses and times.
[[nodiscard]] constexpr bool isAmount(ValueKind kind) {
    return kind == ValueKind::Count || kind == ValueKind::Bytes || kind == ValueKind::SignedBytes ||
           kind == ValueKind::BytesPerSecond || kind == ValueKind::Duration || kind == ValueKind::Series;
}

/// What must have been recorded, or the column says nothing.
enum class ColumnNeed : std::uint8_t {
    Nothing,
    Stacks,      ///< of the calls that the table is about
    AllocStacks, ///< of Frees: of what was freed
    Ends,        ///< something was freed
    Threads,
    ThreadNames,
    HeapPaths, ///< the heap says by which path it served
};

/// A column in one of the tables.
struct ColumnInTable {
    int place = 0;               ///< columns are offered in this order; 0: the table does not have it
    std::string_view name = {};  ///< WPA's; empty: ColumnSpec::name
    std::string_view title = {}; ///< what stands above it in a window, where the name alone misleads; empty: the name
    const char* definition = ""; ///< empty: ColumnSpec::definition
};

struct ColumnInTables {
    ColumnInTable virtualAlloc = {};
    ColumnInTable heap = {};
    ColumnInTable frees = {};
    ColumnInTable snapshot = {};
    ColumnInTable managed = {};
    ColumnInTable gcHeap = {};
};

inline constexpr std::array kAggregationsOfKeys{Aggregation::Own, Aggregation::Count, Aggregation::UniqueCount};

/// Columns of ColumnRole::RowKey, at most: a set of them is a number of 16 bits, with one to spare.
inline constexpr unsigned kMostRowColumns = 15;

struct ColumnSpec {
    Column column = Column::Process;
    std::string_view name = {}; ///< in tables that have no name of their own for it
    ColumnInTables in = {};
    std::array<std::string_view, 3> aliases = {}; ///< names that every table that has it understands, too

    ColumnRole role = ColumnRole::Key;
    ValueKind kind = ValueKind::Text; ///< of what the column says by itself
    bool isId = false;                ///< of ValueKind::Count: a name, not an amount
    ValueOrder order = usualOrder(kind);
    bool startsDescending = isAmount(kind) && !isId; ///< when one first sorts by it
    /// What can be asked of it; the first is what it does by itself. Peak, which is offered only where rows
    /// are outstanding for a time, is the last.
    std::span<const Aggregation> aggregations = kAggregationsOfKeys;

    bool isOfWholeGroups = false; ///< it says nothing of a single row: queries cannot ask for it
    bool isOfInterval = false;    ///< it depends on the interval what it says of a row
    bool isOfMarks = false;       ///< it depends on the marks what it says of a row
    /// Its keys mean something in one trace only: numbers that the system assigned, and times.
    bool isOfOneTrace = false;
    /// Rows are kept apart by it only where a question asks for it; other groups do not know it.
    bool needsAsking = role == ColumnRole::Stack;
    /// Its value is found with the row's address, which stands in a column of its own and is not read for others.
    bool needsAddress = role == ColumnRole::RowKey && kind == ValueKind::Hex;
    bool isInTextSearch = kind == ValueKind::Text; ///< a text that names no column is looked for in it
    /// Whether the column chooser puts it among the values, not the keys.
    bool isOfferedAsValue = role == ColumnRole::RowKey || role == ColumnRole::Aggregate;
    ColumnNeed need = ColumnNeed::Nothing;
    TraceLacks lack = {}; ///< it has no value in traces that lack one of these (trace_lacks.h)

    std::span<const KeyWord> words = {};           ///< what its keys read like, where they stand for words
    std::string_view usualText = "Heap destroyed"; ///< of ValueKind::Text: as wide as its cells usually are
    const char* definition = "";                   ///< a sentence, in English; empty: the name says all
};

extern const std::array<ColumnSpec, kColumnCount> kColumnSpecs; ///< indexed by Column

[[nodiscard]] inline const ColumnSpec& specOf(Column column) { return kColumnSpecs[static_cast<std::size_t>(column)]; }
[[nodiscard]] constexpr const ColumnInTable& inTable(const ColumnSpec& spec, Table table) {
    switch (table) {
    case Table::VirtualAlloc:
        return spec.in.virtualAlloc;
    case Table::Heap:
        return spec.in.heap;
    case Table::Frees:
        return spec.in.frees;
    case Table::Managed:
        return spec.in.managed;
    case Table::GcHeap:
        return spec.in.gcHeap;
    case Table::Snapshot:
        break;
    }
    return spec.in.snapshot;
}
/// What the column says in that table, a sentence; may be empty.
[[nodiscard]] inline const char* columnDefinition(Table table, Column column) {
    const auto* own = inTable(specOf(column), table).definition;
    return *own != '\0' ? own : specOf(column).definition;
}

} // namespace highwater::analysis

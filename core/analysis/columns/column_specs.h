#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_properties.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace highwater::analysis {

/// All properties of a column that do not depend on a trace, in one table: column_specs.cpp. KeyReader computes the
/// values of rows. Constants; any thread.

/// The use of a column.
enum class ColumnRole : std::uint8_t {
    Key,       ///< groups rows; rows of one site have the same key, or are separated by it
    Stack,     ///< a key that expands frame by frame
    RowKey,    ///< a key that differs between the rows of one site (times, addresses, sizes)
    Aggregate, ///< a number of a group, not a key
};

/// The order of a column's keys, and of its lowest and highest values.
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

/// Whether users look for the largest value: for amounts and durations, not for addresses and times.
[[nodiscard]] constexpr bool isAmount(ValueKind kind) {
    return kind == ValueKind::Count || kind == ValueKind::Bytes || kind == ValueKind::SignedBytes ||
           kind == ValueKind::BytesPerSecond || kind == ValueKind::Duration || kind == ValueKind::Series;
}

/// The data that must have been recorded for the column to have values.
enum class ColumnNeed : std::uint8_t {
    Nothing,
    Stacks,      ///< for the calls in the table
    AllocStacks, ///< Frees: of the freed memory
    Ends,        ///< something was freed
    Threads,
    ThreadNames,
    HeapPaths, ///< the heap reports the path that served the call
    Samples,   ///< samples of resident memory
    Pictures,  ///< pictures of memory
};

/// A column in one of the tables.
struct ColumnInTable {
    int place = 0;               ///< order of the columns; 0: not in the table
    std::string_view name = {};  ///< WPA's name; empty: ColumnSpec::name
    std::string_view title = {}; ///< heading in a window, if the name alone is misleading; empty: the name
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

/// Maximum number of columns with ColumnRole::RowKey. A set of them is a 16-bit number with one bit to spare.
inline constexpr unsigned kMostRowColumns = 15;

struct ColumnSpec {
    Column column = Column::Process;
    std::string_view name = {}; ///< in tables without their own name for it
    ColumnInTables in = {};
    std::array<std::string_view, 3> aliases = {}; ///< names that every table with the column also accepts

    ColumnRole role = ColumnRole::Key;
    ValueKind kind = ValueKind::Text; ///< for the plain column
    bool isId = false;                ///< for ValueKind::Count: an identifier, not an amount
    ValueOrder order = usualOrder(kind);
    bool startsDescending = isAmount(kind) && !isId; ///< initial sort direction
    /// The available aggregations; the first is the default. Peak is the last, and is offered only for rows that are
    /// outstanding for a time.
    std::span<const Aggregation> aggregations = kAggregationsOfKeys;

    bool isOfWholeGroups = false; ///< has no value for a single row: queries cannot use it
    bool isOfInterval = false;    ///< its value for a row depends on the interval
    bool isOfMarks = false;       ///< its value for a row depends on the marks
    /// Its keys are only valid in one trace: numbers that the system assigned, and times.
    bool isOfOneTrace = false;
    /// Rows are separated by it only if a question asks for it; other groups do not have its value.
    bool needsAsking = role == ColumnRole::Stack;
    /// Its value is derived from the row's address, which is stored separately and not read for other columns.
    bool needsAddress = role == ColumnRole::RowKey && kind == ValueKind::Hex;
    bool isInTextSearch = kind == ValueKind::Text; ///< a text without a column is searched here
    /// Whether the column chooser lists it among the values instead of the keys.
    bool isOfferedAsValue = role == ColumnRole::RowKey || role == ColumnRole::Aggregate;
    ColumnNeed need = ColumnNeed::Nothing;
    TraceLacks lack = {}; ///< has no value in traces with one of these gaps (trace_lacks.h)

    std::span<const KeyWord> words = {};           ///< texts of its keys, if each key means a word
    std::string_view usualText = "Heap destroyed"; ///< for ValueKind::Text: the typical width of its cells
    const char* definition = "";                   ///< a sentence in English; empty: the name is sufficient
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
/// The description of the column in that table, a sentence; may be empty.
[[nodiscard]] inline const char* columnDefinition(Table table, Column column) {
    const auto* own = inTable(specOf(column), table).definition;
    return *own != '\0' ? own : specOf(column).definition;
}

} // namespace highwater::analysis

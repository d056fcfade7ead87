#pragma once

#include "core/base/enum_table.h"
#include "core/base/units.h"

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace highwater::analysis {

/// The available tables, as in WPA.
enum class Table : std::uint8_t {
    VirtualAlloc, ///< VirtualAlloc Commit LifeTimes
    Heap,         ///< Heap Allocations
    Frees,        ///< every release of both, matched or not
    Snapshot,     ///< Heap Snapshot: outstanding heap memory at each snapshot
    Managed,      ///< Managed Allocations: samples of allocations on a runtime's own heap
    GcHeap,       ///< GC Heap Size: the sizes of its generations
};
/// All tables, in display order.
inline constexpr std::array kTables{Table::VirtualAlloc, Table::Heap,    Table::Frees,
                                    Table::Snapshot,     Table::Managed, Table::GcHeap};
/// Whether its rows are allocations, which are outstanding for a time: not releases, and not the state at an instant.
[[nodiscard]] constexpr bool isOfAllocations(Table table) {
    return table == Table::VirtualAlloc || table == Table::Heap;
}
/// Whether its rows exist for a time, so that there is an amount at each instant, and a peak.
[[nodiscard]] constexpr bool hasLevels(Table table) { return isOfAllocations(table) || table == Table::GcHeap; }
/// Whether its rows are events that count at their instant, so that amounts over time add up.
[[nodiscard]] constexpr bool isOfEvents(Table table) { return table == Table::Frees || table == Table::Managed; }
/// "virtualalloc", "heap", "frees", "snapshot", "managed", "gcheap": the words of the command line.
[[nodiscard]] std::optional<Table> parseTable(std::string_view word);
[[nodiscard]] std::string_view tableWord(Table table);
/// "VirtualAlloc Commit LifeTimes", ...
[[nodiscard]] std::string_view tableTitle(Table table);

/// A column of any table. column_specs.cpp defines its properties and its tables; the order here has no meaning.
enum class Column : std::uint8_t {
    // Keys: rows can be grouped by these.
    Process,     ///< "name.exe (pid)"
    ProcessName, ///< "name.exe"
    Pid,
    Handle,             ///< heap handle
    Thread,             ///< allocating (committing) thread; Frees: the freeing thread
    ThreadName,         ///< last name of that thread; threads with the same name form one group
    Type,               ///< AIFI, AIFO, AOFI, AOFO
    ImpactingType,      ///< Impacting, Transient, Persistent
    Stack,              ///< root first; expands frame by frame. Frees: the freeing stack
    StackBottomUp,      ///< leaf first, without the allocator frames at the leaf end
    AllocStack,         ///< Frees only: the stack that allocated the freed memory
    AllocStackBottomUp, ///< Frees only: the same in the order of StackBottomUp
    StackTag,           ///< purpose of the stack: the best tag of its frames (see StackTags)
    FrameTags,          ///< the stack root first, with functions shown as their tag; expands like Stack
    AllocStackTag,      ///< Frees only, like the next: of the stack that allocated the freed memory
    AllocFrameTags,
    Source, ///< heap path: lookaside, low-fragmentation heap, ...
    IsRealloc,
    Temporary,  ///< freed by its thread's next heap operation
    FreeType,   ///< how its lifetime ended: Free, ReAlloc, Heap destroyed, Free lost, Decommit, Release, Process exit;
                ///< Unmatched
    Memory,     ///< Frees only: Heap or VirtualAlloc
    SourceLine, ///< "file:line" of the code: see SourceLines; for a row that is a frame, of that frame
    Annotation, ///< the user's label: see Annotations
    Address,
    PageAddress,       ///< address rounded down to 4 KiB
    BeginTime,         ///< Commit Time, AllocTime
    EndTime,           ///< Decommit Time, FreeTime
    LifeTime,          ///< end - start; none while outstanding
    SelectionLifeTime, ///< the part of the lifetime inside the interval
    RowSize,           ///< the size of one row as a key ("Allocation Size")
    Instance,          ///< Heap Snapshot only, like the following: the number of the snapshot
    SnapTime,          ///< time of the snapshot
    StackId,           ///< number of the stack; valid in the window and in one answer only
    StackDepth,        ///< number of calls
    Generation,        ///< the marks between which it was allocated
    SurvivedMarks,     ///< number of marks in the interval at which it was outstanding
    Owner,             ///< VirtualAlloc only: owner of the pages (store::PageOwner)
    Reachability,      ///< Heap only, like the next: whether pointers lead to the block, in a picture of memory
    Holder,            ///< the root that holds the block: a variable, a stack
    ObjectType,        ///< the C++ class of the object with virtual functions in the block
    ManagedType,       ///< Managed only, like the next: the type of the object
    ManagedKind,       ///< small, large, pinned
    GcGeneration,      ///< GcHeap only
    Allocation,        ///< each single row: only below the last key, see GroupedTable::rows(); no table offers it
    // Aggregates: numbers of a group.
    Count,
    Size,
    ImpactingSize,
    Allocated,
    Freed,
    PeakSize,
    PeakTime,  ///< first time at which Peak Size was reached
    Slope,     ///< growth rate of the outstanding amount
    Trend,     ///< the outstanding amount over time: kTrendParts amounts
    Resident,  ///< bytes on resident pages, at a sample of resident memory
    HeldPages, ///< resident pages that only rows of the group use, at a sample
    Retained,  ///< bytes that would be unreachable without the blocks of the group, in a picture of memory
};
inline constexpr auto kColumnCount = enumeratorCount<Column>();

/// Keys of Column::Type: bit 1 = allocated inside the interval, bit 0 = freed inside.
enum class RowType : std::uint8_t { AOFO, AOFI, AIFO, AIFI };
/// Keys of Column::ImpactingType.
enum class Impact : std::uint8_t { Impacting, Transient, Persistent };
/// Keys of Column::FreeType are the values of store::EndKind (None: outstanding), and this.
inline constexpr std::uint64_t kUnmatchedFreeType = 9;

/// The value of one cell for the rows of a group. Rows without a value in the column (outstanding rows have no free
/// time) are ignored by every aggregation. A group without values has no value, except that Count and UniqueCount are
/// 0.
enum class Aggregation : std::uint8_t {
    Own,   ///< the default of the column: Sum of numbers that add up, otherwise the one value that all rows share
    Sum,   ///< limited to the largest duration, 292 years
    Count, ///< rows with a value
    Min,
    Max,
    Average,         ///< rounded to the nearest byte or nanosecond
    WeightedAverage, ///< the same, weighted by the bytes of each row; none without bytes
    UniqueCount,     ///< distinct values; for stacks: distinct sequences of addresses in one process
    Peak,            ///< the highest outstanding amount of the group at one instant (Size: bytes, Count: rows)
};

/// A column and the aggregation of its cells. A Column alone means the default of the column.
struct ValueColumn {
    Column column = Column::Size;
    Aggregation aggregation = Aggregation::Own;

    constexpr ValueColumn() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a list of columns is a list of value columns
    constexpr ValueColumn(Column ofColumn, Aggregation by = Aggregation::Own) : column(ofColumn), aggregation(by) {}
    friend constexpr bool operator==(const ValueColumn&, const ValueColumn&) = default;
};

/// The type of a column's values.
enum class ValueKind : std::uint8_t {
    Text,
    Count,
    Bytes,
    SignedBytes,
    BytesPerSecond, ///< signed
    Time,
    Duration,
    Hex,
    Series, ///< bytes, one value after the other
};

[[nodiscard]] bool isAggregate(Column column);
[[nodiscard]] bool isStack(Column column);
/// Whether it is a stack that expands from the leaf, without allocator frames.
[[nodiscard]] bool isBottomUp(Column column);
/// Whether it shows stack tags. These columns have no frames, even if they expand like a stack.
[[nodiscard]] bool isOfTags(Column column);
/// Whether its rows are frames: a stack column without tags.
[[nodiscard]] bool showsFrames(Column column);
/// The same stack in the opposite order; other columns are returned unchanged.
[[nodiscard]] Column reversedStack(Column column);
/// Whether it is the stack that allocated the freed memory: in Frees, the stack of a different call than the row's own.
[[nodiscard]] bool isAllocStack(Column column);
/// Whether it shows names of frames, or source positions.
[[nodiscard]] bool showsNames(Column column);
/// Whether it differs between rows of one site (times, addresses, sizes). Grouping by it reads every row of a group.
[[nodiscard]] bool isOfSingleRows(Column column);
/// The kind of value(): Count(Thread) is a number of rows, Max(Size) is bytes.
[[nodiscard]] ValueKind valueKind(ValueColumn column);
/// Process and thread ids: numbers that are identifiers, not amounts.
[[nodiscard]] bool isId(ValueColumn column);
/// Whether the initial sort by it shows the largest values first.
[[nodiscard]] bool startsDescending(ValueColumn column);
/// In display order.
[[nodiscard]] std::span<const Column> columnsOf(Table table);
[[nodiscard]] bool hasColumn(Table table, Column column);
/// WPA's name of the column in that table ("Commit Stack" in VirtualAlloc is "Stack" in Heap).
[[nodiscard]] std::string_view columnName(Table table, Column column);
/// Finds a column by WPA's name in that table, or by an alias (ColumnSpec::aliases: "Stack", "Thread", "Impacting
/// Type", ...). Case-insensitive. Every table accepts aggregates; those that it does not fill have no values.
[[nodiscard]] std::optional<Column> parseColumn(Table table, std::string_view name);

/// The available aggregations of the column in that table; the first is the default (Own, or Sum of numbers that add
/// up). Empty for columns that the table does not have.
[[nodiscard]] std::span<const Aggregation> aggregationsOf(Table table, Column column);
/// WPA's names: "Sum", "Unique Count", ...; "" for Own.
[[nodiscard]] std::string_view aggregationName(Aggregation aggregation);
/// The same values under their shortest name: Sum(Size) is Size, Peak Size is Peak(Size). Used to compare two columns,
/// and to check the current aggregation in a menu.
[[nodiscard]] ValueColumn normalized(ValueColumn column);
/// "Max(Commit LifeTime)", "Unique Count(Thread)"; the plain name of the column for Own.
[[nodiscard]] std::string valueColumnName(Table table, ValueColumn column);
/// Parses the result of valueColumnName, case-insensitive, with the aliases of parseColumn ("max(lifetime)"), and also
/// without the blank ("UniqueCount(Thread)"). Nothing for aggregations that aggregationsOf does not offer.
[[nodiscard]] std::optional<ValueColumn> parseValueColumn(Table table, std::string_view name);

/// A key and the word that it means, as in the column Type.
struct KeyWord {
    std::uint64_t key = 0;
    std::string_view text = {};
    const char* definition = ""; ///< a sentence; empty: the word is sufficient
};
/// The word of a key in the column; null: none.
[[nodiscard]] const KeyWord* findWord(Column column, std::uint64_t key);
/// The text of a key in a column with words (Type, ImpactingType, Source, ...); "" for other columns.
[[nodiscard]] std::string enumText(Column column, std::uint64_t key);

/// The peak of each of several equal parts of the interval. Immutable; copies share the amounts.
struct Series {
    std::shared_ptr<const std::vector<SignedByteCount>> amounts; ///< not null
    friend bool operator==(const Series& a, const Series& b) { return *a.amounts == *b.amounts; }
    friend auto operator<=>(const Series& a, const Series& b) { return *a.amounts <=> *b.amounts; }
};
/// The number of parts of the interval for Column::Trend.
inline constexpr std::uint32_t kTrendParts = 32;

/// A cell value: nothing, a number (bytes, counts, addresses; see the column's ValueKind), a time, text, or a series.
using CellValue = std::variant<std::monostate, std::int64_t, TraceTime, std::string, Series>;

} // namespace highwater::analysis

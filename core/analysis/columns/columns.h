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

/// What can be looked at: WPA's tables.
enum class Table : std::uint8_t {
    VirtualAlloc, ///< VirtualAlloc Commit LifeTimes
    Heap,         ///< Heap Allocations
    Frees,        ///< every release, matched or not, of both
    Snapshot,     ///< Heap Snapshot: what is outstanding of heaps at each snapshot
    Managed,      ///< Managed Allocations: samples of what a runtime allocated on its own heap
    GcHeap,       ///< GC Heap Size: how large its generations were
};
/// All of them, in the order in which they are offered.
inline constexpr std::array kTables{Table::VirtualAlloc, Table::Heap,    Table::Frees,
                                    Table::Snapshot,     Table::Managed, Table::GcHeap};
/// Whether its rows are allocations, which are outstanding for a time: not releases, nor what is there at an instant.
[[nodiscard]] constexpr bool isOfAllocations(Table table) {
    return table == Table::VirtualAlloc || table == Table::Heap;
}
/// Whether its rows are there for a time, so that there is an amount at each instant, and a highest one.
[[nodiscard]] constexpr bool hasLevels(Table table) { return isOfAllocations(table) || table == Table::GcHeap; }
/// Whether its rows are events, of which each counts at its instant: amounts over time add up.
[[nodiscard]] constexpr bool isOfEvents(Table table) { return table == Table::Frees || table == Table::Managed; }
/// "virtualalloc", "heap", "frees", "snapshot", "managed", "gcheap": the command line's words.
[[nodiscard]] std::optional<Table> parseTable(std::string_view word);
[[nodiscard]] std::string_view tableWord(Table table);
/// "VirtualAlloc Commit LifeTimes", ...
[[nodiscard]] std::string_view tableTitle(Table table);

/// A column of any table. What is to be known about it, and in which tables it is, stands in column_specs.cpp; the
/// order here means nothing.
enum class Column : std::uint8_t {
    // Keys: what rows can be grouped by.
    Process,     ///< "name.exe (pid)"
    ProcessName, ///< "name.exe"
    Pid,
    Handle,             ///< heap handle
    Thread,             ///< allocating (committing) thread; of Frees: the freeing thread
    ThreadName,         ///< what that thread was called last; threads of one name together
    Type,               ///< AIFI, AIFO, AOFI, AOFO
    ImpactingType,      ///< Impacting, Transient, Persistent
    Stack,              ///< root first; opens frame by frame. Of Frees: the stack that freed
    StackBottomUp,      ///< leaf first, without the allocator frames at the leaf's end
    AllocStack,         ///< Frees only: the stack that allocated what was freed
    AllocStackBottomUp, ///< Frees only: the same, as StackBottomUp
    StackTag,           ///< what the stack is for: the best tag of its frames (see StackTags)
    FrameTags,          ///< the stack root first, functions with a tag by that; opens as Stack does
    AllocStackTag,      ///< Frees only, as the next: of the stack that allocated what was freed
    AllocFrameTags,
    Source, ///< heap path: lookaside, low-fragmentation heap, ...
    IsRealloc,
    Temporary,  ///< freed by the next thing that its thread did with a heap
    FreeType,   ///< how it ended: Free, ReAlloc, Heap destroyed, Free lost, Decommit, Release, Process exit; Unmatched
    Memory,     ///< Frees only: Heap or VirtualAlloc
    SourceLine, ///< "file:line" of the code: see SourceLines; of a row that is a frame, of that frame
    Annotation, ///< the user's label: see Annotations
    Address,
    PageAddress,       ///< address rounded down to 4 KiB
    BeginTime,         ///< Commit Time, AllocTime
    EndTime,           ///< Decommit Time, FreeTime
    LifeTime,          ///< end - begin; none while outstanding
    SelectionLifeTime, ///< the part of the lifetime inside the interval
    RowSize,           ///< the size of one row as a key ("Allocation Size")
    Instance,          ///< Heap Snapshot only, as what follows: the number of the snapshot
    SnapTime,          ///< when it was taken
    StackId,           ///< a number of the stack, in the window and in one answer only
    StackDepth,        ///< how many calls it has
    Generation,        ///< between which marks it was allocated
    SurvivedMarks,     ///< at how many marks of the interval it was outstanding
    Owner,             ///< VirtualAlloc only: whose pages these are (store::PageOwner)
    ManagedType,       ///< Managed only, as the next: the type of the object
    ManagedKind,       ///< small, large, pinned
    GcGeneration,      ///< GcHeap only
    Allocation,        ///< each row by itself: below the last key only, see GroupedTable::rows(); no table offers it
    // Aggregates: numbers of a group.
    Count,
    Size,
    ImpactingSize,
    Allocated,
    Freed,
    PeakSize,
    PeakTime, ///< when Peak Size was reached first
    Slope,    ///< how fast what is outstanding grows
    Trend,    ///< how what is outstanding went: kTrendParts amounts
};
inline constexpr auto kColumnCount = enumeratorCount<Column>();

/// Keys of Column::Type: bit 1 = allocated inside the interval, bit 0 = freed inside.
enum class RowType : std::uint8_t { AOFO, AOFI, AIFO, AIFI };
/// Keys of Column::ImpactingType.
enum class Impact : std::uint8_t { Impacting, Transient, Persistent };
/// Keys of Column::FreeType are those of store::EndKind (None: outstanding), and this.
inline constexpr std::uint64_t kUnmatchedFreeType = 9;

/// What stands in one cell for the rows of a group. Rows that have no value in the column (outstanding ones have no
/// free time) are no part of any of them: a group without a single value has none, Count and UniqueCount say 0.
enum class Aggregation : std::uint8_t {
    Own,   ///< what the column does by itself: Sum of numbers that add up, else the one value that all rows share
    Sum,   ///< not of more than fits: durations end at 292 years
    Count, ///< rows that have a value
    Min,
    Max,
    Average,         ///< rounded to the nearest byte or nanosecond
    WeightedAverage, ///< the same, each value as often as its row has bytes; none where there are no bytes
    UniqueCount,     ///< different values; of stacks: different sequences of addresses in one process
    Peak,            ///< the highest outstanding amount of the group (Size: bytes, Count: rows) at one instant
};

/// A column and what its cells say. A Column alone is what the column does by itself.
struct ValueColumn {
    Column column = Column::Size;
    Aggregation aggregation = Aggregation::Own;

    constexpr ValueColumn() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a list of columns is a list of value columns
    constexpr ValueColumn(Column ofColumn, Aggregation by = Aggregation::Own) : column(ofColumn), aggregation(by) {}
    friend constexpr bool operator==(const ValueColumn&, const ValueColumn&) = default;
};

/// Which values a column has.
enum class ValueKind : std::uint8_t {
    Text,
    Count,
    Bytes,
    SignedBytes,
    BytesPerSecond, ///< signed
    Time,
    Duration,
    Hex,
    Series, ///< bytes, one after the other
};

[[nodiscard]] bool isAggregate(Column column);
[[nodiscard]] bool isStack(Column column);
/// Whether it is a stack that opens from the leaf, without allocator frames.
[[nodiscard]] bool isBottomUp(Column column);
/// Whether it says what stack tags say: these columns know no frames, even where they open as a stack does.
[[nodiscard]] bool isOfTags(Column column);
/// Whether its rows are frames: a stack that is not told by tags.
[[nodiscard]] bool showsFrames(Column column);
/// The same stack read from its other end; other columns are returned as they are.
[[nodiscard]] Column turnedStack(Column column);
/// Whether it is the stack that allocated what was freed: in Frees, that of another call than the row's own.
[[nodiscard]] bool isAllocStack(Column column);
/// Whether it says what frames are called, or where their code was written.
[[nodiscard]] bool showsNames(Column column);
/// Whether rows of one site differ in it (times, addresses, sizes): grouping by it looks at every row of a group.
[[nodiscard]] bool isOfSingleRows(Column column);
/// The kind of what value() says: Count(Thread) is a number of rows, Max(Size) is bytes.
[[nodiscard]] ValueKind valueKind(ValueColumn column);
/// Process and thread ids: numbers that are names, not amounts.
[[nodiscard]] bool isId(ValueColumn column);
/// Whether the largest values come first when one begins to sort by it.
[[nodiscard]] bool startsDescending(ValueColumn column);
/// In the order in which they are offered.
[[nodiscard]] std::span<const Column> columnsOf(Table table);
[[nodiscard]] bool hasColumn(Table table, Column column);
/// WPA's name of the column in that table ("Commit Stack" of VirtualAlloc is "Stack" of Heap).
[[nodiscard]] std::string_view columnName(Table table, Column column);
/// By WPA's name in that table, or an alias (ColumnSpec::aliases: "Stack", "Thread", "Impacting Type", ...).
/// Case-insensitive. Aggregates are known to every table; those it does not fill have no values.
[[nodiscard]] std::optional<Column> parseColumn(Table table, std::string_view name);

/// What can be asked of the column in that table; the first is what it does by itself (Own, or Sum of numbers that add
/// up). Empty for columns that the table does not have.
[[nodiscard]] std::span<const Aggregation> aggregationsOf(Table table, Column column);
/// WPA's words: "Sum", "Unique Count", ...; "" for Own.
[[nodiscard]] std::string_view aggregationName(Aggregation aggregation);
/// The same values under their shortest name: Sum(Size) is Size, Peak Size is Peak(Size). To find out what two columns
/// have in common, or which aggregation to tick in a menu.
[[nodiscard]] ValueColumn normalized(ValueColumn column);
/// "Max(Commit LifeTime)", "Unique Count(Thread)"; the plain name of the column for Own.
[[nodiscard]] std::string valueColumnName(Table table, ValueColumn column);
/// What valueColumnName says, case-insensitive, with the aliases of parseColumn ("max(lifetime)"); also without the
/// blank ("UniqueCount(Thread)"). Nothing for aggregations that aggregationsOf does not offer.
[[nodiscard]] std::optional<ValueColumn> parseValueColumn(Table table, std::string_view name);

/// A key that stands for a word, as those of Type do.
struct KeyWord {
    std::uint64_t key = 0;
    std::string_view text = {};
    const char* definition = ""; ///< a sentence; empty: the word says all
};
/// The word that a key of the column stands for; null: none.
[[nodiscard]] const KeyWord* findWord(Column column, std::uint64_t key);
/// What a key of a column with words (Type, ImpactingType, Source, ...) reads like; "" for other columns.
[[nodiscard]] std::string enumText(Column column, std::uint64_t key);

/// Amounts of equal parts of the interval, the highest of each. Copies share them; they do not change.
struct Series {
    std::shared_ptr<const std::vector<SignedByteCount>> amounts; ///< not null
    friend bool operator==(const Series& a, const Series& b) { return *a.amounts == *b.amounts; }
    friend auto operator<=>(const Series& a, const Series& b) { return *a.amounts <=> *b.amounts; }
};
/// How many parts the interval has for Column::Trend.
inline constexpr std::uint32_t kTrendParts = 32;

/// A value of a cell: nothing, a number (bytes, counts, addresses by the column's ValueKind), a time, text, or a
/// series.
using CellValue = std::variant<std::monostate, std::int64_t, TraceTime, std::string, Series>;

} // namespace highwater::analysis

#include "core/analysis/columns/column_specs.h"

#include "core/analysis/columns/key_words.h"
#include "core/base/enum_table.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

using enum Aggregation;
using enum ColumnRole;

constexpr std::array kOfSizes{Sum, Aggregation::Count, Min, Max, Average, UniqueCount, Peak};
constexpr std::array kOfCounts{Sum, Peak};
constexpr std::array kOfCountsOfRows{Own, Min, Max, Aggregation::Count, UniqueCount};
constexpr std::array kOfChanges{Sum, Min, Max, Average};
constexpr std::array kOfWholeGroups{Own};
constexpr std::array kOfTimes{Own, Min, Max, UniqueCount, Aggregation::Count};
constexpr std::array kOfAmounts{Own, Sum, Min, Max, Average, WeightedAverage, Aggregation::Count, UniqueCount};
constexpr std::array kOfAddresses{Own, Aggregation::Count, UniqueCount, Min, Max};

constexpr std::string_view kUsualProcess = "MemoryTestApp.exe (42424)";
constexpr std::string_view kUsualFrame = "application.exe!Class::functionName";

} // namespace

// Places go by tens, so that a column can come between two others.
constexpr std::array<ColumnSpec, kColumnCount> kColumnSpecs{{
    {.column = Column::Process,
     .name = "Process",
     .in = {.virtualAlloc = {10}, .heap = {10}, .frees = {10}, .snapshot = {10}, .managed = {10}, .gcHeap = {10}},
     .usualText = kUsualProcess,
     .definition = "The process that the memory belongs to, with its id."},
    {.column = Column::ProcessName,
     .name = "Process Name",
     .in = {.virtualAlloc = {20}, .heap = {20}, .frees = {20}, .snapshot = {20}, .managed = {20}, .gcHeap = {20}},
     .usualText = kUsualProcess,
     .definition = "Processes of one name together."},
    {.column = Column::Pid,
     .name = "PID",
     .in = {.virtualAlloc = {30}, .heap = {30}, .frees = {30}, .snapshot = {30}, .managed = {30}, .gcHeap = {30}},
     .kind = ValueKind::Count,
     .isId = true,
     .definition = "The id of the process."},
    {.column = Column::Handle,
     .name = "Handle",
     .in = {.heap = {40}, .frees = {40}, .snapshot = {40, "Heap Handle"}},
     .kind = ValueKind::Hex,
     .definition = "The heap of the process."},
    {.column = Column::Thread,
     .name = "Thread",
     .in =
         {.virtualAlloc = {50, "Committing ThreadId"}, .heap = {50}, .frees = {50}, .snapshot = {50}, .managed = {50}},
     .aliases = {"Thread"},
     .kind = ValueKind::Count,
     .isId = true,
     .need = ColumnNeed::Threads,
     .definition = "The thread that made the call."},
    {.column = Column::ThreadName,
     .name = "Thread Name",
     .in = {.virtualAlloc = {55}, .heap = {55}, .frees = {55}, .snapshot = {55}, .managed = {55}},
     .aliases = {"ThreadName"},
     .need = ColumnNeed::ThreadNames,
     .usualText = "ThreadPoolForeg",
     .definition = "What the thread that made the call was named last, threads of one name together."},
    {.column = Column::Type,
     .name = "Type",
     .in = {.virtualAlloc = {60}, .heap = {60}},
     .isOfInterval = true,
     .words = kTypeWords,
     .usualText = "Persistent",
     .definition = "Whether a block was allocated, and freed, inside or outside the interval."},
    {.column = Column::ImpactingType,
     .name = "ImpactingType",
     .in = {.virtualAlloc = {70, "Impacting Type"}, .heap = {70}},
     .aliases = {"Impacting Type", "ImpactingType"},
     .isOfInterval = true,
     .needsAsking = true,
     .words = kImpactWords,
     .usualText = "Persistent",
     .definition = "Whether a block changes the outstanding amount of the interval."},
    {.column = Column::Stack,
     .name = "Stack",
     .in = {.virtualAlloc = {80, "Commit Stack"}, .heap = {80}, .frees = {80}, .snapshot = {80}, .managed = {80}},
     .aliases = {"Stack"},
     .role = Stack,
     .need = ColumnNeed::Stacks,
     .usualText = kUsualFrame,
     .definition = "The calls that led here, outermost first."},
    // A text is looked for in the same frames once: those of Stack and of Alloc Stack.
    {.column = Column::StackBottomUp,
     .name = "Stack (bottom-up)",
     .in = {.virtualAlloc = {90, "Commit Stack (bottom-up)"},
            .heap = {90},
            .frees = {90},
            .snapshot = {90},
            .managed = {90}},
     .aliases = {"Stack (bottom-up)"},
     .role = Stack,
     .isInTextSearch = false,
     .need = ColumnNeed::Stacks,
     .usualText = kUsualFrame,
     .definition = "The calls that led here, innermost first, allocator functions skipped."},
    {.column = Column::AllocStack,
     .name = "Alloc Stack",
     .in = {.frees = {100}},
     .aliases = {"AllocStack"},
     .role = Stack,
     .need = ColumnNeed::AllocStacks,
     .usualText = kUsualFrame,
     .definition = "The calls that allocated what was freed here."},
    {.column = Column::AllocStackBottomUp,
     .name = "Alloc Stack (bottom-up)",
     .in = {.frees = {105}},
     .aliases = {"AllocStack (bottom-up)"},
     .role = Stack,
     .isInTextSearch = false,
     .need = ColumnNeed::AllocStacks,
     .usualText = kUsualFrame,
     .definition = "The calls that allocated what was freed here, innermost first, allocator functions skipped."},
    // Tags are found by names: a text is looked for in them by who asks for them.
    {.column = Column::StackTag,
     .name = "Stack Tag",
     .in = {.virtualAlloc = {91}, .heap = {91}, .frees = {91}, .snapshot = {91}, .managed = {91}},
     .aliases = {"Commit Stack Tag", "StackTag"},
     .needsAsking = true,
     .isInTextSearch = false,
     .need = ColumnNeed::Stacks,
     .usualText = "JavaScript\\V8 Heap",
     .definition = "What the calls that led here are for: of their stack tags the one with the highest priority."},
    {.column = Column::FrameTags,
     .name = "Stack (Frame Tags)",
     .in = {.virtualAlloc = {93}, .heap = {93}, .frees = {93}, .snapshot = {93}, .managed = {93}},
     .aliases = {"Commit Stack (Frame Tags)", "Frame Tags"},
     .role = Stack,
     .isInTextSearch = false,
     .need = ColumnNeed::Stacks,
     .usualText = kUsualFrame,
     .definition = "The calls that led here, outermost first, those that have a stack tag by that."},
    {.column = Column::AllocStackTag,
     .name = "Alloc Stack Tag",
     .in = {.frees = {106}},
     .aliases = {"AllocStackTag"},
     .needsAsking = true,
     .isInTextSearch = false,
     .need = ColumnNeed::AllocStacks,
     .usualText = "JavaScript\\V8 Heap",
     .definition = "The same as Stack Tag, of the calls that allocated what was freed here."},
    {.column = Column::AllocFrameTags,
     .name = "Alloc Stack (Frame Tags)",
     .in = {.frees = {107}},
     .aliases = {"Alloc Frame Tags"},
     .role = Stack,
     .isInTextSearch = false,
     .need = ColumnNeed::AllocStacks,
     .usualText = kUsualFrame,
     .definition = "The calls that allocated what was freed here, those that have a stack tag by that."},
    {.column = Column::Source,
     .name = "Source",
     .in = {.heap = {120}},
     .order = ValueOrder::Unsigned,
     .need = ColumnNeed::HeapPaths,
     .words = kSourceWords,
     .usualText = "Low fragmentation heap",
     .definition = "The path through the heap that served the call."},
    {.column = Column::IsRealloc,
     .name = "Is Realloc",
     .in = {.heap = {130}},
     .aliases = {"IsRealloc"},
     .order = ValueOrder::Unsigned,
     .needsAsking = true,
     .words = kReallocWords,
     .definition = "Whether a reallocation made the block."},
    {.column = Column::Temporary,
     .name = "Temporary",
     .in = {.heap = {135}},
     .order = ValueOrder::Unsigned,
     .needsAsking = true,
     .need = ColumnNeed::Ends,
     .words = kTemporaryWords,
     .definition = "Whether the thread freed the block by the next thing that it did with a heap."},
    {.column = Column::FreeType,
     .name = "FreeType",
     .in = {.virtualAlloc = {140}, .heap = {140}, .frees = {60}},
     .aliases = {"Free Type"},
     .needsAsking = true,
     .words = kFreeTypeWords,
     .definition = "How the block ended."},
    {.column = Column::Memory,
     .name = "Memory",
     .in = {.frees = {70}},
     .words = kMemoryWords,
     .definition = "Whether heap or VirtualAlloc memory was released."},
    // Files are searched by who asks for them.
    {.column = Column::SourceLine,
     .name = "Source File:Line",
     .in = {.virtualAlloc = {110}, .heap = {110}, .frees = {110}, .snapshot = {110}, .managed = {110}},
     .aliases = {"Source File", "Source Line", "SourceLine"},
     .needsAsking = true,
     .isInTextSearch = false,
     .isOfferedAsValue = true,
     .need = ColumnNeed::Stacks,
     .definition = "File and line: of a frame its code, of other rows the line that asked for the memory."},
    // Like names, labels are searched by who asks for them: else every text would need every label's query.
    {.column = Column::Annotation,
     .name = "Annotation",
     .in = {.virtualAlloc = {115}, .heap = {115}, .frees = {115}, .snapshot = {115}, .managed = {115}},
     .needsAsking = true,
     .isInTextSearch = false,
     .definition = "A label of your own, given to the rows that match a query."},
    {.column = Column::Address,
     .name = "Address",
     .in = {.virtualAlloc = {150}, .heap = {150}, .frees = {150}, .snapshot = {150, "Allocation Address"}},
     .role = RowKey,
     .kind = ValueKind::Hex,
     .aggregations = kOfAddresses,
     .definition = "Where the block begins."},
    {.column = Column::PageAddress,
     .name = "Page Address",
     .in = {.virtualAlloc = {160}, .heap = {160}, .frees = {160}, .snapshot = {160}},
     .aliases = {"PageAddress"},
     .role = RowKey,
     .kind = ValueKind::Hex,
     .aggregations = kOfAddresses,
     .definition = "The address rounded down to 4 KB."},
    {.column = Column::BeginTime,
     .name = "AllocTime",
     .in = {.virtualAlloc = {170, "Commit Time"},
            .heap = {170},
            .frees = {170},
            .managed = {.place = 170, .name = "Time", .definition = "When it was allocated."},
            .gcHeap = {.place = 170, .name = "Time", .definition = "When its size was told: after a collection."}},
     .role = RowKey,
     .kind = ValueKind::Time,
     .aggregations = kOfTimes,
     .definition = "When the block was allocated."},
    {.column = Column::EndTime,
     .name = "FreeTime",
     .in = {.virtualAlloc = {180, "Decommit Time"}, .heap = {180}, .frees = {180}},
     .role = RowKey,
     .kind = ValueKind::Time,
     .aggregations = kOfTimes,
     .need = ColumnNeed::Ends,
     .definition = "When the block was freed; empty while it is outstanding."},
    {.column = Column::LifeTime,
     .name = "LifeTime",
     .in = {.virtualAlloc = {190, "Commit LifeTime"}, .heap = {190}, .frees = {190}},
     .aliases = {"LifeTime"},
     .role = RowKey,
     .kind = ValueKind::Duration,
     .aggregations = kOfAmounts,
     .need = ColumnNeed::Ends,
     .definition = "From allocation to free; empty while the block is outstanding."},
    {.column = Column::SelectionLifeTime,
     .name = "SelectionLifeTime",
     .in = {.virtualAlloc = {200}, .heap = {200}},
     .role = RowKey,
     .kind = ValueKind::Duration,
     .aggregations = kOfAmounts,
     .isOfInterval = true,
     .definition = "The part of the lifetime that lies inside the interval."},
    {.column = Column::RowSize,
     .name = "Allocation Size",
     .in = {.virtualAlloc = {210},
            .heap = {210},
            .frees = {210},
            .snapshot = {210},
            .managed = {.place = 210, .definition = "How many bytes one sample stands for."},
            .gcHeap = {.place = 210,
                       .name = "Generation Size",
                       .definition = "How large the generation was after one collection."}},
     .role = RowKey,
     .kind = ValueKind::Bytes,
     .aggregations = kOfAmounts,
     .definition = "The size of one block."},
    {.column = Column::Instance,
     .name = "Instance",
     .in = {.snapshot = {5}},
     .kind = ValueKind::Count,
     .isId = true,
     .definition = "The number of the snapshot, 1 being the first."},
    {.column = Column::SnapTime,
     .name = "Snap Time",
     .in = {.snapshot = {6}},
     .aliases = {"SnapTime"},
     .kind = ValueKind::Time,
     .definition = "When the snapshot was taken."},
    {.column = Column::StackId,
     .name = "Stack ID",
     .in = {.snapshot = {94}},
     .aliases = {"StackId"},
     .kind = ValueKind::Count,
     .isId = true,
     .need = ColumnNeed::Stacks,
     .definition = "A number of the whole stack: the same for the same calls, in this trace as it is read now."},
    {.column = Column::StackDepth,
     .name = "Stack Depth",
     .in = {.snapshot = {96}},
     .aliases = {"StackDepth"},
     .kind = ValueKind::Count,
     .need = ColumnNeed::Stacks,
     .definition = "How many calls the stack has, as recorded: without inlined functions."},
    // A text that names no column is not looked for in it: that would read every row.
    {.column = Column::Generation,
     .name = "Generation",
     .in = {.virtualAlloc = {162}, .heap = {162}, .managed = {162}},
     .role = RowKey,
     .order = ValueOrder::Unsigned,
     .isOfMarks = true,
     .isInTextSearch = false,
     .isOfferedAsValue = false,
     .usualText = "2. Warmed up to Loaded",
     .definition = "Between which marks the block was allocated. Ctrl+M makes marks, on the command line --mark."},
    {.column = Column::SurvivedMarks,
     .name = "Survived Marks",
     .in = {.virtualAlloc = {205}, .heap = {205}},
     .aliases = {"SurvivedMarks"},
     .role = RowKey,
     .kind = ValueKind::Count,
     .aggregations = kOfCountsOfRows,
     .isOfInterval = true,
     .isOfMarks = true,
     .definition = "At how many marks of the interval the block was outstanding."},
    // Who has an address may come to light after the row: each row is looked up when it is asked for.
    {.column = Column::Owner,
     .name = "Owner",
     .in = {.virtualAlloc = {112}},
     .role = RowKey,
     .order = ValueOrder::Unsigned,
     .needsAddress = true,
     .isInTextSearch = false,
     .isOfferedAsValue = false,
     .words = kOwnerWords,
     .usualText = "[GC heap]",
     .definition = "Whose pages they are, as far as events tell."},
    {.column = Column::ManagedType,
     .name = "Type",
     .in = {.managed = {40}},
     .usualText = "System.Collections.Generic.List",
     .definition = "The type of the object."},
    {.column = Column::ManagedKind,
     .name = "Kind",
     .in = {.managed = {45}},
     .words = kManagedKindWords,
     .usualText = "Small",
     .definition = "On which part of the managed heap it was allocated."},
    {.column = Column::GcGeneration,
     .name = "Generation",
     .in = {.gcHeap = {40}},
     .order = ValueOrder::Unsigned,
     .words = kGcGenerationWords,
     .usualText = "Pinned",
     .definition = "The part of the managed heap."},
    {.column = Column::Allocation,
     .name = "Allocation",
     .in = {},
     .role = RowKey,
     .isInTextSearch = false,
     .isOfferedAsValue = false,
     .definition = "A single allocation."},
    {.column = Column::Count,
     .name = "Count",
     .in = {.virtualAlloc = {220},
            .heap = {220},
            .frees = {220},
            .snapshot = {220},
            .managed = {.place = 220, .definition = "Allocations that were sampled: about one for each 100 KB."},
            .gcHeap = {.place = 220, .definition = "How often its size was told: once after each collection."}},
     .role = Aggregate,
     .kind = ValueKind::Count,
     .aggregations = kOfCounts,
     .definition = "Allocations that are outstanding for some part of the interval."},
    {.column = Column::Size,
     .name = "Size",
     .in = {.virtualAlloc = {230},
            .heap = {230},
            .frees = {230},
            .snapshot = {230},
            .managed = {.place = 230,
                        .title = "Size (sampled)",
                        .definition = "Bytes that were allocated, freed or not, as the samples stand for them: about "
                                      "100 KB each."}},
     .role = Aggregate,
     .kind = ValueKind::Bytes,
     .aggregations = kOfSizes,
     .definition = "Sum of the sizes of these allocations, freed or not."},
    {.column = Column::ImpactingSize,
     .name = "Impacting Size",
     .in = {.virtualAlloc = {240},
            .heap = {240},
            .gcHeap = {.place = 240, .definition = "Size at the end of the interval minus that at its start."}},
     .role = Aggregate,
     .kind = ValueKind::SignedBytes,
     .aggregations = kOfChanges,
     .isOfInterval = true,
     .definition = "Outstanding amount at the end of the interval minus that at its start."},
    {.column = Column::Allocated,
     .name = "Allocated",
     .in = {.virtualAlloc = {250}, .heap = {250}},
     .role = Aggregate,
     .kind = ValueKind::Bytes,
     .aggregations = kOfChanges,
     .isOfInterval = true,
     .definition = "Bytes allocated inside the interval."},
    {.column = Column::Freed,
     .name = "Freed",
     .in = {.virtualAlloc = {260}, .heap = {260}, .frees = {260}},
     .role = Aggregate,
     .kind = ValueKind::Bytes,
     .aggregations = kOfChanges,
     .isOfInterval = true,
     .definition = "Bytes released inside the interval."},
    {.column = Column::PeakSize,
     .name = "Peak Size",
     .in = {.virtualAlloc = {270},
            .heap = {270},
            .gcHeap = {.place = 270, .definition = "The largest size at one instant of the interval."}},
     .role = Aggregate,
     .kind = ValueKind::Bytes,
     .aggregations = kOfWholeGroups,
     .isOfInterval = true,
     .definition = "The highest outstanding amount at one instant of the interval."},
    {.column = Column::PeakTime,
     .name = "Peak Time",
     .in = {.virtualAlloc = {280},
            .heap = {280},
            .gcHeap = {.place = 280, .definition = "When it was largest; the first time, where it was so again."}},
     .aliases = {"PeakTime"},
     .role = Aggregate,
     .kind = ValueKind::Time,
     .aggregations = kOfWholeGroups,
     .isOfWholeGroups = true,
     .isOfInterval = true,
     .definition = "When the outstanding amount was highest; the first time, where it was so again."},
    {.column = Column::Slope,
     .name = "Slope",
     .in = {.virtualAlloc = {290},
            .heap = {290},
            .gcHeap = {.place = 290, .definition = "How fast it grows, without what comes and goes."}},
     .role = Aggregate,
     .kind = ValueKind::BytesPerSecond,
     .aggregations = kOfWholeGroups,
     .isOfWholeGroups = true,
     .isOfInterval = true,
     .definition = "How fast the outstanding amount grows, without what comes and goes."},
    {.column = Column::Trend,
     .name = "Trend",
     .in = {.virtualAlloc = {300},
            .heap = {300},
            .gcHeap = {.place = 300, .definition = "How its size went over the interval; sorted by its slope."}},
     .role = Aggregate,
     .kind = ValueKind::Series,
     .aggregations = kOfWholeGroups,
     .isOfWholeGroups = true,
     .isOfInterval = true,
     .definition = "How the outstanding amount went over the interval; sorted by its slope."},
}};
static_assert(isEnumTable<&ColumnSpec::column>(kColumnSpecs), "each Column has its entry, in the order of Column");

namespace {

constexpr bool offersPeakLast(const ColumnSpec& spec) {
    const auto peak = std::find(spec.aggregations.begin(), spec.aggregations.end(), Peak);
    return peak == spec.aggregations.end() || peak + 1 == spec.aggregations.end();
}
static_assert(std::all_of(kColumnSpecs.begin(), kColumnSpecs.end(), offersPeakLast));

constexpr auto isIn(Table table) {
    return [table](const ColumnSpec& spec) { return inTable(spec, table).place != 0; };
}
constexpr auto placeIn(Table table) {
    return [table](Column column) { return inTable(kColumnSpecs[static_cast<std::size_t>(column)], table).place; };
}

template <Table table>
constexpr auto columnsInOrder() {
    std::array<Column, std::count_if(kColumnSpecs.begin(), kColumnSpecs.end(), isIn(table))> columns{};
    auto next = columns.begin();
    for (const auto& spec : kColumnSpecs) {
        if (isIn(table)(spec)) *next++ = spec.column;
    }
    std::ranges::sort(columns, {}, placeIn(table));
    return columns;
}

constexpr auto kVirtualAllocColumns = columnsInOrder<Table::VirtualAlloc>();
constexpr auto kHeapColumns = columnsInOrder<Table::Heap>();
constexpr auto kFreesColumns = columnsInOrder<Table::Frees>();
constexpr auto kSnapshotColumns = columnsInOrder<Table::Snapshot>();
constexpr auto kManagedColumns = columnsInOrder<Table::Managed>();
constexpr auto kGcHeapColumns = columnsInOrder<Table::GcHeap>();

constexpr bool haveOwnPlaces(std::span<const Column> columns, Table table) {
    return std::ranges::adjacent_find(columns, {}, placeIn(table)) == columns.end();
}
static_assert(haveOwnPlaces(kVirtualAllocColumns, Table::VirtualAlloc));
static_assert(haveOwnPlaces(kHeapColumns, Table::Heap));
static_assert(haveOwnPlaces(kFreesColumns, Table::Frees));
static_assert(haveOwnPlaces(kSnapshotColumns, Table::Snapshot));
static_assert(haveOwnPlaces(kManagedColumns, Table::Managed));
static_assert(haveOwnPlaces(kGcHeapColumns, Table::GcHeap));

} // namespace

std::span<const Column> columnsOf(Table table) {
    switch (table) {
    case Table::VirtualAlloc:
        return kVirtualAllocColumns;
    case Table::Heap:
        return kHeapColumns;
    case Table::Frees:
        return kFreesColumns;
    case Table::Managed:
        return kManagedColumns;
    case Table::GcHeap:
        return kGcHeapColumns;
    case Table::Snapshot:
        break;
    }
    return kSnapshotColumns;
}

} // namespace highwater::analysis

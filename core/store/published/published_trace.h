#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/retained_range.h"
#include "core/event/trace_health.h"
#include "core/event/trace_properties.h"
#include "core/store/published/address_event.h"
#include "core/store/published/allocation_table.h"
#include "core/store/published/code_columns.h"
#include "core/store/published/heap_event.h"
#include "core/store/published/managed_types.h"
#include "core/store/published/process_table.h"
#include "core/store/published/rundown_zones.h"
#include "core/store/published/site_table.h"
#include "core/store/published/snapshots.h"
#include "core/store/published/stack_table.h"
#include "core/store/published/thread_names.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace highwater::store {

/// Managed: allocations of managed objects, samples that begin and end at one instant. GcHeap: the size of a generation
/// from one collection to the next.
enum class TableKind : std::uint8_t { VirtualAlloc, Heap, Managed, GcHeap };

/// One heap of one process; handle 0: the address space itself (VirtualAlloc), or, of managed objects, those of one
/// type.
struct Heap {
    ProcessIndex process;
    std::uint32_t managedType = 0; ///< a number of ManagedTypes
    Address handle = 0;
};
static_assert(sizeof(Heap) == 16);

/// A free whose block was not known. Listed under Frees, never subtracted.
struct UnmatchedFree {
    TraceTime time;
    Address address = 0;
    ByteCount bytes = 0; ///< VirtualFree only; 0 for heaps (the event does not say)
    SiteId endSite;
    std::uint32_t reserved = 0;
};
static_assert(sizeof(UnmatchedFree) == 32);

/// What rows refer to by id. It only grows: all generations of a trace (see TraceColumns) share it.
struct TraceNames {
    std::shared_ptr<const void> backing; ///< what columns lie in that were not made here; null: none are
    SiteTable heapSites, heapEndSites;
    SiteTable virtualAllocSites, virtualAllocEndSites;
    SiteTable managedSites, managedEndSites;
    SiteTable gcHeapSites, gcHeapEndSites; ///< kind = GcGeneration
    StackTable stacks;
    ChunkedColumn<Heap> heaps{std::uint64_t{1} << 24}; ///< indexed by HeapId; 0 is a placeholder
    ChunkedColumn<SnapshotBlockRow> snapshotBlocks{std::uint64_t{1} << 31};
    ChunkedColumn<HeapEvent> heapEvents{kMostHeapEvents};
    ChunkedColumn<AddressEvent> addressEvents{kMostAddressEvents};
    CodeColumns code;
    ManagedTypes managedTypes;

    /// The writer is gone, for all generations: what only it needed goes, too.
    void endInterning() {
        for (auto* sites : {&heapSites, &heapEndSites, &virtualAllocSites, &virtualAllocEndSites, &managedSites,
                            &managedEndSites, &gcHeapSites, &gcHeapEndSites})
            sites->endInterning();
        stacks.endInterning();
    }
};

/// One table with the sites of its rows.
struct TableColumns {
    TableColumns(SiteTable& begins, SiteTable& ends) : sites(begins), endSites(ends) {}

    SiteTable& sites;    ///< where rows began
    SiteTable& endSites; ///< where rows ended; 0 = not ended
    AllocationTable rows;
    ChunkedColumn<UnmatchedFree> unmatchedFrees{std::uint64_t{1} << 28};
    Evicted evicted; ///< writer only
};

/// All columns of a trace. Owned by the store and by every published prefix: a view may outlive the store. They are
/// freed on a thread of their own (BackgroundDelete), whoever lets go of them last. A trace that keeps only its newest
/// part goes on in a new generation now and then, in which rows have other numbers; stacks, sites and heaps keep
/// theirs.
struct TraceColumns {
    TraceColumns() = default;
    /// The next generation.
    explicit TraceColumns(std::shared_ptr<TraceNames> shared) : names(std::move(shared)) {}

    std::shared_ptr<TraceNames> names = std::make_shared<TraceNames>();
    TableColumns heap{names->heapSites, names->heapEndSites};
    TableColumns virtualAlloc{names->virtualAllocSites, names->virtualAllocEndSites};
    TableColumns managed{names->managedSites, names->managedEndSites};
    TableColumns gcHeap{names->gcHeapSites, names->gcHeapEndSites};
    StackTable& stacks = names->stacks;
    ChunkedColumn<Heap>& heaps = names->heaps;
    ChunkedColumn<SnapshotBlockRow>& snapshotBlocks = names->snapshotBlocks;
    TraceTime retainedFrom = kBeforeTrace; ///< writer only

    [[nodiscard]] const TableColumns& table(TableKind kind) const {
        switch (kind) {
        case TableKind::Heap:
            return heap;
        case TableKind::Managed:
            return managed;
        case TableKind::GcHeap:
            return gcHeap;
        case TableKind::VirtualAlloc:
            break;
        }
        return virtualAlloc;
    }
};

/// How much of one table a reader may see. Rows [0, rows), events [0, events), ... as they stood at publication; ends
/// at or after `horizon` count as none, so that the answer never changes. Rows that begin, and events that happen, at
/// or after the horizon may be among them already: they lie outside every interval that ends at the horizon or before.
/// Any thread, no lock.
struct TableView {
    const TableColumns* columns = nullptr;
    TraceTime horizon;
    std::uint64_t rows = 0;
    std::uint64_t events = 0;
    std::uint64_t partials = 0;
    std::uint64_t reallocMarks = 0;
    std::uint64_t olderRows = 0;
    std::uint64_t unmatchedFrees = 0;
    SignedByteCount olderBytes = 0;
    std::uint32_t sites = 0;
    std::uint32_t endSites = 0;
    Evicted evicted; ///< what ended before the trace's window began, and is not here

    [[nodiscard]] TraceTime begin(RowId row) const { return columns->rows.beginTime(row); }
    [[nodiscard]] TraceTime end(RowId row) const {
        const auto time = columns->rows.endTime(row);
        return time < horizon ? time : kNever;
    }
    [[nodiscard]] ByteCount size(RowId row) const { return columns->rows.size(row); }
    [[nodiscard]] const Site& site(RowId row) const { return columns->sites[columns->rows.site(row)]; }
    /// Only for rows with an end.
    [[nodiscard]] const Site& endSite(RowId row) const { return columns->endSites[columns->rows.endSite(row)]; }
};

/// A prefix of the trace that never changes again. Made by TraceStore::publish; any thread, no lock.
struct PublishedTrace {
    std::shared_ptr<const TraceColumns> columns;
    std::shared_ptr<const ProcessTable> processes;
    std::shared_ptr<const ThreadNames> threadNames; ///< null: none are known
    TableView heap;
    TableView virtualAlloc;
    TableView managed;
    TableView gcHeap;
    TraceTime horizon; ///< everything before it is here: end of the whole trace
    /// Rows that ended before it are not here: kBeforeTrace, or where a recording that keeps only its newest part
    /// begins.
    TraceTime retainedFrom = kBeforeTrace;
    std::uint32_t stackRevision = 0;
    std::uint32_t stackCount = 1;
    std::uint32_t nodeCount = 1;
    std::uint64_t heapEvents = 0;  ///< of TraceNames::heapEvents; those at or after the horizon have not happened yet
    std::uint64_t codeEntries = 0; ///< of CodeColumns::entries
    std::uint64_t codeMethods = 0; ///< of CodeColumns::methods
    std::uint64_t codeIlMaps = 0;  ///< of CodeColumns::maps
    std::uint64_t codeNamed = 0;   ///< of CodeColumns::named; 0: debug files tell the names
    /// Of TraceNames::addressEvents; those at or after the horizon have not happened yet.
    std::uint64_t addressEvents = 0;
    bool isOfAgent = false; ///< recorded by Highwater's agent, on Linux
    TraceLacks lacks;       ///< of a file of another profiler
    HealthReport health;
    std::size_t passingNotes = 0; ///< of health.notes, the last: they are about this run of the program
    RundownZones rundown;
    SharedSnapshots snapshots;        ///< null: none
    std::uint64_t snapshotBlocks = 0; ///< of TraceColumns::snapshotBlocks; some may belong to none of the snapshots
    std::uint64_t number = 0;         ///< counts publications

    /// What can be asked about: all, or as far back as the trace was kept.
    [[nodiscard]] TimeRange wholeRange() const {
        const auto start = std::max(TraceTime{0}, retainedFrom);
        return {start, std::max(start, horizon)};
    }
    /// Whether the trace began earlier than wholeRange() does. What was outstanding then is known; what had ended is
    /// not.
    [[nodiscard]] bool isTrimmed() const { return retainedFrom > TraceTime{0}; }
    [[nodiscard]] const TableView& table(TableKind kind) const {
        switch (kind) {
        case TableKind::Heap:
            return heap;
        case TableKind::Managed:
            return managed;
        case TableKind::GcHeap:
            return gcHeap;
        case TableKind::VirtualAlloc:
            break;
        }
        return virtualAlloc;
    }
    [[nodiscard]] const Heap& heapOf(const Site& site) const { return columns->heaps[site.heap.value]; }
    /// What the thread of the site was called last. 0: it has no name.
    [[nodiscard]] ThreadNameId threadNameOf(const Site& site) const {
        return threadNames ? threadNames->of(site.thread, site.threadLife) : ThreadNameId{};
    }
    [[nodiscard]] FrameNodeId leaf(StackId stack) const { return columns->stacks.leaf(stack, stackRevision); }
};

} // namespace highwater::store

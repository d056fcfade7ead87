#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"
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

/// One heap of one process. Handle 0: the address space itself (VirtualAlloc), or, for managed objects, those of one
/// type.
struct Heap {
    ProcessIndex process;
    std::uint32_t managedType = 0; ///< a number of ManagedTypes
    Address handle = 0;
};
static_assert(sizeof(Heap) == 16);

/// A free of an unknown block. Listed under Frees, never subtracted.
struct UnmatchedFree {
    TraceTime time;
    Address address = 0;
    ByteCount bytes = 0; ///< VirtualFree only; 0 for heaps (not in the event)
    SiteId endSite;
    std::uint32_t reserved = 0;
};
static_assert(sizeof(UnmatchedFree) == 32);

/// Data that rows refer to by id. It only grows, and all generations of a trace share it (see TraceColumns).
struct TraceNames {
    std::shared_ptr<const void> backing; ///< memory of columns that were not created here; null if none
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

    /// The writer is gone, for all generations. Frees memory that only the writer needed.
    void endInterning() {
        for (auto* sites : {&heapSites, &heapEndSites, &virtualAllocSites, &virtualAllocEndSites, &managedSites,
                            &managedEndSites, &gcHeapSites, &gcHeapEndSites})
            sites->endInterning();
        stacks.endInterning();
    }
};

/// One table and the sites of its rows.
struct TableColumns {
    TableColumns(SiteTable& begins, SiteTable& ends) : sites(begins), endSites(ends) {}

    SiteTable& sites;    ///< begin sites of rows
    SiteTable& endSites; ///< end sites of rows; 0 = not ended
    AllocationTable rows;
    ChunkedColumn<UnmatchedFree> unmatchedFrees{std::uint64_t{1} << 28};
    Evicted evicted; ///< writer only
};

/// All columns of a trace. The store and every published prefix share ownership, so a view may outlive the store. The
/// last owner frees them on a separate thread (BackgroundDelete). A trace that keeps only its newest part occasionally
/// continues in a new generation, in which rows have other numbers but stacks, sites and heaps keep theirs.
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

/// The part of one table that a reader may see: rows [0, rows), events [0, events), ... as of publication. Ends at or
/// after `horizon` do not count, so the result never changes. Rows that begin, and events that happen, at or after the
/// horizon may be included. They are outside every interval that ends at the horizon or before. Any thread, no lock.
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
    Evicted evicted; ///< ended before the start of the trace's window, and not included

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

/// An immutable prefix of the trace, created by TraceStore::publish. Any thread, no lock.
struct PublishedTrace {
    std::shared_ptr<const TraceColumns> columns;
    std::shared_ptr<const ProcessTable> processes;
    std::shared_ptr<const ThreadNames> threadNames; ///< null if none are known
    TableView heap;
    TableView virtualAlloc;
    TableView managed;
    TableView gcHeap;
    TraceTime horizon; ///< the prefix contains all earlier events; the end of the whole trace
    /// Rows that ended before it are not included: kBeforeTrace, or the start of a recording that keeps only its newest
    /// part.
    TraceTime retainedFrom = kBeforeTrace;
    std::uint32_t stackRevision = 0;
    std::uint32_t stackCount = 1;
    std::uint32_t nodeCount = 1;
    std::uint64_t heapEvents =
        0; ///< number in TraceNames::heapEvents; those at or after the horizon have not happened yet
    std::uint64_t codeEntries = 0; ///< number in CodeColumns::entries
    std::uint64_t codeMethods = 0; ///< number in CodeColumns::methods
    std::uint64_t codeIlMaps = 0;  ///< number in CodeColumns::maps
    std::uint64_t codeNamed = 0;   ///< number in CodeColumns::named; 0 if names come from debug files
    /// Number in TraceNames::addressEvents; those at or after the horizon have not happened yet.
    std::uint64_t addressEvents = 0;
    bool isOfAgent = false; ///< recorded by Highwater's agent, on Linux
    TraceLacks lacks;       ///< only for a file of another profiler
    HealthReport health;
    std::size_t passingNotes = 0; ///< number at the end of health.notes that concern this run of the program
    RundownZones rundown;
    SharedSnapshots snapshots;        ///< null if there are none
    std::uint64_t snapshotBlocks =
        0; ///< number in TraceColumns::snapshotBlocks; some may not belong to any of the snapshots
    SharedResidentSamples residentSamples; ///< null if there are none
    SharedMemoryPictures pictures;         ///< null if there are none; their blocks are outstanding rows of their time
    std::uint64_t number = 0;              ///< counts publications

    /// The range that can be queried: all, or the part that was kept.
    [[nodiscard]] TimeRange wholeRange() const {
        const auto start = std::max(TraceTime{0}, retainedFrom);
        return {start, std::max(start, horizon)};
    }
    /// Whether a measurement at that time is in the trace and in the interval. One at the end of the trace is in every
    /// interval that reaches it.
    [[nodiscard]] bool isMeasuredIn(TimeRange interval, TraceTime time) const {
        const auto whole = wholeRange();
        const auto isIn = [time, end = whole.end](TimeRange range) {
            return range.contains(time) || (time == end && range.end >= end && range.start <= end);
        };
        return isIn(whole) && isIn(interval);
    }
    /// Whether the trace began earlier than wholeRange() does. Allocations outstanding at that time are known; ended
    /// ones are not.
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
    /// The last name of the site's thread. 0 if it has no name.
    [[nodiscard]] ThreadNameId threadNameOf(const Site& site) const {
        return threadNames ? threadNames->of(site.thread, site.threadLife) : ThreadNameId{};
    }
    [[nodiscard]] FrameNodeId leaf(StackId stack) const { return columns->stacks.leaf(stack, stackRevision); }
};

} // namespace highwater::store

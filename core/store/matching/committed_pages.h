#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/memory_events.h"
#include "core/event/trace_health.h"
#include "core/store/matching/page_map.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <memory>
#include <vector>

namespace highwater::store {

/// The committed pages at one time: the state needed to continue from there.
struct PagesAt {
    /// A part of the pages of a row.
    struct Commit {
        TraceTime begin;
        SiteId site;
        PageRange pages;
        RowId row = 0;
    };
    /// Reserved by a recorded call.
    struct Reservation {
        HeapId space;
        PageRange pages;
    };
    TraceTime time;
    std::vector<Commit> commits; ///< ordered by start time
    std::vector<Reservation> reservations;
};

/// Pairs VirtualAlloc with VirtualFree, per process and page. Each call that commits new pages has one row.
///   COMMIT            a row for the pages that were not committed yet; no row if there are none
///   RESERVE           remembered for a RELEASE or DECOMMIT of the whole reservation
///   DECOMMIT          ends the rows whose last page is released, and releases part of others; size 0 at the base of a
///                     reservation means the whole reservation
///   RELEASE           the same, and removes the reservation (or part of it, if the size is smaller)
///   rundown           a row older than the trace for committed pages that were unknown; a reservation
///   exit, exec        of the process: ends all rows
/// Counted losses: Loss::DecommitsOfUnknown (also listed as UnmatchedFree with the number of unknown bytes),
/// Loss::ReservationsUnknown (size 0 but the size of the reservation is unknown: ends the contiguous committed pages
/// from the base up to the next known reservation; or nothing is known about the released range), Loss::RowsDropped.
/// Addresses are widened to pages of 4096 bytes. Pipeline thread only.
class CommittedPages {
  public:
    CommittedPages(TraceColumns& columns, TraceHealth& health) : columns_(&columns), health_(health) {}

    /// For VirtualAlloc, VirtualFree, VirtualRundownStart and VirtualRundownEnd.
    void apply(const MemoryEvent& event, ProcessIndex process, StackId stack);
    /// Ends the address space of the process with all its pages, by ProcessExit or Exec.
    void endSpace(ProcessIndex process, TraceTime time, EndKind kind);
    /// The current state, labelled with `time`.
    [[nodiscard]] PagesAt pagesAt(TraceTime time) const;
    /// Continues the rows in these columns, under other numbers.
    void moveTo(TraceColumns& columns, const RowNumbers& numbers);

  private:
    struct AddressSpace {
        HeapId heap; ///< handle 0
        PageMap map;
    };

    AddressSpace& spaceOf(ProcessIndex process);
    void allocate(AddressSpace& space, const MemoryEvent& event, StackId stack);
    void rundown(AddressSpace& space, const MemoryEvent& event);
    void decommit(AddressSpace& space, const MemoryEvent& event, StackId stack);
    void release(AddressSpace& space, const MemoryEvent& event, StackId stack);
    void free(AddressSpace& space, PageRange range, const MemoryEvent& event, SiteId endSite);
    [[nodiscard]] std::optional<PageRange> regionAt(AddressSpace& space, Address base);
    void addRow(AddressSpace& space, TraceTime time, Address address, SiteId site);
    void endUnmapped(TraceTime time, SiteId endSite);

    TraceColumns* columns_;
    TraceHealth& health_;
    std::vector<std::unique_ptr<AddressSpace>> spaces_;          ///< [process]; null if nothing is known
    tsl::robin_map<RowId, std::uint64_t, SeededHash> pagesLeft_; ///< by outstanding row
    // Used within one call; members so that their memory is reused.
    std::vector<PageRange> gaps_;
    std::vector<PageMap::RowPages> unmapped_;
};

} // namespace highwater::store

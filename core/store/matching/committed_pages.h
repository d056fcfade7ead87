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

/// What is committed at one time: what it takes to go on from there.
struct PagesAt {
    /// A part of the pages of a row.
    struct Commit {
        TraceTime begin;
        SiteId site;
        PageRange pages;
        RowId row = 0;
    };
    /// Reserved by a call that was seen.
    struct Reservation {
        HeapId space;
        PageRange pages;
    };
    TraceTime time;
    std::vector<Commit> commits; ///< in the order in which they began
    std::vector<Reservation> reservations;
};

/// Pairs VirtualAlloc with VirtualFree, per process and page: one row per call that commits new pages.
///   COMMIT            a row of the pages that were not committed yet; no row if there are none
///   RESERVE           remembered, for a RELEASE or DECOMMIT of the whole
///   DECOMMIT          ends the rows whose last page goes, releases part of others; size 0 at the base of a reservation
///   is
///                     the whole of it
///   RELEASE           the same, and the reservation is gone (or cut, when the size says less)
///   rundown           a row older than the trace for committed pages that were not known; a reservation
///   exit, exec        of the process: ends all
/// Counted: Loss::DecommitsOfUnknown (and listed as UnmatchedFree with the bytes that were not known),
/// Loss::ReservationsUnknown (size 0, but the size of the reservation is not known: what is committed without a gap
/// from the base on, up to the next known reservation, ends; or nothing at all is known of what is released),
/// Loss::RowsDropped. Addresses are widened to pages of 4096 bytes. Pipeline thread only.
class CommittedPages {
  public:
    CommittedPages(TraceColumns& columns, TraceHealth& health) : columns_(&columns), health_(health) {}

    /// Any of VirtualAlloc, VirtualFree, VirtualRundownStart, VirtualRundownEnd.
    void apply(const MemoryEvent& event, ProcessIndex process, StackId stack);
    /// The address space of the process is gone with all its pages, by ProcessExit or Exec.
    void endSpace(ProcessIndex process, TraceTime time, EndKind kind);
    /// As it stands now, which is said to be `time`.
    [[nodiscard]] PagesAt pagesAt(TraceTime time) const;
    /// The rows go on in these columns, under other numbers.
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
    std::vector<std::unique_ptr<AddressSpace>> spaces_;          ///< [process]; null: nothing known
    tsl::robin_map<RowId, std::uint64_t, SeededHash> pagesLeft_; ///< of outstanding rows
    // Used within one call; members so that their memory is kept.
    std::vector<PageRange> gaps_;
    std::vector<PageMap::RowPages> unmapped_;
};

} // namespace highwater::store

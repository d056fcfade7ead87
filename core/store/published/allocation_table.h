#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"
#include "core/store/published/event_order.h"
#include "core/store/published/site_table.h"

#include <atomic>
#include <cstdint>

namespace highwater::store {

/// A release of part of a row, or the last release of a row that was released in parts.
struct PartialRelease {
    RowId row = 0;
    SiteId endSite;
    TraceTime time;
    ByteCount bytes = 0;
    std::uint64_t isFinal = 0;
};
static_assert(sizeof(PartialRelease) == 32);

/// Rows of one table (Heap Allocations, or VirtualAlloc Commit LifeTimes), columns of fixed width, 30 bytes a row plus
/// about 5 for the order of events.
/// One writer (the pipeline thread). Readers go through TableView, which knows how far they may look.
///
/// Written after publication, atomically: end and endSite (end site first). Everything else is final once appended.
class AllocationTable {
  public:
    static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 31;
    /// The most entries for what few rows have: partial releases, wide values. What is too much is dropped or refused
    /// like a row.
    static constexpr std::uint64_t kMaxRare = std::uint64_t{1} << 28;
    /// Rows per summary: what lets a query skip old rows that ended before its interval.
    static constexpr unsigned kSpanShift = 16;
    static constexpr std::uint64_t kSpanRows = std::uint64_t{1} << kSpanShift;
    static constexpr std::uint32_t kWide = 0xFFFFFFFFu;    ///< size: look into wideSizes
    static constexpr std::uint16_t kWideAddress = 0xFFFFu; ///< addressHigh: look into wideAddresses

    AllocationTable();

    // --- writer -------------------------------------------------------------------------------------------------
    /// A new outstanding row. begin must not be before that of earlier rows, or be kBeforeTrace.
    /// False when the table is full (count Loss::RowsDropped; it stays full); otherwise `row` is set.
    [[nodiscard]] bool begin(TraceTime time, Address address, ByteCount size, SiteId site, RowId& row);
    /// The row is gone. time must not be before earlier events.
    void end(RowId row, TraceTime time, SiteId endSite) { end(row, time, endSite, size(row)); }
    /// The same for callers that know the size of the row.
    void end(RowId row, TraceTime time, SiteId endSite, ByteCount size);
    /// Part of the row is gone; `isFinal`: nothing is left of it (the row ends here).
    void release(RowId row, TraceTime time, ByteCount bytes, SiteId endSite, bool isFinal);
    /// The row that was begun last stands for so many objects, not for one. False: there is no room to say so.
    [[nodiscard]] bool setObjects(RowId row, std::uint64_t objects) { return wideObjects_.append({row, objects}); }
    /// end() of this row follows soon.
    [[gnu::always_inline]] void prefetchEnd(RowId row) const {
        if (row >= rowCount()) return;
        __builtin_prefetch(&end_.sharedCell(row), 1);
        __builtin_prefetch(&endSite_.sharedCell(row), 1);
    }
    /// The row was made by a realloc that was logged after it.
    void markRealloc(RowId row) { (void)reallocMarks_.append(row); }

    // --- cells; a reader asks only below its published counts ---------------------------------------------------
    [[nodiscard]] std::uint64_t rowCount() const { return begin_.size(); } ///< writer only
    [[nodiscard]] TraceTime beginTime(RowId row) const { return begin_[row]; }
    [[nodiscard]] TraceTime endTime(RowId row) const {
        return TraceTime{std::atomic_ref(end_.sharedCell(row)).load(std::memory_order_acquire)};
    }
    [[nodiscard]] SiteId endSite(RowId row) const {
        return SiteId{std::atomic_ref(endSite_.sharedCell(row)).load(std::memory_order_relaxed)};
    }
    [[nodiscard]] SiteId site(RowId row) const { return SiteId{site_[row]}; }
    [[nodiscard]] ByteCount size(RowId row) const;
    [[nodiscard]] Address address(RowId row) const;
    /// How many it stands for: 1 but of rows that sum up.
    [[nodiscard]] std::uint64_t objects(RowId row) const;

    [[nodiscard]] const RisingTimes& begins() const { return begin_; }
    [[nodiscard]] const ChunkedColumn<std::int64_t>& ends() const { return end_; }
    [[nodiscard]] const ChunkedColumn<std::uint32_t>& narrowSizes() const { return size_; }
    [[nodiscard]] const ChunkedColumn<std::uint32_t>& sites() const { return site_; }
    [[nodiscard]] const ChunkedColumn<PartialRelease>& partials() const { return partials_; }
    [[nodiscard]] const ChunkedColumn<std::uint32_t>& reallocMarks() const { return reallocMarks_; }
    [[nodiscard]] const ChunkedColumn<std::uint32_t>& olderRows() const {
        return olderRows_;
    } ///< begin == kBeforeTrace
    [[nodiscard]] const ChunkedColumn<WideValue>& wideSizes() const { return wideSizes_; }
    [[nodiscard]] const ChunkedColumn<WideValue>& wideObjects() const { return wideObjects_; }
    [[nodiscard]] const EventOrder& order() const { return order_; }
    [[nodiscard]] SignedByteCount olderBytes() const { return olderBytes_; } ///< writer only: sum over olderRows

    /// Whether a query over [t0, t1) can leave out the rows of this span. Any thread.
    [[nodiscard]] bool spanIsOutside(std::uint64_t span, TimeRange interval) const;

    /// Address space taken by the columns, for the 40-bytes-a-row budget. Any thread.
    [[nodiscard]] std::uint64_t bytesReserved() const;
    [[nodiscard]] std::uint64_t bytesUsed() const; ///< by what was appended: the 40-bytes-a-row budget

    /// All columns, for who writes them to a file or takes them from there (core/pipeline/index): visit(column). `self`
    /// may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        RisingTimes::eachColumn(self.begin_, visit);
        visit(self.end_);
        visit(self.size_);
        visit(self.site_);
        visit(self.endSite_);
        visit(self.addressLow_);
        visit(self.addressHigh_);
        visit(self.spans_);
        visit(self.partials_);
        visit(self.reallocMarks_);
        visit(self.olderRows_);
        visit(self.wideSizes_);
        visit(self.wideAddresses_);
        visit(self.wideObjects_);
        EventOrder::eachColumn(self.order_, visit);
    }

  private:
    struct Span {
        std::int64_t minBegin = 0;
        std::int64_t maxEnd = 0;
        std::uint64_t open = 0; ///< rows without an end
        std::uint64_t reserved = 0;
    };
    static_assert(sizeof(Span) == 32);

    [[nodiscard]] bool makeRoom(TraceTime time);
    void noteEnd(RowId row, TraceTime time, SiteId endSite);

    RisingTimes begin_{kMaxRows, kMaxRows};
    ChunkedColumn<std::int64_t> end_{kMaxRows};
    ChunkedColumn<std::uint32_t> size_{kMaxRows};
    ChunkedColumn<std::uint32_t> site_{kMaxRows};
    ChunkedColumn<std::uint32_t> endSite_{kMaxRows};
    ChunkedColumn<std::uint32_t> addressLow_{kMaxRows};
    ChunkedColumn<std::uint16_t> addressHigh_{kMaxRows};
    ChunkedColumn<Span> spans_{kMaxRows / kSpanRows};
    ChunkedColumn<PartialRelease> partials_{kMaxRare};
    ChunkedColumn<std::uint32_t> reallocMarks_{kMaxRows};
    ChunkedColumn<std::uint32_t> olderRows_{kMaxRows};
    ChunkedColumn<WideValue> wideSizes_{kMaxRare};
    ChunkedColumn<WideValue> wideAddresses_{kMaxRare};
    ChunkedColumn<WideValue> wideObjects_{kMaxRare}; ///< of rows that stand for another number than one
    EventOrder order_;
    SignedByteCount olderBytes_ = 0;
    bool full_ = false;
};

} // namespace highwater::store

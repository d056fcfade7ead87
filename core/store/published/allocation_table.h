#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"
#include "core/store/published/event_order.h"
#include "core/store/published/site_table.h"

#include <atomic>
#include <cstdint>
#include <span>

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

/// End times and end sites of rows, in eight bytes per row: the distance in ns from the start of the row's group, and
/// the site. Ends that do not fit (more than 18 minutes later, or one of more than eight million sites) are late and
/// are stored in a separate column. One writer. A row may end atomically while it is read.
class RowEnds {
  public:
    explicit RowEnds(std::uint64_t maxRows)
        : cells_(maxRows), bases_((maxRows + kGroupRows - 1) / kGroupRows), late_(maxRows) {}

    // --- writer ---
    [[nodiscard]] bool makeRoom() { return cells_.makeRoom() && bases_.makeRoom(); }
    /// Adds a row without an end that begins around this time. Most rows end after it. Call makeRoom() before.
    void appendInRoom(TraceTime begin) {
        if (size() % kGroupRows == 0) bases_.appendInRoom(begin == kBeforeTrace ? 0 : begin.ns);
        cells_.appendInRoom(kOutstanding);
    }
    /// Ends the row, once. False if there is no memory left.
    [[nodiscard]] bool set(RowId row, TraceTime time, SiteId site);

    // --- readers ---
    [[nodiscard]] std::uint64_t size() const { return cells_.size(); }
    /// kNever if it has not ended.
    [[nodiscard]] TraceTime time(RowId row) const {
        const auto cell = load(row);
        if (cell < kLate) [[likely]]
            return TraceTime{bases_[row / kGroupRows] + static_cast<std::int64_t>(cell >> kSiteBits)};
        return cell == kOutstanding ? kNever : TraceTime{late_[cell & ~kLate].time};
    }
    /// 0 if it has not ended.
    [[nodiscard]] SiteId site(RowId row) const {
        const auto cell = load(row);
        if (cell < kLate) [[likely]]
            return SiteId{static_cast<std::uint32_t>(cell & kMostSite)};
        return SiteId{cell == kOutstanding ? 0 : late_[cell & ~kLate].site};
    }
    /// The times of the rows from `first` on, in ns. Faster than one by one.
    void read(std::uint64_t first, std::span<std::int64_t> times) const;
    [[gnu::always_inline]] void prefetch(RowId row) const { __builtin_prefetch(&cells_[row]); }
    [[gnu::always_inline]] void prefetchToSet(RowId row) const { __builtin_prefetch(&cells_[row], 1); }
    /// Every row has a group.
    [[nodiscard]] bool isWhole() const { return bases_.size() == (size() + kGroupRows - 1) / kGroupRows; }

    [[nodiscard]] std::uint64_t bytesUsed() const {
        return cells_.bytesUsed() + bases_.bytesUsed() + late_.bytesUsed();
    }
    [[nodiscard]] std::uint64_t bytesReserved() const {
        return cells_.bytesReserved() + bases_.bytesReserved() + late_.bytesReserved();
    }
    /// As in AllocationTable.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.cells_);
        visit(self.bases_);
        visit(self.late_);
    }

  private:
    struct Late {
        std::int64_t time = 0;
        std::uint32_t site = 0;
        std::uint32_t reserved = 0;
    };
    static_assert(sizeof(Late) == 16);
    static constexpr std::uint64_t kGroupRows = std::uint64_t{1} << 16;
    static constexpr unsigned kSiteBits = 23;
    static constexpr std::uint64_t kMostSite = (std::uint64_t{1} << kSiteBits) - 1;
    static constexpr std::uint64_t kLate = std::uint64_t{1} << 63; ///< with its position
    static constexpr std::uint64_t kMostDistance = (kLate >> kSiteBits) - 1;
    static constexpr std::uint64_t kOutstanding = ~std::uint64_t{0};

    [[nodiscard]] std::uint64_t load(std::uint64_t row) const {
        return std::atomic_ref(cells_.sharedCell(row)).load(std::memory_order_acquire);
    }

    ChunkedColumn<std::uint64_t> cells_;
    ChunkedColumn<std::int64_t> bases_; ///< first time of each group
    ChunkedColumn<Late> late_;
};

/// Addresses of rows in five bytes per row, because consecutive rows rarely differ in the upper half.
class RowAddresses {
  public:
    explicit RowAddresses(std::uint64_t maxRows)
        : low_(maxRows),
          high_(maxRows),
          halves_((maxRows + kGroupRows - 1) / kGroupRows * kGroupHalves),
          wide_(maxRows) {}

    // --- writer ---
    [[nodiscard]] bool makeRoom() { return low_.makeRoom() && high_.makeRoom() && halves_.makeRoom(); }
    /// Call once before appendInRoom() and after makeRoom(). False if there is no memory left.
    [[nodiscard]] bool prepare(Address address);
    void appendInRoom(Address address) {
        high_.appendInRoom(prepared_);
        low_.appendInRoom(static_cast<std::uint32_t>(address));
    }

    // --- readers ---
    [[nodiscard]] std::uint64_t size() const { return low_.size(); }
    [[nodiscard]] Address operator[](RowId row) const {
        const auto high = high_[row];
        if (high == kWide) [[unlikely]]
            return wideValue(wide_, row);
        return (std::uint64_t{halves_[row / kGroupRows * kGroupHalves + high]} << 32) | low_[row];
    }
    /// Every row has a group.
    [[nodiscard]] bool isWhole() const {
        return high_.size() == size() && halves_.size() == (size() + kGroupRows - 1) / kGroupRows * kGroupHalves;
    }

    [[nodiscard]] std::uint64_t bytesUsed() const {
        return low_.bytesUsed() + high_.bytesUsed() + halves_.bytesUsed() + wide_.bytesUsed();
    }
    [[nodiscard]] std::uint64_t bytesReserved() const {
        return low_.bytesReserved() + high_.bytesReserved() + halves_.bytesReserved() + wide_.bytesReserved();
    }
    /// As in AllocationTable.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.low_);
        visit(self.high_);
        visit(self.halves_);
        visit(self.wide_);
    }

  private:
    static constexpr std::uint64_t kGroupRows = std::uint64_t{1} << 16;
    static constexpr std::uint64_t kGroupHalves = 256;
    static constexpr std::uint8_t kWide = 0xFF; ///< the group already has too many

    ChunkedColumn<std::uint32_t> low_;
    ChunkedColumn<std::uint8_t> high_;    ///< index of the upper half in its group
    ChunkedColumn<std::uint32_t> halves_; ///< kGroupHalves for each group
    ChunkedColumn<WideValue> wide_;
    std::uint32_t known_ = 0;   ///< halves of the last group
    std::uint8_t prepared_ = 0; ///< for the next row
};

/// Rows of one table (Heap Allocations, or VirtualAlloc Commit LifeTimes) in columns with fixed widths: 25 bytes per
/// row plus about 5 for the order of events. One writer (the pipeline thread). Readers use a TableView, which limits
/// the range they may read.
///
/// Only ends are written after publication, atomically. Everything else is final once appended.
class AllocationTable {
  public:
    static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 31;
    /// Maximum number of entries for rare properties: partial releases, wide values. Further ones are dropped or
    /// refused like a row.
    static constexpr std::uint64_t kMaxRare = std::uint64_t{1} << 28;
    /// Rows per summary. Queries use summaries to skip old rows that ended before their interval.
    static constexpr unsigned kSpanShift = 16;
    static constexpr std::uint64_t kSpanRows = std::uint64_t{1} << kSpanShift;
    static constexpr std::uint32_t kWide = 0xFFFFFFFFu; ///< the size is in wideSizes

    AllocationTable();

    // --- writer -------------------------------------------------------------------------------------------------
    /// Adds an outstanding row. begin must be kBeforeTrace or not before that of earlier rows. Returns false if the
    /// table is full (count Loss::RowsDropped; it stays full). Otherwise sets `row`.
    [[nodiscard]] bool begin(TraceTime time, Address address, ByteCount size, SiteId site, RowId& row);
    /// Ends the row. time must not be before earlier events.
    void end(RowId row, TraceTime time, SiteId endSite) { end(row, time, endSite, size(row)); }
    /// The same for a caller that already has the size of the row.
    void end(RowId row, TraceTime time, SiteId endSite, ByteCount size);
    /// Releases part of the row. `isFinal`: nothing is left of it, and the row ends here.
    void release(RowId row, TraceTime time, ByteCount bytes, SiteId endSite, bool isFinal);
    /// The last row represents this number of objects instead of one. False if there is no room to store it.
    [[nodiscard]] bool setObjects(RowId row, std::uint64_t objects) { return wideObjects_.append({row, objects}); }
    /// Call shortly before end() of this row.
    [[gnu::always_inline]] void prefetchEnd(RowId row) const {
        if (row < rowCount()) ends_.prefetchToSet(row);
    }
    /// The row was created by a realloc that was logged after it.
    void markRealloc(RowId row) { (void)reallocMarks_.append(row); }

    // --- cells; readers stay below their published counts -------------------------------------------------------
    [[nodiscard]] std::uint64_t rowCount() const { return begin_.size(); } ///< writer only
    [[nodiscard]] TraceTime beginTime(RowId row) const { return begin_[row]; }
    [[nodiscard]] TraceTime endTime(RowId row) const { return ends_.time(row); }
    [[nodiscard]] SiteId endSite(RowId row) const { return ends_.site(row); }
    [[nodiscard]] SiteId site(RowId row) const { return SiteId{site_[row]}; }
    [[nodiscard]] ByteCount size(RowId row) const;
    [[nodiscard]] Address address(RowId row) const { return addresses_[row]; }
    /// The number of objects that the row represents: 1 except for rows that are sums.
    [[nodiscard]] std::uint64_t objects(RowId row) const;

    [[nodiscard]] const RisingTimes& begins() const { return begin_; }
    [[nodiscard]] const RowEnds& ends() const { return ends_; }
    [[nodiscard]] const RowAddresses& addresses() const { return addresses_; }
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

    /// Whether a query over [t0, t1) can skip the rows of this span. Any thread.
    [[nodiscard]] bool spanIsOutside(std::uint64_t span, TimeRange interval) const;

    /// Address space used by the columns, for the budget of 45 bytes per row. Any thread.
    [[nodiscard]] std::uint64_t bytesReserved() const;
    [[nodiscard]] std::uint64_t bytesUsed() const; ///< only the appended cells: for the budget of 45 bytes per row

    /// Visits all columns, for code that writes them to or reads them from a file (core/pipeline/index): visit(column).
    /// `self` may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        RisingTimes::eachColumn(self.begin_, visit);
        RowEnds::eachColumn(self.ends_, visit);
        visit(self.size_);
        visit(self.site_);
        RowAddresses::eachColumn(self.addresses_, visit);
        visit(self.spans_);
        visit(self.partials_);
        visit(self.reallocMarks_);
        visit(self.olderRows_);
        visit(self.wideSizes_);
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
    RowEnds ends_{kMaxRows};
    ChunkedColumn<std::uint32_t> size_{kMaxRows};
    ChunkedColumn<std::uint32_t> site_{kMaxRows};
    RowAddresses addresses_{kMaxRows};
    ChunkedColumn<Span> spans_{kMaxRows / kSpanRows};
    ChunkedColumn<PartialRelease> partials_{kMaxRare};
    ChunkedColumn<std::uint32_t> reallocMarks_{kMaxRows};
    ChunkedColumn<std::uint32_t> olderRows_{kMaxRows};
    ChunkedColumn<WideValue> wideSizes_{kMaxRare};
    ChunkedColumn<WideValue> wideObjects_{kMaxRare}; ///< for rows that represent more or fewer objects than one
    EventOrder order_;
    SignedByteCount olderBytes_ = 0;
    bool full_ = false;
};

} // namespace highwater::store

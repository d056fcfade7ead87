#pragma once

#include "core/analysis/columns/columns.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The rows of a table: Snapshot uses those of Heap; Frees uses both tables.
[[nodiscard]] constexpr store::TableKind rowsOf(Table table) {
    switch (table) {
    case Table::VirtualAlloc:
        return store::TableKind::VirtualAlloc;
    case Table::Managed:
        return store::TableKind::Managed;
    case Table::GcHeap:
        return store::TableKind::GcHeap;
    case Table::Heap:
    case Table::Frees:
    case Table::Snapshot:
        break;
    }
    return store::TableKind::Heap;
}

/// The rows that belong to an interval [t0, t1).
enum class Membership : std::uint8_t {
    Table,    ///< begin < t1 and (end > t0 or begin >= t0): the rows of a table
    Timeline, ///< also end == t0: such a row is still part of the amount at t0
};

/// The sums of a group of rows. They wrap instead of overflowing because sizes come from files.
struct Sums {
    std::uint64_t count = 0; ///< number of blocks; equals rows except in files that contain totals
    std::uint64_t size = 0;
    std::uint64_t allocated = 0;
    std::uint64_t freed = 0;
    std::uint64_t impacting = 0; ///< signed, as two's complement
    std::uint64_t opening = 0;   ///< outstanding at t0
    std::uint64_t rows = 0;

    Sums& operator+=(const Sums& other) {
        count += other.count;
        size += other.size;
        allocated += other.allocated;
        freed += other.freed;
        impacting += other.impacting;
        opening += other.opening;
        rows += other.rows;
        return *this;
    }
    friend bool operator==(const Sums&, const Sums&) = default;
};

/// The rows of one table in one interval: docs/numbers.md 4. The fast pass (row_pass.h) must return the same sums.
/// Immutable after construction; any thread. The trace must outlive it.
class IntervalRows {
  public:
    struct Options {
        TimeRange interval;
        Membership membership = Membership::Table;
        bool processExitFreesHeap = false;
    };
    /// The interval as plain numbers, cut off at the horizon. Stored starts and ends at or after the horizon are then
    /// outside, so they need no further check.
    struct Bounds {
        std::int64_t t0 = 0;   ///< begin >= t0: allocated inside
        std::int64_t t1 = 0;   ///< begin < t1: member; end < t1: freed inside
        std::int64_t end0 = 0; ///< end > end0: member
        friend bool operator==(const Bounds&, const Bounds&) = default;
    };

    IntervalRows(const store::PublishedTrace& trace, store::TableKind kind, const Options& options);

    [[nodiscard]] const store::TableView& view() const { return view_; }
    [[nodiscard]] const store::PublishedTrace& trace() const { return trace_; }
    [[nodiscard]] store::TableKind kind() const { return kind_; }
    [[nodiscard]] const Bounds& bounds() const { return bounds_; }
    /// Whether no row of this span of AllocationTable::kSpanRows rows is a member. Never returns true for a span with
    /// members.
    [[nodiscard]] bool spanIsOutside(std::uint64_t span) const;

    /// When the row ended: as stored, or because its process ended (processExitFreesHeap). kNever: not before the
    /// horizon.
    [[nodiscard]] TraceTime end(RowId row) const;
    [[nodiscard]] bool endedWithProcess(RowId row) const;
    /// [site] -> end of the site's process, or kNever. Empty unless processExitFreesHeap changes anything.
    [[nodiscard]] const std::vector<std::int64_t>& exits() const { return exits_; }
    [[nodiscard]] store::EndKind endKind(RowId row) const;
    [[nodiscard]] bool isTemporary(RowId row) const;

    [[nodiscard]] bool isMember(std::int64_t begin, std::int64_t end) const {
        return begin < bounds_.t1 && (end > bounds_.end0 || begin >= bounds_.t0);
    }
    [[nodiscard]] RowType typeOf(std::int64_t begin, std::int64_t end) const {
        return static_cast<RowType>((begin >= bounds_.t0 ? 2 : 0) + (end < bounds_.t1 ? 1 : 0));
    }
    /// Bytes of the row that were released strictly before t.
    [[nodiscard]] ByteCount releasedBefore(RowId row, TraceTime t) const;
    /// The contribution of a member row to the sums.
    [[nodiscard]] Sums sumsOf(RowId row) const;
    [[nodiscard]] static Impact impactOf(RowType type, std::uint64_t impacting) {
        if (type == RowType::AIFI) return Impact::Transient;
        return impacting != 0 ? Impact::Impacting : Impact::Persistent;
    }

    /// Partial releases before the horizon, by row, in order of arrival.
    [[nodiscard]] const std::vector<store::PartialRelease>& partials() const { return partials_; }
    [[nodiscard]] std::span<const store::PartialRelease> partialsOf(RowId row) const;

  private:
    void findExits();
    [[nodiscard]] TraceTime exit(RowId row) const;

    const store::PublishedTrace& trace_;
    const store::TableView& view_;
    store::TableKind kind_;
    Bounds bounds_;
    std::vector<std::int64_t> exits_;
    std::vector<store::PartialRelease> partials_;
};

} // namespace highwater::analysis

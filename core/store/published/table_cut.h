#pragma once

#include "core/base/units.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/row_numbers.h"

#include <cstdint>

namespace highwater::store {

/// Copies a table without the rows that ended before a given time, event by event, while the table grows. The copy
/// contains allocations outstanding at that time and all later events, with their own times and in the same order.
/// Therefore every number about an interval that does not start before that time is the same in both. Partial releases
/// stay with their rows. Frees of unknown blocks before that time are also left out.
///
/// Both tables must outlive this object. Pipeline thread only.
class TableCut {
  public:
    /// `from` already contains all ends before `start`. `to` is empty and shares the sites of `from`.
    TableCut(const TableColumns& from, TableColumns& to, TraceTime start);

    /// Copies up to this number of events and returns the number copied.
    std::uint64_t advance(std::uint64_t events);
    /// Whether the whole current table has been copied.
    [[nodiscard]] bool isLevel() const;
    /// The copy is incomplete because the system is out of memory.
    [[nodiscard]] bool hasFailed() const { return failed_; }
    [[nodiscard]] const RowNumbers& numbers() const { return numbers_; }

  private:
    void copyEvent();
    void copyRow(RowId row);
    void copyRowsOlderThanTrace();
    void copyEnd(std::uint32_t entry);
    void copyRare();

    const TableColumns& from_;
    TableColumns& to_;
    TraceTime start_;
    RowNumbers numbers_;
    bool allStay_ = false; ///< rows from here on begin inside the window
    bool failed_ = false;
    std::uint64_t event_ = 0;
    RowId row_ = 0; ///< the next row to copy
    std::uint64_t end_ = 0;
    std::uint64_t mark_ = 0;
    std::uint64_t unmatched_ = 0;
};

} // namespace highwater::store

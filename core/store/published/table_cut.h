#pragma once

#include "core/base/units.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/row_numbers.h"

#include <cstdint>

namespace highwater::store {

/// Copies a table without the rows that ended before a time, event by event, while the table grows: what is outstanding
/// at that time, and all that happens from then on, is there with its own times, in the same order. So every number about
/// an interval that does not start before that time is the same in both. Releases of parts stay with their rows; frees
/// of unknown blocks before that time go, too.
///
/// Both tables must outlive it. Pipeline thread only.
class TableCut {
  public:
    /// All ends before `start` are in `from` already. `to` is empty and shares the sites of `from`.
    TableCut(const TableColumns& from, TableColumns& to, TraceTime start);

    /// Copies up to so many events and says how many there were.
    std::uint64_t advance(std::uint64_t events);
    /// Whether all that is in the table now has been copied.
    [[nodiscard]] bool isLevel() const;
    /// The copy is not whole: the system has no memory left.
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
    bool allStay_ = false; ///< rows from here on begin inside
    bool failed_ = false;
    std::uint64_t event_ = 0;
    RowId row_ = 0; ///< the next one to copy
    std::uint64_t end_ = 0;
    std::uint64_t mark_ = 0;
    std::uint64_t unmatched_ = 0;
};

} // namespace highwater::store

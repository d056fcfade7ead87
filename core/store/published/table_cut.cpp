#include "core/store/published/table_cut.h"

#include <algorithm>

namespace highwater::store {

TableCut::TableCut(const TableColumns& from, TableColumns& to, TraceTime start) : from_(from), to_(to), start_(start) {
    to_.evicted = from_.evicted;
}

bool TableCut::isLevel() const { return event_ == from_.rows.order().eventCount() && row_ == from_.rows.rowCount(); }

std::uint64_t TableCut::advance(std::uint64_t events) {
    const auto first = event_;
    const auto last = first + std::min(events, from_.rows.order().eventCount() - first);
    while (event_ < last)
        copyEvent();
    if (event_ == from_.rows.order().eventCount()) copyRowsOlderThanTrace();
    copyRare();
    return event_ - first;
}

void TableCut::copyEvent() {
    const auto& order = from_.rows.order();
    const auto bits = order.bits(event_ >> EventOrder::kBlockShift);
    const bool begins = (bits >> (event_ % EventOrder::kBlockEvents) & 1) != 0;
    ++event_;
    copyRowsOlderThanTrace(); // they have no begin event, but this event may be their end
    if (!begins) return copyEnd(order.ends()[end_++]);
    copyRow(row_++);
}

void TableCut::copyRowsOlderThanTrace() {
    while (row_ < from_.rows.rowCount() && from_.rows.beginTime(row_) == kBeforeTrace)
        copyRow(row_++);
}

void TableCut::copyRow(RowId row) {
    const auto& rows = from_.rows;
    const auto begin = rows.beginTime(row);
    if (!allStay_ && begin >= start_) {
        allStay_ = true;
        numbers_.followingStay(static_cast<RowId>(to_.rows.rowCount()));
    }
    // An end that arrives while the rows are copied is inside the window. Whether a row stays does not depend on
    // timing.
    if (!allStay_ && rows.endTime(row) < start_) {
        ++to_.evicted.rows;
        to_.evicted.bytes += rows.size(row);
        return numbers_.add(RowNumbers::kLeftOut);
    }
    RowId copy = 0;
    if (!to_.rows.begin(begin, rows.address(row), rows.size(row), rows.site(row), copy)) failed_ = true;
    if (!allStay_) numbers_.add(copy);
}

void TableCut::copyEnd(std::uint32_t entry) {
    const auto& rows = from_.rows;
    const bool isPartial = (entry & EventOrder::kPartial) != 0;
    if (isPartial) {
        const auto& partial = rows.partials()[entry & ~EventOrder::kPartial];
        const auto copy = numbers_.of(partial.row);
        if (copy == RowNumbers::kLeftOut || failed_) return;
        return to_.rows.release(copy, partial.time, partial.bytes, partial.endSite, partial.isFinal != 0);
    }
    const auto copy = numbers_.of(entry);
    if (copy == RowNumbers::kLeftOut || failed_) return;
    to_.rows.end(copy, rows.endTime(entry), rows.endSite(entry));
}

/// Copies rare properties, as far as their rows have been copied.
void TableCut::copyRare() {
    const auto& marks = from_.rows.reallocMarks();
    for (; mark_ < marks.size() && marks[mark_] < row_; ++mark_) {
        const auto copy = numbers_.of(marks[mark_]);
        if (copy != RowNumbers::kLeftOut && !failed_) to_.rows.markRealloc(copy);
    }
    for (; unmatched_ < from_.unmatchedFrees.size(); ++unmatched_) {
        const auto& unmatched = from_.unmatchedFrees[unmatched_];
        if (unmatched.time >= start_ && !to_.unmatchedFrees.append(unmatched)) failed_ = true;
    }
}

} // namespace highwater::store

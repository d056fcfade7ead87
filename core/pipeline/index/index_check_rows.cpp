#include "core/pipeline/index/index_check.h"

#include "core/base/on_threads.h"

#include <algorithm>
#include <atomic>

namespace highwater::pipeline {
namespace {

using store::AllocationTable, store::ChunkedColumn, store::EventOrder, store::TableView, store::WideValue;

// Encoding of values that do not fit in an AllocationTable: see there. A test detects differences.
constexpr std::uint32_t kWideTime = 0xFFFFFFFEu;
constexpr std::uint8_t kWideAddress = 0xFF;
constexpr std::uint64_t kLateEnd = std::uint64_t{1} << 63;
constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

/// The columns of a table that are private to it.
struct PackedColumns {
    /// Collects the columns of one part of a table, by cell type.
    struct Visit {
        PackedColumns& found;
        void operator()(const ChunkedColumn<std::uint8_t>& column) const { found.highAddresses = &column; }
        void operator()(const ChunkedColumn<std::uint32_t>& column) const { found.words = &column; }
        void operator()(const ChunkedColumn<std::uint64_t>& column) const { found.cells = &column; }
        void operator()(const ChunkedColumn<std::int64_t>& column) const { found.bases = &column; }
        void operator()(const ChunkedColumn<WideValue>& column) const { found.wide = column.size(); }
        template <typename Late>
        requires requires(const Late& late) { late.site; }
        void operator()(const ChunkedColumn<Late>& column) const { found.lateEnds = column.size(); }
    };

    const ChunkedColumn<std::uint8_t>* highAddresses = nullptr;
    const ChunkedColumn<std::uint32_t>* words = nullptr;
    const ChunkedColumn<std::uint64_t>* cells = nullptr;
    const ChunkedColumn<std::int64_t>* bases = nullptr;
    std::uint64_t wide = 0;
    std::uint64_t lateEnds = 0;
};

template <typename Part>
PackedColumns packedColumns(const Part& part) {
    PackedColumns found;
    PackedColumns::Visit visit{found};
    Part::eachColumn(part, visit);
    return found;
}

/// The number of spans of a table.
struct CountSpans {
    std::uint64_t spans = 0;
    template <typename Cell>
    void operator()(const ChunkedColumn<Cell>& column) {
        if constexpr (requires(const Cell& cell) { cell.minBegin; }) spans = column.size();
    }
};

bool areTimes(const ChunkedColumn<std::int64_t>& bases) {
    return holdsForAll(bases.size(), [&](std::uint64_t first, std::uint64_t last) {
        for (; first < last; ++first)
            if (!isIndexedTime(TraceTime{bases[first]})) return false;
        return true;
    });
}

/// Checks the rows of one table.
class RowCheck {
  public:
    explicit RowCheck(const TableView& view)
        : view_(view),
          rows_(view.columns->rows),
          begins_(packedColumns(rows_.begins())),
          ends_(packedColumns(rows_.ends())),
          addresses_(packedColumns(rows_.addresses())) {}

    [[nodiscard]] bool isRight() const {
        CountSpans count;
        AllocationTable::eachColumn(rows_, count);
        const auto spans = (view_.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
        return count.spans >= spans && areTimes(*begins_.bases) && areTimes(*ends_.bases) &&
               holdsForAll(view_.rows, [this](auto first, auto last) { return areRight(first, last); });
    }

  private:
    [[nodiscard]] bool areRight(std::uint64_t first, std::uint64_t last) const {
        for (; first < last; ++first) {
            const auto row = static_cast<RowId>(first);
            if (!hasAllItPointsTo(row) || rows_.site(row).value >= view_.sites) return false;
            const auto begin = rows_.beginTime(row), end = rows_.endTime(row);
            if (begin != kBeforeTrace && !isIndexedTime(begin)) return false;
            if (end == kNever) continue;
            if (!isIndexedTime(end) || end < begin || rows_.endSite(row).value >= view_.endSites) return false;
        }
        return true;
    }
    /// Values that do not fit into the row exist elsewhere.
    [[nodiscard]] bool hasAllItPointsTo(RowId row) const {
        const auto cell = (*ends_.cells)[row];
        return ((*begins_.words)[row] != kWideTime || begins_.wide > 0) &&
               ((*addresses_.highAddresses)[row] != kWideAddress || addresses_.wide > 0) &&
               (rows_.narrowSizes()[row] != AllocationTable::kWide || rows_.wideSizes().size() > 0) &&
               (cell < kLateEnd || cell == kNoEnd || (cell & ~kLateEnd) < ends_.lateEnds);
    }

    const TableView& view_;
    const AllocationTable& rows_;
    PackedColumns begins_, ends_, addresses_;
};

/// Checks the order of the events of one table: every block contains the position of the next one.
class OrderCheck {
  public:
    explicit OrderCheck(const TableView& view)
        : view_(view),
          rows_(view.columns->rows),
          order_(rows_.order()),
          blocks_((view.events + EventOrder::kBlockEvents - 1) >> EventOrder::kBlockShift) {}

    [[nodiscard]] bool isRight() const {
        for (unsigned level = 0; level < 3; ++level)
            if (order_.peaks(level).size() < view_.events >> (EventOrder::kBlockShift * (level + 1))) return false;
        if (blocks_ == 0) return true;
        return follows({0, 0}, 0) &&
               holdsForAll(blocks_, [this](auto first, auto last) { return areRight(first, last); });
    }

  private:
    struct Place {
        std::uint64_t row = 0; ///< search start for the next row that begins
        std::uint64_t end = 0; ///< index into the entries of ends
    };

    [[nodiscard]] std::uint64_t withoutOlder(std::uint64_t row) const {
        while (row < view_.rows && rows_.begins().isBeforeTrace(row))
            ++row;
        return row;
    }
    /// Between the place and the start of the block there may only be rows older than the trace.
    [[nodiscard]] bool follows(Place place, std::uint64_t block) const {
        const auto& next = order_.blocks()[block];
        if (next.firstEnd != place.end || next.firstRow < place.row || next.firstRow > view_.rows) return false;
        for (auto row = place.row; row < next.firstRow; ++row)
            if (!rows_.begins().isBeforeTrace(row)) return false;
        return isTimeOrNone(next.firstTime);
    }
    [[nodiscard]] bool isEntry(std::uint32_t entry) const {
        return (entry & EventOrder::kPartial) == 0 ? entry < view_.rows
                                                   : (entry & ~EventOrder::kPartial) < view_.partials;
    }
    [[nodiscard]] bool areRight(std::uint64_t first, std::uint64_t last) const {
        for (; first < last; ++first) {
            const auto& block = order_.blocks()[first];
            Place place{block.firstRow, block.firstEnd};
            const auto events = std::min(EventOrder::kBlockEvents, view_.events - (first << EventOrder::kBlockShift));
            auto bits = order_.bits(first);
            for (std::uint64_t event = 0; event < events; ++event, bits >>= 1) {
                if ((bits & 1) != 0) {
                    place.row = withoutOlder(place.row) + 1;
                    if (place.row > view_.rows) return false;
                } else if (place.end >= order_.ends().size() || !isEntry(order_.ends()[place.end++])) {
                    return false;
                }
            }
            if (first + 1 < blocks_ && !follows(place, first + 1)) return false;
        }
        return true;
    }

    const TableView& view_;
    const AllocationTable& rows_;
    const EventOrder& order_;
    std::uint64_t blocks_;
};

bool isRow(const TableView& view, std::uint64_t row) { return row < view.rows; }

bool areRareRight(const TableView& view) {
    const auto& rows = view.columns->rows;
    for (std::uint64_t i = 0; i < view.partials; ++i) {
        const auto& partial = rows.partials()[i];
        if (!isRow(view, partial.row) || partial.endSite.value >= view.endSites || !isIndexedTime(partial.time))
            return false;
    }
    for (std::uint64_t i = 0; i < view.reallocMarks; ++i)
        if (!isRow(view, rows.reallocMarks()[i])) return false;
    for (std::uint64_t i = 0; i < view.olderRows; ++i)
        if (!isRow(view, rows.olderRows()[i])) return false;
    for (std::uint64_t i = 0; i < view.unmatchedFrees; ++i) {
        const auto& free = view.columns->unmatchedFrees[i];
        if (free.endSite.value >= view.endSites || !isIndexedTime(free.time)) return false;
    }
    return true;
}

} // namespace

bool holdsForAll(std::uint64_t count, const std::function<bool(std::uint64_t first, std::uint64_t last)>& isRight) {
    constexpr std::uint64_t kPart = std::uint64_t{1} << 16;
    const auto parts = (count + kPart - 1) / kPart;
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> right{true};
    onThreads(static_cast<std::size_t>(std::min<std::uint64_t>(usableProcessors(), parts / 2 + 1)), [&](std::size_t) {
        for (auto part = next++; part < parts && right; part = next++)
            if (!isRight(part * kPart, std::min(count, (part + 1) * kPart))) right = false;
    });
    return right;
}

bool areRowsRight(const store::TableView& view) {
    return isTimeOrNone(view.horizon) && RowCheck(view).isRight() && areRareRight(view) && OrderCheck(view).isRight();
}

} // namespace highwater::pipeline

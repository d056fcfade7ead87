#include "core/analysis/addresses/address_map.h"

#include "core/analysis/addresses/process_rows.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/rows/row_selection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace highwater::analysis {
namespace {

constexpr unsigned kMostMapWorkers = 4; ///< each has its own picture
constexpr std::uint32_t kMostSide = 8192;
constexpr unsigned kColumnBits = 12, kLineBits = 20; ///< bits of a pixel share: blocks are lower than they are wide

/// A sum of rectangles. Each rectangle stores its values at its corners, and two running sums turn these into areas.
/// Sums wrap, but the results fit because two blocks never share a place at the same time.
class Areas {
  public:
    Areas(std::uint32_t columns, std::uint32_t lines)
        : columns_(columns), lines_(lines), cells_(std::size_t{columns + 2} * (lines + 2)) {}

    void add(double x0, double x1, double y0, double y1) {
        const auto left = edgeOf(x0, kColumnBits), right = edgeOf(x1, kColumnBits);
        const auto low = edgeOf(y0, kLineBits), high = edgeOf(y1, kLineBits);
        corner(left, low, 1);
        corner(right, low, ~std::uint64_t{0});
        corner(left, high, ~std::uint64_t{0});
        corner(right, high, 1);
    }
    Areas& operator+=(const Areas& other) {
        for (std::size_t i = 0; i < cells_.size(); ++i)
            cells_[i] += other.cells_[i];
        return *this;
    }
    /// The share of each pixel, multiplied by `times`.
    [[nodiscard]] std::vector<std::uint16_t> shares(std::uint32_t times) const {
        std::vector<std::uint16_t> shares(std::size_t{columns_} * lines_);
        std::vector<std::uint64_t> above(columns_ + 2);
        for (std::uint32_t line = 0; line < lines_; ++line) {
            std::uint64_t sum = 0;
            for (std::uint32_t column = 0; column < columns_; ++column) {
                sum += cells_[std::size_t{line} * (columns_ + 2) + column];
                above[column] += sum;
                shares[std::size_t{line} * columns_ + column] = shareOf(above[column], times);
            }
        }
        return shares;
    }

  private:
    struct Edge {
        std::uint64_t pixel = 0;
        std::uint64_t before = 0; ///< the part of the pixel before the edge
        std::uint64_t whole = 0;
    };
    static Edge edgeOf(double place, unsigned bits) {
        const auto whole = std::uint64_t{1} << bits;
        const auto fixed = static_cast<std::uint64_t>(place * static_cast<double>(whole) + 0.5);
        return {fixed >> bits, fixed & (whole - 1), whole};
    }
    void corner(const Edge& x, const Edge& y, std::uint64_t sign) {
        auto* cell = &cells_[y.pixel * (columns_ + 2) + x.pixel];
        cell[0] += sign * (x.whole - x.before) * (y.whole - y.before);
        cell[1] += sign * x.before * (y.whole - y.before);
        cell += columns_ + 2;
        cell[0] += sign * (x.whole - x.before) * y.before;
        cell[1] += sign * x.before * y.before;
    }
    static std::uint16_t shareOf(std::uint64_t area, std::uint32_t times) {
        constexpr auto kWhole = std::uint64_t{1} << (kColumnBits + kLineBits);
        if (area == 0 || area > kWhole * 64) return area == 0 ? 0 : 65535; // two in the same place: a free was lost
        const auto share = static_cast<double>(area) * times / static_cast<double>(kWhole) * 65535;
        return static_cast<std::uint16_t>(std::clamp(share, 1.0, 65535.0)); // at least visible
    }

    std::uint32_t columns_, lines_;
    std::vector<std::uint64_t> cells_;
};

/// The picture of one table by one worker.
struct Drawn {
    Drawn(std::uint32_t columns, std::uint32_t lines) : kept(columns, lines), freed(columns, lines) {}
    Areas kept, freed;
    std::vector<AddressMap::Row> rows;
    std::uint64_t rowCount = 0;
    ByteCount atInstant = 0;
};

class Drawing {
  public:
    Drawing(const AddressLayout& layout, const AddressMapQuery& query, const IntervalRows& rows)
        : layout_(layout),
          query_(query),
          rows_(rows),
          nsPerColumn_(static_cast<double>(query.interval.end.ns - query.interval.start.ns) / query.columns),
          bytesPerLine_(static_cast<double>(query.lastPosition - query.firstPosition) / query.lines) {}

    void add(RowId row, Drawn& drawn) const {
        const auto& table = rows_.view().columns->rows;
        const auto address = table.address(row);
        const auto* part = layout_.partOf(address);
        if (part == nullptr) return; // not in this sample
        const auto first = part->position + (address - part->first);
        const auto last = first + std::min<std::uint64_t>(table.size(row), part->end() - first);
        const auto low = std::max(first, query_.firstPosition), high = std::min(last, query_.lastPosition);
        if (low >= high) return; // not visible, or 0 bytes
        const auto begin = table.beginTime(row), end = rows_.end(row);
        if (begin < query_.instant && end >= query_.instant) drawn.atInstant += outstanding(row, high - low);
        if (begin >= query_.interval.end || end <= query_.interval.start) return;
        const bool isKept = end >= query_.interval.end;
        (isKept ? drawn.kept : drawn.freed).add(columnOf(begin), columnOf(end), lineOf(low), lineOf(high));
        if (drawn.rowCount++ < AddressMap::kMostRows)
            drawn.rows.push_back({rows_.kind(), first, last - first, begin, end});
    }

  private:
    /// It is unknown which pages of a commit were released: at most the remaining bytes.
    [[nodiscard]] ByteCount outstanding(RowId row, ByteCount seen) const {
        const auto size = rows_.view().columns->rows.size(row);
        return std::min(seen, size - std::min(size, rows_.releasedBefore(row, query_.instant)));
    }
    [[nodiscard]] double columnOf(TraceTime time) const {
        if (time <= query_.interval.start) return 0;
        if (time >= query_.interval.end) return query_.columns;
        return std::min<double>(static_cast<double>(time.ns - query_.interval.start.ns) / nsPerColumn_, query_.columns);
    }
    [[nodiscard]] double lineOf(std::uint64_t position) const {
        return std::min<double>(static_cast<double>(position - query_.firstPosition) / bytesPerLine_, query_.lines);
    }

    const AddressLayout& layout_;
    const AddressMapQuery& query_;
    const IntervalRows& rows_;
    double nsPerColumn_, bytesPerLine_;
};

/// Nothing: stopped.
std::optional<Drawn> draw(const store::PublishedTrace& trace, const AddressLayout& layout, store::TableKind kind,
                          const AddressMapQuery& query, const std::stop_token& stop) {
    // Rows at the instant count even if it is outside the interval.
    const TimeRange seen{std::min(query.interval.start, query.instant), std::max(query.interval.end, query.instant)};
    const IntervalRows rows(trace, kind, {seen, Membership::Timeline, query.processExitFreesHeap});
    const auto& view = rows.view();
    const auto workers = std::min(kMostMapWorkers, workersFor(view.rows >> store::AllocationTable::kSpanShift));
    std::vector<Drawn> drawn(workers, Drawn(query.columns, query.lines));
    const Drawing drawing(layout, query, rows);
    const bool finished = visitRowsOf(
        view, sitesOf(trace, view, query.process), query.sample, workers, stop,
        [&](std::uint64_t span) { return rows.spanIsOutside(span); },
        [&](unsigned worker, RowId row) { drawing.add(row, drawn[worker]); });
    if (!finished) return std::nullopt;
    auto& all = drawn.front();
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        all.kept += drawn[i].kept;
        all.freed += drawn[i].freed;
        all.rows.insert(all.rows.end(), drawn[i].rows.begin(), drawn[i].rows.end());
        all.rowCount += drawn[i].rowCount;
        all.atInstant += drawn[i].atInstant;
    }
    return std::move(all);
}

} // namespace

Result<AddressMap> drawAddresses(const store::PublishedTrace& trace, const AddressLayout& layout,
                                 const AddressMapQuery& query, const std::stop_token& stop) {
    if (query.columns == 0 || query.lines == 0 || query.columns > kMostSide || query.lines > kMostSide ||
        query.interval.isEmpty() || query.firstPosition >= query.lastPosition || query.sample == 0)
        return Error{ErrorKind::Usage, "There is nothing to draw."};
    if (auto refused = whyNoAnswer(AnswerKind::Address, trace.lacks)) return *std::move(refused);
    AddressMap map{.query = query, .committed = {}, .kept = {}, .freed = {}, .rows = {}};
    auto pages = draw(trace, layout, store::TableKind::VirtualAlloc, query, stop);
    if (!pages) return cancelled();
    auto blocks = draw(trace, layout, store::TableKind::Heap, query, stop);
    if (!blocks) return cancelled();
    pages->kept += pages->freed;
    map.committed = pages->kept.shares(query.sample);
    map.kept = blocks->kept.shares(query.sample);
    map.freed = blocks->freed.shares(query.sample);
    map.committedBytes = pages->atInstant * query.sample;
    map.liveBytes = blocks->atInstant * query.sample;
    map.rowCount = pages->rowCount + blocks->rowCount;
    if (map.rowCount > AddressMap::kMostRows || query.sample > 1) return map;
    map.rows = std::move(pages->rows);
    map.rows.insert(map.rows.end(), blocks->rows.begin(), blocks->rows.end());
    return map;
}

} // namespace highwater::analysis

#pragma once

#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/rows/large_array.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Properties that distinguish rows in the pass, besides site and type. Each adds a small cost per row.
struct RowPassOptions {
    bool byEndKind = false;   ///< FreeType is requested
    bool byZero = false;      ///< Impacting Type is requested: a row of 0 bytes is never Impacting
    bool byTemporary = false; ///< Temporary is requested
    friend bool operator==(const RowPassOptions&, const RowPassOptions&) = default;
};

/// The end of a row, as far as the pass distinguishes it, as a small number. Only ends that occur have a code because
/// each takes a cell for every site. Immutable; any thread.
class EndCodes {
  public:
    /// The ends that occur are those in the rows' end sites, process ends if these end rows, and no end, which is 0.
    EndCodes(const IntervalRows& rows, RowPassOptions options);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// The end must occur.
    [[nodiscard]] std::uint32_t of(store::EndKind kind, bool isTemporary) const {
        return codes_[fullOf(kind, isTemporary)];
    }
    [[nodiscard]] store::EndKind kind(std::uint64_t code) const {
        return static_cast<store::EndKind>(fulls_[code] % kinds_);
    }
    [[nodiscard]] bool isTemporary(std::uint64_t code) const { return fulls_[code] >= kinds_; }

  private:
    static constexpr std::size_t kMost = 2 * std::size_t{store::kEndKinds};

    [[nodiscard]] std::uint32_t fullOf(store::EndKind kind, bool isTemporary) const {
        return (marks_ > 1 && isTemporary ? kinds_ : 0) + static_cast<std::uint32_t>(kind) % kinds_;
    }

    std::uint32_t kinds_;
    std::uint32_t marks_;
    std::uint32_t size_ = 0;
    std::array<std::uint8_t, kMost> codes_{}; ///< by the number that it would have if all occurred
    std::array<std::uint8_t, kMost> fulls_{}; ///< the inverse mapping
};

/// Cell of a row: (((size == 0) * codes + end code) * sites + site) * 4 + type. Rare cells are separate, so that common
/// ones are close together.
class DenseIndex {
  public:
    DenseIndex(const IntervalRows& rows, RowPassOptions options)
        : sites_(std::max(rows.view().sites, 1u)), codes_(rows, options), zeros_(options.byZero ? 2 : 1) {}

    [[nodiscard]] const EndCodes& endCodes() const { return codes_; }
    [[nodiscard]] std::uint64_t of(std::uint32_t site, RowType type, std::uint32_t endCode, bool isZero) const {
        const std::uint64_t ofZero = zeros_ > 1 && isZero ? codes_.size() : 0;
        return ((ofZero + endCode) * sites_ + site) * 4 + static_cast<std::uint64_t>(type);
    }
    [[nodiscard]] std::uint64_t size() const { return std::uint64_t{4} * sites_ * codes_.size() * zeros_; }
    [[nodiscard]] std::uint32_t site(std::uint64_t index) const {
        return static_cast<std::uint32_t>(index / 4 % sites_);
    }
    [[nodiscard]] RowType type(std::uint64_t index) const { return static_cast<RowType>(index % 4); }
    [[nodiscard]] std::uint64_t endCode(std::uint64_t index) const { return index / 4 / sites_ % codes_.size(); }
    [[nodiscard]] bool isZero(std::uint64_t index) const { return index / 4 / sites_ / codes_.size() != 0; }

  private:
    std::uint64_t sites_;
    EndCodes codes_;
    std::uint64_t zeros_;
};

/// A few consecutive rows, and the cell of each.
struct RowBlock {
    static constexpr std::size_t kRows = 256;
    std::uint64_t firstRow = 0;
    std::size_t count = 0;
    const std::uint32_t* sizes = nullptr; ///< narrow
    std::array<std::int64_t, kRows> begins;
    std::array<std::int64_t, kRows> ends;   ///< at or after the horizon: not ended
    std::array<std::uint32_t, kRows> cells; ///< DenseIndex, or RowScan::none()
};

/// Reads rows as columns and finds their cells, without a branch that depends on a row. The only place that implements
/// this efficiently: sums, single values and groups by row are all loops over its blocks. Immutable; any thread.
class RowScan {
  public:
    /// `rows` must outlive it.
    RowScan(const IntervalRows& rows, RowPassOptions options);

    [[nodiscard]] const DenseIndex& index() const { return index_; }
    /// The cell for rows that are not members.
    [[nodiscard]] std::uint32_t none() const { return static_cast<std::uint32_t>(index_.size()); }
    [[nodiscard]] std::uint64_t spans() const;
    [[nodiscard]] std::uint64_t firstOfSpan(std::uint64_t span) const;
    /// One past the last row.
    [[nodiscard]] std::uint64_t lastOfSpan(std::uint64_t span) const;

    /// Calls visit(const RowBlock&) for the rows [first, last) of one span.
    template <typename Visit>
    void visit(std::uint64_t first, std::uint64_t last, Visit visit) const {
        RowBlock block;
        while (first < last) {
            fill_(*this, first, last, block);
            visit(static_cast<const RowBlock&>(block));
            first += block.count;
        }
    }

  private:
    using Fill = void (*)(const RowScan&, std::uint64_t first, std::uint64_t last, RowBlock&);
    template <bool kByEnd, bool kByZero, bool kExits>
    static void fill(const RowScan& scan, std::uint64_t first, std::uint64_t last, RowBlock& block);
    static Fill chooseFill(RowPassOptions options, bool exits);

    const IntervalRows& rows_;
    DenseIndex index_;
    std::vector<std::uint8_t> codes_; ///< by end site, because a cache holds far more bytes than whole sites
    Fill fill_;
};

/// Rows and bytes of the member rows of one (site, type, ...). Bytes are those of the narrow size column: rows that do
/// not fit count kWide, and partial releases are ignored. The caller corrects both.
struct DenseCell {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// The cells that have rows; most have none.
struct CountedCells {
    LargeVector<std::uint32_t> places; ///< DenseIndex, sorted
    LargeVector<DenseCell> cells;      ///< one cell for each place
};

/// One pass over the table, on all processors. Goal: at most 1.5 times the time of a plain loop that reads the same
/// columns and adds the same sums (analysis_benchmark.cpp). Nothing: stopped.
[[nodiscard]] std::optional<CountedCells> countRows(const IntervalRows& rows, const RowScan& scan,
                                                    const std::stop_token& stop);

} // namespace highwater::analysis

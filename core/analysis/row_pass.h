#pragma once

#include "core/analysis/interval_rows.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// How rows are told apart in the pass, beside their site and their type. Each needs a little more per row.
struct RowPassOptions {
    bool byEndKind = false; ///< FreeType is asked for
    bool byZero = false;    ///< Impacting Type is asked for: a row of 0 bytes is never Impacting
};

/// Where a row is counted: ((site * 4 + type) * kinds + end kind) * zeros + (size == 0).
class DenseIndex {
  public:
    static constexpr std::uint32_t kEndKinds = 8;
    explicit DenseIndex(RowPassOptions options)
        : kinds_(options.byEndKind ? kEndKinds : 1), zeros_(options.byZero ? 2 : 1) {}

    [[nodiscard]] std::uint64_t of(std::uint32_t site, RowType type, store::EndKind kind, bool isZero) const {
        std::uint64_t index = std::uint64_t{site} * 4 + static_cast<std::uint32_t>(type);
        if (kinds_ > 1) index = index * kinds_ + static_cast<std::uint32_t>(kind);
        return zeros_ > 1 ? index * 2 + (isZero ? 1 : 0) : index;
    }
    [[nodiscard]] std::uint64_t perSite() const { return std::uint64_t{4} * kinds_ * zeros_; }
    [[nodiscard]] std::uint32_t site(std::uint64_t index) const {
        return static_cast<std::uint32_t>(index / perSite());
    }
    [[nodiscard]] RowType type(std::uint64_t index) const { return static_cast<RowType>(index / zeros_ / kinds_ % 4); }
    [[nodiscard]] store::EndKind endKind(std::uint64_t index) const {
        return kinds_ > 1 ? static_cast<store::EndKind>(index / zeros_ % kinds_) : store::EndKind::None;
    }
    [[nodiscard]] bool isZero(std::uint64_t index) const { return zeros_ > 1 && index % 2 != 0; }

  private:
    std::uint32_t kinds_;
    std::uint32_t zeros_;
};

/// Rows and bytes of the member rows of one (site, type, ...). Bytes as in the narrow size column: rows that did not
/// fit count kWide, and partial releases are not known here; the caller puts both right.
struct DenseCell {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// One pass over the table, on all processors, without a branch that depends on a row. Cells by DenseIndex.
/// Goal: within 1.5 times of a plain loop that reads the same columns and adds the same sums (analysis_benchmark.cpp).
/// Nothing when stopped.
[[nodiscard]] std::optional<std::vector<DenseCell>> countRows(const IntervalRows& rows, RowPassOptions options,
                                                              const std::stop_token& stop);

} // namespace highwater::analysis

#include "core/analysis/table/row_statistics.h"

#include "core/analysis/columns/column_specs.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

__extension__ using Wide = __int128;

constexpr std::uint64_t kHalfRange = std::uint64_t{1} << 63;

/// Signed values move up by half the range, so that unsigned numbers order them.
bool isSigned(Column column) { return specOf(column).order == ValueOrder::Signed; }

} // namespace

void RowSummary::add(const RowSummary& other) {
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
    count_ += other.count_;
    sumOfLowHalves_ += other.sumOfLowHalves_;
    sumOfHighHalves_ += other.sumOfHighHalves_;
}

std::int64_t RowSummary::signedSum() const {
    const auto moved = (static_cast<Wide>(sumOfHighHalves_) << 32) + static_cast<Wide>(sumOfLowHalves_);
    const auto sum = moved - static_cast<Wide>(kHalfRange) * static_cast<Wide>(count_);
    return static_cast<std::int64_t>(std::clamp<Wide>(sum, kBeforeTrace.ns + 1, kNever.ns - 1));
}

std::int64_t RowSummary::signedAverage() const {
    const auto moved = (static_cast<Wide>(sumOfHighHalves_) << 32) + static_cast<Wide>(sumOfLowHalves_);
    const auto count = static_cast<Wide>(count_);
    // Moved values are not negative: adding a half rounds to the nearest.
    return static_cast<std::int64_t>((moved + count / 2) / count - static_cast<Wide>(kHalfRange));
}

std::optional<Column> RowValues::rowColumn(Column column) {
    if (column == Column::Size) return Column::RowSize;
    const bool isSum = column == Column::ImpactingSize || column == Column::Allocated || column == Column::Freed;
    if (isSum || isOfSingleRows(column)) return column;
    return std::nullopt;
}

std::optional<std::uint64_t> RowValues::of(Column rowColumn, const RowFacts& row) const {
    switch (rowColumn) {
    case Column::ImpactingSize:
        return row.sums.impacting ^ kHalfRange;
    case Column::Allocated:
        return row.sums.allocated;
    case Column::Freed:
        return row.sums.freed;
    default:
        return of(rowColumn, static_cast<const RowNumbers&>(row));
    }
}

std::optional<std::uint64_t> RowValues::of(Column rowColumn, const RowNumbers& row) const {
    const auto key = reader_.key(rowColumn, row);
    if (!KeyReader::exists(rowColumn, key)) return std::nullopt;
    return isSigned(rowColumn) ? key ^ kHalfRange : key;
}

CellValue RowValues::cellValue(Column rowColumn, std::uint64_t value) {
    const auto number = static_cast<std::int64_t>(isSigned(rowColumn) ? value ^ kHalfRange : value);
    const auto kind = valueKind(rowColumn);
    if (kind == ValueKind::Time || kind == ValueKind::Duration) return TraceTime{number};
    return number;
}

bool RowStatistics::collect(const RowSelection& selection, std::vector<Column> rowColumns,
                            const std::stop_token& stop) {
    if (rowColumns.empty()) return true;
    const auto& population = selection.population();
    const RowValues values(selection.reader());
    const bool needsSums = std::any_of(rowColumns.begin(), rowColumns.end(), isAggregate);
    const auto workers = population.workers();
    const auto cellCount = selection.cells().size();
    // [worker][column][cell]
    std::vector<std::vector<std::vector<RowSummary>>> own(
        workers, std::vector<std::vector<RowSummary>>(rowColumns.size(), std::vector<RowSummary>(cellCount)));
    const bool finished = population.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
        const auto addRow = [&](const Member& member, const auto& row) {
            for (std::size_t c = 0; c < rowColumns.size(); ++c) {
                if (const auto value = values.of(rowColumns[c], row)) own[worker][c][member.cell].add(*value);
            }
        };
        for (const auto& member : members) {
            if (needsSums) {
                addRow(member, population.facts(member.row));
            } else {
                addRow(member, population.numbersOf(member.row));
            }
        }
    });
    for (std::size_t c = 0; finished && c < rowColumns.size(); ++c) {
        for (unsigned worker = 1; worker < workers; ++worker) {
            for (std::size_t cell = 0; cell < cellCount; ++cell) {
                own[0][c][cell].add(own[worker][c][cell]);
            }
        }
        ofCells_[rowColumns[c]] = std::move(own[0][c]);
    }
    return finished;
}

} // namespace highwater::analysis

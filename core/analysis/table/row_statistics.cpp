#include "core/analysis/table/row_statistics.h"

#include "core/analysis/columns/column_specs.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

__extension__ using Wide = __int128;

constexpr std::uint64_t kHalfRange = std::uint64_t{1} << 63;

/// Signed values are shifted by half the range, so that they are ordered as unsigned numbers.
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
    // Shifted values are not negative, so adding a half rounds to nearest.
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

namespace {

/// The part of one worker, and finally the sum: by column and cell.
template <typename Value>
class ByColumn {
  public:
    ByColumn(std::size_t columns, std::size_t cells) : values_(columns, std::vector<Value>(cells)) {}

    [[nodiscard]] Value& at(std::size_t column, std::size_t cell) { return values_[column][cell]; }
    [[nodiscard]] std::vector<Value>& of(std::size_t column) { return values_[column]; }
    void add(const ByColumn& other) {
        for (std::size_t c = 0; c < values_.size(); ++c) {
            for (std::size_t cell = 0; cell < values_[c].size(); ++cell)
                values_[c][cell].add(other.values_[c][cell]);
        }
    }

  private:
    std::vector<std::vector<Value>> values_;
};

} // namespace

bool RowStatistics::collect(const RowSelection& selection, const std::vector<Column>& rowColumns,
                            const std::vector<Column>& weighted, const std::stop_token& stop) {
    if (rowColumns.empty() && weighted.empty()) return true;
    const auto& population = selection.population();
    const RowValues values(selection.reader());
    const bool needsSums = std::any_of(rowColumns.begin(), rowColumns.end(), isAggregate);
    const auto workers = population.workers();
    const auto cellCount = selection.cells().size();
    std::vector<ByColumn<RowSummary>> own(workers, ByColumn<RowSummary>(rowColumns.size(), cellCount));
    std::vector<ByColumn<WeightedSum>> ownWeighted(workers, ByColumn<WeightedSum>(weighted.size(), cellCount));
    const bool finished = population.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
        const auto addRow = [&](const Member& member, const auto& row) {
            for (std::size_t c = 0; c < rowColumns.size(); ++c) {
                if (const auto value = values.of(rowColumns[c], row)) own[worker].at(c, member.cell).add(*value);
            }
            for (std::size_t c = 0; c < weighted.size(); ++c) {
                const auto value = values.of(weighted[c], row);
                if (value) ownWeighted[worker].at(c, member.cell).add(*value, row.size);
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
    for (unsigned worker = 1; finished && worker < workers; ++worker) {
        own[0].add(own[worker]);
        ownWeighted[0].add(ownWeighted[worker]);
    }
    for (std::size_t c = 0; c < rowColumns.size(); ++c)
        ofCells_[rowColumns[c]] = std::move(own[0].of(c));
    for (std::size_t c = 0; c < weighted.size(); ++c)
        weightedOfCells_[weighted[c]] = std::move(ownWeighted[0].of(c));
    return finished;
}

} // namespace highwater::analysis

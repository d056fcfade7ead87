#pragma once

#include "core/analysis/rows/large_array.h"
#include "core/analysis/sweeps/groups_of_rows.h"
#include "core/analysis/sweeps/row_sweep.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace highwater::analysis {

/// The group and the amount of every row in one word: all that a sweep needs for a row that ends, which is at a random
/// place in memory. Rows that need a second lookup are odd: those older than the trace (no event starts them), and
/// those whose size does not fit.
template <typename Word>
class RowTags {
  public:
    static constexpr unsigned kGroupShift = sizeof(Word) == 4 ? 24 : 32;
    static constexpr Word kOdd = Word{1} << (kGroupShift - 1);
    static constexpr std::uint64_t kMostGroups = sizeof(Word) == 4 ? 0xFF : 0xFFFFFFFF;

    /// Nothing: stopped.
    static std::optional<RowTags> make(const RowPopulation& population, const GroupsOfRows& groups,
                                       RowSweep::Measure measure, const std::stop_token& stop) {
        RowTags made(population, measure);
        if (!made.tagByCells(population, groups, stop)) return std::nullopt;
        for (std::size_t i = 0; i < population.exceptions().size(); ++i) {
            const auto cell = population.cellsOfExceptions()[i];
            made.set(population.exceptions()[i], cell == kNoCell ? 0 : groups.ofCells[cell]);
        }
        for (const auto [row, group] : groups.ofRows) {
            made.set(row, group);
        }
        return made;
    }

    [[nodiscard]] const Word* data() const { return words_.data(); }
    [[nodiscard]] static std::uint32_t groupOf(Word word) { return static_cast<std::uint32_t>(word >> kGroupShift); }
    /// The amount of a row that is not odd.
    [[nodiscard]] static std::uint64_t amountOf(Word word) { return word & (kOdd - 1); }

  private:
    RowTags(const RowPopulation& population, RowSweep::Measure measure)
        : view_(&population.rows().view()), measure_(measure), words_(view_->rows) {}

    [[nodiscard]] Word amount(bool isOlder, std::uint32_t size) const {
        if (isOlder) return kOdd;
        if (measure_ == RowSweep::Measure::Rows) return 1;
        return size < kOdd && size != store::AllocationTable::kWide ? static_cast<Word>(size) : kOdd;
    }
    void set(RowId row, std::uint32_t group) {
        const auto& rows = view_->columns->rows;
        words_[row] = (Word{group} << kGroupShift) | amount(rows.begins().isBeforeTrace(row), rows.narrowSizes()[row]);
    }
    bool tagByCells(const RowPopulation& population, const GroupsOfRows& groups, const std::stop_token& stop) {
        const auto& cells = population.cellsOfScan();
        LargeArray<Word> groupOfCell(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i] != kNoCell) groupOfCell[i] = Word{groups.ofCells[cells[i]]} << kGroupShift;
        }
        const auto& rows = population.rows();
        const auto& scan = population.scan();
        return forEachSpan(scan.spans(), workersFor(scan.spans()), stop, [&](unsigned, std::uint64_t span) {
            if (rows.spanIsOutside(span)) return markOlder(scan.firstOfSpan(span), scan.lastOfSpan(span));
            scan.visit(scan.firstOfSpan(span), scan.lastOfSpan(span), [&](const RowBlock& block) {
                auto* words = words_.data() + block.firstRow;
                for (std::size_t i = 0; i < block.count; ++i) {
                    words[i] = groupOfCell[block.cells[i]] | amount(block.begins[i] == kBeforeTrace.ns, block.sizes[i]);
                }
            });
        });
    }
    /// The sweep skips them wherever they occur.
    void markOlder(std::uint64_t first, std::uint64_t last) {
        const auto& begins = view_->columns->rows.begins();
        for (auto row = first; row < last; ++row) {
            if (begins.isBeforeTrace(row)) words_[row] = kOdd;
        }
    }

    const store::TableView* view_;
    RowSweep::Measure measure_;
    LargeArray<Word> words_;
};

} // namespace highwater::analysis

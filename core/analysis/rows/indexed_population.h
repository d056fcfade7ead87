#pragma once

#include "core/analysis/rows/population.h"
#include "core/base/seeded_hash.h"

namespace highwater::analysis {

/// A population whose rows find their cell by their facts because a row of a table may be several of its members, or
/// not a member itself.
class IndexedPopulation : public Population {
  public:
    bool annotate(LabelsOfRows& labels, const std::stop_token& stop) override;
    [[nodiscard]] RowFacts facts(RowRef row) const override;
    /// kNoCell: not a member.
    [[nodiscard]] std::uint32_t cellOf(RowRef row) const { return cellWith(facts(row).key); }

  protected:
    /// Without its label.
    [[nodiscard]] virtual RowFacts plainFacts(RowRef row) const = 0;
    /// kNoCell: none.
    [[nodiscard]] virtual std::uint32_t cellWith(const CellKey& key) const { return index_.find(key); }
    void renumberCells(const std::vector<std::uint32_t>& numbers) override { index_.renumber(numbers); }

    CellIndex index_;

  private:
    /// After annotate(): the cells by their keys without labels. kNoCell: several, to be found by row.
    CellIndex plain_;
    std::vector<std::uint32_t> annotationOfPlain_;
    tsl::robin_map<RowRef, std::uint32_t, SeededHash> annotationOfRow_;
};

} // namespace highwater::analysis

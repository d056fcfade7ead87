#pragma once

#include "core/analysis/heaps/heap_list.h"
#include "ui/model/row_table_model.h"
#include "ui/state/finders/finder_of.h"

#include <memory>
#include <optional>
#include <span>

namespace highwater::ui {

/// The heaps of an interval, and the query.
using HeapAnswer = Answered<analysis::HeapsQuery, analysis::HeapList>;

/// Heaps, one per row, largest first. kSortRole contains numbers where the text has units. Unknown values are empty,
/// with the reason in the tooltip. GUI thread only.
class HeapTableModel : public RowTableModel<const analysis::HeapFacts&> {
    Q_OBJECT
  public:
    enum Column {
        kProcess,
        kHandle,
        kCreator,
        kLive,
        kBlocks,
        kGrowth,
        kSlope,
        kPeak,
        kSlack,
        kCommitted,
        kReserved,
        kCreated,
        kDestroyed,
        kColumns
    };

    using RowTableModel::RowTableModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const HeapAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const HeapAnswer>& answer() const { return answer_; }
    /// Null: no such row.
    [[nodiscard]] const analysis::HeapFacts* heap(int row) const;
    /// The row of the heap with this path.
    [[nodiscard]] std::optional<int> rowOf(const analysis::KeyPath& path) const;

  private:
    [[nodiscard]] std::span<const analysis::HeapFacts> heaps() const;
    [[nodiscard]] const Columns& columns() const override;
    [[nodiscard]] std::size_t size() const override { return heaps().size(); }
    [[nodiscard]] const analysis::HeapFacts& rowAt(std::size_t row) const override { return heaps()[row]; }
    [[nodiscard]] QString toolTip(const analysis::HeapFacts& heap, int column) const override;

    std::shared_ptr<const HeapAnswer> answer_;
};

/// Describes the origin of the heap and the content of its ranges.
[[nodiscard]] QString heapSentence(const analysis::HeapFacts& heap);

} // namespace highwater::ui

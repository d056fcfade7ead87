#pragma once

#include "core/analysis/histogram/histogram.h"
#include "ui/model/row_table_model.h"
#include "ui/state/finders/finder_of.h"

#include <memory>
#include <span>

namespace highwater::ui {

/// Sizes or lifetimes, and the query.
using HistogramAnswer = Answered<analysis::HistogramQuery, analysis::Histogram>;

/// The data for the cells of a bar.
struct BarOfAnswer {
    const analysis::HistogramBar& bar;
    const analysis::HistogramQuery& query;
};

/// Bars of a histogram, one per row in the order of their values, or individual sizes, most frequent first. GUI thread
/// only.
class HistogramTableModel : public RowTableModel<BarOfAnswer> {
    Q_OBJECT
  public:
    enum Column { kValues, kCount, kBytes, kKept, kBar, kColumns };
    /// The measure of the bar length.
    enum class Measure { Bytes, Count };
    /// For kBar: kept and freed shares of the longest bar as QPointF (kept, freed).
    static constexpr int kPartsRole = Qt::UserRole;

    using RowTableModel::RowTableModel;

    /// Null: none.
    void setAnswer(std::shared_ptr<const HistogramAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const HistogramAnswer>& answer() const { return answer_; }
    void setMeasure(Measure measure);
    [[nodiscard]] Measure measure() const { return measure_; }
    /// Null: no such row.
    [[nodiscard]] const analysis::HistogramBar* bar(int row) const;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] std::span<const analysis::HistogramBar> bars() const;
    [[nodiscard]] const Columns& columns() const override;
    [[nodiscard]] std::size_t size() const override { return bars().size(); }
    [[nodiscard]] BarOfAnswer rowAt(std::size_t row) const override { return {bars()[row], answer_->query}; }
    [[nodiscard]] QString toolTip(BarOfAnswer of, int column) const override;
    [[nodiscard]] QPointF parts(const analysis::HistogramBar& bar) const;

    std::shared_ptr<const HistogramAnswer> answer_;
    Measure measure_ = Measure::Bytes;
    std::uint64_t longest_ = 0; ///< bytes or rows
};

} // namespace highwater::ui

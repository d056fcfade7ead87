#pragma once

#include "core/analysis/row_filter.h"
#include "core/base/units.h"
#include "ui/state/table_layout.h"

#include <QFlags>
#include <QObject>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace highwater::ui {

/// One clause of the filter with the words that stand on its chip.
struct FilterStep {
    analysis::RowFilter::Clause clause;
    QString text;
    friend bool operator==(const FilterStep&, const FilterStep&) = default;
};

/// How a zoom is remembered: as a step of its own, or as more of the last one (the notches of a wheel).
enum class ZoomStep { Own, Continued };

/// What one analysis looks at: whole range >= visible range >= selection, the table with its layout, and the filter.
/// Everything that shows or changes it binds to this; none of them knows another. GUI thread only.
///
/// Filters and layouts are kept per table (a heap handle means nothing to VirtualAlloc). Undo: zooms back and forth,
/// filter changes back.
class ViewState : public QObject {
    Q_OBJECT
  public:
    enum Change { WholeRange = 1, VisibleRange = 2, Selection = 4, Filter = 8, Table = 16, Layout = 32 };
    Q_DECLARE_FLAGS(Changes, Change)

    /// Shorter ranges are widened to this when zooming: a range always has a pixel for every point.
    static constexpr std::int64_t kShortestZoomNs = 1'000;

    explicit ViewState(QObject* parent = nullptr);

    /// A new trace: everything but the layouts starts anew.
    void reset(TimeRange wholeRange);
    /// The same trace has grown. An unzoomed view grows along.
    void growTo(TimeRange wholeRange);

    [[nodiscard]] TimeRange wholeRange() const { return whole_; }
    [[nodiscard]] TimeRange visibleRange() const { return visible_; }
    [[nodiscard]] bool isZoomed() const { return !(visible_ == whole_); }
    void zoomTo(TimeRange range, ZoomStep step = ZoomStep::Own);
    /// Moves the visible range without changing its length.
    void panBy(std::int64_t ns);
    void showAll() { zoomTo(whole_); }
    void zoomBack();
    void zoomForward();
    [[nodiscard]] bool canZoomBack() const { return !back_.empty(); }
    [[nodiscard]] bool canZoomForward() const { return !forward_.empty(); }

    [[nodiscard]] std::optional<TimeRange> selection() const { return selection_; }
    /// Clipped to the whole range; an empty range clears it.
    void select(TimeRange range);
    void clearSelection();
    void zoomToSelection();

    [[nodiscard]] analysis::Table table() const { return table_; }
    void showTable(analysis::Table table);
    [[nodiscard]] const TableLayout& layout() const { return layouts_[index()]; }
    void setLayout(TableLayout layout);

    [[nodiscard]] const std::vector<FilterStep>& filterSteps() const { return filters_[index()].steps; }
    [[nodiscard]] analysis::RowFilter filter() const;
    void addFilter(FilterStep step);
    void removeFilter(std::size_t position);
    void clearFilter();
    void undoFilter();
    [[nodiscard]] bool canUndoFilter() const { return !filters_[index()].undo.empty(); }

  signals:
    void changed(highwater::ui::ViewState::Changes changes);

  private:
    struct TableFilter {
        std::vector<FilterStep> steps;
        std::vector<std::vector<FilterStep>> undo;
    };
    [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(table_); }
    [[nodiscard]] TimeRange clipped(TimeRange range) const;
    void show(TimeRange range);
    void setFilter(std::vector<FilterStep> steps);

    TimeRange whole_;
    TimeRange visible_;
    std::optional<TimeRange> selection_;
    std::vector<TimeRange> back_;
    std::vector<TimeRange> forward_;
    bool continuing_ = false; ///< the last change was a zoom that may be continued
    analysis::Table table_ = analysis::Table::VirtualAlloc;
    std::array<TableLayout, 3> layouts_;
    std::array<TableFilter, 3> filters_;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(ViewState::Changes)

} // namespace highwater::ui

#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "ui/state/table/filter_step.h"
#include "ui/state/table/table_layout.h"

#include <QFlags>
#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::ui {

class AnalysisState;

enum class ChartType : std::uint8_t { Line, StackedArea, Bars, Lifetimes, NewBytes, Flames, Icicle };
/// Whether the chart is a flame graph, which has no time axis: with its root at the bottom or at the top.
[[nodiscard]] constexpr bool isFlames(ChartType chart) {
    return chart == ChartType::Flames || chart == ChartType::Icicle;
}
/// Visible halves of a graph.
enum class GraphParts : std::uint8_t { GraphAndTable, GraphOnly, TableOnly };

/// A graph of an analysis and its table: the table shown, its layout and its filter. The analysis owns it, and has the
/// time range and the history of the filter. GUI thread only.
class GraphState : public QObject {
    Q_OBJECT
  public:
    enum Change {
        Filter = 1,
        Layout = 2,
        Chart = 4,
        PaintedRows = 8,
        HiddenSeries = 16,
        Parts = 32,
        PresetName = 64,
        FilterWords = 128, ///< only their texts
        OpenedSeries = 256
    };
    Q_DECLARE_FLAGS(Changes, Change)

    GraphState(AnalysisState& analysis, analysis::Table table, int id);

    [[nodiscard]] AnalysisState& analysis() const { return analysis_; }
    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] analysis::Table table() const { return layout_.table; }

    [[nodiscard]] const TableLayout& layout() const { return layout_; }
    /// A layout of the same table. Changing only widths does not add an undo step.
    void setLayout(TableLayout layout);
    [[nodiscard]] bool canUndoLayout() const { return !layoutUndo_.empty(); }
    [[nodiscard]] bool canRedoLayout() const { return !layoutRedo_.empty(); }
    void undoLayout();
    void redoLayout();
    /// The parts that a preset determines.
    struct Shape {
        TableLayout layout;
        QString presetName;
        ChartType chart = ChartType::Line;
        std::uint32_t seriesLevels = 1;
        friend bool operator==(const Shape&, const Shape&) = default;
    };
    [[nodiscard]] Shape shape() const { return {layout_, presetName_, chart_, seriesLevels_}; }
    void setShape(const Shape& shape);
    /// Name of the preset from which the layout originates, even if it was modified since; empty: the first of its
    /// table.
    [[nodiscard]] const QString& presetName() const { return presetName_; }
    void setPresetName(const QString& name);

    [[nodiscard]] const std::vector<FilterStep>& filterSteps() const { return filter_; }
    [[nodiscard]] const analysis::RowFilter& filter() const { return rowFilter_; }
    /// The reason why the step cannot be added to the filter, or replace the step at `instead`; null: it can.
    [[nodiscard]] QString refusal(const FilterStep& step, std::optional<std::size_t> instead = {}) const;
    /// Has no effect if the step is already there or is refused. A step for all graphs is added, replaced, removed and
    /// undone in all of them.
    void addFilter(const FilterStep& step);
    void replaceFilter(std::size_t position, const FilterStep& step);
    void removeFilter(std::size_t position);
    void clearFilter();
    /// Applies the step to all graphs of the analysis or to this one only. Graphs that already have or refuse the step
    /// are skipped silently.
    void setFilterScope(std::size_t position, FilterScope scope);
    /// Updates the texts of the filter after function names or the time format have changed. One text per step; empty:
    /// unchanged. Does not add a history step; the history shows the new texts.
    void renameFilter(const std::vector<QString>& texts);
    /// The same, including the context of its columns, for queries that cannot carry it separately.
    [[nodiscard]] analysis::RowFilter filterInContext() const;
    /// Undoes the last change of this filter, wherever it is in the analysis history; this is itself a history step.
    void undoFilter();
    [[nodiscard]] bool canUndoFilter() const { return !filterUndo_.empty(); }

    [[nodiscard]] ChartType chart() const { return chart_; }
    void setChart(ChartType chart);
    /// Whether Heap Snapshot is shown as one bar per instance, regardless of the chart over time: nothing is known
    /// between instances.
    [[nodiscard]] bool showsInstances() const;
    [[nodiscard]] GraphParts parts() const { return parts_; }
    void setParts(GraphParts parts);

    /// The key that groups the series: the first one. Nothing: a single series, the total, until the user opens it into
    /// a stack.
    [[nodiscard]] std::optional<analysis::Column> seriesColumn() const;
    /// Series form a tree by the keys of the table, like its rows: an open series is drawn as its children.
    [[nodiscard]] analysis::GroupOpening opening() const;
    /// Number of keys that separate the series: from 1 to seriesLevelsOf(layout()).
    [[nodiscard]] std::uint32_t seriesLevels() const;
    /// Limited to the available levels. Resets series that were opened or closed individually.
    void openSeriesTo(std::uint32_t levels);
    /// The same, but keeps series that were opened or closed individually.
    void setSeriesLevels(std::uint32_t levels);
    /// The path of the total is empty. Other series are open if they have children to separate.
    [[nodiscard]] bool isSeriesOpen(const analysis::KeyPath& path) const;
    /// Opens or closes the series.
    void turnSeries(const analysis::KeyPath& path);
    /// Series of the current keys whose state differs from their level's.
    [[nodiscard]] std::vector<analysis::KeyPath> turnedSeries() const;
    /// Series that were opened and closed individually, for any keys. They take effect again when the keys return.
    [[nodiscard]] const std::vector<analysis::KeyPath>& openedSeries() const { return openedSeries_; }
    [[nodiscard]] const std::vector<analysis::KeyPath>& closedSeries() const { return closedSeries_; }
    /// The value that the graph draws: rows if only Count is right of the blue bar, otherwise bytes; for
    /// ChartType::NewBytes the new ones. Frees has no new bytes: its bars show released memory.
    [[nodiscard]] analysis::TimelineMeasure measure() const;
    /// Table rows that are painted in the graph: the selected ones.
    [[nodiscard]] const std::vector<analysis::KeyPath>& paintedRows() const { return paintedRows_; }
    void paintRows(std::vector<analysis::KeyPath> rows);
    /// Series that are not drawn, including their children.
    [[nodiscard]] const std::vector<analysis::KeyPath>& hiddenSeries() const { return hiddenSeries_; }
    void hideSeries(std::vector<analysis::KeyPath> paths);
    /// Whether the series or one of its ancestors is hidden.
    [[nodiscard]] bool isHidden(const analysis::KeyPath& path) const;
    /// Whether private bytes are drawn beside the lines, if they are known.
    [[nodiscard]] bool showsPrivateBytes() const { return showsPrivateBytes_; }
    void showPrivateBytes(bool shows);
    /// Increases whenever a series is opened or hidden.
    [[nodiscard]] std::uint64_t seriesVersion() const { return seriesVersion_; }
    /// Frames have gained or lost names, so their paths have changed.
    void renameSeries(std::vector<analysis::KeyPath> opened, std::vector<analysis::KeyPath> closed,
                      std::vector<analysis::KeyPath> hidden);

    /// A new trace, in which keys have another meaning.
    void forgetKeys();

  signals:
    void changed(highwater::ui::GraphState::Changes changes);
    /// For the history; emitted before changed().
    void filterTaken(const highwater::ui::FilterChange& change, const std::vector<highwater::ui::FilterStep>& before);
    /// For the history: a step of the filter has a new text.
    void filterRenamed(const highwater::ui::FilterStep& step, const QString& text);

  private:
    friend class AnalysisState;
    void setFilter(std::vector<FilterStep> steps, const FilterChange& change);
    void takeFilter(std::vector<FilterStep> steps);
    [[nodiscard]] std::vector<FilterStep> filterWith(const FilterStep& step, std::optional<std::size_t> instead) const;
    /// Changes by another graph to steps for all graphs.
    void shareFilter(const std::vector<FilterStep>& gone, const std::vector<FilterStep>& taken);
    /// From the history; does not add a history step.
    void restoreFilter(std::vector<FilterStep> steps);
    void showLayout(TableLayout layout);
    [[nodiscard]] bool isTotalOpen() const;
    [[nodiscard]] analysis::GroupOpening openingAtFirst() const;

    AnalysisState& analysis_;
    int id_;
    TableLayout layout_;
    QString presetName_;
    std::vector<TableLayout> layoutUndo_;
    std::vector<TableLayout> layoutRedo_;
    std::vector<FilterStep> filter_;
    analysis::RowFilter rowFilter_; ///< all steps combined
    std::vector<std::vector<FilterStep>> filterUndo_;
    ChartType chart_ = ChartType::Line;
    GraphParts parts_ = GraphParts::GraphAndTable;
    std::vector<analysis::KeyPath> paintedRows_;
    std::uint32_t seriesLevels_ = 1;
    std::vector<analysis::KeyPath> openedSeries_, closedSeries_;
    std::vector<analysis::KeyPath> hiddenSeries_;
    std::uint64_t seriesVersion_ = 0;
    bool showsPrivateBytes_ = true;
};

/// Maximum number of levels for the lines of such a graph; 0: its only key is a stack.
[[nodiscard]] std::uint32_t seriesLevelsOf(const TableLayout& layout);

Q_DECLARE_OPERATORS_FOR_FLAGS(GraphState::Changes)

/// Combines the steps into one filter of the graph's rows, with the marks and labels that its columns need. Error:
/// Usage.
[[nodiscard]] Result<analysis::RowFilter> rowFilterIn(const GraphState& graph, const std::vector<FilterStep>& steps);

} // namespace highwater::ui

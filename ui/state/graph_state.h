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
/// A flame graph, which has no time axis: standing on its root, or hanging from it.
[[nodiscard]] constexpr bool isFlames(ChartType chart) {
    return chart == ChartType::Flames || chart == ChartType::Icicle;
}
/// Which halves of a graph are shown.
enum class GraphParts : std::uint8_t { GraphAndTable, GraphOnly, TableOnly };

/// One graph of an analysis with its table: what is shown of which table, how, and filtered by what. Time belongs to
/// the analysis, which owns this and keeps the history of its filter. GUI thread only.
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
        FilterWords = 128, ///< only those
        OpenedSeries = 256
    };
    Q_DECLARE_FLAGS(Changes, Change)

    GraphState(AnalysisState& analysis, analysis::Table table, int id);

    [[nodiscard]] AnalysisState& analysis() const { return analysis_; }
    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] analysis::Table table() const { return layout_.table; }

    [[nodiscard]] const TableLayout& layout() const { return layout_; }
    /// A layout of the same table. A change of widths only is no step to undo.
    void setLayout(TableLayout layout);
    [[nodiscard]] bool canUndoLayout() const { return !layoutUndo_.empty(); }
    [[nodiscard]] bool canRedoLayout() const { return !layoutRedo_.empty(); }
    void undoLayout();
    void redoLayout();
    /// The name of the preset that the layout came from, whether or not it was changed since; empty: the first of its
    /// table.
    [[nodiscard]] const QString& presetName() const { return presetName_; }
    void setPresetName(const QString& name);

    [[nodiscard]] const std::vector<FilterStep>& filterSteps() const { return filter_; }
    [[nodiscard]] const analysis::RowFilter& filter() const { return rowFilter_; }
    /// Why the step cannot be added to the filter, or stand in it instead of that at `instead`; null: it can.
    [[nodiscard]] QString refusal(const FilterStep& step, std::optional<std::size_t> instead = {}) const;
    /// Nothing happens if the step is there already or is refused. A step of all graphs is taken, replaced, removed and
    /// taken back in all of them.
    void addFilter(const FilterStep& step);
    void replaceFilter(std::size_t position, const FilterStep& step);
    void removeFilter(std::size_t position);
    void clearFilter();
    /// For all graphs of the analysis, or this one alone: where else the step stands, or is refused, nothing is said.
    void setFilterScope(std::size_t position, FilterScope scope);
    /// Other words for the same filter: functions have got names, times are told in another way. One text a step;
    /// empty: it keeps its words. No step of the history, which is told in these words from now on.
    void renameFilter(const std::vector<QString>& texts);
    /// The same, with what its columns are about: for questions that have no place for that.
    [[nodiscard]] analysis::RowFilter filterInContext() const;
    /// Takes back the last change of this filter, wherever it is in the history of the analysis; itself a step of it.
    void undoFilter();
    [[nodiscard]] bool canUndoFilter() const { return !filterUndo_.empty(); }

    [[nodiscard]] ChartType chart() const { return chart_; }
    void setChart(ChartType chart);
    /// A bar for each instance of Heap Snapshot, whichever chart over time was chosen: between them nothing is known.
    [[nodiscard]] bool showsInstances() const;
    [[nodiscard]] GraphParts parts() const { return parts_; }
    void setParts(GraphParts parts);

    /// What groups the series of the graph: the first key; none: one series, the total, as long as nobody opens it into
    /// a stack.
    [[nodiscard]] std::optional<analysis::Column> seriesColumn() const;
    /// Series are a tree by the keys of the table, as its rows are: an open one is drawn as those in it.
    [[nodiscard]] analysis::GroupOpening opening() const;
    /// How many keys all series are told by: from 1 to seriesLevelsOf(layout()).
    [[nodiscard]] std::uint32_t seriesLevels() const;
    /// As many as there are, at most. Whatever was opened or closed by itself is as its level says.
    void openSeriesTo(std::uint32_t levels);
    /// The same, but what was opened or closed by itself stays so.
    void setSeriesLevels(std::uint32_t levels);
    /// Of the total the path is empty; other series are open if they hold anything to be told apart.
    [[nodiscard]] bool isSeriesOpen(const analysis::KeyPath& path) const;
    /// Opens it, or closes it.
    void turnSeries(const analysis::KeyPath& path);
    /// Those of the present keys that are not as their level says.
    [[nodiscard]] std::vector<analysis::KeyPath> turnedSeries() const;
    /// What was opened, and closed, by itself, of whichever keys: under other ones it waits until they have it again.
    [[nodiscard]] const std::vector<analysis::KeyPath>& openedSeries() const { return openedSeries_; }
    [[nodiscard]] const std::vector<analysis::KeyPath>& closedSeries() const { return closedSeries_; }
    /// What the graph draws: rows if Count is all that stands right of the blue bar, else bytes; of ChartType::NewBytes
    /// those that are new. Frees has nothing new: its bars are what was released.
    [[nodiscard]] analysis::TimelineMeasure measure() const;
    /// Rows of the table that are painted in the graph: those that are selected.
    [[nodiscard]] const std::vector<analysis::KeyPath>& paintedRows() const { return paintedRows_; }
    void paintRows(std::vector<analysis::KeyPath> rows);
    /// Series that are not drawn, nor what is in them.
    [[nodiscard]] const std::vector<analysis::KeyPath>& hiddenSeries() const { return hiddenSeries_; }
    void hideSeries(std::vector<analysis::KeyPath> paths);
    /// Whether the series, or one that it is in, is hidden.
    [[nodiscard]] bool isHidden(const analysis::KeyPath& path) const;
    /// Grows with everything that is opened or hidden.
    [[nodiscard]] std::uint64_t seriesVersion() const { return seriesVersion_; }
    /// Frames have got, or lost, names: other paths for the same.
    void renameSeries(std::vector<analysis::KeyPath> opened, std::vector<analysis::KeyPath> closed,
                      std::vector<analysis::KeyPath> hidden);

    /// A new trace: keys mean something else.
    void forgetKeys();

  signals:
    void changed(highwater::ui::GraphState::Changes changes);
    /// For the history, before changed().
    void filterTaken(const highwater::ui::FilterChange& change, const std::vector<highwater::ui::FilterStep>& before);
    /// For the history: a step of the filter is called otherwise.
    void filterRenamed(const highwater::ui::FilterStep& step, const QString& text);

  private:
    friend class AnalysisState;
    void setFilter(std::vector<FilterStep> steps, const FilterChange& change);
    void takeFilter(std::vector<FilterStep> steps);
    [[nodiscard]] std::vector<FilterStep> filterWith(const FilterStep& step, std::optional<std::size_t> instead) const;
    /// What another graph has done to steps that hold for all.
    void shareFilter(const std::vector<FilterStep>& gone, const std::vector<FilterStep>& taken);
    /// From the history: no step of it.
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
    analysis::RowFilter rowFilter_; ///< what the steps say together
    std::vector<std::vector<FilterStep>> filterUndo_;
    ChartType chart_ = ChartType::Line;
    GraphParts parts_ = GraphParts::GraphAndTable;
    std::vector<analysis::KeyPath> paintedRows_;
    std::uint32_t seriesLevels_ = 1;
    std::vector<analysis::KeyPath> openedSeries_, closedSeries_;
    std::vector<analysis::KeyPath> hiddenSeries_;
    std::uint64_t seriesVersion_ = 0;
};

/// The most levels that the lines of such a graph can have; 0: it has no key but a stack.
[[nodiscard]] std::uint32_t seriesLevelsOf(const TableLayout& layout);

Q_DECLARE_OPERATORS_FOR_FLAGS(GraphState::Changes)

/// These steps as one filter of the graph's rows, with the marks and labels that its columns are about. Error: Usage.
[[nodiscard]] Result<analysis::RowFilter> rowFilterIn(const GraphState& graph, const std::vector<FilterStep>& steps);

} // namespace highwater::ui

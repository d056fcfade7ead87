#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table_finder.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace highwater::ui {

class QueryField;

/// Find in a table: words or a query, the number of matches, steps from one to the next, and the query as a filter.
/// What is wrong with a query is said below it and marked in it. Hidden until it is asked for. GUI thread only.
class FindBar : public QWidget {
    Q_OBJECT
  public:
    using Direction = TableFinder::Direction;

    /// Both must outlive it.
    FindBar(GraphState& graph, TableFinder& finder, QWidget* parent = nullptr);

    /// Shows it with the last text, ready to be replaced.
    void open();
    /// The query of a filter is to be changed: the next filter takes its place.
    void edit(std::size_t filterStep);
    /// The focus stays where it is, unless there is nothing to look for yet.
    void step(Direction direction);
    void close();
    /// Filters to what the text describes, or that away; says why not. A query about sums keeps the groups that it
    /// finds, with all their rows; where it finds none, and any other one, keeps rows, now and as the trace grows.
    void filter(analysis::RowFilter::Clause::Mode mode);
    /// "12 matches", "More than 10,000 matches", "Searching…"; and whether names of functions are still to come.
    [[nodiscard]] QString countWords() const;

  signals:
    /// From the current row of the table.
    void stepWanted(highwater::ui::TableFinder::Direction direction);
    void closed();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    [[nodiscard]] QString hitWords() const;
    void filterToGroups(const std::optional<std::vector<analysis::KeyPath>>& groups);
    void filterToRows(analysis::RowFilter::Clause::Mode mode);
    void build();
    void buildRow(QHBoxLayout& row);
    void connectField();
    QToolButton* addButton(QHBoxLayout& row, const QString& name, const QString& text);
    void showBar();
    /// The text as it stands now, without waiting for more.
    void readText();
    void refresh();
    void sayTrouble(const QString& sentence);
    void paintTrouble();
    [[nodiscard]] FilterStep filterStep(analysis::RowFilter::Clause::Mode mode) const;
    [[nodiscard]] std::optional<std::size_t> editedPosition() const;

    GraphState& graph_;
    TableFinder& finder_;
    QueryField* field_;
    QLabel* count_;
    QLabel* trouble_;
    QPushButton* filter_;
    QToolButton* next_ = nullptr;
    QToolButton* previous_ = nullptr;
    QTimer typing_; ///< runs while someone may be about to type more
    QString round_; ///< how the last step came to its row, if not straight
    analysis::RowFilter::Clause::Mode collectedFor_ = analysis::RowFilter::Clause::Mode::Keep;
    QString refusal_;                  ///< why the query is no filter
    std::optional<FilterStep> edited_; ///< the filter whose query is being changed
    bool painting_ = false;            ///< a new palette is itself a change of it
};

} // namespace highwater::ui

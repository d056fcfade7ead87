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

/// The find bar of a table: a search text or query, the number of matches, moving between them, and using the query as
/// a filter. Errors are shown below the query and marked in it. Initially hidden. GUI thread only.
class FindBar : public QWidget {
    Q_OBJECT
  public:
    using Direction = TableFinder::Direction;

    /// Both must outlive the bar.
    FindBar(GraphState& graph, TableFinder& finder, QWidget* parent = nullptr);

    /// Shows the bar with the last text selected.
    void open();
    /// Edits a filter's query: the next filter replaces it.
    void edit(std::size_t filterStep);
    /// Keeps the focus, unless there is no search text yet.
    void step(Direction direction);
    void close();
    /// Keeps or removes the rows that match the text, or shows the reason why not. A query about sums keeps the
    /// matching groups with all their rows. If no group matches, and for any other query, the filter applies to single
    /// rows, including those of a growing trace.
    void filter(analysis::RowFilter::Clause::Mode mode);
    /// "12 matches", "More than 10,000 matches", "Searching…"; also mentions if function names are still loading.
    [[nodiscard]] QString countWords() const;

  signals:
    /// Starts at the table's current row.
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
    /// Uses the current text without waiting for further typing.
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
    QTimer typing_; ///< active while further typing is likely
    QString round_; ///< note on a step that wrapped around
    analysis::RowFilter::Clause::Mode collectedFor_ = analysis::RowFilter::Clause::Mode::Keep;
    QString refusal_;                  ///< why the query cannot be a filter
    std::optional<FilterStep> edited_; ///< the filter that is being edited
    bool painting_ = false;            ///< setting a palette triggers another palette change
};

} // namespace highwater::ui

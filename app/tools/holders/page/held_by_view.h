#pragma once

#include "app/tools/holders/page/held_by_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QStackedWidget;
class QToolButton;

namespace highwater::ui {

class FittedColumn;
class TreeFlamesView;

/// The variables, stacks and mappings that hold heap blocks, as a tree or a flame graph, at a picture of memory that a
/// box chooses, and compared with another one that a second box chooses. Both boxes offer the pictures of the process
/// of the selected row. Selecting a row highlights its blocks in the graph; Space filters the Heap table to them or
/// removes the filter; Enter or a double click opens their rows. GUI thread only.
class HeldByView : public QWidget {
    Q_OBJECT
  public:
    explicit HeldByView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() {
        return tr("Open or record a trace to see which variables hold its heap memory.");
    }
    /// Keeps the selected and expanded rows that still exist. Until the user selects a row, the way to most of the
    /// memory is open.
    void setAnswer(std::shared_ptr<const HeldByAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The rows that the graph is filtered to; empty: none.
    void setFiltered(const analysis::KeyPath& path) { filtered_ = path; }
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] TreeFlamesView& flames() { return *flames_; }
    [[nodiscard]] const HeldByModel& model() const { return model_; }

  signals:
    /// The pictures at or before this time; nothing: the newest ones of the interval.
    void pictureWanted(std::optional<highwater::TraceTime> at);
    /// Compare with the pictures at or before this time; nothing: no comparison.
    void comparisonWanted(std::optional<highwater::TraceTime> earlier);
    /// The user has selected a row. Empty: its blocks have no rows in the Heap table.
    void painted(const std::vector<highwater::analysis::KeyPath>& rows);
    /// text: label of the filter.
    void filterWanted(const std::vector<highwater::analysis::KeyPath>& rows, const QString& text);
    void filterUnwanted();
    void rowsWanted(const std::vector<highwater::analysis::KeyPath>& rows, const QString& text);

  private:
    void buildTable();
    void buildPictures();
    [[nodiscard]] std::optional<TraceTime> chosenIn(const QComboBox& box) const;
    void offer(const TakenPicture& picture, bool isNamed);
    void buildFlames();
    [[nodiscard]] QModelIndex rowOf(const QStringList& path) const;
    void goToRow(const QStringList& path);
    [[nodiscard]] QLayout* makeTop();
    void restoreRows(const std::vector<HeldByModel::RowName>& open, const HeldByModel::RowName& selected);
    void openHeaviest();
    [[nodiscard]] std::vector<HeldByModel::RowName> openRows() const;
    void select(const QModelIndex& row);
    void showPictures();
    void showComparison();
    void hideChanges(bool areHidden);
    void fitColumns();
    void showSummary();
    [[nodiscard]] QString textOf(const QModelIndex& row) const;
    void toggleFilter();
    void askForRows();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;

    HeldByModel model_;
    PageTable* table_;
    TreeFlamesView* flames_;
    QStackedWidget* views_;
    QToolButton* asFlames_;
    BusySummary* summary_;
    QComboBox* pictures_;
    QComboBox* earlier_;
    QWidget* choice_; ///< both boxes with their labels
    const analysis::HeldBy* offered_ = nullptr; ///< the boxes offer the pictures of this process; null: all pictures
    FittedColumn* names_;
    QAction* show_;
    QAction* filter_;
    analysis::KeyPath filtered_;
    bool isChosen_ = false; ///< the user has selected, opened or closed a row
};

} // namespace highwater::ui

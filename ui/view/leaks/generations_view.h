#pragma once

#include "ui/model/generations_model.h"

#include <QWidget>

#include <memory>

class QAction;
class QTreeView;

namespace highwater::ui {

class ElidedLabel;

/// Marks with what grew up to each, opened by stack. Selecting a mark or a stack paints it; a click or Space filters to
/// it, once more takes that back; Enter or a double click opens its rows; F2 renames the mark. GUI thread only.
class GenerationsView : public QWidget {
    Q_OBJECT
  public:
    explicit GenerationsView(QWidget* parent = nullptr);

    /// What is selected and opened stays so where it still is there. While a name is edited, the answer waits.
    void setAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    /// There is nothing to show, and why.
    void clear(const QString& why);
    void setBusy(bool busy);
    /// What the graph is filtered to; empty: nothing.
    void setFiltered(const analysis::KeyPath& path) { filtered_ = path; }
    /// What the row of this path is called, as filterWanted says it; empty: there is none any more.
    [[nodiscard]] QString textOf(const analysis::KeyPath& path) const { return textOf(model_.indexOf(path)); }
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const GenerationsModel& model() const { return model_; }

  signals:
    void painted(const highwater::analysis::KeyPath& path);
    /// text: what is to be called so.
    void filterWanted(const highwater::analysis::KeyPath& path, const QString& text);
    void filterUnwanted();
    void rowsWanted(const highwater::analysis::KeyPath& path, const QString& text);
    void renameWanted(qint64 ticks, const QString& name);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildTable();
    void showAnswer(std::shared_ptr<const GenerationsAnswer> answer);
    [[nodiscard]] std::vector<analysis::KeyPath> openPaths() const;
    void showSummary();
    [[nodiscard]] QString textOf(const QModelIndex& index) const;
    [[nodiscard]] QString selectedText() const;
    void toggleFilter();
    void openRows();
    void startRename();
    void endRename();
    void copy();

    GenerationsModel model_;
    QTreeView* table_;
    ElidedLabel* summary_;
    QAction* rename_;
    analysis::KeyPath filtered_;
    std::shared_ptr<const GenerationsAnswer> waiting_; ///< came while a name was edited
    bool isBusy_ = false;
    bool isEditing_ = false;
    bool isRefreshing_ = false; ///< a selection that is put back is nobody's wish
};

} // namespace highwater::ui

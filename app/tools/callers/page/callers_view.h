#pragma once

#include "ui/model/call_tree_model.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QTreeView;

namespace highwater::ui {

class ElidedLabel;

/// A function with its callers (bottom-up) and its callees (top-down). Enter in the field, and Enter or a double click
/// on a row, select another function. GUI thread only.
class CallersView : public QWidget {
    Q_OBJECT
  public:
    explicit CallersView(QWidget* parent = nullptr);

    /// Empty because clear() also explains the page without a trace.
    [[nodiscard]] static QString emptyText() { return {}; }
    /// The function to show in the field.
    void setFunction(const QString& function);
    void setAnswer(std::shared_ptr<const analysis::Callers> answer, analysis::Table table, TimeRange interval);
    /// Clears the page and shows the reason; empty: no function was requested.
    void clear(const QString& why);
    void setBusy(bool busy);
    [[nodiscard]] QTreeView& callers() { return *callers_; }
    [[nodiscard]] QTreeView& callees() { return *callees_; }
    [[nodiscard]] QLineEdit& functionBox() { return *function_; }

  signals:
    void functionWanted(const QString& function);

  private:
    QTreeView* makeTree(const char* name, const QString& title, CallTreeModel& model);
    void build();

    CallTreeModel callersModel_;
    CallTreeModel calleesModel_;
    QLineEdit* function_;
    ElidedLabel* summary_;
    QTreeView* callers_;
    QTreeView* callees_;
    QString words_; ///< summary text without the progress
};

} // namespace highwater::ui

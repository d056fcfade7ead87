#pragma once

#include "ui/model/call_tree_model.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QTreeView;

namespace highwater::ui {

class ElidedLabel;

/// A function between its callers, bottom-up, and its callees, top-down. Enter in the box, and Enter or a double click
/// on a row, ask about another function. GUI thread only.
class CallersView : public QWidget {
    Q_OBJECT
  public:
    explicit CallersView(QWidget* parent = nullptr);

    /// Nothing: without a trace, too, clear() tells how to ask.
    [[nodiscard]] static QString emptyText() { return {}; }
    /// What is asked for: shown in the box.
    void setFunction(const QString& function);
    /// `where`: the table and the interval, in words.
    void setAnswer(std::shared_ptr<const analysis::Callers> answer, const QString& where);
    /// There is nothing to show, and why; empty: nothing was asked for.
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
    QString words_; ///< of the summary, without what is going on
};

} // namespace highwater::ui

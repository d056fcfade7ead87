#pragma once

#include "core/analysis/addresses/address_history.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QTreeWidget;

namespace highwater::ui {

class PlainLabel;
class StackList;

/// A field for an address, a list of its uses over the whole trace, newest first, and the allocation and free stacks of
/// the selected one. GUI thread only.
class AddressView : public QWidget {
    Q_OBJECT
  public:
    explicit AddressView(QWidget* parent = nullptr);

    void setAnswer(std::shared_ptr<const analysis::AddressHistory> history, Address address);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    [[nodiscard]] QLineEdit& box() { return *box_; }
    [[nodiscard]] QTreeWidget& list() { return *list_; }

  signals:
    void addressWanted(highwater::Address address);

  private:
    void build();
    void buildList();
    void ask();
    void showStacks();

    std::shared_ptr<const analysis::AddressHistory> history_;
    QLineEdit* box_;
    PlainLabel* summary_;
    QTreeWidget* list_;
    StackList* allocated_;
    StackList* freed_;
};

} // namespace highwater::ui

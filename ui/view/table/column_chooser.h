#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/column_offer.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace highwater::ui {

/// All columns of a table, checked if shown; those that cannot be filled are grey and show their reason. A check mark
/// shows or removes the column immediately. Typing searches, Up and Down select, Space or Enter toggles, Escape closes.
/// A popup that deletes itself on closing. GUI thread only.
class ColumnChooser : public QFrame {
    Q_OBJECT
  public:
    ColumnChooser(GraphState& state, const TraceFacts& facts, QWidget* parent);

    /// Places its corner there, as far as the screen allows.
    void popup(const QPoint& globalPosition);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    void fill();
    void addOffer(QTreeWidgetItem& group, std::size_t index);
    void showTicks();
    void search(const QString& text);
    void choose(QTreeWidgetItem& item);
    void describeCurrent();
    void moveCurrent(int key);
    [[nodiscard]] const ColumnOffer* offerOf(const QTreeWidgetItem* item) const;

    GraphState& state_;
    std::vector<ColumnOffer> offers_;
    QLineEdit* search_;
    QTreeWidget* list_;
    QLabel* words_;
    bool filling_ = false;
};

} // namespace highwater::ui

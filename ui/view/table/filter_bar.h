#pragma once

#include "ui/state/graph_state.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;

namespace highwater::ui {

/// The filter as chips, one a step, each with an x; that of a query can be edited. Their menus say for which graphs of
/// the tab they hold, as do the chips where there are several. Hidden while there is no filter. GUI
/// thread only.
class FilterBar : public QWidget {
    Q_OBJECT
  public:
    explicit FilterBar(GraphState& state, QWidget* parent = nullptr);

  signals:
    /// What had the focus is gone: the reader has no place in the window.
    void left();
    /// The query of this step.
    void editWanted(std::size_t step);

  private:
    void build();
    void refresh();
    void orderFocus();
    void relabel();
    void labelChip(std::size_t position);
    void addChip(std::size_t position);
    void addQueryChip(std::size_t position);
    [[nodiscard]] QString chipText(std::size_t position) const;
    [[nodiscard]] QString scopeText(std::size_t position) const;
    [[nodiscard]] QString scopeSentence(std::size_t position) const;
    void addMenu(QPushButton& chip, std::size_t position);

    GraphState& state_;
    QHBoxLayout* chips_;
    QWidget* beforeChips_;             ///< never seen: their place in the order of Tab
    std::vector<QPushButton*> chipOf_; ///< by step; null: that of a query, which is never called otherwise
};

} // namespace highwater::ui

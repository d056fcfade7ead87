#pragma once

#include "ui/state/graph_state.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;

namespace highwater::ui {

/// The filter as chips, one per step, each with a close button; query chips can be edited. Their menus choose the
/// graphs of the tab to which they apply; the chips show it if there are several graphs. Hidden while there is no
/// filter. GUI thread only.
class FilterBar : public QWidget {
    Q_OBJECT
  public:
    explicit FilterBar(GraphState& state, QWidget* parent = nullptr);

  signals:
    /// The focused widget was removed, so the focus needs a new place.
    void left();
    /// Edit the query of this step.
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
    QWidget* beforeChips_;             ///< hidden; marks their place in the tab order
    std::vector<QPushButton*> chipOf_; ///< by step; null for queries, which are never renamed
};

} // namespace highwater::ui

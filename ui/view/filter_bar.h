#pragma once

#include "ui/state/graph_state.h"

#include <QWidget>

class QHBoxLayout;

namespace highwater::ui {

/// The filter as chips, one a clause, each with an x. Hidden while there is no filter. GUI thread only.
class FilterBar : public QWidget {
    Q_OBJECT
  public:
    explicit FilterBar(GraphState& state, QWidget* parent = nullptr);

  signals:
    /// What had the focus is gone: the reader has no place in the window.
    void left();

  private:
    void build();
    void refresh();
    void addChip(std::size_t position, const QString& text);

    GraphState& state_;
    QHBoxLayout* chips_;
};

} // namespace highwater::ui

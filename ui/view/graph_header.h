#pragma once

#include "ui/state/graph_state.h"

#include <QFrame>

namespace highwater::ui {

/// The line above a graph: its name, how it is drawn, which halves are shown, close. GUI thread only.
class GraphHeader : public QFrame {
    Q_OBJECT
  public:
    explicit GraphHeader(GraphState& graph, QWidget* parent = nullptr);

  signals:
    void closeWanted();

  private:
    void build();

    GraphState& graph_;
};

} // namespace highwater::ui

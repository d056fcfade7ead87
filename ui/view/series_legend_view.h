#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/query_runner.h"

#include <QTreeWidget>

#include <memory>

namespace highwater::ui {

class SeriesColors;

/// The lines of a timeline with their colours and peaks; a tick takes a line out of the graph. GUI thread only.
class SeriesLegendView : public QTreeWidget {
    Q_OBJECT
  public:
    SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent = nullptr);

    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refill();
    void noteTick(QTreeWidgetItem* item);
    [[nodiscard]] QTreeWidgetItem* makeItem(const analysis::TimelineSeries& series);

    GraphState& graph_;
    SeriesColors& colors_;
    std::shared_ptr<const TimelineAnswer> answer_;
};

} // namespace highwater::ui

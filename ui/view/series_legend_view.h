#pragma once

#include "core/analysis/memory_timeline.h"

#include <QSet>
#include <QTreeWidget>

#include <memory>

namespace highwater::ui {

class SeriesColors;

/// The lines of a timeline with their colours and peaks; a tick takes a line out of the graph. GUI thread only.
class SeriesLegendView : public QTreeWidget {
    Q_OBJECT
  public:
    explicit SeriesLegendView(SeriesColors& colors, QWidget* parent = nullptr);

    void setTimeline(std::shared_ptr<const analysis::Timeline> timeline);
    /// Shows everything again.
    void clearHidden();

  signals:
    void hiddenChanged(const QSet<quint64>& keys);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refill();
    void noteTick(QTreeWidgetItem* item);
    [[nodiscard]] QTreeWidgetItem* makeItem(const analysis::TimelineSeries& series);

    SeriesColors& colors_;
    std::shared_ptr<const analysis::Timeline> timeline_;
    QSet<quint64> hidden_;
};

} // namespace highwater::ui

#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/query_runner.h"

#include <QTreeWidget>

#include <memory>
#include <optional>

namespace highwater::ui {

class SeriesColors;

/// The lines of a timeline with their colours and peaks, or, while there is a cursor, their values there; a tick takes
/// a line out of the graph, the menu all but one. Below them the rows that are painted in it. GUI thread only.
class SeriesLegendView : public QTreeWidget {
    Q_OBJECT
  public:
    SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent = nullptr);

    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);
    /// The rows that are painted; as many names and colours as the answer has rows, or null.
    void setPainted(std::shared_ptr<const PaintedAnswer> painted, const QStringList& names,
                    const std::vector<QColor>& colors);
    /// None: the peaks.
    void showValuesAt(std::optional<TraceTime> time);

  protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void build();
    void refill();
    void noteTick(QTreeWidgetItem* item);
    void fillValues();
    void hideAllBut(std::optional<quint64> key);
    void addPainted();
    void fillValue(QTreeWidgetItem& item, const std::vector<SignedByteCount>& peaks);
    [[nodiscard]] QTreeWidgetItem* makeItem(const analysis::TimelineSeries& series);
    [[nodiscard]] QIcon swatch(const QColor& color, bool isDrawn) const;
    [[nodiscard]] bool tellsNewBytes() const;
    [[nodiscard]] QSet<quint64> groupKeys() const;

    GraphState& graph_;
    SeriesColors& colors_;
    std::shared_ptr<const TimelineAnswer> answer_;
    std::shared_ptr<const PaintedAnswer> painted_;
    QStringList paintedNames_;
    std::vector<QColor> paintedColors_;
    std::optional<TraceTime> time_;
};

} // namespace highwater::ui

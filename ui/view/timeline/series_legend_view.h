#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/query_runner.h"

#include <QTreeWidget>

#include <memory>
#include <optional>

class QMenu;

namespace highwater::ui {

class SeriesColors;

/// Lines of a timeline with their colours and peaks or, if there is a cursor, their values at it: a tree by the keys of
/// the table. An open line is drawn as its children. Check boxes hide lines; the menu hides all but one, and opens all
/// of a level. Painted rows follow below. GUI thread only.
class SeriesLegendView : public QTreeWidget {
    Q_OBJECT
  public:
    SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent = nullptr);

    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);
    /// The painted rows, with one name per row of the answer; or null. Their colours must already be assigned.
    void setPainted(std::shared_ptr<const PaintedAnswer> painted, const QStringList& names);
    /// Nothing: shows peaks.
    void showValuesAt(std::optional<TraceTime> time);

  protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

  private:
    void build();
    void refill();
    void noteTick(QTreeWidgetItem* item);
    void noteOpening(QTreeWidgetItem* item);
    void fillValues();
    void hideAllBut(const analysis::KeyPath& path);
    void addSeries();
    void addPrivateBytes();
    void addPainted();
    void addLevels(QMenu& menu);
    /// Slices before the first one have no value.
    void fillValue(QTreeWidgetItem& item, const std::vector<SignedByteCount>& peaks, std::size_t firstSlice = 0);
    [[nodiscard]] QTreeWidgetItem* makeItem(std::size_t place);
    [[nodiscard]] const analysis::TimelineSeries* seriesOf(const QTreeWidgetItem* item) const;
    [[nodiscard]] QIcon swatch(const QColor& color, bool isDrawn) const;
    [[nodiscard]] bool isNewBytesChart() const;
    [[nodiscard]] bool isCoarse() const { return answer_ && answer_->timeline.isCoarse; }

    GraphState& graph_;
    SeriesColors& colors_;
    std::shared_ptr<const TimelineAnswer> answer_;
    std::shared_ptr<const PaintedAnswer> painted_;
    QStringList paintedNames_;
    std::optional<TraceTime> time_;
    std::optional<analysis::KeyPath> current_; ///< the current series
};

} // namespace highwater::ui

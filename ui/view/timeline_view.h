#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/state/query_runner.h"
#include "ui/view/timeline_overlay.h"
#include "ui/view/timeline_surface.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace highwater::ui {

class SeriesColors;
class ZoomActions;

/// The outstanding amount over time, one line per group. Drag selects an interval, Enter zooms to it, the wheel zooms
/// at the pointer (Shift: pans), Backspace unzooms, Home shows all, Escape clears; the arrows move a cursor, with Shift
/// they select. Bound to the view state; knows no table. GUI thread only.
class TimelineView : public QWidget {
    Q_OBJECT
  public:
    TimelineView(GraphState& graph, SeriesColors& colors, ZoomActions& actions, QWidget* parent = nullptr);
    ~TimelineView() override;

    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const TimelineAnswer>& answer() const { return scene_.answer; }
    /// How much the outstanding amount changes over this selection; shown while it is the selection.
    void setSelectionDelta(TimeRange selection, SignedByteCount bytes);
    [[nodiscard]] TimelineCoordinates coordinates() const { return {state_.visibleRange(), plot_}; }
    /// What stands beside the cursor: of the selection start, end, duration, difference.
    [[nodiscard]] QStringList words() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }
    [[nodiscard]] QSize sizeHint() const override { return {800, 260}; }

  signals:
    void plotWidthChanged(int pixels);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void build();
    void connectState();
    void redraw();
    void refreshMarks();
    void updateAmounts();
    void moveCursor(int steps, bool selecting);
    void zoomAt(TraceTime center, double factor);
    void paintTimeAxis(QPainter& painter) const;
    void paintByteAxis(QPainter& painter) const;

    GraphState& graph_;
    AnalysisState& state_;
    SeriesColors& colors_;
    ZoomActions& actions_;
    std::unique_ptr<TimelineSurface> surface_;
    TimelineOverlay* overlay_;
    TimelineScene scene_;
    QRectF plot_;
    std::vector<Tick> byteTicks_;
    std::optional<TraceTime> anchor_; ///< where a selection began that is being made
    bool dragging_ = false;
    double pressX_ = 0;
    std::optional<TraceTime> cursor_;
    std::optional<std::pair<TimeRange, SignedByteCount>> delta_;
};

} // namespace highwater::ui

#pragma once

#include "ui/state/analysis_state.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QWidget>

namespace highwater::ui {

/// The whole trace as a ruler with the visible range: drag it to move it; a click elsewhere moves it there. GUI thread
/// only.
class TimeRuler : public QWidget {
    Q_OBJECT
  public:
    explicit TimeRuler(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] TimelineCoordinates coordinates() const;
    [[nodiscard]] QSize sizeHint() const override { return {220, fontMetrics().height() + 10}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, fontMetrics().height() + 8}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] QRectF boxOf(TimeRange range) const;
    void moveTo(TraceTime time);

    AnalysisState& state_;
    std::int64_t grabbed_ = 0; ///< distance of the grabbed point from the start of the range
};

} // namespace highwater::ui

#include "ui/view/timeline/time_ruler.h"

#include "ui/view/timeline/timeline_overlay.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace highwater::ui {

TimeRuler::TimeRuler(AnalysisState& state, QWidget* parent) : QWidget(parent), state_(state) {
    setObjectName(QStringLiteral("timeRuler"));
    setAccessibleName(tr("Whole trace"));
    setToolTip(tr("The whole trace. Drag the highlighted part to move the visible interval."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&state_, &AnalysisState::changed, this, qOverload<>(&QWidget::update));
}

TimelineCoordinates TimeRuler::coordinates() const {
    return {state_.wholeRange(), QRectF(rect()).adjusted(1, 1, -1, -1)};
}

QRectF TimeRuler::boxOf(TimeRange range) const {
    const auto at = coordinates();
    const auto left = at.xOf(range.start);
    const auto width = std::max(3.0, at.xOf(range.end) - left); // a deep zoom stays visible
    return {left, at.plot.top(), width, at.plot.height()};
}

void TimeRuler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (state_.wholeRange().isEmpty()) return;
    const auto at = coordinates();
    const auto fill = [&](TimeRange range, QColor color, int alpha) {
        color.setAlpha(alpha);
        painter.fillRect(boxOf(range), color);
    };
    if (const auto range = state_.highlight()) fill(*range, TimelineOverlay::highlightColor(), 120);
    if (const auto range = state_.selection()) fill(*range, palette().color(QPalette::Highlight), 140);
    for (const auto& tick : timeTicksThatFit(at.visible, width(), fontMetrics(), 10)) {
        const auto labelWidth = fontMetrics().horizontalAdvance(tick.label) + 4;
        const auto x = at.xOf(TraceTime{static_cast<std::int64_t>(tick.value)});
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(QPointF(x, at.plot.bottom() - 4), QPointF(x, at.plot.bottom()));
        painter.setPen(palette().color(QPalette::Text));
        if (x + labelWidth <= width()) painter.drawText(QPointF(x + 3, at.plot.bottom() - 5), tick.label);
    }
    if (const auto instant = state_.instant()) {
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawLine(QPointF(at.xOf(*instant), at.plot.top()), QPointF(at.xOf(*instant), at.plot.bottom()));
    }
    auto window = palette().color(QPalette::Highlight);
    painter.setPen(QPen(window, 1.5));
    window.setAlpha(40);
    painter.setBrush(window);
    painter.drawRect(boxOf(state_.visibleRange()));
}

void TimeRuler::moveTo(TraceTime time) { state_.panBy(time.ns - grabbed_ - state_.visibleRange().start.ns); }

void TimeRuler::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || state_.wholeRange().isEmpty()) return QWidget::mousePressEvent(event);
    const auto time = coordinates().timeAt(event->position().x());
    const auto visible = state_.visibleRange();
    const bool isInside = boxOf(visible).contains(event->position());
    grabbed_ = isInside ? time.ns - visible.start.ns : (visible.end.ns - visible.start.ns) / 2;
    if (!isInside) moveTo(time);
    setCursor(Qt::ClosedHandCursor);
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) moveTo(coordinates().timeAt(event->position().x()));
}

void TimeRuler::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    QWidget::mouseReleaseEvent(event);
}

} // namespace highwater::ui

#include "moc_time_ruler.cpp"

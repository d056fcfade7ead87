// The input half of TimelineView: mouse, wheel and keys to view state.
#include "ui/view/timeline_view.h"

#include "ui/view/zoom_actions.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr double kDragPixels = 3.0; ///< a press that moves less is a click
constexpr double kWheelFactor = 0.8;
constexpr std::int64_t kCursorSteps = 100; ///< arrow keys move by this part of the visible range

} // namespace

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    dragging_ = true;
    pressX_ = event->position().x();
    const auto pressed = coordinates().timeAt(pressX_);
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier) && state_.selection();
    if (!extends)
        anchor_ = pressed;
    else
        anchor_ = pressed < state_.selection()->start ? state_.selection()->end : state_.selection()->start;
    cursor_ = pressed;
    if (extends) state_.select({std::min(*anchor_, pressed), std::max(*anchor_, pressed)});
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const auto x = event->position().x();
    cursor_ = coordinates().timeAt(x);
    if (dragging_ && anchor_ && std::abs(x - pressX_) >= kDragPixels) {
        state_.select({std::min(*anchor_, *cursor_), std::max(*anchor_, *cursor_)});
    }
    refreshMarks();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return QWidget::mouseReleaseEvent(event);
    dragging_ = false;
    const bool isClick = std::abs(event->position().x() - pressX_) < kDragPixels;
    if (isClick && !event->modifiers().testFlag(Qt::ShiftModifier)) state_.clearSelection();
    refreshMarks();
}

void TimelineView::leaveEvent(QEvent* event) {
    cursor_.reset();
    refreshMarks();
    QWidget::leaveEvent(event);
}

void TimelineView::zoomAt(TraceTime center, double factor) {
    const auto visible = state_.visibleRange();
    const auto part = [&](std::int64_t ns) { return std::llround(static_cast<double>(ns) * factor); };
    state_.zoomTo({TraceTime{center.ns - part(center.ns - visible.start.ns)},
                   TraceTime{center.ns + part(visible.end.ns - center.ns)}},
                  ZoomStep::Continued);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    // Shift+wheel arrives as a horizontal delta on some systems.
    const auto delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const auto notches = static_cast<double>(delta) / 120.0;
    const auto visible = state_.visibleRange();
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        state_.panBy(-std::llround(notches * 0.1 * static_cast<double>(visible.end.ns - visible.start.ns)));
    } else {
        zoomAt(coordinates().timeAt(event->position().x()), std::pow(kWheelFactor, notches));
    }
    event->accept();
}

void TimelineView::moveCursor(int steps, bool selecting) {
    const auto visible = state_.visibleRange();
    const auto step = std::max<std::int64_t>(1, (visible.end.ns - visible.start.ns) / kCursorSteps);
    const auto from = cursor_.value_or(TraceTime{visible.start.ns + (visible.end.ns - visible.start.ns) / 2});
    if (!selecting) anchor_.reset();
    if (selecting && !anchor_) anchor_ = from;
    cursor_ = std::clamp(TraceTime{from.ns + steps * step}, visible.start, visible.end);
    if (selecting) state_.select({std::min(*anchor_, *cursor_), std::max(*anchor_, *cursor_)});
    refreshMarks();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const auto visible = state_.visibleRange();
    const TraceTime middle{visible.start.ns + (visible.end.ns - visible.start.ns) / 2};
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return state_.zoomToSelection();
    case Qt::Key_Backspace:
        return state_.back();
    case Qt::Key_Home:
        return state_.showAll();
    case Qt::Key_Escape:
        dragging_ = false;
        anchor_.reset();
        return state_.clearSelection();
    case Qt::Key_Left:
        return alt ? state_.back() : moveCursor(-1, shift);
    case Qt::Key_Right:
        return alt ? state_.forward() : moveCursor(1, shift);
    case Qt::Key_Plus:
        return zoomAt(cursor_.value_or(middle), kWheelFactor);
    case Qt::Key_Minus:
        return zoomAt(cursor_.value_or(middle), 1.0 / kWheelFactor);
    default:
        return QWidget::keyPressEvent(event);
    }
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    menu->addActions(actions_.all());
    menu->popup(event->globalPos());
}

} // namespace highwater::ui

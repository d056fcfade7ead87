// The input half of TimelineView: converts mouse, wheel and keys to view state.
#include "ui/view/timeline/timeline_view.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/picture_dialog.h"
#include "ui/view/parts/picture_file.h"
#include "ui/view/parts/svg_file.h"
#include "ui/view/timeline/timeline_picture.h"
#include "ui/view/timeline/zoom_actions.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr double kDragPixels = 3.0; ///< a press that moves less is a click
constexpr double kWheelFactor = 0.8;
constexpr std::int64_t kCursorSteps = 100; ///< arrow keys move by this fraction of the visible range
constexpr double kPanNotch = 0.1;          ///< a wheel notch pans by this fraction
constexpr double kPointReach = 3.0;        ///< pixels around a click that also count
constexpr double kLineReach = 6.0;         ///< maximum distance of a click from a line

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
    setCursorTime(pressed);
    if (extends) state_.select({std::min(*anchor_, pressed), std::max(*anchor_, pressed)});
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const auto x = event->position().x();
    pointer_ = event->position();
    setCursorTime(coordinates().timeAt(x));
    if (dragging_ && anchor_ && std::abs(x - pressX_) >= kDragPixels) {
        state_.select({std::min(*anchor_, *cursor_), std::max(*anchor_, *cursor_)});
    }
    refreshMarks();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return QWidget::mouseReleaseEvent(event);
    dragging_ = false;
    const bool isClick = std::abs(event->position().x() - pressX_) < kDragPixels;
    if (isClick && !event->modifiers().testFlag(Qt::ShiftModifier)) {
        state_.clearSelection();
        pointAt(event->position());
    }
    refreshMarks();
}

// A spike may be a pixel wide, so a click includes a few pixels around it. It may also be as wide as the plot, so the
// target is what started when the line rose to the height of the pointer.
void TimelineView::pointAt(QPointF position) {
    const auto at = coordinates();
    if (!plot_.contains(position)) return;
    if (showsLifetimes()) return pointAtBar(position);
    if (showsNewBytes()) return selectSliceAt(position);
    const auto first = layers_.sliceAt(at.timeAt(position.x() - kPointReach));
    const auto last = layers_.sliceAt(at.timeAt(position.x() + kPointReach));
    if (!first || !last) return;
    const auto perPixel = (scene_.highest - scene_.lowest) / plot_.height();
    const auto amount = scene_.lowest + (plot_.bottom() - position.y()) * perPixel;
    const auto series = layers_.seriesAt(*first, *last, amount, kLineReach * perPixel);
    if (!series) return;
    emit rowPointedAt(layers_.riseTo(*series, *first, *last, amount), content_.answer->timeline.series[*series].path);
}

/// Selects all that is new in a bar; a zoom then shows its table.
void TimelineView::selectSliceAt(QPointF position) {
    const auto slice = layers_.sliceAt(coordinates().timeAt(position.x()));
    if (slice) state_.select({layers_.edges()[*slice], layers_.edges()[*slice + 1]});
}

/// Targets the allocation that started at this very instant.
void TimelineView::pointAtBar(QPointF position) {
    const auto bar = bars_.at(position);
    if (!bar) return;
    const auto& lifetime = bars_.lifetime(*bar);
    const auto begin = std::max(lifetime.begin, state_.visibleRange().start);
    emit rowPointedAt({begin, TraceTime{begin.ns + 1}}, lifetime.series);
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const bool isInPlot = plot_.contains(help->pos());
    const auto words = isInPlot ? zones_.wordsAt(help->pos().x()) : QString();
    // An empty text hides the tooltip of another place.
    QToolTip::showText(help->globalPos(), tooltipText(words), this);
    return true;
}

void TimelineView::leaveEvent(QEvent* event) {
    setCursorTime(std::nullopt);
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

void TimelineView::pan(double partOfVisible) {
    const auto visible = state_.visibleRange();
    state_.panBy(std::llround(partOfVisible * static_cast<double>(visible.end.ns - visible.start.ns)));
}

// High-resolution wheels send small fractions of a notch; touchpads send pixels, also horizontally. Shift+wheel arrives
// as a horizontal step on some systems.
void TimelineView::wheelEvent(QWheelEvent* event) {
    const auto angle = event->angleDelta();
    const auto pixels = event->pixelDelta();
    const bool isSideways = std::abs(angle.x()) > std::abs(angle.y());
    const auto notches = (isSideways ? angle.x() : angle.y()) / 120.0;
    event->accept();
    if (isSideways && pixels.x() != 0) return pan(-pixels.x() / std::max(1.0, plot_.width()));
    if (isSideways || event->modifiers().testFlag(Qt::ShiftModifier)) return pan(-notches * kPanNotch);
    if (notches != 0) zoomAt(coordinates().timeAt(event->position().x()), std::pow(kWheelFactor, notches));
}

void TimelineView::moveCursor(int steps, bool selecting) {
    const auto visible = state_.visibleRange();
    const auto step = std::max<std::int64_t>(1, (visible.end.ns - visible.start.ns) / kCursorSteps);
    const auto from = cursor_.value_or(middle());
    if (!selecting) anchor_.reset();
    if (selecting && !anchor_) anchor_ = from;
    setCursorTime(std::clamp(TraceTime{from.ns + steps * step}, visible.start, visible.end));
    if (selecting) state_.select({std::min(*anchor_, *cursor_), std::max(*anchor_, *cursor_)});
    refreshMarks();
}

// A second time at the same place undoes it.
void TimelineView::toggleInstant() {
    const auto visible = state_.visibleRange();
    const bool wasHere = lastCursor_ && *lastCursor_ >= visible.start && *lastCursor_ <= visible.end;
    const auto time = cursor_.value_or(wasHere ? *lastCursor_ : middle());
    const auto instant = state_.instant();
    const auto at = coordinates();
    if (instant && std::abs(at.xOf(*instant) - at.xOf(time)) < kPointReach) return state_.clearInstant();
    state_.showInstant(time);
}

/// Clears one item of the view state.
void TimelineView::clearOne() {
    dragging_ = false;
    anchor_.reset();
    if (state_.selection()) return state_.clearSelection();
    state_.clearInstant();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Left:
        return alt ? state_.back() : moveCursor(-1, shift);
    case Qt::Key_Right:
        return alt ? state_.forward() : moveCursor(1, shift);
    default:
        if (event->modifiers().testFlag(Qt::ControlModifier) || !handlePlainKey(event->key()))
            QWidget::keyPressEvent(event);
    }
}

bool TimelineView::handlePlainKey(int key) {
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        state_.zoomToSelection();
        return true;
    case Qt::Key_Backspace:
        state_.back();
        return true;
    case Qt::Key_Home:
        state_.showAll();
        return true;
    case Qt::Key_Escape:
        clearOne();
        return true;
    case Qt::Key_L:
        toggleInstant();
        return true;
    case Qt::Key_Plus:
        zoomAt(cursor_.value_or(middle()), kWheelFactor);
        return true;
    case Qt::Key_Minus:
        zoomAt(cursor_.value_or(middle()), 1.0 / kWheelFactor);
        return true;
    default:
        return false;
    }
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) setCursorTime(coordinates().timeAt(event->pos().x()));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    menu->addActions(actions_.all());
    menu->addSeparator();
    menu->addAction(instant_);
    menu->addAction(export_);
    menu->popup(event->globalPos());
}

void TimelineView::askForPicture() {
    const auto title = analysis::tableTitle(graph_.table());
    ui::askForPicture(*this, {traceName_ ? traceName_() : QString(), toQString(title)},
                      canSaveSvg() ? DrawingsAre::Offered : DrawingsAre::Missing,
                      [this](const QString& path, PictureForm form) { savePictureAs(path, form); });
}

/// Waits for the exact answer, because a file does not show that a better one was pending.
void TimelineView::savePictureAs(const QString& path, PictureForm form) {
    if (isCoarse()) {
        whenExact_ = [this, path, form] { savePictureAs(path, form); };
        return;
    }
    const auto problem =
        form == PictureForm::Drawing ? saveDrawingOf(*this, graph_, path) : savePicture(pictureOf(*this, graph_), path);
    if (problem.isEmpty())
        emit pictureSaved(path);
    else
        emit pictureFailed(problem);
}

} // namespace highwater::ui

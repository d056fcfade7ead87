#include "ui/format/plain_text.h"
#include "ui/view/flames/flame_canvas.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace highwater::ui {

using analysis::FlameBox;
using analysis::FlameTree;

// Mouse

void FlameCanvas::pointAt(std::optional<QPoint> place) {
    pointer_ = place;
    viewport()->update();
    emit wordsChanged();
}

bool FlameCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showFacts(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::Leave) pointAt(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

QRect FlameCanvas::partAt(const QPoint& place) const {
    const auto box = boxAt(place);
    return box ? rows_.rectOf(*box) : QRect();
}

void FlameCanvas::showFacts(const QPoint& place, const QPoint& globalPosition) {
    const auto box = boxAt(place);
    if (!box) return QToolTip::hideText();
    QToolTip::showText(globalPosition, tooltipText(texts_.facts(*box).join(QLatin1Char('\n'))), viewport(),
                       rows_.rectOf(*box));
}

void FlameCanvas::mouseMoveEvent(QMouseEvent* event) { pointAt(event->pos()); }

/// Several frames drawn as one become wider by zooming to their parent.
void FlameCanvas::mousePressEvent(QMouseEvent* event) {
    const auto box = boxAt(event->pos());
    if (!box || event->button() != Qt::LeftButton) return;
    const auto node = box->isMerged() ? answer_->tree.nodes[box->node].parent : box->node;
    setCurrent(node);
    zoomTo(node);
    pointAt(event->pos());
}

/// The first click has zoomed, so the frame is at the same place with full width.
void FlameCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto box = boxAt(event->pos());
    if (box && !box->isMerged() && event->button() == Qt::LeftButton) emit rowWanted(box->node);
}

void FlameCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (isEmpty()) return;
    if (event->reason() != QContextMenuEvent::Mouse) {
        const auto node = current_.value_or(zoom_);
        const auto rect = rows_.rectOf(layoutNow().boxOf(node)).intersected(viewport()->rect());
        emit menuWanted(node, viewport()->mapToGlobal(rect.isEmpty() ? QPoint() : rect.center()));
        return;
    }
    const auto box = boxAt(event->pos());
    if (box && !box->isMerged()) setCurrent(box->node);
    emit menuWanted(box && !box->isMerged() ? box->node : zoom_, event->globalPos());
}

// Keyboard

bool FlameCanvas::takesKey(const QKeyEvent& event) const {
    if (event.matches(QKeySequence::Find)) return true;
    if (event.modifiers() & ~(Qt::KeypadModifier | Qt::ControlModifier | Qt::ShiftModifier)) return false;
    const bool isEnter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    if (event.modifiers().testFlag(Qt::ControlModifier)) return isEnter;
    switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_Slash:
    case Qt::Key_F3:
        return true;
    case Qt::Key_Escape: // without a step to go back to, others may handle the key
    case Qt::Key_Backspace:
        return canGoBack() || zoom_ != FlameTree::kRoot;
    default:
        return isEnter;
    }
}

bool FlameCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && takesKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

void FlameCanvas::keyPressEvent(QKeyEvent* event) {
    if (!takesKey(*event) || !handleKey(*event)) QAbstractScrollArea::keyPressEvent(event);
}

bool FlameCanvas::handleKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Find) || event.key() == Qt::Key_Slash) {
        emit searchWanted();
        return true;
    }
    if (isEmpty()) return false;
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!current_) return false;
        if (event.modifiers().testFlag(Qt::ControlModifier))
            emit rowWanted(*current_);
        else
            zoomTo(*current_);
        return true;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        canGoBack() ? goBack() : showAll();
        return true;
    case Qt::Key_Home:
        showAll();
        return true;
    case Qt::Key_F3:
        goToMatch(event.modifiers().testFlag(Qt::ShiftModifier) ? Step::Previous : Step::Next);
        return true;
    default:
        return handleWalk(event.key());
    }
}

bool FlameCanvas::handleWalk(int key) {
    pointer_.reset(); // shows the frame of the keys
    if (!current_ || !isWithinZoom(*current_)) {
        setCurrent(zoom_);
        return true;
    }
    switch (key) {
    case Qt::Key_Up:
        rows_.root == FlameRoot::Top ? walkUp() : walkDown();
        return true;
    case Qt::Key_Down:
        rows_.root == FlameRoot::Top ? walkDown() : walkUp();
        return true;
    case Qt::Key_Left:
        walkSideways(Step::Previous);
        return true;
    case Qt::Key_Right:
        walkSideways(Step::Next);
        return true;
    default:
        return false;
    }
}

/// To its parent.
void FlameCanvas::walkUp() {
    const auto& of = answer_->tree.nodes[*current_];
    if (*current_ != FlameTree::kRoot) setCurrent(of.parent);
}

/// To its widest child or, outside the zoom, the one that leads to it.
void FlameCanvas::walkDown() {
    const auto& nodes = answer_->tree.nodes;
    if (nodes[*current_].depth < nodes[zoom_].depth) {
        auto node = zoom_;
        while (nodes[node].parent != *current_)
            node = nodes[node].parent;
        return setCurrent(node);
    }
    if (nodes[*current_].childCount > 0) setCurrent(nodes[*current_].firstChild);
}

/// To the nearest drawn neighbour in its row, even beyond a gap.
void FlameCanvas::walkSideways(Step step) {
    auto window = this->window();
    const auto row = answer_->tree.nodes[*current_].depth;
    window.firstRow = window.lastRow = row;
    const auto here = analysis::FlameLayout(answer_->tree, window).boxOf(*current_).left;
    std::optional<FlameBox> next;
    analysis::FlameLayout(answer_->tree, window).visit([&](const FlameBox& box) {
        const bool isBeyond = step == Step::Next ? box.left > here : box.left < here;
        const bool isNearer = !next || (step == Step::Next ? box.left < next->left : box.left > next->left);
        if (isBeyond && isNearer && !box.isMerged()) next = box;
    });
    if (next) setCurrent(next->node);
}

void FlameCanvas::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FlameCanvas::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace highwater::ui

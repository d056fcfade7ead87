#include "ui/format/plain_text.h"
#include "ui/view/table/header_painter.h"
#include "ui/view/table/pivot_header.h"
#include "ui/view/table/pivot_header_impl.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <cstdlib>

namespace highwater::ui {
namespace {

constexpr int kScrollZone = 24;
constexpr int kScrollStep = 16;

QScrollBar* scrollBarOf(const QWidget& header) {
    auto* table = qobject_cast<QAbstractScrollArea*>(header.parentWidget());
    return table ? table->horizontalScrollBar() : nullptr;
}

QWidget* rowsOf(const QWidget& header) {
    auto* table = qobject_cast<QAbstractScrollArea*>(header.parentWidget());
    return table ? table->viewport() : nullptr;
}

} // namespace

// Drags only the shown layout: not possible while the table still shows the answer to another one.
void PivotHeader::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto spot = places().spotAt(qRound(event->position().x()));
    auto wanted = state_.layout();
    const bool isCurrent = wanted.keyColumns() == shown_.keyColumns() && wanted.valueColumns() == shown_.valueColumns();
    if (spot.kind == HeaderSpot::Kind::Nothing || !isCurrent) return;
    drag_ = std::make_unique<Drag>();
    drag_->spot = spot;
    drag_->pressX = drag_->x = qRound(event->position().x());
    if (spot.kind == HeaderSpot::Kind::Edge) drag_->startWidth = sectionSize(spot.section);
    QToolTip::hideText();
    viewport()->update();
}

void PivotHeader::mouseMoveEvent(QMouseEvent* event) {
    const int x = qRound(event->position().x());
    if (!drag_) {
        const auto spot = places().spotAt(x);
        showCursor(spot);
        if (std::exchange(hovered_, spot.kind == HeaderSpot::Kind::Section ? spot.section : -1) != hovered_)
            viewport()->update();
        return;
    }
    if (drag_->spot.kind == HeaderSpot::Kind::Edge) return resizeTo(x);
    if (!drag_->moved && std::abs(x - drag_->pressX) < QApplication::startDragDistance()) return;
    if (!drag_->moved) beginDrag();
    dragTo(x);
}

void PivotHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !drag_) return;
    const auto spot = drag_->spot;
    if (drag_->moved) {
        drop();
    } else if (spot.kind == HeaderSpot::Kind::Edge) {
        const int wanted = sectionSize(spot.section);
        if (wanted != drag_->startWidth) state_.setLayout(setWidth(state_.layout(), spot.section, wanted));
    } else if (spot.kind == HeaderSpot::Kind::Section) {
        const bool adds = event->modifiers().testFlag(Qt::ShiftModifier);
        state_.setLayout(cycleSort(state_.layout(), spot.section, adds ? SortStep::Add : SortStep::Replace));
    }
    endDrag();
}

void PivotHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto spot = places().spotAt(qRound(event->position().x()));
    if (spot.kind == HeaderSpot::Kind::Edge && event->button() == Qt::LeftButton) return fitSection(spot.section);
    mousePressEvent(event); // the second click
}

void PivotHeader::leaveEvent(QEvent* event) {
    QHeaderView::leaveEvent(event);
    hovered_ = -1;
    viewport()->update();
}

void PivotHeader::showCursor(const HeaderSpot& spot) {
    if (drag_ && drag_->moved && drag_->edit.isRefused()) return viewport()->setCursor(Qt::ForbiddenCursor);
    switch (spot.kind) {
    case HeaderSpot::Kind::Gold:
    case HeaderSpot::Kind::Blue:
        return viewport()->setCursor(Qt::SizeHorCursor);
    case HeaderSpot::Kind::Edge:
        return viewport()->setCursor(Qt::SplitHCursor);
    default:
        viewport()->setCursor(drag_ && drag_->moved ? Qt::ClosedHandCursor : Qt::ArrowCursor);
    }
}

void PivotHeader::resizeTo(int x) {
    resizeSection(drag_->spot.section, std::max(minimumSectionSize(), drag_->startWidth + x - drag_->pressX));
}

void PivotHeader::beginDrag() {
    drag_->moved = true;
    grabKeyboard(); // for Escape
    autoscroll_->start();
}

void PivotHeader::dragTo(int x) {
    drag_->x = x;
    const auto where = places();
    const auto& layout = state_.layout();
    const auto kind = drag_->spot.kind;
    if (drag_->isBar()) {
        drag_->boundary = where.boundaryAt(x);
        if (kind == HeaderSpot::Kind::Blue) drag_->boundary = std::max(drag_->boundary, goldSection(layout));
        drag_->lineX = where.edge(drag_->boundary);
        drag_->edit =
            kind == HeaderSpot::Kind::Gold ? setGoldBar(layout, drag_->boundary) : setBlueBar(layout, drag_->boundary);
    } else {
        drag_->target = where.dropAt(x);
        drag_->lineX = where.dropLine(drag_->target);
        drag_->edit = moveColumn(layout, drag_->spot.section, drag_->target);
    }
    showCursor(drag_->spot);
    showDropLine();
    if (drag_->edit.isRefused())
        QToolTip::showText(viewport()->mapToGlobal(QPoint(x + 12, height())), tooltipText(drag_->edit.refusal),
                           viewport());
    else
        QToolTip::hideText();
    viewport()->update();
}

/// Through the rows, below the header's own line.
void PivotHeader::showDropLine() {
    if (!dropLine_) return;
    auto look = dropLine_->palette();
    const auto plain =
        drag_->isBar() ? HeaderPainter::barColor(
                             drag_->spot.kind == HeaderSpot::Kind::Gold ? LayoutBar::Gold : LayoutBar::Blue, palette())
                       : palette().color(QPalette::Highlight);
    look.setColor(QPalette::Window, drag_->edit.isRefused() ? HeaderPainter::refusalColor(palette()) : plain);
    dropLine_->setPalette(look);
    dropLine_->setGeometry(drag_->lineX - 1, 0, HeaderGeometry::kBarWidth, rowsOf(*this)->height());
    dropLine_->show();
    dropLine_->raise();
}

void PivotHeader::paintDrag(QPainter& painter) const {
    const HeaderPainter look(*this);
    if (!drag_->isBar()) {
        auto ghost = places().section(drag_->spot.section);
        ghost.translate(drag_->x - drag_->pressX, 0);
        look.paintSection(painter, ghost, headerText(shown_, drag_->spot.section), {.isPressed = true});
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(ghost.adjusted(0, 0, -1, -1));
    }
    look.paintDropLine(painter, drag_->lineX, viewport()->height(), drag_->edit.isRefused());
}

void PivotHeader::scrollWhileDragging() {
    auto* bar = scrollBarOf(*this);
    if (!drag_ || !bar) return;
    const int left = places().frozenWidth();
    int step = 0;
    if (drag_->x > viewport()->width() - kScrollZone) step = kScrollStep;
    if (drag_->x < left + kScrollZone) step = -kScrollStep;
    const int before = bar->value();
    bar->setValue(before + step);
    if (bar->value() == before) return;
    drag_->pressX -= bar->value() - before; // the section stays under the pointer
    dragTo(drag_->x);
}

void PivotHeader::drop() {
    const auto edit = drag_->edit;
    const bool isBar = drag_->isBar();
    const int before = std::exchange(current_, drag_->spot.section);
    if (!isBar && !edit.isRefused()) current_ = edit.section;
    if (isBar) current_ = before;
    apply(edit);
}

void PivotHeader::endDrag() {
    if (!drag_) return;
    if (drag_->moved) releaseKeyboard();
    autoscroll_->stop();
    drag_.reset();
    if (dropLine_) dropLine_->hide();
    showCursor(places().spotAt(viewport()->mapFromGlobal(QCursor::pos()).x()));
    viewport()->update();
}

void PivotHeader::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const int section = byKey ? current_ : places().sectionAt(event->pos().x());
    const auto below = places().section(std::clamp(section, 0, std::max(0, count() - 1))).bottomLeft();
    openMenu(section, byKey ? viewport()->mapToGlobal(below) : event->globalPos());
    event->accept();
}

bool PivotHeader::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Delete:
        case Qt::Key_Insert:
        case Qt::Key_Escape:
            event->accept();
            return true;
        default:
            break;
        }
    }
    return QHeaderView::event(event);
}

void PivotHeader::keyPressEvent(QKeyEvent* event) {
    if (drag_) {
        if (event->key() != Qt::Key_Escape) return;
        if (drag_->spot.kind == HeaderSpot::Kind::Edge) resizeSection(drag_->spot.section, drag_->startWidth);
        QToolTip::hideText();
        return endDrag();
    }
    if (!moveByKey(*event) && !changeByKey(*event)) event->ignore();
}

bool PivotHeader::moveByKey(QKeyEvent& event) {
    const bool isLeft = event.key() == Qt::Key_Left;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
            const auto edit = stepColumn(state_.layout(), current_, isLeft ? Sideways::Left : Sideways::Right);
            if (apply(edit)) setCurrentSection(edit.section);
            return true;
        }
        setCurrentSection(current_ + (isLeft ? -1 : 1));
        return true;
    case Qt::Key_Home:
        setCurrentSection(1);
        return true;
    case Qt::Key_End:
        setCurrentSection(sectionCount(state_.layout()) - 1);
        return true;
    case Qt::Key_Down:
    case Qt::Key_Escape:
        if (parentWidget()) parentWidget()->setFocus(Qt::OtherFocusReason);
        return true;
    default:
        return false;
    }
}

bool PivotHeader::changeByKey(QKeyEvent& event) {
    const bool adds = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        state_.setLayout(cycleSort(state_.layout(), current_, adds ? SortStep::Add : SortStep::Replace));
        tellCurrent();
        return true;
    case Qt::Key_Delete: {
        const auto edit = removeColumn(state_.layout(), current_);
        if (apply(edit)) setCurrentSection(edit.section);
        return true;
    }
    case Qt::Key_Insert:
        openChooser();
        return true;
    default:
        return false;
    }
}

void PivotHeader::focusInEvent(QFocusEvent* event) {
    QHeaderView::focusInEvent(event);
    setCurrentSection(current_);
}

void PivotHeader::focusOutEvent(QFocusEvent* event) {
    QHeaderView::focusOutEvent(event);
    viewport()->update();
}

} // namespace highwater::ui

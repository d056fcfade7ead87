#include "ui/view/access/tip_keeper.h"

#include "ui/view/access/tip_place.h"

#include <QAbstractItemView>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QScreen>
#include <QTabBar>
#include <QWidget>

#include <utility>

namespace highwater::ui {
namespace {

constexpr int kWholeHeight = 64; ///< a lower item is avoided as a whole
constexpr int kAround = 12;      ///< pixels around the pointer to keep free otherwise

bool isTip(const QObject& object) { return object.isWidgetType() && object.inherits("QTipLabel"); }

QRect sectionAt(const QHeaderView& header, const QPoint& place) {
    const bool isAcross = header.orientation() == Qt::Horizontal;
    const int section = header.logicalIndexAt(place);
    if (section < 0) return {};
    const int from = header.sectionViewportPosition(section), length = header.sectionSize(section);
    return isAcross ? QRect(from, 0, length, header.viewport()->height())
                    : QRect(0, from, header.viewport()->width(), length);
}

QRect partAt(const QWidget& widget, const QPoint& place) {
    const auto* parent = widget.parentWidget();
    if (const auto* parts = dynamic_cast<const PointedParts*>(&widget)) return parts->partAt(place);
    if (const auto* parts = dynamic_cast<const PointedParts*>(parent)) return parts->partAt(place);
    if (const auto* header = qobject_cast<const QHeaderView*>(parent)) return sectionAt(*header, place);
    const auto* view = qobject_cast<const QAbstractItemView*>(parent);
    if (view && view->viewport() == &widget) return view->visualRect(view->indexAt(place));
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) return tabs->tabRect(tabs->tabAt(place));
    if (const auto* menu = qobject_cast<const QMenu*>(&widget)) return menu->actionGeometry(menu->actionAt(place));
    return widget.height() <= kWholeHeight ? widget.rect() : QRect();
}

} // namespace

QRect TipKeeper::pointedAt(const QWidget& widget, const QPoint& place) {
    const auto part = partAt(widget, place) & widget.rect();
    if (!part.isEmpty()) return part.united(QRect(place, QSize(1, 1))); // a row extends to the edge of its list
    return QRect(place - QPoint(kAround, kAround), place + QPoint(kAround, kAround)) & widget.rect();
}

bool TipKeeper::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip:
        if (watched->isWidgetType()) {
            const auto& widget = *static_cast<QWidget*>(watched);
            const auto* help = static_cast<QHelpEvent*>(event);
            const auto rect = pointedAt(widget, help->pos());
            asked_ = {QRect(widget.mapToGlobal(rect.topLeft()), rect.size()), help->globalPos()};
        }
        break;
    case QEvent::KeyPress: // a tooltip shown by a key belongs to something else
    case QEvent::MouseButtonPress:
        asked_.reset();
        break;
    case QEvent::Show:
    case QEvent::Move:
    case QEvent::Resize:
        if (asked_ && !isPlacing_ && isTip(*watched)) place(*static_cast<QWidget*>(watched));
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void TipKeeper::place(QWidget& tip) {
    const auto* screen = QGuiApplication::screenAt(asked_->pointer);
    if (!screen) screen = tip.screen();
    isPlacing_ = true;
    tip.move(tipPlace(tip.size(), {asked_->rect, asked_->pointer}, screen->geometry()));
    isPlacing_ = false;
}

} // namespace highwater::ui

#include "moc_tip_keeper.cpp"

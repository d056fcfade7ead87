#include "ui/view/analysis/drop_mark.h"

#include <QPainter>

#include <algorithm>

namespace highwater::ui {

DropMark::DropMark(QWidget& parent) : QWidget(&parent) {
    setObjectName(QStringLiteral("dropMark"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void DropMark::showFrame(const QRect& around) {
    isLine_ = false;
    showAt(around);
}

void DropMark::showLine(int y, int width) {
    isLine_ = true;
    const int top = std::clamp(y - kThickness / 2, 0, std::max(0, parentWidget()->height() - kThickness));
    showAt({0, top, width, kThickness});
}

void DropMark::showAt(const QRect& place) {
    setGeometry(place);
    raise();
    show();
    update();
}

void DropMark::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const auto color = palette().color(QPalette::Highlight);
    if (isLine_) return painter.fillRect(rect(), color);
    painter.setPen(QPen(color, kThickness, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    const int inset = kThickness / 2;
    painter.drawRect(rect().adjusted(inset, inset, -inset - 1, -inset - 1));
}

} // namespace highwater::ui

#include "moc_drop_mark.cpp"

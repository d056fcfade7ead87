#include "ui/view/timeline_overlay.h"

#include <QPainter>

#include <algorithm>

namespace highwater::ui {

TimelineOverlay::TimelineOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void TimelineOverlay::setMarks(Marks marks) {
    marks_ = std::move(marks);
    update();
}

void TimelineOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& [coordinates, selection, cursor, words] = marks_;
    if (selection) paintSelection(painter);
    if (cursor) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0, Qt::DashLine));
        const auto x = coordinates.xOf(*cursor);
        painter.drawLine(QPointF(x, coordinates.plot.top()), QPointF(x, coordinates.plot.bottom()));
    }
    if (!words.isEmpty()) paintWords(painter);
}

void TimelineOverlay::paintSelection(QPainter& painter) const {
    const auto& plot = marks_.coordinates.plot;
    const auto left = std::max(marks_.coordinates.xOf(marks_.selection->start), plot.left());
    const auto right = std::min(marks_.coordinates.xOf(marks_.selection->end), plot.right());
    if (right < left) return;
    auto color = palette().color(QPalette::Highlight);
    painter.setPen(color);
    color.setAlpha(60);
    painter.setBrush(color);
    painter.drawRect(QRectF(left, plot.top(), std::max(1.0, right - left), plot.height()));
}

void TimelineOverlay::paintWords(QPainter& painter) const {
    const auto& plot = marks_.coordinates.plot;
    const auto anchor = marks_.cursor      ? *marks_.cursor
                        : marks_.selection ? marks_.selection->end
                                           : marks_.coordinates.visible.start;
    const auto text = marks_.words.join(QLatin1Char('\n'));
    const auto needed = painter.boundingRect(QRectF(0, 0, plot.width(), plot.height()), Qt::AlignLeft, text);
    QRectF box(0, 0, needed.width() + 12, needed.height() + 8);
    const auto x = std::clamp(marks_.coordinates.xOf(anchor), plot.left(), plot.right());
    const bool fitsRight = x + 10 + box.width() <= plot.right();
    box.moveTopLeft({fitsRight ? x + 10 : std::max(plot.left(), x - 10 - box.width()), plot.top() + 6});
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(6, 4, -6, -4), Qt::AlignLeft, text);
}

} // namespace highwater::ui

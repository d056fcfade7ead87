#include "ui/view/timeline/timeline_overlay.h"

#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr double kPadding = 6;
constexpr double kSwatch = 10;
constexpr double kGap = 14;
constexpr double kWordsMargin = 8;                ///< above and below the text, together
constexpr double kBeside = 10;                    ///< from the cursor
constexpr double kEdge = 4;                       ///< from the edges of the plot
constexpr int kMarkWidth = 120, kNameWidth = 360; ///< longer names are elided

} // namespace

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
    const auto& [coordinates, selection, highlight, instant, cursor, named, words, pointed] = marks_;
    if (highlight) paintRange(painter, *highlight, highlightColor());
    if (selection) paintRange(painter, *selection, palette().color(QPalette::Highlight));
    if (named) paintNamed(painter);
    if (instant) paintInstant(painter);
    if (cursor && coordinates.visible.start <= *cursor && *cursor <= coordinates.visible.end) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0, Qt::DashLine));
        const auto x = coordinates.xOf(*cursor);
        painter.drawLine(QPointF(x, coordinates.plot.top()), QPointF(x, coordinates.plot.bottom()));
    }
    if (!words.empty()) paintWords(painter);
}

QColor TimelineOverlay::highlightColor() { return QColor::fromRgb(themeColors(QGuiApplication::palette()).highlight); }

void TimelineOverlay::paintRange(QPainter& painter, TimeRange range, QColor color) const {
    const auto& plot = marks_.coordinates.plot;
    const auto left = std::max(marks_.coordinates.xOf(range.start), plot.left());
    const auto right = std::min(marks_.coordinates.xOf(range.end), plot.right());
    if (right < left) return;
    painter.setPen(color);
    color.setAlpha(60);
    painter.setBrush(color);
    painter.drawRect(QRectF(left, plot.top(), std::max(1.0, right - left), plot.height()));
}

void TimelineOverlay::paintInstant(QPainter& painter) const {
    const auto& [visible, plot] = marks_.coordinates;
    if (*marks_.instant < visible.start || *marks_.instant > visible.end) return;
    const auto x = marks_.coordinates.xOf(*marks_.instant);
    painter.setPen(QPen(palette().color(QPalette::Text), 2.0));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const auto text = tr("Outstanding at %1").arg(formatTime(*marks_.instant));
    QRectF box(0, 0, painter.fontMetrics().horizontalAdvance(text) + 2 * kPadding, painter.fontMetrics().height() + 4);
    // Next to the line at the bottom, because the cursor's box is at the top.
    const bool fitsRight = x + box.width() <= plot.right();
    box.moveBottomLeft({fitsRight ? x : x - box.width(), plot.bottom()});
    painter.fillRect(box, palette().color(QPalette::Text));
    painter.setPen(palette().color(QPalette::Base));
    painter.drawText(box, Qt::AlignCenter, text);
}

/// Draws a line for each mark, and names where they fit, so that many marks stay readable.
void TimelineOverlay::paintNamed(QPainter& painter) const {
    const auto& [visible, plot] = marks_.coordinates;
    const auto& metrics = painter.fontMetrics();
    auto freeFrom = plot.left();
    for (const auto& mark : *marks_.named) {
        if (mark.time < visible.start || visible.end < mark.time) continue;
        const auto x = marks_.coordinates.xOf(mark.time);
        painter.setPen(QPen(palette().color(QPalette::Text), 1.0, Qt::DotLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const auto text = metrics.elidedText(lineText(mark.name), Qt::ElideRight, kMarkWidth);
        QRectF box(0, 0, metrics.horizontalAdvance(text) + 2 * kPadding, metrics.height() + 2);
        box.moveTopLeft({x, plot.top()});
        if (box.right() > plot.right()) box.moveRight(x);
        if (box.left() < freeFrom) continue;
        freeFrom = box.right() + 2;
        painter.setPen(palette().color(QPalette::Mid));
        painter.setBrush(palette().color(QPalette::Base));
        painter.drawRect(box);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

std::vector<TimelineWord> TimelineOverlay::wordsWithRoom() const {
    auto words = marks_.words;
    const auto height = marks_.coordinates.plot.height() - 2 * kEdge - kWordsMargin;
    const auto room = static_cast<std::size_t>(std::max(2.0, height / fontMetrics().height()));
    if (words.size() <= room) return words;
    const auto left = words.size() - (room - 1);
    words.resize(room - 1);
    words.push_back({tr("and %1 more").arg(left), {}, {}});
    return words;
}

QSizeF TimelineOverlay::wordsSize() const {
    const auto& metrics = fontMetrics();
    double nameWidth = 0;
    double valueWidth = 0;
    const auto words = wordsWithRoom();
    for (const auto& word : words) {
        const auto swatch = word.color.isValid() ? kSwatch + 5 : 0.0;
        const auto name = std::min(metrics.horizontalAdvance(word.name), kNameWidth);
        nameWidth = std::max(nameWidth, swatch + name);
        if (!word.value.isEmpty()) valueWidth = std::max(valueWidth, metrics.horizontalAdvance(word.value) + kGap);
    }
    const auto lines = static_cast<double>(words.size());
    return {nameWidth + valueWidth + 2 * kPadding, lines * metrics.height() + kWordsMargin};
}

/// To the right or left of the cursor, at the top or bottom: the first position that covers no line and, in any case,
/// not the item under the pointer. A box wider than either side is placed above or below it.
QRectF TimelineOverlay::wordsBox() const {
    if (marks_.words.empty()) return {};
    const auto& plot = marks_.coordinates.plot;
    const auto anchor = marks_.cursor      ? *marks_.cursor
                        : marks_.selection ? marks_.selection->end
                                           : marks_.coordinates.visible.start;
    const auto x = std::clamp(marks_.coordinates.xOf(anchor), plot.left(), plot.right());
    const QRectF box({0, 0}, wordsSize());
    const auto right = x + kBeside;
    const auto left = x - kBeside - box.width();
    std::vector<double> sides;
    if (right + box.width() <= plot.right()) sides.push_back(right);
    if (left >= plot.left()) sides.push_back(left);
    if (sides.empty()) sides.push_back(std::max(plot.left(), plot.right() - box.width()));
    std::optional<QRectF> overALine;
    for (const auto top : {plot.top() + kEdge, plot.bottom() - kEdge - box.height()}) {
        for (const auto side : sides) {
            const auto place = box.translated(side, top);
            if (place.top() < plot.top() || place.intersects(marks_.pointed)) continue;
            if (!passThrough_ || !passThrough_(place)) return place;
            if (!overALine) overALine = place;
        }
    }
    return overALine.value_or(box.translated(sides.front(), plot.top() + kEdge));
}

void TimelineOverlay::paintWords(QPainter& painter) const {
    const auto& metrics = painter.fontMetrics();
    const auto box = wordsBox();
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 3, 3);
    QRectF line(box.left() + kPadding, box.top() + kWordsMargin / 2, box.width() - 2 * kPadding, metrics.height());
    for (const auto& word : wordsWithRoom()) {
        auto name = line;
        if (word.color.isValid()) {
            painter.fillRect(QRectF(line.left(), line.center().y() - kSwatch / 2, kSwatch, kSwatch), word.color);
            name.setLeft(line.left() + kSwatch + 5);
        }
        painter.setPen(palette().color(QPalette::ToolTipText));
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(word.name, Qt::ElideMiddle, kNameWidth));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, word.value);
        line.translate(0, metrics.height());
    }
}

} // namespace highwater::ui

#include "moc_timeline_overlay.cpp"

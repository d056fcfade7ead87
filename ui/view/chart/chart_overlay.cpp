#include "ui/view/chart/chart_overlay.h"

#include "ui/theme/theme_colors.h"

#include <QFontMetrics>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <functional>

namespace highwater::ui {
namespace {

constexpr int kSwatch = 18;   ///< width of a swatch in the legend
constexpr int kSwatchGap = 4; ///< to its name
constexpr int kEntryGap = 20; ///< between swatches, in addition to both
constexpr int kNarrowLetters = 80;
constexpr std::size_t kMostDots = 60;
constexpr double kRing = 2; ///< between the dot of a point and the ring around it
constexpr int kBandAlpha = 70;
constexpr double kChosenWidth = 2; ///< of the frame of the chosen point
constexpr double kLineWidth = 2.2, kDashedWidth = 1.4;

} // namespace

bool isNarrow(const QWidget& widget) {
    return widget.width() < widget.fontMetrics().averageCharWidth() * kNarrowLetters;
}

QColor ChartOverlay::color(ChartColor role) const {
    return colorOf(picture_.isOld ? ChartColor::Quiet : role, widget_.palette());
}

QColor ChartOverlay::color(const ChartSeries& series) const {
    if (!series.place || picture_.isOld) return color(series.color);
    return seriesColor(widget_.palette(), *series.place);
}

QColor ChartOverlay::textColor() const {
    return widget_.palette().color(picture_.isOld ? QPalette::PlaceholderText : QPalette::Text);
}

double ChartOverlay::xOf(std::size_t point) const {
    return plot_.left() + plot_.width() * placeOf(picture_.points, point);
}

void ChartOverlay::paint(QPainter& painter, std::optional<std::size_t> pointed) const {
    painter.setFont(widget_.font());
    paintLegend(painter);
    paintMarks(painter);
    const auto count = picture_.points.count();
    if (!picture_.points.categories.isEmpty() && count <= kMostDots) {
        painter.setPen(Qt::NoPen);
        paintDots(painter, 0, count, kDot);
    }
    if (picture_.chosen && *picture_.chosen < count)
        paintColumn(painter, *picture_.chosen, QPen(color(ChartColor::Accent), kChosenWidth));
    if (pointed) paintPointed(painter, *pointed);
}

QPen ChartOverlay::penOf(const ChartSeries& series) const {
    if (series.kind == ChartKind::DashedLine) return {color(series), kDashedWidth, Qt::DashLine};
    if (series.kind == ChartKind::Line) return {color(series), kLineWidth};
    auto fill = color(series);
    if (series.kind == ChartKind::Band) fill.setAlpha(kBandAlpha);
    return {fill, static_cast<double>(widget_.fontMetrics().height()) / 2, Qt::SolidLine, Qt::FlatCap};
}

/// Elides names if the legend would need more than three fifths of the width, unless the chart is narrow. Series in
/// front of or above others come first; bars side by side keep their order.
std::vector<ChartOverlay::LegendEntry> ChartOverlay::legend() const {
    std::vector<LegendEntry> entries;
    for (const auto& series : picture_.series) {
        if (series.name.isEmpty()) continue;
        const bool isBehind = series.kind != ChartKind::Bars;
        entries.insert(isBehind ? entries.begin() : entries.end(), {series.name, penOf(series)});
    }
    const auto whole = isNarrow(widget_) ? widget_.width() : widget_.width() * 3 / 5;
    if (widthOf(entries) <= whole) return entries;
    const auto room = (whole - kChartMargin) / static_cast<int>(entries.size()) - kSwatch - kEntryGap;
    for (auto& entry : entries)
        entry.name = widget_.fontMetrics().elidedText(entry.name, Qt::ElideMiddle, room);
    return entries;
}

int ChartOverlay::widthOf(const std::vector<LegendEntry>& entries) const {
    int width = kChartMargin;
    for (const auto& entry : entries)
        width += kSwatch + widget_.fontMetrics().horizontalAdvance(entry.name) + kEntryGap;
    return width;
}

int ChartOverlay::legendWidth() const { return widthOf(legend()); }

int ChartOverlay::lineHeight() const { return widget_.fontMetrics().height() + kHeadHeight; }

/// `place`: the left end of the swatch, in the middle of the line.
void ChartOverlay::paintEntry(QPainter& painter, const QPoint& place, const LegendEntry& entry) const {
    const auto metrics = widget_.fontMetrics();
    painter.setPen(entry.swatch);
    painter.drawLine(place, place + QPoint(kSwatch, 0));
    painter.setPen(textColor());
    painter.drawText(place + QPoint(kSwatch + kSwatchGap, (metrics.ascent() - metrics.descent()) / 2), entry.name);
}

void ChartOverlay::paintLegend(QPainter& painter) const {
    auto x = kChartMargin;
    for (const auto& entry : legend()) {
        paintEntry(painter, {x, lineHeight() / 2}, entry);
        x += kSwatch + widget_.fontMetrics().horizontalAdvance(entry.name) + kEntryGap;
    }
}

template <typename Visit>
int ChartOverlay::eachSavedEntry(int width, Visit visit) const {
    int x = kChartMargin, line = 0;
    bool hasEntries = false;
    for (const auto& series : picture_.series) {
        if (series.savedName.isEmpty()) continue;
        const auto needed = kSwatch + kSwatchGap + widget_.fontMetrics().horizontalAdvance(series.savedName);
        if (x > kChartMargin && x + needed + kChartMargin > width) {
            x = kChartMargin;
            ++line;
        }
        visit(x, line, LegendEntry{series.savedName, penOf(series)});
        x += needed + kEntryGap - kSwatchGap;
        hasEntries = true;
    }
    return hasEntries ? line + 1 : 0;
}

int ChartOverlay::savedLegendHeight(int width) const {
    return eachSavedEntry(width, [](int, int, const LegendEntry&) {}) * lineHeight();
}

void ChartOverlay::paintSavedLegend(QPainter& painter, const QRect& place) const {
    painter.setFont(widget_.font());
    eachSavedEntry(place.width(), [&](int left, int line, const LegendEntry& entry) {
        const QPoint middle(left, line * lineHeight() + lineHeight() / 2);
        paintEntry(painter, place.topLeft() + middle, entry);
    });
}

/// Names that would overlap are moved side by side.
void ChartOverlay::paintMarks(QPainter& painter) const {
    const auto metrics = widget_.fontMetrics();
    const auto gap = metrics.averageCharWidth();
    const auto widthOf = [&](const ChartMark& mark) { return metrics.horizontalAdvance(mark.name) + 1; };
    double after = -gap; // space for the following names
    for (const auto& mark : picture_.marks)
        after += widthOf(mark) + gap;
    auto left = plot_.left();
    for (const auto& mark : picture_.marks) {
        const auto x = xOf(mark.point), width = static_cast<double>(widthOf(mark));
        painter.setPen(QPen(color(mark.color), 2, Qt::DashLine));
        painter.drawLine(QPointF(x, plot_.top() - 2), QPointF(x, plot_.bottom()));
        left = std::max(left, std::min(x - width / 2, plot_.right() - after));
        painter.setPen(textColor());
        painter.drawText(QRectF(left, plot_.top() - metrics.height() - 3, width, metrics.height()), Qt::AlignLeft,
                         mark.name);
        left += width + gap;
        after -= width + gap;
    }
}

/// Qt Charts would clip them at the edges of the plot, where the extreme points are.
void ChartOverlay::paintDots(QPainter& painter, std::size_t from, std::size_t to, double radius) const {
    const auto range = valueRange(picture_);
    for (const auto& series : picture_.series) {
        if (!series.isLine()) continue;
        painter.setBrush(color(series));
        for (auto point = from; point < std::min(to, series.values.size()); ++point) {
            const auto y = plot_.bottom() - placeIn(range, series.values[point]) * plot_.height();
            painter.drawEllipse(QPointF(xOf(point), y), radius, radius);
        }
    }
}

void ChartOverlay::paintColumn(QPainter& painter, std::size_t point, const QPen& pen) const {
    const auto [start, end] = extentOf(picture_.points, point);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(
        QRectF(plot_.left() + plot_.width() * start, plot_.top(), plot_.width() * (end - start), plot_.height()));
}

/// For bars and stacked bands, the whole column; otherwise a line with a ringed dot on each series.
void ChartOverlay::paintPointed(QPainter& painter, std::size_t pointed) const {
    const auto text = widget_.palette().color(QPalette::Text);
    const auto x = xOf(pointed);
    if (picture_.isChosenByClick()) return paintColumn(painter, pointed, text);
    painter.setPen(text);
    painter.drawLine(QPointF(x, plot_.top()), QPointF(x, plot_.bottom()));
    paintDots(painter, pointed, pointed + 1, kDot + kRing);
}

} // namespace highwater::ui

#include "ui/view/table/header_painter.h"

#include "ui/format/cell_format.h"
#include "ui/theme/theme_colors.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QWidget>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kHeaderMargin = 6;
constexpr int kArrow = 7;
constexpr int kHeaderGap = 3;

} // namespace

HeaderText headerText(const TableLayout& layout, int section) {
    const auto* column = columnOfSection(layout, section);
    if (!column) return {QStringLiteral("#"), {}, {}, false, true};
    const bool isValue = placeOfSection(layout, section).kind == LayoutPlace::Kind::Value;
    HeaderText text{columnTitle(layout.table, column->value, isValue ? column->format : ColumnFormat{}),
                    isValue ? aggregationTitle(layout.table, column->value) : QString(), sortMark(layout, section),
                    layout.sort.size() > 1, isValue && isNumeric(column->value)};
    return text;
}

QColor HeaderPainter::barColor(LayoutBar bar, const QPalette& palette) {
    const auto& colors = themeColors(palette);
    return QColor::fromRgb(bar == LayoutBar::Gold ? colors.gold : colors.blue);
}

QColor HeaderPainter::refusalColor(const QPalette& palette) { return QColor::fromRgb(themeColors(palette).refusal); }

QFont HeaderPainter::smallFont() const {
    auto font = widget_.font();
    font.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.82));
    return font;
}

int HeaderPainter::height() const {
    return widget_.fontMetrics().height() + QFontMetrics(smallFont()).height() + 2 * kHeaderGap;
}

int HeaderPainter::width(const HeaderText& text) const {
    const auto arrow = kArrow + 2 * kHeaderGap + QFontMetrics(smallFont()).horizontalAdvance(QStringLiteral("0"));
    const auto below = QFontMetrics(smallFont()).horizontalAdvance(text.aggregation) + arrow;
    return std::max(widget_.fontMetrics().horizontalAdvance(text.title), below) + 2 * kHeaderMargin + 2;
}

void HeaderPainter::paintEmpty(QPainter& painter, const QRect& rect) const {
    QStyleOptionHeader option;
    option.initFrom(&widget_);
    option.rect = rect;
    widget_.style()->drawControl(QStyle::CE_HeaderEmptyArea, &option, &painter, &widget_);
}

void HeaderPainter::paintSection(QPainter& painter, const QRect& rect, const HeaderText& text, HeaderLook look) const {
    QStyleOptionHeader option;
    option.initFrom(&widget_);
    option.rect = rect;
    option.orientation = Qt::Horizontal;
    option.position = QStyleOptionHeader::Middle;
    option.state = QStyle::State_Enabled | QStyle::State_Horizontal | QStyle::State_Raised | QStyle::State_Active;
    if (look.isHovered) option.state |= QStyle::State_MouseOver;
    if (look.isPressed) option.state |= QStyle::State_Sunken;
    widget_.style()->drawControl(QStyle::CE_HeaderSection, &option, &painter, &widget_);

    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    const auto inner = rect.adjusted(kHeaderMargin, kHeaderGap, -kHeaderMargin, -kHeaderGap);
    const auto side = text.isNumeric ? Qt::AlignRight : Qt::AlignLeft;
    const auto& metrics = widget_.fontMetrics();
    painter.setPen(widget_.palette().color(QPalette::ButtonText));
    painter.drawText(inner, static_cast<int>(side | Qt::AlignTop),
                     metrics.elidedText(text.title, Qt::ElideRight, inner.width()));
    paintSort(painter, inner, text);
    if (look.isCurrent) {
        QStyleOptionFocusRect focus;
        focus.initFrom(&widget_);
        focus.rect = rect.adjusted(1, 1, -2, -2);
        focus.state |= QStyle::State_KeyboardFocusChange;
        widget_.style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, &widget_);
    }
    painter.restore();
}

/// The second line: the aggregation and the arrow with its level, aligned like the numbers.
void HeaderPainter::paintSort(QPainter& painter, const QRect& rect, const HeaderText& text) const {
    painter.setFont(smallFont());
    const auto metrics = painter.fontMetrics();
    const int bottom = rect.bottom() - metrics.height();
    const auto level = text.sort && text.hasLevels ? QString::number(text.sort->priority + 1) : QString();
    const int markWidth = text.sort ? kArrow + (level.isEmpty() ? 0 : metrics.horizontalAdvance(level) + 2) : 0;
    const int wordWidth = metrics.horizontalAdvance(text.aggregation);
    const int gap = markWidth > 0 && wordWidth > 0 ? kHeaderGap + 1 : 0;
    int x = text.isNumeric ? rect.right() + 1 - wordWidth - gap - markWidth : rect.left();
    auto faint = widget_.palette().color(QPalette::ButtonText);
    faint.setAlpha(170);
    painter.setPen(faint);
    const QRect words(x, bottom, wordWidth + 1, metrics.height());
    painter.drawText(words, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), text.aggregation);
    if (!text.sort) return;
    x += wordWidth + gap;
    const double top = bottom + (metrics.height() - kArrow * 0.6) / 2.0;
    const double base = text.sort->descending ? top : top + kArrow * 0.6;
    const double tip = text.sort->descending ? top + kArrow * 0.6 : top;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(widget_.palette().color(QPalette::ButtonText));
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF{{double(x), base}, {double(x + kArrow), base}, {x + kArrow / 2.0, tip}});
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(widget_.palette().color(QPalette::ButtonText));
    painter.drawText(QRect(x + kArrow + 2, bottom, metrics.horizontalAdvance(level) + 1, metrics.height()),
                     static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), level);
}

void HeaderPainter::paintDropLine(QPainter& painter, int x, int height, bool refused) const {
    const auto color = refused ? refusalColor(widget_.palette()) : widget_.palette().color(QPalette::Highlight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRect(QRect(x - 1, 0, 3, height));
    constexpr double kHead = 6;
    painter.drawPolygon(QPolygonF{{x - kHead + 0.5, 0}, {x + kHead + 0.5, 0}, {x + 0.5, kHead}});
    painter.restore();
}

} // namespace highwater::ui

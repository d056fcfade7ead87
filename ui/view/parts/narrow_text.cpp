#include "ui/view/parts/narrow_text.h"

#include "ui/format/time_format.h"

#include <QApplication>
#include <QRegularExpression>
#include <QStyle>

namespace highwater::ui {

QString narrowedFrame(const QString& frame, const QFontMetrics& metrics, int width) {
    static const QRegularExpression kSourceLine(QStringLiteral(" \\([^()]+:\\d+\\)$"));
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    if (fits(frame)) return frame;
    const auto mark = frame.indexOf(QLatin1Char('!'));
    if (mark <= 0 || mark + 1 == frame.size()) {
        auto name = frame;
        name.remove(kSourceLine);
        return metrics.elidedText(name, Qt::ElideMiddle, width);
    }
    const auto module = frame.left(mark);
    const auto rest = frame.mid(mark); // including the mark
    const auto dots = QStringLiteral("…");
    const auto shortest = module.left(2) + dots + rest;
    if (fits(shortest)) {
        const int room = width - metrics.horizontalAdvance(rest);
        const auto narrowed = metrics.elidedText(module, Qt::ElideRight, room) + rest;
        return fits(narrowed) ? narrowed : shortest;
    }
    const auto function = rest.mid(1);
    if (fits(dots + function)) return dots + function;
    // Module and function say more than the line.
    if (const auto line = kSourceLine.match(frame); line.hasMatch())
        return narrowedFrame(frame.left(line.capturedStart()), metrics, width);
    return dots + metrics.elidedText(function, Qt::ElideMiddle, width - metrics.horizontalAdvance(dots));
}

QString narrowedTime(std::int64_t ns, const QFontMetrics& metrics, int width) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    for (int decimals = 6;; --decimals) {
        auto text = formatInUnit(ns, kSecond, decimals) + QStringLiteral(" s");
        if (decimals == 0 || metrics.horizontalAdvance(text) <= width) return text;
    }
}

void FrameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    auto shown = option;
    initStyleOption(&shown, index);
    const auto* style = option.widget ? option.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &shown, option.widget) + 1;
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, &shown, option.widget).width() - 2 * margin;
    shown.text = narrowedFrame(shown.text, shown.fontMetrics, room);
    style->drawControl(QStyle::CE_ItemViewItem, &shown, painter, option.widget);
}

} // namespace highwater::ui

#include "moc_narrow_text.cpp"

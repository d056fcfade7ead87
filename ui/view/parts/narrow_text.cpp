#include "ui/view/parts/narrow_text.h"

#include "ui/format/time_format.h"

namespace highwater::ui {

QString narrowedFrame(const QString& frame, const QFontMetrics& metrics, int width) {
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    if (fits(frame)) return frame;
    const auto mark = frame.indexOf(QLatin1Char('!'));
    if (mark <= 0 || mark + 1 == frame.size()) return metrics.elidedText(frame, Qt::ElideMiddle, width);
    const auto module = frame.left(mark);
    const auto rest = frame.mid(mark); // with the mark
    const auto dots = QStringLiteral("…");
    const auto shortest = module.left(2) + dots + rest;
    if (fits(shortest)) {
        const int room = width - metrics.horizontalAdvance(rest);
        const auto narrowed = metrics.elidedText(module, Qt::ElideRight, room) + rest;
        return fits(narrowed) ? narrowed : shortest;
    }
    const auto function = rest.mid(1);
    if (fits(dots + function)) return dots + function;
    return dots + metrics.elidedText(function, Qt::ElideMiddle, width - metrics.horizontalAdvance(dots));
}

QString narrowedTime(std::int64_t ns, const QFontMetrics& metrics, int width) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    for (int decimals = 6;; --decimals) {
        auto text = formatInUnit(ns, kSecond, decimals) + QStringLiteral(" s");
        if (decimals == 0 || metrics.horizontalAdvance(text) <= width) return text;
    }
}

} // namespace highwater::ui

#include "ui/view/chart/chart_picture.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kLineAlpha = 170; ///< for the text colour, because lines are wider than letter strokes

std::int64_t wholeNumber(double amount) {
    constexpr double kMost = 9.2e18; // limit of int64
    return static_cast<std::int64_t>(std::clamp(amount, -kMost, kMost));
}

double part(const ChartPoints& points, std::int64_t edge) {
    const auto first = static_cast<double>(points.edges.front());
    return (static_cast<double>(edge) - first) / (static_cast<double>(points.edges.back()) - first);
}

} // namespace

std::size_t ChartPoints::count() const {
    if (!categories.isEmpty()) return static_cast<std::size_t>(categories.size());
    return edges.size() < 2 || edges.back() <= edges.front() ? 0 : edges.size() - 1;
}

bool ChartPicture::hasBars() const {
    return std::any_of(series.begin(), series.end(), std::mem_fn(&ChartSeries::isBar));
}

bool ChartPicture::isChosenByClick() const {
    return std::ranges::any_of(series, [](const ChartSeries& one) { return one.isBar() || one.isStacked(); });
}

QString chartAmount(ChartUnit unit, double amount) {
    const auto whole = wholeNumber(amount);
    if (unit == ChartUnit::Nanoseconds) return formatDuration(whole);
    return unit == ChartUnit::Bytes ? formatBytes(whole) : formatCount(whole);
}

QString toldOf(const ChartPicture& picture, std::size_t point) {
    const auto& points = picture.points;
    QStringList amounts;
    for (const auto& series : picture.series) {
        if (point < series.values.size() && !series.name.isEmpty())
            amounts << tr("%1 %2").arg(series.name, chartAmount(picture.unit, series.values[point]) + picture.perUnit);
    }
    const auto name = points.categories.isEmpty() ? chartAmount(points.unit, static_cast<double>(points.edges[point]))
                                                  : points.categories[static_cast<qsizetype>(point)];
    return tr("%1: %2").arg(name, amounts.join(QStringLiteral(", ")));
}

std::pair<double, double> valueRange(const ChartPicture& picture) {
    double lowest = 0, highest = 0;
    const auto include = [&](double value) {
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    };
    std::vector<double> above(picture.points.count()), below(picture.points.count());
    for (const auto& series : picture.series) {
        for (const auto value : series.lower)
            include(value);
        for (std::size_t i = 0; i < std::min(series.values.size(), above.size()); ++i) {
            const auto value = series.values[i];
            auto& stack = value < 0 ? below[i] : above[i];
            include(series.isStacked() ? stack += value : value);
        }
    }
    return {lowest, lowest < highest ? highest : lowest + 1};
}

double placeIn(const std::pair<double, double>& range, double value) {
    return (value - range.first) / (range.second - range.first);
}

double placeOf(const ChartPoints& points, std::size_t point) {
    const auto [start, end] = extentOf(points, point);
    return (start + end) / 2;
}

std::pair<double, double> extentOf(const ChartPoints& points, std::size_t point) {
    const auto count = static_cast<double>(points.count()), at = static_cast<double>(point);
    if (!points.categories.isEmpty()) return {at / count, (at + 1) / count};
    return {part(points, points.edges[point]), part(points, points.edges[point + 1])};
}

std::size_t pointAtPlace(const ChartPoints& points, double place) {
    const auto count = points.count();
    auto found = static_cast<std::size_t>(std::max(place, 0.0) * static_cast<double>(count));
    if (points.categories.isEmpty()) {
        const auto after = std::upper_bound(points.edges.begin(), points.edges.end(), place,
                                            [&](double at, std::int64_t edge) { return at < part(points, edge); });
        found = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - points.edges.begin() - 1, 0));
    }
    return std::min(found, count - 1);
}

QColor colorOf(ChartColor color, const QPalette& palette) {
    const auto& colors = themeColors(palette);
    switch (color) {
    case ChartColor::Accent:
        return palette.color(QPalette::Highlight);
    case ChartColor::Text: {
        auto text = palette.color(QPalette::Text);
        text.setAlpha(kLineAlpha);
        return text;
    }
    case ChartColor::Quiet:
        break;
    case ChartColor::Grew:
        return QColor::fromRgb(colors.grew);
    case ChartColor::Shrank:
        return QColor::fromRgb(colors.shrank);
    }
    return palette.color(QPalette::PlaceholderText);
}

} // namespace highwater::ui

#include "ui/state/series_colors.h"

#include "core/analysis/timeline/new_bytes.h"
#include "ui/state/query_runner.h"
#include "ui/theme/theme_colors.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace highwater::ui {
namespace {

const std::array<QRgb, 7>& seriesOfTheme() { return themeColors(QGuiApplication::palette()).series; }

/// When the colours have all been given out they come again, away from the ground.
QColor shaded(const QColor& color, int round) {
    if (round % 2 == 0) return color;
    return groundOf(QGuiApplication::palette()) == Ground::Light ? color.darker(165) : color.lighter(155);
}

std::pair<int, quint64> placeOf(const analysis::KeyStep& group) { return {static_cast<int>(group.column), group.key}; }

} // namespace

QColor SeriesColors::colorOf(const analysis::KeyStep& group) {
    const auto place = placeOf(group);
    if (!given_.contains(place)) given_.insert(place, static_cast<int>(given_.size()));
    return knownColorOf(group);
}

QColor SeriesColors::knownColorOf(const analysis::KeyStep& group) const {
    const auto found = given_.find(placeOf(group));
    if (found == given_.end()) return {};
    const auto& series = seriesOfTheme();
    const auto count = static_cast<int>(series.size());
    return shaded(QColor::fromRgb(series[static_cast<std::size_t>(*found % count)]), *found / count);
}

QColor SeriesColors::colorOf(const TimelineAnswer& answer, const analysis::TimelineSeries& series) {
    if (answer.query.measure == analysis::TimelineMeasure::NewBytes) return newBytesColor(series);
    if (!series.isGroup || !answer.query.by) return neutralColor();
    return colorOf(analysis::KeyStep{*answer.query.by, series.key});
}

QColor SeriesColors::newBytesColor(const analysis::TimelineSeries& series) {
    if (series.key != analysis::kKeptSeries) return neutralColor();
    return QGuiApplication::palette().color(QPalette::Highlight);
}

QColor SeriesColors::paintedColor(const analysis::KeyPath& row, const std::vector<QColor>& used) const {
    if (row.size() == 1) {
        if (const auto own = knownColorOf(row.front()); own.isValid()) return own;
    }
    const auto& series = seriesOfTheme();
    for (const auto rgb : series) {
        const auto color = QColor::fromRgb(rgb);
        if (std::find(used.begin(), used.end(), color) == used.end()) return color;
    }
    return shaded(QColor::fromRgb(series[used.size() % series.size()]), 1);
}

QColor SeriesColors::neutralColor() {
    const auto palette = QGuiApplication::palette();
    return palette.color(QPalette::Disabled, QPalette::WindowText);
}

} // namespace highwater::ui

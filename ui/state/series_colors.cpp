#include "ui/state/series_colors.h"

#include "core/analysis/timeline/new_bytes.h"
#include "ui/state/query_runner.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>

namespace highwater::ui {
namespace {

constexpr std::array<QRgb, 7> kOkabeIto{0xFF0072B2, 0xFFE69F00, 0xFF009E73, 0xFFD55E00,
                                        0xFFCC79A7, 0xFF56B4E9, 0xFFF0E442};

/// Dark blue is hard to see on a dark ground, yellow on a light one.
QColor readable(QColor color) {
    const auto ground = QGuiApplication::palette().color(QPalette::Base);
    if (ground.lightness() < 128 && color.lightness() < 100) return color.lighter(150);
    if (ground.lightness() >= 128 && color.lightness() > 150 && color.hsvHue() > 50 && color.hsvHue() < 70) {
        return color.darker(135);
    }
    return color;
}

/// When the colours have all been given out they come again, away from the ground.
QColor shaded(const QColor& color, int round) {
    if (round % 2 == 0) return color;
    const bool isDark = QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
    return isDark ? color.lighter(155) : color.darker(165);
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
    const auto count = static_cast<int>(kOkabeIto.size());
    return shaded(readable(QColor::fromRgb(kOkabeIto[static_cast<std::size_t>(*found % count)])), *found / count);
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
    for (const auto rgb : kOkabeIto) {
        const auto color = readable(QColor::fromRgb(rgb));
        if (std::find(used.begin(), used.end(), color) == used.end()) return color;
    }
    return shaded(readable(QColor::fromRgb(kOkabeIto[used.size() % kOkabeIto.size()])), 1);
}

QColor SeriesColors::neutralColor() {
    const auto palette = QGuiApplication::palette();
    return palette.color(QPalette::Disabled, QPalette::WindowText);
}

} // namespace highwater::ui

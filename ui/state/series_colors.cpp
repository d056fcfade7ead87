#include "ui/state/series_colors.h"

#include "core/analysis/timeline/new_bytes.h"
#include "ui/state/query_runner.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <tuple>

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

/// When the colours have all been given out they come again: away from the ground, turned, and pale.
QColor shaded(const QColor& color, std::size_t round) {
    const bool isDark = QGuiApplication::palette().color(QPalette::Base).lightness() < 128;
    const auto away = [&](int percent) { return isDark ? color.lighter(percent) : color.darker(percent); };
    if (round == 0) return color;
    if (round == 1) return away(165);
    const auto base = away(125);
    int hue = 0, saturation = 0, lightness = 0;
    base.getHsl(&hue, &saturation, &lightness);
    if (round == 2) return QColor::fromHsl((hue + 28) % 360, saturation, lightness);
    return QColor::fromHsl((hue + 345) % 360, saturation * 2 / 5, lightness);
}

QColor colorAt(std::size_t place) {
    const auto count = kOkabeIto.size();
    return shaded(readable(QColor::fromRgb(kOkabeIto[place % count])), place / count);
}

} // namespace

static_assert(SeriesColors::kCount == kOkabeIto.size() * 4);

bool SeriesColors::Order::operator()(const analysis::KeyPath& a, const analysis::KeyPath& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const analysis::KeyStep& x, const analysis::KeyStep& y) {
                                            return x.column != y.column ? x.column < y.column : x.key < y.key;
                                        });
}

std::size_t SeriesColors::bestPlaceFor(const analysis::KeyPath& group, const std::vector<QColor>& used) const {
    std::array<unsigned, kCount> ofSiblings{};
    for (const auto& [path, place] : given_) {
        if (path.size() == group.size() && std::equal(path.begin(), path.end() - 1, group.begin())) ++ofSiblings[place];
    }
    const auto cost = [&](std::size_t place) {
        return std::tuple(std::count(used.begin(), used.end(), colorAt(place)), ofSiblings[place], uses_[place], place);
    };
    std::size_t best = 0;
    for (std::size_t place = 1; place < kCount; ++place) {
        if (cost(place) < cost(best)) best = place;
    }
    return best;
}

QColor SeriesColors::colorOf(const analysis::KeyPath& group, const std::vector<QColor>& used) {
    if (group.empty()) return neutralColor();
    if (!given_.contains(group)) {
        const auto place = bestPlaceFor(group, used);
        given_.emplace(group, place);
        ++uses_[place];
    }
    return knownColorOf(group);
}

QColor SeriesColors::knownColorOf(const analysis::KeyPath& group) const {
    const auto found = given_.find(group);
    return found == given_.end() ? QColor() : colorAt(found->second);
}

QColor SeriesColors::colorOf(const TimelineAnswer& answer, const analysis::TimelineSeries& series,
                             const std::vector<QColor>& used) {
    if (answer.query.measure == analysis::TimelineMeasure::NewBytes) return newBytesColor(series);
    return series.isGroup ? colorOf(series.path, used) : neutralColor();
}

void SeriesColors::clear() {
    given_.clear();
    uses_.fill(0);
}

QColor SeriesColors::newBytesColor(const analysis::TimelineSeries& series) {
    if (series.key != analysis::kKeptSeries) return neutralColor();
    return QGuiApplication::palette().color(QPalette::Highlight);
}

QColor SeriesColors::neutralColor() {
    const auto palette = QGuiApplication::palette();
    return palette.color(QPalette::Disabled, QPalette::WindowText);
}

} // namespace highwater::ui

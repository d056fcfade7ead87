#include "ui/state/series_colors.h"

#include "core/analysis/timeline/new_bytes.h"
#include "ui/state/query_runner.h"
#include "ui/theme/theme_colors.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <tuple>

namespace highwater::ui {
namespace {

QColor colorAt(std::size_t place) { return seriesColor(QGuiApplication::palette(), place); }

} // namespace

static_assert(SeriesColors::kCount == kSeriesColors);

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
    if (!series.isGroup) return neutralColor();
    if (!answer.timeline.isCoarse) return colorOf(series.path, used);
    const auto known = knownColorOf(series.path);
    return known.isValid() ? known : neutralColor();
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

#include "ui/view/timeline/lifetime_bars.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/state/series_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr double kBarReach = 2;    ///< pixels around the pointer
constexpr double kGapFrom = 4;     ///< minimum bar height for gaps between bars
constexpr double kHighestBar = 24; ///< a few bars do not fill the plot

} // namespace

void LifetimeBars::setAnswer(std::shared_ptr<const TimelineAnswer> answer, std::vector<QColor> colors) {
    answer_ = std::move(answer);
    colors_ = std::move(colors);
}

const std::vector<analysis::Lifetime>& LifetimeBars::lifetimes() const {
    static const std::vector<analysis::Lifetime> kNone;
    return answer_ && answer_->lifetimes ? answer_->lifetimes->lifetimes : kNone;
}

QString LifetimeBars::refusal() const {
    if (!answer_ || !answer_->lifetimes || count() > 0) return {};
    const auto rows = answer_->lifetimes->count;
    if (rows == 0) return tr("No allocations here");
    return tr("Too many allocations to draw (%1; at most %2). Zoom in or filter.")
        .arg(formatCount(static_cast<std::int64_t>(rows)),
             formatCount(static_cast<std::int64_t>(analysis::Lifetimes::kMost)));
}

double LifetimeBars::pitch() const {
    return count() == 0 ? 0.0 : std::min(kHighestBar, at_.plot.height() / static_cast<double>(count()));
}

QRectF LifetimeBars::boxOf(std::size_t bar) const {
    const auto& [begin, end, address, size, series, function] = lifetime(bar);
    const auto& [visible, plot] = at_;
    if (begin >= visible.end || end < visible.start) return {};
    const auto left = at_.xOf(std::max(begin, visible.start));
    const auto right = at_.xOf(std::min(end, visible.end));
    const auto height = pitch();
    return {left, plot.top() + height * static_cast<double>(bar), std::max(1.0, right - left),
            height >= kGapFrom ? height - 1 : std::max(1.0, height)};
}

QColor LifetimeBars::colorOf(std::size_t bar) const {
    const auto& series = answer_->timeline.series;
    const auto& of = lifetime(bar).series;
    // Groups without their own line are in the "(N more)" of their parent group.
    std::optional<std::size_t> found;
    for (std::size_t s = 0; s < std::min(series.size(), colors_.size()); ++s) {
        const auto& path = series[s].path;
        const bool holds =
            !series[s].isOpen && path.size() <= of.size() && std::equal(path.begin(), path.end(), of.begin());
        if (holds && (!found || path.size() >= series[*found].path.size())) found = s;
    }
    return found ? colors_[*found] : SeriesColors::neutralColor();
}

std::optional<std::size_t> LifetimeBars::at(QPointF position) const {
    if (count() == 0 || !at_.plot.contains(position)) return std::nullopt;
    const auto place = (position.y() - at_.plot.top()) / pitch();
    // Several bars may share a pixel: finds the nearest.
    const auto reach = std::ceil(1 / pitch());
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(place - reach)));
    const auto last = std::min(count() - 1, static_cast<std::size_t>(std::max(0.0, place + (pitch() < 1 ? reach : 0))));
    std::optional<std::size_t> nearest;
    for (auto bar = first; bar <= last; ++bar) {
        const auto box = boxOf(bar);
        const bool isHit = box.left() - kBarReach <= position.x() && position.x() <= box.right() + kBarReach &&
                           box.top() <= position.y() && position.y() <= box.bottom() + 1;
        if (!isHit || box.isEmpty() || !colorOf(bar).isValid()) continue;
        const auto away = [&](std::size_t one) { return std::abs(static_cast<double>(one) + 0.5 - place); };
        if (!nearest || away(bar) < away(*nearest)) nearest = bar;
    }
    return nearest;
}

void LifetimeBars::paint(QPainter& painter, const QPalette& palette) const {
    if (const auto words = refusal(); !words.isEmpty()) {
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(at_.plot, Qt::AlignCenter | Qt::TextWordWrap, words);
    }
    for (std::size_t bar = 0; bar < count(); ++bar) {
        const auto color = colorOf(bar);
        const auto box = boxOf(bar);
        if (color.isValid() && !box.isEmpty()) painter.fillRect(box.intersected(at_.plot), color);
    }
}

} // namespace highwater::ui

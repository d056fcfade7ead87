#include "ui/view/timeline/timeline_zones.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace highwater::ui {
namespace {

constexpr int kHatchAlpha = 170, kRundownAlpha = 26;
constexpr double kReach = 2; ///< pixels around the pointer
constexpr int kMostTold = 6;

bool reaches(const TimelineZones::Band& band, double x) { return band.left <= x + kReach && x - kReach <= band.right; }

QString wordsOf(const LostZone& zone) {
    const auto what = toQString(countedLoss(zone));
    if (zone.start == zone.end) return tr("At %1: %2").arg(formatTime(zone.start), what);
    const auto [start, end] = formatTimes(zone.start, zone.end);
    return tr("Between %1 and %2: %3").arg(start, end, what);
}

} // namespace

void TimelineZones::setTrace(const store::PublishedTrace* trace) {
    losses_ = trace ? trace->health.zones : std::vector<LostZone>{};
    rundown_ = trace ? trace->rundown : store::RundownZones{};
    place(at_);
}

std::optional<TimelineZones::Band> TimelineZones::bandOf(TimeRange span, double narrowest) const {
    const auto& [visible, plot] = at_;
    if (span.end < visible.start || visible.end < span.start) return std::nullopt;
    Band band{std::floor(at_.xOf(std::max(span.start, visible.start))),
              std::ceil(at_.xOf(std::min(span.end, visible.end)))};
    const auto lacking = std::max(0.0, narrowest - (band.right - band.left));
    band.left =
        std::clamp(band.left - std::floor(lacking / 2), plot.left(), std::max(plot.left(), plot.right() - narrowest));
    band.right = std::min(std::max(band.right, band.left + narrowest), plot.right());
    return band;
}

void TimelineZones::place(const TimelineCoordinates& at) {
    at_ = at;
    lost_.clear();
    rundowns_.clear();
    if (at.plot.isEmpty() || at.visible.isEmpty()) return;
    for (const auto& span : {rundown_.begin, rundown_.end}) {
        const auto band = span.isEmpty() ? std::nullopt : bandOf(span, 0);
        if (band && band->right > band->left) rundowns_.push_back(*band);
    }
    for (const auto& zone : losses_) {
        const auto band = bandOf({zone.start, zone.end}, kNarrowest);
        if (!band) continue;
        if (!lost_.empty() && band->left <= lost_.back().right)
            lost_.back().right = std::max(lost_.back().right, band->right);
        else
            lost_.push_back(*band);
    }
}

QColor TimelineZones::lostColor() { return QColor::fromRgb(themeColors(QGuiApplication::palette()).lost); }

void TimelineZones::paintBands(QPainter& painter, const QPalette& palette, int lostAlpha) const {
    auto grey = palette.color(QPalette::Text);
    grey.setAlpha(kRundownAlpha);
    for (const auto& band : rundowns_)
        painter.fillRect(boxOf(band), grey);
    auto tint = lostColor();
    tint.setAlpha(lostAlpha);
    for (const auto& band : lost_)
        painter.fillRect(boxOf(band), tint);
}

void TimelineZones::paint(QPainter& painter, const QPalette& palette) const {
    paintBands(painter, palette, kTintAlpha);
    auto hatch = lostColor();
    hatch.setAlpha(kHatchAlpha);
    for (const auto& band : lost_)
        painter.fillRect(boxOf(band), QBrush(hatch, Qt::BDiagPattern));
}

QString TimelineZones::wordsAt(double x) const {
    QStringList lines;
    int untold = 0;
    for (const auto& zone : losses_) {
        const auto band = bandOf({zone.start, zone.end}, kNarrowest);
        if (!band || !reaches(*band, x)) continue;
        if (lines.size() < kMostTold)
            lines << wordsOf(zone);
        else
            ++untold;
    }
    if (untold > 0) lines << tr("and %1 more").arg(formatCount(untold));
    if (!lines.isEmpty()) lines << tr("The graph lacks some or all of the events there.");
    for (const auto& span : {rundown_.begin, rundown_.end}) {
        const auto band = span.isEmpty() ? std::nullopt : bandOf(span, 0);
        if (!band || !reaches(*band, x)) continue;
        lines << tr("Rundown, %1: the recorder listed the existing state %2.")
                     .arg(formatRange(span), span == rundown_.begin ? tr("at its start") : tr("at its end"));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace highwater::ui

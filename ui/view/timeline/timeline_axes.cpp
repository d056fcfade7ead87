#include "ui/view/timeline/timeline_axes.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr double kEmptyAxisBytes = 1 << 20;
constexpr double kEmptyAxisCount = 10;

/// The smallest of 1, 2, 5 times a power of ten that is at least `wanted`.
double roundStep(double wanted) {
    double power = 1.0;
    while (power * 10.0 <= wanted) {
        power *= 10.0;
    }
    for (const auto factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= wanted) return power * factor;
    }
    return power * 10.0;
}

/// A step in whole units, and its unit. Labels use it so that they stay round ("1,500 KB", not "1.5 MB").
struct ByteStep {
    double unitBytes = 1.0;
    double units = 1.0;
    const char* name = "B";
};

ByteStep roundByteStep(double wanted) {
    double unitBytes = 1.0;
    for (const auto* name : {"B", "KB", "MB", "GB", "TB"}) {
        const auto units = roundStep(wanted / unitBytes);
        if (units <= 500.0 && wanted >= unitBytes) return {unitBytes, units, name};
        // 1,000 B is less than 1 KB, but 1 KB is the rounder step.
        if (wanted <= unitBytes) return {unitBytes, 1.0, name};
        unitBytes *= 1024.0;
    }
    return {unitBytes, roundStep(wanted / unitBytes), "PB"};
}

} // namespace

std::vector<Tick> timeTicks(TimeRange range, int maxTicks) {
    std::vector<Tick> ticks;
    if (range.isEmpty() || maxTicks < 1) return ticks;
    const auto length = static_cast<double>(range.end.ns - range.start.ns);
    const auto step = static_cast<std::int64_t>(roundStep(length / maxTicks));
    const auto before = range.start.ns >= 0 ? (range.start.ns + step - 1) / step : range.start.ns / step;
    for (auto at = before * step; at <= range.end.ns; at += step) {
        ticks.push_back({static_cast<double>(at), formatTick(TraceTime{at}, step)});
    }
    return ticks;
}

std::vector<Tick> timeTicksThatFit(TimeRange range, int width, const QFontMetrics& font, int gap) {
    auto most = std::max(1, width / (font.horizontalAdvance(QStringLiteral("99.999999 s")) + gap));
    for (;;) {
        auto ticks = timeTicks(range, most);
        int widest = 0;
        for (const auto& tick : ticks)
            widest = std::max(widest, font.horizontalAdvance(tick.label) + gap);
        const auto fitting = widest == 0 ? most : width / widest;
        if (fitting >= most) return ticks;
        if (most == 1) { // even a single one lacks space
            ticks.resize(std::min<std::size_t>(ticks.size(), 1));
            return ticks;
        }
        most = std::max({fitting, most / 2, 1}); // a longer step may have shorter labels
    }
}

std::vector<Tick> byteTicks(SignedByteCount lowest, SignedByteCount highest, int maxTicks) {
    std::vector<Tick> ticks;
    const auto low = static_cast<double>(std::min<SignedByteCount>(lowest, 0));
    const bool isEmpty = lowest >= 0 && highest <= 0;
    const auto high = isEmpty ? kEmptyAxisBytes : static_cast<double>(std::max<SignedByteCount>(highest, 1));
    const auto wanted = std::max(1.0, (high - low) / std::max(maxTicks, 1));
    const auto [unitBytes, units, name] = roundByteStep(wanted);
    const auto first = std::floor(low / (unitBytes * units));
    const auto last = std::ceil(high / (unitBytes * units));
    for (auto i = first; i <= last; ++i) {
        const auto label = formatCount(std::llround(i * units));
        ticks.push_back({i * units * unitBytes, i == 0 ? QStringLiteral("0") : label + QLatin1Char(' ') + name});
    }
    return ticks;
}

std::vector<Tick> countTicks(std::int64_t lowest, std::int64_t highest, int maxTicks) {
    const auto low = static_cast<double>(std::min<std::int64_t>(lowest, 0));
    const bool isEmpty = lowest >= 0 && highest <= 0;
    const auto high = isEmpty ? kEmptyAxisCount : static_cast<double>(std::max<std::int64_t>(highest, 1));
    const auto step = roundStep(std::max(1.0, (high - low) / std::max(maxTicks, 1)));
    std::vector<Tick> ticks;
    for (auto i = std::floor(low / step); i <= std::ceil(high / step); ++i) {
        ticks.push_back({i * step, formatCount(std::llround(i * step))});
    }
    return ticks;
}

std::vector<Tick> amountTicks(std::int64_t lowest, std::int64_t highest, int maxTicks,
                              analysis::TimelineMeasure measure) {
    return measure == analysis::TimelineMeasure::Count ? countTicks(lowest, highest, maxTicks)
                                                       : byteTicks(lowest, highest, maxTicks);
}

QString amountTitle(analysis::Table table, analysis::TimelineMeasure measure) {
    const bool isCount = measure == analysis::TimelineMeasure::Count;
    if (measure == analysis::TimelineMeasure::NewBytes) return tr("New bytes");
    if (table == analysis::Table::Frees) return isCount ? tr("Freed count") : tr("Freed size");
    if (table == analysis::Table::Managed) return isCount ? tr("Allocated count") : tr("Allocated size");
    if (table == analysis::Table::GcHeap && !isCount) return tr("Heap size");
    return isCount ? tr("Outstanding count") : tr("Outstanding size");
}

QString formatAmount(std::int64_t amount, analysis::TimelineMeasure measure) {
    return measure == analysis::TimelineMeasure::Count ? formatCount(amount) : formatBytes(amount);
}

double TimelineCoordinates::xOf(TraceTime time) const {
    if (visible.isEmpty()) return plot.left();
    const auto share =
        static_cast<double>(time.ns - visible.start.ns) / static_cast<double>(visible.end.ns - visible.start.ns);
    return plot.left() + share * plot.width();
}

TraceTime TimelineCoordinates::timeAt(double x) const {
    if (plot.width() <= 0) return visible.start;
    const auto share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
    return TraceTime{visible.start.ns + std::llround(share * static_cast<double>(visible.end.ns - visible.start.ns))};
}

} // namespace highwater::ui

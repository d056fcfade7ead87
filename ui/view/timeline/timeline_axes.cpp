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
    const auto power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const auto factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= wanted) return power * factor;
    }
    return power * 10.0;
}

/// A step and its unit, which is that of the highest amount: labels use it so that they are in the unit of the tables
/// ("0.5 MB" below "1.5 MB", not "500 KB").
struct ByteStep {
    double unitBytes = 1.0;
    double units = 1.0;
    const char* name = "B";
};

ByteStep roundByteStep(double wanted, double highest) {
    constexpr std::array kNames{"B", "KB", "MB", "GB", "TB", "PB"};
    constexpr double kMostUnits = 1000.0; // 1,000 KB and more are "1.0 MB"
    double unitBytes = 1.0;
    std::size_t unit = 0;
    for (; highest >= kMostUnits * unitBytes && unit + 1 < kNames.size(); ++unit) {
        unitBytes *= 1024.0;
    }
    return {unitBytes, roundStep(wanted / unitBytes), kNames[unit]};
}

/// Digits after the point of multiples of this step.
int decimalsOf(double step) {
    int decimals = 0;
    for (; step < 0.999; step *= 10.0) {
        ++decimals;
    }
    return decimals;
}

} // namespace

std::vector<Tick> timeTicks(TimeRange range, int maxTicks) {
    std::vector<Tick> ticks;
    if (range.isEmpty() || maxTicks < 1) return ticks;
    const auto length = static_cast<double>(range.end.ns - range.start.ns);
    const auto step = static_cast<std::int64_t>(roundStep(std::max(1.0, length / maxTicks)));
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
    const auto [unitBytes, units, name] = roundByteStep(wanted, std::max(high, -low));
    const auto decimals = decimalsOf(units);
    const auto first = std::floor(low / (unitBytes * units));
    const auto last = std::ceil(high / (unitBytes * units));
    for (auto i = first; i <= last; ++i) {
        const auto bytes = i * units * unitBytes;
        const auto label = formatInBytesOf(std::llround(bytes), std::llround(unitBytes), decimals);
        ticks.push_back({bytes, i == 0 ? QStringLiteral("0") : label + QLatin1Char(' ') + name});
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

#include "ui/view/timeline_axes.h"

#include "ui/format/byte_format.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace highwater::ui {
namespace {

/// The smallest of 1, 2, 5 times a power of ten (of `unit`) that is at least `wanted`.
double roundStep(double wanted, double unit) {
    auto power = unit;
    while (power * 10.0 <= wanted) {
        power *= 10.0;
    }
    for (const auto factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= wanted) return power * factor;
    }
    return power * 10.0;
}

double byteUnit(double step) {
    double unit = 1.0;
    while (unit * 1000.0 <= step) {
        unit *= 1024.0;
    }
    return unit;
}

} // namespace

std::vector<Tick> timeTicks(TimeRange range, int maxTicks) {
    std::vector<Tick> ticks;
    if (range.isEmpty() || maxTicks < 1) return ticks;
    const auto length = static_cast<double>(range.end.ns - range.start.ns);
    const auto step = static_cast<std::int64_t>(roundStep(length / maxTicks, 1.0));
    const auto before = range.start.ns >= 0 ? (range.start.ns + step - 1) / step : range.start.ns / step;
    for (auto at = before * step; at <= range.end.ns; at += step) {
        ticks.push_back({static_cast<double>(at), formatTick(TraceTime{at}, step)});
    }
    return ticks;
}

std::vector<Tick> byteTicks(SignedByteCount lowest, SignedByteCount highest, int maxTicks) {
    std::vector<Tick> ticks;
    const auto low = static_cast<double>(std::min<SignedByteCount>(lowest, 0));
    const auto high = static_cast<double>(std::max<SignedByteCount>(highest, 1));
    const auto wanted = std::max(1.0, (high - low) / std::max(maxTicks, 1));
    const auto step = roundStep(wanted, byteUnit(wanted));
    const auto first = std::floor(low / step);
    const auto last = std::ceil(high / step);
    for (auto i = first; i <= last; ++i) {
        const auto value = i * step;
        auto label = formatBytes(static_cast<SignedByteCount>(value));
        // "10 MB" on an axis of whole megabytes.
        label.replace(QStringLiteral(".0 "), QStringLiteral(" "));
        ticks.push_back({value, label});
    }
    return ticks;
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

#include "ui/format/time_format.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/format/signed_number.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace highwater::ui {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::array<std::int64_t, 10> kPowers{1,       10,        100,        1'000,       10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

QString seconds(std::int64_t ns, int decimals) { return formatInUnit(ns, kSecondNs, decimals) + QStringLiteral(" s"); }

} // namespace

// Rounds in integers, because a double lacks the digits for the nanoseconds of a long trace.
QString formatInUnit(std::int64_t ns, std::int64_t unitNs, int decimals) {
    const auto most = std::find(kPowers.begin(), kPowers.end(), unitNs) - kPowers.begin();
    const auto digits = std::clamp(decimals, 0, static_cast<int>(most));
    const auto perUnit = static_cast<std::uint64_t>(kPowers[static_cast<std::size_t>(digits)]);
    const auto step = static_cast<std::uint64_t>(unitNs) / perUnit;
    const auto whole = magnitude(ns);
    const auto amount = whole / step + (step > 1 && whole % step >= step / 2 ? 1 : 0);
    auto text = formatCount(static_cast<std::int64_t>(amount / perUnit));
    if (digits > 0) {
        text += QLatin1Char('.') + QString::number(amount % perUnit).rightJustified(digits, QLatin1Char('0'));
    }
    return (ns < 0 && amount != 0 ? QString(kMinus) : QString()) + text;
}

QString formatWallClock(TraceTime time, const TimeBase& base, int decimals) {
    if (!base.isKnown() || time == kNever || time == kBeforeTrace) return formatTime(time);
    constexpr std::int64_t kTicksPerSecond = 10'000'000;
    constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;
    const auto digits = std::clamp(decimals, 0, 7);
    const auto step = kPowers[static_cast<std::size_t>(7 - digits)];
    const auto floored = [](std::int64_t value, std::int64_t by) { return value / by - (value % by < 0 ? 1 : 0); };
    // Truncated, not rounded, as clocks do.
    const auto ticks =
        base.startFileTime - std::int64_t{base.biasMinutes} * 60 * kTicksPerSecond + floored(time.ns, 100);
    const auto second = floored(ticks, kTicksPerSecond);
    const auto clock = QDateTime::fromSecsSinceEpoch(second - kSecondsTo1970, Qt::UTC);
    auto text = clock.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (digits > 0) {
        const auto fraction = (ticks - second * kTicksPerSecond) / step;
        text += QLatin1Char('.') + QString::number(fraction).rightJustified(digits, QLatin1Char('0'));
    }
    return text;
}

QString formatTime(TraceTime time) {
    if (time == kNever) return {};
    if (time == kBeforeTrace) return QStringLiteral("before the trace");
    return seconds(time.ns, 6);
}

QString formatBriefTime(TraceTime time) {
    return time == kNever || time == kBeforeTrace ? formatTime(time) : seconds(time.ns, 2);
}

TimeTexts formatTimes(TraceTime first, TraceTime last) {
    TimeTexts texts{formatTime(first), formatTime(last)};
    return first == last || texts.first != texts.last ? texts
                                                      : TimeTexts{formatExactTime(first), formatExactTime(last)};
}

QString formatRange(TimeRange range) {
    const auto [start, end] = formatTimes(range.start, range.end);
    return tr("%1 to %2").arg(start, end);
}

QString formatExactTime(TraceTime time) {
    if (time == kNever || time == kBeforeTrace) return formatTime(time);
    return seconds(time.ns, 9);
}

QString formatDuration(std::int64_t ns, int decimals) {
    const auto digits = decimals < 0 ? 1 : decimals;
    const auto amount = static_cast<double>(std::llabs(ns));
    const auto sign = ns < 0 ? QString(kMinus) : QString();
    if (amount < 1e3) return sign + QString::number(std::llabs(ns)) + QStringLiteral(" ns");
    if (amount < 999.95e3) return sign + QString::number(amount / 1e3, 'f', digits) + QStringLiteral(" µs");
    if (amount < 999.95e6) return sign + QString::number(amount / 1e6, 'f', digits) + QStringLiteral(" ms");
    return seconds(ns, decimals < 0 ? 3 : decimals);
}

QString formatTick(TraceTime time, std::int64_t stepNs) {
    int decimals = 0;
    for (auto unit = kSecondNs; decimals < 9 && stepNs % unit != 0; unit /= 10) {
        ++decimals;
    }
    return seconds(time.ns, decimals);
}

} // namespace highwater::ui

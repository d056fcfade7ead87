#include "ui/format/time_format.h"

#include "ui/format/byte_format.h"

#include <array>
#include <cstdlib>

namespace highwater::ui {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr QChar kMinus{0x2212};

/// Seconds with `decimals` digits, rounded in integers: a double has too few digits for nanoseconds of a long trace.
QString seconds(std::int64_t ns, int decimals) {
    constexpr std::array<std::int64_t, 10> kPowers{1,       10,        100,        1'000,       10'000,
                                                   100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    const auto step = kPowers[static_cast<std::size_t>(9 - decimals)];
    const auto amount = std::llabs(ns) / step + (std::llabs(ns) % step >= (step + 1) / 2 && step > 1 ? 1 : 0);
    const auto perSecond = kPowers[static_cast<std::size_t>(decimals)];
    auto text = formatCount(amount / perSecond);
    if (decimals > 0) {
        text += QLatin1Char('.') + QString::number(amount % perSecond).rightJustified(decimals, QLatin1Char('0'));
    }
    return (ns < 0 && amount != 0 ? QString(kMinus) : QString()) + text + QStringLiteral(" s");
}

} // namespace

QString formatTime(TraceTime time) {
    if (time == kNever) return {};
    if (time == kBeforeTrace) return QStringLiteral("before the trace");
    return seconds(time.ns, 6);
}

QString formatExactTime(TraceTime time) {
    if (time == kNever || time == kBeforeTrace) return formatTime(time);
    return seconds(time.ns, 9);
}

QString formatDuration(std::int64_t ns) {
    const auto amount = static_cast<double>(std::llabs(ns));
    const auto sign = ns < 0 ? QString(kMinus) : QString();
    if (amount < 1e3) return sign + QString::number(std::llabs(ns)) + QStringLiteral(" ns");
    if (amount < 999.95e3) return sign + QString::number(amount / 1e3, 'f', 1) + QStringLiteral(" µs");
    if (amount < 999.95e6) return sign + QString::number(amount / 1e6, 'f', 1) + QStringLiteral(" ms");
    return seconds(ns, 3);
}

QString formatTick(TraceTime time, std::int64_t stepNs) {
    int decimals = 0;
    for (auto unit = kSecondNs; decimals < 9 && stepNs % unit != 0; unit /= 10) {
        ++decimals;
    }
    return seconds(time.ns, decimals);
}

} // namespace highwater::ui

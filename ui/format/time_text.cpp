#include "ui/format/time_text.h"

#include <QRegularExpression>

namespace highwater::ui {
namespace {

// A number with or without commas between thousands, and a unit.
const QString kTime = QStringLiteral(R"(((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)\s*(s|ms|us|µs|μs|ns)?)");

/// Number of decimal digits of a unit in nanoseconds: 9 for "s".
int digitsOf(const QString& unit) {
    if (unit.isEmpty() || unit == QLatin1String("s")) return 9;
    if (unit == QLatin1String("ms")) return 6;
    return unit == QLatin1String("ns") ? 0 : 3;
}

/// Computes with digits, because a double cannot distinguish the nanoseconds of a day.
std::optional<std::int64_t> nanoseconds(QString number, const QString& unit) {
    number.remove(QLatin1Char(','));
    const auto point = number.indexOf(QLatin1Char('.'));
    auto whole = point < 0 ? number : number.left(point);
    auto fraction = point < 0 ? QString() : number.mid(point + 1);
    const auto digits = digitsOf(unit);
    while (fraction.size() > digits && fraction.endsWith(QLatin1Char('0'))) {
        fraction.chop(1);
    }
    if (fraction.size() > digits) return std::nullopt;
    bool isNumber = false;
    const auto value = (whole + fraction.leftJustified(digits, QLatin1Char('0'))).toLongLong(&isNumber);
    return isNumber ? std::optional<std::int64_t>(value) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> parseNanoseconds(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^%1$").arg(kTime));
    const auto match = pattern.match(text.trimmed());
    return match.hasMatch() ? nanoseconds(match.captured(1), match.captured(2)) : std::nullopt;
}

std::optional<TimeRange> parseTimeRange(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral(R"(^%1\s*(?:-|–|—|\.\.|:|;|\bto\b|\s)\s*%1$)").arg(kTime));
    const auto match = pattern.match(text.simplified());
    if (!match.hasMatch()) return std::nullopt;
    const auto start = nanoseconds(match.captured(1), match.captured(2));
    const auto end = nanoseconds(match.captured(3), match.captured(4));
    if (!start || !end || *start >= *end) return std::nullopt;
    return TimeRange{TraceTime{*start}, TraceTime{*end}};
}

} // namespace highwater::ui

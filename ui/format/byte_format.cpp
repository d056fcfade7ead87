#include "ui/format/byte_format.h"

#include "ui/format/signed_number.h"

#include <QChar>

#include <array>
#include <cmath>

namespace highwater::ui {
namespace {

/// Inserts commas between the thousands of the integer part.
QString grouped(const QString& digits) {
    QString text = digits;
    const auto point = text.indexOf(QLatin1Char('.'));
    for (auto at = (point < 0 ? text.size() : point) - 3; at > 0; at -= 3) {
        text.insert(at, QLatin1Char(','));
    }
    return text;
}

QString withSign(std::int64_t value, const QString& text) { return value < 0 ? kMinus + text : text; }

} // namespace

QString formatCount(std::int64_t count) { return withSign(count, grouped(QString::number(magnitude(count)))); }

QString formatBytes(SignedByteCount bytes) { return formatBytes(bytes, 1); }

QString formatBytes(SignedByteCount bytes, int decimals) {
    constexpr std::array kUnits{"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    if (magnitude(bytes) < 1024) return formatCount(bytes) + QStringLiteral(" B");
    auto amount = static_cast<double>(magnitude(bytes));
    std::size_t unit = 0;
    // 1,048,575 B would round to "1,024.0 KB".
    const auto scale = std::pow(10.0, decimals);
    while (std::round(amount * scale) >= 1024.0 * scale && unit + 1 < kUnits.size()) {
        amount /= 1024.0;
        ++unit;
    }
    return withSign(bytes,
                    grouped(QString::number(amount, 'f', decimals)) + QLatin1Char(' ') + QLatin1String(kUnits[unit]));
}

QString formatInBytesOf(SignedByteCount bytes, std::int64_t unitBytes, int decimals) {
    const auto text =
        QString::number(static_cast<double>(magnitude(bytes)) / static_cast<double>(unitBytes), 'f', decimals);
    const bool isZero = text.count(QLatin1Char('0')) + text.count(QLatin1Char('.')) == text.size();
    return isZero ? grouped(text) : withSign(bytes, grouped(text));
}

QString formatByteDelta(SignedByteCount bytes) {
    return bytes > 0 ? QLatin1Char('+') + formatBytes(bytes) : formatBytes(bytes);
}

QString formatExactBytes(SignedByteCount bytes) { return formatCount(bytes) + QStringLiteral(" B"); }

} // namespace highwater::ui

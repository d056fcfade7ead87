#include "ui/format/cell_format.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/columns/column_specs.h"
#include "core/base/text.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <algorithm>

namespace highwater::ui {

using analysis::CellValue;
using analysis::Column;
using analysis::ValueKind;

namespace {

QString hexadecimal(std::int64_t number) {
    return QStringLiteral("0x") + QString::number(static_cast<std::uint64_t>(number), 16);
}

QString formatBytesAs(std::int64_t bytes, const ColumnFormat& format) {
    const auto decimals = format.decimals < 0 ? 1 : format.decimals;
    switch (format.unit) {
    case ColumnUnit::Bytes:
        return formatCount(bytes);
    case ColumnUnit::Kilobytes:
        return formatInBytesOf(bytes, std::int64_t{1} << 10, decimals);
    case ColumnUnit::Megabytes:
        return formatInBytesOf(bytes, std::int64_t{1} << 20, decimals);
    case ColumnUnit::Gigabytes:
        return formatInBytesOf(bytes, std::int64_t{1} << 30, format.decimals < 0 ? 3 : decimals);
    default:
        return formatBytes(bytes, decimals);
    }
}

/// Formats times and durations in the chosen unit, which is not Own.
QString formatTimeAs(std::int64_t ns, const ColumnFormat& format) {
    const auto decimals = [&](int suitable) { return format.decimals < 0 ? suitable : format.decimals; };
    switch (format.unit) {
    case ColumnUnit::Milliseconds:
        return formatInUnit(ns, 1'000'000, decimals(3));
    case ColumnUnit::Microseconds:
        return formatInUnit(ns, 1'000, decimals(0));
    default:
        return formatInUnit(ns, 1'000'000'000, decimals(6));
    }
}

QString formatTimeCell(std::int64_t ns, const ColumnFormat& format, const TimeBase& base) {
    const TraceTime time{ns};
    if (time == kNever || time == kBeforeTrace) return formatTime(time);
    if (format.unit == ColumnUnit::WallClock)
        return formatWallClock(time, base, format.decimals < 0 ? 6 : format.decimals);
    if (format.unit != ColumnUnit::Own) return formatTimeAs(ns, format);
    return formatInUnit(ns, 1'000'000'000, format.decimals < 0 ? 6 : format.decimals) + QStringLiteral(" s");
}

QString formatNumber(analysis::ValueColumn column, std::int64_t number, const ColumnFormat& format,
                     const TimeBase& base) {
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return formatBytesAs(number, format);
    case ValueKind::BytesPerSecond:
        return tr("%1/s").arg(formatBytesAs(number, format));
    case ValueKind::Duration:
        return format.unit == ColumnUnit::Own ? formatDuration(number, format.decimals) : formatTimeAs(number, format);
    case ValueKind::Time:
        return formatTimeCell(number, format, base);
    case ValueKind::Hex:
        return format.unit == ColumnUnit::Decimal ? QString::number(static_cast<std::uint64_t>(number))
                                                  : hexadecimal(number);
    case ValueKind::Count:
    case ValueKind::Series:
    case ValueKind::Text:
        break;
    }
    if (format.unit == ColumnUnit::Hexadecimal) return hexadecimal(number);
    return analysis::isId(column) ? QString::number(number) : formatCount(number); // identifiers have no commas
}

QString formatExactNumber(analysis::ValueColumn column, std::int64_t number) {
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return formatExactBytes(number);
    case ValueKind::BytesPerSecond:
        return tr("%1/s").arg(formatExactBytes(number));
    case ValueKind::Duration:
    case ValueKind::Time:
        return formatExactTime(TraceTime{number});
    default:
        return formatNumber(column, number, {}, {});
    }
}

} // namespace

QString formatCell(analysis::ValueColumn column, const CellValue& value) { return formatCell(column, value, {}, {}); }

QString formatCell(analysis::ValueColumn column, const CellValue& value, const ColumnFormat& format,
                   const TimeBase& base) {
    const auto units = unitsOf(column);
    const bool isOffered = std::find(units.begin(), units.end(), format.unit) != units.end();
    const auto& wanted = isOffered ? format : ColumnFormat{};
    if (const auto* number = std::get_if<std::int64_t>(&value)) return formatNumber(column, *number, wanted, base);
    if (const auto* time = std::get_if<TraceTime>(&value)) return formatNumber(column, time->ns, wanted, base);
    if (const auto* text = std::get_if<std::string>(&value)) {
        const bool isFile = column == analysis::ValueColumn{Column::SourceLine}; // exact cells include its folders
        return visibleText(isFile ? fileName(*text) : std::string_view(*text));
    }
    if (const auto* series = std::get_if<analysis::Series>(&value)) return toQString(analysis::blocksText(*series));
    return {};
}

QString formatExactCell(analysis::ValueColumn column, const CellValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return formatExactNumber(column, *number);
    if (const auto* time = std::get_if<TraceTime>(&value)) return formatExactNumber(column, time->ns);
    if (const auto* text = std::get_if<std::string>(&value)) return visibleText(*text);
    return formatCell(column, value);
}

bool isNumeric(analysis::ValueColumn column) { return analysis::valueKind(column) != ValueKind::Text; }

bool isZero(const CellValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number && *number == 0;
}

QString definitionOf(Column column, std::uint64_t key) {
    const auto* word = analysis::findWord(column, key);
    return word ? QString::fromUtf8(word->definition) : QString();
}

QString definitionOf(analysis::Table table, Column column) {
    return QString::fromUtf8(analysis::columnDefinition(table, column));
}

} // namespace highwater::ui

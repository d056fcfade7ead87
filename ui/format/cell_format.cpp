#include "ui/format/cell_format.h"

#include "ui/format/byte_format.h"
#include "ui/format/time_format.h"

#include <array>
#include <utility>

namespace highwater::ui {

using analysis::CellValue;
using analysis::Column;
using analysis::ValueKind;

namespace {

enum class Precision { Readable, Exact };

QString formatNumber(ValueKind kind, std::int64_t number, Precision precision) {
    switch (kind) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return precision == Precision::Exact ? formatExactBytes(number) : formatBytes(number);
    case ValueKind::Duration:
        return precision == Precision::Exact ? formatExactTime(TraceTime{number}) : formatDuration(number);
    case ValueKind::Time:
        return precision == Precision::Exact ? formatExactTime(TraceTime{number}) : formatTime(TraceTime{number});
    case ValueKind::Hex:
        return QStringLiteral("0x") + QString::number(static_cast<std::uint64_t>(number), 16);
    case ValueKind::Count:
    case ValueKind::Text:
        break;
    }
    return formatCount(number);
}

QString format(analysis::ValueColumn column, const CellValue& value, Precision precision) {
    const auto kind = analysis::valueKind(column);
    if (const auto* number = std::get_if<std::int64_t>(&value)) return formatNumber(kind, *number, precision);
    if (const auto* time = std::get_if<TraceTime>(&value)) {
        return formatNumber(kind == ValueKind::Duration ? kind : ValueKind::Time, time->ns, precision);
    }
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    return {};
}

} // namespace

QString formatCell(analysis::ValueColumn column, const CellValue& value) {
    return format(column, value, Precision::Readable);
}

QString formatExactCell(analysis::ValueColumn column, const CellValue& value) {
    return format(column, value, Precision::Exact);
}

bool isNumeric(analysis::ValueColumn column) { return analysis::valueKind(column) != ValueKind::Text; }

bool isZero(const CellValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number && *number == 0;
}

QString definitionOf(Column column, const QString& keyText) {
    if (column != Column::Type && column != Column::ImpactingType) return {};
    static const std::array<std::pair<const char*, const char*>, 7> kDefinitions{{
        {"AIFI", "Allocated inside the interval, freed inside it: temporary."},
        {"AIFO", "Allocated inside the interval and not freed in it: outstanding. These may be leaks."},
        {"AOFI", "Allocated before the interval, freed inside it."},
        {"AOFO", "Allocated before the interval and not freed in it: there all the time."},
        {"Impacting", "Changes the outstanding amount between the start and the end of the interval."},
        {"Transient", "Allocated and freed inside the interval: changes nothing in the end."},
        {"Persistent", "Outstanding through the whole interval: allocated before it and not freed in it."},
    }};
    for (const auto& [key, definition] : kDefinitions) {
        if (keyText.startsWith(QLatin1String(key))) return QString::fromLatin1(definition);
    }
    return {};
}

QString definitionOf(Column column) {
    switch (column) {
    case Column::Count:
        return QStringLiteral("Allocations that are outstanding for some part of the interval.");
    case Column::Size:
        return QStringLiteral("Sum of the sizes of these allocations, freed or not.");
    case Column::ImpactingSize:
        return QStringLiteral("Outstanding amount at the end of the interval minus that at its start.");
    case Column::Allocated:
        return QStringLiteral("Bytes allocated inside the interval.");
    case Column::Freed:
        return QStringLiteral("Bytes released inside the interval.");
    case Column::PeakSize:
        return QStringLiteral("The highest outstanding amount at one instant of the interval.");
    default:
        return {};
    }
}

} // namespace highwater::ui

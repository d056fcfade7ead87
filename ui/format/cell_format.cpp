#include "ui/format/cell_format.h"

#include "core/base/text.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"

#include <algorithm>
#include <array>
#include <utility>

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

/// Of times and durations, but for Own.
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

/// Process and thread ids are names, not amounts: no commas.
bool isId(analysis::ValueColumn column) {
    return column.aggregation == analysis::Aggregation::Own &&
           (column.column == Column::Pid || column.column == Column::Thread);
}

QString formatNumber(analysis::ValueColumn column, std::int64_t number, const ColumnFormat& format,
                     const TimeBase& base) {
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return formatBytesAs(number, format);
    case ValueKind::Duration:
        return format.unit == ColumnUnit::Own ? formatDuration(number, format.decimals) : formatTimeAs(number, format);
    case ValueKind::Time:
        return formatTimeCell(number, format, base);
    case ValueKind::Hex:
        return format.unit == ColumnUnit::Decimal ? QString::number(static_cast<std::uint64_t>(number))
                                                  : hexadecimal(number);
    case ValueKind::Count:
    case ValueKind::Text:
        break;
    }
    if (format.unit == ColumnUnit::Hexadecimal) return hexadecimal(number);
    return isId(column) ? QString::number(number) : formatCount(number);
}

QString formatExactNumber(analysis::ValueColumn column, std::int64_t number) {
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return formatExactBytes(number);
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
        const bool isFile = column == analysis::ValueColumn{Column::SourceLine}; // exact cells have its folders
        return visibleText(isFile ? fileName(*text) : std::string_view(*text));
    }
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
    case Column::Process:
        return QStringLiteral("The process that the memory belongs to, with its id.");
    case Column::ProcessName:
        return QStringLiteral("Processes of one name together.");
    case Column::Handle:
        return QStringLiteral("The heap of the process.");
    case Column::Thread:
        return QStringLiteral("The thread that made the call.");
    case Column::Type:
        return QStringLiteral("Whether a block was allocated, and freed, inside or outside the interval.");
    case Column::ImpactingType:
        return QStringLiteral("Whether a block changes the outstanding amount of the interval.");
    case Column::Stack:
        return QStringLiteral("The calls that led here, outermost first.");
    case Column::StackBottomUp:
        return QStringLiteral("The calls that led here, innermost first, allocator functions skipped.");
    case Column::AllocStack:
        return QStringLiteral("The calls that allocated what was freed here.");
    case Column::Source:
        return QStringLiteral("The path through the heap that served the call.");
    case Column::IsRealloc:
        return QStringLiteral("Whether a reallocation made the block.");
    case Column::FreeType:
        return QStringLiteral("How the block ended.");
    case Column::Memory:
        return QStringLiteral("Whether heap or VirtualAlloc memory was released.");
    case Column::SourceLine:
        return QStringLiteral("File and line: of a frame its code, of other rows the line that asked for the memory.");
    case Column::PageAddress:
        return QStringLiteral("The address rounded down to 4 KB.");
    case Column::BeginTime:
        return QStringLiteral("When the block was allocated.");
    case Column::EndTime:
        return QStringLiteral("When the block was freed; empty while it is outstanding.");
    case Column::LifeTime:
        return QStringLiteral("From allocation to free; empty while the block is outstanding.");
    case Column::SelectionLifeTime:
        return QStringLiteral("The part of the lifetime that lies inside the interval.");
    case Column::RowSize:
        return QStringLiteral("The size of one block.");
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
    case Column::Pid:
    case Column::Address:
        break;
    }
    return {};
}

} // namespace highwater::ui

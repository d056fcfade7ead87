#include "ui/format/column_format.h"

#include "core/analysis/columns/column_specs.h"
#include "ui/format/qt_text.h"

#include <algorithm>

namespace highwater::ui {

using analysis::Aggregation;
using analysis::ValueKind;

namespace {

QString ownUnitName(analysis::ValueColumn column) {
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
    case ValueKind::BytesPerSecond:
        return tr("Automatic (B, KB, MB, GB)");
    case ValueKind::Duration:
        return tr("Automatic (s, ms, µs, ns)");
    case ValueKind::Time:
        return tr("Time since the start");
    case ValueKind::Hex:
        return tr("Hexadecimal");
    case ValueKind::Count:
    case ValueKind::Text:
    case ValueKind::Series:
        break;
    }
    return tr("Decimal");
}

} // namespace

std::vector<ColumnUnit> unitsOf(analysis::ValueColumn column) {
    using enum ColumnUnit;
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return {Own, Bytes, Kilobytes, Megabytes, Gigabytes};
    case ValueKind::Duration:
        return {Own, Seconds, Milliseconds, Microseconds};
    case ValueKind::Time:
        return {Own, Seconds, Milliseconds, Microseconds, WallClock};
    case ValueKind::Hex:
        return {Own, Decimal};
    case ValueKind::Count:
        return analysis::isId(column) ? std::vector{Own, Hexadecimal} : std::vector{Own};
    case ValueKind::BytesPerSecond:
    case ValueKind::Series:
    case ValueKind::Text:
        break;
    }
    return {Own};
}

QString unitName(analysis::ValueColumn column, ColumnUnit unit) {
    switch (unit) {
    case ColumnUnit::Own:
        return ownUnitName(column);
    case ColumnUnit::Bytes:
        return tr("B");
    case ColumnUnit::Hexadecimal:
        return tr("Hexadecimal");
    case ColumnUnit::Decimal:
        return tr("Decimal");
    case ColumnUnit::WallClock:
        return tr("Wall-clock time");
    default:
        return unitSuffix(unit);
    }
}

QString unitSuffix(ColumnUnit unit) {
    switch (unit) {
    case ColumnUnit::Bytes:
        return QStringLiteral("B");
    case ColumnUnit::Kilobytes:
        return QStringLiteral("KB");
    case ColumnUnit::Megabytes:
        return QStringLiteral("MB");
    case ColumnUnit::Gigabytes:
        return QStringLiteral("GB");
    case ColumnUnit::Seconds:
        return QStringLiteral("s");
    case ColumnUnit::Milliseconds:
        return QStringLiteral("ms");
    case ColumnUnit::Microseconds:
        return QStringLiteral("µs");
    default:
        return {};
    }
}

int mostDecimals(analysis::ValueColumn column, ColumnUnit unit) {
    switch (unit) {
    case ColumnUnit::Kilobytes:
    case ColumnUnit::Megabytes:
    case ColumnUnit::Gigabytes:
    case ColumnUnit::Microseconds:
        return 3;
    case ColumnUnit::Milliseconds:
        return 6;
    case ColumnUnit::Seconds:
    case ColumnUnit::WallClock:
        return unit == ColumnUnit::Seconds ? 9 : 7;
    case ColumnUnit::Own:
        break;
    default:
        return 0;
    }
    switch (analysis::valueKind(column)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
    case ValueKind::BytesPerSecond:
    case ValueKind::Duration:
        return 3;
    case ValueKind::Time:
        return 9;
    default:
        return 0;
    }
}

QString columnTitle(analysis::Table table, analysis::ValueColumn column, ColumnFormat format) {
    const auto title = analysis::inTable(analysis::specOf(column.column), table).title;
    const auto name = toQString(title.empty() ? analysis::columnName(table, column.column) : title);
    const auto suffix = unitSuffix(format.unit);
    // "Count of sizes" is not an amount in MB.
    const auto units = unitsOf(column);
    const bool hasUnit = std::find(units.begin(), units.end(), format.unit) != units.end();
    return suffix.isEmpty() || !hasUnit ? name : QStringLiteral("%1 (%2)").arg(name, suffix);
}

QString aggregationTitle(analysis::Table table, analysis::ValueColumn column) {
    if (column.aggregation != Aggregation::Own) return toQString(analysis::aggregationName(column.aggregation));
    const auto offered = analysis::aggregationsOf(table, column.column);
    return offered.empty() ? QString() : toQString(analysis::aggregationName(offered.front()));
}

} // namespace highwater::ui

#include "ui/state/table/single_rows.h"

#include "core/analysis/rows/population.h"
#include "ui/format/byte_format.h"
#include "ui/format/time_format.h"

#include <QCoreApplication>
#include <QStringList>

namespace highwater::ui {
namespace {

QString translated(const char* words) { return QCoreApplication::translate("SingleRows", words); }

/// "12.345678 s – 15.000000 s"; "since 12.345678 s" for outstanding allocations.
QString lifeOf(const analysis::RowNumbers& row) {
    const bool isOutstanding = row.end == kNever;
    if (row.begin == kBeforeTrace) {
        return isOutstanding ? translated("since before the trace") : translated("until %1").arg(formatTime(row.end));
    }
    if (isOutstanding) return translated("since %1").arg(formatTime(row.begin));
    const auto [begin, end] = formatTimes(row.begin, row.end);
    return QStringLiteral("%1 – %2").arg(begin, end);
}

} // namespace

QString singleRowText(const analysis::GroupedTable& table, analysis::GroupedTable::NodeId row) {
    const auto numbers = table.numbersOf(row);
    const auto which = table.query().table;
    QStringList parts;
    if (analysis::hasColumn(which, analysis::Column::Address)) parts << QString::fromStdString(table.keyText(row));
    // No event reports the end of a managed object.
    parts << (which == analysis::Table::Managed ? formatTime(numbers.begin) : lifeOf(numbers));
    parts << formatBytes(static_cast<std::int64_t>(numbers.size));
    if (const auto thread = table.threadOf(row)) parts << translated("thread %1").arg(*thread);
    return parts.join(QStringLiteral(" · "));
}

TableRow moreRows(std::uint64_t missing, std::size_t values) {
    TableRow row;
    row.step = {analysis::Column::Allocation, kMoreRowsKey};
    row.text = translated("%1 more…").arg(formatCount(static_cast<std::int64_t>(missing)));
    row.values.resize(values);
    return row;
}

} // namespace highwater::ui

#include "ui/view/console/log_filter.h"

#include "ui/view/console/log_lines_model.h"

namespace highwater::ui {

LogFilter::LogFilter(QObject* parent) : QSortFilterProxyModel(parent) {}

void LogFilter::setLeast(LogLevel level) {
    least_ = level;
    invalidateFilter();
}

void LogFilter::setText(const QString& text) {
    text_ = text;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto cell = [&](int column) { return sourceModel()->index(row, column, parent); };
    if (cell(0).data(LogLinesModel::kLevelRole).toInt() < static_cast<int>(least_)) return false;
    if (text_.isEmpty()) return true;
    for (const auto column : {LogLinesModel::kSentence, LogLinesModel::kArea, LogLinesModel::kTime}) {
        if (cell(column).data().toString().contains(text_, Qt::CaseInsensitive)) return true;
    }
    return false;
}

} // namespace highwater::ui

#include "moc_log_filter.cpp"

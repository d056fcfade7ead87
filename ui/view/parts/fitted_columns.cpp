#include "ui/view/parts/fitted_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kFewestLetters = 14; ///< shorter names would be hard to read

} // namespace

void widenColumns(QTreeView& table, std::initializer_list<int> leftOut) {
    const QAbstractItemView& items = table; // QTreeView hides the base's overload
    const auto* header = table.header();
    for (int column = 0; column < header->count(); ++column) {
        if (std::find(leftOut.begin(), leftOut.end(), column) != leftOut.end()) continue;
        const auto needed = std::max(items.sizeHintForColumn(column), header->sectionSizeHint(column));
        if (needed > header->sectionSize(column)) table.setColumnWidth(column, needed);
    }
}

FittedColumn::FittedColumn(QTreeView& table, int column, int last)
    : QObject(&table), table_(table), column_(column), last_(last), wanted_(table.columnWidth(column)) {
    table.viewport()->installEventFilter(this);
    connect(table.header(), &QHeaderView::sectionResized, this, [this](int resized) {
        if (resized == column_ && !isFitting_) isOfUser_ = true;
    });
}

void FittedColumn::setWanted(int width) {
    wanted_ = width;
    fit();
}

void FittedColumn::fit() {
    if (isOfUser_) return;
    int others = 0;
    for (int column = 0; column <= last_; ++column)
        if (column != column_) others += table_.columnWidth(column); // 0 if it is hidden
    const int least = std::min(wanted_, table_.fontMetrics().averageCharWidth() * kFewestLetters);
    isFitting_ = true;
    table_.setColumnWidth(column_, std::clamp(table_.viewport()->width() - others, least, wanted_));
    isFitting_ = false;
}

bool FittedColumn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fit();
    return QObject::eventFilter(watched, event);
}

} // namespace highwater::ui

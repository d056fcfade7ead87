#include "ui/view/table/pivot_delegate.h"

#include "ui/format/byte_format.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/narrow_text.h"
#include "ui/view/parts/sparkline.h"
#include "ui/view/table/frozen_tree_view.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace highwater::ui {

namespace {

constexpr int kCellMargin = 4;
constexpr int kCellSwatch = 10;
constexpr int kNoteSheet = 9;       ///< width of the note icon
constexpr int kMostNoteWidth = 180; ///< maximum for which a column makes room

QPalette::ColorGroup groupOf(const QStyleOptionViewItem& option) {
    if (!(option.state & QStyle::State_Enabled)) return QPalette::Disabled;
    return option.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
}

QColor inkOf(const QStyleOptionViewItem& option) {
    const bool isSelected = option.state & QStyle::State_Selected;
    return option.palette.color(groupOf(option), isSelected ? QPalette::HighlightedText : QPalette::Text);
}

QColor faded(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

} // namespace

PivotDelegate::PivotDelegate(const GroupedTableModel& model, FrozenTreeView& view)
    : QStyledItemDelegate(&view), model_(model), view_(view) {}

int PivotDelegate::textLeft(const QModelIndex& index) const {
    // Single rows are not in the tree: they are painted below their leaf, indented further.
    const auto* row = model_.rowOf(index);
    const int below = row && row->step.column == analysis::Column::Allocation ? 1 : 0;
    const int levels = model_.branchShape(index, index.column()).level - levelsLeftOut(index);
    return kCellMargin + (levels + 1 + below) * kLevelWidth;
}

int PivotDelegate::levelsLeftOut(const QModelIndex& index) const {
    const int most = std::max(1, view_.columnWidth(index.column()) / 2 / kLevelWidth - 2);
    return std::max(0, model_.branchShape(index, index.column()).level - most);
}

QRect PivotDelegate::triangleRect(const QModelIndex& index, const QRect& cell) const {
    if (!index.isValid() || index.column() != model_.keySection(index)) return {};
    if (!model_.hasChildren(index.siblingAtColumn(0))) return {};
    return {cell.left() + textLeft(index) - kLevelWidth, cell.top(), kLevelWidth, cell.height()};
}

int PivotDelegate::keyWidth(const QModelIndex& index, const QFontMetrics& metrics) const {
    const auto key = index.siblingAtColumn(model_.keySection(index));
    const bool hasSwatch = key.data(Qt::DecorationRole).value<QColor>().isValid();
    const int before = textLeft(key) + 2 + (hasSwatch ? kCellSwatch + kCellMargin : 0);
    const auto note = index.data(GroupedTableModel::NoteRole).toString();
    const int behind =
        note.isEmpty() ? 0 : kNoteSheet + 3 * kCellMargin + std::min(metrics.horizontalAdvance(note), kMostNoteWidth);
    return before + metrics.horizontalAdvance(key.data().toString()) + behind + 2 * kCellMargin;
}

QSize PivotDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
    return {100, rowHeight(option.fontMetrics)};
}

void PivotDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != 0) return narrowTime(*option, index);
    option->features |= QStyleOptionViewItem::HasDisplay;
    option->text = formatCount(view_.lineAt(option->rect.top()));
    option->palette.setColor(QPalette::Text, option->palette.color(groupOf(*option), QPalette::PlaceholderText));
}

/// Reduces decimals instead of cutting.
void PivotDelegate::narrowTime(QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto column = model_.valueColumn(index.column());
    if (!column || analysis::valueKind(*column) != analysis::ValueKind::Time) return;
    if (!option.text.endsWith(QLatin1String(" s"))) return; // none, or in another unit
    const int room = option.rect.width() - 2 * (view_.style()->pixelMetric(QStyle::PM_FocusFrameHMargin) + 1);
    if (option.fontMetrics.horizontalAdvance(option.text) <= room) return;
    const auto ns = index.data(GroupedTableModel::SortRole).toLongLong();
    option.text = narrowedTime(ns, option.fontMetrics, room);
}

void PivotDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (const auto series = index.data(GroupedTableModel::SeriesRole).value<QList<qint64>>(); !series.isEmpty())
        return paintSeries(painter, option, series);
    if (!model_.keyColumn(index.column())) return QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setClipRect(option.rect, Qt::IntersectClip);
    paintKey(painter, option, index);
    painter->restore();
}

void PivotDelegate::paintSeries(QPainter* painter, const QStyleOptionViewItem& option,
                                const QList<qint64>& series) const {
    QStyleOptionViewItem cell = option; // the cell's background, without text
    view_.style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, &view_);
    const bool isSelected = option.state & QStyle::State_Selected;
    const auto color =
        option.palette.color(groupOf(option), isSelected ? QPalette::HighlightedText : QPalette::Highlight);
    paintSparkline(*painter, QRectF(option.rect).adjusted(kCellMargin, 3, -kCellMargin, -3), series, color);
}

void PivotDelegate::paintKey(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const auto text = cell.text;
    cell.text.clear();
    cell.icon = {};
    cell.features &= ~QStyleOptionViewItem::HasDecoration;
    const auto* style = view_.style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, &view_);
    paintBranches(painter, cell, index);
    if (index.column() != model_.keySection(index)) return;
    painter->setPen(inkOf(cell));
    if (const auto triangle = triangleRect(index, cell.rect); !triangle.isEmpty()) {
        paintTriangle(painter, triangle, view_.isExpanded(index.siblingAtColumn(0)));
    }
    auto left = cell.rect.left() + textLeft(index) + 2;
    if (const auto swatch = index.data(Qt::DecorationRole).value<QColor>(); swatch.isValid()) {
        const QRect square(left, cell.rect.center().y() - kCellSwatch / 2 + 1, kCellSwatch, kCellSwatch);
        painter->fillRect(square, swatch);
        // On the accent colour, a square may be hard to see.
        if (cell.state & QStyle::State_Selected) painter->drawRect(square.adjusted(-1, -1, 0, 0));
        left = square.right() + kCellMargin + 1;
    }
    const auto note = index.data(GroupedTableModel::NoteRole).toString();
    const int behind = note.isEmpty() ? 0 : kNoteSheet + kCellMargin; // a note stays visible, whatever else is cut
    const QRect room(QPoint(left, cell.rect.top()),
                     QPoint(cell.rect.right() - kCellMargin - behind, cell.rect.bottom()));
    painter->setFont(cell.font);
    const bool isFrame = analysis::isStack(*model_.keyColumn(index.column()));
    const auto shown = isFrame ? narrowedFrame(text, cell.fontMetrics, room.width())
                               : cell.fontMetrics.elidedText(text, cell.textElideMode, room.width());
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (note.isEmpty()) return;
    const int end = std::min(room.right(), left + cell.fontMetrics.horizontalAdvance(shown)) + 2 * kCellMargin;
    paintNote(*painter, cell,
              {QPoint(end, cell.rect.top()), QPoint(cell.rect.right() - kCellMargin, cell.rect.bottom())}, note);
}

/// A note icon, and as much of the text as fits.
void PivotDelegate::paintNote(QPainter& painter, const QStyleOptionViewItem& option, const QRect& room,
                              const QString& note) const {
    const QRect sheet(room.left(), room.center().y() - kNoteSheet / 2, kNoteSheet, kNoteSheet);
    painter.drawRect(sheet);
    for (const int line : {3, 6})
        painter.drawLine(sheet.left() + 2, sheet.top() + line, sheet.right() - 1, sheet.top() + line);
    const auto words = room.adjusted(kNoteSheet + kCellMargin, 0, 0, 0);
    auto font = option.font;
    font.setItalic(true);
    painter.setFont(font);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(note, Qt::ElideRight, words.width()));
}

/// Paints `|-` where a fork has several rows, and the lines of forks further up.
void PivotDelegate::paintBranches(QPainter* painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
    const auto shape = model_.branchShape(index, index.column());
    if (shape.level == 0) return;
    painter->setPen(faded(inkOf(option), 0.4));
    const auto rect = option.rect;
    const int middle = rect.center().y();
    const int leftOut = levelsLeftOut(index);
    for (int i = leftOut; i < shape.level; ++i) {
        const int x = rect.left() + kCellMargin + (i - leftOut) * kLevelWidth + kLevelWidth / 2;
        const bool isOwn = shape.isForkChild && i + 1 == shape.level;
        const bool goesOn = shape.guides[static_cast<std::size_t>(i)];
        if (goesOn || isOwn) painter->drawLine(x, rect.top(), x, goesOn ? rect.bottom() : middle);
        if (isOwn) painter->drawLine(x, middle, x + kLevelWidth / 2 + 1, middle);
    }
}

void PivotDelegate::paintTriangle(QPainter* painter, const QRect& rect, bool isOpen) const {
    constexpr double kLong = 4.5;
    constexpr double kShort = 2.8;
    const auto center = QRectF(rect).center();
    QPolygonF triangle;
    if (isOpen)
        triangle << QPointF(-kLong, -kShort) << QPointF(kLong, -kShort) << QPointF(0, kShort + 0.5);
    else
        triangle << QPointF(-kShort, -kLong) << QPointF(-kShort, kLong) << QPointF(kShort + 0.5, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(center);
    painter->setBrush(faded(painter->pen().color(), 0.75));
    painter->setPen(Qt::NoPen);
    painter->drawPolygon(triangle);
    painter->restore();
}

} // namespace highwater::ui

#include "moc_pivot_delegate.cpp"

#pragma once

#include <QStyledItemDelegate>

namespace highwater::ui {

class GroupedTableModel;
class FrozenTreeView;

/// Draws the cells of a pivot table: line numbers, keys with their triangle, the branches of the stack's tree and the
/// colour of a series, and numbers. Colours come from the palette. GUI thread only.
class PivotDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    static constexpr int kLevelWidth = 14; ///< pixels that a level of the tree takes; a triangle is as wide

    PivotDelegate(const GroupedTableModel& model, FrozenTreeView& view);

    /// What the text of a row's key needs in its cell, with all that stands before it.
    [[nodiscard]] int keyWidth(const QModelIndex& index, const QFontMetrics& metrics) const;
    /// Where the triangle of a row is, in the cell of its key; empty for rows without rows below them.
    [[nodiscard]] QRect triangleRect(const QModelIndex& index, const QRect& cell) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    void narrowTime(QStyleOptionViewItem& option, const QModelIndex& index) const;
    /// Instead of text: the line of a series.
    void paintSeries(QPainter* painter, const QStyleOptionViewItem& option, const QList<qint64>& series) const;
    void paintKey(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintBranches(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintNote(QPainter& painter, const QStyleOptionViewItem& option, const QRect& room, const QString& note) const;
    void paintTriangle(QPainter* painter, const QRect& rect, bool isOpen) const;
    [[nodiscard]] int textLeft(const QModelIndex& index) const;

    const GroupedTableModel& model_;
    const FrozenTreeView& view_;
};

} // namespace highwater::ui

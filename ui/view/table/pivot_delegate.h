#pragma once

#include <QStyledItemDelegate>

namespace highwater::ui {

class GroupedTableModel;
class FrozenTreeView;

/// Paints the cells of a pivot table: line numbers, keys with their triangle, the branches of the stack's tree and the
/// series colour, and numbers. Colours come from the palette. GUI thread only.
class PivotDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    static constexpr int kLevelWidth = 14; ///< pixels per tree level, and width of a triangle

    PivotDelegate(const GroupedTableModel& model, FrozenTreeView& view);

    /// Width required by the text of a row's key, including everything before it.
    [[nodiscard]] int keyWidth(const QModelIndex& index, const QFontMetrics& metrics) const;
    /// The triangle of a row in the cell of its key; empty for rows without children.
    [[nodiscard]] QRect triangleRect(const QModelIndex& index, const QRect& cell) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    void narrowTime(QStyleOptionViewItem& option, const QModelIndex& index) const;
    /// Paints a sparkline instead of text.
    void paintSeries(QPainter* painter, const QStyleOptionViewItem& option, const QList<qint64>& series) const;
    void paintKey(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintBranches(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintNote(QPainter& painter, const QStyleOptionViewItem& option, const QRect& room, const QString& note) const;
    void paintTriangle(QPainter* painter, const QRect& rect, bool isOpen) const;
    [[nodiscard]] int textLeft(const QModelIndex& index) const;
    /// The outermost levels for which the cell has no room: at least half of its width is for the text.
    [[nodiscard]] int levelsLeftOut(const QModelIndex& index) const;

    const GroupedTableModel& model_;
    const FrozenTreeView& view_;
};

} // namespace highwater::ui

#pragma once

#include <QTreeView>

namespace highwater::ui {

class PivotHeader;

/// A tree whose lines are all of one height, and whose first sections stay in place when the rest is scrolled sideways:
/// where lines and sections are. GUI thread only.
class FrozenTreeView : public QTreeView {
    Q_OBJECT
  public:
    /// `columns` becomes the header (setHeader) before there are rows.
    FrozenTreeView(PivotHeader* columns, QWidget* parent);

    [[nodiscard]] PivotHeader& columns() { return *columns_; }
    /// The number of the line at this height of the viewport, from 1.
    [[nodiscard]] int lineAt(int y) const;
    /// How many lines a row is below the top of the viewport, on screen or not (then less than 0, or many).
    [[nodiscard]] int lineOf(const QModelIndex& index) const;
    [[nodiscard]] bool isOnScreen(const QModelIndex& index) const;
    /// The row on top of the viewport, and all that are in it.
    [[nodiscard]] QModelIndex topRow() const;
    [[nodiscard]] QModelIndexList rowsOnScreen() const;
    /// Sections 0 to here (exclusive) stay in place; their cells lie over the scrolled ones, x from 0 to frozenWidth().
    [[nodiscard]] int frozenSections() const;
    [[nodiscard]] int frozenWidth() const;
    /// Where a section's left edge is in the viewport, frozen or scrolled; `section` may be the count.
    [[nodiscard]] int sectionLeft(int section) const;

    /// Lets the rows be laid out once, later, however many are expanded until then; or now.
    void layOutLater() { scheduleDelayedItemsLayout(); }
    void layOutNow() { executeDelayedItemsLayout(); }

    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles = {}) override;

  protected:
    void scrollContentsBy(int dx, int dy) override;

  private:
    PivotHeader* columns_;
};

} // namespace highwater::ui

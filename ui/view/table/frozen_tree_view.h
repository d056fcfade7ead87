#pragma once

#include <QTreeView>

namespace highwater::ui {

class PivotHeader;

/// A tree with lines of equal height whose first sections do not scroll horizontally. Maps positions to lines and
/// sections. GUI thread only.
class FrozenTreeView : public QTreeView {
    Q_OBJECT
  public:
    /// Sets `columns` as the header (setHeader) before there are rows.
    FrozenTreeView(PivotHeader* columns, QWidget* parent);

    [[nodiscard]] PivotHeader& columns() { return *columns_; }
    /// Number of the line at this viewport height, starting at 1.
    [[nodiscard]] int lineAt(int y) const;
    /// Distance of a row from the top of the viewport in lines, on screen or not (negative or large then).
    [[nodiscard]] int lineOf(const QModelIndex& index) const;
    [[nodiscard]] bool isOnScreen(const QModelIndex& index) const;
    /// The first row of the viewport with its ancestors.
    [[nodiscard]] QModelIndex topRow() const;
    [[nodiscard]] QModelIndexList rowsOnScreen() const;
    /// Sections before this one are frozen; their cells are above the scrolled ones, from x = 0 to frozenWidth().
    [[nodiscard]] int frozenSections() const;
    [[nodiscard]] int frozenWidth() const;
    /// Left edge of a section in the viewport, frozen or scrolled; `section` may equal the count.
    [[nodiscard]] int sectionLeft(int section) const;

    /// Delays the layout of rows, so that it runs once for any number of expanded rows; or runs it now.
    void layOutLater() { scheduleDelayedItemsLayout(); }
    void layOutNow() { executeDelayedItemsLayout(); }

    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;
    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight, const QList<int>& roles = {}) override;

  protected:
    void scrollContentsBy(int dx, int dy) override;
    /// Keeps the current row on screen if it was there before.
    void resizeEvent(QResizeEvent* event) override;

  private:
    PivotHeader* columns_;
};

} // namespace highwater::ui

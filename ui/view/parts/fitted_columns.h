#pragma once

#include <QObject>

#include <initializer_list>

class QTreeView;

namespace highwater::ui {

/// Widens columns with short texts and numbers to fit their contents while there is room. Columns never shrink, because
/// they would jump while a list grows. `leftOut` columns keep their width. GUI thread only.
void widenColumns(QTreeView& table, std::initializer_list<int> leftOut);

/// A column that is narrowed, to a few letters at least, so that those after it are visible up to `last`, until the
/// user resizes it. The table owns it. GUI thread only.
class FittedColumn : public QObject {
  public:
    FittedColumn(QTreeView& table, int column, int last);

    /// The width that it has if there is room.
    void setWanted(int width);
    /// Effective from the next fit() on.
    void setLast(int column) { last_ = column; }
    [[nodiscard]] int wanted() const { return wanted_; }
    void fit();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QTreeView& table_;
    int column_, last_;
    int wanted_;
    bool isFitting_ = false;
    bool isOfUser_ = false;
};

} // namespace highwater::ui

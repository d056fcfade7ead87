#pragma once

#include "core/analysis/columns/columns.h"

#include <QObject>

#include <optional>

class QTabWidget;

namespace highwater::ui {

class DropMark;
class TabCorner;

/// Accepts graphs dropped on the tab bar: a tab adds the graph, any other place, such as "+", opens a new tab. A frame
/// shows the target. GUI thread only.
class TabDrops : public QObject {
    Q_OBJECT
  public:
    /// `tabs` owns this object and the corner.
    TabDrops(QTabWidget& tabs, TabCorner& corner);

  signals:
    /// `tab`: its index; -1: a new one.
    void dropped(highwater::analysis::Table table, int tab);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    [[nodiscard]] int tabAt(const QObject* watched, QPoint position) const;
    void mark(int tab);

    QTabWidget& tabs_;
    TabCorner& corner_;
    DropMark* mark_;
};

} // namespace highwater::ui

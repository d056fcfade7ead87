#pragma once

#include <QObject>
#include <QRect>

#include <optional>

class QApplication;
class QWidget;

namespace highwater::ui {

/// A widget that paints its own hoverable parts.
class PointedParts {
  public:
    virtual ~PointedParts() = default;
    /// The part at this place, in coordinates of the widget that receives mouse events; empty: no part.
    [[nodiscard]] virtual QRect partAt(const QPoint& place) const = 0;
};

/// Keeps all tooltips off their subject: the cell, frame, row, tab or button under the pointer, also at screen edges.
/// Qt's own placement is made for small widgets. Watches application events; GUI thread only.
class TipKeeper : public QObject {
    Q_OBJECT
  public:
    explicit TipKeeper(QObject* parent) : QObject(parent) {}

    /// The part at this place of the widget, which its tooltip must not cover.
    [[nodiscard]] static QRect pointedAt(const QWidget& widget, const QPoint& place);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Asked {
        QRect rect; ///< in screen coordinates
        QPoint pointer;
    };
    void place(QWidget& tip);

    std::optional<Asked> asked_;
    bool isPlacing_ = false;
};

} // namespace highwater::ui

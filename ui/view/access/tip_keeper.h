#pragma once

#include <QObject>
#include <QRect>

#include <optional>

class QApplication;
class QWidget;

namespace highwater::ui {

/// A widget that paints what one may point at.
class PointedParts {
  public:
    virtual ~PointedParts() = default;
    /// Of what stands there, in coordinates of the widget that gets events of the mouse; nothing: no part.
    [[nodiscard]] virtual QRect partAt(const QPoint& place) const = 0;
};

/// Keeps tool tips of the whole program off what they tell about: the cell, frame, row, tab or button under the
/// pointer, also at the edges of the screen (Qt's own places are made for small widgets). Watches events of the
/// application; GUI thread only.
class TipKeeper : public QObject {
    Q_OBJECT
  public:
    explicit TipKeeper(QObject* parent) : QObject(parent) {}

    /// What stands at this place of the widget: what the tip there must not cover.
    [[nodiscard]] static QRect pointedAt(const QWidget& widget, const QPoint& place);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Asked {
        QRect rect; ///< on the whole screen
        QPoint pointer;
    };
    void place(QWidget& tip);

    std::optional<Asked> asked_;
    bool isPlacing_ = false;
};

} // namespace highwater::ui

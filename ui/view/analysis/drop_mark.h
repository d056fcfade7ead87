#pragma once

#include <QWidget>

namespace highwater::ui {

/// Shows the drop position: a frame around the target, or a line where the item would be placed. On top of all siblings
/// and transparent to the mouse. GUI thread only.
class DropMark : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kThickness = 3;

    /// Initially hidden.
    explicit DropMark(QWidget& parent);
    void showFrame(const QRect& around);
    /// Across `width`, centered at y and clipped to the parent.
    void showLine(int y, int width);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showAt(const QRect& place);

    bool isLine_ = false;
};

} // namespace highwater::ui

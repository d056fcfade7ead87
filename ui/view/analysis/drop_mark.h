#pragma once

#include <QWidget>

namespace highwater::ui {

/// Shows where what is dragged would land: a frame around what takes it, or a line where it would stand. Above all
/// else in its parent, and never in the way of the mouse. GUI thread only.
class DropMark : public QWidget {
    Q_OBJECT
  public:
    static constexpr int kThickness = 3;

    /// Hidden at first.
    explicit DropMark(QWidget& parent);
    void showFrame(const QRect& around);
    /// Across `width`, in the middle of y, as far as the parent reaches.
    void showLine(int y, int width);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showAt(const QRect& place);

    bool isLine_ = false;
};

} // namespace highwater::ui

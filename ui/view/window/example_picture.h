#pragma once

#include <QWidget>

namespace highwater::ui {

/// Purpose of the program at a glance: the example's graph as the window draws it, with the interval selected in which
/// memory grows and stays. Drawn in the theme's colours.
class ExamplePicture : public QWidget {
    Q_OBJECT
  public:
    explicit ExamplePicture(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF place(double seconds, double megabytes) const;
    void paintGrid(QPainter& painter) const;
    void paintSelection(QPainter& painter) const;
    void paintLines(QPainter& painter) const;
    void paintWords(QPainter& painter) const;
};

} // namespace highwater::ui

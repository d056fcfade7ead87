#pragma once

#include <QWidget>

namespace highwater::ui {

/// What the window is for, at a glance: the graph of the example as the window draws it, with the interval selected in
/// which memory is kept. Drawn in the colours of the theme.
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

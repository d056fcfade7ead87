#pragma once

#include "ui/view/access/spoken.h"
#include "ui/view/chart/chart_picture.h"
#include "ui/view/parts/picture_dialog.h"

#include <QWidget>

#include <memory>
#include <optional>

class QAction;

namespace highwater::ui {

class ChartCanvas;
class ElidedLabel;
class PlainLabel;

/// Shows a ChartPicture, with a legend and axes in readable units. The pointer, or the arrows, go from point to point,
/// whose numbers the line above says; Home and End go to the ends, Escape leaves. Enter chooses a point, and so does a
/// click on a bar, or a double click where there are lines. The context menu saves it as a picture. The page owns it.
/// GUI thread only.
class Chart : public QWidget, public Spoken {
    Q_OBJECT
  public:
    /// Both are for screen readers: its name, and which keys do what.
    Chart(const char* objectName, const QString& name, const QString& keys, QWidget* parent = nullptr);
    ~Chart() override;

    /// The point that is pointed at stays so where there still is one of that number.
    void setPicture(ChartPicture picture);
    [[nodiscard]] const ChartPicture& picture() const { return picture_; }

    /// The point whose numbers are told; nothing: none is pointed at.
    [[nodiscard]] std::optional<std::size_t> pointedAt() const { return pointed_; }
    /// What is told: of a point, else of all; of a chart without points why there are none.
    [[nodiscard]] QString words() const;
    [[nodiscard]] QString spokenValue() const override { return words(); }
    /// Where values are, in pixels of the widget: of a picture with points, in a build with charts.
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(std::size_t point) const;
    [[nodiscard]] double yOf(double value) const;

    /// Saves what it shows. Empty: done; else the sentence why not. Blocks for as long as the disk does.
    [[nodiscard]] QString save(const QString& file, PictureForm form);

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 100}; }
    [[nodiscard]] QSize sizeHint() const override { return {256, 170}; } // as wide as lists

  signals:
    void chosen(std::size_t point);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void draw();
    void layOut();
    void tell();

    void pointAt(std::optional<std::size_t> point);
    void choose();
    void askForPicture();
    [[nodiscard]] QString headline() const;
    void paintPicture(QPainter& painter);

    ChartPicture picture_;
    std::unique_ptr<ChartCanvas> canvas_;
    ElidedLabel* told_;
    PlainLabel* why_;
    QAction* save_;
    std::optional<std::size_t> pointed_;
    std::optional<std::size_t> pressed_; ///< the bar on which a click began
};

} // namespace highwater::ui

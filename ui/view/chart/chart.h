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

/// Shows a ChartPicture with a legend and axes in readable units. The pointer or the arrow keys select a point, whose
/// numbers are shown above; Home and End select the ends, Escape clears. Enter, a click on a bar or band, or a double
/// click on lines chooses a point; Enter or a double click also opens it. The context menu saves the chart as a
/// picture. The page owns it. GUI thread only.
class Chart : public QWidget, public Spoken {
    Q_OBJECT
  public:
    /// Both texts are for screen readers: the name and the available keys.
    Chart(const char* objectName, const QString& name, const QString& keys, QWidget* parent = nullptr);
    ~Chart() override;

    /// Keeps the selected point if it still exists.
    void setPicture(ChartPicture picture);
    [[nodiscard]] const ChartPicture& picture() const { return picture_; }

    /// The point whose numbers are shown; nothing: none.
    [[nodiscard]] std::optional<std::size_t> pointedAt() const { return pointed_; }
    /// The text shown: for a point, otherwise for the whole chart; without points, the reason.
    [[nodiscard]] QString words() const;
    /// The text above the chart: words(), or a shorter text that fits.
    [[nodiscard]] QString shownWords() const;
    [[nodiscard]] QString spokenValue() const override { return words(); }
    /// Plot area in pixels of the widget; requires a picture with points and a build with charts.
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(std::size_t point) const;
    [[nodiscard]] double yOf(double value) const;

    /// Saves the chart. Returns an error sentence, or an empty text. Blocks during disk access.
    [[nodiscard]] QString save(const QString& file, PictureForm form);

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 100}; }
    [[nodiscard]] QSize sizeHint() const override { return {256, 170}; } // width of lists

  signals:
    void chosen(std::size_t point);
    /// After chosen().
    void opened(std::size_t point);

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
    void open();
    void askForPicture();
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString withTitle(const QString& text) const;
    /// Pixels for the text above the chart.
    [[nodiscard]] int headRoom() const;
    [[nodiscard]] QSize pictureSize() const;
    void paintPicture(QPainter& painter);

    ChartPicture picture_;
    std::unique_ptr<ChartCanvas> canvas_;
    ElidedLabel* told_;
    PlainLabel* why_;
    QAction* save_;
    std::optional<std::size_t> pointed_;
    std::optional<std::size_t> pressed_; ///< the bar on which a click started
};

} // namespace highwater::ui

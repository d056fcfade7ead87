#pragma once

#include "app/tools/addresses/page/address_map_finder.h"
#include "ui/state/analysis_state.h"
#include "ui/view/access/spoken.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Draws the addresses of a process from bottom to top, without gaps, over time from left to right. The wheel zooms at
/// the pointer in both directions (with Ctrl only addresses, with Shift only time); dragging zooms into a rectangle;
/// arrow keys pan, + and - zoom, Backspace returns to the previous addresses, Home shows all, Space toggles a filter.
/// Shows the last picture at its position until the next one arrives. GUI thread only.
class AddressMapCanvas : public QWidget, public Spoken {
    Q_OBJECT
  public:
    explicit AddressMapCanvas(QWidget* parent = nullptr);

    /// Null: none.
    void setAnswer(std::shared_ptr<const AddressMapAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const AddressMapAnswer>& answer() const { return answer_; }
    /// The visible time range.
    void setInterval(TimeRange interval);
    /// Shows all addresses and clears the history.
    void forget();
    /// Empty: all addresses.
    [[nodiscard]] const std::optional<AddressWindow>& window() const { return window_; }
    /// A line at the address that was searched for. Empty: no line.
    void setHighlight(std::optional<Address> address);
    /// The picture without the axes.
    [[nodiscard]] QRect plot() const;
    /// Visible positions in the layout of the answer.
    [[nodiscard]] std::pair<double, double> shownPositions() const;
    /// The address and time at a point; empty outside the picture.
    struct Place {
        Address address = 0;
        TraceTime time;
        friend bool operator==(const Place&, const Place&) = default;
    };
    [[nodiscard]] std::optional<Place> placeAt(QPoint point) const;
    /// The point of an address and time; empty if not visible.
    [[nodiscard]] std::optional<int> yOf(Address address) const;
    [[nodiscard]] static AddressMapColors colorsOf(const QPalette& palette);

    /// The visible addresses.
    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override { return {600, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 80}; }

  signals:
    /// window() or the size of plot() has changed.
    void pictureWanted();
    void zoomWanted(highwater::TimeRange time, highwater::ui::ZoomStep step);
    void panWanted(qint64 ns);
    void allWanted();
    /// Empty: the pointer has left.
    void pointedAt(std::optional<highwater::ui::AddressMapCanvas::Place> place);
    void clicked(const highwater::ui::AddressMapCanvas::Place& place);
    void doubleClicked(const highwater::ui::AddressMapCanvas::Place& place);
    /// Space: filter to the block that was clicked, or remove the filter.
    void toggled();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] double yOfPosition(double position) const;
    [[nodiscard]] double positionAt(double y) const;
    [[nodiscard]] TraceTime timeAt(double x) const;
    [[nodiscard]] QRectF rectOf(const analysis::AddressMap::Row& row) const;
    void showPositions(double first, double last, bool isStep);
    void zoomAddresses(double factor, double y);
    void zoomTime(double factor, double x, ZoomStep step);
    bool handleKey(int key);
    void zoomToDragged();
    void paintPicture(QPainter& painter) const;
    void paintRows(QPainter& painter) const;
    void paintAddresses(QPainter& painter) const;
    [[nodiscard]] std::vector<double> evenPositions() const;
    void paintTimes(QPainter& painter) const;

    std::shared_ptr<const AddressMapAnswer> answer_;
    TimeRange interval_;
    std::optional<AddressWindow> window_;
    std::vector<std::optional<AddressWindow>> before_;
    std::optional<Address> highlight_;
    std::optional<QPoint> pressed_;
    QRect dragged_;
};

} // namespace highwater::ui

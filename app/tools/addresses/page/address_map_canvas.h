#pragma once

#include "app/tools/addresses/page/address_map_finder.h"
#include "ui/state/analysis_state.h"
#include "ui/view/access/spoken.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Addresses of a process from bottom to top, without the gaps between them, and time from left to right. The wheel
/// zooms at the pointer both ways (with Ctrl addresses only, with Shift time only), a drag into what was dragged over;
/// arrows move, + and - zoom, Backspace goes back to the addresses before, Home shows all. Shows the last picture where
/// it belongs until the next one is there. GUI thread only.
class AddressMapCanvas : public QWidget, public Spoken {
    Q_OBJECT
  public:
    explicit AddressMapCanvas(QWidget* parent = nullptr);

    /// Null: there is none.
    void setAnswer(std::shared_ptr<const AddressMapAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const AddressMapAnswer>& answer() const { return answer_; }
    /// The time that is shown.
    void setInterval(TimeRange interval);
    /// All addresses, and nothing to go back to.
    void forget();
    /// None: all addresses.
    [[nodiscard]] const std::optional<AddressWindow>& window() const { return window_; }
    /// The line of an address that was looked for. None: there is none.
    void setHighlight(std::optional<Address> address);
    /// What is drawn, without the axes.
    [[nodiscard]] QRect plot() const;
    /// Positions that are shown, of the answer's layout.
    [[nodiscard]] std::pair<double, double> shownPositions() const;
    /// What is there; none: outside, or in no picture.
    struct Place {
        Address address = 0;
        TraceTime time;
        friend bool operator==(const Place&, const Place&) = default;
    };
    [[nodiscard]] std::optional<Place> placeAt(QPoint point) const;
    /// Where it is drawn; none: out of sight.
    [[nodiscard]] std::optional<int> yOf(Address address) const;
    [[nodiscard]] static AddressMapColors colorsOf(const QPalette& palette);

    /// The addresses that are shown.
    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override { return {600, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 80}; }

  signals:
    /// window(), or the size of plot(), is another one.
    void pictureWanted();
    void zoomWanted(highwater::TimeRange time, highwater::ui::ZoomStep step);
    void panWanted(qint64 ns);
    void allWanted();
    /// None: the pointer has left.
    void pointedAt(std::optional<highwater::ui::AddressMapCanvas::Place> place);
    void clicked(const highwater::ui::AddressMapCanvas::Place& place);
    void doubleClicked(const highwater::ui::AddressMapCanvas::Place& place);

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

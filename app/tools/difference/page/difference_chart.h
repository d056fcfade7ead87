#pragma once

#include "core/analysis/difference/difference.h"
#include "ui/view/access/spoken.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>

namespace highwater::ui {

/// Outstanding bytes on both sides over the time since their intervals began: before as a dashed line, after as a thick
/// one, red between them where it is more and blue where it is less. The pointer, or the arrows, go from slice to
/// slice, whose numbers the line above tells; Home and End go to the ends, Escape leaves. GUI thread only.
class DifferenceChart : public QWidget, public Spoken {
    Q_OBJECT
  public:
    explicit DifferenceChart(QWidget* parent = nullptr);

    /// Null: there is none (yet).
    void setTimeline(std::shared_ptr<const analysis::DifferenceTimeline> timeline);
    [[nodiscard]] const std::shared_ptr<const analysis::DifferenceTimeline>& timeline() const { return timeline_; }
    /// What the sides are called, and what of them is drawn.
    void setNames(const QString& before, const QString& after);
    void setSubject(const QString& subject);

    /// The slice whose numbers are told; nothing: none is pointed at.
    [[nodiscard]] std::optional<std::size_t> slice() const { return slice_; }
    /// What is told: of a slice, else of the end.
    [[nodiscard]] QString words() const;
    [[nodiscard]] QString spokenValue() const override { return words(); }
    /// Where the plot is, and the middle of a slice in it.
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(std::size_t slice) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 90}; }
    [[nodiscard]] QSize sizeHint() const override { return {600, 130}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    [[nodiscard]] bool isEmpty() const { return !timeline_ || timeline_->edges.size() < 2; }
    [[nodiscard]] std::size_t slices() const { return isEmpty() ? 0 : timeline_->edges.size() - 1; }
    [[nodiscard]] double xOfTime(std::int64_t ns) const;
    [[nodiscard]] double yOf(std::int64_t bytes) const;
    void pointAt(std::optional<std::size_t> slice);
    void paintLegend(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintBetween(QPainter& painter) const;
    void paintLine(QPainter& painter, const std::vector<std::int64_t>& line, const QPen& pen) const;
    void paintCursor(QPainter& painter) const;
    [[nodiscard]] QPen penOfBefore() const;
    [[nodiscard]] QPen penOfAfter() const;

    std::shared_ptr<const analysis::DifferenceTimeline> timeline_;
    QString before_;
    QString after_;
    QString subject_;
    std::optional<std::size_t> slice_;
    std::int64_t highest_ = 0; ///< what the axis reaches to
};

} // namespace highwater::ui

#pragma once

#include "ui/state/timeline_answer.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QColor>
#include <QPalette>
#include <QPointF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace highwater::ui {

/// A bar for each allocation, from its start to its free, the oldest at the top; a bar without a free extends to the
/// right edge. Pure computation and painting, GUI thread only.
class LifetimeBars {
  public:
    /// `colors` has one entry per series of the answer; invalid: hidden. An answer without lifetimes has no bars.
    void setAnswer(std::shared_ptr<const TimelineAnswer> answer, std::vector<QColor> colors);
    /// Sets their current position.
    void place(const TimelineCoordinates& at) { at_ = at; }
    void paint(QPainter& painter, const QPalette& palette) const;
    /// Why there are no bars: too many allocations, or none. Null: there are bars.
    [[nodiscard]] QString refusal() const;

    /// The bar at this position, if any.
    [[nodiscard]] std::optional<std::size_t> at(QPointF position) const;
    [[nodiscard]] const analysis::Lifetime& lifetime(std::size_t bar) const { return lifetimes().at(bar); }
    [[nodiscard]] std::size_t count() const { return lifetimes().size(); }
    /// Empty if the bar is not visible.
    [[nodiscard]] QRectF boxOf(std::size_t bar) const;
    [[nodiscard]] QColor colorOf(std::size_t bar) const;

  private:
    [[nodiscard]] const std::vector<analysis::Lifetime>& lifetimes() const;
    [[nodiscard]] double pitch() const;

    std::shared_ptr<const TimelineAnswer> answer_;
    std::vector<QColor> colors_;
    TimelineCoordinates at_;
};

} // namespace highwater::ui

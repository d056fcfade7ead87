#pragma once

#include "core/store/published/published_trace.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QPalette>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace highwater::ui {

/// The parts of a graph's time that are not as they look: where events were lost, hatched, and where the recorder wrote
/// down what was there (a rundown), grey. However many there are, a pixel is painted once. GUI thread only.
class TimelineZones {
  public:
    /// From pixel to pixel of the view.
    struct Band {
        double left = 0;
        double right = 0;
    };
    static constexpr double kNarrowest = 3; ///< pixels: one instant can be seen, too

    /// Null: no trace.
    void setTrace(const store::PublishedTrace* trace);
    /// Where they stand now.
    void place(const TimelineCoordinates& at);
    void paint(QPainter& painter, const QPalette& palette) const;
    /// For drawings, which have no patterns.
    void paintPlain(QPainter& painter, const QPalette& palette) const { paintBands(painter, palette, kPlainAlpha); }
    /// What is not as it looks there, a line each; empty: nothing.
    [[nodiscard]] QString wordsAt(double x) const;

    /// Of losses; they do not overlap, and stand from left to right.
    [[nodiscard]] const std::vector<Band>& lost() const { return lost_; }
    [[nodiscard]] const std::vector<Band>& rundowns() const { return rundowns_; }
    [[nodiscard]] static QColor lostColor();

  private:
    static constexpr int kTintAlpha = 45, kPlainAlpha = 90;
    void paintBands(QPainter& painter, const QPalette& palette, int lostAlpha) const;
    [[nodiscard]] std::optional<Band> bandOf(TimeRange span, double narrowest) const;
    [[nodiscard]] QRectF boxOf(const Band& band) const {
        return {band.left, at_.plot.top(), band.right - band.left, at_.plot.height()};
    }

    std::vector<LostZone> losses_;
    store::RundownZones rundown_;
    TimelineCoordinates at_;
    std::vector<Band> lost_;
    std::vector<Band> rundowns_;
};

} // namespace highwater::ui

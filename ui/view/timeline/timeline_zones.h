#pragma once

#include "core/store/published/published_trace.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QPalette>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace highwater::ui {

/// Intervals in which a graph may be misleading: event losses are hatched, and rundowns, in which the recorder listed
/// the existing state, are grey. Each pixel is painted only once, however many there are. GUI thread only.
class TimelineZones {
  public:
    /// A range of pixels in the view.
    struct Band {
        double left = 0;
        double right = 0;
    };
    static constexpr double kNarrowest = 3; ///< pixels, so that a single instant is visible

    /// Null: no trace.
    void setTrace(const store::PublishedTrace* trace);
    /// Sets their current position.
    void place(const TimelineCoordinates& at);
    void paint(QPainter& painter, const QPalette& palette) const;
    /// For drawings, which do not support patterns.
    void paintPlain(QPainter& painter, const QPalette& palette) const { paintBands(painter, palette, kPlainAlpha); }
    /// Explanations for this position, one line each; empty: none.
    [[nodiscard]] QString wordsAt(double x) const;

    /// Bands of losses, without overlaps, from left to right.
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

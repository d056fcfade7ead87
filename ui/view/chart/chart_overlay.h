#pragma once

#include "ui/view/chart/chart_picture.h"

#include <QPen>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;
class QWidget;

namespace highwater::ui {

inline constexpr int kChartMargin = 6; ///< pixels at the edges of a chart
inline constexpr int kHeadHeight = 10; ///< beside the height of letters: of the line with the legend
inline constexpr double kDot = 3.5;    ///< half of the width of a point

/// In a chart that is this narrow, legend and what is told have the line above the plot in turn.
[[nodiscard]] bool isNarrow(const QWidget& widget);

/// What is painted over a chart, and its colours: the legend, which Qt Charts gives more room than a low chart has;
/// marks with their names; the point that is pointed at. Made for each painting: picture and widget outlive it. GUI
/// thread only.
class ChartOverlay {
  public:
    /// `plot`: where values are in the widget, whose font and palette are taken.
    ChartOverlay(const ChartPicture& picture, const QRectF& plot, const QWidget& widget)
        : picture_(picture), plot_(plot), widget_(widget) {}

    void paint(QPainter& painter, std::optional<std::size_t> pointed) const;
    /// How far the legend reaches from the left.
    [[nodiscard]] int legendWidth() const;
    [[nodiscard]] QColor color(ChartColor role) const;
    [[nodiscard]] QColor textColor() const;
    /// Of a line; of what has an area its colour, as wide as the legend shows it.
    [[nodiscard]] QPen penOf(const ChartSeries& series) const;

  private:
    /// A swatch and a name, which is shortened.
    struct LegendEntry {
        QString name;
        QPen swatch;
    };

    [[nodiscard]] std::vector<LegendEntry> legend() const;
    /// How far these reach from the left.
    [[nodiscard]] int widthOf(const std::vector<LegendEntry>& entries) const;
    void paintLegend(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    /// Of the points from `from` up to `to`.
    void paintDots(QPainter& painter, std::size_t from, std::size_t to, double radius) const;
    void paintPointed(QPainter& painter, std::size_t pointed) const;
    [[nodiscard]] double xOf(std::size_t point) const;

    const ChartPicture& picture_;
    QRectF plot_;
    const QWidget& widget_;
};

} // namespace highwater::ui

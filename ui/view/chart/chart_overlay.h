#pragma once

#include "ui/view/chart/chart_picture.h"

#include <QPen>
#include <QRect>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;
class QWidget;

namespace highwater::ui {

inline constexpr int kChartMargin = 6; ///< pixels at the edges of a chart
inline constexpr int kHeadHeight = 10; ///< added to the text height: of the line with the legend
inline constexpr double kDot = 3.5;    ///< radius of a point

/// Whether the chart is so narrow that legend and text share the line above the plot.
[[nodiscard]] bool isNarrow(const QWidget& widget);

/// Painted over a chart: the legend, for which Qt Charts needs too much room; marks with their names; the selected
/// point. Also defines colours. Created for each painting; picture and widget outlive it. GUI thread only.
class ChartOverlay {
  public:
    /// `plot`: plot area in the widget, whose font and palette are used.
    ChartOverlay(const ChartPicture& picture, const QRectF& plot, const QWidget& widget)
        : picture_(picture), plot_(plot), widget_(widget) {}

    void paint(QPainter& painter, std::optional<std::size_t> pointed) const;
    /// Legend of a saved picture, in lines below the chart: its height for this width, and painted at a place.
    [[nodiscard]] int savedLegendHeight(int width) const;
    void paintSavedLegend(QPainter& painter, const QRect& place) const;
    /// Right edge of the legend.
    [[nodiscard]] int legendWidth() const;
    [[nodiscard]] QColor color(ChartColor role) const;
    [[nodiscard]] QColor textColor() const;
    [[nodiscard]] QColor color(const ChartSeries& series) const;
    /// Pen of a line; for areas their colour, as wide as in the legend.
    [[nodiscard]] QPen penOf(const ChartSeries& series) const;

  private:
    /// A swatch with an elided name.
    struct LegendEntry {
        QString name;
        QPen swatch;
    };

    [[nodiscard]] std::vector<LegendEntry> legend() const;
    /// Width of these entries.
    [[nodiscard]] int widthOf(const std::vector<LegendEntry>& entries) const;
    void paintLegend(QPainter& painter) const;
    void paintEntry(QPainter& painter, const QPoint& place, const LegendEntry& entry) const;
    [[nodiscard]] int lineHeight() const;
    /// Calls visit(left, line, entry) for each entry, in lines of this width. Returns the number of lines.
    template <typename Visit>
    int eachSavedEntry(int width, Visit visit) const;
    void paintMarks(QPainter& painter) const;
    /// For points `from` up to but not including `to`.
    void paintDots(QPainter& painter, std::size_t from, std::size_t to, double radius) const;
    void paintPointed(QPainter& painter, std::size_t pointed) const;
    void paintColumn(QPainter& painter, std::size_t point, const QPen& pen) const;
    [[nodiscard]] double xOf(std::size_t point) const;

    const ChartPicture& picture_;
    QRectF plot_;
    const QWidget& widget_;
};

} // namespace highwater::ui

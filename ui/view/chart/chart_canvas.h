#pragma once

#include "ui/view/chart/chart_picture.h"

#include <QRectF>

#include <memory>
#include <optional>

class QPainter;
class QWidget;

namespace highwater::ui {

/// Paints the charts of Chart, which owns it and handles keyboard and mouse. Each build has one definition of
/// makeChartCanvas(): with Qt Charts (cmake/charts.cmake), or without, where the widget shows that charts are missing.
/// GUI thread only.
class ChartCanvas {
  public:
    virtual ~ChartCanvas() = default;
    /// The widget also has a parent, before which the canvas is deleted.
    [[nodiscard]] virtual QWidget& widget() = 0;
    /// For a picture with points. Uses the colours of the widget's palette.
    virtual void draw(const ChartPicture& picture) = 0;
    virtual void setPointed(std::optional<std::size_t> point) = 0;
    /// Plot area in the widget; empty: this build does not paint charts.
    [[nodiscard]] virtual QRectF plot() const = 0;
    /// Right edge of the legend, which is in a line above everything else.
    [[nodiscard]] virtual int legendWidth() const = 0;
    /// Paints the widget without the selected point.
    virtual void paintPicture(QPainter& painter) = 0;
};

[[nodiscard]] std::unique_ptr<ChartCanvas> makeChartCanvas(QWidget& parent);

} // namespace highwater::ui

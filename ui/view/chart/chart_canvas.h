#pragma once

#include "ui/view/chart/chart_picture.h"

#include <QRectF>

#include <memory>
#include <optional>

class QPainter;
class QWidget;

namespace highwater::ui {

/// Paints charts for Chart, which owns it and takes its keys and its mouse. The build has one definition of
/// makeChartCanvas(): with Qt Charts (cmake/charts.cmake), or without, where the widget only says so. GUI thread only.
class ChartCanvas {
  public:
    virtual ~ChartCanvas() = default;
    /// Its parent owns it, too: a canvas is deleted before that.
    [[nodiscard]] virtual QWidget& widget() = 0;
    /// Of a picture with points. The colours are those of the widget's palette.
    virtual void draw(const ChartPicture& picture) = 0;
    virtual void setPointed(std::optional<std::size_t> point) = 0;
    /// Where values are painted, in the widget; empty: this build paints none.
    [[nodiscard]] virtual QRectF plot() const = 0;
    /// How far the legend reaches from the left, in a line above all else.
    [[nodiscard]] virtual int legendWidth() const = 0;
    /// What the widget shows, without what is pointed at.
    virtual void paintPicture(QPainter& painter) = 0;
};

[[nodiscard]] std::unique_ptr<ChartCanvas> makeChartCanvas(QWidget& parent);

} // namespace highwater::ui

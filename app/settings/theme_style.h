#pragma once

#include <QProxyStyle>
#include <QStyleOption>

namespace highwater::app {

/// Fusion, with boxes and circles to tick that can be seen where windows are dark: their outline is made from the
/// colour of the window, and darker than that; on black what can be used has a frame. Arrows of sorted columns point up
/// where values rise, distances stand on the grid, and icons are the program's own.
class ThemeStyle : public QProxyStyle {
    Q_OBJECT
  public:
    ThemeStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    /// Drawn with lines, as all others: those of docks, dialogs, message boxes and fields.
    [[nodiscard]] QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option = nullptr,
                                     const QWidget* widget = nullptr) const override;
    [[nodiscard]] QPixmap standardPixmap(StandardPixmap pixmap, const QStyleOption* option = nullptr,
                                         const QWidget* widget = nullptr) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                                  const QWidget* widget = nullptr) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                                QStyleHintReturn* answer = nullptr) const override;

  private:
    void drawSortArrow(const QStyleOptionHeader& header, QPainter* painter, const QWidget* widget) const;
};

} // namespace highwater::app

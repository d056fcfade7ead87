#pragma once

#include <QProxyStyle>
#include <QStyleOption>

namespace highwater::app {

/// Fusion with these changes: outlines of check boxes and radio buttons are visible on dark windows, where Fusion makes
/// them darker than the window; enabled controls have a frame on black; sort arrows point up for ascending order;
/// spacing follows the grid; icons are the program's own.
class ThemeStyle : public QProxyStyle {
    Q_OBJECT
  public:
    ThemeStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    /// Line icons for docks, dialogs, message boxes and fields.
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

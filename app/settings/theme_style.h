#pragma once

#include <QProxyStyle>
#include <QStyleOption>

namespace highwater::app {

/// Fusion, with boxes and circles to tick that can be seen where windows are dark: their outline is made from the
/// colour of the window, and darker than that. Arrows of sorted columns point up where values rise.
class ThemeStyle : public QProxyStyle {
    Q_OBJECT
  public:
    ThemeStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    /// The buttons of docks are drawn with lines, as all others.
    [[nodiscard]] QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option = nullptr,
                                     const QWidget* widget = nullptr) const override;

  private:
    void drawSortArrow(const QStyleOptionHeader& header, QPainter* painter, const QWidget* widget) const;
};

} // namespace highwater::app

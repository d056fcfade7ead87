#pragma once

#include <QProxyStyle>

namespace highwater::app {

/// Fusion, with boxes and circles to tick that can be seen where windows are dark: their outline is made from the
/// colour of the window, and darker than that.
class ThemeStyle : public QProxyStyle {
    Q_OBJECT
  public:
    ThemeStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
};

} // namespace highwater::app

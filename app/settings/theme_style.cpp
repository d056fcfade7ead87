#include "app/settings/theme_style.h"

#include "app/settings/theme_icons.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/line_icons.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace highwater::app {
namespace {

constexpr int kSmallIcon = 16;

/// Frames enabled controls, which otherwise have no visible border on black.
bool needsFrame(QStyle::PrimitiveElement element, const QStyleOption& option) {
    if (ui::groundOf(option.palette) != ui::Ground::HighContrast) return false;
    switch (element) {
    case QStyle::PE_PanelButtonTool:
        return bool(option.state & (QStyle::State_On | QStyle::State_Sunken | QStyle::State_Raised));
    case QStyle::PE_PanelButtonCommand:
    case QStyle::PE_FrameLineEdit:
    case QStyle::PE_FrameMenu:
    case QStyle::PE_PanelTipLabel:
        return true;
    default:
        return false;
    }
}

void drawFrame(QPainter& painter, const QStyleOption& option) {
    painter.save();
    painter.setPen(option.palette.color(QPalette::WindowText));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter.restore();
}

} // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStringLiteral("fusion")) {}

/// Ascending order points up, as in the pivot tables. Fusion does the opposite.
void ThemeStyle::drawSortArrow(const QStyleOptionHeader& header, QPainter* painter, const QWidget* widget) const {
    auto turned = header;
    const bool isUp = header.sortIndicator == QStyleOptionHeader::SortUp;
    if (header.sortIndicator != QStyleOptionHeader::None)
        turned.sortIndicator = isUp ? QStyleOptionHeader::SortDown : QStyleOptionHeader::SortUp;
    QProxyStyle::drawPrimitive(PE_IndicatorHeaderArrow, &turned, painter, widget);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        header && element == PE_IndicatorHeaderArrow)
        return drawSortArrow(*header, painter, widget);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool isTick = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (isTick && button && ui::groundOf(button->palette) != ui::Ground::Light) {
        auto lighter = *button;
        lighter.palette.setColor(QPalette::Window, QColor::fromRgb(ui::themeColors(button->palette).outlineSource));
        return QProxyStyle::drawPrimitive(element, &lighter, painter, widget);
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (option && needsFrame(element, *option)) drawFrame(*painter, *option);
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox && option && ui::groundOf(option->palette) == ui::Ground::HighContrast)
        drawFrame(*painter, *option);
}

QIcon ThemeStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const {
    if (const auto icon = lineIconOf(pixmap)) return ui::lineIcon(*icon);
    return QProxyStyle::standardIcon(pixmap, option, widget);
}

QPixmap ThemeStyle::standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const {
    if (const auto icon = lineIconOf(pixmap)) return ui::lineIcon(*icon).pixmap(kSmallIcon, kSmallIcon);
    return QProxyStyle::standardPixmap(pixmap, option, widget);
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 2 * ui::kGrid;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

/// Dialog buttons have text; Fusion's icons next to it would not match.
int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* answer) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, answer);
}

} // namespace highwater::app

#include "moc_theme_style.cpp"

#include "app/settings/theme_style.h"

#include "ui/view/parts/line_icons.h"

#include <QStyleFactory>
#include <QStyleOption>

namespace highwater::app {
namespace {

constexpr int kDarkWindow = 128; ///< of 255
/// What outlines are made from instead: drawn darker, it is the grey of words that stand back.
constexpr QRgb kOutlineSource = 0xFFC4C4C4;

} // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStringLiteral("fusion")) {}

/// As in the pivot tables: rising is what points up. Fusion has it the other way round.
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
    if (!isTick || !button || button->palette.color(QPalette::Window).lightness() >= kDarkWindow)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    auto lighter = *button;
    lighter.palette.setColor(QPalette::Window, QColor::fromRgb(kOutlineSource));
    QProxyStyle::drawPrimitive(element, &lighter, painter, widget);
}

QIcon ThemeStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const {
    if (pixmap == SP_TitleBarCloseButton) return ui::lineIcon(ui::LineIcon::Close);
    if (pixmap == SP_TitleBarNormalButton) return ui::lineIcon(ui::LineIcon::Float);
    return QProxyStyle::standardIcon(pixmap, option, widget);
}

} // namespace highwater::app

#include "app/tools/addresses/page/address_map_legend.h"

#include "app/tools/addresses/page/address_map_canvas.h"

#include <QPainter>

namespace highwater::ui {
namespace {

constexpr int kSwatch = 12, kNearby = 4, kApart = 12;

} // namespace

AddressMapLegend::AddressMapLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("addressMapLegend"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setAccessibleName(tr("Light: committed; grey: freed blocks; coloured: kept blocks"));
    setToolTip(tr("Committed pages; freed blocks; blocks kept until the end of the interval"));
}

QStringList AddressMapLegend::names() { return {tr("committed"), tr("freed"), tr("kept")}; }

QSize AddressMapLegend::sizeHint() const {
    int width = 0;
    for (const auto& name : names())
        width += kSwatch + kNearby + fontMetrics().horizontalAdvance(name) + kApart;
    return {width, fontMetrics().height() + 4};
}

void AddressMapLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const auto colors = AddressMapCanvas::colorsOf(palette());
    const QColor each[] = {colors.committed, colors.freed, colors.kept};
    int left = 0;
    for (qsizetype i = 0; i < names().size(); ++i) {
        const auto name = names()[i];
        const QRect swatch(left, (height() - kSwatch) / 2, kSwatch, kSwatch);
        painter.fillRect(swatch, palette().color(QPalette::Base));
        painter.fillRect(swatch, each[i]);
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(palette().color(QPalette::WindowText));
        const int width = fontMetrics().horizontalAdvance(name);
        painter.drawText(QRect(left + kSwatch + kNearby, 0, width, height()), Qt::AlignVCenter, name);
        left += kSwatch + kNearby + width + kApart;
    }
}

} // namespace highwater::ui

#include "moc_address_map_legend.cpp"

#include "ui/view/window/example_picture.h"

#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"

#include <QPainter>
#include <QPainterPath>

#include <array>
#include <utility>

namespace highwater::ui {
namespace {

constexpr double kWhole = 34, kHighest = 35;     ///< s, MB
constexpr double kStepFrom = 16, kStepTill = 18; ///< the selection
constexpr double kStep = 17, kBefore = 11, kAfter = 21, kSpike = 10, kSpikeLength = 0.2;
constexpr std::array kSpikes{3.5, 6.5, 9.6, 12.6, 15.6, 18.6, 21.6, 24.6, 27.6, 30.6};
constexpr int kSelectionAlpha = 60;
constexpr int kSmallPercent = 90;

} // namespace

ExamplePicture::ExamplePicture(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("examplePicture"));
    setAccessibleName(tr("Example graph"));
    setAccessibleDescription(
        tr("Ten spikes rise and fall. In the selected interval, memory grows by 10 MB and stays there."));
    setToolTip(tooltipText(accessibleDescription()));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto small = font();
    small.setPointSizeF(small.pointSizeF() * kSmallPercent / 100);
    setFont(small);
}

QSize ExamplePicture::sizeHint() const { return {fontMetrics().height() * 26, fontMetrics().height() * 10}; }

QSize ExamplePicture::minimumSizeHint() const { return {fontMetrics().height() * 14, fontMetrics().height() * 10}; }

QRectF ExamplePicture::plot() const {
    const auto left = fontMetrics().horizontalAdvance(QStringLiteral("30 MB")) + 2 * kGrid;
    return QRectF(rect()).adjusted(left, 2 * kGrid, -2 * kGrid, -fontMetrics().height() - kGrid);
}

QPointF ExamplePicture::place(double seconds, double megabytes) const {
    const auto box = plot();
    return {box.left() + seconds / kWhole * box.width(), box.bottom() - megabytes / kHighest * box.height()};
}

void ExamplePicture::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    paintGrid(painter);
    paintSelection(painter);
    paintLines(painter);
    paintWords(painter);
    painter.setPen(palette().color(QPalette::Midlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void ExamplePicture::paintGrid(QPainter& painter) const {
    const auto height = fontMetrics().height();
    for (const int megabytes : {0, 10, 20, 30}) {
        const auto y = place(0, megabytes).y();
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(plot().left(), y), QPointF(plot().right(), y));
        painter.setPen(palette().color(QPalette::Text));
        if (megabytes == 0) continue; // the time axis has its label there
        painter.drawText(QRectF(0, y - height / 2.0, plot().left() - kGrid, height), Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("%1 MB").arg(megabytes));
    }
    for (const int seconds : {0, 10, 20, 30}) {
        const auto x = place(seconds, 0).x();
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(x - 50, plot().bottom() + 1, 100, height), Qt::AlignHCenter | Qt::AlignTop,
                         QStringLiteral("%1 s").arg(seconds));
    }
}

void ExamplePicture::paintSelection(QPainter& painter) const {
    auto accent = palette().color(QPalette::Highlight);
    painter.setPen(accent);
    accent.setAlpha(kSelectionAlpha);
    painter.setBrush(accent);
    painter.drawRect(QRectF(place(kStepFrom, kHighest), place(kStepTill, 0)));
    painter.setBrush(Qt::NoBrush);
}

/// Draws steps like the data.
void ExamplePicture::paintLines(QPainter& painter) const {
    const auto& series = themeColors(palette()).series;
    QPainterPath program(place(0, 0));
    double amount = 0;
    const auto stepTo = [&](double seconds, double next) {
        program.lineTo(place(seconds, amount));
        program.lineTo(place(seconds, amount = next));
    };
    stepTo(2, kBefore);
    double base = kBefore;
    for (const auto spike : kSpikes) {
        if (spike > kStep && base < kAfter) stepTo(kStep, base = kAfter);
        stepTo(spike, base + kSpike);
        stepTo(spike + kSpikeLength, base);
    }
    stepTo(32, 0);
    stepTo(kWhole, 0);
    QPainterPath other(place(0, 0));
    for (int i = 1; i <= 15; ++i) {
        other.lineTo(place(1.0 + i, i - 1.0));
        other.lineTo(place(1.0 + i, i));
    }
    other.lineTo(place(33, 15));
    other.lineTo(place(33, 0));
    painter.setPen(QPen(QColor::fromRgb(series[1]), 1.3));
    painter.drawPath(other);
    painter.setPen(QPen(QColor::fromRgb(series[0]), 1.3));
    painter.drawPath(program);
}

/// Like the box next to the pointer.
void ExamplePicture::paintWords(QPainter& painter) const {
    const auto words = tr("+10 MB: from where?");
    const auto size = QSizeF(fontMetrics().horizontalAdvance(words) + 2 * kGrid, fontMetrics().height() + kGrid);
    const QRectF box(place(kStepFrom, kHighest) - QPointF(size.width() + kGrid, -kGrid), size);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 2, 2);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box, Qt::AlignCenter, words);
}

} // namespace highwater::ui

#include "moc_example_picture.cpp"

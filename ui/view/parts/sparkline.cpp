#include "ui/view/parts/sparkline.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace highwater::ui {

void paintSparkline(QPainter& painter, const QRectF& box, const QList<qint64>& values, const QColor& color) {
    if (values.size() < 2) return;
    const auto highest = std::max<qint64>(1, *std::max_element(values.begin(), values.end()));
    const auto step = box.width() / static_cast<double>(values.size() - 1);
    const auto at = [&](qsizetype i) {
        const auto part = static_cast<double>(std::max<qint64>(0, values[i])) / static_cast<double>(highest);
        return QPointF(box.left() + static_cast<double>(i) * step, box.bottom() - part * box.height());
    };
    QPainterPath line(at(0));
    for (qsizetype i = 1; i < values.size(); ++i) {
        line.lineTo(at(i));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    auto area = line;
    area.lineTo(box.bottomRight());
    area.lineTo(box.bottomLeft());
    auto ground = color;
    ground.setAlpha(50);
    painter.fillPath(area, ground);
    painter.setPen(QPen(color, 1.0));
    painter.drawPath(line);
    painter.restore();
}

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

void Sparkline::setValues(const QList<qint64>& values) {
    if (values == values_) return;
    values_ = values;
    update();
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSparkline(painter, QRectF(rect()).adjusted(1, 2, -1, -2), values_, palette().color(QPalette::Highlight));
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    RowDelegate::paint(painter, option, index);
    const auto role = option.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Highlight;
    const QRectF box(option.rect.left() + 4, option.rect.top() + 3, kWidth - 8, option.rect.height() - 6);
    paintSparkline(*painter, box, index.data(role_).value<QList<qint64>>(), option.palette.color(role));
}

QSize SparklineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return RowDelegate::sizeHint(option, index) + QSize(kWidth, 0);
}

} // namespace highwater::ui

#include "moc_sparkline.cpp"

#include "ui/view/parts/elided_label.h"

#include "ui/format/plain_text.h"

#include <QPainter>

namespace highwater::ui {
namespace {

constexpr int kFewLetters = 6;

} // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : PlainLabel(text, parent) {
    setToolTip(tooltipText(text));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const {
    if (wordWrap()) return PlainLabel::minimumSizeHint();
    return {fontMetrics().averageCharWidth() * kFewLetters, PlainLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    if (wordWrap()) return PlainLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const auto shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
}

} // namespace highwater::ui

#include "moc_elided_label.cpp"

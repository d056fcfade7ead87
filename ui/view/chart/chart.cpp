#include "ui/view/chart/chart.h"

#include "ui/format/plain_text.h"
#include "ui/view/chart/chart_canvas.h"
#include "ui/view/chart/chart_overlay.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/picture_file.h"
#include "ui/view/parts/svg_file.h"

#include <QAction>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kHeadMargin = 4;
constexpr int kHeadGap = 12;     ///< between the legend and the text
constexpr int kPictureScale = 2; ///< pixels of a saved picture per pixel of the widget

/// Qt Charts has no axis for numbers that are not finite.
void makeFinite(std::vector<double>& values) {
    for (auto& value : values)
        if (!std::isfinite(value)) value = 0;
}

/// With edges, the point that begins at the same one, as others may have come or gone before it.
std::optional<std::size_t> samePoint(const ChartPoints& before, std::size_t point, const ChartPoints& now) {
    auto found = point;
    if (!before.edges.empty() && !now.edges.empty())
        found = static_cast<std::size_t>(std::ranges::find(now.edges, before.edges[point]) - now.edges.begin());
    return found < now.count() ? std::optional(found) : std::nullopt;
}

} // namespace

Chart::Chart(const char* objectName, const QString& name, const QString& keys, QWidget* parent)
    : QWidget(parent),
      canvas_(makeChartCanvas(*this)),
      told_(new ElidedLabel({}, this)),
      why_(new PlainLabel({}, this)),
      save_(new QAction(tr("&Save Graph As…"), this)) {
    setObjectName(QLatin1String(objectName));
    setAccessibleName(name);
    setAccessibleDescription(keys);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    addAction(save_);
    connect(save_, &QAction::triggered, this, &Chart::askForPicture);
    for (auto* widget : {&canvas_->widget(), static_cast<QWidget*>(told_), static_cast<QWidget*>(why_)})
        widget->setAttribute(Qt::WA_TransparentForMouseEvents);
    told_->setAutoFillBackground(true); // covers the legend in a narrow chart
    told_->setBackgroundRole(QPalette::Base);
    why_->setAlignment(Qt::AlignCenter);
    why_->setForegroundRole(QPalette::PlaceholderText);
    why_->setWordWrap(true);
    draw();
}

Chart::~Chart() = default;

void Chart::setPicture(ChartPicture picture) {
    pointed_ = pointed_ ? samePoint(picture_.points, *pointed_, picture.points) : std::nullopt;
    picture_ = std::move(picture);
    for (auto& series : picture_.series) {
        makeFinite(series.values);
        makeFinite(series.lower);
    }
    draw();
    tell();
}

void Chart::draw() {
    const bool hasPoints = picture_.points.count() > 0;
    why_->setSentence(picture_.why);
    why_->setVisible(!hasPoints);
    canvas_->widget().setVisible(hasPoints);
    told_->setVisible(hasPoints);
    if (hasPoints) canvas_->draw(picture_);
    canvas_->setPointed(pointed_);
    layOut();
    save_->setEnabled(!plot().isEmpty());
}

void Chart::layOut() {
    const auto inside = rect().adjusted(1, 1, -1, -1); // the focus ring is outside
    canvas_->widget().setGeometry(inside);
    why_->setGeometry(inside.adjusted(kHeadGap, 0, -kHeadGap, 0));
    const auto room = headRoom();
    told_->setText(lineText(headline()));
    const auto wanted =
        isNarrow(*this) && !told_->text().isEmpty() ? room : fontMetrics().horizontalAdvance(told_->text()) + 2;
    const auto needed = std::min(wanted, room);
    told_->setGeometry(width() - kHeadMargin - needed, kHeadMargin, needed, fontMetrics().height() + 2);
}

QString Chart::words() const {
    if (picture_.points.count() == 0) return picture_.why;
    if (!pointed_) return picture_.summary;
    return picture_.told ? picture_.told(*pointed_) : toldOf(picture_, *pointed_);
}

int Chart::headRoom() const {
    const auto from = isNarrow(*this) ? kHeadMargin : canvas_->legendWidth() + kHeadGap;
    return std::max(width() - from - kHeadMargin, 0);
}

QString Chart::shownWords() const {
    const auto fits = [&](const QString& text) {
        return fontMetrics().horizontalAdvance(lineText(withTitle(text))) + 2 <= headRoom();
    };
    const auto all = words();
    if (!pointed_ || !picture_.toldWithin || fits(all)) return all;
    return picture_.toldWithin(*pointed_, fits);
}

QString Chart::withTitle(const QString& text) const {
    return picture_.title.isEmpty() ? text : tr("%1. %2").arg(picture_.title, text);
}

QString Chart::headline() const { return withTitle(shownWords()); }

void Chart::tell() {
    setToolTip(tooltipText(words()));
    layOut();
    reportSpokenValue(*this);
}

QRectF Chart::plot() const {
    if (picture_.points.count() == 0) return {};
    return canvas_->plot().translated(canvas_->widget().pos());
}

double Chart::xOf(std::size_t point) const {
    const auto box = plot();
    return box.left() + box.width() * placeOf(picture_.points, point);
}

double Chart::yOf(double value) const {
    const auto box = plot();
    return box.bottom() - std::clamp(placeIn(valueRange(picture_), value), 0.0, 1.0) * box.height();
}

void Chart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!hasFocus()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Chart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void Chart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) layOut();
}

void Chart::pointAt(std::optional<std::size_t> point) {
    if (point == pointed_) return;
    pointed_ = point;
    canvas_->setPointed(point);
    tell();
}

void Chart::choose() {
    if (pointed_ && !picture_.isOld) emit chosen(*pointed_);
}

void Chart::open() {
    choose();
    if (pointed_ && !picture_.isOld) emit opened(*pointed_);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const auto box = plot();
    const auto x = event->position().x();
    if (box.isEmpty() || x < box.left() || x > box.right()) return pointAt({});
    pointAt(pointAtPlace(picture_.points, (x - box.left()) / box.width()));
}

void Chart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    mouseMoveEvent(event);
    if (event->button() == Qt::LeftButton && picture_.isChosenByClick()) pressed_ = pointed_;
}

void Chart::mouseReleaseEvent(QMouseEvent*) {
    const auto pressed = std::exchange(pressed_, {});
    if (pressed && pressed == pointed_) choose();
}

/// For bars and stacked bands, the first click has already chosen the point.
void Chart::mouseDoubleClickEvent(QMouseEvent* event) {
    mouseMoveEvent(event);
    if (event->button() != Qt::LeftButton) return;
    if (!picture_.isChosenByClick()) return open();
    if (pointed_ && !picture_.isOld) emit opened(*pointed_);
}

void Chart::leaveEvent(QEvent*) {
    if (!hasFocus()) pointAt({});
}

void Chart::keyPressEvent(QKeyEvent* event) {
    if (picture_.points.count() == 0) return QWidget::keyPressEvent(event);
    const auto last = picture_.points.count() - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return pointAt(pointed_ ? *pointed_ - (*pointed_ > 0 ? 1 : 0) : last);
    case Qt::Key_Right:
        return pointAt(pointed_ ? std::min(*pointed_ + 1, last) : 0);
    case Qt::Key_Home:
        return pointAt(0);
    case Qt::Key_End:
        return pointAt(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (pointed_) return open();
        break;
    case Qt::Key_Escape:
        if (pointed_) return pointAt({});
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void Chart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void Chart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) pointAt({}); // its menu keeps the point
    update();
}

/// The legend is below the chart.
QSize Chart::pictureSize() const {
    const ChartOverlay overlay(picture_, plot(), *this);
    return {width(), height() + overlay.savedLegendHeight(width())};
}

void Chart::paintPicture(QPainter& painter) {
    painter.fillRect(QRect({}, pictureSize()), palette().color(QPalette::Base));
    painter.save();
    painter.translate(canvas_->widget().pos());
    canvas_->paintPicture(painter);
    painter.restore();
    painter.fillRect(told_->geometry(), palette().color(QPalette::Base));
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::Text));
    const auto text = fontMetrics().elidedText(told_->text(), Qt::ElideRight, told_->width());
    painter.drawText(told_->geometry(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
    ChartOverlay(picture_, plot(), *this).paintSavedLegend(painter, {0, height(), width(), 0});
}

QString Chart::save(const QString& file, PictureForm form) {
    const auto pointed = std::exchange(pointed_, {}); // a picture shows the summary
    tell();
    QString problem;
    if (form == PictureForm::Drawing) {
        problem = saveSvg(
            pictureSize(), accessibleName(), [this](QPainter& painter) { paintPicture(painter); }, file);
    } else {
        QImage image(pictureSize() * kPictureScale, QImage::Format_RGB32);
        image.setDevicePixelRatio(kPictureScale);
        QPainter painter(&image);
        paintPicture(painter);
        painter.end();
        problem = savePicture(image, file);
    }
    pointed_ = pointed;
    tell();
    return problem;
}

void Chart::askForPicture() {
    ui::askForPicture(*this, {QString(), accessibleName()}, canSaveSvg() ? DrawingsAre::Offered : DrawingsAre::Missing,
                      [this](const QString& path, PictureForm form) {
                          const auto problem = save(path, form);
                          if (!problem.isEmpty()) makeQuestion(problem, QMessageBox::Ok, this)->open();
                      });
}

} // namespace highwater::ui

#include "moc_chart.cpp"

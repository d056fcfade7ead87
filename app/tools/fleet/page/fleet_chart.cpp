#include "app/tools/fleet/page/fleet_chart.h"

#include "app/tools/fleet/page/fleet_words.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/theme/theme_colors.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr int kFleetMargin = 8;
constexpr int kFleetAxisLetters = 11; ///< as wide as an amount on the axis may be
constexpr int kBandAlpha = 60;
constexpr double kDot = 3.5;

} // namespace

FleetChart::FleetChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("fleetChart"));
    setAccessibleName(tr("The stack by build"));
    setAccessibleDescription(
        tr("Arrows go from build to build, Home and End to the ends. Enter lists the runs of a build."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FleetChart::setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                            const QString& why) {
    history_ = std::move(history);
    measure_ = measure;
    why_ = why;
    isOld_ = false;
    lowest_ = highest_ = 0;
    for (std::size_t i = 0; i < count(); ++i) {
        const auto& side = history_->builds[i].side;
        lowest_ = std::min({lowest_, side.median, side.p95});
        highest_ = std::max({highest_, side.median, side.p95});
    }
    if (pointed_ && *pointed_ >= count()) pointed_.reset();
    setToolTip(tooltipText(words()));
    update();
    tellSpokenValue(*this);
}

void FleetChart::setOld(bool isOld) {
    isOld_ = isOld;
    update();
}

void FleetChart::setSides(const std::string& from, const std::string& to) {
    from_ = from;
    to_ = to;
    update();
}

QString FleetChart::words() const {
    if (isEmpty()) return why_;
    return pointed_ ? wordsOf(*pointed_) : wordsOfAll();
}

QString FleetChart::wordsOfAll() const {
    auto found = tr("no build stands apart from those before");
    if (hasBuild(history_->firstBad)) {
        found = tr("first bad build %1").arg(buildText(history_->builds[*history_->firstBad].build));
        if (hasBuild(history_->mended))
            found += tr(", mended in %1").arg(buildText(history_->builds[*history_->mended].build));
    }
    return tr("%1 in %2: %3.").arg(ownerText(history_->stack), countText(count(), "1 build", "%1 builds"), found);
}

QString FleetChart::wordsOf(std::size_t build) const {
    const auto& [name, recordedAt, side] = history_->builds[build];
    auto text =
        tr("Build %1: median %2, p95 %3, on %4 of %5, %6")
            .arg(buildText(name), fleetAmount(measure_, side.median), fleetAmount(measure_, side.p95),
                 formatCount(static_cast<std::int64_t>(side.machinesWith)),
                 countText(side.machines, "1 machine", "%1 machines"), countText(side.runs, "1 run", "%1 runs"));
    if (build == history_->firstBad) text += tr("; the first bad one");
    if (build == history_->mended) text += tr("; mended in it");
    return text;
}

QRectF FleetChart::plot() const {
    const auto metrics = fontMetrics();
    const auto left = kFleetMargin + metrics.averageCharWidth() * kFleetAxisLetters;
    const auto top = kFleetMargin + metrics.height() * 2.6; // the words, and the name of the first bad build
    return QRectF(rect()).adjusted(left, top, -kFleetMargin - 4, -kFleetMargin - metrics.height() - 2);
}

double FleetChart::xOf(std::size_t build) const {
    const auto box = plot();
    return box.left() +
           box.width() * (static_cast<double>(build) + 0.5) / static_cast<double>(std::max<std::size_t>(count(), 1));
}

double FleetChart::yOf(std::int64_t value) const {
    const auto box = plot();
    const auto span = std::max(static_cast<double>(highest_) - static_cast<double>(lowest_), 1.0);
    const auto part = (static_cast<double>(value) - static_cast<double>(lowest_)) / span;
    return box.bottom() - std::clamp(part, 0.0, 1.0) * box.height();
}

QColor FleetChart::lineColor() const {
    return palette().color(isOld_ ? QPalette::PlaceholderText : QPalette::Highlight);
}
QColor FleetChart::textColor() const { return palette().color(isOld_ ? QPalette::PlaceholderText : QPalette::Text); }

void FleetChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (isEmpty() || plot().height() < 8) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(kFleetMargin, 0, -kFleetMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, why_);
        if (hasFocus()) paintCursor(painter);
        return;
    }
    paintWords(painter);
    paintAxis(painter);
    paintBuilds(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSpread(painter);
    paintMedian(painter);
    paintMarks(painter);
    paintCursor(painter);
}

/// At the left what the lines are, at the right what is told.
void FleetChart::paintWords(QPainter& painter) const {
    const auto metrics = fontMetrics();
    const QRect line(kFleetMargin, kFleetMargin, width() - 2 * kFleetMargin, metrics.height());
    const auto legend = tr("Line: median; band: up to p95");
    const auto told = words();
    const auto legendRoom = std::min(metrics.horizontalAdvance(legend) + 4, line.width() / 2);
    const auto toldRoom = line.width() - legendRoom - metrics.averageCharWidth() * 3;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(legend, Qt::ElideRight, legendRoom));
    painter.setPen(textColor());
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(told, Qt::ElideMiddle, toldRoom));
}

void FleetChart::paintAxis(QPainter& painter) const {
    const auto box = plot();
    const auto metrics = fontMetrics();
    auto faint = palette().color(QPalette::Text);
    faint.setAlpha(50);
    std::vector<std::int64_t> values{lowest_, highest_};
    if (lowest_ < 0 && highest_ > 0) values.push_back(0);
    if (box.height() > 80 && lowest_ == 0) values.push_back(highest_ / 2);
    for (const auto value : values) {
        const auto y = yOf(value);
        painter.setPen(faint);
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter.setPen(textColor());
        const QRectF place(0, y - metrics.height() / 2.0, box.left() - 6, metrics.height());
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, fleetAmount(measure_, value));
    }
}

/// As many names as fit: of the sides always, of the others every other one, or fewer.
void FleetChart::paintBuilds(QPainter& painter) const {
    const auto box = plot();
    const auto metrics = fontMetrics();
    const auto room = box.width() / static_cast<double>(count());
    int widest = 0;
    for (const auto& at : history_->builds)
        widest = std::max(widest, metrics.horizontalAdvance(buildText(at.build)));
    widest = std::min(widest, metrics.averageCharWidth() * 16) + metrics.averageCharWidth();
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / std::max(room, 1.0))));
    for (std::size_t i = 0; i < count(); ++i) {
        const auto& build = history_->builds[i].build;
        if ((count() - 1 - i) % step != 0) continue; // the newest has its name
        auto font = painter.font();
        font.setBold(build == from_ || build == to_);
        painter.setFont(font);
        painter.setPen(textColor());
        const auto width = room * static_cast<double>(step);
        const QRectF place(xOf(i) - width / 2, box.bottom() + 3, width, metrics.height());
        painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop,
                         painter.fontMetrics().elidedText(buildText(build), Qt::ElideMiddle, static_cast<int>(width)));
        font.setBold(false);
        painter.setFont(font);
    }
}

void FleetChart::paintSpread(QPainter& painter) const {
    QPolygonF band;
    for (std::size_t i = 0; i < count(); ++i)
        band << QPointF(xOf(i), yOf(history_->builds[i].side.p95));
    for (std::size_t i = count(); i-- > 0;)
        band << QPointF(xOf(i), yOf(history_->builds[i].side.median));
    auto color = lineColor();
    color.setAlpha(kBandAlpha);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(band);
    painter.setPen(QPen(lineColor(), 1));
    for (std::size_t i = 0; i < count(); ++i) {
        const auto& side = history_->builds[i].side;
        const auto x = xOf(i), top = yOf(side.p95);
        painter.drawLine(QPointF(x, yOf(side.median)), QPointF(x, top));
        painter.drawLine(QPointF(x - kDot, top), QPointF(x + kDot, top));
    }
}

void FleetChart::paintMedian(QPainter& painter) const {
    QPolygonF line;
    for (std::size_t i = 0; i < count(); ++i)
        line << QPointF(xOf(i), yOf(history_->builds[i].side.median));
    painter.setPen(QPen(lineColor(), 2.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.setBrush(lineColor());
    for (const auto& point : line)
        painter.drawEllipse(point, kDot, kDot);
}

/// Where growth began, and where it was over. Their names stand beside each other where they would overlap.
void FleetChart::paintMarks(QPainter& painter) const {
    if (!hasBuild(history_->firstBad)) return;
    const auto colors = themeColors(palette());
    const auto box = plot();
    const auto mended = tr("mended");
    const auto room = hasBuild(history_->mended) ? fontMetrics().horizontalAdvance(mended + QLatin1Char('m')) + 1 : 0;
    auto left =
        paintMark(painter, *history_->firstBad, colors.grew, tr("first bad build"), {box.left(), box.right() - room});
    left += fontMetrics().averageCharWidth();
    if (room > 0) paintMark(painter, *history_->mended, colors.shrank, mended, {left, box.right()});
}

double FleetChart::paintMark(QPainter& painter, std::size_t build, QRgb color, const QString& name,
                             std::pair<double, double> room) const {
    const auto box = plot();
    const auto x = xOf(build);
    painter.setPen(QPen(isOld_ ? textColor() : QColor::fromRgb(color), 2, Qt::DashLine));
    painter.drawLine(QPointF(x, box.top() - 2), QPointF(x, box.bottom()));
    const auto metrics = fontMetrics();
    const auto width = static_cast<double>(metrics.horizontalAdvance(name)) + 1;
    const auto left = std::max(room.first, std::min(x - width / 2, room.second - width));
    painter.setPen(textColor());
    painter.drawText(QRectF(left, box.top() - metrics.height() - 3, width, metrics.height()), Qt::AlignLeft, name);
    return left + width;
}

void FleetChart::paintCursor(QPainter& painter) const {
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (!pointed_) return;
    const auto x = xOf(*pointed_);
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
}

void FleetChart::pointAt(std::optional<std::size_t> build) {
    if (build == pointed_) return;
    pointed_ = build;
    setToolTip(tooltipText(words()));
    update();
    tellSpokenValue(*this);
}

void FleetChart::mouseMoveEvent(QMouseEvent* event) {
    if (isEmpty()) return;
    const auto box = plot();
    const auto x = event->position().x();
    if (x < box.left() || x > box.right()) return pointAt({});
    const auto part = (x - box.left()) / std::max(box.width(), 1.0) * static_cast<double>(count());
    pointAt(std::min(static_cast<std::size_t>(part), count() - 1));
}

void FleetChart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    mouseMoveEvent(event);
}

void FleetChart::mouseDoubleClickEvent(QMouseEvent* event) {
    mousePressEvent(event);
    choose();
}

void FleetChart::choose() {
    if (pointed_ && !isOld_) emit buildChosen(history_->builds[*pointed_].build);
}

void FleetChart::leaveEvent(QEvent*) {
    if (!hasFocus()) pointAt({});
}

void FleetChart::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) return QWidget::keyPressEvent(event);
    const auto last = count() - 1;
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
        return choose();
    case Qt::Key_Escape:
        if (pointed_) return pointAt({});
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void FleetChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void FleetChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    pointAt({});
    update();
}

} // namespace highwater::ui

#include "moc_fleet_chart.cpp"

#include "app/tools/difference/page/difference_chart.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kChartMargin = 8;
constexpr int kBetweenAlpha = 70; ///< the lines above and below say it, too
constexpr int kSwatch = 18;
constexpr int kAxisLetters = 9; ///< as wide as an amount on the axis may be

std::optional<std::int64_t> valueIn(const std::vector<std::int64_t>& line, std::size_t slice) {
    return slice < line.size() ? std::optional(line[slice]) : std::nullopt;
}

QString sentenceOf(const QString& when, std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
    const auto amount = [](std::optional<std::int64_t> value) {
        return value ? formatBytes(*value) : DifferenceChart::tr("ended");
    };
    auto text = DifferenceChart::tr("%1: %2 before, %3 after").arg(when, amount(before), amount(after));
    if (before && after)
        text += QStringLiteral(" (%1)").arg(formatByteDelta(analysis::Change{*before, *after}.delta()));
    return text;
}

} // namespace

DifferenceChart::DifferenceChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("differenceChart"));
    setAccessibleName(tr("Outstanding bytes of both sides over time"));
    setAccessibleDescription(tr("Arrows go from slice to slice, Home and End to the ends."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void DifferenceChart::setTimeline(std::shared_ptr<const analysis::DifferenceTimeline> timeline) {
    timeline_ = std::move(timeline);
    highest_ = 0;
    if (timeline_) {
        for (const auto* line : {&timeline_->before, &timeline_->after})
            for (const auto value : *line)
                highest_ = std::max(highest_, value);
    }
    if (slice_ && *slice_ >= slices()) slice_.reset();
    setToolTip(tooltipText(isEmpty() ? QString() : words()));
    update();
    tellSpokenValue(*this);
}

void DifferenceChart::setNames(const QString& before, const QString& after) {
    before_ = before;
    after_ = after;
    update();
}

void DifferenceChart::setSubject(const QString& subject) {
    subject_ = subject;
    update();
}

QString DifferenceChart::words() const {
    if (isEmpty()) return {};
    if (!slice_) return sentenceOf(tr("At the end"), timeline_->atEnd.before, timeline_->atEnd.after);
    const auto when = tr("%1 after the start").arg(formatDuration(timeline_->edges[*slice_]));
    return sentenceOf(when, valueIn(timeline_->before, *slice_), valueIn(timeline_->after, *slice_));
}

QRectF DifferenceChart::plot() const {
    const auto metrics = fontMetrics();
    const auto left = kChartMargin + metrics.averageCharWidth() * kAxisLetters;
    const auto top = kChartMargin + metrics.height() * 3 / 2 + 2; // room for half of the highest amount, too
    return QRectF(rect()).adjusted(left, top, -kChartMargin - 4, -kChartMargin - metrics.height());
}

double DifferenceChart::xOfTime(std::int64_t ns) const {
    const auto box = plot();
    return box.left() + box.width() * static_cast<double>(ns) / static_cast<double>(timeline_->edges.back());
}

double DifferenceChart::xOf(std::size_t slice) const {
    return (xOfTime(timeline_->edges[slice]) + xOfTime(timeline_->edges[slice + 1])) / 2;
}

double DifferenceChart::yOf(std::int64_t bytes) const {
    const auto box = plot();
    const auto part = static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(highest_, 1));
    return box.bottom() - std::clamp(part, 0.0, 1.0) * box.height();
}

QPen DifferenceChart::penOfBefore() const {
    auto color = palette().color(QPalette::Text);
    color.setAlpha(170);
    return {color, 1.4, Qt::DashLine};
}

QPen DifferenceChart::penOfAfter() const { return {palette().color(QPalette::Highlight), 2.2}; }

void DifferenceChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (isEmpty() || plot().height() < 8) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter, timeline_ ? tr("The intervals have no length.") : QString());
        return;
    }
    paintLegend(painter);
    paintAxes(painter);
    paintBetween(painter); // slices would have seams that are smooth
    painter.setRenderHint(QPainter::Antialiasing);
    paintLine(painter, timeline_->after, penOfAfter());
    paintLine(painter, timeline_->before, penOfBefore()); // dashes: where both are equal, both are seen
    paintCursor(painter);
}

/// What is told has the right half; names of files are long.
void DifferenceChart::paintLegend(QPainter& painter) const {
    const auto metrics = fontMetrics();
    const auto text = palette().color(QPalette::Text);
    const auto wholeWords = subject_.isEmpty() ? words() : tr("%1. %2").arg(subject_, words());
    const QRect line(kChartMargin, kChartMargin, width() - 2 * kChartMargin, metrics.height());
    const auto wordsRoom = std::min(metrics.horizontalAdvance(wholeWords) + 4, line.width() * 6 / 10);
    painter.setPen(text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(wholeWords, Qt::ElideMiddle, wordsRoom));
    auto x = line.left();
    const auto room = (line.width() - wordsRoom - 2 * (kSwatch + 16)) / 2;
    for (const bool isBefore : {true, false}) {
        painter.setPen(isBefore ? penOfBefore() : penOfAfter());
        painter.drawLine(x, line.center().y(), x + kSwatch, line.center().y());
        painter.setPen(text);
        const auto name = metrics.elidedText(isBefore ? tr("Before: %1").arg(before_) : tr("After: %1").arg(after_),
                                             Qt::ElideMiddle, std::max(room, metrics.averageCharWidth() * 8));
        painter.drawText(QRect(x + kSwatch + 4, line.top(), line.width(), line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        x += kSwatch + 16 + metrics.horizontalAdvance(name);
    }
}

void DifferenceChart::paintAxes(QPainter& painter) const {
    const auto box = plot();
    const auto metrics = fontMetrics();
    auto faint = palette().color(QPalette::Text);
    faint.setAlpha(50);
    const int lines = box.height() > 80 ? 3 : 2;
    for (int i = 0; i < lines; ++i) {
        const auto value = highest_ / (lines - 1) * i;
        const auto y = i == 0 ? box.bottom() : yOf(i == lines - 1 ? highest_ : value);
        painter.setPen(faint);
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        painter.setPen(palette().color(QPalette::Text));
        const QRectF place(0, y - metrics.height() / 2.0, box.left() - 4, metrics.height());
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, formatBytes(i == lines - 1 ? highest_ : value));
    }
    const QRectF below(box.left(), box.bottom() + 1, box.width(), metrics.height());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, tr("start"));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, formatDuration(timeline_->edges.back()));
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter, formatDuration(timeline_->edges.back() / 2));
}

void DifferenceChart::paintBetween(QPainter& painter) const {
    const auto count = std::min(timeline_->before.size(), timeline_->after.size());
    const auto& colors = themeColors(palette());
    auto grew = QColor::fromRgb(colors.grew), shrank = QColor::fromRgb(colors.shrank);
    for (auto* color : {&grew, &shrank})
        color->setAlpha(kBetweenAlpha);
    for (std::size_t i = 0; i < count; ++i) {
        const auto before = timeline_->before[i], after = timeline_->after[i];
        if (before == after) continue;
        const auto top = yOf(std::max(before, after)), bottom = yOf(std::min(before, after));
        const auto left = xOfTime(timeline_->edges[i]), right = xOfTime(timeline_->edges[i + 1]);
        painter.fillRect(QRectF(left, top, right - left, bottom - top), after > before ? grew : shrank);
    }
}

void DifferenceChart::paintLine(QPainter& painter, const std::vector<std::int64_t>& line, const QPen& pen) const {
    if (line.empty()) return;
    QPainterPath path(QPointF(xOfTime(0), yOf(line.front())));
    for (std::size_t i = 0; i < line.size(); ++i) {
        path.lineTo(xOfTime(timeline_->edges[i]), yOf(line[i]));
        path.lineTo(xOfTime(timeline_->edges[i + 1]), yOf(line[i]));
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void DifferenceChart::paintCursor(QPainter& painter) const {
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (!slice_) return;
    const auto x = xOf(*slice_);
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    const auto dot = [&](const std::vector<std::int64_t>& line, const QColor& color) {
        if (*slice_ >= line.size()) return;
        painter.setBrush(color);
        painter.drawEllipse(QPointF(x, yOf(line[*slice_])), 3, 3);
    };
    dot(timeline_->before, penOfBefore().color());
    dot(timeline_->after, penOfAfter().color());
}

void DifferenceChart::pointAt(std::optional<std::size_t> slice) {
    if (slice == slice_) return;
    slice_ = slice;
    setToolTip(tooltipText(words()));
    update();
    tellSpokenValue(*this);
}

void DifferenceChart::mouseMoveEvent(QMouseEvent* event) {
    if (isEmpty()) return;
    const auto box = plot();
    const auto x = event->position().x();
    if (x < box.left() || x > box.right()) return pointAt({});
    const auto part = (x - box.left()) / std::max(box.width(), 1.0);
    const auto ns = static_cast<std::int64_t>(part * static_cast<double>(timeline_->edges.back()));
    const auto edge = std::upper_bound(timeline_->edges.begin(), timeline_->edges.end(), ns);
    const auto index = std::max<std::ptrdiff_t>(edge - timeline_->edges.begin() - 1, 0);
    pointAt(std::min(static_cast<std::size_t>(index), slices() - 1));
}

void DifferenceChart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    mouseMoveEvent(event);
}

void DifferenceChart::leaveEvent(QEvent*) {
    if (!hasFocus()) pointAt({});
}

void DifferenceChart::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) return QWidget::keyPressEvent(event);
    const auto last = slices() - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return pointAt(slice_ ? *slice_ - (*slice_ > 0 ? 1 : 0) : last);
    case Qt::Key_Right:
        return pointAt(slice_ ? std::min(*slice_ + 1, last) : 0);
    case Qt::Key_Home:
        return pointAt(0);
    case Qt::Key_End:
        return pointAt(last);
    case Qt::Key_Escape:
        if (slice_) return pointAt({});
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void DifferenceChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void DifferenceChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    pointAt({});
    update();
}

} // namespace highwater::ui

#include "moc_difference_chart.cpp"

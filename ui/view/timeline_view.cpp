#include "ui/view/timeline_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/view/charts_timeline_surface.h"
#include "ui/view/zoom_actions.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace highwater::ui {

TimelineView::TimelineView(GraphState& graph, SeriesColors& colors, ZoomActions& actions, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      state_(graph.analysis()),
      colors_(colors),
      actions_(actions),
      surface_(std::make_unique<ChartsTimelineSurface>(this)),
      overlay_(new TimelineOverlay(this)) {
    build();
    connectState();
}

TimelineView::~TimelineView() = default;

void TimelineView::build() {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Outstanding amount over time. Drag or Shift+arrows select, Enter zooms, Backspace unzooms."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void TimelineView::connectState() {
    connect(&state_, &AnalysisState::changed, this, [this](auto changes) {
        if (changes & (AnalysisState::VisibleRange | AnalysisState::WholeRange)) redraw();
        if (changes.testFlag(AnalysisState::VisibleRange) && !dragging_) anchor_.reset();
        refreshMarks();
    });
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes & (GraphState::HiddenSeries | GraphState::Chart)) redraw();
    });
}

void TimelineView::setAnswer(std::shared_ptr<const TimelineAnswer> answer) {
    scene_.answer = std::move(answer);
    redraw();
}

void TimelineView::setSelectionDelta(TimeRange selection, SignedByteCount bytes) {
    delta_ = {selection, bytes};
    refreshMarks();
}

void TimelineView::updateAmounts() {
    SignedByteCount lowest = 0;
    SignedByteCount highest = 0;
    scene_.colors.clear();
    if (scene_.answer) {
        for (const auto& series : scene_.answer->timeline.series) {
            const bool isHidden = series.isGroup && graph_.hiddenSeries().contains(series.key);
            const auto color = colors_.colorOf(*scene_.answer, series);
            scene_.colors.push_back(isHidden ? QColor() : color);
            if (isHidden || series.peaks.empty()) continue;
            lowest = std::min(lowest, *std::min_element(series.peaks.begin(), series.peaks.end()));
            highest = std::max(highest, *std::max_element(series.peaks.begin(), series.peaks.end()));
        }
    }
    const auto room = std::max(1, static_cast<int>(plot_.height()) / (fontMetrics().height() * 2));
    byteTicks_ = byteTicks(lowest, highest, room);
    scene_.lowestBytes = byteTicks_.front().value;
    scene_.highestBytes = byteTicks_.back().value;
}

void TimelineView::redraw() {
    scene_.visible = state_.visibleRange();
    updateAmounts();
    surface_->draw(scene_);
    update();
}

QStringList TimelineView::words() const {
    if (const auto selection = state_.selection()) {
        QStringList lines{tr("Start %1").arg(formatTime(selection->start)),
                          tr("End %1").arg(formatTime(selection->end)),
                          tr("Duration %1").arg(formatDuration(selection->end.ns - selection->start.ns))};
        if (delta_ && delta_->first == *selection) lines << tr("Change %1").arg(formatByteDelta(delta_->second));
        return lines;
    }
    if (cursor_) return {formatTime(*cursor_)};
    return {};
}

void TimelineView::refreshMarks() { overlay_->setMarks({coordinates(), state_.selection(), cursor_, words()}); }

void TimelineView::resizeEvent(QResizeEvent*) {
    const auto& metrics = fontMetrics();
    const auto left = metrics.horizontalAdvance(QStringLiteral("9,999.9 MB")) + 12;
    const auto bottom = metrics.height() + 10;
    const auto oldWidth = static_cast<int>(plot_.width());
    plot_ = QRectF(rect()).adjusted(left, 10, -20, -bottom);
    surface_->widget()->setGeometry(rect());
    surface_->setPlotArea(plot_);
    overlay_->setGeometry(rect());
    overlay_->raise();
    redraw();
    refreshMarks();
    if (static_cast<int>(plot_.width()) != oldWidth)
        emit plotWidthChanged(std::max(1, static_cast<int>(plot_.width())));
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) redraw();
    QWidget::changeEvent(event);
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintByteAxis(painter);
    paintTimeAxis(painter);
    if (!hasFocus()) return;
    painter.setPen(palette().color(QPalette::Highlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TimelineView::paintByteAxis(QPainter& painter) const {
    const auto height = scene_.highestBytes - scene_.lowestBytes;
    for (const auto& tick : byteTicks_) {
        const auto y = plot_.bottom() - (tick.value - scene_.lowestBytes) / height * plot_.height();
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(plot_.left(), y), QPointF(plot_.right(), y));
        painter.setPen(palette().color(QPalette::Text));
        const QRectF box(0, y - fontMetrics().height(), plot_.left() - 6, fontMetrics().height() * 2);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
}

void TimelineView::paintTimeAxis(QPainter& painter) const {
    const auto visible = state_.visibleRange();
    const auto labelWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.999999 s")) + 20;
    const auto at = coordinates();
    for (const auto& tick : timeTicks(visible, std::max(1, static_cast<int>(plot_.width()) / labelWidth))) {
        const auto x = at.xOf(TraceTime{static_cast<std::int64_t>(tick.value)});
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(x, plot_.top()), QPointF(x, plot_.bottom() + 4));
        painter.setPen(palette().color(QPalette::Text));
        QRectF box(x - labelWidth / 2.0, plot_.bottom() + 5, labelWidth, fontMetrics().height());
        if (box.right() > width()) box.moveRight(width() - 2);
        painter.drawText(box, Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

} // namespace highwater::ui

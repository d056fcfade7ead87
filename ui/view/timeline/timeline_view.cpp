#include "ui/view/timeline/timeline_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/view/timeline/timeline_outline.h"
#include "ui/view/timeline/zoom_actions.h"

#include <QAction>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace highwater::ui {
namespace {

constexpr double kPixelsPerBar = 14.0;
constexpr double kAroundPointer = 8.0;
constexpr float kCoarseOpacity = 0.45F;

} // namespace

TimelineView::TimelineView(GraphState& graph, SeriesColors& colors, ZoomActions& actions, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      state_(graph.analysis()),
      colors_(colors),
      actions_(actions),
      surface_(new TimelineSurface(this)),
      overlay_(new TimelineOverlay(this)),
      instant_(new QAction(tr("Show Memory &Outstanding Here\tL"), this)),
      export_(new QAction(tr("&Save Graph As…"), this)) {
    build();
    connectState();
}

TimelineView::~TimelineView() = default;

void TimelineView::build() {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Outstanding amount over time. Select by dragging or with Shift+arrow keys, zoom with "
                                "Enter, unzoom with Backspace, show the memory outstanding at the cursor with L."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    instant_->setObjectName(QStringLiteral("showInstant"));
    export_->setObjectName(QStringLiteral("exportPng"));
    overlay_->setLines([this](const QRectF& place) { return hasLineIn(place); });
}

void TimelineView::connectState() {
    connect(&state_, &AnalysisState::changed, this, [this](auto changes) {
        if (changes & (AnalysisState::VisibleRange | AnalysisState::WholeRange)) redraw();
        if (changes.testFlag(AnalysisState::VisibleRange) && !dragging_) anchor_.reset();
        if (changes.testFlag(AnalysisState::VisibleRange)) dropCursorOutOfSight();
        refreshMarks();
    });
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes & (GraphState::HiddenSeries | GraphState::Chart)) redraw();
    });
    connect(instant_, &QAction::triggered, this, &TimelineView::toggleInstant);
    connect(export_, &QAction::triggered, this, &TimelineView::askForPicture);
}

void TimelineView::setAnswer(std::shared_ptr<const TimelineAnswer> answer) {
    content_.answer = std::move(answer);
    redraw();
    refreshMarks();
    if (!isCoarse() && whenExact_) std::exchange(whenExact_, nullptr)();
}

void TimelineView::setPainted(std::shared_ptr<const PaintedAnswer> painted) {
    if (painted == content_.painted) return;
    content_.painted = std::move(painted);
    redraw();
}

void TimelineView::setZonesOf(const store::PublishedTrace* trace) {
    zones_.setTrace(trace);
    update();
}

void TimelineView::setEmptyText(const QString& words) {
    if (words == nothing_) return;
    nothing_ = words;
    update();
    reportSpokenValue(*this);
}

void TimelineView::setSelectionAmount(const SelectionAmount& amount) {
    amount_ = amount;
    refreshMarks();
}

void TimelineView::chooseColors() {
    content_.colors.clear();
    content_.totalColor = palette().color(QPalette::Text);
    content_.privateColor = graph_.showsPrivateBytes() ? palette().color(QPalette::PlaceholderText) : QColor();
    if (content_.answer) {
        auto used = usedColors();
        for (const auto& series : content_.answer->timeline.series) {
            const bool isDrawn = !series.isOpen && !graph_.isHidden(series.path);
            auto color = series.isOpen ? QColor() : colors_.colorOf(*content_.answer, series, used);
            if (isCoarse() && color.isValid()) color.setAlphaF(kCoarseOpacity);
            content_.colors.push_back(isDrawn ? color : QColor());
            used.push_back(color);
        }
    }
    choosePaintedColors();
}

/// Colours already assigned in this graph, which new series should avoid.
std::vector<QColor> TimelineView::usedColors() const {
    std::vector<QColor> used;
    for (const auto& series : content_.answer->timeline.series) {
        if (!series.isOpen && series.isGroup) used.push_back(colors_.knownColorOf(series.path));
    }
    for (std::size_t i = 0; content_.painted && i < content_.painted->rows.size(); ++i)
        used.push_back(colors_.knownColorOf(content_.painted->rows[i].path));
    return used;
}

void TimelineView::choosePaintedColors() {
    content_.paintedColors.clear();
    if (!content_.painted) return;
    auto used = content_.answer ? usedColors() : std::vector<QColor>();
    for (const auto& row : content_.painted->rows) {
        content_.paintedColors.push_back(colors_.colorOf(row.path, used));
        used.push_back(content_.paintedColors.back());
    }
}

void TimelineView::fitAmounts() {
    const auto room = std::max(1, static_cast<int>(plot_.height()) / (fontMetrics().height() * 2));
    const auto [lowest, highest] = layers_.extent();
    const auto measure = content_.answer ? content_.answer->query.measure : graph_.measure();
    amountTicks_ = amountTicks(lowest, highest, room, measure);
    scene_.lowest = amountTicks_.front().value;
    // One pixel more, so that a line at the top is drawn in full width.
    const auto pixel = (amountTicks_.back().value - amountTicks_.front().value) / std::max(1.0, plot_.height());
    scene_.highest = amountTicks_.back().value + pixel;
}

void TimelineView::redraw() {
    chooseColors();
    content_.chart = chartOfAnswer();
    content_.bars = static_cast<std::size_t>(std::max(1.0, plot_.width() / kPixelsPerBar));
    layers_ = TimelineLayers(content_);
    scene_ = layers_.scene();
    scene_.visible = state_.visibleRange();
    fitAmounts();
    zones_.place(coordinates());
    bars_.setAnswer(showsLifetimes() ? content_.answer : nullptr, content_.colors);
    bars_.place(coordinates());
    surface_->draw(scene_);
    update();
}

/// Until another answer arrives, the old one is drawn as its own chart type.
ChartType TimelineView::chartOfAnswer() const {
    if (showsNewBytes()) return ChartType::NewBytes;
    return graph_.chart() == ChartType::NewBytes || graph_.showsInstances() ? ChartType::Bars : graph_.chart();
}

bool TimelineView::showsNewBytes() const {
    return content_.answer && content_.answer->query.measure == analysis::TimelineMeasure::NewBytes;
}

double TimelineView::yOf(double amount) const {
    return plot_.bottom() - (amount - scene_.lowest) / (scene_.highest - scene_.lowest) * plot_.height();
}

bool TimelineView::hasLineIn(const QRectF& place) const {
    const auto perPixel = (scene_.highest - scene_.lowest) / std::max(1.0, plot_.height());
    const auto amountAt = [&](double y) { return scene_.lowest + (plot_.bottom() - y) * perPixel; };
    const auto where = coordinates();
    return isCrossed(scene_, {where.timeAt(place.left()), where.timeAt(place.right())}, amountAt(place.bottom()),
                     amountAt(place.top()));
}

QString TimelineView::spokenValue() const {
    if (!nothing_.isEmpty()) return nothing_;
    const auto visible = state_.visibleRange();
    const auto lines = words();
    if (!lines.isEmpty()) return lines.join(QStringLiteral(", "));
    const auto range = formatRange(visible);
    return isCoarse() ? range + QStringLiteral(", ") + coarseWords() : range;
}

QString TimelineView::coarseWords() { return tr("preliminary: lines show upper bounds"); }

/// Outside the visible range, it has no value to show.
void TimelineView::dropCursorOutOfSight() {
    const auto visible = state_.visibleRange();
    if (cursor_ && (*cursor_ < visible.start || visible.end < *cursor_)) setCursorTime(std::nullopt);
}

void TimelineView::refreshMarks() {
    std::vector<TimelineWord> words;
    if (tellsSelection())
        words = selectionWords();
    else if (cursor_)
        words = cursorWords();
    overlay_->setMarks({coordinates(), state_.selection(), state_.highlight(), state_.instant(), cursor_,
                        state_.marks(), std::move(words), pointedBox()});
    reportSpokenValue(*this);
}

/// The bar under the mouse, or the area around it; nothing for keyboard use.
QRectF TimelineView::pointedBox() const {
    if (!cursor_ || !underMouse()) return {};
    const auto bar = showsLifetimes() ? bars_.at(pointer_) : std::nullopt;
    const QRectF around(pointer_ - QPointF(kAroundPointer, kAroundPointer), QSizeF(2, 2) * kAroundPointer);
    return bar ? bars_.boxOf(*bar).united(around) : around;
}

void TimelineView::setCursorTime(std::optional<TraceTime> time) {
    if (time == cursor_) return;
    cursor_ = time;
    if (time) lastCursor_ = time;
    emit cursorMoved(time ? std::optional(layers_.timeOfValues(*time)) : time);
}

void TimelineView::resizeEvent(QResizeEvent*) {
    const auto& metrics = fontMetrics();
    const auto left = metrics.horizontalAdvance(QStringLiteral("9,999.9 MB")) + 12;
    const auto bottom = metrics.height() + 10;
    plot_ = QRectF(rect()).adjusted(left, 10, -20, -bottom);
    surface_->setGeometry(rect());
    surface_->setPlotArea(plot_);
    overlay_->setGeometry(rect());
    overlay_->raise();
    redraw();
    refreshMarks();
    const auto points = std::max(1, static_cast<int>(plot_.width() * devicePixelRatioF()));
    if (std::exchange(pointsAsked_, points) != points) emit plotWidthChanged(points);
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) redraw();
    QWidget::changeEvent(event);
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    zones_.paint(painter, palette());
    // An axis would wrongly show that the count was 0 at these times.
    if (nothing_.isEmpty()) {
        paintAmountAxis(painter);
        paintTimeAxis(painter);
    } else {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(20, 10, -20, -10), Qt::AlignCenter | Qt::TextWordWrap, nothing_);
    }
    bars_.paint(painter, palette());
    if (isCoarse()) paintCoarseMark(painter);
    if (!hasFocus() || isForPicture_) return;
    painter.setPen(palette().color(QPalette::Highlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TimelineView::paintAmountAxis(QPainter& painter) const {
    if (showsLifetimes()) return;
    for (const auto& tick : amountTicks_) {
        const auto y = yOf(tick.value);
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(plot_.left(), y), QPointF(plot_.right(), y));
        painter.setPen(palette().color(QPalette::Text));
        const QRectF box(0, y - fontMetrics().height(), plot_.left() - 6, fontMetrics().height() * 2);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    paintAmountTitle(painter);
}

/// Placed away from lines so that it is readable.
void TimelineView::paintCoarseMark(QPainter& painter) const {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const auto text = fontMetrics().elidedText(coarseWords(), Qt::ElideRight, static_cast<int>(plot_.width()) - 8);
    painter.drawText(plot_.adjusted(4, 2, -4, 0), Qt::AlignRight | Qt::AlignTop, text);
}

/// Vertical, left of the labels; omitted in a graph that is too low.
void TimelineView::paintAmountTitle(QPainter& painter) const {
    const auto text = amountTitle(graph_.table(), content_.answer ? content_.answer->query.measure : graph_.measure());
    const auto& metrics = fontMetrics();
    int labels = 0;
    for (const auto& tick : amountTicks_)
        labels = std::max(labels, metrics.horizontalAdvance(tick.label));
    const bool isHighEnough = metrics.horizontalAdvance(text) <= plot_.height();
    if (!isHighEnough || plot_.left() - labels - 6 < metrics.height() + 4) return;
    painter.save();
    painter.translate(2, plot_.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot_.height() / 2, 0, plot_.height(), metrics.height()), Qt::AlignCenter, text);
    painter.restore();
}

void TimelineView::paintTimeAxis(QPainter& painter) const {
    const auto visible = state_.visibleRange();
    const auto at = coordinates();
    for (const auto& tick : timeTicksThatFit(visible, static_cast<int>(plot_.width()), fontMetrics(), 20)) {
        const auto labelWidth = fontMetrics().horizontalAdvance(tick.label) + 4;
        const auto x = at.xOf(TraceTime{static_cast<std::int64_t>(tick.value)});
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(x, plot_.top()), QPointF(x, plot_.bottom() + 4));
        painter.setPen(palette().color(QPalette::Text));
        QRectF box(x - labelWidth / 2.0, plot_.bottom() + 5, labelWidth, fontMetrics().height());
        if (box.right() > width()) box.moveRight(width() - 2);
        painter.drawText(box, Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

/// Without elements that are only for interaction.
void TimelineView::paintPlain(const std::function<void()>& paint) {
    const auto cursor = std::exchange(cursor_, std::nullopt);
    isForPicture_ = true;
    refreshMarks();
    paint();
    isForPicture_ = false;
    cursor_ = cursor;
    refreshMarks();
}

void TimelineView::renderPlot(QPainter& painter) {
    paintPlain([&] { render(&painter, {}, {}, QWidget::DrawChildren); });
}

void TimelineView::drawPlot(QPainter& painter) {
    paintPlain([&] {
        painter.setFont(font());
        zones_.paintPlain(painter, palette());
        paintAmountAxis(painter);
        paintTimeAxis(painter);
        drawShapes(painter, scene_, plot_);
        bars_.paint(painter, palette());
        overlay_->render(&painter, {}, {}, QWidget::DrawChildren);
    });
}

TraceTime TimelineView::middle() const {
    const auto visible = state_.visibleRange();
    return TraceTime{visible.start.ns + (visible.end.ns - visible.start.ns) / 2};
}

} // namespace highwater::ui

#include "moc_timeline_view.cpp"

#include "ui/view/timeline/series_legend_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/series_colors.h"
#include "ui/view/access/row_height.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kKeyRole = Qt::UserRole + 1;
constexpr int kRowSwatch = 12;

/// Of all slices together: the highest peak, or how much was new in them.
std::int64_t wholeOf(const std::vector<SignedByteCount>& peaks, analysis::TimelineMeasure measure) {
    if (measure == analysis::TimelineMeasure::NewBytes) {
        std::uint64_t sum = 0; // wraps instead of overflowing
        for (const auto bytes : peaks)
            sum += static_cast<std::uint64_t>(bytes);
        return static_cast<std::int64_t>(sum);
    }
    return peaks.empty() ? 0 : *std::max_element(peaks.begin(), peaks.end());
}

/// What there is in the slice of this time; none outside of the timeline.
std::optional<std::int64_t> valueAt(const analysis::Timeline& timeline, const std::vector<SignedByteCount>& peaks,
                                    TraceTime time) {
    if (time < timeline.interval.start || time > timeline.interval.end) return std::nullopt;
    const auto after = std::upper_bound(timeline.starts.begin(), timeline.starts.end(), time) - timeline.starts.begin();
    const auto slice = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1)) - 1;
    return slice < peaks.size() ? std::optional(peaks[slice]) : std::nullopt;
}

} // namespace

SeriesLegendView::SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent)
    : QTreeWidget(parent), graph_(graph), colors_(colors) {
    build();
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes & (GraphState::HiddenSeries | GraphState::Chart)) refill();
    });
}

void SeriesLegendView::build() {
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
    setRootIsDecorated(false);
    useOneRowHeight(*this);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideMiddle);
    setHeaderLabels({tr("Line"), tr("Peak")});
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    connect(this, &QTreeWidget::itemChanged, this, &SeriesLegendView::noteTick);
}

QTreeWidgetItem* SeriesLegendView::makeItem(const analysis::TimelineSeries& series) {
    auto* item = new QTreeWidgetItem;
    item->setText(0, lineText(series.name));
    item->setToolTip(0, tooltipText(toQString(series.name)));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    const bool isHidden = series.isGroup && graph_.hiddenSeries().contains(series.key);
    item->setIcon(0, swatch(colors_.colorOf(*answer_, series), !isHidden));
    if (series.isGroup) {
        item->setData(0, kKeyRole, QVariant::fromValue<quint64>(series.key));
        item->setCheckState(0, isHidden ? Qt::Unchecked : Qt::Checked);
    }
    return item;
}

void SeriesLegendView::setAnswer(std::shared_ptr<const TimelineAnswer> answer) {
    answer_ = std::move(answer);
    refill();
}

void SeriesLegendView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refill(); // swatches are pictures in the colours of the old one
    QTreeWidget::changeEvent(event);
}

void SeriesLegendView::refill() {
    const QSignalBlocker blocker(this);
    const auto current = currentItem() ? currentItem()->data(0, kKeyRole) : QVariant();
    clear();
    if (!answer_) return;
    for (const auto& series : answer_->timeline.series) {
        auto* item = makeItem(series);
        addTopLevelItem(item);
        if (current.isValid() && item->data(0, kKeyRole) == current) setCurrentItem(item);
    }
    addPainted();
    fillValues();
    const bool isStack =
        graph_.chart() != ChartType::Line && analysis::isOfAllocations(graph_.table()) && !tellsNewBytes();
    const auto help =
        tr("Each line's peaks, on each other. Peaks within one pixel need not be at the same instant: the "
           "thin line is what all had together at most.");
    const auto helpOfNew =
        tr("Bytes that were allocated in each slice: what of them was freed by the end of what is visible, and what is "
           "kept then.");
    headerItem()->setToolTip(0, isStack ? tooltipText(help) : tellsNewBytes() ? tooltipText(helpOfNew) : QString());
}

void SeriesLegendView::setPainted(std::shared_ptr<const PaintedAnswer> painted, const QStringList& names,
                                  const std::vector<QColor>& colors) {
    painted_ = std::move(painted);
    paintedNames_ = names;
    paintedColors_ = colors;
    refill();
}

/// Not those of another question than the lines are of: the graph does not paint them, either.
void SeriesLegendView::addPainted() {
    if (!painted_ || painted_->query.interval != answer_->query.interval) return;
    for (std::size_t i = 0; i < painted_->rows.size(); ++i) {
        auto* item = new QTreeWidgetItem(this);
        const auto& name = paintedNames_[static_cast<qsizetype>(i)];
        item->setText(0, lineText(name));
        item->setToolTip(0, tooltipText(name));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setIcon(0, swatch(paintedColors_[i], /*isDrawn=*/true));
    }
}

void SeriesLegendView::showValuesAt(std::optional<TraceTime> time) {
    time_ = time;
    fillValues();
}

void SeriesLegendView::fillValues() {
    if (!answer_) return;
    const QSignalBlocker blocker(this);
    headerItem()->setText(1, time_ ? tr("At cursor") : tellsNewBytes() ? tr("In all") : tr("Peak"));
    const auto& series = answer_->timeline.series;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        const auto place = static_cast<std::size_t>(i);
        fillValue(*topLevelItem(i),
                  place < series.size() ? series[place].peaks : painted_->rows[place - series.size()].peaks);
    }
}

void SeriesLegendView::fillValue(QTreeWidgetItem& item, const std::vector<SignedByteCount>& peaks) {
    const auto measure = answer_->query.measure;
    const auto value = time_ ? valueAt(answer_->timeline, peaks, *time_) : std::optional(wholeOf(peaks, measure));
    item.setText(1, value ? formatAmount(*value, measure) : QString());
    const bool isBytes = measure != analysis::TimelineMeasure::Count;
    item.setToolTip(1, tooltipText(value && isBytes ? formatExactBytes(*value) : item.text(1)));
}

/// Filled when drawn, hollow when not.
QIcon SeriesLegendView::swatch(const QColor& color, bool isDrawn) const {
    const auto scale = devicePixelRatioF();
    QPixmap pixmap(QSize(kRowSwatch, kRowSwatch) * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(isDrawn ? color : Qt::transparent);
    QPainter painter(&pixmap);
    painter.setPen(QPen(color, 2.0));
    painter.drawRect(1, 1, kRowSwatch - 2, kRowSwatch - 2);
    return QIcon(pixmap);
}

bool SeriesLegendView::tellsNewBytes() const {
    return answer_ && answer_->query.measure == analysis::TimelineMeasure::NewBytes;
}

QSet<quint64> SeriesLegendView::groupKeys() const {
    QSet<quint64> keys;
    for (const auto& series : answer_->timeline.series) {
        if (series.isGroup) keys.insert(series.key);
    }
    return keys;
}

/// None: hides nothing.
void SeriesLegendView::hideAllBut(std::optional<quint64> key) {
    auto hidden = key ? groupKeys() : QSet<quint64>();
    if (key) hidden.remove(*key);
    graph_.hideSeries(hidden);
}

void SeriesLegendView::contextMenuEvent(QContextMenuEvent* event) {
    const auto* item = currentItem();
    if (event->reason() == QContextMenuEvent::Mouse) item = itemAt(viewport()->mapFromGlobal(event->globalPos()));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("legendMenu"));
    const auto key = item ? item->data(0, kKeyRole) : QVariant();
    auto* only = menu->addAction(tr("Show &Only This Line"), this, [this, key] { hideAllBut(key.value<quint64>()); });
    only->setObjectName(QStringLiteral("showOnlyLine"));
    only->setEnabled(key.isValid());
    auto* all = menu->addAction(tr("Show &All Lines"), this, [this] { hideAllBut(std::nullopt); });
    all->setObjectName(QStringLiteral("showAllLines"));
    all->setEnabled(!graph_.hiddenSeries().isEmpty());
    menu->popup(event->globalPos());
}

void SeriesLegendView::noteTick(QTreeWidgetItem* item) {
    const auto key = item->data(0, kKeyRole);
    if (!key.isValid()) return;
    auto hidden = graph_.hiddenSeries();
    if (item->checkState(0) == Qt::Checked)
        hidden.remove(key.value<quint64>());
    else
        hidden.insert(key.value<quint64>());
    // Refilling from inside the item's own signal would delete it.
    QMetaObject::invokeMethod(
        this, [this, hidden] { graph_.hideSeries(hidden); }, Qt::QueuedConnection);
}

} // namespace highwater::ui

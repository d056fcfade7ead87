#include "ui/view/timeline/series_legend_view.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/series_colors.h"
#include "ui/view/access/row_height.h"
#include "ui/view/timeline/timeline_axes.h"
#include "ui/view/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTreeWidgetItemIterator>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kSeriesRole = Qt::UserRole + 1;  ///< index among the series
constexpr int kPaintedRole = Qt::UserRole + 2; ///< index among the painted rows
constexpr int kPrivateRole = Qt::UserRole + 3; ///< true: the private bytes
constexpr int kRowSwatch = 12;
constexpr int kLevelIndent = 12;

/// Whether `way` is an ancestor of `path`, or equal to it.
bool leadsTo(const analysis::KeyPath& way, const analysis::KeyPath& path) {
    return way.size() <= path.size() && std::equal(way.begin(), way.end(), path.begin());
}

/// Value of all slices together: the highest peak, or the total of new bytes.
std::int64_t wholeOf(const std::vector<SignedByteCount>& peaks, analysis::TimelineMeasure measure) {
    if (measure == analysis::TimelineMeasure::NewBytes) {
        std::uint64_t sum = 0; // wraps instead of overflowing
        for (const auto bytes : peaks)
            sum += static_cast<std::uint64_t>(bytes);
        return static_cast<std::int64_t>(sum);
    }
    return peaks.empty() ? 0 : *std::max_element(peaks.begin(), peaks.end());
}

/// Value in the slice of this time; nothing outside of the timeline, or before the first slice with a value.
std::optional<std::int64_t> valueAt(const analysis::Timeline& timeline, const std::vector<SignedByteCount>& peaks,
                                    TraceTime time, std::size_t firstSlice) {
    if (time < timeline.interval.start || time > timeline.interval.end) return std::nullopt;
    const auto after = std::upper_bound(timeline.starts.begin(), timeline.starts.end(), time) - timeline.starts.begin();
    const auto slice = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1)) - 1;
    return slice >= firstSlice && slice < peaks.size() ? std::optional(peaks[slice]) : std::nullopt;
}

} // namespace

SeriesLegendView::SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent)
    : QTreeWidget(parent), graph_(graph), colors_(colors) {
    build();
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes & (GraphState::HiddenSeries | GraphState::Chart | GraphState::OpenedSeries)) refill();
    });
}

void SeriesLegendView::build() {
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
    setIndentation(kLevelIndent);
    setExpandsOnDoubleClick(false);
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
    connect(this, &QTreeWidget::itemExpanded, this, &SeriesLegendView::noteOpening);
    connect(this, &QTreeWidget::itemCollapsed, this, &SeriesLegendView::noteOpening);
}

/// An open series has no line and no colour; its children do.
QTreeWidgetItem* SeriesLegendView::makeItem(std::size_t place) {
    const auto& series = answer_->timeline.series[place];
    auto* item = new QTreeWidgetItem;
    item->setText(0, lineText(series.name));
    item->setToolTip(0, tooltipText(QString::fromStdString(wholeNameOf(answer_->timeline, place))));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, kSeriesRole, QVariant::fromValue(place));
    item->setChildIndicatorPolicy(series.canOpen ? QTreeWidgetItem::ShowIndicator : QTreeWidgetItem::DontShowIndicator);
    const bool isHidden = graph_.isHidden(series.path);
    if (!series.isOpen) item->setIcon(0, swatch(colors_.colorOf(*answer_, series), !isHidden));
    // A series inside a hidden one reappears with it.
    const bool isOwnTick = !isHidden || std::ranges::count(graph_.hiddenSeries(), series.path) > 0;
    if (series.isGroup && isOwnTick) item->setCheckState(0, isHidden ? Qt::Unchecked : Qt::Checked);
    return item;
}

/// Null: a painted row.
const analysis::TimelineSeries* SeriesLegendView::seriesOf(const QTreeWidgetItem* item) const {
    const auto place = item && answer_ ? item->data(0, kSeriesRole) : QVariant();
    return place.isValid() ? &answer_->timeline.series[place.value<std::size_t>()] : nullptr;
}

void SeriesLegendView::setAnswer(std::shared_ptr<const TimelineAnswer> answer) {
    answer_ = std::move(answer);
    refill();
}

void SeriesLegendView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refill(); // swatches are images in the old colours
    QTreeWidget::changeEvent(event);
}

void SeriesLegendView::refill() {
    const QSignalBlocker blocker(this);
    const auto scrolled = verticalScrollBar()->value();
    clear();
    if (!answer_) return;
    addSeries();
    addPrivateBytes();
    addPainted();
    fillValues();
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(scrolled);
    const bool isStack = graph_.chart() != ChartType::Line && analysis::hasLevels(graph_.table()) && !isNewBytesChart();
    const auto help = tr("The peaks of the lines, stacked. Peaks within one pixel may occur at different instants; the "
                         "thin line shows the highest total at one instant.");
    const auto helpOfNew = tr("Bytes that were allocated in each slice, split into bytes freed by the end of the "
                              "visible interval and bytes still outstanding then.");
    headerItem()->setToolTip(0, isStack ? tooltipText(help) : isNewBytesChart() ? tooltipText(helpOfNew) : QString());
}

/// Recently opened series are already expanded while their children are pending.
void SeriesLegendView::addSeries() {
    const auto& all = answer_->timeline.series;
    const auto isOpenable = [](const auto& series) { return series.canOpen || series.isOpen; };
    setRootIsDecorated(std::any_of(all.begin(), all.end(), isOpenable));
    std::vector<QTreeWidgetItem*> open; // by depth
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto* item = makeItem(i);
        open.resize(std::min<std::size_t>(open.size(), all[i].depth));
        if (open.empty())
            addTopLevelItem(item);
        else
            open.back()->addChild(item);
        open.push_back(item);
        if (isOpenable(all[i])) item->setExpanded(graph_.isSeriesOpen(all[i].path));
        if (current_ && (all[i].isGroup || all[i].canOpen) && all[i].path == *current_) setCurrentItem(item);
    }
}

/// The entry is below those of the series, because private bytes are not a series.
void SeriesLegendView::addPrivateBytes() {
    const bool isDrawn = graph_.chart() != ChartType::Lifetimes && !isNewBytesChart();
    if (!answer_->privateBytes || !isDrawn) return;
    auto* item = new QTreeWidgetItem(this);
    item->setText(0, TimelineView::privateBytesName());
    item->setToolTip(
        0, tooltipText(tr(
               "Samples of the private memory of these processes; on Windows, of their commit charge. The part "
               "above the coloured lines is not part of any recorded allocation: for example, modules and stacks.")));
    item->setData(0, kPrivateRole, true);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setIcon(0, swatch(palette().color(QPalette::PlaceholderText), graph_.showsPrivateBytes()));
    item->setCheckState(0, graph_.showsPrivateBytes() ? Qt::Checked : Qt::Unchecked);
}

void SeriesLegendView::setPainted(std::shared_ptr<const PaintedAnswer> painted, const QStringList& names) {
    if (painted == painted_ && names == paintedNames_) return;
    painted_ = std::move(painted);
    paintedNames_ = names;
    refill();
}

/// Skips rows of another query than the lines, as the graph does.
void SeriesLegendView::addPainted() {
    if (!painted_ || painted_->query.interval != answer_->query.interval) return;
    for (std::size_t i = 0; i < painted_->rows.size(); ++i) {
        const auto& name = paintedNames_[static_cast<qsizetype>(i)];
        if (name.isEmpty()) continue;
        auto* item = new QTreeWidgetItem(this);
        item->setText(0, lineText(name));
        item->setToolTip(0, tooltipText(name));
        item->setData(0, kPaintedRole, QVariant::fromValue(i));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setIcon(0, swatch(colors_.knownColorOf(painted_->rows[i].path), /*isDrawn=*/true));
    }
}

void SeriesLegendView::showValuesAt(std::optional<TraceTime> time) {
    time_ = time;
    fillValues();
}

void SeriesLegendView::fillValues() {
    if (!answer_) return;
    const QSignalBlocker blocker(this);
    headerItem()->setText(1, time_ ? tr("At cursor") : isNewBytesChart() ? tr("Total") : tr("Peak"));
    headerItem()->setToolTip(1, isCoarse() ? tooltipText(tr("Preliminary: no line is higher than this.")) : QString());
    for (QTreeWidgetItemIterator item(this); *item; ++item) {
        const auto* series = seriesOf(*item);
        const auto painted = (*item)->data(0, kPaintedRole).value<std::size_t>();
        if ((*item)->data(0, kPrivateRole).toBool())
            fillValue(**item, answer_->privateBytes->peaks, answer_->privateBytes->firstSlice);
        else
            fillValue(**item, series ? series->peaks : painted_->rows[painted].peaks);
    }
}

void SeriesLegendView::fillValue(QTreeWidgetItem& item, const std::vector<SignedByteCount>& peaks,
                                 std::size_t firstSlice) {
    const auto measure = answer_->query.measure;
    const auto value =
        time_ ? valueAt(answer_->timeline, peaks, *time_, firstSlice) : std::optional(wholeOf(peaks, measure));
    const auto bound = isCoarse() && seriesOf(&item) != nullptr ? tr("≤ %1") : QStringLiteral("%1");
    item.setText(1, value ? bound.arg(formatAmount(*value, measure)) : QString());
    const bool isBytes = measure != analysis::TimelineMeasure::Count;
    item.setToolTip(1, tooltipText(value && isBytes ? bound.arg(formatExactBytes(*value)) : item.text(1)));
}

/// Filled if the line is drawn, hollow otherwise.
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

bool SeriesLegendView::isNewBytesChart() const {
    return answer_ && answer_->query.measure == analysis::TimelineMeasure::NewBytes;
}

/// For the total: hides nothing.
void SeriesLegendView::hideAllBut(const analysis::KeyPath& path) {
    std::vector<analysis::KeyPath> hidden;
    for (const auto& series : answer_->timeline.series) {
        const bool isWanted = leadsTo(series.path, path) || leadsTo(path, series.path);
        const bool isHidden =
            std::ranges::any_of(hidden, [&](const auto& other) { return leadsTo(other, series.path); });
        if (series.isGroup && !isWanted && !isHidden) hidden.push_back(series.path);
    }
    graph_.hideSeries(std::move(hidden));
}

void SeriesLegendView::contextMenuEvent(QContextMenuEvent* event) {
    auto* item = currentItem();
    if (event->reason() == QContextMenuEvent::Mouse) item = itemAt(viewport()->mapFromGlobal(event->globalPos()));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("legendMenu"));
    const auto* series = seriesOf(item);
    const auto path = series ? series->path : analysis::KeyPath();
    auto* only = menu->addAction(tr("Show &Only This Line"), this, [this, path] { hideAllBut(path); });
    only->setObjectName(QStringLiteral("showOnlyLine"));
    only->setEnabled(series && series->isGroup);
    auto* all = menu->addAction(tr("Show &All Lines"), this, [this] { graph_.hideSeries({}); });
    all->setObjectName(QStringLiteral("showAllLines"));
    all->setEnabled(!graph_.hiddenSeries().empty());
    menu->addSeparator();
    const bool isOpen = series && graph_.isSeriesOpen(path);
    auto* turn = menu->addAction(isOpen ? tr("Co&llapse Line") : tr("Expand &Line"), this,
                                 [this, path] { graph_.turnSeries(path); });
    turn->setObjectName(QStringLiteral("turnLine"));
    turn->setEnabled(series && series->canOpen);
    addLevels(*menu);
    menu->popup(event->globalPos());
}

/// "Process", "Process, Handle": separates all lines by that many keys.
void SeriesLegendView::addLevels(QMenu& menu) {
    const auto most = isNewBytesChart() ? 0 : seriesLevelsOf(graph_.layout());
    if (most < 2) return;
    auto* levels = menu.addMenu(tr("One Line &for Each"));
    levels->setObjectName(QStringLiteral("lineLevels"));
    QStringList names;
    for (std::uint32_t level = 1; level <= most; ++level) {
        names << toQString(analysis::columnName(graph_.table(), graph_.layout().keyColumns()[level - 1]));
        auto* action =
            levels->addAction(names.join(QStringLiteral(", ")), this, [this, level] { graph_.openSeriesTo(level); });
        action->setCheckable(true);
        action->setChecked(graph_.turnedSeries().empty() && graph_.seriesLevels() == level);
    }
}

void SeriesLegendView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeWidget::currentChanged(current, previous);
    const auto* series = current.isValid() ? seriesOf(itemFromIndex(current)) : nullptr;
    if (series) current_ = series->path;
}

// Refilling inside an item's signal would delete the item.
void SeriesLegendView::noteTick(QTreeWidgetItem* item) {
    if (item->data(0, kPrivateRole).toBool()) {
        const bool shows = item->checkState(0) == Qt::Checked;
        QMetaObject::invokeMethod(
            this, [this, shows] { graph_.showPrivateBytes(shows); }, Qt::QueuedConnection);
        return;
    }
    const auto* series = seriesOf(item);
    if (!series || !series->isGroup) return;
    auto hidden = graph_.hiddenSeries();
    std::erase(hidden, series->path);
    if (item->checkState(0) != Qt::Checked) hidden.push_back(series->path);
    QMetaObject::invokeMethod(
        this, [this, hidden] { graph_.hideSeries(hidden); }, Qt::QueuedConnection);
}

void SeriesLegendView::noteOpening(QTreeWidgetItem* item) {
    const auto* series = seriesOf(item);
    if (!series || !series->canOpen) return;
    const auto turn = [this, path = series->path, isOpen = item->isExpanded()] {
        if (graph_.isSeriesOpen(path) != isOpen) graph_.turnSeries(path);
    };
    QMetaObject::invokeMethod(this, turn, Qt::QueuedConnection);
}

} // namespace highwater::ui

#include "moc_series_legend_view.cpp"

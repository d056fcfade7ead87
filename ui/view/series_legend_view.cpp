#include "ui/view/series_legend_view.h"

#include "ui/format/byte_format.h"
#include "ui/state/series_colors.h"

#include <QEvent>
#include <QHeaderView>
#include <QPixmap>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kKeyRole = Qt::UserRole + 1;

QIcon swatch(const QColor& color) {
    QPixmap pixmap(12, 12);
    pixmap.fill(color);
    return QIcon(pixmap);
}

} // namespace

SeriesLegendView::SeriesLegendView(GraphState& graph, SeriesColors& colors, QWidget* parent)
    : QTreeWidget(parent), graph_(graph), colors_(colors) {
    build();
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::HiddenSeries)) refill();
    });
}

void SeriesLegendView::build() {
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
    setRootIsDecorated(false);
    setUniformRowHeights(true);
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
    const auto peak = series.peaks.empty() ? 0 : *std::max_element(series.peaks.begin(), series.peaks.end());
    item->setText(0, QString::fromStdString(series.name));
    item->setToolTip(0, item->text(0));
    item->setText(1, formatBytes(peak));
    item->setToolTip(1, formatExactBytes(peak));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setIcon(0, swatch(colors_.colorOf(*answer_, series)));
    if (series.isGroup) {
        item->setData(0, kKeyRole, QVariant::fromValue<quint64>(series.key));
        item->setCheckState(0, graph_.hiddenSeries().contains(series.key) ? Qt::Unchecked : Qt::Checked);
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

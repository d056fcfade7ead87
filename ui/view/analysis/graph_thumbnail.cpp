#include "ui/view/analysis/graph_thumbnail.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kGraphHeight = 44;
constexpr int kThumbnailMargin = 4;
constexpr int kFillAlpha = 70;
constexpr int kHighlightAlpha = 60;
constexpr double kBarWidth = 3;

double highestOf(const analysis::Timeline& timeline) {
    SignedByteCount highest = 0;
    for (const auto& series : timeline.series) {
        for (const auto bytes : series.peaks)
            highest = std::max(highest, bytes);
    }
    return static_cast<double>(highest);
}

void paintHighlight(QPainter& painter, const QRectF& plot, const GraphThumbnail& graph) {
    const auto whole = graph.timeline->interval;
    if (!graph.highlight || whole.isEmpty()) return;
    const auto xOf = [&](TraceTime time) {
        const auto share =
            static_cast<double>(time.ns - whole.start.ns) / static_cast<double>(whole.end.ns - whole.start.ns);
        return plot.left() + std::clamp(share, 0.0, 1.0) * plot.width();
    };
    auto color = QApplication::palette().color(QPalette::Highlight);
    color.setAlpha(kHighlightAlpha);
    const auto left = xOf(graph.highlight->start);
    painter.fillRect(QRectF(left, plot.top(), std::max(1.0, xOf(graph.highlight->end) - left), plot.height()), color);
}

/// Draws steps like the data, so that spikes keep their edges.
void paintAmounts(QPainter& painter, const QRectF& plot, const analysis::Timeline& timeline, const QColor& color) {
    const auto highest = highestOf(timeline);
    const auto& peaks = timeline.series.front().peaks;
    if (highest <= 0 || peaks.empty()) return;
    const auto slice = plot.width() / static_cast<double>(peaks.size());
    QPainterPath line;
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        const auto y =
            plot.bottom() - static_cast<double>(std::max<SignedByteCount>(peaks[i], 0)) / highest * plot.height();
        const auto x = plot.left() + static_cast<double>(i) * slice;
        if (i == 0)
            line.moveTo(x, y);
        else
            line.lineTo(x, y);
        line.lineTo(x + slice, y);
    }
    auto area = line;
    area.lineTo(plot.bottomRight());
    area.lineTo(plot.bottomLeft());
    auto fill = color;
    fill.setAlpha(kFillAlpha);
    painter.fillPath(area, fill);
    painter.setPen(QPen(color, 1));
    painter.drawPath(line);
}

/// Draws instants as bars of a minimum width.
void paintInstances(QPainter& painter, const QRectF& plot, const analysis::Timeline& timeline, const QColor& color) {
    const auto highest = highestOf(timeline);
    const auto& peaks = timeline.series.front().peaks;
    if (highest <= 0) return;
    const auto slice = plot.width() / static_cast<double>(peaks.size());
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        if (peaks[i] <= 0) continue;
        const auto height = std::max(1.0, static_cast<double>(peaks[i]) / highest * plot.height());
        const auto middle = plot.left() + (static_cast<double>(i) + 0.5) * slice;
        painter.fillRect(QRectF(middle - kBarWidth / 2, plot.bottom() - height, kBarWidth, height), color);
    }
}

} // namespace

QString GraphThumbnail::words() const {
    if (isRefused) return hasRows ? ui::tr("no timeline") : ui::tr("no events");
    return timeline ? nothing : ui::tr("no trace");
}

bool GraphThumbnail::isEmpty() const { return !timeline || timeline->series.empty() || highestOf(*timeline) <= 0; }

GraphThumbnailDelegate::GraphThumbnailDelegate(ThumbnailOf thumbnailOf, QObject* parent)
    : QStyledItemDelegate(parent), thumbnailOf_(std::move(thumbnailOf)) {}

QSize GraphThumbnailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    auto size = QStyledItemDelegate::sizeHint(option, index);
    if (thumbnailOf_(index) != nullptr)
        size.setHeight(option.fontMetrics.height() + kGraphHeight + 3 * kThumbnailMargin);
    return size;
}

void GraphThumbnailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    const auto* thumbnail = thumbnailOf_(index);
    if (thumbnail == nullptr) return QStyledItemDelegate::paint(painter, option, index);
    const auto& graph = *thumbnail;
    auto entry = option;
    initStyleOption(&entry, index);
    const auto name = std::exchange(entry.text, QString());
    const auto* style = entry.widget ? entry.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &entry, painter, entry.widget);
    const bool isSelected = entry.state.testFlag(QStyle::State_Selected);
    const auto group = graph.isEmpty() ? QPalette::Disabled : QPalette::Active;
    const auto text = entry.palette.color(isSelected ? QPalette::Active : group,
                                          isSelected ? QPalette::HighlightedText : QPalette::Text);
    const auto inner = entry.rect.adjusted(kThumbnailMargin, kThumbnailMargin, -kThumbnailMargin, -kThumbnailMargin);
    const auto titleHeight = entry.fontMetrics.height();
    const QRectF plot(inner.left(), inner.top() + titleHeight + kThumbnailMargin, inner.width(), kGraphHeight - 1);
    painter->save();
    painter->setPen(text);
    painter->drawText(QRect(inner.left(), inner.top(), inner.width(), titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                      entry.fontMetrics.elidedText(name, Qt::ElideRight, inner.width()));
    if (graph.isEmpty()) {
        painter->drawText(plot, Qt::AlignCenter, graph.words());
    } else {
        painter->setClipRect(plot.adjusted(-1, -1, 1, 1));
        paintHighlight(*painter, plot, graph);
        const auto color = entry.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Highlight);
        (graph.isOfInstants ? paintInstances : paintAmounts)(*painter, plot, *graph.timeline, color);
    }
    painter->restore();
}

} // namespace highwater::ui

#include "moc_graph_thumbnail.cpp"

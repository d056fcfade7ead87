#include "ui/view/analysis/graph_thumbnail.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QTreeView>

#include <algorithm>
#include <limits>
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

/// As wide as the view, less what paint() leaves free.
int titleWidth(const QStyleOptionViewItem& option, const QModelIndex& index) {
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    if (view == nullptr) return std::numeric_limits<int>::max();
    int depth = view->rootIsDecorated() ? 1 : 0;
    for (auto above = index.parent(); above.isValid(); above = above.parent())
        ++depth;
    return view->viewport()->width() - depth * view->indentation() - 2 * kThumbnailMargin;
}

/// A title that is wider takes several lines, because it would be hard to recognize if it were elided.
int titleHeight(const QFontMetrics& metrics, const QString& title, int width) {
    constexpr int kAnyHeight = 1000;
    return metrics.boundingRect(QRect(0, 0, std::max(width, 1), kAnyHeight), Qt::TextWordWrap, title).height();
}

/// A graph without data leaves its room to the others.
int graphHeight(const GraphThumbnail& graph, const QFontMetrics& metrics) {
    return graph.isNothing() ? metrics.height() : kGraphHeight;
}

} // namespace

QString GraphThumbnail::words() const {
    if (isRefused) return hasRows ? ui::tr("no timeline") : ui::tr("no events");
    if (timeline) return nothing;
    return isAsked ? ui::tr("counting…") : ui::tr("no trace");
}

bool GraphThumbnail::isEmpty() const { return !timeline || timeline->series.empty() || highestOf(*timeline) <= 0; }

bool GraphThumbnail::isNothing() const { return isEmpty() && (isRefused || timeline.has_value()); }

GraphThumbnailDelegate::GraphThumbnailDelegate(ThumbnailOf thumbnailOf, QObject* parent)
    : QStyledItemDelegate(parent), thumbnailOf_(std::move(thumbnailOf)) {}

QSize GraphThumbnailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    auto size = QStyledItemDelegate::sizeHint(option, index);
    if (const auto* thumbnail = thumbnailOf_(index))
        size.setHeight(titleHeight(option.fontMetrics, index.data().toString(), titleWidth(option, index)) +
                       graphHeight(*thumbnail, option.fontMetrics) + 3 * kThumbnailMargin);
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
    const QRect title(inner.left(), inner.top(), inner.width(), titleHeight(entry.fontMetrics, name, inner.width()));
    const QRectF plot(inner.left(), inner.top() + title.height() + kThumbnailMargin, inner.width(),
                      graphHeight(graph, entry.fontMetrics) - 1);
    painter->save();
    painter->setPen(text);
    painter->drawText(title, Qt::AlignLeft | Qt::TextWordWrap, name);
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

#include "ui/view/timeline/timeline_picture.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/view/parts/svg_file.h"
#include "ui/view/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr int kPictureMargin = 10;
constexpr int kLegendSwatch = 10;

struct Entry {
    QString text;
    QColor color;
};

std::vector<Entry> legendOf(const TimelineView& view) {
    std::vector<Entry> entries;
    const auto& answer = view.answer();
    if (!answer) return entries;
    for (std::size_t s = 0; s < answer->timeline.series.size(); ++s) {
        if (!view.layers().isShown(s)) continue;
        const auto& series = answer->timeline.series[s];
        const auto peak = series.peaks.empty() ? 0 : *std::max_element(series.peaks.begin(), series.peaks.end());
        entries.push_back(
            {TimelineView::tr("%1, peak %2")
                 .arg(lineText(wholeNameOf(answer->timeline, s)), formatAmount(peak, answer->query.measure)),
             view.layers().colorOf(s)});
    }
    if (const auto& bytes = answer->privateBytes; bytes && view.layers().privateColor().isValid()) {
        const auto peak = std::ranges::max(bytes->peaks);
        entries.push_back({TimelineView::tr("%1, peak %2")
                               .arg(TimelineView::privateBytesName(), formatAmount(peak, answer->query.measure)),
                           view.layers().privateColor()});
    }
    return entries;
}

QString titleOf(const GraphState& graph) {
    const auto title = analysis::tableTitle(graph.table());
    auto text = toQString(title);
    for (const auto& step : graph.filterSteps()) {
        text += QStringLiteral(", ") + lineText(step.text);
    }
    const auto visible = graph.analysis().visibleRange();
    return text + QStringLiteral(", ") + formatRange(visible);
}

/// Lays out entries in as many lines as needed; without a painter, only measures. Returns the height.
int layLegend(const std::vector<Entry>& entries, const QFontMetrics& metrics, int width, QPainter* painter, int top) {
    int x = kPictureMargin;
    int y = top;
    for (const auto& [name, color] : entries) {
        const auto text = metrics.elidedText(name, Qt::ElideMiddle, width - 2 * kPictureMargin - kLegendSwatch - 5);
        const auto needed = kLegendSwatch + 5 + metrics.horizontalAdvance(text) + 18;
        if (x > kPictureMargin && x + needed > width - kPictureMargin) {
            x = kPictureMargin;
            y += metrics.height() + 2;
        }
        if (painter) {
            painter->fillRect(x, y + (metrics.height() - kLegendSwatch) / 2, kLegendSwatch, kLegendSwatch, color);
            painter->drawText(x + kLegendSwatch + 5, y + metrics.ascent(), text);
        }
        x += needed;
    }
    return entries.empty() ? 0 : y - top + metrics.height() + 4;
}

/// The header above the plot, and the total size.
class Page {
  public:
    Page(TimelineView& view, const GraphState& graph)
        : view_(view),
          title_(titleOf(graph)),
          entries_(legendOf(view)),
          legendTop_(kPictureMargin + view.fontMetrics().height() + 6),
          plotTop_(legendTop_ + layLegend(entries_, view.fontMetrics(), view.width(), nullptr, legendTop_)) {}

    [[nodiscard]] const QString& title() const { return title_; }
    [[nodiscard]] QSize size() const { return {view_.width(), plotTop_ + view_.height()}; }

    /// Leaves the painter's origin at the plot.
    void draw(QPainter& painter) const {
        const auto metrics = view_.fontMetrics();
        painter.setFont(view_.font());
        painter.setPen(view_.palette().color(QPalette::Text));
        painter.drawText(kPictureMargin, kPictureMargin + metrics.ascent(),
                         metrics.elidedText(title_, Qt::ElideRight, view_.width() - 2 * kPictureMargin));
        layLegend(entries_, metrics, view_.width(), &painter, legendTop_);
        painter.translate(0, plotTop_);
    }

  private:
    TimelineView& view_;
    QString title_;
    std::vector<Entry> entries_;
    int legendTop_;
    int plotTop_;
};

} // namespace

QImage pictureOf(TimelineView& view, const GraphState& graph, double scale) {
    const Page page(view, graph);
    QImage image((QSizeF(page.size()) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(view.palette().color(QPalette::Base));
    QPainter painter(&image);
    page.draw(painter);
    view.renderPlot(painter);
    return image;
}

QString saveDrawingOf(TimelineView& view, const GraphState& graph, const QString& file) {
    const Page page(view, graph);
    const auto draw = [&](QPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), page.size()), view.palette().color(QPalette::Base));
        page.draw(painter);
        view.drawPlot(painter);
    };
    return saveSvg(page.size(), page.title(), draw, file);
}

} // namespace highwater::ui

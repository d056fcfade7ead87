#include "ui/view/charts_timeline_surface.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPen>
#include <QValueAxis>

#include <algorithm>

namespace highwater::ui {
namespace {

/// One point per slice, in its middle, and the ends of the interval.
QList<QPointF> pointsOf(const analysis::Timeline& timeline, const analysis::TimelineSeries& series) {
    QList<QPointF> points;
    const auto slices = std::min(timeline.starts.size(), series.peaks.size());
    if (slices == 0) return points;
    points.reserve(static_cast<qsizetype>(slices) + 2);
    points.append({timeline.interval.start.seconds(), static_cast<double>(series.peaks.front())});
    for (std::size_t i = 0; i < slices; ++i) {
        const auto end = i + 1 < slices ? timeline.starts[i + 1] : timeline.interval.end;
        points.append({(timeline.starts[i].seconds() + end.seconds()) / 2.0, static_cast<double>(series.peaks[i])});
    }
    points.append({timeline.interval.end.seconds(), static_cast<double>(series.peaks[slices - 1])});
    return points;
}

} // namespace

class ChartsTimelineSurface::Impl {
  public:
    explicit Impl(QWidget* parent)
        : chart(new QChart),
          view(new QChartView(chart, parent)),
          times(new QValueAxis(chart)),
          bytes(new QValueAxis(chart)) {
        build();
    }

    void build() {
        chart->legend()->hide();
        chart->setBackgroundVisible(false);
        chart->setMargins({});
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        for (auto* axis : {times, bytes}) {
            axis->setVisible(false);
            chart->addAxis(axis, axis == times ? Qt::AlignBottom : Qt::AlignLeft);
        }
        view->setFrameShape(QFrame::NoFrame);
        view->setBackgroundBrush(Qt::NoBrush);
        view->viewport()->setAutoFillBackground(false);
        view->setRenderHint(QPainter::Antialiasing);
        view->setFocusPolicy(Qt::NoFocus);
        view->setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    QLineSeries& series(int position) {
        while (lines.size() <= position) {
            auto* line = new QLineSeries(chart);
            chart->addSeries(line);
            line->attachAxis(times);
            line->attachAxis(bytes);
            lines.append(line);
        }
        return *lines[position];
    }

    QChart* chart;
    QChartView* view;
    QValueAxis* times;
    QValueAxis* bytes;
    QList<QLineSeries*> lines;
};

ChartsTimelineSurface::ChartsTimelineSurface(QWidget* parent) : impl_(std::make_unique<Impl>(parent)) {}
ChartsTimelineSurface::~ChartsTimelineSurface() = default;

QWidget* ChartsTimelineSurface::widget() { return impl_->view; }

void ChartsTimelineSurface::setPlotArea(const QRectF& plot) { impl_->chart->setPlotArea(plot); }

void ChartsTimelineSurface::draw(const TimelineScene& scene) {
    impl_->times->setRange(scene.visible.start.seconds(), scene.visible.end.seconds());
    impl_->bytes->setRange(scene.lowestBytes, scene.highestBytes);
    const auto count = scene.answer ? scene.answer->timeline.series.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto& line = impl_->series(static_cast<int>(i));
        line.replace(pointsOf(scene.answer->timeline, scene.answer->timeline.series[i]));
        line.setPen(QPen(scene.colors[i], 1.6));
        line.setVisible(scene.colors[i].isValid());
    }
    for (auto i = static_cast<int>(count); i < impl_->lines.size(); ++i) {
        impl_->lines[i]->setVisible(false);
    }
}

} // namespace highwater::ui

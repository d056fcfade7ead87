#include "ui/view/timeline/charts_timeline_surface.h"

#include "ui/view/timeline/timeline_outline.h"

#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPen>
#include <QValueAxis>

#include <algorithm>

namespace highwater::ui {
namespace {

using Form = TimelineShape::Form;

} // namespace

class ChartsTimelineSurface::Impl {
  public:
    explicit Impl(QWidget* parent)
        : chart(new QChart),
          view(new QChartView(chart, parent)),
          times(new QValueAxis(chart)),
          amounts(new QValueAxis(chart)) {
        build();
    }

    void build() {
        chart->legend()->hide();
        chart->setBackgroundVisible(false);
        chart->setMargins({});
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        for (auto* axis : {times, amounts}) {
            axis->setVisible(false);
            chart->addAxis(axis, axis == times ? Qt::AlignBottom : Qt::AlignLeft);
        }
        view->setFrameShape(QFrame::NoFrame);
        view->setBackgroundBrush(Qt::NoBrush);
        view->viewport()->setAutoFillBackground(false);
        view->setRenderHint(QPainter::Antialiasing);
        view->setFocusPolicy(Qt::NoFocus);
        view->viewport()->setFocusPolicy(Qt::NoFocus);
        view->setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    /// What is drawn first is added first: as many series, of these forms, in this order. Most scenes have the forms of
    /// the one before.
    void fitForms(const std::vector<TimelineShape>& shapes) {
        const auto isLine = [](const TimelineShape& shape) { return shape.form == Form::Line; };
        const bool fits =
            std::equal(shapes.begin(), shapes.end(), series.begin(), series.end(), [&](const auto& shape, auto* old) {
                return isLine(shape) == (old->type() == QAbstractSeries::SeriesTypeLine);
            });
        if (fits) return;
        chart->removeAllSeries();
        series.clear();
        for (const auto& shape : shapes) {
            QAbstractSeries* made = new QLineSeries(chart);
            if (!isLine(shape)) {
                auto* area = new QAreaSeries(static_cast<QLineSeries*>(made), new QLineSeries(chart));
                made = area;
            }
            chart->addSeries(made);
            made->attachAxis(times);
            made->attachAxis(amounts);
            series.append(made);
        }
    }

    void fill(QAbstractSeries& into, const TimelineScene& scene, const TimelineShape& shape) {
        const auto outline = outlineOf(scene, shape);
        if (shape.form == Form::Line) {
            auto& line = static_cast<QLineSeries&>(into);
            line.replace(outline.upper);
            line.setPen(QPen(shape.color, shape.width));
            return;
        }
        auto& area = static_cast<QAreaSeries&>(into);
        area.upperSeries()->replace(outline.upper);
        area.lowerSeries()->replace(outline.lower);
        area.setBrush(shape.color);
        area.setPen(edgePenOf(shape));
    }

    QChart* chart;
    QChartView* view;
    QValueAxis* times;
    QValueAxis* amounts;
    QList<QAbstractSeries*> series;
};

ChartsTimelineSurface::ChartsTimelineSurface(QWidget* parent) : impl_(std::make_unique<Impl>(parent)) {}
ChartsTimelineSurface::~ChartsTimelineSurface() = default;

QWidget* ChartsTimelineSurface::widget() { return impl_->view; }

void ChartsTimelineSurface::setPlotArea(const QRectF& plot) { impl_->chart->setPlotArea(plot); }

void ChartsTimelineSurface::draw(const TimelineScene& scene) {
    impl_->times->setRange(scene.visible.start.seconds(), scene.visible.end.seconds());
    impl_->amounts->setRange(scene.lowest, scene.highest);
    impl_->fitForms(scene.shapes);
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
        impl_->fill(*impl_->series[static_cast<qsizetype>(i)], scene, scene.shapes[i]);
    }
}

} // namespace highwater::ui

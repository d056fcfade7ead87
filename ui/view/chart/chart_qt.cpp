#include "ui/view/chart/chart_canvas.h"
#include "ui/view/chart/chart_overlay.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QStackedBarSeries>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kTickGap = 24;      ///< minimum vertical distance between two amounts
constexpr int kLabelLetters = 12; ///< maximum width of a category name
constexpr double kBarWidth = 0.8; ///< share of a point's space
constexpr double kAlone = 0.02;   ///< half width of a band with a single point

std::int64_t whole(double amount) {
    constexpr double kMost = 4.6e18; // a tick beyond it must fit as well
    return static_cast<std::int64_t>(std::clamp(amount, -kMost, kMost));
}

/// Points in the middle of categories, or as steps between edges.
QList<QPointF> linePoints(const ChartPoints& points, const std::vector<double>& values) {
    QList<QPointF> line;
    const auto count = std::min(values.size(), points.count());
    for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(i);
        if (points.categories.isEmpty())
            line << QPointF(static_cast<double>(points.edges[i]), values[i])
                 << QPointF(static_cast<double>(points.edges[i + 1]), values[i]);
        else if (count == 1)
            line << QPointF(x - kAlone, values[i]) << QPointF(x + kAlone, values[i]);
        else
            line << QPointF(x, values[i]);
    }
    return line;
}

/// Range of the point axis.
std::pair<double, double> pointRange(const ChartPoints& points) {
    if (!points.categories.isEmpty()) return {-0.5, static_cast<double>(points.count()) - 0.5};
    return {static_cast<double>(points.edges.front()), static_cast<double>(points.edges.back())};
}

std::vector<Tick> ticksOf(ChartUnit unit, double lowest, double highest, int most) {
    if (unit == ChartUnit::Nanoseconds) return timeTicks({TraceTime{whole(lowest)}, TraceTime{whole(highest)}}, most);
    return unit == ChartUnit::Bytes ? byteTicks(whole(lowest), whole(highest), most)
                                    : countTicks(whole(lowest), whole(highest), most);
}

class QtCanvas : public QChartView, public ChartCanvas {
  public:
    explicit QtCanvas(QWidget& parent);
    [[nodiscard]] QWidget& widget() override { return *this; }
    void draw(const ChartPicture& picture) override;
    void setPointed(std::optional<std::size_t> point) override;
    [[nodiscard]] QRectF plot() const override { return plot_; }
    [[nodiscard]] int legendWidth() const override { return overlay().legendWidth(); }
    void paintPicture(QPainter& painter) override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

  private:
    void redraw();
    void addSeries();
    void addLine(const ChartSeries& series);
    void addBand(const ChartSeries& series, const std::vector<double>& upper, const std::vector<double>& lower);
    void addStackedBands();
    void addBars();
    void add(QAbstractSeries* series);
    void colorAxes();
    void layOut();
    [[nodiscard]] double missingRoom(const std::vector<Tick>& names) const;
    std::vector<Tick> amountLabels(double height) const;
    std::vector<Tick> pointLabels() const;
    std::vector<Tick> categoryLabels() const;
    void setLabels(QCategoryAxis& axis, const std::vector<Tick>& ticks);
    [[nodiscard]] ChartOverlay overlay() const { return {picture_, plot_, *this}; }

    ChartPicture picture_;
    QCategoryAxis* points_;
    QCategoryAxis* amounts_;
    std::optional<std::size_t> pointed_;
    QRectF plot_;
};

QtCanvas::QtCanvas(QWidget& parent) : QChartView(&parent), points_(new QCategoryAxis), amounts_(new QCategoryAxis) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setFocusPolicy(Qt::NoFocus);
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundVisible(false);
    chart()->setMargins({});
    chart()->setMinimumSize(1, 1);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->legend()->hide(); // it lays out names only after painting
    chart()->addAxis(points_, Qt::AlignBottom);
    chart()->addAxis(amounts_, Qt::AlignLeft);
    points_->setGridLineVisible(false);
    for (auto* axis : {points_, amounts_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
    }
}

void QtCanvas::draw(const ChartPicture& picture) {
    picture_ = picture;
    redraw();
}

void QtCanvas::redraw() {
    chart()->removeAllSeries();
    setBackgroundBrush(palette().color(QPalette::Base));
    colorAxes();
    addSeries();
    const auto [from, to] = pointRange(picture_.points);
    const auto [lowest, highest] = valueRange(picture_);
    points_->setRange(from, to);
    amounts_->setRange(lowest, highest);
    layOut();
}

void QtCanvas::colorAxes() {
    auto faint = palette().color(QPalette::Text);
    faint.setAlpha(50);
    for (auto* axis : {points_, amounts_}) {
        axis->setLabelsFont(font());
        axis->setLabelsBrush(overlay().textColor());
        axis->setLinePen(faint);
        axis->setGridLinePen(faint);
    }
}

/// All bars form one series of Qt Charts, behind lines and bands.
void QtCanvas::addSeries() {
    if (picture_.hasBars()) addBars();
    addStackedBands();
    for (const auto& series : picture_.series) {
        if (series.kind == ChartKind::Band) addBand(series, series.values, series.lower);
        if (series.isLine()) addLine(series);
    }
}

void QtCanvas::add(QAbstractSeries* series) {
    chart()->addSeries(series);
    series->attachAxis(points_);
    series->attachAxis(amounts_);
}

void QtCanvas::addLine(const ChartSeries& series) {
    auto* line = new QLineSeries;
    line->append(linePoints(picture_.points, series.values));
    line->setPen(overlay().penOf(series));
    add(line);
}

void QtCanvas::addBand(const ChartSeries& series, const std::vector<double>& upper, const std::vector<double>& lower) {
    auto* band = new QAreaSeries;
    auto* above = new QLineSeries(band);
    auto* below = new QLineSeries(band);
    above->append(linePoints(picture_.points, upper));
    below->append(linePoints(picture_.points, lower));
    band->setUpperSeries(above);
    band->setLowerSeries(below);
    band->setBrush(overlay().penOf(series).color());
    band->setPen(Qt::NoPen);
    add(band);
}

void QtCanvas::addStackedBands() {
    std::vector<double> reached(picture_.points.count());
    for (const auto& series : picture_.series) {
        if (series.kind != ChartKind::StackedBands) continue;
        auto upper = reached;
        for (std::size_t i = 0; i < std::min(upper.size(), series.values.size()); ++i)
            upper[i] += series.values[i];
        addBand(series, upper, reached);
        reached = std::move(upper);
    }
}

void QtCanvas::addBars() {
    const auto first = std::find_if(picture_.series.begin(), picture_.series.end(), std::mem_fn(&ChartSeries::isBar));
    QAbstractBarSeries* bars = nullptr;
    if (first->kind == ChartKind::StackedBars)
        bars = new QStackedBarSeries;
    else
        bars = new QBarSeries;
    for (const auto& series : picture_.series) {
        if (!series.isBar()) continue;
        auto* set = new QBarSet({});
        set->append(QList<qreal>(series.values.begin(), series.values.end()));
        set->setColor(overlay().color(series));
        set->setPen(Qt::NoPen);
        bars->append(set);
    }
    bars->setBarWidth(kBarWidth);
    add(bars);
}

void QtCanvas::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    if (picture_.points.count() > 0) layOut();
}

void QtCanvas::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    const bool isOther = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (isOther && picture_.points.count() > 0) redraw();
}

/// Rows from top to bottom: legend, names of marks, plot, names of points. The plot area is set here, because Qt Charts
/// computes it only when painting.
void QtCanvas::layOut() {
    const auto letters = fontMetrics().height();
    const auto top = letters + kHeadHeight + (picture_.marks.empty() ? 0 : letters + 2);
    const auto height = std::max(this->height() - top - letters - kChartMargin - 4, 1);
    const auto amounts = amountLabels(height);
    int widest = 0;
    for (const auto& tick : amounts)
        widest = std::max(widest, fontMetrics().horizontalAdvance(tick.label));
    const auto left = widest + kChartMargin + 8;
    plot_ = QRectF(left, top, std::max(width() - left - 2 * kChartMargin, 1), height);
    auto names = pointLabels();
    plot_.setRight(plot_.right() - missingRoom(names));
    chart()->setPlotArea(plot_);
    setLabels(*amounts_, amounts);
    setLabels(*points_, names);
}

/// Amount by which the last name, centered below its point, would exceed the widget.
double QtCanvas::missingRoom(const std::vector<Tick>& names) const {
    if (names.empty()) return 0;
    const auto [from, to] = pointRange(picture_.points);
    const auto x = plot_.left() + plot_.width() * (names.back().value - from) / (to - from);
    return std::max(x + fontMetrics().horizontalAdvance(names.back().label) / 2.0 + kChartMargin - width(), 0.0);
}

std::vector<Tick> QtCanvas::amountLabels(double height) const {
    const auto [lowest, highest] = valueRange(picture_);
    auto ticks = ticksOf(picture_.unit, lowest, highest, std::clamp(static_cast<int>(height / kTickGap), 2, 6));
    std::erase_if(
        ticks, [&, low = lowest, high = highest](const Tick& tick) { return tick.value < low || tick.value > high; });
    if (picture_.perUnit.isEmpty()) return ticks;
    for (auto& tick : ticks)
        tick.label = (tick.value == 0 ? chartAmount(picture_.unit, 0) : tick.label) + picture_.perUnit;
    return ticks;
}

std::vector<Tick> QtCanvas::pointLabels() const {
    const auto& points = picture_.points;
    if (!points.categories.isEmpty()) return categoryLabels();
    const auto [from, to] = pointRange(points);
    const auto widest = fontMetrics().averageCharWidth() * kLabelLetters;
    return ticksOf(points.unit, from, to, std::clamp(static_cast<int>(plot_.width() / widest), 1, 10));
}

/// As many names as fit: always the last one, and every second or fewer of the others. Long names keep their ends,
/// where build names differ.
std::vector<Tick> QtCanvas::categoryLabels() const {
    const auto& names = picture_.points.categories;
    auto bold = font();
    bold.setBold(!picture_.points.bold.isEmpty());
    const QFontMetrics metrics(bold);
    int widest = 1;
    for (const auto& name : names)
        widest = std::max(widest, metrics.horizontalAdvance(name));
    widest = std::min(widest, metrics.averageCharWidth() * kLabelLetters);
    const auto room = plot_.width() / static_cast<double>(names.size());
    const auto step = static_cast<qsizetype>(std::max(1.0, std::ceil((widest + metrics.averageCharWidth()) / room)));
    std::vector<Tick> ticks;
    for (auto i = (names.size() - 1) % step; i < names.size(); i += step) {
        const auto fitting = static_cast<int>(room * static_cast<double>(step)) - metrics.averageCharWidth();
        auto label = metrics.elidedText(names[i], Qt::ElideLeft, std::max(fitting, widest)).toHtmlEscaped();
        if (picture_.points.bold.contains(names[i])) label = QStringLiteral("<b>%1</b>").arg(label);
        ticks.push_back({static_cast<double>(i), label});
    }
    return ticks;
}

void QtCanvas::setLabels(QCategoryAxis& axis, const std::vector<Tick>& ticks) {
    for (const auto& label : axis.categoriesLabels())
        axis.remove(label);
    axis.setStartValue(std::numeric_limits<double>::lowest());
    for (const auto& tick : ticks) {
        auto label = tick.label;
        while (axis.categoriesLabels().contains(label))
            label += QChar(0x200B); // axis labels must be unique; this character has no width
        axis.append(label, tick.value);
    }
}

void QtCanvas::setPointed(std::optional<std::size_t> point) {
    pointed_ = point;
    viewport()->update();
}

void QtCanvas::paintPicture(QPainter& painter) {
    const auto pointed = std::exchange(pointed_, {});
    render(&painter, QRectF(rect()), rect());
    pointed_ = pointed;
}

void QtCanvas::drawForeground(QPainter* painter, const QRectF&) {
    if (picture_.points.count() == 0) return;
    overlay().paint(*painter, pointed_);
}

} // namespace

std::unique_ptr<ChartCanvas> makeChartCanvas(QWidget& parent) { return std::make_unique<QtCanvas>(parent); }

} // namespace highwater::ui

#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/timeline_answer.h"

#include <QColor>
#include <QPointF>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Shape of a line, layer or painted row to draw: from `lower` to `upper`, per slice.
struct TimelineShape {
    enum class Form : std::uint8_t {
        Line, ///< along `upper`
        Area, ///< filled in between, from the middle of each slice to the next
        Bars, ///< filled rectangles with gaps, one per slice
    };
    Form form = Form::Line;
    QColor color;
    double width = 1.6;
    std::vector<double> lower;
    std::vector<double> upper;
    /// Final value of a line, or of both edges of an area: at the end of the interval, not the peaks of its last slice.
    double lowerEnd = 0;
    double upperEnd = 0;
    QColor edge = {}; ///< around an area or bars of a painted row; invalid: none
    std::size_t firstSlice = 0; ///< a line or an area begins here; its values before are unknown
    bool isHatched = false;     ///< an area or bars that no rows explain
};

/// Everything in a graph except its axes, in drawing order.
struct TimelineScene {
    std::vector<TraceTime> edges; ///< one more than the number of slices in the shapes
    TimeRange visible;            ///< range of the plot; may differ from the edges while a zoom is pending
    double lowest = 0;
    double highest = 1;
    std::vector<TimelineShape> shapes;
};

/// Whether the upper edge of a shape passes between two amounts during this time. False for times and amounts outside
/// the scene.
[[nodiscard]] bool isCrossed(const TimelineScene& scene, TimeRange time, double low, double high);

/// Input of a scene.
struct TimelineContent {
    std::shared_ptr<const TimelineAnswer> answer;
    std::vector<QColor> colors; ///< per series; invalid: hidden, or open so that its children are drawn instead
    std::shared_ptr<const PaintedAnswer> painted;
    std::vector<QColor> paintedColors;
    QColor totalColor;
    QColor privateColor = {};          ///< colour of the private bytes; invalid: hidden
    ChartType chart = ChartType::Line; ///< NewBytes requires a matching answer, whose slices are the bars
    std::size_t bars = 40;             ///< for ChartType::Bars
};

/// Limits for the number of bars, as in WPA.
inline constexpr std::size_t kFewestBars = 4, kMostBars = 100;

/// Positions of a graph's series: lines start at the base line, areas and bars are stacked; bars of Heap Snapshot are
/// at their instances. Pure computation.
///
/// Peaks of a slice need not be at the same instant, so their stack is an upper bound. The real total is drawn as a
/// thin line over it, if the answer contains it and no series is hidden.
///
/// The private bytes of the processes are a thin line, which the rows explain in part. The rest is hatched, where the
/// outstanding amount of all rows is drawn, too: in a stack, or if it is the only line.
///
/// Painted rows start at the base line or, in a stack, inside the layer of their series, stacked in order of selection:
/// their height is their amount. A row inside another painted row is drawn inside it. The layer of an open series
/// consists of its children's.
class TimelineLayers {
  public:
    explicit TimelineLayers(TimelineContent content);

    /// Without visible range and heights.
    [[nodiscard]] TimelineScene scene() const;
    [[nodiscard]] const std::vector<TraceTime>& edges() const { return edges_; }
    /// The lowest and the highest drawn value; the range includes 0.
    [[nodiscard]] std::pair<SignedByteCount, SignedByteCount> extent() const;
    /// The slice that contains the time; nothing outside, or without an answer.
    [[nodiscard]] std::optional<std::size_t> sliceAt(TraceTime time) const;
    /// The time of the answer whose values are drawn there: for a bar around an instance, the time of the instance.
    [[nodiscard]] TraceTime timeOfValues(TraceTime time) const;
    /// The value of a series in a slice of the layers.
    [[nodiscard]] double valueOf(std::size_t series, std::size_t slice) const;
    [[nodiscard]] bool isShown(std::size_t series) const { return content_.colors[series].isValid(); }
    [[nodiscard]] QColor colorOf(std::size_t series) const { return content_.colors[series]; }
    [[nodiscard]] std::size_t seriesCount() const { return layers_.size(); }
    /// The real total of a slice, if it is shown.
    [[nodiscard]] std::optional<double> totalOf(std::size_t slice) const;
    /// Invalid: they are not shown.
    [[nodiscard]] QColor privateColor() const { return privateBytes_.color; }
    /// The private bytes of a slice, if they are shown and known there.
    [[nodiscard]] std::optional<double> privateBytesOf(std::size_t slice) const;
    /// The series at an amount in these slices: the nearest line (within `reach`), otherwise the next above; in a
    /// stack, the layer there. Nothing: the position is above everything.
    [[nodiscard]] std::optional<std::size_t> seriesAt(std::size_t firstSlice, std::size_t lastSlice, double amount,
                                                      double reach) const;
    /// The time in which the series rose from this amount to its value in these slices: the user points at the
    /// allocations that started then. An instant at the very start: it was already that high. For Frees: the highest
    /// slice.
    [[nodiscard]] TimeRange riseTo(std::size_t series, std::size_t firstSlice, std::size_t lastSlice,
                                   double amount) const;
    /// Whether no slice of the stack is higher than the total.
    [[nodiscard]] bool isStackExact() const;

  private:
    struct Layer {
        std::vector<double> lower;
        std::vector<double> upper;
        double lowerEnd = 0; ///< at the end of the interval
        double upperEnd = 0;
    };
    [[nodiscard]] bool drawsBars() const {
        return content_.chart == ChartType::Bars || content_.chart == ChartType::NewBytes;
    }
    [[nodiscard]] bool isStacked() const { return content_.chart == ChartType::StackedArea || drawsBars(); }
    [[nodiscard]] std::vector<double> reduced(const std::vector<SignedByteCount>& peaks) const;
    [[nodiscard]] double endOf(const std::vector<double>& values, SignedByteCount atEnd) const;
    void cutSlices();
    [[nodiscard]] bool showsInstances() const;
    void cutAroundInstances();
    void addPrivateBytes();
    [[nodiscard]] std::optional<Layer> explainedBytes() const;
    [[nodiscard]] std::optional<TimelineShape> unexplainedShape() const;
    void stack();
    void spanOpenOnes();
    [[nodiscard]] bool isOpen(std::size_t series) const { return content_.answer->timeline.series[series].isOpen; }
    [[nodiscard]] std::size_t lastIn(std::size_t series) const;
    [[nodiscard]] bool isWhole() const;
    [[nodiscard]] std::optional<std::size_t> lineAt(std::size_t first, std::size_t last, double amount,
                                                    double reach) const;
    [[nodiscard]] std::optional<std::size_t> seriesOf(const analysis::KeyPath& row) const;
    [[nodiscard]] bool isPaintedCurrent() const;
    void stackPainted();
    [[nodiscard]] TimelineShape paintedShape(std::size_t row, const Layer& ground,
                                             std::optional<std::size_t> layer) const;
    [[nodiscard]] std::optional<std::size_t> layerFor(const PaintedRow& row) const;
    [[nodiscard]] std::optional<std::size_t> paintedAround(std::size_t row) const;

    TimelineContent content_;
    std::vector<std::size_t>
        firstSlices_; ///< index in the answer of the first slice that each drawn slice covers; and the end
    std::vector<TraceTime> edges_;
    std::vector<Layer> layers_;
    std::vector<TimelineShape> painted_; ///< containers before their contents
    std::vector<double> total_;
    double totalEnd_ = 0;
    TimelineShape privateBytes_; ///< without values: not shown
};

} // namespace highwater::ui

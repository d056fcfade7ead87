#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/timeline_answer.h"

#include <QColor>
#include <QPointF>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// What a surface draws for one line, layer or painted row: from `lower` to `upper`, per slice.
struct TimelineShape {
    enum class Form : std::uint8_t {
        Line, ///< along `upper`
        Area, ///< filled between, from the middle of each slice to the next
        Bars, ///< filled rectangles, one a slice, with gaps
    };
    Form form = Form::Line;
    QColor color;
    double width = 1.6;
    std::vector<double> lower;
    std::vector<double> upper;
    /// Where a line, or both edges of an area, end: at the end of the interval, not of the peaks of its last slice.
    double lowerEnd = 0;
    double upperEnd = 0;
    QColor edge = {}; ///< around an area or bars of a painted row; invalid: none
};

/// All of a graph but its axes, in the order in which it is drawn.
struct TimelineScene {
    std::vector<TraceTime> edges; ///< one more than the shapes have slices
    TimeRange visible;            ///< what the plot shows; may differ from the edges while a zoom is answered
    double lowest = 0;
    double highest = 1;
    std::vector<TimelineShape> shapes;
};

/// Whether the upper edge of a shape passes between two amounts in this time. Times and amounts outside the scene are
/// crossed by nothing.
[[nodiscard]] bool isCrossed(const TimelineScene& scene, TimeRange time, double low, double high);

/// What a scene is composed from.
struct TimelineContent {
    std::shared_ptr<const TimelineAnswer> answer;
    std::vector<QColor> colors; ///< per series; invalid: hidden, or open: what is in it is drawn instead
    std::shared_ptr<const PaintedAnswer> painted;
    std::vector<QColor> paintedColors;
    QColor totalColor;
    ChartType chart = ChartType::Line; ///< NewBytes: of an answer to that; its slices are the bars
    std::size_t bars = 40;             ///< of ChartType::Bars
};

/// As few and as many intervals as WPA's bars have.
inline constexpr std::size_t kFewestBars = 4, kMostBars = 100;

/// The series of a graph where they stand: on the ground as lines, on each other as areas and bars; bars of Heap
/// Snapshot where the instances are. Pure computation.
///
/// Peaks of one slice need not be at the same instant, so a stack of them is an upper bound; how high all were together
/// is drawn as a thin line over it, where the answer has it and no series is hidden.
///
/// Painted rows stand on the ground, in a stack inside of the layer of their series, and on each other in the order in
/// which they were selected: how high they are is what they have. One that lies in another painted row stands in it.
/// The layer of an open series is those of what is in it.
class TimelineLayers {
  public:
    explicit TimelineLayers(TimelineContent content);

    /// Without visible range and heights.
    [[nodiscard]] TimelineScene scene() const;
    [[nodiscard]] const std::vector<TraceTime>& edges() const { return edges_; }
    /// The lowest and the highest that is drawn; 0 is between.
    [[nodiscard]] std::pair<SignedByteCount, SignedByteCount> extent() const;
    /// The slice that holds the time; none outside, or without an answer.
    [[nodiscard]] std::optional<std::size_t> sliceAt(TraceTime time) const;
    /// A time of the answer whose values are those that are drawn there: of a bar around an instance that of the
    /// instance.
    [[nodiscard]] TraceTime timeOfValues(TraceTime time) const;
    /// The value of a series in a slice of the layers.
    [[nodiscard]] double valueOf(std::size_t series, std::size_t slice) const;
    [[nodiscard]] bool isShown(std::size_t series) const { return content_.colors[series].isValid(); }
    [[nodiscard]] QColor colorOf(std::size_t series) const { return content_.colors[series]; }
    [[nodiscard]] std::size_t seriesCount() const { return layers_.size(); }
    /// The true total of a slice, if there is one to show.
    [[nodiscard]] std::optional<double> totalOf(std::size_t slice) const;
    /// Which series is meant by an amount in these slices: the line that passes nearest (within `reach`), else the next
    /// above; of a stack the layer that is there. None: the place is above everything.
    [[nodiscard]] std::optional<std::size_t> seriesAt(std::size_t firstSlice, std::size_t lastSlice, double amount,
                                                      double reach) const;
    /// The time in which the series rose above this amount, to where it is in these slices: what began then is what
    /// someone means who points there. An instant at the very start: it was as high before. Of Frees: the highest
    /// slice.
    [[nodiscard]] TimeRange riseTo(std::size_t series, std::size_t firstSlice, std::size_t lastSlice,
                                   double amount) const;
    /// No slice is stacked higher than the total was.
    [[nodiscard]] bool isStackExact() const;

  private:
    struct Layer {
        std::vector<double> lower;
        std::vector<double> upper;
        double lowerEnd = 0; ///< when the interval ends
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
    std::vector<std::size_t> firstSlices_; ///< of each drawn slice, among those of the answer; and the end
    std::vector<TraceTime> edges_;
    std::vector<Layer> layers_;
    std::vector<TimelineShape> painted_; ///< those that hold others first
    std::vector<double> total_;
    double totalEnd_ = 0;
};

} // namespace highwater::ui

#include "ui/view/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace highwater::ui {

bool isCrossed(const TimelineScene& scene, TimeRange time, double low, double high) {
    const auto& edges = scene.edges;
    if (edges.size() < 2) return false;
    const auto after = std::upper_bound(edges.begin(), edges.end(), time.start) - edges.begin();
    const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
    return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const TimelineShape& shape) {
        for (auto i = std::max(first, shape.firstSlice); i < shape.upper.size() && edges[i] < time.end; ++i) {
            // Between two slices, the edge passes through all values in between.
            const auto next = std::min(i + 1, shape.upper.size() - 1);
            const auto [least, most] = std::minmax(shape.upper[i], shape.upper[next]);
            if (least <= high && low <= most) return true;
        }
        return false;
    });
}

TimelineLayers::TimelineLayers(TimelineContent content) : content_(std::move(content)) {
    if (!content_.answer || content_.answer->timeline.starts.empty()) return;
    cutSlices();
    for (const auto& series : content_.answer->timeline.series) {
        auto upper = reduced(series.peaks);
        const auto end = endOf(upper, series.atEnd);
        layers_.push_back({std::vector<double>(upper.size(), 0.0), std::move(upper), 0, end});
    }
    if (const auto& total = content_.answer->total; isStacked() && isWhole() && total) {
        total_ = reduced(total->peaks);
        totalEnd_ = endOf(total_, total->atEnd);
    }
    addPrivateBytes();
    if (isStacked()) stack();
    if (isPaintedCurrent()) stackPainted();
}

void TimelineLayers::addPrivateBytes() {
    const auto& bytes = content_.answer->privateBytes;
    if (!bytes || !content_.privateColor.isValid()) return;
    privateBytes_.color = content_.privateColor;
    privateBytes_.width = 1.0;
    privateBytes_.upper = reduced(bytes->peaks);
    privateBytes_.upperEnd = static_cast<double>(bytes->atEnd);
    const auto first = std::ranges::upper_bound(firstSlices_, bytes->firstSlice) - firstSlices_.begin();
    privateBytes_.firstSlice = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first, 1)) - 1;
}

/// The amount of all rows, if it is drawn. Nothing: it is not.
std::optional<TimelineLayers::Layer> TimelineLayers::explainedBytes() const {
    if (!total_.empty()) return Layer{{}, total_, 0, totalEnd_};
    if (layers_.size() == 1 && isShown(0)) return layers_.front();
    return std::nullopt;
}

/// If the rows exceed the private bytes, nothing is left to explain.
std::optional<TimelineShape> TimelineLayers::unexplainedShape() const {
    auto explained = explainedBytes();
    if (privateBytes_.upper.empty() || !explained) return std::nullopt;
    constexpr float kOpacity = 0.4F; // it is background
    auto shape = privateBytes_;
    shape.color.setAlphaF(shape.color.alphaF() * kOpacity);
    shape.form = drawsBars() ? TimelineShape::Form::Bars : TimelineShape::Form::Area;
    shape.isHatched = true;
    shape.lower = shape.upper;
    for (std::size_t i = shape.firstSlice; i < shape.upper.size(); ++i)
        shape.lower[i] = std::min(explained->upper[i], shape.upper[i]);
    shape.lowerEnd = std::min(explained->upperEnd, shape.upperEnd);
    return shape;
}

/// Nothing is hidden.
bool TimelineLayers::isWhole() const {
    for (std::size_t s = 0; s < layers_.size(); ++s) {
        if (!isOpen(s) && !isShown(s)) return false;
    }
    return true;
}

/// The last series inside an open one, otherwise the series itself.
std::size_t TimelineLayers::lastIn(std::size_t series) const {
    const auto& all = content_.answer->timeline.series;
    auto last = series;
    while (all[series].isOpen && last + 1 < all.size() && all[last + 1].depth > all[series].depth)
        ++last;
    return last;
}

/// A bar of the usual width, or up to half the distance to the next instance, around each slice with an instance;
/// slices between bars are empty.
void TimelineLayers::cutAroundInstances() {
    const auto& timeline = content_.answer->timeline;
    const auto& starts = timeline.starts;
    const auto interval = timeline.interval;
    const auto slices = starts.size();
    const auto length = interval.end.ns - interval.start.ns;
    const auto half = length / static_cast<std::int64_t>(std::clamp(content_.bars, kFewestBars, kMostBars)) / 2;
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i < slices; ++i) {
        const auto holds = [&](const auto& one) { return i < one.peaks.size() && one.peaks[i] != 0; };
        if (std::any_of(timeline.series.begin(), timeline.series.end(), holds)) held.push_back(i);
    }
    const auto middle = [&](std::size_t slice) {
        const auto end = slice + 1 < slices ? starts[slice + 1] : interval.end;
        return starts[slice].ns + (end.ns - starts[slice].ns) / 2;
    };
    const auto add = [&](std::size_t slice, std::int64_t start) {
        const auto least = edges_.empty() ? interval.start : edges_.back();
        firstSlices_.push_back(slice);
        edges_.push_back(std::clamp(TraceTime{start}, least, interval.end));
    };
    add(0, interval.start.ns);
    for (std::size_t i = 0; i < held.size(); ++i) {
        const auto at = middle(held[i]);
        const auto toNext = i + 1 < held.size() ? (middle(held[i + 1]) - at) / 2 : half;
        const auto toLast = i > 0 ? (at - middle(held[i - 1])) / 2 : half;
        add(held[i], at - std::min(half, toLast));
        add(held[i] + 1, at + std::min(half, toNext));
    }
    firstSlices_.push_back(slices);
    edges_.push_back(interval.end);
}

bool TimelineLayers::showsInstances() const {
    return content_.answer && content_.answer->query.table == analysis::Table::Snapshot &&
           content_.chart == ChartType::Bars;
}

TraceTime TimelineLayers::timeOfValues(TraceTime time) const {
    const auto slice = showsInstances() ? sliceAt(time) : std::nullopt;
    const auto& starts = content_.answer ? content_.answer->timeline.starts : edges_;
    return slice && firstSlices_[*slice] < starts.size() ? starts[firstSlices_[*slice]] : time;
}

void TimelineLayers::cutSlices() {
    const auto& timeline = content_.answer->timeline;
    const auto slices = timeline.starts.size();
    if (showsInstances()) return cutAroundInstances();
    const auto wanted = content_.chart == ChartType::Bars
                            ? std::min(slices, std::clamp(content_.bars, kFewestBars, kMostBars))
                            : slices;
    for (std::size_t i = 0; i < wanted; ++i) {
        firstSlices_.push_back(i * slices / wanted);
        edges_.push_back(timeline.starts[firstSlices_.back()]);
    }
    firstSlices_.push_back(slices);
    edges_.push_back(timeline.interval.end);
}

/// Peaks of several slices combine to their maximum; released amounts add up.
std::vector<double> TimelineLayers::reduced(const std::vector<SignedByteCount>& peaks) const {
    const bool isSum = analysis::isOfEvents(content_.answer->query.table);
    std::vector<double> values(edges_.size() - 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (auto slice = firstSlices_[i]; slice < std::min(firstSlices_[i + 1], peaks.size()); ++slice) {
            const auto peak = static_cast<double>(peaks[slice]);
            values[i] = isSum ? values[i] + peak : slice == firstSlices_[i] ? peak : std::max(values[i], peak);
        }
    }
    return values;
}

/// The amount released in the last slice is not a final level.
double TimelineLayers::endOf(const std::vector<double>& values, SignedByteCount atEnd) const {
    return !analysis::hasLevels(content_.answer->query.table) ? values.back() : static_cast<double>(atEnd);
}

void TimelineLayers::stack() {
    std::vector<double> ground(edges_.size() - 1, 0.0);
    double groundEnd = 0;
    for (std::size_t s = 0; s < layers_.size(); ++s) {
        auto& layer = layers_[s];
        for (std::size_t i = 0; i < ground.size(); ++i) {
            layer.lower[i] = ground[i];
            layer.upper[i] += ground[i];
        }
        layer.lowerEnd = groundEnd;
        layer.upperEnd += groundEnd;
        if (!isShown(s)) continue;
        ground = layer.upper;
        groundEnd = layer.upperEnd;
    }
    spanOpenOnes();
}

/// They start where their first child does; from the end, they come after their children.
void TimelineLayers::spanOpenOnes() {
    for (auto s = layers_.size(); s-- > 0;) {
        if (!isOpen(s)) continue;
        const auto last = lastIn(s);
        const auto& top = layers_[last];
        const bool isTop = last != s && (isShown(last) || isOpen(last));
        layers_[s].upper = isTop ? top.upper : top.lower;
        layers_[s].upperEnd = isTop ? top.upperEnd : top.lowerEnd;
    }
}

std::pair<SignedByteCount, SignedByteCount> TimelineLayers::extent() const {
    double lowest = 0;
    double highest = 0;
    const auto include = [&](const std::vector<double>& values) {
        for (const auto value : values) {
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
    };
    for (std::size_t s = 0; s < layers_.size(); ++s) {
        if (isShown(s)) include(layers_[s].upper);
    }
    for (const auto& row : painted_)
        include(row.upper);
    include(privateBytes_.upper);
    return {std::llround(lowest), std::llround(highest)};
}

std::optional<std::size_t> TimelineLayers::sliceAt(TraceTime time) const {
    if (edges_.empty() || time < edges_.front() || time > edges_.back()) return std::nullopt;
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), time) - edges_.begin();
    return std::clamp<std::size_t>(static_cast<std::size_t>(after), 1, edges_.size() - 1) - 1;
}

double TimelineLayers::valueOf(std::size_t series, std::size_t slice) const {
    return layers_[series].upper[slice] - layers_[series].lower[slice];
}

std::optional<double> TimelineLayers::totalOf(std::size_t slice) const {
    return slice < total_.size() ? std::optional(total_[slice]) : std::nullopt;
}

std::optional<double> TimelineLayers::privateBytesOf(std::size_t slice) const {
    const bool isKnown = slice >= privateBytes_.firstSlice && slice < privateBytes_.upper.size();
    return isKnown ? std::optional(privateBytes_.upper[slice]) : std::nullopt;
}

bool TimelineLayers::isStackExact() const {
    return total_.empty() || layers_.empty() || layers_.back().upper == total_;
}

std::optional<std::size_t> TimelineLayers::seriesAt(std::size_t firstSlice, std::size_t lastSlice, double amount,
                                                    double reach) const {
    if (!isStacked()) return lineAt(firstSlice, lastSlice, amount, reach);
    for (std::size_t s = 0; s < layers_.size(); ++s) {
        if (!isShown(s)) continue;
        for (auto i = firstSlice; i <= lastSlice; ++i) {
            if (layers_[s].lower[i] <= amount && amount < layers_[s].upper[i]) return s;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> TimelineLayers::lineAt(std::size_t first, std::size_t last, double amount,
                                                  double reach) const {
    std::optional<std::size_t> nearest;
    std::optional<std::size_t> above;
    auto nearestDistance = reach;
    auto lowestAbove = 0.0;
    for (std::size_t s = 0; s < layers_.size(); ++s) {
        if (!isShown(s)) continue;
        const auto& line = layers_[s].upper;
        const auto [low, high] = std::minmax_element(line.begin() + static_cast<std::ptrdiff_t>(first),
                                                     line.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        const auto distance = std::max({0.0, *low - amount, amount - *high});
        if (distance < nearestDistance || (distance == 0 && nearest && *high > lowestAbove)) {
            nearest = s;
            nearestDistance = distance;
            lowestAbove = *high;
        }
        if (*high > amount &&
            (!above ||
             *high < *std::max_element(layers_[*above].upper.begin() + static_cast<std::ptrdiff_t>(first),
                                       layers_[*above].upper.begin() + static_cast<std::ptrdiff_t>(last) + 1))) {
            above = s;
        }
    }
    return nearest ? nearest : above;
}

TimeRange TimelineLayers::riseTo(std::size_t series, std::size_t firstSlice, std::size_t lastSlice,
                                 double amount) const {
    auto slice = firstSlice;
    for (auto i = firstSlice; i <= lastSlice; ++i) {
        if (valueOf(series, i) > valueOf(series, slice)) slice = i;
    }
    const bool isFrees = !analysis::hasLevels(content_.answer->query.table); // each slice is independent
    // A click on the line or slightly above it selects the series just below.
    const auto level = std::min(amount - layers_[series].lower[slice], std::nextafter(valueOf(series, slice), 0.0));
    while (!isFrees && slice > 0 && valueOf(series, slice - 1) > level) {
        --slice;
    }
    if (slice == 0 && !isFrees) return {edges_[0], TraceTime{edges_[0].ns + 1}};
    return {edges_[slice], edges_[slice + 1]};
}

std::optional<std::size_t> TimelineLayers::seriesOf(const analysis::KeyPath& row) const {
    const auto& series = content_.answer->timeline.series;
    // A row of another page may have other keys before those of the graph.
    const auto holds = [&](const analysis::KeyPath& path) {
        auto at = row.begin();
        return std::all_of(path.begin(), path.end(), [&](const auto& step) {
            at = std::find(at, row.end(), step);
            if (at == row.end()) return false;
            ++at;
            return true;
        });
    };
    // Without a step for the graph's key, it is in several lines, but in none of them completely.
    const auto by = content_.answer->query.by;
    const bool isAcross =
        by && std::none_of(row.begin(), row.end(), [&](const auto& step) { return step.column == *by; });
    if (isAcross) return std::nullopt;
    // Groups without their own line are in the "(N more)" of their parent group; all are in the total.
    std::optional<std::size_t> found;
    for (std::size_t s = 0; s < series.size(); ++s) {
        const auto length = series[s].path.size();
        const bool isRestOfRow = !series[s].isGroup && length > 0 && length == row.size();
        if (!isRestOfRow && holds(series[s].path) && (!found || length >= series[*found].path.size())) found = s;
    }
    return found;
}

/// Painted rows were requested together with this answer.
bool TimelineLayers::isPaintedCurrent() const {
    if (!content_.painted || edges_.empty()) return false;
    const auto& painted = content_.painted->query;
    const auto& shown = content_.answer->query;
    return painted.interval == shown.interval && painted.points == shown.points && painted.measure == shown.measure &&
           painted.table == shown.table && painted.filter == shown.filter && painted.by == shown.by;
}

/// The layer that contains the row; nothing: the base line. New bytes of a row are kept or freed, so the row is in
/// front of both.
std::optional<std::size_t> TimelineLayers::layerFor(const PaintedRow& row) const {
    if (!isStacked() || content_.chart == ChartType::NewBytes) return std::nullopt;
    const auto series = seriesOf(row.path);
    return series && (isShown(*series) || isOpen(*series)) ? series : std::nullopt;
}

/// The nearest painted row that contains this one.
std::optional<std::size_t> TimelineLayers::paintedAround(std::size_t row) const {
    const auto& rows = content_.painted->rows;
    const auto& path = rows[row].path;
    std::optional<std::size_t> around;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& other = rows[i].path;
        const bool holds = other.size() < path.size() && std::equal(other.begin(), other.end(), path.begin());
        if (holds && (!around || other.size() > rows[*around].path.size())) around = i;
    }
    return around;
}

void TimelineLayers::stackPainted() {
    const auto& rows = content_.painted->rows;
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return rows[a].path.size() < rows[b].path.size(); });
    // Filled height of each base: rows, layers, and the base line.
    const auto layersFrom = rows.size();
    std::vector<Layer> filled(rows.size() + layers_.size() + 1);
    filled.back().upper.assign(edges_.size() - 1, 0.0);
    for (std::size_t s = 0; s < layers_.size(); ++s)
        filled[layersFrom + s] = {{}, layers_[s].lower, 0, layers_[s].lowerEnd};
    for (const auto i : order) {
        const auto around = paintedAround(i);
        const auto layer = layerFor(rows[i]);
        auto& ground = filled[around ? *around : layer ? layersFrom + *layer : filled.size() - 1];
        auto shape = paintedShape(i, ground, layer);
        ground.upper = shape.upper;
        ground.upperEnd = shape.upperEnd;
        filled[i] = {{}, shape.lower, 0, shape.lowerEnd};
        painted_.push_back(std::move(shape));
    }
}

/// Starts at the end of `ground`. Peaks of several rows may occur at different instants; in a layer they are clipped to
/// it.
TimelineShape TimelineLayers::paintedShape(std::size_t row, const Layer& ground,
                                           std::optional<std::size_t> layer) const {
    TimelineShape shape;
    shape.form = drawsBars() ? TimelineShape::Form::Bars : TimelineShape::Form::Area;
    shape.color = content_.paintedColors[row % content_.paintedColors.size()];
    shape.edge = content_.totalColor; // it may have the same colour as its background
    shape.lower = ground.upper;
    shape.lowerEnd = ground.upperEnd;
    const auto amounts = reduced(content_.painted->rows[row].peaks);
    shape.upper.resize(amounts.size());
    std::transform(amounts.begin(), amounts.end(), shape.lower.begin(), shape.upper.begin(), std::plus<>());
    shape.upperEnd = shape.lowerEnd + endOf(amounts, content_.painted->rows[row].atEnd);
    if (!layer) return shape;
    const auto& top = layers_[*layer];
    for (std::size_t slice = 0; slice < amounts.size(); ++slice)
        shape.upper[slice] = std::min(shape.upper[slice], top.upper[slice]);
    shape.upperEnd = std::min(shape.upperEnd, top.upperEnd);
    return shape;
}

TimelineScene TimelineLayers::scene() const {
    using Form = TimelineShape::Form;
    TimelineScene scene;
    scene.edges = edges_;
    if (content_.chart == ChartType::Lifetimes) return scene; // LifetimeBars
    const auto form = drawsBars() ? Form::Bars : Form::Area;
    if (auto unexplained = unexplainedShape()) scene.shapes.push_back(*std::move(unexplained));
    for (std::size_t s = 0; isStacked() && s < layers_.size(); ++s) {
        const auto& [lower, upper, lowerEnd, upperEnd] = layers_[s];
        if (!isShown(s)) continue;
        scene.shapes.push_back({form, content_.colors[s], 0.0, lower, upper, lowerEnd, upperEnd});
    }
    scene.shapes.insert(scene.shapes.end(), painted_.begin(), painted_.end());
    for (std::size_t s = layers_.size(); !isStacked() && s-- > 0;) { // the heaviest on top
        if (isShown(s))
            scene.shapes.push_back({Form::Line, content_.colors[s], 1.6, {}, layers_[s].upper, 0, layers_[s].upperEnd});
    }
    if (!privateBytes_.upper.empty()) scene.shapes.push_back(privateBytes_);
    if (!total_.empty() && content_.chart == ChartType::StackedArea) {
        scene.shapes.push_back({Form::Line, content_.totalColor, 1.0, {}, total_, 0, totalEnd_});
    }
    return scene;
}

} // namespace highwater::ui

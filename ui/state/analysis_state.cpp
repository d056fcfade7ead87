#include "ui/state/analysis_state.h"

#include "ui/format/time_format.h"

#include <algorithm>
#include <iterator>

namespace highwater::ui {

AnalysisState::AnalysisState(QObject* parent) : QObject(parent) { steps_.emplace_back(); }

AnalysisState::~AnalysisState() = default;

void AnalysisState::reset(TimeRange wholeRange) {
    whole_ = wholeRange;
    look_ = {.visible = wholeRange, .instant = {}, .filters = {}};
    selection_.reset();
    highlight_.reset();
    for (const auto& graph : graphs_) {
        graph->forgetKeys();
    }
    closed_.clear();
    steps_ = {{.look = {.visible = wholeRange, .instant = {}, .filters = currentFilters()}}};
    position_ = 0;
    continuing_ = false;
    emit changed(WholeRange | VisibleRange | Selection | Highlight | Instant | History);
}

void AnalysisState::growTo(TimeRange wholeRange) {
    if (wholeRange == whole_) return;
    const auto wasWhole = std::exchange(whole_, wholeRange);
    const bool visibleGrows = look_.visible == wasWhole;
    const auto slid = !visibleGrows && followsEnd_ ? slideToEnd() : Changes();
    // The start also moves if a trace keeps only its newest part.
    const auto within = [&](TimeRange range) {
        if (range == wasWhole || range.end <= wholeRange.start) return wholeRange;
        return TimeRange{std::max(range.start, wholeRange.start), range.end};
    };
    const bool visibleMoves = !(within(look_.visible) == look_.visible);
    look_.visible = within(look_.visible);
    for (auto& step : steps_)
        step.look.visible = within(step.look.visible);
    emit changed(visibleGrows || visibleMoves ? WholeRange | VisibleRange | slid : WholeRange | slid);
}

void AnalysisState::setFollowsEnd(bool follows) {
    if (follows == followsEnd_) return;
    followsEnd_ = follows;
    emit changed(follows ? Following | slideToEnd() : Changes(Following));
}

/// Keeps the selection, which refers to a fixed time.
AnalysisState::Changes AnalysisState::slideToEnd() {
    const auto by = whole_.end.ns - look_.visible.end.ns;
    if (by == 0) return {};
    look_.visible.start.ns += by;
    look_.visible.end.ns += by;
    steps_[position_].look.visible = look_.visible;
    return VisibleRange;
}

AnalysisState::Changes AnalysisState::pauseFollowing() {
    if (!followsEnd_ || look_.visible.end == whole_.end) return {};
    followsEnd_ = false;
    return Following;
}

TimeRange AnalysisState::clipped(TimeRange range) const {
    range.start = std::clamp(range.start, whole_.start, whole_.end);
    range.end = std::clamp(range.end, range.start, whole_.end);
    return range;
}

void AnalysisState::record(Step step, bool continues) {
    if (!continues || !continuing_) {
        steps_.resize(position_ + 1);
        steps_.push_back({});
        ++position_;
    }
    step.look = look_;
    step.look.filters = currentFilters();
    steps_[position_] = std::move(step);
    continuing_ = continues;
}

namespace {

/// Steps for all graphs that are in one list but not in the other.
std::vector<FilterStep> sharedOnlyIn(const std::vector<FilterStep>& steps, const std::vector<FilterStep>& others) {
    std::vector<FilterStep> found;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(found), [&](const FilterStep& step) {
        return step.scope == FilterScope::AllGraphs &&
               std::none_of(others.begin(), others.end(), [&](const auto& other) {
                   return other.scope == FilterScope::AllGraphs && areTheSame(other, step);
               });
    });
    return found;
}

} // namespace

/// Steps for all graphs also apply to the others; all of it is one history step.
void AnalysisState::noteFilter(GraphState& graph, const FilterChange& change, const std::vector<FilterStep>& before) {
    const auto gone = sharedOnlyIn(before, graph.filterSteps());
    const auto taken = sharedOnlyIn(graph.filterSteps(), before);
    for (const auto& other : graphs_) {
        if (other.get() != &graph) other->shareFilter(gone, taken);
    }
    record({.kind = Step::Kind::Filter, .graph = graph.id(), .filter = change});
    emit changed(History);
}

std::vector<FilterStep> AnalysisState::filterOf(const GraphState& graph, const Look& look) {
    std::vector<FilterStep> shared;
    for (const auto& [id, steps] : look.filters) {
        if (id == graph.id()) return steps;
        for (const auto& step : sharedOnlyIn(steps, shared)) {
            if (!suits(step, graph.table())) continue;
            shared.push_back(step);
            if (!rowFilterOf(graph.table(), shared).hasValue()) shared.pop_back();
        }
    }
    return shared;
}

void AnalysisState::renameFilter(int graph, const FilterStep& step, const QString& text) {
    for (auto& past : steps_) {
        if (past.graph == graph && past.filter.step == step) past.filter.step.text = text;
        for (auto& [id, steps] : past.look.filters) {
            if (id == graph) renameStep(steps, step, text);
        }
    }
    emit changed(History);
}

std::vector<AnalysisState::FilterOfGraph> AnalysisState::currentFilters() const {
    std::vector<FilterOfGraph> filters;
    for (const auto& graph : graphs_) {
        filters.emplace_back(graph->id(), graph->filterSteps());
    }
    return filters;
}

AnalysisState::Changes AnalysisState::dropSelection() {
    if (!selection_) return {};
    selection_.reset();
    return Selection;
}

void AnalysisState::zoomTo(TimeRange range, ZoomStep step) {
    if (whole_.isEmpty()) return;
    if (range.end.ns - range.start.ns < kShortestZoomNs) {
        range.start.ns -= (kShortestZoomNs - (range.end.ns - range.start.ns)) / 2;
        range.end.ns = range.start.ns + kShortestZoomNs;
    }
    range = clipped(range);
    if (range == look_.visible || range.isEmpty()) return;
    look_.visible = range;
    record({.kind = Step::Kind::Zoom}, step == ZoomStep::Continued);
    emit changed(VisibleRange | History | dropSelection() | pauseFollowing());
}

void AnalysisState::panBy(std::int64_t ns) {
    const auto length = look_.visible.end.ns - look_.visible.start.ns;
    const auto start =
        std::clamp(look_.visible.start.ns + ns, whole_.start.ns, std::max(whole_.start.ns, whole_.end.ns - length));
    zoomTo({TraceTime{start}, TraceTime{start + length}}, ZoomStep::Continued);
}

void AnalysisState::select(TimeRange range) {
    range = clipped(range);
    if (range.isEmpty()) return clearSelection();
    if (selection_ == range) return;
    selection_ = range;
    emit changed(Selection);
}

void AnalysisState::clearSelection() {
    if (const auto changes = dropSelection()) emit changed(changes);
}

void AnalysisState::zoomToSelection() {
    if (selection_) zoomTo(*selection_);
}

void AnalysisState::highlightSelection() {
    if (!selection_ || highlight_ == selection_) return;
    highlight_ = selection_;
    emit changed(Highlight);
}

void AnalysisState::clearHighlight() {
    if (!highlight_) return;
    highlight_.reset();
    emit changed(Highlight);
}

void AnalysisState::setMarks(std::shared_ptr<const std::vector<Mark>> marks) {
    if (marks == marks_) return;
    marks_ = std::move(marks);
    emit changed(Marks);
}

void AnalysisState::setInstants(analysis::SharedInstants instants) {
    const auto isNone = [](const auto& some) { return !some || some->empty(); };
    if (instants == instants_ || (isNone(instants) && isNone(instants_))) return;
    instants_ = std::move(instants);
    emit changed(Instants);
}

void AnalysisState::goToTime(TraceTime time) {
    constexpr std::int64_t kPart = 10;
    const auto visible = look_.visible.end.ns - look_.visible.start.ns;
    const auto length = isZoomed() ? visible : visible / kPart;
    const auto latest = std::max(whole_.start.ns, whole_.end.ns - length);
    const auto start = std::clamp(time.ns - length / 2, whole_.start.ns, latest);
    zoomTo({TraceTime{start}, TraceTime{start + length}});
}

void AnalysisState::showInstant(TraceTime time) {
    time = std::clamp(time, whole_.start, whole_.end);
    if (look_.instant == time) return;
    look_.instant = time;
    record({.kind = Step::Kind::Instant});
    emit changed(Instant | History);
}

void AnalysisState::clearInstant() {
    if (!look_.instant) return;
    look_.instant.reset();
    record({.kind = Step::Kind::Zoom});
    emit changed(Instant | History);
}

TimeRange AnalysisState::tableRange() const {
    if (!look_.instant) return look_.visible;
    return {*look_.instant, TraceTime{look_.instant->ns + 1}};
}

void AnalysisState::changeShape(GraphState& graph, const QString& label, const std::function<void()>& change) {
    auto before = graph.shape();
    change();
    auto after = graph.shape();
    if (before == after) return;
    record({.kind = Step::Kind::Shape,
            .graph = graph.id(),
            .label = label,
            .before = std::move(before),
            .after = std::move(after)});
    emit changed(History);
}

void AnalysisState::restoreShapes(std::size_t position) {
    const auto restore = [this](const Step& step, const GraphState::Shape& shape) {
        if (step.kind != Step::Kind::Shape) return;
        const auto found = std::ranges::find_if(graphs_, [&](const auto& graph) { return graph->id() == step.graph; });
        if (found != graphs_.end()) (*found)->setShape(shape);
    };
    for (auto at = position_; at > position; --at)
        restore(steps_[at], steps_[at].before);
    for (auto at = position_; at < position; ++at)
        restore(steps_[at + 1], steps_[at + 1].after);
}

void AnalysisState::goTo(std::size_t position) {
    if (position >= steps_.size() || position == position_) return;
    restoreShapes(position);
    position_ = position;
    continuing_ = false;
    const auto& look = steps_[position].look;
    Changes changes = History;
    if (!(look_.visible == look.visible)) changes |= VisibleRange | dropSelection();
    if (look_.instant != look.instant) changes |= Instant;
    look_.visible = look.visible;
    look_.instant = look.instant;
    changes |= pauseFollowing();
    for (const auto& graph : graphs_) {
        graph->restoreFilter(filterOf(*graph, look));
    }
    emit wentInHistory();
    emit changed(changes);
}

QString AnalysisState::labelOf(const Step& step) const {
    const auto& [visible, instant, filters] = step.look;
    if (step.kind == Step::Kind::Filter) return ui::labelOf(step.filter);
    if (step.kind == Step::Kind::Shape) return step.label;
    if (step.kind == Step::Kind::Instant && instant) return tr("at %1").arg(formatTime(*instant));
    if (visible == whole_) return tr("Whole trace");
    return formatRange(visible);
}

QStringList AnalysisState::historyLabels() const {
    QStringList words;
    for (const auto& step : steps_) {
        words << labelOf(step);
    }
    return words;
}

std::vector<GraphState*> AnalysisState::graphs() const {
    std::vector<GraphState*> graphs;
    for (const auto& graph : graphs_) {
        graphs.push_back(graph.get());
    }
    return graphs;
}

GraphState& AnalysisState::addGraph(analysis::Table table) {
    auto& graph = *graphs_.emplace_back(std::make_unique<GraphState>(*this, table, nextGraphId_++));
    connect(&graph, &GraphState::filterTaken, this,
            [this, &graph](const FilterChange& change, const auto& before) { noteFilter(graph, change, before); });
    connect(&graph, &GraphState::filterRenamed, this,
            [this, id = graph.id()](const FilterStep& step, const QString& text) { renameFilter(id, step, text); });
    Look now{.visible = {}, .instant = {}, .filters = currentFilters()};
    now.filters.pop_back(); // its own
    graph.shareFilter({}, filterOf(graph, now));
    emit changed(Graphs);
    return graph;
}

void AnalysisState::removeGraph(GraphState& graph) {
    const auto found = std::find_if(graphs_.begin(), graphs_.end(), [&](const auto& g) { return g.get() == &graph; });
    if (found == graphs_.end()) return;
    // Views access it until they learn that it is removed.
    const auto gone = std::move(*found);
    graphs_.erase(found);
    emit changed(Graphs);
}

void AnalysisState::closeGraph(GraphState& graph) {
    const auto found = std::find_if(graphs_.begin(), graphs_.end(), [&](const auto& g) { return g.get() == &graph; });
    if (found == graphs_.end()) return;
    const auto place = static_cast<std::size_t>(found - graphs_.begin());
    closed_.push_back({std::move(*found), place});
    graphs_.erase(found);
    if (closed_.size() > kMostClosed) closed_.erase(closed_.begin());
    emit changed(Graphs);
}

GraphState* AnalysisState::reopenGraph() {
    if (closed_.empty()) return nullptr;
    auto [graph, place] = std::move(closed_.back());
    closed_.pop_back();
    auto* opened = graph.get();
    const auto at = std::min(place, graphs_.size());
    graphs_.insert(graphs_.begin() + static_cast<std::ptrdiff_t>(at), std::move(graph));
    emit changed(Graphs);
    return opened;
}

void AnalysisState::moveGraph(GraphState& graph, std::size_t position) {
    const auto found = std::find_if(graphs_.begin(), graphs_.end(), [&](const auto& g) { return g.get() == &graph; });
    if (found == graphs_.end() || position >= graphs_.size()) return;
    auto moved = std::move(*found);
    graphs_.erase(found);
    graphs_.insert(graphs_.begin() + static_cast<std::ptrdiff_t>(position), std::move(moved));
    emit changed(Graphs);
}

void AnalysisState::setOptions(AnalysisOptions options) {
    if (options == options_) return;
    options_ = std::move(options);
    emit changed(Options);
}

} // namespace highwater::ui

#include "moc_analysis_state.cpp"

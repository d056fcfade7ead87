#include "ui/state/view_state.h"

#include <algorithm>

namespace highwater::ui {

ViewState::ViewState(QObject* parent)
    : QObject(parent),
      layouts_{defaultLayout(analysis::Table::VirtualAlloc), defaultLayout(analysis::Table::Heap),
               defaultLayout(analysis::Table::Frees)} {}

void ViewState::reset(TimeRange wholeRange) {
    whole_ = wholeRange;
    visible_ = wholeRange;
    selection_.reset();
    back_.clear();
    forward_.clear();
    continuing_ = false;
    filters_ = {};
    emit changed(WholeRange | VisibleRange | Selection | Filter | Table);
}

void ViewState::growTo(TimeRange wholeRange) {
    if (wholeRange == whole_) return;
    const auto wasWhole = whole_;
    const auto follow = [&](TimeRange& range) {
        if (range == wasWhole) range = wholeRange;
    };
    const bool visibleGrows = visible_ == wasWhole;
    whole_ = wholeRange;
    follow(visible_);
    std::for_each(back_.begin(), back_.end(), follow);
    std::for_each(forward_.begin(), forward_.end(), follow);
    emit changed(visibleGrows ? WholeRange | VisibleRange : Changes(WholeRange));
}

TimeRange ViewState::clipped(TimeRange range) const {
    range.start = std::clamp(range.start, whole_.start, whole_.end);
    range.end = std::clamp(range.end, range.start, whole_.end);
    return range;
}

void ViewState::zoomTo(TimeRange range, ZoomStep step) {
    if (whole_.isEmpty()) return;
    if (range.end.ns - range.start.ns < kShortestZoomNs) {
        range.start.ns -= (kShortestZoomNs - (range.end.ns - range.start.ns)) / 2;
        range.end.ns = range.start.ns + kShortestZoomNs;
    }
    range = clipped(range);
    if (range == visible_ || range.isEmpty()) return;
    const bool continues = step == ZoomStep::Continued;
    if (!continues || !continuing_) back_.push_back(visible_);
    forward_.clear();
    continuing_ = continues;
    show(range);
}

void ViewState::panBy(std::int64_t ns) {
    const auto length = visible_.end.ns - visible_.start.ns;
    const auto start =
        std::clamp(visible_.start.ns + ns, whole_.start.ns, std::max(whole_.start.ns, whole_.end.ns - length));
    zoomTo({TraceTime{start}, TraceTime{start + length}}, ZoomStep::Continued);
}

void ViewState::show(TimeRange range) {
    visible_ = range;
    const bool hadSelection = selection_.has_value();
    selection_.reset();
    emit changed(hadSelection ? VisibleRange | Selection : Changes(VisibleRange));
}

void ViewState::zoomBack() {
    if (back_.empty()) return;
    const auto range = back_.back();
    back_.pop_back();
    forward_.push_back(visible_);
    continuing_ = false;
    show(range);
}

void ViewState::zoomForward() {
    if (forward_.empty()) return;
    const auto range = forward_.back();
    forward_.pop_back();
    back_.push_back(visible_);
    continuing_ = false;
    show(range);
}

void ViewState::select(TimeRange range) {
    range = clipped(range);
    if (range.isEmpty()) return clearSelection();
    if (selection_ == range) return;
    selection_ = range;
    emit changed(Selection);
}

void ViewState::clearSelection() {
    if (!selection_) return;
    selection_.reset();
    emit changed(Selection);
}

void ViewState::zoomToSelection() {
    if (selection_) zoomTo(*selection_);
}

void ViewState::showTable(analysis::Table table) {
    if (table == table_) return;
    table_ = table;
    emit changed(Table | Filter | Layout);
}

void ViewState::setLayout(TableLayout layout) {
    auto& mine = layouts_[static_cast<std::size_t>(layout.table)];
    if (mine == layout) return;
    const bool shown = layout.table == table_;
    mine = std::move(layout);
    if (shown) emit changed(Layout);
}

analysis::RowFilter ViewState::filter() const {
    analysis::RowFilter filter;
    for (const auto& step : filterSteps()) {
        filter.clauses.push_back(step.clause);
    }
    return filter;
}

void ViewState::setFilter(std::vector<FilterStep> steps) {
    auto& mine = filters_[index()];
    mine.undo.push_back(std::move(mine.steps));
    mine.steps = std::move(steps);
    emit changed(Filter);
}

void ViewState::addFilter(FilterStep step) {
    auto steps = filterSteps();
    if (std::find(steps.begin(), steps.end(), step) != steps.end()) return;
    steps.push_back(std::move(step));
    setFilter(std::move(steps));
}

void ViewState::removeFilter(std::size_t position) {
    auto steps = filterSteps();
    if (position >= steps.size()) return;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(position));
    setFilter(std::move(steps));
}

void ViewState::clearFilter() {
    if (!filterSteps().empty()) setFilter({});
}

void ViewState::undoFilter() {
    auto& mine = filters_[index()];
    if (mine.undo.empty()) return;
    mine.steps = std::move(mine.undo.back());
    mine.undo.pop_back();
    emit changed(Filter);
}

} // namespace highwater::ui

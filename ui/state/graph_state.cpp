#include "ui/state/graph_state.h"

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

/// Whether rows with such keys can have the path.
bool suits(const analysis::KeyPath& path, const std::vector<analysis::Column>& keys) {
    std::vector<analysis::Column> columns;
    for (const auto& step : path) {
        if (columns.empty() || columns.back() != step.column) columns.push_back(step.column);
    }
    const bool isOfTotal = path.empty() && !keys.empty() && analysis::isStack(keys.front());
    return isOfTotal ||
           (!path.empty() && columns.size() <= keys.size() && std::equal(columns.begin(), columns.end(), keys.begin()));
}

} // namespace

GraphState::GraphState(AnalysisState& analysis, analysis::Table table, int id)
    : analysis_(analysis), id_(id), layout_(defaultLayout(table)) {}

void GraphState::setLayout(TableLayout layout) {
    layout.graphed = std::min(layout.graphed, layout.columns.size());
    if (layout == layout_ || layout.table != layout_.table) return;
    if (!layout.looksLike(layout_) || layout.annotations != layout_.annotations) {
        layoutUndo_.push_back(layout_);
        layoutRedo_.clear();
    }
    showLayout(std::move(layout));
}

void GraphState::showLayout(TableLayout layout) {
    const auto turned = turnedSeries();
    layout_ = std::move(layout);
    // Keys of other columns identify other groups.
    const auto keys = layout_.keyColumns();
    const auto isGone = [&](const auto& path) { return !suits(path, keys); };
    Changes changes = Layout;
    if (std::erase_if(hiddenSeries_, isGone) > 0) changes |= HiddenSeries;
    if (turnedSeries() != turned) changes |= OpenedSeries;
    emit changed(changes);
}

void GraphState::undoLayout() {
    if (layoutUndo_.empty()) return;
    layoutRedo_.push_back(layout_);
    auto layout = std::move(layoutUndo_.back());
    layoutUndo_.pop_back();
    showLayout(std::move(layout));
}

void GraphState::redoLayout() {
    if (layoutRedo_.empty()) return;
    layoutUndo_.push_back(layout_);
    auto layout = std::move(layoutRedo_.back());
    layoutRedo_.pop_back();
    showLayout(std::move(layout));
}

void GraphState::setShape(const Shape& shape) {
    setPresetName(shape.presetName);
    setChart(shape.chart);
    setLayout(shape.layout);
    setSeriesLevels(shape.seriesLevels);
}

void GraphState::setPresetName(const QString& name) {
    if (name == presetName_) return;
    presetName_ = name;
    emit changed(PresetName);
}

std::vector<FilterStep> GraphState::filterWith(const FilterStep& step, std::optional<std::size_t> instead) const {
    auto steps = filter_;
    if (instead && *instead < steps.size())
        steps[*instead] = step;
    else
        steps.push_back(step);
    return steps;
}

QString GraphState::refusal(const FilterStep& step, std::optional<std::size_t> instead) const {
    const auto filter = rowFilterOf(table(), filterWith(step, instead));
    return filter.hasValue() ? QString() : QString::fromStdString(filter.error().message);
}

void GraphState::takeFilter(std::vector<FilterStep> steps) {
    filter_ = std::move(steps);
    // Cannot fail, because the steps were in the filter before or were accepted.
    auto filter = rowFilterOf(table(), filter_);
    rowFilter_ = filter.hasValue() ? std::move(filter).value() : analysis::RowFilter();
}

void GraphState::setFilter(std::vector<FilterStep> steps, const FilterChange& change) {
    const auto before = filter_;
    filterUndo_.push_back(filter_);
    takeFilter(std::move(steps));
    emit filterTaken(change, before);
    emit changed(Filter);
}

void GraphState::restoreFilter(std::vector<FilterStep> steps) {
    if (steps == filter_) return;
    // Going back in the history also counts as undo.
    if (!filterUndo_.empty() && filterUndo_.back() == steps)
        filterUndo_.pop_back();
    else
        filterUndo_.push_back(filter_);
    takeFilter(std::move(steps));
    emit changed(Filter);
}

void GraphState::addFilter(const FilterStep& step) {
    const auto isThere = [&](const FilterStep& other) { return areTheSame(other, step); };
    if (std::any_of(filter_.begin(), filter_.end(), isThere) || !refusal(step).isNull()) return;
    setFilter(filterWith(step, {}), {FilterChange::Kind::Taken, step});
}

void GraphState::replaceFilter(std::size_t position, const FilterStep& step) {
    if (position >= filter_.size() || filter_[position] == step || !refusal(step, position).isNull()) return;
    setFilter(filterWith(step, position), {FilterChange::Kind::Taken, step});
}

void GraphState::removeFilter(std::size_t position) {
    if (position >= filter_.size()) return;
    auto steps = filter_;
    const FilterChange change{FilterChange::Kind::Removed, steps[position]};
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(position));
    setFilter(std::move(steps), change);
}

void GraphState::setFilterScope(std::size_t position, FilterScope scope) {
    if (position >= filter_.size() || filter_[position].scope == scope) return;
    auto steps = filter_;
    steps[position].scope = scope;
    const FilterChange change{FilterChange::Kind::Taken, steps[position]};
    setFilter(std::move(steps), change);
}

void GraphState::shareFilter(const std::vector<FilterStep>& gone, const std::vector<FilterStep>& taken) {
    auto steps = filter_;
    const auto isIn = [](const std::vector<FilterStep>& some, const FilterStep& step) {
        return std::any_of(some.begin(), some.end(), [&](const auto& other) { return areTheSame(other, step); });
    };
    std::erase_if(steps, [&](const auto& step) { return step.scope == FilterScope::AllGraphs && isIn(gone, step); });
    for (const auto& step : taken) {
        if (isIn(steps, step) || !suits(step, table())) continue;
        steps.push_back(step);
        if (!rowFilterOf(table(), steps).hasValue()) steps.pop_back();
    }
    if (steps == filter_) return;
    filterUndo_.push_back(filter_);
    takeFilter(std::move(steps));
    emit changed(Filter);
}

void GraphState::clearFilter() {
    if (!filter_.empty()) setFilter({}, {FilterChange::Kind::Cleared});
}

void GraphState::renameFilter(const std::vector<QString>& texts) {
    bool isAny = false;
    for (std::size_t i = 0; i < std::min(texts.size(), filter_.size()); ++i) {
        const auto step = filter_[i];
        if (texts[i].isEmpty() || texts[i] == step.text) continue;
        isAny = true;
        renameStep(filter_, step, texts[i]);
        for (auto& earlier : filterUndo_)
            renameStep(earlier, step, texts[i]);
        emit filterRenamed(step, texts[i]);
    }
    if (isAny) emit changed(FilterWords);
}

void GraphState::undoFilter() {
    if (filterUndo_.empty()) return;
    const auto before = filter_;
    takeFilter(std::move(filterUndo_.back()));
    filterUndo_.pop_back();
    emit filterTaken({FilterChange::Kind::Undone}, before);
    emit changed(Filter);
}

void GraphState::setChart(ChartType chart) {
    if (chart == chart_) return;
    chart_ = chart;
    emit changed(Chart);
}

bool GraphState::showsInstances() const { return table() == analysis::Table::Snapshot && !isFlames(chart_); }

void GraphState::setParts(GraphParts parts) {
    if (parts == parts_) return;
    parts_ = parts;
    emit changed(Parts);
}

std::optional<analysis::Column> GraphState::seriesColumn() const {
    if (layout_.keys.empty()) return std::nullopt;
    const auto first = layout_.keys.front().value.column;
    const bool isOpen = !analysis::isStack(first) || isTotalOpen();
    return isOpen ? std::optional(first) : std::nullopt;
}

std::uint32_t seriesLevelsOf(const TableLayout& layout) {
    const auto keys = layout.keyColumns();
    return static_cast<std::uint32_t>(std::find_if(keys.begin(), keys.end(), analysis::isStack) - keys.begin());
}

bool GraphState::isTotalOpen() const {
    return std::find(openedSeries_.begin(), openedSeries_.end(), analysis::KeyPath()) != openedSeries_.end();
}

std::uint32_t GraphState::seriesLevels() const {
    return std::clamp(seriesLevels_, 1u, std::max(1u, seriesLevelsOf(layout_)));
}

void GraphState::openSeriesTo(std::uint32_t levels) {
    const auto keys = layout_.keyColumns();
    const auto isOfThese = [&](const auto& path) { return suits(path, keys); };
    const auto forgotten = std::erase_if(openedSeries_, isOfThese) + std::erase_if(closedSeries_, isOfThese);
    if (levels == seriesLevels_ && forgotten == 0) return;
    seriesLevels_ = levels;
    ++seriesVersion_;
    emit changed(OpenedSeries);
}

void GraphState::setSeriesLevels(std::uint32_t levels) {
    if (levels == seriesLevels_) return;
    seriesLevels_ = levels;
    ++seriesVersion_;
    emit changed(OpenedSeries);
}

analysis::GroupOpening GraphState::openingAtFirst() const { return {layout_.keyColumns(), seriesLevels(), {}}; }

/// The total of stacks, whose path is empty, is closed by default.
std::vector<analysis::KeyPath> GraphState::turnedSeries() const {
    const auto opening = openingAtFirst();
    std::vector<analysis::KeyPath> turned;
    for (const auto& path : openedSeries_) {
        if (suits(path, opening.keys) && (path.empty() || !opening.isInitiallyOpen(path))) turned.push_back(path);
    }
    for (const auto& path : closedSeries_) {
        if (suits(path, opening.keys) && opening.isInitiallyOpen(path)) turned.push_back(path);
    }
    return turned;
}

analysis::GroupOpening GraphState::opening() const {
    auto opening = openingAtFirst();
    opening.turned = turnedSeries();
    opening.withTotal = !opening.keys.empty() && analysis::isStack(opening.keys.front());
    std::erase(opening.turned, analysis::KeyPath());
    return opening;
}

bool GraphState::isSeriesOpen(const analysis::KeyPath& path) const {
    return path.empty() ? seriesColumn().has_value() : opening().isOpen(path);
}

void GraphState::turnSeries(const analysis::KeyPath& path) {
    const bool opens = !isSeriesOpen(path);
    const bool isInitiallyOpen = !path.empty() && openingAtFirst().isInitiallyOpen(path);
    std::erase(openedSeries_, path);
    std::erase(closedSeries_, path);
    if (opens != isInitiallyOpen) (opens ? openedSeries_ : closedSeries_).push_back(path);
    ++seriesVersion_;
    emit changed(OpenedSeries);
}

analysis::TimelineMeasure GraphState::measure() const {
    if (chart_ == ChartType::NewBytes && analysis::isOfAllocations(table())) return analysis::TimelineMeasure::NewBytes;
    const auto graphed = layout_.columns.end() - static_cast<std::ptrdiff_t>(layout_.graphed);
    const bool countsOnly = layout_.graphed > 0 && std::all_of(graphed, layout_.columns.end(), [](const auto& column) {
                                return column.value.column == analysis::Column::Count ||
                                       column.value.aggregation == analysis::Aggregation::Count;
                            });
    return countsOnly ? analysis::TimelineMeasure::Count : analysis::TimelineMeasure::Bytes;
}

void GraphState::paintRows(std::vector<analysis::KeyPath> rows) {
    if (rows == paintedRows_) return;
    paintedRows_ = std::move(rows);
    emit changed(PaintedRows);
}

void GraphState::showPrivateBytes(bool shows) {
    if (std::exchange(showsPrivateBytes_, shows) != shows) emit changed(HiddenSeries);
}

void GraphState::hideSeries(std::vector<analysis::KeyPath> paths) {
    if (paths == hiddenSeries_) return;
    hiddenSeries_ = std::move(paths);
    ++seriesVersion_;
    emit changed(HiddenSeries);
}

bool GraphState::isHidden(const analysis::KeyPath& path) const {
    return std::any_of(hiddenSeries_.begin(), hiddenSeries_.end(), [&](const analysis::KeyPath& hidden) {
        return hidden.size() <= path.size() && std::equal(hidden.begin(), hidden.end(), path.begin());
    });
}

void GraphState::renameSeries(std::vector<analysis::KeyPath> opened, std::vector<analysis::KeyPath> closed,
                              std::vector<analysis::KeyPath> hidden) {
    Changes changes;
    if (opened != openedSeries_ || closed != closedSeries_) changes |= OpenedSeries;
    if (hidden != hiddenSeries_) changes |= HiddenSeries;
    if (!changes) return;
    openedSeries_ = std::move(opened);
    closedSeries_ = std::move(closed);
    hiddenSeries_ = std::move(hidden);
    ++seriesVersion_;
    emit changed(changes);
}

void GraphState::forgetKeys() {
    takeFilter({});
    filterUndo_.clear();
    paintedRows_.clear();
    hiddenSeries_.clear();
    openedSeries_.clear();
    closedSeries_.clear();
    emit changed(Filter | PaintedRows | HiddenSeries | OpenedSeries);
}

analysis::RowFilter GraphState::filterInContext() const {
    auto filter = rowFilter_;
    filter.marks = analysis_.marks();
    filter.annotations = std::make_shared<const analysis::Annotations>(layout_.annotations);
    return filter;
}

Result<analysis::RowFilter> rowFilterIn(const GraphState& graph, const std::vector<FilterStep>& steps) {
    auto filter = TRY(rowFilterOf(graph.table(), steps));
    auto context = graph.filterInContext();
    filter.marks = std::move(context.marks);
    filter.annotations = std::move(context.annotations);
    return filter;
}

} // namespace highwater::ui

#include "moc_graph_state.cpp"

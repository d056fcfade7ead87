#include "ui/view/analysis/graph_panel.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/sample_sweep.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/table/nothing_found.h"
#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/state/table/annotation_rules.h"
#include "ui/state/table/filter_step.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/flames/flame_view.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/table/filter_bar.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/frame_tool_tip.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/pivot_header.h"
#include "ui/view/table/table_work.h"
#include "ui/view/timeline/series_legend_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAction>
#include <QDir>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace highwater::ui {

namespace {

/// Most answers arrive before a user has read a number.
constexpr int kAgeDelayMs = 200;

QString waitingText(analysis::Table table) {
    if (table == analysis::Table::VirtualAlloc) return GraphPanel::tr("Waiting for the first VirtualAlloc allocation.");
    if (table == analysis::Table::Frees) return GraphPanel::tr("Waiting for the first memory event.");
    if (table == analysis::Table::Managed) return GraphPanel::tr("Waiting for the first managed allocation.");
    if (table == analysis::Table::GcHeap) return GraphPanel::tr("Waiting for the first garbage collection.");
    return GraphPanel::tr("Waiting for the first heap allocation.");
}

QString whatIsMissing(analysis::Table table) {
    if (table == analysis::Table::VirtualAlloc) return GraphPanel::tr("No VirtualAlloc allocations were recorded.");
    if (table == analysis::Table::Frees) return GraphPanel::tr("No memory events were recorded.");
    if (table == analysis::Table::Managed) return GraphPanel::tr("No managed allocations were recorded.");
    if (table == analysis::Table::GcHeap) return GraphPanel::tr("No managed heap sizes were recorded.");
    if (table == analysis::Table::Snapshot) return GraphPanel::tr("No heap snapshots or allocations were recorded.");
    return GraphPanel::tr("No heap allocations were recorded.");
}

/// The step that names a row: of a stack, the owner, because its last frame may be the start of the thread.
analysis::KeyStep namingStep(const analysis::KeyPath& path, const analysis::TimelineQuery& query,
                             const TraceOnScreen& shown) {
    const auto process = std::ranges::find(path, analysis::Column::Process, &analysis::KeyStep::column);
    if (process == path.end() || !analysis::isStack(path.back().column)) return path.back();
    analysis::OwnerFrames owners(*shown.trace()->processes, *shown.labels(), query.allocatorFrames.get());
    const auto wrappers =
        analysis::hasWrappers(query.table)
            ? analysis::keptWrappers(*shown.trace(), *shown.labels(), {query.table, query.allocatorFrames})
            : nullptr;
    owners.setWrappers(wrappers.get());
    const ProcessIndex number{static_cast<std::uint32_t>(process->key)};
    return path[analysis::ownerStepIn(path, number, owners).value()];
}

/// Rows painted by another page may not be open in the table, or may have other keys.
QString paintedRowName(const PaintedRow& row, const analysis::TimelineQuery& query, const TraceOnScreen& shown) {
    const auto& path = row.path;
    if (!shown.trace() || !shown.labels() || path.empty()) return GraphPanel::tr("(from another page)");
    analysis::KeyReader reader(*shown.trace(), *shown.labels(), query.interval, query.table, query.marks);
    reader.setInstances(analysis::instancesOf(*shown.trace(), query.instances));
    const auto step = namingStep(path, query, shown);
    if (step.column == analysis::Column::Holder) return toQString(row.holder);
    return toQString(reader.text(step.column, step.key));
}

} // namespace

GraphPanel::GraphPanel(GraphState& graph, const TraceOnScreen& shown, SeriesColors& colors, ZoomActions& zoom,
                       const QueryFunctions& functions, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      shown_(shown),
      colors_(colors),
      runner_(nullptr, functions),
      planner_(graph, shown, runner_),
      finder_(runner_, planner_),
      flameFinder_(graph, shown),
      header_(new GraphHeader(graph)),
      model_(new GroupedTableModel(colors, this)),
      filter_(new FilterBar(graph)),
      find_(new FindBar(graph, finder_)),
      message_(new MessageStrip),
      workStrip_(new MessageStrip),
      legend_(new SeriesLegendView(graph, colors)),
      timeline_(new TimelineView(graph, colors, zoom)),
      flames_(new FlameView(graph, flameFinder_)),
      table_(new GroupedTableView(graph, *model_)),
      work_(new TableWork(runner_, planner_, *model_, *table_, *workStrip_, this)),
      toolTip_(new FrameToolTip(runner_, *model_, *table_, this)) {
    model_->setLayout(graph.layout());
    model_->setNotes(shown.notes());
    build();
    shareKeys();
    connectStates();
    connectAnswers();
    connectTimeline();
    connectFlames();
    connectFind();
    connectNames();
    watchAge();
}

GraphPanel::~GraphPanel() = default;

void GraphPanel::build() {
    graphHalf_ = new QSplitter(Qt::Horizontal);
    graphHalf_->addWidget(legend_);
    graphHalf_->addWidget(timeline_);
    graphHalf_->addWidget(flames_);
    graphHalf_->setStretchFactor(1, 1);
    graphHalf_->setStretchFactor(2, 1);
    graphHalf_->setSizes({280, 705, 705});
    showChart();
    workStrip_->setObjectName(QStringLiteral("tableWork"));
    tableHalf_ = new QWidget;
    auto* lower = new QVBoxLayout(tableHalf_);
    lower->setContentsMargins(0, 0, 0, 0);
    lower->setSpacing(0);
    lower->addWidget(filter_);
    lower->addWidget(find_);
    lower->addWidget(message_);
    lower->addWidget(workStrip_);
    lower->addWidget(table_, 1);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->addWidget(graphHalf_);
    halves->addWidget(tableHalf_);
    halves->setStretchFactor(0, 2);
    halves->setStretchFactor(1, 3);
    halves->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header_);
    layout->addWidget(halves, 1);
}

/// The graph shares the keys, so that the hot path needs only one key after a zoom. Single letters work only in the
/// table, because boxes use them to search.
void GraphPanel::shareKeys() {
    for (auto* action : table_->actions().all()) {
        const auto key = action->shortcut();
        if (key.isEmpty() || !key[0].keyboardModifiers().testFlag(Qt::ControlModifier)) continue;
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
    // The key of the graph also works in the table, where the answer is shown.
    auto* instant = new QAction(table_);
    instant->setObjectName(QStringLiteral("instantOfTable"));
    instant->setShortcut(Qt::Key_L);
    instant->setShortcutContext(Qt::WidgetShortcut);
    connect(instant, &QAction::triggered, timeline_, &TimelineView::toggleInstant);
    table_->addAction(instant);
}

void GraphPanel::connectStates() {
    model_->setTimeBase(shown_.timeBase());
    timeline_->setZonesOf(shown_.trace().get());
    timeline_->setTraceName([this] { return shown_.name(); });
    flames_->setTraceName([this] { return shown_.name(); });
    connect(&shown_, &TraceOnScreen::changed, this, &GraphPanel::follow);
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Parts)) showParts();
        if (changes.testFlag(GraphState::Chart)) {
            showChart();
            refreshColors();
        }
        if (!changes.testFlag(GraphState::Layout)) return;
        model_->setLayout(graph_.layout());
        renameFilter();
    });
    connect(header_, &GraphHeader::closeWanted, this, &GraphPanel::closeWanted);
    connect(filter_, &FilterBar::left, table_, qOverload<>(&QWidget::setFocus));
    connect(table_, &GroupedTableView::openWanted, this, [this](const ExpandRequest& expansion) {
        if (model_->answer()) runner_.open({.answer = model_->answer(), .expansion = expansion});
    });
    table_->columns().setTraceFacts([this] {
        const auto trace = planner_.trace();
        auto facts = traceFactsOf(trace.get(), graph_.table());
        if (!trace) return facts;
        facts.sampleNote = analysis::sampleNote(*trace, graph_.table(), graph_.analysis().visibleRange());
        facts.pictureNote = analysis::pictureNote(*trace, graph_.analysis().visibleRange());
        return facts;
    });
    planner_.setRowViewState(
        [this] {
            auto kept = table_->rowViewState();
            kept.expansion = work_->expansionPaths();
            if (model_->answer()) kept.naming = model_->answer()->naming();
            return kept;
        },
        [this] { return table_->keptVersion(); });
}

void GraphPanel::connectAnswers() {
    connect(&planner_, &QueryPlanner::tableReady, this, &GraphPanel::showTable);
    connect(&runner_, &QueryRunner::timelineAnswered, this, &GraphPanel::showTimeline);
    connect(&runner_, &QueryRunner::coarseTimelineAnswered, this, &GraphPanel::showTimeline);
    connect(&runner_, &QueryRunner::timelineRefused, this, [this](const QString& sentence) {
        refusal_ = sentence;
        explainEmptyGraph();
        if (isUpToDate()) emit upToDate();
    });
    connect(&runner_, &QueryRunner::totalsAnswered, this, [this](const auto& answer) { showTotals(*answer); });
    connect(&runner_, &QueryRunner::opened, this, [this](const OpenRequest& request, const auto& row) {
        if (request.answer != model_->answer()) return;
        model_->insertOpened(request.answer, row);
        request.expansion.selects ? table_->showOpened(request.expansion, *row) : showGreeting(request.expansion, *row);
        if (isUpToDate()) emit upToDate();
    });
    connect(&runner_, &QueryRunner::failed, message_,
            [this](const QString& sentence) { message_->showMessage(sentence, MessageStrip::Tone::Warning); });
}

void GraphPanel::connectTimeline() {
    connect(timeline_, &TimelineView::pictureFailed, message_,
            [this](const QString& sentence) { message_->showMessage(sentence, MessageStrip::Tone::Warning); });
    connect(timeline_, &TimelineView::pictureSaved, this, &GraphPanel::confirmPicture);
    connect(timeline_, &TimelineView::plotWidthChanged, &planner_, &QueryPlanner::setTimelinePoints);
    connect(timeline_, &TimelineView::cursorMoved, legend_, &SeriesLegendView::showValuesAt);
    connect(timeline_, &TimelineView::rowPointedAt, &planner_, &QueryPlanner::askRowAt);
    connect(&runner_, &QueryRunner::rowFound, this, [this](const analysis::KeyPath& path) {
        if (!path.empty()) table_->reveal(path);
    });
    connect(&runner_, &QueryRunner::paintedAnswered, this, [this](auto answer) {
        showPainted(std::move(answer));
        if (isUpToDate()) emit upToDate();
    });
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::PaintedRows) && graph_.paintedRows().empty()) showPainted(nullptr);
    });
}

void GraphPanel::connectFlames() {
    const auto warn = [this](const QString& sentence) { message_->showMessage(sentence, MessageStrip::Tone::Warning); };
    connect(flames_, &FlameView::pictureFailed, message_, warn);
    connect(flames_, &FlameView::pictureSaved, this, &GraphPanel::confirmPicture);
    connect(&flameFinder_, &FlameFinder::failed, message_, warn);
    connect(flames_, &FlameView::namesWanted, this, &GraphPanel::namesWanted);
    connect(flames_, &FlameView::rowWanted, this, [this](const analysis::KeyPath& path) {
        table_->reveal(path);
        table_->setFocus();
    });
    connect(&flameFinder_, &FlameFinder::answered, this, [this] {
        if (isUpToDate()) emit upToDate();
    });
}

void GraphPanel::connectFind() {
    connect(find_, &FindBar::stepWanted, this,
            [this](auto direction) { finder_.find(direction, table_->currentPath()); });
    connect(find_, &FindBar::closed, table_, qOverload<>(&QWidget::setFocus));
    connect(&finder_, &TableFinder::found, table_, [this](const auto& row) { table_->reveal(row); });
    connect(filter_, &FilterBar::editWanted, find_, &FindBar::edit);
}

void GraphPanel::connectNames() {
    connect(&finder_, &TableFinder::namesWanted, this, &GraphPanel::namesWanted);
    connect(work_, &TableWork::namesWanted, this, &GraphPanel::namesWanted);
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes & (GraphState::Changes(GraphState::Filter) | GraphState::Layout)) askForNames();
    });
}

/// For filters and labels, whose queries are repeated when names arrive.
void GraphPanel::askForNames() {
    const auto& steps = graph_.filterSteps();
    const auto& layout = graph_.layout();
    if ((layout.showsAnnotations() && dependOnNames(layout.annotations)) ||
        std::any_of(steps.begin(), steps.end(),
                    [](const auto& step) { return step.query && dependsOnNames(*step.query); }))
        emit namesWanted();
}

void GraphPanel::showParts() {
    graphHalf_->setVisible(graph_.parts() != GraphParts::TableOnly);
    tableHalf_->setVisible(graph_.parts() != GraphParts::GraphOnly);
}

/// A flame graph has no lines and thus no legend.
void GraphPanel::showChart() {
    const bool isOfFlames = isFlames(graph_.chart());
    legend_->setVisible(!isOfFlames);
    timeline_->setVisible(!isOfFlames);
    flames_->setVisible(isOfFlames);
}

void GraphPanel::takeFocus() {
    if (graph_.parts() == GraphParts::GraphOnly)
        isFlames(graph_.chart()) ? flames_->setFocus() : timeline_->setFocus();
    else
        table_->setFocus();
}

QList<QAction*> GraphPanel::exportActions() const {
    auto* graph = isFlames(graph_.chart()) ? flames_->exportAction() : timeline_->exportAction();
    return QList<QAction*>{graph} + table_->actions().exportActions();
}

void GraphPanel::follow(TraceOnScreen::Changes changes) {
    if (changes.testFlag(TraceOnScreen::NewTrace)) {
        forgetTrace();
        askForNames();
    }
    const auto anyTrace =
        TraceOnScreen::Changes(TraceOnScreen::NewTrace) | TraceOnScreen::MoreOfIt | TraceOnScreen::Cleared;
    if (changes & anyTrace) {
        timeline_->setZonesOf(shown_.trace().get());
        explainEmptyGraph();
    }
    if (changes.testFlag(TraceOnScreen::Cleared)) finder_.forgetTrace();
    if (changes.testFlag(TraceOnScreen::WallClock)) {
        model_->setTimeBase(shown_.timeBase());
        renameFilter();
    }
    if (changes & (TraceOnScreen::Changes(TraceOnScreen::Loading) | TraceOnScreen::Contents)) followLoading();
}

void GraphPanel::forgetTrace() {
    greetedAt_.reset();
    work_->forgetTrace();
    finder_.forgetTrace();
    table_->forgetRows();
    model_->setAnswer(nullptr);
    showAge();
    timeline_->setAnswer(nullptr);
    showPainted(nullptr);
    legend_->setAnswer(nullptr);
}

void GraphPanel::confirmPicture(const QString& path) {
    message_->showMessage(tr("Graph saved as %1.").arg(QDir::toNativeSeparators(path)));
}

void GraphPanel::followLoading() {
    explainEmptyGraph();
    if (!model_->answer()) return;
    explainEmptyTable();
    greet(Names::AsBefore);
}

/// Initially, the heaviest path is open down to the owner. Owners are found by names, which may arrive later. Another
/// path is then opened instead, unless the user has opened or selected rows since. Asks again if a newer answer arrives
/// before the path.
void GraphPanel::greet(Names names) {
    const auto& table = model_->answer()->source()->table;
    const bool isOfNewest = !table || !planner_.trace() || &table->trace() == planner_.trace().get();
    if (shown_.isLoading() || model_->rowCount() == 0 || !isOfNewest) return;
    const bool isAgain = greetedAt_.has_value();
    if (isAgain && (names == Names::AsBefore || greetedAt_ != table_->keptVersion())) return;
    if (isAgain) table_->collapseEverything();
    greetedAt_.reset();
    runner_.open({.answer = model_->answer(), .expansion = {.mode = OpenMode::HotPath, .selects = false}});
}

void GraphPanel::showGreeting(const ExpandRequest& expansion, const TableRow& row) {
    if (greetedAt_) return; // a session has restored its rows
    const bool isUntouched = table_->expandedPaths().empty();
    if (isUntouched) table_->showOpened(expansion, row);
    greetedAt_ = isUntouched ? table_->keptVersion() : kTouched;
}

void GraphPanel::adoptRows(const RowViewState& kept) {
    greetedAt_ = kTouched;
    table_->adoptRows(kept);
}

void GraphPanel::showTable(std::shared_ptr<const TableAnswer> answer) {
    const auto& kept = answer->kept();
    const auto names = kept.isRenamed ? Names::New : Names::AsBefore;
    if (kept.isRenamed) {
        table_->renameRows(kept);
        work_->renameExpansion(kept.expansion);
        graph_.paintRows(kept.painted);
        if (kept.seriesVersion == graph_.seriesVersion())
            graph_.renameSeries(kept.openedSeries, kept.closedSeries, kept.hiddenSeries);
    }
    model_->setAnswer(std::move(answer));
    if (!isTableOld()) showAge();
    showPainted(timeline_->painted());
    renameFilter();
    explainEmptyTable();
    greet(names);
    if (isUpToDate()) emit upToDate();
}

/// Updates chips to the current names of rows, and to the time format of the columns.
void GraphPanel::renameFilter() {
    const auto& answer = model_->answer();
    if (!answer) return;
    std::vector<QString> texts;
    std::size_t clause = 0;
    for (const auto& step : graph_.filterSteps()) {
        auto& text = texts.emplace_back();
        if (step.query) continue;
        const auto& clauses = answer->query().filter.clauses;
        const bool isAnswered = clause < clauses.size() && clauses[clause] == step.clause;
        std::vector<const TableRow*> rows;
        if (isAnswered && clause < answer->filterRows().size()) {
            for (const auto& row : answer->filterRows()[clause])
                rows.push_back(&row);
        }
        if (!rows.empty() && !step.hasName) text = labelOf(step.clause, model_->describePath(rows));
        ++clause;
    }
    graph_.renameFilter(texts);
}

/// Axes would wrongly show that the count was 0.
void GraphPanel::explainEmptyGraph() {
    if (!refusal_.isEmpty()) return timeline_->setEmptyText(refusal_);
    const auto& trace = shown_.trace();
    const bool hasEvents = !trace || analysis::isRecorded(*trace, graph_.table());
    timeline_->setEmptyText(hasEvents                         ? QString()
                            : shown_.isLoading()              ? waitingText(graph_.table())
                            : trace->health.totalsAreBounds() ? tr("None were found. Parts of the trace are missing.")
                                                              : whatIsMissing(graph_.table()));
}

void GraphPanel::explainEmptyTable() {
    const auto& trace = shown_.trace();
    const bool isRecorded = !trace || shown_.isLoading() || analysis::isRecorded(*trace, graph_.table());
    explainEmptyGraph();
    if (model_->rowCount() > 0) return explainEmptyColumns();
    if (isRecorded && !graph_.filterSteps().empty()) {
        return message_->showMessage(nothingMatches(graph_.filterSteps()), MessageStrip::Tone::Plain,
                                     {tr("Clear Filter"), [this] { graph_.clearFilter(); }});
    }
    if (shown_.isRecording() && graph_.table() == analysis::Table::Snapshot)
        return message_->showMessage(tr("No heap snapshots yet. Press Ctrl+Shift+S to take one."));
    if (shown_.isLoading()) return message_->showMessage(tr("No rows yet. Rows appear while the trace is being read."));
    if (!trace) return message_->hide();
    auto why = toQString(analysis::whyEmpty(*trace, graph_.table(), graph_.analysis().visibleRange()));
    if (!isRecorded && !shown_.contents().isEmpty()) why += QLatin1Char(' ') + shown_.contents();
    message_->showMessage(why);
}

/// Columns of samples and of pictures are empty in an interval without one, and where resident pages are unknown.
void GraphPanel::explainEmptyColumns() {
    const auto& trace = shown_.trace();
    if (!trace) return message_->hide();
    const auto& answer = *model_->answer();
    const auto shows = [&](analysis::ColumnNeed need) {
        const auto needs = [need](analysis::Column column) { return analysis::specOf(column).need == need; };
        return std::ranges::any_of(answer.query().keys, needs) ||
               std::ranges::any_of(answer.query().columns, needs, &analysis::ValueColumn::column);
    };
    const auto interval = graph_.analysis().visibleRange();
    const auto unknown = answer.rowsOnUnknownPages();
    if (shows(analysis::ColumnNeed::Samples) && (unknown > 0 || analysis::samplesIn(*trace, interval).empty()))
        return message_->showMessage(toQString(analysis::sampleNote(*trace, graph_.table(), interval, unknown)));
    const auto ofPictures = analysis::pictureNote(*trace, interval);
    if (shows(analysis::ColumnNeed::Pictures) && !ofPictures.empty())
        return message_->showMessage(toQString(ofPictures));
    message_->hide();
}

void GraphPanel::showTimeline(std::shared_ptr<const TimelineAnswer> answer) {
    // The timeline assigns colours, heaviest first; legend and table follow in showPainted().
    if (!std::exchange(refusal_, QString()).isEmpty()) explainEmptyGraph();
    timeline_->setAnswer(answer);
    legend_->setAnswer(answer);
    showPainted(timeline_->painted());
    if (isUpToDate()) emit upToDate();
}

/// Rows that are drawn, as a line or painted, have a square in the same colour.
void GraphPanel::refreshColors() {
    // Flame graphs have their own colours.
    model_->setDrawnRows(isFlames(graph_.chart()) ? std::nullopt : std::optional(timeline_->drawnRows()));
    table_->viewport()->update();
}

/// The rows' names and colours may also have changed.
void GraphPanel::showPainted(std::shared_ptr<const PaintedAnswer> painted) {
    timeline_->setPainted(painted);
    QStringList names;
    for (std::size_t i = 0; painted && i < painted->rows.size(); ++i) {
        // Rows that are filtered out are not painted.
        const auto& of = painted->rows[i];
        const auto row = model_->indexOf(of.path);
        const bool isGone = !row.isValid() && std::ranges::all_of(of.peaks, [](auto peak) { return peak == 0; });
        names << (row.isValid() ? model_->keyText(row)
                  : isGone      ? QString()
                                : paintedRowName(of, painted->query, shown_));
    }
    legend_->setPainted(std::move(painted), names);
    refreshColors();
}

/// Whether the numbers belong to an older query than the visible filter, keys and interval. While a trace is loading,
/// the interval is ignored, because the numbers are incomplete anyway.
bool GraphPanel::isTableOld() const {
    if (!model_->answer() || !planner_.trace()) return false;
    auto wanted = planner_.tableQuery();
    if (shown_.isLoading()) wanted.interval = model_->answer()->query().interval;
    return !asksTheSame(model_->answer()->query(), wanted);
}

/// Filter, keys and interval change at once, but numbers only when they are computed.
void GraphPanel::watchAge() {
    age_.setSingleShot(true);
    age_.setInterval(kAgeDelayMs);
    connect(&age_, &QTimer::timeout, this, &GraphPanel::showAge);
    const auto look = [this] {
        if (!isTableOld())
            showAge();
        else if (!age_.isActive() && !table_->isOld())
            age_.start();
    };
    connect(&graph_, &GraphState::changed, this, look);
    connect(&graph_.analysis(), &AnalysisState::changed, this, look);
}

void GraphPanel::showAge() {
    age_.stop();
    const bool isOld = isTableOld();
    table_->setOld(isOld);
    header_->setCounting(isOld);
}

void GraphPanel::showTotals(const TableAnswer& answer) {
    const auto& values = answer.total().values;
    const auto* bytes = values.empty() ? nullptr : std::get_if<std::int64_t>(&values.front());
    if (!bytes) return;
    // Released or new bytes are not outstanding, so their sum is not a change.
    const auto table = graph_.table();
    const bool isSum = analysis::isOfEvents(table);
    const auto words = table == analysis::Table::Frees ? tr("Freed") : isSum ? tr("Allocated") : tr("Change");
    const SelectionAmount amount{answer.query().interval, words, isSum ? formatBytes(*bytes) : formatByteDelta(*bytes)};
    timeline_->setSelectionAmount(amount);
    emit selectionMeasured(amount);
}

bool GraphPanel::isUpToDate() const {
    if (planner_.tableWaits()) return false;
    if (isFlames(graph_.chart()) && !flameFinder_.isUpToDate()) return false;
    if (!planner_.trace() || runner_.isBusy() || !model_->answer()) return false;
    return asksTheSame(model_->answer()->query(), planner_.tableQuery()) &&
           (!refusal_.isEmpty() || isTimelineUpToDate());
}

bool GraphPanel::isTimelineUpToDate() const {
    if (!timeline_->answer() || timeline_->isCoarse()) return false;
    return timeline_->answer()->query.interval == graph_.analysis().visibleRange() &&
           timeline_->answer()->query.by == planner_.timelineQuery().by &&
           timeline_->answer()->query.opening == planner_.timelineQuery().opening &&
           timeline_->answer()->query.measure == graph_.measure() &&
           haveSameLabels(timeline_->answer()->query.annotations, planner_.timelineQuery().annotations);
}

} // namespace highwater::ui

#include "moc_graph_panel.cpp"

#include "ui/view/analysis_view.h"

#include "ui/model/grouped_table_model.h"
#include "ui/view/filter_bar.h"
#include "ui/view/grouped_table_view.h"
#include "ui/view/message_strip.h"
#include "ui/view/series_legend_view.h"
#include "ui/view/table_actions.h"
#include "ui/view/timeline_view.h"
#include "ui/view/zoom_actions.h"

#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace highwater::ui {
namespace {

constexpr std::array kTables{analysis::Table::VirtualAlloc, analysis::Table::Heap, analysis::Table::Frees};

QString titleOf(analysis::Table table) {
    const auto title = analysis::tableTitle(table);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

} // namespace

AnalysisView::AnalysisView(QWidget* parent, QueryFunctions functions)
    : QWidget(parent),
      runner_(nullptr, std::move(functions)),
      planner_(state_, runner_),
      model_(new GroupedTableModel(colors_, this)),
      zoom_(new ZoomActions(state_, this)),
      choices_(new QActionGroup(this)),
      tabs_(new QTabBar),
      filter_(new FilterBar(state_)),
      message_(new MessageStrip),
      legend_(new SeriesLegendView(colors_)),
      timeline_(new TimelineView(state_, colors_, *zoom_)),
      table_(new GroupedTableView(state_, *model_)) {
    buildChoices();
    build();
    connectState();
    connectAnswers();
}

AnalysisView::~AnalysisView() {
    // Widgets look at state and colours until their end, which would come after that of our members.
    qDeleteAll(findChildren<QObject*>(Qt::FindDirectChildrenOnly));
}

void AnalysisView::build() {
    auto* graph = new QSplitter(Qt::Horizontal);
    graph->addWidget(legend_);
    graph->addWidget(timeline_);
    graph->setStretchFactor(1, 1);
    graph->setSizes({270, 730});
    auto* lower = new QWidget;
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(0);
    lowerLayout->addWidget(filter_);
    lowerLayout->addWidget(message_);
    lowerLayout->addWidget(table_, 1);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->addWidget(graph);
    halves->addWidget(lower);
    halves->setStretchFactor(0, 2);
    halves->setStretchFactor(1, 3);
    halves->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tabs_);
    layout->addWidget(halves, 1);
}

void AnalysisView::buildChoices() {
    tabs_->setObjectName(QStringLiteral("tableTabs"));
    tabs_->setAccessibleName(tr("Which table"));
    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    for (std::size_t i = 0; i < kTables.size(); ++i) {
        tabs_->addTab(titleOf(kTables[i]));
        auto* action = choices_->addAction(titleOf(kTables[i]));
        action->setCheckable(true);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
        connect(action, &QAction::triggered, &state_, [this, i] { state_.showTable(kTables[i]); });
    }
    choices_->actions().first()->setChecked(true);
    connect(tabs_, &QTabBar::currentChanged, &state_,
            [this](int tab) { state_.showTable(kTables[static_cast<std::size_t>(tab)]); });
}

void AnalysisView::connectState() {
    connect(&state_, &ViewState::changed, this, [this](auto changes) {
        const auto position = static_cast<int>(state_.table());
        tabs_->setCurrentIndex(position);
        choices_->actions().at(position)->setChecked(true);
        if (changes.testFlag(ViewState::Table)) legend_->clearHidden();
    });
    connect(legend_, &SeriesLegendView::hiddenChanged, timeline_, &TimelineView::setHidden);
    connect(timeline_, &TimelineView::plotWidthChanged, &planner_, &QueryPlanner::setTimelinePoints);
    connect(message_, &MessageStrip::linkActivated, &state_, &ViewState::clearFilter);
    connect(table_, &GroupedTableView::openWanted, this, [this](auto node, OpenMode mode) {
        runner_.open({.answer = model_->answer(), .node = node, .mode = mode});
    });
    planner_.setExpandedPaths([this] { return table_->expandedPaths(); });
}

void AnalysisView::connectAnswers() {
    connect(&runner_, &QueryRunner::tableAnswered, this, &AnalysisView::showTable);
    connect(&runner_, &QueryRunner::timelineAnswered, this, &AnalysisView::showTimeline);
    connect(&runner_, &QueryRunner::totalsAnswered, this, [this](const auto& answer) { showTotals(*answer); });
    connect(&runner_, &QueryRunner::opened, this, [this](const OpenRequest& request, const TableRow& row) {
        model_->insertOpened(request.answer, row);
        if (request.mode == OpenMode::HotPath && request.answer == model_->answer()) table_->revealHotPath(row);
    });
    connect(&runner_, &QueryRunner::failed, message_,
            [this](const QString& sentence) { message_->showMessage(sentence, MessageStrip::Tone::Warning); });
}

void AnalysisView::setTrace(std::shared_ptr<const store::PublishedTrace> trace,
                            std::shared_ptr<analysis::FrameLabels> labels) {
    const bool isNew = labels != labels_;
    trace_ = trace;
    labels_ = labels;
    if (isNew) {
        greeted_ = {};
        colors_.clear();
        legend_->clearHidden();
        table_->forgetRows();
        model_->setAnswer(nullptr);
        timeline_->setTimeline(nullptr);
        legend_->setTimeline(nullptr);
    }
    planner_.setTrace(trace, std::move(labels));
    if (isNew)
        state_.reset(trace->wholeRange());
    else
        state_.growTo(trace->wholeRange());
}

void AnalysisView::clearTrace() {
    trace_.reset();
    labels_.reset();
    planner_.clearTrace();
}

void AnalysisView::setLoading(bool loading) {
    loading_ = loading;
    if (!model_->answer()) return;
    explainEmptyTable();
    greet();
}

/// The first look at a table shows the heaviest group opened to its first fork.
void AnalysisView::greet() {
    if (loading_ || model_->rowCount() == 0 || std::exchange(greeted_[static_cast<std::size_t>(state_.table())], true))
        return;
    if (table_->expandedPaths().empty()) table_->expand(model_->index(0, 0));
}

void AnalysisView::showTable(std::shared_ptr<const TableAnswer> answer) {
    model_->setAnswer(std::move(answer));
    explainEmptyTable();
    greet();
    if (isUpToDate()) emit upToDate();
}

void AnalysisView::explainEmptyTable() {
    if (model_->rowCount() > 0) return message_->hide();
    if (!state_.filterSteps().empty()) {
        return message_->showMessage(tr("Nothing matches the filter."), MessageStrip::Tone::Plain, tr("Clear filter"));
    }
    if (loading_) return message_->showMessage(tr("Loading: no events for this table yet."));
    message_->showMessage(state_.isZoomed() ? tr("Nothing of this table in the visible interval.")
                                            : tr("This trace has no events for this table."));
}

void AnalysisView::showTimeline(std::shared_ptr<const analysis::Timeline> timeline) {
    // The timeline gives out the colours, heaviest first; legend and table follow.
    timeline_->setTimeline(timeline);
    legend_->setTimeline(timeline);
    model_->refreshColors();
    if (isUpToDate()) emit upToDate();
}

void AnalysisView::showTotals(const TableAnswer& answer) {
    const auto& values = answer.total().values;
    const auto* bytes = values.empty() ? nullptr : std::get_if<std::int64_t>(&values.front());
    if (bytes) timeline_->setSelectionDelta(answer.query().interval, *bytes);
}

QList<QAction*> AnalysisView::zoomActions() const { return zoom_->all(); }

QList<QAction*> AnalysisView::tableActions() const { return table_->actions().all(); }

bool AnalysisView::isUpToDate() const {
    if (!trace_ || runner_.isBusy() || !model_->answer() || !timeline_->timeline()) return false;
    const auto& query = model_->answer()->query();
    return query.interval == state_.visibleRange() && query.table == state_.table() &&
           query.filter == state_.filter() && query.sort == state_.layout().sort &&
           query.columns == state_.layout().columns && timeline_->timeline()->interval == state_.visibleRange();
}

} // namespace highwater::ui

#include "app/tools/difference/page/compare_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/difference/page/difference_view.h"
#include "app/tools/tools.h"
#include "ui/format/file_name.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/tree_flames_view.h"
#include "ui/view/window/recent_trace.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QMainWindow>
#include <QTreeView>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr int kRecompareMs = 1000; ///< minimum time between two questions while a trace grows or names are loading

QString whatToDo() {
    return ui::tr("To compare this trace with another one, choose Trace > Compare With…. To compare two intervals of "
                  "this trace, select the first, choose View > Highlight Selection, and select the second.");
}

/// Selected rows and marks have no meaning in another trace.
bool isOfThisTrace(const ui::FilterStep& step) {
    if (!step.query) return true;
    const auto columns = step.query->columns();
    return columns.contains(analysis::Column::Generation) || columns.contains(analysis::Column::SurvivedMarks);
}

} // namespace

CompareController::CompareController(ui::AnalysisTabs& tabs, const SymbolSession& names, ApplicationSettings& settings,
                                     QMainWindow& window, ui::DifferenceFunction find)
    : Page(window, new ui::DifferenceView, tr("Compare"),
           {.name = "compareDock", .action = "toggleCompare", .text = tr("&Compare"), .takesFocus = false}),
      tabs_(tabs),
      names_(names),
      otherNames_(symbols::systemEnvironment()),
      finder_(nullptr, std::move(find)),
      view_(static_cast<ui::DifferenceView*>(dock().widget())),
      renames_(settings, *view_) {
    followToggle();
    buildActions(window);
    view_->clear(whatToDo());
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kRecompareMs);
    connect(&soon_, &QTimer::timeout, this, &CompareController::ask);
    connect(&growth_, &QTimer::timeout, this, &CompareController::ask);
    connectPage();
    connectPictures();
    connectOther();
    connectTabs();
}

void CompareController::followToggle() {
    auto* toggle = toggleAction();
    // A dock behind a tab or in a minimized window is not hidden. A triggered action reports its state before the dock
    // changes.
    connect(toggle, &QAction::toggled, this, [this](bool isShown) {
        if (!isShown && dock().isHidden()) stop(whatToDo());
    });
    connect(toggle, &QAction::triggered, this, [this](bool isShown) {
        if (isShown)
            showPage();
        else if (dock().isHidden()) // otherwise it was behind another dock and is in front now
            stop(whatToDo());
    });
}

void CompareController::buildActions(QMainWindow& window) {
    withTrace_ = new QAction(tr("&Compare With…"), this);
    withTrace_->setObjectName(QStringLiteral("compareWith"));
    withTrace_->setToolTip(tr("Compare the memory of this trace with that of another build or run"));
    connect(withTrace_, &QAction::triggered, this, [this, &window] { askForTrace(window); });
    withHighlight_ = new QAction(tr("Compare With &Highlighted Interval"), this);
    withHighlight_->setObjectName(QStringLiteral("compareHighlight"));
    withHighlight_->setToolTip(tr("Compare the selected or visible interval with the highlighted one"));
    connect(withHighlight_, &QAction::triggered, this, &CompareController::compareWithHighlight);
    snapshots_ = makeCompareSnapshots(this);
    connect(snapshots_, &QAction::triggered, this, &CompareController::compareSnapshots);
}

void CompareController::connectPage() {
    connect(&finder_, &ui::DifferenceFinder::busyChanged, view_, &ui::DifferenceView::setBusy);
    connect(&finder_, &ui::DifferenceFinder::answered, this, [this](const auto& answer) {
        if (before_ == Before::Nothing) return;
        view_->setAnswer(answer);
        printRemarks();
        emit upToDate();
    });
    connect(&finder_, &ui::DifferenceFinder::failed, this, [this](const QString& sentence) {
        view_->clear(sentence);
        emit upToDate();
    });
    connect(&finder_, &ui::DifferenceFinder::pathsAnswered, this, &CompareController::takePaths);
    connect(view_, &ui::DifferenceView::questionChanged, this, &CompareController::askSoon);
    connect(view_, &ui::DifferenceView::cancelWanted, this, [this] { stop(tr("Loading was cancelled.")); });
    connect(view_, &ui::DifferenceView::painted, this, [this](std::uint32_t row) {
        finder_.askPaths({view_->model().answer(), row, false});
    });
    connect(view_, &ui::DifferenceView::firstShown, this, [this](std::uint32_t row) {
        const auto& answer = view_->model().answer(); // do not open another graph without a request
        if (graph_ && graph_->table() == answer->table) finder_.askPaths({answer, row, false});
    });
    connect(view_, &ui::DifferenceView::filterWanted, this, [this](std::uint32_t row) {
        finder_.askPaths({view_->model().answer(), row, true});
    });
    connect(view_, &ui::DifferenceView::filterUnwanted, this, &CompareController::takeFilterBack);
}

void CompareController::connectPictures() {
    connect(view_, &ui::DifferenceView::linesWanted, this, [this](const std::vector<std::uint32_t>& rows) {
        if (const auto& answer = view_->model().answer(); answer && answer->all) finder_.askLines({answer, rows});
    });
    connect(view_, &ui::DifferenceView::flamesWanted, this, [this] {
        if (const auto& answer = view_->model().answer(); answer && answer->all) finder_.askFlames(answer);
    });
    connect(&view_->flames(), &ui::TreeFlamesView::searchWanted, this, [this](const QString& text) {
        finder_.search({view_->flames().canvas().answer(), text});
    });
    connect(&finder_, &ui::DifferenceFinder::linesAnswered, this, [this](const ui::DifferenceLines& lines) {
        view_->setLines(lines);
        emit upToDate();
    });
    connect(&finder_, &ui::DifferenceFinder::flamesAnswered, this, [this](const ui::DifferenceFlames& flames) {
        view_->setFlames(flames);
        emit upToDate();
    });
    connect(&finder_, &ui::DifferenceFinder::searchDone, &view_->flames(), &ui::TreeFlamesView::setSearch);
    connect(&renames_, &CompareRenames::changed, this, &CompareController::askSoon);
}

void CompareController::connectOther() {
    connect(&opener_, &TraceOpener::progressed, this, [this](quint64 done, quint64 total) {
        if (isLoading_) view_->setProgress(total == 0 ? 0 : static_cast<int>(100.0 * double(done) / double(total)));
    });
    connect(&opener_, &TraceOpener::published, this, [this](const auto& trace, const auto& labels) {
        other_ = trace;
        otherLabels_ = labels;
        otherNames_.setTrace(trace, labels);
    });
    connect(&opener_, &TraceOpener::ended, this, &CompareController::takeEnd);
    connect(&otherNames_, &SymbolSession::statusChanged, this, &CompareController::printRemarks);
    connect(&otherNames_, &SymbolSession::namesChanged, this, [this] {
        if (before_ == Before::OtherTrace && !growth_.isActive()) growth_.start();
    });
}

void CompareController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentViewChanged, this, &CompareController::askSoon);
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &CompareController::followPanel);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &CompareController::followTrace);
    const auto followSnapshots = [this] {
        enableCompareSnapshots(*snapshots_, snapshotsMeant(tabs_, graph_).has_value());
    };
    connect(&tabs_, &ui::AnalysisTabs::currentStateChanged, this, followSnapshots);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, followSnapshots);
    followPanel();
}

void CompareController::showPage() {
    show();
    view_->tree().setFocus();
    emit namesWanted();
}

bool CompareController::isUpToDate() const {
    return before_ == Before::Nothing || (!isLoading_ && !soon_.isActive() && !growth_.isActive() && !finder_.isBusy());
}

void CompareController::askForTrace(QMainWindow& window) {
    auto* dialog = new QFileDialog(&window, tr("Compare With Trace"), {}, traceFileFilter());
    dialog->setObjectName(QStringLiteral("compareDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &CompareController::compareWith);
    dialog->open();
}

void CompareController::compareWith(const QStringList& paths) {
    if (paths.isEmpty()) return;
    stop(tr("Loading %1…").arg(ui::lineText(ui::nameOfTrace(paths).toStdString())));
    before_ = Before::OtherTrace;
    isLoading_ = true;
    showPage();
    view_->setProgress(0);
    auto source = otherNames_.begin(paths);
    otherNames_.setChoices(names_.choices());
    otherNames_.setEnabled(names_.isEnabled());
    opener_.open(paths, std::move(source));
}

void CompareController::takeEnd(pipeline::LoadState state, const QString& sentence) {
    if (before_ != Before::OtherTrace || !isLoading_) return;
    isLoading_ = false;
    if (state == pipeline::LoadState::Failed || !other_) {
        stop(sentence.isEmpty() ? tr("The other trace contains no recorded data.") : sentence);
        return;
    }
    view_->setProgress({});
    trouble_ = sentence;
    otherNames_.noteEnd();
    otherNames_.loadLazily();
    askSoon();
}

void CompareController::compareWithHighlight() {
    stop({});
    before_ = Before::Highlight;
    showPage();
    askSoon();
}

void CompareController::compareSnapshots() {
    stop({});
    compared_ = snapshotsMeant(tabs_, graph_);
    before_ = Before::Snapshots;
    showPage();
    askSoon();
}

void CompareController::noteLayoutRestored() {
    if (before_ == Before::Nothing) dock().hide();
}

void CompareController::stop(const QString& why) {
    before_ = Before::Nothing;
    compared_.reset();
    isLoading_ = false;
    soon_.stop();
    growth_.stop();
    finder_.cancel();
    opener_.close();
    otherNames_.close();
    other_.reset();
    otherLabels_.reset();
    readRenames();
    trouble_.clear();
    aboutRow_.clear();
    filter_.forget();
    if (graph_ && !painted_.empty() && graph_->paintedRows() == painted_) graph_->paintRows({});
    painted_.clear();
    view_->setFiltered({});
    view_->setProgress({});
    view_->clear(why);
    emit upToDate();
}

void CompareController::followPanel() {
    if (graph_) graph_->disconnect(this);
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    if (graph_) {
        connect(graph_, &ui::GraphState::changed, this, [this](ui::GraphState::Changes changes) {
            if (changes.testFlag(ui::GraphState::Filter)) askSoon();
        });
    }
    askSoon();
}

void CompareController::followTrace(ui::TraceOnScreen::Changes changes) {
    if (before_ == Before::Nothing) return;
    if (changes.testFlag(ui::TraceOnScreen::NewTrace)) emit namesWanted();
    if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
        filter_.forget();
        compared_.reset();
        view_->setFiltered({});
        finder_.cancel();
        askSoon();
    } else if (changes & (ui::TraceOnScreen::MoreOfIt | ui::TraceOnScreen::Names)) {
        if (!growth_.isActive()) growth_.start();
    } else if (changes.testFlag(ui::TraceOnScreen::Loading)) {
        askSoon();
    } else if (changes.testFlag(ui::TraceOnScreen::Naming)) {
        printRemarks();
    }
}

void CompareController::askSoon() {
    if (before_ != Before::Nothing && !isLoading_) soon_.start(0);
}

analysis::Table CompareController::tableToAsk() const {
    if (before_ == Before::Snapshots) return analysis::Table::Snapshot;
    return graph_ && graph_->table() == analysis::Table::VirtualAlloc ? analysis::Table::VirtualAlloc
                                                                      : analysis::Table::Heap;
}

std::optional<TimeRange> CompareController::rangeBefore(TimeRange after) {
    const auto& state = tabs_.current().state();
    if (before_ == Before::Snapshots) {
        if (!compared_) view_->clear(howSnapshotsAreCompared());
        return compared_ ? std::optional(after) : std::nullopt;
    }
    if (before_ == Before::Highlight) {
        if (!state.highlight())
            view_->clear(tr("Select an interval and highlight it, then select the interval to compare with it."));
        return state.highlight();
    }
    const auto whole = other_->wholeRange();
    if (!state.isZoomed()) return whole;
    const TimeRange range{std::max(after.start, whole.start), std::min(after.end, whole.end)};
    if (!range.isEmpty()) return range;
    view_->clear(
        tr("The other trace ends at %1 and does not overlap the visible interval.").arg(ui::formatTime(whole.end)));
    return std::nullopt;
}

std::optional<analysis::DifferenceQuery> CompareController::question() {
    const auto& shown = tabs_.shown();
    if (!shown.trace()) {
        view_->clear(tr("Open or record a trace to compare."));
        return std::nullopt;
    }
    auto& state = tabs_.current().state();
    const bool isOther = before_ == Before::OtherTrace;
    readRenames();
    const bool areSnapshots = before_ == Before::Snapshots;
    const auto after = areSnapshots ? shown.trace()->wholeRange()
                       : isOther    ? state.visibleRange()
                                    : state.selection().value_or(state.visibleRange());
    const auto before = rangeBefore(after);
    if (!before) return std::nullopt;
    analysis::DifferenceQuery query;
    query.table = tableToAsk();
    query.keys = {analysis::Column::Process,
                  view_->isBottomUp() ? analysis::Column::StackBottomUp : analysis::Column::Stack};
    query.renames = renames_.renames();
    query.processExitFreesHeap = state.options().processExitFreesHeap;
    query.allocatorFrames = state.options().allocatorFrames;
    analysis::RowFilter filter;
    hasOtherFilters_ = false;
    if (graph_ && graph_->table() == query.table) {
        auto steps = filter_.stepsWithout(*graph_); // otherwise the page would show only the row that it filters to
        // Selected rows have no meaning in another trace.
        if (isOther) hasOtherFilters_ = std::erase_if(steps, isOfThisTrace) > 0;
        if (auto made = ui::rowFilterIn(*graph_, steps); made.hasValue()) filter = std::move(made).value();
    }
    query.after.push_back({shown.trace(), shown.labels(), after, filter});
    query.before.push_back(
        {isOther ? other_ : shown.trace(), isOther ? otherLabels_ : shown.labels(), *before, std::move(filter)});
    if (areSnapshots) {
        query.before.front().instances = {state.instants(), compared_->first.number};
        query.after.front().instances = {state.instants(), compared_->second.number};
    }
    view_->offerMeasures(query);
    query.decides = view_->measure();
    return query;
}

void CompareController::describeSides(const analysis::DifferenceQuery& query) {
    const auto text = [](const QString& name, TimeRange range) {
        return tr("%1, %2").arg(name, ui::formatRange(range));
    };
    if (before_ == Before::Snapshots) return view_->setSides(textOf(compared_->first), textOf(compared_->second));
    const auto here = ui::lineText(tabs_.shown().name().toStdString());
    const auto there =
        before_ == Before::OtherTrace ? ui::lineText(ui::nameOfTrace(opener_.paths()).toStdString()) : here;
    view_->setSides(text(there, query.before.front().interval), text(here, query.after.front().interval));
}

void CompareController::ask() {
    if (before_ == Before::Nothing || isLoading_) return;
    soon_.stop();
    growth_.stop();
    otherNames_.setNameStyle(names_.nameStyle());
    otherNames_.setStackTags(names_.stackTags());
    auto query = question();
    if (!query) {
        finder_.cancel();
        emit upToDate();
        return;
    }
    describeSides(*query);
    if (!graph_ || !filter_.isIn(*graph_)) view_->setFiltered({});
    finder_.ask(*std::move(query));
}

void CompareController::readRenames() {
    if (before_ != Before::OtherTrace) return renames_.setPair({});
    renames_.setPair(ui::nameOfTrace(opener_.paths()) + QLatin1Char('\n') + tabs_.shown().name());
}

void CompareController::printRemarks() {
    if (before_ == Before::Nothing || isLoading_) return;
    QStringList sentences;
    if (!aboutRow_.isEmpty()) sentences << aboutRow_;
    if (!trouble_.isEmpty()) sentences << trouble_;
    if (before_ == Before::OtherTrace && other_ && other_->health.totalsAreBounds())
        sentences << tr("Data is missing from %1. %2")
                         .arg(ui::lineText(ui::nameOfTrace(opener_.paths()).toStdString()),
                              ui::toQString(other_->health.boundsText()));
    if (before_ == Before::OtherTrace && (otherNames_.areNamesComing() || names_.areNamesComing()))
        sentences << tr(
            "Function names are still being loaded. Until they are available, groups may appear as new or gone.");
    if (hasOtherFilters_) sentences << tr("Filters made by selecting rows do not apply here; query filters do.");
    view_->setRemark(sentences.join(QLatin1Char(' ')));
}

void CompareController::takePaths(const ui::DifferencePathsRequest& request,
                                  const std::vector<analysis::KeyPath>& paths) {
    // The answer may have changed, but the rows still belong to the trace.
    const bool isOfThisTrace = request.answer->all->query().after.front().labels == tabs_.shown().labels();
    if (before_ == Before::Nothing || !isOfThisTrace) return;
    auto& panel = panelOf(tabs_, request.answer->table);
    if (paths.empty() && request.isToFilter) {
        aboutRow_ = tr("This group has no rows in the current trace.");
        return printRemarks();
    }
    if (request.isToFilter) return filterTo(request, paths);
    painted_ = paths;
    panel.graph().paintRows(paths);
}

void CompareController::filterTo(const ui::DifferencePathsRequest& request,
                                 const std::vector<analysis::KeyPath>& paths) {
    const auto text = tr("Compare: %1").arg(ui::lineText(request.answer->rows[request.row].text));
    view_->setFiltered(ui::DifferenceModel::pathOf(*request.answer, request.row));
    filter_.filterTo(panelOf(tabs_, request.answer->table), paths, text);
}

void CompareController::takeFilterBack() {
    filter_.takeBack(graph_);
    view_->setFiltered({});
}

Page* comparePage(const PageContext& context) {
    return new CompareController(context.tabs, context.symbols, context.settings, context.window);
}

} // namespace highwater::app

#include "moc_compare_controller.cpp"

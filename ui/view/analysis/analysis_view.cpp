#include "ui/view/analysis/analysis_view.h"

#include "ui/format/qt_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/presets.h"
#include "ui/view/analysis/drop_mark.h"
#include "ui/view/analysis/find_actions.h"
#include "ui/view/analysis/graph_drag.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/time_footer.h"
#include "ui/view/timeline/zoom_actions.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

void restoreSplitters(const GraphPanel& panel, const QList<QByteArray>& states) {
    const auto splitters = panel.findChildren<QSplitter*>();
    if (splitters.size() != states.size()) return; // saved by another version
    for (qsizetype i = 0; i < splitters.size(); ++i) {
        splitters[i]->restoreState(states[i]);
    }
}

} // namespace

AnalysisView::AnalysisView(const TraceOnScreen& shown, SeriesColors& colors, QWidget* parent, QueryFunctions functions)
    : QWidget(parent),
      state_(std::make_unique<AnalysisState>()),
      shown_(shown),
      colors_(colors),
      functions_(std::move(functions)),
      nothing_(new PlainLabel),
      zoom_(new ZoomActions(*state_, this)),
      footer_(new TimeFooter(*state_)),
      splitter_(new QSplitter(Qt::Vertical)),
      scroll_(new QScrollArea),
      dropMark_(new DropMark(*this)) {
    build();
    connect(&shown_, &TraceOnScreen::rangeChanged, this, &AnalysisView::followRange);
    if (shown_.trace()) followRange(true);
}

AnalysisView::~AnalysisView() {
    // The focus moves while graphs are destroyed, and must not be looked up among them.
    disconnect(qApp, nullptr, this, nullptr);
    // Widgets use the state until they are destroyed, which would be after our members.
    qDeleteAll(findChildren<QObject*>(Qt::FindDirectChildrenOnly));
}

void AnalysisView::build() {
    find_ = new FindActions(*this, [this] { return currentPanel() != nullptr ? &currentPanel()->findBar() : nullptr; });
    connect(this, &AnalysisView::currentPanelChanged, find_, &FindActions::refresh);
    setAcceptDrops(true);
    splitter_->setChildrenCollapsible(false);
    nothing_->setObjectName(QStringLiteral("noGraph"));
    nothing_->setText(tr("No graph in this tab. Double-click one in the Graph Explorer, or drag it here."));
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    // Graphs that do not fit are scrolled, so that the window keeps its size.
    scroll_->setObjectName(QStringLiteral("graphScroll"));
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setWidget(splitter_);
    scroll_->viewport()->installEventFilter(this);
    layout->addWidget(scroll_, 1);
    layout->addWidget(nothing_, 1);
    nothing_->hide();
    layout->addWidget(footer_);
    connect(state_.get(), &AnalysisState::changed, this, [this](auto changes) {
        if (changes.testFlag(AnalysisState::Graphs)) followGraphs();
    });
    connect(footer_, &TimeFooter::left, this, [this] {
        if (current_) current_->takeFocus();
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { noteFocus(now); });
}

std::vector<GraphPanel*> AnalysisView::panels() const {
    std::vector<GraphPanel*> panels;
    for (int i = 0; i < splitter_->count(); ++i) {
        if (auto* panel = qobject_cast<GraphPanel*>(splitter_->widget(i))) panels.push_back(panel);
    }
    return panels;
}

/// Makes, moves and removes panels to match the graphs of the state.
void AnalysisView::followGraphs() {
    const auto graphs = state_->graphs();
    const auto shownBefore = panels().size();
    for (auto* panel : panels()) {
        if (std::find(graphs.begin(), graphs.end(), &panel->graph()) != graphs.end()) continue;
        if (current_ == panel) makeCurrent(nullptr);
        if (alone_ == panel) showAlone(nullptr);
        delete panel;
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const auto shown = panels();
        const auto found =
            std::find_if(shown.begin(), shown.end(), [&](auto* panel) { return &panel->graph() == graphs[i]; });
        auto* panel = found == shown.end() ? makePanel(*graphs[i]) : *found;
        if (splitter_->indexOf(panel) != static_cast<int>(i)) splitter_->insertWidget(static_cast<int>(i), panel);
    }
    if (alone_ && panels().size() > shownBefore) showAlone(nullptr); // a graph was added
    scroll_->setVisible(!graphs.empty());
    nothing_->setVisible(graphs.empty());
    if (!current_ && splitter_->count() > 0) makeCurrent(panels().front());
}

GraphPanel* AnalysisView::makePanel(GraphState& graph) {
    auto* panel = new GraphPanel(graph, shown_, colors_, *zoom_, functions_);
    connect(panel, &GraphPanel::upToDate, this, [this] {
        if (isUpToDate()) emit upToDate();
    });
    connect(panel, &GraphPanel::selectionMeasured, footer_, [this, &graph](const auto& amount) {
        footer_->setSelectionAmount(toQString(analysis::tableTitle(graph.table())), amount);
    });
    if (presets_) panel->header().setPresets(*presets_);
    const auto showBusy = [panel] {
        panel->header().setBusy(panel->runner().isBusy() || panel->flameFinder().isBusy());
    };
    connect(&panel->runner(), &QueryRunner::busyChanged, &panel->header(), showBusy);
    connect(&panel->flameFinder(), &FlameFinder::busyChanged, &panel->header(), showBusy);
    // The last answer may belong to a query that the panel does not wait for.
    connect(
        &panel->runner(), &QueryRunner::busyChanged, this,
        [this](bool busy) {
            if (!busy && isUpToDate()) emit upToDate();
        },
        Qt::QueuedConnection);
    connect(
        &panel->header(), &GraphHeader::moveWanted, this, [this, &graph](int places) { moveGraph(graph, places); },
        Qt::QueuedConnection);
    connect(&panel->header(), &GraphHeader::maximizeWanted, this,
            [this, panel] { showAlone(alone_ == panel ? nullptr : panel); });
    connect(&graph, &GraphState::changed, panel, [this, panel](GraphState::Changes changes) {
        const auto acts =
            GraphState::Changes(GraphState::Filter) | GraphState::Layout | GraphState::Chart | GraphState::PaintedRows;
        if (panel == current_ && (changes & acts)) revealSoon(*panel, Wish::Acted);
    });
    // The panel emits the signal, so it must not be destroyed before the signal returns.
    connect(
        panel, &GraphPanel::closeWanted, this, [this, &graph] { closeGraph(graph); }, Qt::QueuedConnection);
    connect(&panel->table(), &GroupedTableView::framesShown, this, &AnalysisView::namesWanted);
    connect(panel, &GraphPanel::namesWanted, this, &AnalysisView::namesWanted);
    restoreSplitters(*panel, splitterStates_);
    const auto closed =
        std::find_if(closedRows_.begin(), closedRows_.end(), [&](const auto& rows) { return rows.first == &graph; });
    if (closed != closedRows_.end()) {
        panel->adoptRows(closed->second);
        closedRows_.erase(closed);
    }
    return panel;
}

GraphPanel* AnalysisView::panelOf(analysis::Table table) const {
    const auto shown = panels();
    const auto found =
        std::find_if(shown.begin(), shown.end(), [&](auto* panel) { return panel->graph().table() == table; });
    return found == shown.end() ? nullptr : *found;
}

GraphPanel& AnalysisView::showGraph(analysis::Table table, std::optional<std::size_t> place) {
    if (!panelOf(table)) {
        auto& graph = state_->addGraph(table);
        if (presets_) usePreset(graph, presets_->preferred(table));
        if (place) state_->moveGraph(graph, *place);
    }
    auto* panel = panelOf(table);
    if (alone_ && alone_ != panel) showAlone(nullptr);
    panel->takeFocus();
    makeCurrent(panel);
    revealSoon(*panel, Wish::Asked);
    return *panel;
}

void AnalysisView::setTop(QWidget& widget) {
    const bool isHidden = widget.isHidden();
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, &widget);
    widget.setVisible(!isHidden); // a new parent hides it
    // The keyboard reaches it before the graphs below.
    auto* before = previousInFocusChain();
    while (before != this && (before->focusPolicy() == Qt::NoFocus || before->window() != window()))
        before = before->previousInFocusChain();
    for (auto* part : widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (before == this || part->focusPolicy() == Qt::NoFocus) continue;
        setTabOrder(before, part);
        before = part;
    }
}

void AnalysisView::revealCurrent() {
    if (current_) revealSoon(*current_, Wish::Asked);
}

void AnalysisView::revealSoon(GraphPanel& panel, Wish wish) {
    const auto act = [this, &panel, wish] {
        const auto* room = scroll_->viewport();
        const bool isUnderPointer = panel.rect().contains(panel.mapFromGlobal(QCursor::pos())) &&
                                    room->rect().contains(room->mapFromGlobal(QCursor::pos()));
        const bool isByMouse = QApplication::mouseButtons() != Qt::NoButton || isUnderPointer;
        if (wish == Wish::Asked || !isByMouse) reveal(panel);
    };
    QMetaObject::invokeMethod(&panel, act, Qt::QueuedConnection); // a new panel has no position yet
}

/// A panel taller than the view starts at the top, unless it already fills the view.
void AnalysisView::reveal(const GraphPanel& panel) {
    auto& bar = *scroll_->verticalScrollBar();
    const int room = scroll_->viewport()->height();
    const int top = panel.y();
    const int bottom = top + panel.height();
    const int seen = bar.value();
    const bool isAllThatIsSeen = top <= seen && seen + room <= bottom;
    if (panel.isHidden() || isAllThatIsSeen) return;
    if (top < seen || panel.height() > room)
        bar.setValue(top);
    else if (bottom > seen + room)
        bar.setValue(bottom - room);
}

bool AnalysisView::eventFilter(QObject* watched, QEvent* event) {
    // Tests the type first, because other events arrive while the scroll area is destroyed.
    if (event->type() == QEvent::Resize && watched == scroll_->viewport()) revealCurrent();
    return QWidget::eventFilter(watched, event);
}

void AnalysisView::showAlone(GraphPanel* panel) {
    alone_ = panel;
    for (auto* each : panels())
        each->setVisible(!panel || each == panel);
}

void AnalysisView::makeCurrent(GraphPanel* panel) {
    if (panel == current_) return;
    current_ = panel;
    footer_->setCurrentGraph(panel ? toQString(analysis::tableTitle(panel->graph().table())) : QString());
    emit currentPanelChanged();
}

void AnalysisView::noteFocus(QWidget* now) {
    for (auto* panel : panels()) {
        if (panel != now && !panel->isAncestorOf(now)) continue;
        makeCurrent(panel);
        revealSoon(*panel, Wish::Acted);
    }
}

void AnalysisView::followRange(bool isNew) {
    const auto whole = shown_.trace()->wholeRange();
    if (isNew) closedRows_.clear();
    if (isNew)
        state_->reset(whole);
    else
        state_->growTo(whole);
}

void AnalysisView::setPresets(Presets& presets) {
    presets_ = &presets;
    for (auto* panel : panels()) {
        panel->header().setPresets(presets);
    }
}

void AnalysisView::moveGraph(GraphState& graph, int places) {
    const auto graphs = state_->graphs();
    const auto at = std::find(graphs.begin(), graphs.end(), &graph) - graphs.begin();
    if (at + places >= 0) state_->moveGraph(graph, static_cast<std::size_t>(at + places));
}

void AnalysisView::closeGraph(GraphState& graph) {
    if (auto* panel = panelOf(graph)) closedRows_.emplace_back(&graph, panel->table().rowViewState());
    if (closedRows_.size() > AnalysisState::kMostClosed) closedRows_.erase(closedRows_.begin());
    state_->closeGraph(graph);
    emit graphClosed();
}

bool AnalysisView::reopenGraph() {
    const auto* graph = state_->reopenGraph();
    auto* panel = graph == nullptr ? nullptr : panelOf(*graph);
    if (panel == nullptr) return false;
    panel->takeFocus();
    makeCurrent(panel);
    revealSoon(*panel, Wish::Asked);
    return true;
}

GraphPanel* AnalysisView::panelOf(const GraphState& graph) const {
    const auto shown = panels();
    const auto found = std::find_if(shown.begin(), shown.end(), [&](auto* panel) { return &panel->graph() == &graph; });
    return found == shown.end() ? nullptr : *found;
}

QList<QByteArray> AnalysisView::splitterStates() const {
    QList<QByteArray> states;
    if (!current_) return splitterStates_;
    for (const auto* splitter : current_->findChildren<QSplitter*>()) {
        states << splitter->saveState();
    }
    return states;
}

void AnalysisView::setSplitterStates(const QList<QByteArray>& states) {
    splitterStates_ = states;
    for (auto* panel : panels()) {
        restoreSplitters(*panel, states);
    }
}

QRect AnalysisView::placeOf(const GraphPanel& panel) const { return {panel.mapTo(this, QPoint()), panel.size()}; }

/// Position of a dropped graph: before the panel whose upper half is under the pointer.
std::size_t AnalysisView::placeAt(QPoint position) const {
    const auto shown = panels();
    return static_cast<std::size_t>(std::count_if(
        shown.begin(), shown.end(), [&](auto* panel) { return placeOf(*panel).center().y() < position.y(); }));
}

/// A graph that already exists is only shown.
void AnalysisView::markDrop(analysis::Table table, QPoint position) {
    const auto shown = panels();
    if (const auto* panel = panelOf(table)) return dropMark_->showFrame(placeOf(*panel) & rect());
    if (shown.empty()) return dropMark_->showFrame(rect());
    const auto place = placeAt(position);
    const int y = place < shown.size() ? placeOf(*shown[place]).top() : placeOf(*shown.back()).bottom();
    dropMark_->showLine(std::min(y, scroll_->geometry().bottom()), width());
}

void AnalysisView::dragEnterEvent(QDragEnterEvent* event) { dragMoveEvent(event); }

void AnalysisView::dragMoveEvent(QDragMoveEvent* event) {
    const auto table = draggedGraph(event->mimeData());
    if (!table) return event->ignore();
    event->acceptProposedAction();
    markDrop(*table, event->position().toPoint());
}

void AnalysisView::dragLeaveEvent(QDragLeaveEvent* /*event*/) { dropMark_->hide(); }

void AnalysisView::dropEvent(QDropEvent* event) {
    const auto table = draggedGraph(event->mimeData());
    dropMark_->hide();
    if (!table) return;
    event->acceptProposedAction();
    showGraph(*table, placeAt(event->position().toPoint()));
}

void AnalysisView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    // Series colours depend on the background.
    for (auto* panel : panels()) {
        panel->model().refreshColors();
    }
}

QList<QAction*> AnalysisView::zoomActions() const { return zoom_->all(); }

QList<QAction*> AnalysisView::findActions() const { return find_->all(); }

bool AnalysisView::isUpToDate() const {
    const auto shown = panels();
    return shown_.trace() && std::all_of(shown.begin(), shown.end(), [](auto* panel) { return panel->isUpToDate(); });
}

} // namespace highwater::ui

#include "moc_analysis_view.cpp"

#include "ui/view/analysis_view.h"

#include "ui/view/graph_panel.h"
#include "ui/view/grouped_table_view.h"
#include "ui/view/zoom_actions.h"

#include <QApplication>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {

AnalysisView::AnalysisView(SeriesColors& colors, QWidget* parent, QueryFunctions functions)
    : QWidget(parent),
      state_(std::make_unique<AnalysisState>()),
      colors_(colors),
      functions_(std::move(functions)),
      zoom_(new ZoomActions(*state_, this)),
      splitter_(new QSplitter(Qt::Vertical)) {
    build();
}

AnalysisView::~AnalysisView() {
    // Widgets look at the state until their end, which would come after that of our members.
    qDeleteAll(findChildren<QObject*>(Qt::FindDirectChildrenOnly));
}

void AnalysisView::build() {
    splitter_->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(splitter_, 1);
    connect(state_.get(), &AnalysisState::changed, this, [this](auto changes) {
        if (changes.testFlag(AnalysisState::Graphs)) followGraphs();
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

/// Panels are made, moved and dropped to be one for each graph of the state.
void AnalysisView::followGraphs() {
    const auto graphs = state_->graphs();
    for (auto* panel : panels()) {
        if (std::find(graphs.begin(), graphs.end(), &panel->graph()) != graphs.end()) continue;
        if (current_ == panel) makeCurrent(nullptr);
        delete panel;
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const auto shown = panels();
        const auto found =
            std::find_if(shown.begin(), shown.end(), [&](auto* panel) { return &panel->graph() == graphs[i]; });
        auto* panel = found == shown.end() ? makePanel(*graphs[i]) : *found;
        if (splitter_->indexOf(panel) != static_cast<int>(i)) splitter_->insertWidget(static_cast<int>(i), panel);
    }
    if (!current_ && splitter_->count() > 0) makeCurrent(panels().front());
}

GraphPanel* AnalysisView::makePanel(GraphState& graph) {
    auto* panel = new GraphPanel(graph, colors_, *zoom_, functions_);
    connect(panel, &GraphPanel::upToDate, this, [this] {
        if (isUpToDate()) emit upToDate();
    });
    // The panel is what asks: it must not be gone when its own signal returns.
    connect(
        panel, &GraphPanel::closeWanted, this, [this, &graph] { state_->removeGraph(graph); }, Qt::QueuedConnection);
    panel->setLoading(loading_);
    if (trace_) panel->setTrace(trace_, labels_);
    return panel;
}

GraphPanel& AnalysisView::showGraph(analysis::Table table) {
    const auto find = [&] {
        const auto shown = panels();
        const auto found =
            std::find_if(shown.begin(), shown.end(), [&](auto* panel) { return panel->graph().table() == table; });
        return found == shown.end() ? nullptr : *found;
    };
    if (!find()) state_->addGraph(table);
    auto* panel = find();
    panel->table().setFocus();
    makeCurrent(panel);
    return *panel;
}

void AnalysisView::makeCurrent(GraphPanel* panel) {
    if (panel == current_) return;
    current_ = panel;
    emit currentPanelChanged();
}

void AnalysisView::noteFocus(QWidget* now) {
    for (auto* panel : panels()) {
        if (panel == now || panel->isAncestorOf(now)) makeCurrent(panel);
    }
}

void AnalysisView::setTrace(std::shared_ptr<const store::PublishedTrace> trace,
                            std::shared_ptr<analysis::FrameLabels> labels) {
    const bool isNew = labels != labels_;
    trace_ = trace;
    labels_ = labels;
    for (auto* panel : panels()) {
        panel->setTrace(trace, labels);
    }
    if (isNew)
        state_->reset(trace->wholeRange());
    else
        state_->growTo(trace->wholeRange());
}

void AnalysisView::clearTrace() {
    trace_.reset();
    labels_.reset();
    for (auto* panel : panels()) {
        panel->clearTrace();
    }
}

void AnalysisView::setLoading(bool loading) {
    loading_ = loading;
    for (auto* panel : panels()) {
        panel->setLoading(loading);
    }
}

QList<QAction*> AnalysisView::zoomActions() const { return zoom_->all(); }

bool AnalysisView::isUpToDate() const {
    const auto shown = panels();
    return trace_ && std::all_of(shown.begin(), shown.end(), [](auto* panel) { return panel->isUpToDate(); });
}

} // namespace highwater::ui

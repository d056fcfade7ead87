#include "ui/view/analysis/analysis_tabs.h"

#include "core/analysis/table/first_table.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/analysis/history_bar.h"
#include "ui/view/analysis/tab_corner.h"
#include "ui/view/analysis/tab_drops.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/table/grouped_table_view.h"

#include <QLineEdit>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::Table;

bool isUntouched(AnalysisState& state) {
    const auto graphs = state.graphs();
    return graphs.size() == 1 && !state.canGoBack() && !state.canGoForward() && !state.selection() &&
           graphs.front()->paintedRows().empty();
}

} // namespace

AnalysisTabs::AnalysisTabs(QWidget* parent, QueryFunctions functions)
    : QTabWidget(parent),
      functions_(std::move(functions)),
      history_(new HistoryBar),
      newTab_(new QAction(tr("&New Analysis Tab"), this)),
      renameTab_(new QAction(tr("&Rename Tab"), this)),
      closeTab_(new QAction(tr("&Close Tab"), this)),
      reopen_(new QAction(tr("Re&open Closed Tab or Graph"), this)) {
    build();
    buildActions();
    // Before the views connect, because their graphs assign colours anew.
    connect(&shown_, &TraceOnScreen::changed, this, [this](auto changes) {
        if (changes & (TraceOnScreen::Changes(TraceOnScreen::NewTrace) | TraceOnScreen::Cleared)) forgetClosed();
        if (changes.testFlag(TraceOnScreen::NewTrace)) colors_.clear();
    });
    addAnalysis();
}

AnalysisTabs::~AnalysisTabs() {
    // Views use the colours until they are destroyed, which would be after our members.
    disconnect(this, nullptr, this, nullptr);
    history_->setState(nullptr);
    for (const auto& closed : closed_) {
        if (closed.isTab) delete closed.view;
    }
    while (count() > 0) {
        delete widget(0);
    }
}

void AnalysisTabs::build() {
    setObjectName(QStringLiteral("analysisTabs"));
    setAccessibleName(tr("Analyses"));
    tabBar()->setAccessibleName(tr("Analyses"));
    setDocumentMode(true);
    setTabsClosable(true);
    setMovable(true);
    corner_ = new TabCorner(*this, *history_);
    setCornerWidget(corner_, Qt::TopRightCorner);
    connect(corner_, &TabCorner::newTabWanted, this, [this] { addAnalysis(); });
    connect(corner_, &TabCorner::linkWanted, this, &AnalysisTabs::linkCurrent);
    auto* drops = new TabDrops(*this, *corner_);
    connect(drops, &TabDrops::dropped, this, &AnalysisTabs::takeDropped);
    connect(&links_, &LinkedAnalyses::changed, this, &AnalysisTabs::showLinks);
    connect(this, &QTabWidget::tabCloseRequested, this, &AnalysisTabs::closeAnalysis);
    connect(this, &QTabWidget::tabBarDoubleClicked, this, &AnalysisTabs::renameAnalysis);
    connect(this, &QTabWidget::currentChanged, this, [this](int index) {
        if (index < 0) return;
        history_->setState(&current().state());
        showLinks();
        emit currentPanelChanged();
        emit currentStateChanged();
        emit currentViewChanged();
    });
}

void AnalysisTabs::buildActions() {
    newTab_->setObjectName(QStringLiteral("newTab"));
    newTab_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    renameTab_->setObjectName(QStringLiteral("renameTab"));
    closeTab_->setObjectName(QStringLiteral("closeTab"));
    closeTab_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_W));
    connect(newTab_, &QAction::triggered, this, [this] { addAnalysis(); });
    connect(renameTab_, &QAction::triggered, this, [this] { renameAnalysis(currentIndex()); });
    connect(closeTab_, &QAction::triggered, this, [this] { closeAnalysis(currentIndex()); });
    reopen_->setObjectName(QStringLiteral("reopenClosed"));
    reopen_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T));
    reopen_->setEnabled(false);
    connect(reopen_, &QAction::triggered, this, &AnalysisTabs::reopenClosed);
}

AnalysisView& AnalysisTabs::viewAt(int index) const { return *static_cast<AnalysisView*>(widget(index)); }

AnalysisView& AnalysisTabs::current() const { return viewAt(currentIndex()); }

GraphPanel* AnalysisTabs::currentPanel() const { return count() > 0 ? current().currentPanel() : nullptr; }

std::vector<GraphState*> AnalysisTabs::graphs() const {
    std::vector<GraphState*> graphs;
    for (int i = 0; i < count(); ++i) {
        const auto ofTab = viewAt(i).state().graphs();
        graphs.insert(graphs.end(), ofTab.begin(), ofTab.end());
    }
    return graphs;
}

AnalysisView& AnalysisTabs::makeView() {
    auto* view = new AnalysisView(shown_, colors_, this, functions_);
    view->setPresets(presets_);
    view->state().setOptions(options_);
    view->setSplitterStates(splitterStates());
    return *view;
}

AnalysisView& AnalysisTabs::addView(AnalysisView& view) {
    view.state().setMarks(marks_);
    view.state().setInstants(instants_);
    connectView(view);
    links_.setLinked(view.state(), linksNewTabs_);
    setCurrentIndex(addTab(&view, tr("Analysis %1").arg(nextNumber_++)));
    return view;
}

AnalysisView& AnalysisTabs::addAnalysis() {
    auto& view = makeView();
    startLike(view, currentPanel());
    return addView(view);
}

AnalysisView& AnalysisTabs::addAnalysis(Table table) {
    auto& view = makeView();
    usePreset(view.state().addGraph(table), presets_.preferred(table));
    return addView(view);
}

void AnalysisTabs::takeDropped(Table table, int tab) {
    if (tab < 0) {
        addAnalysis(table);
    } else {
        setCurrentIndex(tab);
        current().showGraph(table);
    }
}

void AnalysisTabs::startLike(AnalysisView& view, GraphPanel* example) {
    const auto table = example ? example->graph().table() : Table::VirtualAlloc;
    auto& graph = view.state().addGraph(table);
    if (!example) return usePreset(graph, presets_.preferred(table));
    // Its labels were chosen, or restored from a session, there.
    presets_.withForeignLabels([&] { usePreset(graph, presetOf(example->graph(), example->graph().presetName())); });
    graph.setParts(example->graph().parts());
}

void AnalysisTabs::connectView(AnalysisView& view) {
    connect(&view, &AnalysisView::upToDate, this, [this, &view] {
        if (&view == &current()) emit upToDate();
    });
    connect(&view, &AnalysisView::currentPanelChanged, this, [this, &view] {
        if (&view == &current()) emit currentPanelChanged();
    });
    connect(&view, &AnalysisView::namesWanted, this, &AnalysisTabs::namesWanted);
    connect(&view, &AnalysisView::graphClosed, this, [this, &view] {
        closed_.push_back({.view = &view});
        trimClosed();
    });
    connect(&view.state(), &AnalysisState::changed, this, [this, &view](AnalysisState::Changes changes) {
        if (&view != &current()) return;
        emit currentStateChanged();
        if (!changes.testFlag(AnalysisState::WholeRange)) emit currentViewChanged();
    });
}

void AnalysisTabs::closeAnalysis(int index) {
    if (count() == 1) return;
    auto& view = viewAt(index);
    closed_.push_back({&view, true, index, nameOf(index), links_.isLinked(view.state())});
    links_.setLinked(view.state(), false);
    removeTab(index);
    view.setParent(this);
    view.hide();
    trimClosed();
}

/// Closed tabs still follow the trace, so only a few are kept.
void AnalysisTabs::trimClosed() {
    constexpr int kMostClosedTabs = 3;
    constexpr std::size_t kMostClosedThings = 32;
    auto tabs = std::count_if(closed_.begin(), closed_.end(), [](const Closed& closed) { return closed.isTab; });
    while (tabs > kMostClosedTabs || closed_.size() > kMostClosedThings) {
        if (closed_.front().isTab) {
            --tabs;
            if (closed_.front().view) closed_.front().view->deleteLater();
        }
        closed_.erase(closed_.begin());
    }
    reopen_->setEnabled(!closed_.empty());
}

void AnalysisTabs::forgetClosed() {
    for (const auto& closed : std::exchange(closed_, {})) {
        if (closed.isTab && closed.view) closed.view->deleteLater();
    }
    reopen_->setEnabled(false);
}

void AnalysisTabs::reopenClosed() {
    while (!closed_.empty()) {
        const auto closed = std::move(closed_.back());
        closed_.pop_back();
        reopen_->setEnabled(!closed_.empty());
        if (!closed.view) continue;
        auto& view = *closed.view;
        if (closed.isTab) {
            view.state().setMarks(marks_);
            view.state().setInstants(instants_);
            view.state().setOptions(options_);
            setCurrentIndex(insertTab(std::min(closed.index, count()), &view, menuText(closed.name)));
            links_.setLinked(view.state(), closed.isLinked);
            if (auto* panel = view.currentPanel()) panel->takeFocus();
            return;
        }
        setCurrentWidget(&view);
        if (view.reopenGraph()) return;
    }
}

void AnalysisTabs::renameAnalysis(int index) {
    if (index < 0) return;
    auto* editor = new QLineEdit(nameOf(index), tabBar());
    editor->setObjectName(QStringLiteral("tabName"));
    editor->setAccessibleName(tr("Tab name"));
    editor->setGeometry(tabBar()->tabRect(index).adjusted(2, 2, -2, -2));
    editor->selectAll();
    editor->show();
    editor->setFocus();
    connect(editor, &QLineEdit::editingFinished, this, [this, editor, index] { endRename(*editor, index); });
    auto* cancel = new QAction(editor);
    cancel->setShortcut(QKeySequence(Qt::Key_Escape));
    cancel->setShortcutContext(Qt::WidgetShortcut);
    editor->addAction(cancel);
    connect(cancel, &QAction::triggered, this, [this, editor, index] {
        editor->setText(nameOf(index));
        endRename(*editor, index);
    });
}

/// Without the escape of & in mnemonics.
QString AnalysisTabs::nameOf(int index) const {
    return tabText(index).replace(QLatin1String("&&"), QLatin1String("&"));
}

void AnalysisTabs::setNameOf(int index, const QString& name) { setTabText(index, menuText(name)); }

void AnalysisTabs::endRename(QLineEdit& editor, int index) {
    // Losing the focus would finish it a second time.
    editor.disconnect(this);
    const auto name = editor.text().trimmed();
    if (!name.isEmpty()) setNameOf(index, name);
    editor.hide();
    editor.deleteLater();
    if (auto* panel = currentPanel()) panel->setFocus();
}

void AnalysisTabs::tabInserted(int index) {
    QTabWidget::tabInserted(index);
    noteCount();
}

void AnalysisTabs::tabRemoved(int index) {
    QTabWidget::tabRemoved(index);
    noteCount();
}

void AnalysisTabs::noteCount() {
    setTabsClosable(count() > 1);
    closeTab_->setEnabled(count() > 1);
}

std::vector<analysis::LabelId> AnalysisTabs::visibleFrames() const {
    auto* panel = currentPanel();
    return panel ? panel->table().framesOnScreen() : std::vector<analysis::LabelId>{};
}

void AnalysisTabs::setMarks(std::shared_ptr<const std::vector<Mark>> marks) {
    marks_ = std::move(marks);
    for (int i = 0; i < count(); ++i) {
        viewAt(i).state().setMarks(marks_);
    }
}

void AnalysisTabs::setInstants(analysis::SharedInstants instants) {
    instants_ = std::move(instants);
    for (int i = 0; i < count(); ++i)
        viewAt(i).state().setInstants(instants_);
}

void AnalysisTabs::showFirstTableWithData() {
    auto& view = current();
    const auto& trace = shown_.trace();
    if (!trace || !isUntouched(view.state())) return;
    auto* shown = view.state().graphs().front();
    const bool wasChosen = std::exchange(chosenFor_, shown_.labels()).lock() == shown_.labels();
    if (wasChosen && analysis::hasRows(*trace, shown->table())) return;
    const auto first = analysis::firstTable(*trace, shown_.isLoading());
    if (!first || *first == shown->table()) return;
    view.showGraph(*first);
    view.state().removeGraph(*shown);
}

void AnalysisTabs::setOptions(const AnalysisOptions& options) {
    options_ = options;
    for (int i = 0; i < count(); ++i) {
        viewAt(i).state().setOptions(options);
    }
}

void AnalysisTabs::linkCurrent(bool linked) {
    linksNewTabs_ = linked;
    links_.setLinked(current().state(), linked);
    emit linkChosen(linked);
}

void AnalysisTabs::setLinked(int index, bool linked) { links_.setLinked(viewAt(index).state(), linked); }

bool AnalysisTabs::isLinked(int index) const { return links_.isLinked(viewAt(index).state()); }

void AnalysisTabs::showLinks() {
    for (int i = 0; i < count(); ++i) {
        setTabIcon(i, links_.isLinked(viewAt(i).state()) ? lineIcon(LineIcon::Link) : QIcon());
    }
    if (count() > 0) corner_->showLinked(links_.isLinked(current().state()));
}

bool AnalysisTabs::isUpToDate() const { return current().isUpToDate(); }

QList<QByteArray> AnalysisTabs::splitterStates() const {
    // In a window that was never shown, splitters have no sizes yet.
    return count() > 0 && isVisible() ? current().splitterStates() : splitterStates_;
}

void AnalysisTabs::setSplitterStates(const QList<QByteArray>& states) {
    splitterStates_ = states;
    for (int i = 0; i < count(); ++i) {
        viewAt(i).setSplitterStates(states);
    }
}

} // namespace highwater::ui

#include "moc_analysis_tabs.cpp"

#include "app/tools/addresses/page/address_map_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/addresses/page/address_map_view.h"
#include "app/tools/tools.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <QComboBox>
#include <QDockWidget>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr int kHoverMs = 120;

/// If several overlap, selects the smallest, for example a block instead of its pages.
const analysis::AddressUse* innermost(const analysis::AddressHistory& history) {
    const auto found = std::min_element(history.uses.begin(), history.uses.end(), [](const auto& a, const auto& b) {
        return std::pair(a.heap == 0, a.size) < std::pair(b.heap == 0, b.size);
    });
    return found == history.uses.end() ? nullptr : &*found;
}

} // namespace

AddressMapController::AddressMapController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : GraphPage(tabs, window, new ui::AddressMapView, tr("Address Map"),
                {.name = "addressMapDock",
                 .action = "toggleAddressMap",
                 .text = tr("Address &Map"),
                 .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}),
      view_(static_cast<ui::AddressMapView*>(dock().widget())),
      uses_(*this, ui::foundBy<analysis::findAddress>,
            [this](const UseRequest& request, const Result<analysis::AddressHistory>& answer) {
                deliver(request, answer);
            }) {
    hover_.setSingleShot(true);
    hover_.setInterval(kHoverMs);
    connect(this, &AddressMapController::namesWanted, this, &AddressMapController::fillProcesses);
    connect(&hover_, &QTimer::timeout, this, [this] {
        if (pointed_) askUse(*pointed_, false);
    });
    connect(&tabs.shown(), &ui::TraceOnScreen::changed, this, [this](ui::TraceOnScreen::Changes changes) {
        if (changes.testFlag(ui::TraceOnScreen::Loading)) fillProcesses();
    });
    connect(&finder_, &ui::AddressMapFinder::busyChanged, view_, &ui::AddressMapView::setBusy);
    connect(&finder_, &ui::AddressMapFinder::answered, view_, &ui::AddressMapView::setAnswer);
    connect(&finder_, &ui::AddressMapFinder::answered, this, &AddressMapController::upToDate);
    connect(&finder_, &ui::AddressMapFinder::failed, view_, &ui::AddressMapView::clear);
    connect(&finder_, &ui::AddressMapFinder::failed, this, &AddressMapController::upToDate);
    connect(view_, &ui::AddressMapView::filterToggled, this, &AddressMapController::toggleFilter);
    connect(view_, &ui::AddressMapView::processChanged, this, [this] {
        select({}, nullptr);
        view_->canvas().forget();
        refresh().askSoon();
    });
    connectCanvas();
    followPanel();
}

void AddressMapController::connectCanvas() {
    auto& canvas = view_->canvas();
    connect(&canvas, &ui::AddressMapCanvas::pictureWanted, &refresh(), &PageRefresh::askSoon);
    connect(&canvas, &ui::AddressMapCanvas::zoomWanted, this,
            [this](TimeRange time, ui::ZoomStep step) { state().zoomTo(time, step); });
    connect(&canvas, &ui::AddressMapCanvas::panWanted, this, [this](qint64 ns) { state().panBy(ns); });
    connect(&canvas, &ui::AddressMapCanvas::allWanted, this, [this] { state().showAll(); });
    connect(&canvas, &ui::AddressMapCanvas::pointedAt, this, [this](const std::optional<Place>& place) {
        if (place == pointed_) return;
        pointed_ = place;
        if (place) return hover_.start();
        hover_.stop();
        showSelected();
    });
    connect(&canvas, &ui::AddressMapCanvas::clicked, this, [this](const Place& place) { askUse(place, true); });
    connect(&canvas, &ui::AddressMapCanvas::doubleClicked, this,
            [this](const Place& place) { emit historyWanted(place.address); });
}

ui::AnalysisState& AddressMapController::state() const { return tabs().current().state(); }

void AddressMapController::highlight(Address address) { view_->canvas().setHighlight(address); }

void AddressMapController::forgetTrace(bool isGone) {
    finder_.forget();
    uses_.cancel();
    filter_.forget();
    select({}, nullptr);
    view_->canvas().forget();
    view_->setProcesses({});
    view_->clear(isGone ? ui::AddressMapView::emptyText() : QString());
    fillProcesses();
}

/// Processes with memory, those with the most allocation sites first. Counting sites is cheaper than counting rows.
void AddressMapController::fillProcesses() {
    const auto& trace = tabs().shown().trace();
    if (!trace || !dock().isVisible()) return;
    std::vector<std::uint64_t> sites(trace->processes->processes().size());
    for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc}) {
        const auto& view = trace->table(kind);
        for (std::uint32_t site = 0; site < view.sites; ++site) {
            const auto process = trace->heapOf(view.columns->sites[SiteId{site}]).process.value;
            if (process < sites.size()) ++sites[process];
        }
    }
    std::vector<std::pair<ProcessIndex, QString>> processes;
    for (std::uint32_t i = 0; i < sites.size(); ++i) {
        if (sites[i] > 0) processes.emplace_back(ProcessIndex{i}, ui::lineText(trace->processes->key(ProcessIndex{i})));
    }
    std::stable_sort(processes.begin(), processes.end(),
                     [&](const auto& a, const auto& b) { return sites[a.first.value] > sites[b.first.value]; });
    view_->setProcesses(processes);
}

void AddressMapController::ask(ui::Urgency urgency) {
    const auto& trace = tabs().shown().trace();
    if (!trace) return;
    if (!view_->process()) fillProcesses();
    auto& canvas = view_->canvas();
    const auto visible = state().visibleRange();
    canvas.setInterval(visible);
    const auto process = view_->process();
    const auto area = canvas.plot();
    if (!process || visible.isEmpty() || area.isEmpty()) return;
    ui::AddressMapRequest request;
    request.trace = trace;
    request.window = canvas.window();
    request.colors = ui::AddressMapCanvas::colorsOf(canvas.palette());
    request.query.process = *process;
    request.query.interval = visible;
    request.query.columns = static_cast<std::uint32_t>(area.width());
    request.query.lines = static_cast<std::uint32_t>(area.height());
    request.query.instant = state().tableRange().end;
    request.query.processExitFreesHeap = state().options().processExitFreesHeap;
    finder_.ask(std::move(request), urgency);
}

void AddressMapController::askUse(const Place& place, bool isClick) {
    const auto& shown = tabs().shown();
    const auto process = view_->process();
    if (!shown.trace() || !process) return;
    UseRequest request{shown.trace(), shown.labels(), {}, place, isClick};
    request.query.address = place.address;
    request.query.at = place.time;
    request.query.pid = (*shown.trace()->processes)[*process].pid;
    request.query.processExitFreesHeap = state().options().processExitFreesHeap;
    uses_.ask(std::move(request), ui::Urgency::Now);
}

void AddressMapController::deliver(const UseRequest& request, const Result<analysis::AddressHistory>& answer) {
    if (!answer.hasValue()) return;
    const auto* use = innermost(answer.value());
    if (request.isClick) select(request.place, use);
    if (request.isClick || pointed_) view_->setUse(request.place, use);
}

/// Null: no use.
void AddressMapController::select(const Place& place, const analysis::AddressUse* use) {
    clicked_ = place;
    selected_ = use == nullptr ? std::nullopt : std::optional(*use);
    view_->setBlockSelected(selected_.has_value());
}

void AddressMapController::showSelected() {
    if (selected_) return view_->setUse(clicked_, &*selected_);
    view_->clearUse();
}

void AddressMapController::toggleFilter() {
    const auto process = view_->process();
    if (!process || !selected_) return;
    const auto& use = *selected_;
    const bool isBlock = use.table == store::TableKind::Heap;
    auto& panel = panelOf(tabs(), isBlock ? analysis::Table::Heap : analysis::Table::VirtualAlloc);
    const analysis::KeyPath path{{analysis::Column::Process, process->value},
                                 {analysis::Column::Address, use.address},
                                 {analysis::Column::BeginTime, static_cast<std::uint64_t>(use.begin.ns)}};
    const auto text = (isBlock ? tr("Block: 0x%1") : tr("Commit: 0x%1")).arg(use.address, 0, 16);
    if (filter_.pathIn(&panel.graph()) == path) return filter_.takeBack(&panel.graph());
    filter_.filterTo(panel, path, text);
}

Page* addressMapPage(const PageContext& context) { return new AddressMapController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_address_map_controller.cpp"

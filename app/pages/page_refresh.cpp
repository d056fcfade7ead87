#include "app/pages/page_refresh.h"

#include "ui/view/analysis/analysis_tabs.h"

#include <QDockWidget>

namespace highwater::app {
namespace {

constexpr int kGrowthMs = 2000;

} // namespace

PageRefresh::PageRefresh(QDockWidget& dock, ui::AnalysisTabs& tabs) : dock_(dock) {
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kGrowthMs);
    connect(&soon_, &QTimer::timeout, this, [this] { ask(ui::Urgency::Now); });
    connect(&growth_, &QTimer::timeout, this, [this] { ask(ui::Urgency::WhenIdle); });
    connect(&dock, &QDockWidget::visibilityChanged, this, &PageRefresh::followVisibility);
    connect(&tabs, &ui::AnalysisTabs::currentViewChanged, this, &PageRefresh::askSoon);
    connect(&tabs, &ui::AnalysisTabs::currentPanelChanged, this, &PageRefresh::askSoon);
    connect(&tabs.shown(), &ui::TraceOnScreen::changed, this, &PageRefresh::followTrace);
}

bool PageRefresh::isPending() const { return dock_.isVisible() && (soon_.isActive() || growth_.isActive()); }

void PageRefresh::followFilterOf(ui::GraphState* graph, ui::GraphState* other) {
    const std::array graphs{graph, other};
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        disconnect(filters_[i]);
        filters_[i] = {};
        if (graphs[i] == nullptr) continue;
        filters_[i] = connect(graphs[i], &ui::GraphState::changed, this, [this](ui::GraphState::Changes changes) {
            if (changes.testFlag(ui::GraphState::Filter)) askSoon();
        });
    }
}

void PageRefresh::askSoon() {
    if (dock_.isVisible()) soon_.start(0);
}

void PageRefresh::ask(ui::Urgency urgency) {
    if (dock_.isVisible()) emit askWanted(urgency);
}

void PageRefresh::followVisibility(bool isVisible) {
    if (!isVisible) return emit hidden();
    emit namesWanted();
    askSoon();
}

void PageRefresh::followTrace(ui::TraceOnScreen::Changes changes) {
    // Names of a new trace are requested by the code that shows it, because the page was already open.
    if (changes.testFlag(ui::TraceOnScreen::NewTrace) && dock_.isVisible()) emit namesWanted();
    if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
        emit traceReplaced(changes.testFlag(ui::TraceOnScreen::Cleared));
        askSoon();
    } else if (changes & (ui::TraceOnScreen::MoreOfIt | ui::TraceOnScreen::Names)) {
        if (!growth_.isActive()) growth_.start();
    } else if (changes & (ui::TraceOnScreen::Loading | ui::TraceOnScreen::Naming)) {
        // While a trace grows, names come and go several times a second. A running question is answered first.
        ask(ui::Urgency::WhenIdle);
    }
}

} // namespace highwater::app

#include "moc_page_refresh.cpp"

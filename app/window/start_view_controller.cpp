#include "app/window/start_view_controller.h"

#include "app/window/trace_tools.h"
#include "core/analysis/pictures/picture_rows.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <utility>

namespace highwater::app {

StartViewController::StartViewController(ui::AnalysisTabs& tabs, TraceTools& tools, QObject* parent)
    : QObject(parent), tabs_(tabs), tools_(tools) {}

void StartViewController::showPages() {
    if (view_.showsLeaks) tools_.show("toggleLeaks");
    if (view_.showsGenerations) tools_.show("toggleGenerations");
}

void StartViewController::showFirstTableWithData() {
    if (!view_.isGraphShown) tabs_.showFirstTableWithData();
}

void StartViewController::showFirst() { applyStartOf(view_, tabs_); }

void StartViewController::showAll() {
    if (!view_.graph) showFirstTableWithData();
    showPictures();
    const auto applied = applyStartView(view_, tabs_);
    const bool opensHotPath = view_.opensHotPath;
    view_ = {};
    view_.opensHotPath = opensHotPath;
    if (!applied.hasValue()) emit failed(QString::fromStdString(applied.error().message));
}

void StartViewController::showPictures() {
    constexpr auto kHeldBy = "toggleHeldBy";
    const auto& trace = tabs_.shown().trace();
    const bool isOtherWanted = view_.isGraphShown || view_.graph || view_.showsLeaks || view_.showsGenerations;
    const bool isWanted = trace && analysis::isOfPictures(*trace) && !isOtherWanted;
    if (isWanted && !tools_.isShown(kHeldBy)) {
        tools_.show(kHeldBy);
        hasOpenedHeldBy_ = true;
    } else if (!isWanted && std::exchange(hasOpenedHeldBy_, false)) {
        tools_.hide(kHeldBy);
    }
}

/// A path can be opened only in the answer on screen.
void StartViewController::openHotPath() {
    auto* panel = tabs_.currentPanel();
    if (!panel) return;
    auto* waiting = new QObject(panel);
    connect(&panel->runner(), &ui::QueryRunner::opened, waiting, [this, waiting](const ui::OpenRequest& request) {
        if (request.expansion.mode != ui::OpenMode::HotPath || !request.expansion.selects) return;
        waiting->deleteLater();
        view_.opensHotPath = false;
        emit hotPathOpened();
    });
    panel->table().expandHotPath();
}

} // namespace highwater::app

#include "moc_start_view_controller.cpp"

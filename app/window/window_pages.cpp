#include "app/window/window_pages.h"

#include "app/tools/fleet/page/fleet_controller.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "app/window/window_menus.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/window/start_page.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSignalBlocker>

namespace highwater::app {
namespace {

constexpr int kLayoutVersion = 1;   ///< version of the stored layout of bars and docks
constexpr int kExplorerWidth = 210; ///< wide enough for the names
constexpr int kNarrowExplorerWidth = 150;
constexpr int kNarrowWindow = 1200; ///< in narrower windows the table needs the space more

} // namespace

WindowPages::WindowPages(const Parts& parts, QMainWindow& window) : parts_(parts), window_(window) {
    addWidget(&parts_.start);
    addWidget(&parts_.trace);
    addWidget(parts_.fleet.page());
    connectParts();
    nameWindow();
}

void WindowPages::connectParts() {
    connect(this, &QStackedWidget::currentChanged, this, &WindowPages::follow);
    connect(&parts_.start, &ui::StartPage::backWanted, this, &WindowPages::toggleStart);
    connect(&parts_.menus, &WindowMenus::startWanted, this, &WindowPages::toggleStart);
    connect(&parts_.menus, &WindowMenus::graphShown, this, [this] {
        if (isAway_) backToTrace();
    });
    connect(&parts_.fleet, &FleetController::pageWanted, this, &WindowPages::goToFleet);
    connect(&parts_.fleet, &FleetController::toggled, this, &WindowPages::toggleFleet);
    connect(&parts_.fleet, &FleetController::placeChanged, this, &WindowPages::nameWindow);
}

bool WindowPages::isTraceShown() const { return currentWidget() == &parts_.trace; }

bool WindowPages::isFleetShown() const { return currentWidget() == parts_.fleet.page(); }

void WindowPages::setTitle(const QString& title) {
    title_ = title;
    nameWindow();
}

void WindowPages::setOpenTrace(const QString& sentence) {
    if (isAway_) parts_.start.setOpenTrace(sentence);
}

void WindowPages::follow() {
    parts_.menus.setTraceShown(!isFleetShown() && !isAway_);
    emit changed();
    nameWindow();
}

void WindowPages::nameWindow() {
    const auto name = isFleetShown() ? parts_.fleet.name() : title_;
    window_.setWindowTitle(name.isEmpty() ? tr("Highwater") : tr("%1 - Highwater").arg(ui::titleText(name)));
}

void WindowPages::beginTrace() {
    leaveStart();
    focusBefore_.clear();
}

void WindowPages::keepTrace() {
    isAway_ = !isTraceShown();
    follow();
}

void WindowPages::showTrace() {
    setCurrentWidget(&parts_.trace);
    auto asked = window_.findChildren<QDockWidget*>();
    asked.removeIf([](const QDockWidget* dock) { return !dock->isVisible(); });
    parts_.menus.setStart(WindowMenus::Start::Away);
    auto& explorer = parts_.explorer;
    explorer.toggleViewAction()->setEnabled(true);
    explorer.show();
    if (!window_.restoreState(parts_.settings.windowState(), kLayoutVersion)) {
        const bool isNarrow = window_.width() < kNarrowWindow;
        window_.resizeDocks({&explorer}, {isNarrow ? kNarrowExplorerWidth : kExplorerWidth}, Qt::Horizontal);
    }
    emit layoutRestored();
    for (auto* dock : asked)
        dock->show(); // since the layout was stored
    emit traceShown();
    parts_.trace.setSplitterStates(parts_.settings.splitterStates());
    if (auto* panel = parts_.trace.currentPanel()) panel->table().setFocus();
}

void WindowPages::closeTrace() {
    parts_.explorer.hide();
    parts_.explorer.toggleViewAction()->setEnabled(false);
    parts_.menus.setStart(WindowMenus::Start::Alone);
    setCurrentWidget(&parts_.start);
    setTitle({});
}

void WindowPages::keepLayout() {
    if (!isTraceShown()) return;
    parts_.settings.setWindowState(window_.saveState(kLayoutVersion));
    parts_.settings.setSplitterStates(parts_.trace.splitterStates());
}

void WindowPages::backToTrace() {
    leaveStart();
    showTrace();
    if (focusBefore_ && focusBefore_->isVisible()) focusBefore_->setFocus();
}

void WindowPages::goToStart() {
    leaveTrace();
    if (!isAway_) parts_.menus.setStart(WindowMenus::Start::Alone);
    setCurrentWidget(&parts_.start);
    emit startShown();
}

void WindowPages::goToFleet() {
    leaveTrace();
    if (!isAway_) parts_.menus.setStart(WindowMenus::Start::Away);
    setCurrentWidget(parts_.fleet.page());
    parts_.fleet.page()->focusAnswer();
    parts_.fleet.notePageShown();
}

void WindowPages::toggleStart() { isAway_ ? backToTrace() : goToStart(); }

void WindowPages::toggleFleet() { isFleetShown() ? toggleStart() : goToFleet(); }

/// Hides the dock directly because its action may also close its content.
void WindowPages::leaveTrace() {
    if (!isTraceShown()) return;
    keepLayout();
    for (auto* dock : window_.findChildren<QDockWidget*>()) {
        const QSignalBlocker silent(dock->toggleViewAction());
        dock->hide();
    }
    isAway_ = true;
    focusBefore_ = window_.focusWidget();
    parts_.explorer.toggleViewAction()->setEnabled(false);
    parts_.menus.setStart(WindowMenus::Start::InsteadOfTrace);
}

void WindowPages::leaveStart() {
    isAway_ = false;
    parts_.start.setOpenTrace({});
    follow();
}

} // namespace highwater::app

#include "moc_window_pages.cpp"

#pragma once

#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "app/tools/fleet/page/fleet_controller.h"
#include "app/tools/fleet/page/fleet_place.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "app/window/window_menus.h"
#include "app/window/window_pages.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/window/start_page.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTemporaryDir>

namespace highwater::tests {

/// The pages of a window without their content.
struct PagesStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::SymbolSession symbols{symbols::systemEnvironment()};
    QMainWindow window;
    ui::StartPage& start = *new ui::StartPage;
    ui::AnalysisTabs& tabs = *new ui::AnalysisTabs;
    QDockWidget& explorer = *new QDockWidget(&window);
    app::FleetController& fleet = *new app::FleetController(settings, tabs, symbols, window, app::openSystemFleet);
    app::WindowMenus& menus = *new app::WindowMenus(window, tabs, settings);
    app::WindowPages& pages = *new app::WindowPages({start, tabs, fleet, explorer, menus, settings}, window);

    PagesStage() {
        explorer.setObjectName("graphExplorer");
        explorer.setWidget(new QWidget);
        window.addDockWidget(Qt::LeftDockWidgetArea, &explorer);
        explorer.hide();
        window.setCentralWidget(&pages);
        window.resize(1280, 820);
        window.show();
    }
    ~PagesStage() {
        window.hide();
        pages.setParent(nullptr); // last: objects created since refer to it
        pages.setParent(&window);
    }
    QAction& toStart() { return *window.findChild<QAction*>("startPage"); }
};

} // namespace highwater::tests

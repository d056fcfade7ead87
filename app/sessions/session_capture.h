#pragma once

#include "ui/session/session.h"

#include <QStringList>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// What all tabs show, with the presets of the user's own that their graphs are called after: Session::tabs,
/// currentTab, presets, processExitFreesHeap. There is a trace on screen. GUI thread only.
void captureTabs(ui::AnalysisTabs& tabs, ui::Session& session);

/// Shows that instead of what the tabs show now, which can be reopened. Lines about what is not there are added to
/// `missing`. There is a trace on screen, all of it. True: names of functions are needed for some of it.
bool showTabs(const ui::Session& session, ui::AnalysisTabs& tabs, QStringList& missing);

} // namespace highwater::app

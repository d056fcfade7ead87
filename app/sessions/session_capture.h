#pragma once

#include "ui/session/session.h"

#include <QStringList>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// Captures the state of all tabs and the user's presets that their graphs use: Session::tabs, currentTab, presets,
/// processExitFreesHeap. Requires a trace on screen. GUI thread only.
void captureTabs(ui::AnalysisTabs& tabs, ui::Session& session);

/// Replaces the content of the tabs with the session; the previous tabs can be reopened. Adds a line per missing item
/// to `missing`. Requires a completely loaded trace on screen. Returns true if function names are needed.
bool showTabs(const ui::Session& session, ui::AnalysisTabs& tabs, QStringList& missing);

} // namespace highwater::app

#include "app/window/tool_bar_controller.h"

#include "app/settings/application_settings.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/table_actions.h"

#include <QMainWindow>

#include <algorithm>

namespace highwater::app {
namespace {

using Command = ui::CommandBar::Command;

/// Null if not found.
QAction* named(const QList<QAction*>& actions, const char* name) {
    const auto found = std::find_if(actions.begin(), actions.end(),
                                    [&](const QAction* action) { return action->objectName() == QLatin1String(name); });
    return found == actions.end() ? nullptr : *found;
}

} // namespace

ToolBarController::ToolBarController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, ui::RecordBar& recording,
                                     QMainWindow& window)
    : QObject(&window), settings_(settings), tabs_(tabs), recording_(recording), bar_(new ui::CommandBar(&window)) {
    window.insertToolBar(&recording, bar_);
    window.insertToolBarBreak(&recording);
    const std::pair<Command, QAction*> ofRecording[] = {{Command::Record, recording.recordAction()},
                                                        {Command::Stop, recording.stopAction()},
                                                        {Command::Save, recording.saveAction()},
                                                        {Command::Mark, recording.markAction()},
                                                        {Command::Snapshot, recording.snapshotAction()}};
    for (const auto& [command, action] : ofRecording)
        bar_->setCommand(command, action);
    connect(bar_->toggleViewAction(), &QAction::triggered, this,
            [this](bool shows) { settings_.setShowsToolBar(shows); });
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &ToolBarController::followPanel);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &ToolBarController::followTrace);
    followPanel();
    showBars();
}

void ToolBarController::showBars() {
    bar_->setVisible(settings_.showsToolBar());
    recording_.showIfOpen();
}

void ToolBarController::followPanel() {
    const auto time = tabs_.current().zoomActions();
    const auto* panel = tabs_.currentPanel();
    const auto table = panel ? tabs_.currentPanel()->table().actions().all() : QList<QAction*>();
    bar_->setCommand(Command::Back, named(time, "unzoom"));
    bar_->setCommand(Command::Forward, named(time, "zoomForward"));
    bar_->setCommand(Command::Zoom, named(time, "zoomToSelection"));
    bar_->setCommand(Command::WholeTrace, named(time, "showAll"));
    bar_->setCommand(Command::Filter, named(table, "filterTo"));
    bar_->setCommand(Command::FilterOut, named(table, "filterOut"));
    bar_->setCommand(Command::Find, named(tabs_.current().findActions(), "find"));
    bar_->setCommand(Command::BottomUp, named(table, "bottomUp"));
}

void ToolBarController::followTrace() { bar_->setHasTrace(tabs_.shown().trace() != nullptr); }

} // namespace highwater::app

#include "moc_tool_bar_controller.cpp"

#pragma once

#include "ui/view/window/command_bar.h"

#include <QAction>
#include <QList>
#include <QObject>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class RecordBar;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// The main tool bar and the recording bar below it: updates the actions of its buttons when the current graph or tab
/// changes, and stores whether it is visible. GUI thread only.
class ToolBarController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object. The recording bar is already in the window.
    ToolBarController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, ui::RecordBar& recording,
                      QMainWindow& window);

    /// Actions of the program, which do not change.
    void setCommand(ui::CommandBar::Command command, QAction* action) { bar_->setCommand(command, action); }
    /// Shows and hides the bar; for the menu.
    [[nodiscard]] QAction* toggleAction() const { return bar_->toggleViewAction(); }
    /// Call after restoring the window layout.
    void showBars();

  private:
    void followPanel();
    void followTrace();

    ApplicationSettings& settings_;
    ui::AnalysisTabs& tabs_;
    ui::RecordBar& recording_;
    ui::CommandBar* bar_;
};

} // namespace highwater::app

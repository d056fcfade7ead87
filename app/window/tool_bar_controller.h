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

/// The main tool bar, and the line of a recording below it: which actions its buttons stand for, as graphs and tabs
/// become the current one, and whether the user wants it. GUI thread only.
class ToolBarController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it. The line of the recording is in the window already.
    ToolBarController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, ui::RecordBar& recording,
                      QMainWindow& window);

    /// Those of the program, which never change.
    void setCommand(ui::CommandBar::Command command, QAction* action) { bar_->setCommand(command, action); }
    /// Shows and hides the bar; for the menu.
    [[nodiscard]] QAction* toggleAction() const { return bar_->toggleViewAction(); }
    /// After the layout of the window was restored.
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

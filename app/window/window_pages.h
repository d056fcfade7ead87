#pragma once

#include <QPointer>
#include <QStackedWidget>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class StartPage;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class FleetController;
class WindowMenus;

/// The central page of the window: the start page, the open trace, or the Fleet page. Switches between them, sets the
/// window title, enables the commands for each page, and stores and restores the trace layout, whose docks are visible
/// only with the trace. Owned by the window. GUI thread only.
class WindowPages : public QStackedWidget {
    Q_OBJECT
  public:
    /// All must outlive this object, which owns the pages as widgets. `explorer`: the dock that every trace has.
    struct Parts {
        ui::StartPage& start;
        ui::AnalysisTabs& trace;
        FleetController& fleet;
        QDockWidget& explorer;
        WindowMenus& menus;
        ApplicationSettings& settings;
    };
    WindowPages(const Parts& parts, QMainWindow& window);

    [[nodiscard]] bool isTraceShown() const;
    [[nodiscard]] bool isFleetShown() const;
    /// Another page is shown while the trace stays open.
    [[nodiscard]] bool isAway() const { return isAway_; }

    /// Sets the name of the open trace for the title.
    void setTitle(const QString& title);
    /// On the start page while it is shown instead of the open trace.
    void setOpenTrace(const QString& sentence);

    /// A trace is being opened. The page changes when there is something to show.
    void beginTrace();
    /// Opening failed; the previous trace is still open.
    void keepTrace();
    /// Shows the trace with the last layout of its docks.
    void showTrace();
    /// The trace was closed; shows the start page.
    void closeTrace();
    /// Stores the layout for the next time if the trace is on screen.
    void keepLayout();

    void goToStart();
    void goToFleet();
    void backToTrace();

  signals:
    /// The page has changed, or is shown for another reason.
    void changed();
    /// The start page is shown, which must describe the open trace.
    void startShown();
    /// The layout was restored; docks requested since then must still be shown.
    void layoutRestored();
    void traceShown();

  private:
    void connectParts();
    void leaveTrace();
    void leaveStart();
    void toggleStart();
    void toggleFleet();
    void follow();
    void nameWindow();

    Parts parts_;
    QMainWindow& window_;
    QString title_;                 ///< title of the open trace; empty: none
    bool isAway_ = false;           ///< the start page or the Fleet page is shown instead of the open trace
    QPointer<QWidget> focusBefore_; ///< had the focus when the trace page was left
};

} // namespace highwater::app

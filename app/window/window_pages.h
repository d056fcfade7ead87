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

/// The page in the middle of the window: the start page, the trace that is open, or the Fleet page. Goes from one to
/// another and back, sets the title of the window and enables the commands that make sense on the page, and keeps and
/// restores the layout of the trace, whose docks are on screen with it alone. The window owns it. GUI thread only.
class WindowPages : public QStackedWidget {
    Q_OBJECT
  public:
    /// All must outlive it; it owns the pages as widgets. `explorer`: the dock that each trace has.
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
    /// Another page is shown instead of what is open, which goes on as it is.
    [[nodiscard]] bool isAway() const { return isAway_; }

    /// What is open is called so in the title.
    void setTitle(const QString& title);
    /// On the start page, while that is shown instead of what is open.
    void setOpenTrace(const QString& sentence);

    /// Something begins, which is to take the place of what is open. The page stays until there is something to show.
    void beginTrace();
    /// Nothing took its place: what was open is open still.
    void keepTrace();
    /// With its docks, as they were the last time.
    void showTrace();
    /// Nothing is open any more: to the start page.
    void closeTrace();
    /// If the trace is on screen, for the next time.
    void keepLayout();

    void goToStart();
    void goToFleet();
    void backToTrace();

  signals:
    /// Another page is shown, or the same for another reason.
    void changed();
    /// The start page is: what is open is to be described there.
    void startShown();
    /// The layout was restored; docks that were asked for since are still to come.
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
    QString title_;                 ///< of what is open; empty: nothing is
    bool isAway_ = false;           ///< the start page, or the Fleet page, is shown instead of what is open
    QPointer<QWidget> focusBefore_; ///< had the focus when the trace was left for another page
};

} // namespace highwater::app

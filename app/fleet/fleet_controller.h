#pragma once

#include "app/fleet/fleet_rows.h"
#include "ui/state/fleet/fleet_finder.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <optional>

namespace highwater::ui {
class AnalysisTabs;
class FleetView;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class SymbolSession;

/// The Fleet page: opens stores, asks them, and has the traces of runs opened at their rows. What was asked before
/// stays on the page until another store has answered. Users and passwords live as long as this. GUI thread only.
class FleetController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    FleetController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols, QWidget& window,
                    ui::OpenFleetFunction open);

    /// For the window to place; it owns it.
    [[nodiscard]] ui::FleetView* page() const { return view_; }
    /// Open Fleet, for the File menu; and Fleet, which shows the page and goes back from it, for the View menu.
    [[nodiscard]] QAction* openAction() const { return open_; }
    [[nodiscard]] QAction* toggleAction() const { return toggle_; }
    /// As a user types it.
    void open(const QString& address);
    /// The page shows what was asked for, or why not.
    [[nodiscard]] bool isUpToDate() const;

    /// A trace is loaded, and on screen, from these files: that of a run is shown at its rows.
    void noteLoaded(const QStringList& files);
    /// Another trace begins.
    void forget() { rows_.forget(); }

  signals:
    void pageWanted();
    /// The page, or back from it.
    void toggled();
    void traceWanted(const QStringList& files);
    void namesWanted();
    /// For the window, where a trace is on screen.
    void messageWanted(const QString& sentence, bool isWarning, const highwater::ui::MessageLink& link = {});
    void upToDate();
    /// The store that was to be opened cannot be.
    void openFailed(const QString& sentence);

  private:
    void buildActions();
    void connectFinder();
    void connectView();
    void browse();
    void signIn(const QString& user, const QString& password);
    void takeContents(const ui::FleetPlace& place, const ui::FleetContents& contents);
    void askAgain();
    void ask();
    void cancel();
    void askHistory();
    void askRuns(const fleet::FleetStack& stack);
    void openRun(const ui::FleetRun& run);
    void takeReach(const ui::FleetRun& run, const QStringList& missing);
    void findTrace(ui::FleetRun run);
    void exportTable(ui::FleetFormat format);
    void save(const std::string& text, const QString& path);
    void fail(ui::FleetFinder::Asked asked, ErrorKind kind, const QString& sentence);
    void failToOpen(ErrorKind kind, const QString& sentence);
    void tell(const QString& sentence, const ui::MessageLink& link = {});
    /// Samples of the answer that is on screen, of one of its stacks.
    [[nodiscard]] fleet::SampleFilter samplesOf(const fleet::FleetStack& stack) const;

    ApplicationSettings& settings_;
    QWidget& window_;
    ui::FleetView* view_;
    QAction* open_;
    QAction* toggle_;
    ui::FleetFinder finder_;
    FleetRows rows_;
    ui::FleetPlace candidate_; ///< whose contents are asked for, or that wants to know who one is
    ui::FleetContents contents_;
    fleet::FleetStack stack_;             ///< that is selected
    QTimer historySoon_;                  ///< while the selection moves on
    std::optional<ui::FleetRun> waiting_; ///< for its trace
    QStringList waitingFiles_;
};

} // namespace highwater::app

#pragma once

#include "app/tools/fleet/page/fleet_finder.h"
#include "app/tools/fleet/page/fleet_rows.h"
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
    /// All must outlive this object.
    FleetController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols, QWidget& window,
                    ui::OpenFleetFunction open);

    /// For the window to place; it owns it.
    [[nodiscard]] ui::FleetView* page() const { return view_; }
    /// Open Fleet, for the File menu; and Fleet, which shows the page and goes back from it, for the View menu.
    [[nodiscard]] QAction* openAction() const { return open_; }
    [[nodiscard]] QAction* toggleAction() const { return toggle_; }
    /// Of the store that is open, for a title; "Fleet": none is.
    [[nodiscard]] QString name() const;
    /// As a user types it.
    void open(const QString& address);
    /// The same of a file that was named, dropped or chosen where a trace may be.
    void openFile(const QString& path);
    /// The page shows what was asked for, or why not.
    [[nodiscard]] bool isUpToDate() const;

    /// A trace is loaded, and on screen, from these files: that of a run is shown at its rows.
    void noteLoaded(const QStringList& files);
    /// None was, of what was wanted.
    void noteFailed() { waiting_.reset(); }
    /// The trace is replaced.
    void forget();
    /// The page is on screen: what was said beside a trace to come back to it is not needed.
    void notePageShown();

  signals:
    void pageWanted();
    /// The page, or back from it.
    void toggled();
    /// mayBeShown: what is on screen of these files, if anything, is the run; else they are read anew.
    void traceWanted(const QStringList& files, bool mayBeShown);
    void namesWanted();
    /// For the window, where a trace is on screen.
    void messageWanted(const highwater::ui::Message& message);
    /// It is not true, or not needed, any more.
    void messageGone(const QString& sentence);
    void upToDate();
    /// name() is another.
    void placeChanged();
    /// The store that was to be opened cannot be.
    void openFailed(const QString& sentence);

  private:
    void buildActions();
    void connectFinder();
    void connectView();
    void browse();
    void signIn(const QString& user, const QString& password);
    void askContents(const ui::FleetPlace& place);
    /// Behind a sentence: that what is on the page is of the store before.
    [[nodiscard]] QString withStoreBefore(const QString& sentence) const;
    void takeContents(const ui::FleetPlace& place, const ui::FleetContents& contents);
    void askAgain();
    void ask();
    void cancel();
    void askHistory();
    void askRuns(const fleet::FleetStack& stack, const std::string& build);
    void openRun(const ui::FleetRun& run);
    void takeReach(const ui::FleetRun& run, const ui::FleetReach& reach);
    void tellMissing(const ui::FleetRun& run, const QStringList& missing);
    void tellOther(const ui::FleetRun& run);
    /// Of a run: until the list of runs is left.
    void tellOfRun(const QString& sentence, const ui::MessageLink& link);
    /// Beside the trace, with a way back.
    void tellBesideTrace(const ui::Message& message);
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
    fleet::FleetStack stack_; ///< that is selected
    QTimer historySoon_;      ///< while the selection moves on
    struct Waiting {
        ui::FleetRun run;
        QStringList files;
        bool isOther = false; ///< they are another recording, which is opened as what it is
    };
    std::optional<Waiting> waiting_; ///< for its trace
    std::string shownRun_;           ///< whose trace was opened from here, and is still; empty: of none
    QString toldOfRun_, toldBesideTrace_;
};

} // namespace highwater::app

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

/// The Fleet page: opens stores, queries them, and opens traces at the rows that match an answer. The previous answer
/// stays on the page until another store has answered. Users and passwords are kept for the lifetime of this object.
/// GUI thread only.
class FleetController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    FleetController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols, QWidget& window,
                    ui::OpenFleetFunction open);

    /// The page to place in the window, which owns it.
    [[nodiscard]] ui::FleetView* page() const { return view_; }
    /// Open Fleet for the File menu, and Fleet for the View menu, which switches to the page and back.
    [[nodiscard]] QAction* openAction() const { return open_; }
    [[nodiscard]] QAction* toggleAction() const { return toggle_; }
    /// The name of the open store for a title; "Fleet" if none is open.
    [[nodiscard]] QString name() const;
    /// An address as typed.
    void open(const QString& address);
    /// The same for a file that was given, dropped or chosen like a trace.
    void openFile(const QString& path);
    /// The page shows the answer or an error.
    [[nodiscard]] bool isUpToDate() const;

    /// A trace from these files is loaded and on screen. If it is that of a run, its rows are shown.
    void noteLoaded(const QStringList& files);
    /// The requested trace could not be opened.
    void noteFailed() { waiting_.reset(); }
    /// The trace is replaced.
    void forget();
    /// The page is on screen, so the link in the trace back to it is not needed.
    void notePageShown();

  signals:
    void pageWanted();
    /// Switch to the page or back.
    void toggled();
    /// mayBeShown: if these files are already on screen, they are the run; otherwise they must be reloaded.
    void traceWanted(const QStringList& files, bool mayBeShown);
    void namesWanted();
    /// Show the resident memory of the trace on screen.
    void memoryWanted();
    /// A message for the window while a trace is on screen.
    void messageWanted(const highwater::ui::Message& message);
    /// The message is no longer true or needed.
    void messageGone(const QString& sentence);
    void upToDate();
    /// name() has changed.
    void placeChanged();
    /// The requested store cannot be opened.
    void openFailed(const QString& sentence);

  private:
    void buildActions();
    void connectFinder();
    void connectView();
    void browse();
    void signIn(const QString& user, const QString& password);
    void askContents(const ui::FleetPlace& place);
    /// Appends to a message that the page still shows the previous store.
    [[nodiscard]] QString withStoreBefore(const QString& sentence) const;
    void takeContents(const ui::FleetPlace& place, const ui::FleetContents& contents);
    void askAgain();
    void ask();
    void cancel();
    void askHistory();
    void askRuns(const fleet::FleetStack& stack, const std::string& build);
    void openRun(const ui::FleetRun& run);
    void takeReach(const ui::FleetRun& run, const ui::FleetReach& reach);
    void reportMissingFiles(const ui::FleetRun& run, const QStringList& missing);
    void reportOtherRecording(const ui::FleetRun& run);
    /// A message about a run, shown until the list of runs is left.
    void showRunMessage(const QString& sentence, const ui::MessageLink& link);
    /// A message on the trace page, with a link back.
    void showMessageOnTrace(const ui::Message& message);
    void findTrace(ui::FleetRun run);
    void exportTable(ui::FleetFormat format);
    void save(const std::string& text, const QString& path);
    void fail(ui::FleetFinder::Asked asked, ErrorKind kind, const QString& sentence);
    void failToOpen(ErrorKind kind, const QString& sentence);
    void tell(const QString& sentence, const ui::MessageLink& link = {});
    /// The sample filter of the current answer for one of its stacks.
    [[nodiscard]] fleet::SampleFilter samplesOf(const fleet::FleetStack& stack) const;

    ApplicationSettings& settings_;
    QWidget& window_;
    ui::FleetView* view_;
    QAction* open_;
    QAction* toggle_;
    ui::FleetFinder finder_;
    FleetRows rows_;
    ui::FleetPlace candidate_; ///< the store being opened, or that requires credentials
    ui::FleetContents contents_;
    fleet::FleetStack stack_; ///< the selected stack
    QTimer historySoon_;      ///< delay while the selection moves
    struct Waiting {
        ui::FleetRun run;
        QStringList files;
        bool isOther = false; ///< the files are another recording, which the user opens anyway
    };
    std::optional<Waiting> waiting_; ///< the run waiting for its trace
    std::string shownRun_;           ///< the run whose trace is open from here; empty: none
    QString runMessage_, messageOnTrace_;
};

} // namespace highwater::app

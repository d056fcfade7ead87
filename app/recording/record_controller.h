#pragma once

#include "app/recording/recording_session.h"
#include "ui/state/record_choices.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class RecordBar;
class RecordPage;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class RecoveryController;
class SymbolSession;

/// What the window shows of recording: the bar, the page that asks what to record, replay, and the question what
/// becomes of a recording that is not saved. Keeps what the user chooses. GUI thread only.
class RecordController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    RecordController(ApplicationSettings& settings, SymbolSession& symbols, ui::AnalysisTabs& tabs,
                     QMainWindow& window);

    [[nodiscard]] RecordingSession& session() { return session_; }
    [[nodiscard]] const RecordingSession& session() const { return session_; }
    /// Whose recording is saved, discarded and asked about as one of its own, while it is shown. Must outlive it.
    void setRecovery(RecoveryController& recovery);
    /// Something would be lost, or be forgotten, if what is shown went away now.
    [[nodiscard]] bool isUnsaved() const;
    /// The page that asks what to record is on screen: what could not be started is told there.
    [[nodiscard]] bool isAsking() const;
    /// For the Record menu, and for the File menu.
    [[nodiscard]] QList<QAction*> recordActions() const;
    [[nodiscard]] QMenu* replayMenu() const { return replay_; }
    /// The line that tells how it stands.
    [[nodiscard]] ui::RecordBar& bar() { return *bar_; }

    /// Asks what to record.
    void ask();
    /// The same, from the list of running processes.
    void askToAttach();
    void start(const ui::RecordChoices& choices);
    void startReplay(const QString& path, double speed);
    /// The program that the start page offers to try; empty: it is not here.
    [[nodiscard]] static QString exampleProgram();
    void recordExample();
    /// `then` once nothing would be lost any more: at once, or after Save or Discard; never after Cancel. What has not
    /// begun is given up.
    void leave(std::function<void()> then);
    /// "The recording of %1 is not saved.", or that only a part of it is.
    [[nodiscard]] QString unsavedTitle() const;

  signals:
    /// Another recording begins: what is shown goes.
    void beginning(const QString& name);
    /// It did not: what is shown stays.
    void startFailed(const QString& sentence);
    void messageWanted(const highwater::ui::Message& message);
    /// On what is shown, which is not being recorded.
    void markWanted();
    void snapshotWanted();
    void saved(const QString& path);
    /// To record needs the rights of an administrator.
    void elevationWanted();
    /// The user threw the recording away: nothing is to be shown of it any more.
    void discarded();

  private:
    void takeChoices(const ui::RecordChoices& choices);
    void leavePage(const QString& problem);
    void mark();
    void takeSnapshot();
    void reportNoData(const QString& sentence, source::NoDataDiagnosis::Fix fix);
    ui::MessageLink linkTo(source::NoDataDiagnosis::Fix fix);
    void askToDiscard();
    [[nodiscard]] QString whatIsUnsaved() const;
    void build();
    void buildReplayMenu();
    void connectSession();
    void launch(const ui::RecordChoices& choices);
    void launchNow(const ui::RecordChoices& choices);
    void makeWay(std::function<void()> then);
    void giveUpStart();
    void noteBeginning(const QString& name);
    void noteStartFailed(const QString& sentence);
    void askForReplay(double speed);
    void askForName();
    void noteSaved(const QString& path, const QString& sentence);
    void refreshProcesses();
    void followSession();
    void tellFileTroubles(const RecordingFacts& facts);
    void followTabs();

    ApplicationSettings& settings_;
    SymbolSession& symbols_;
    ui::AnalysisTabs& tabs_;
    QMainWindow& window_;
    RecordingSession session_;
    RecoveryController* recovery_ = nullptr;
    ui::RecordBar* bar_;
    QMenu* replay_;
    QPointer<ui::RecordPage> page_;
    QTimer processTimer_;
    bool listing_ = false;
    bool reportedSpoolError_ = false;
    bool reportedMissing_ = false;
    int marks_ = 0;                        ///< set in this recording
    ui::RecordChoices starting_, current_; ///< of what is to begin, and of this recording
    QString savedAs_;                      ///< the last file with something of this recording; empty: none
    std::function<void()> afterSave_;
};

} // namespace highwater::app

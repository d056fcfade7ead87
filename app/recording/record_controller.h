#pragma once

#include "app/recording/growth_watch.h"
#include "app/recording/recording_session.h"
#include "app/recording/resident_watch.h"
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

/// Recording in the window: the bar, the record page, replay, and the question about an unsaved recording. Stores the
/// user's choices. GUI thread only.
class RecordController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    RecordController(ApplicationSettings& settings, SymbolSession& symbols, ui::AnalysisTabs& tabs,
                     QMainWindow& window);

    [[nodiscard]] RecordingSession& session() { return session_; }
    [[nodiscard]] const RecordingSession& session() const { return session_; }
    [[nodiscard]] const GrowthWatch& growth() const { return growth_; }
    [[nodiscard]] const ResidentWatch& residentMemory() const { return residentMemory_; }
    /// Its recovered recording is saved, discarded and asked about like one of this object while it is shown. Must
    /// outlive this object.
    void setRecovery(RecoveryController& recovery);
    /// Whether closing the trace on screen would lose data or a recovered recording.
    [[nodiscard]] bool isUnsaved() const;
    /// Whether the record page is visible; it shows errors of the start.
    [[nodiscard]] bool isAsking() const;
    /// Actions for the Record menu and the File menu.
    [[nodiscard]] QList<QAction*> recordActions() const;
    [[nodiscard]] QMenu* replayMenu() const { return replay_; }
    /// The status bar of the recording.
    [[nodiscard]] ui::RecordBar& bar() { return *bar_; }

    /// Opens the record page.
    void ask();
    /// Opens the record page with the list of running processes.
    void askToAttach();
    void start(const ui::RecordChoices& choices);
    void startReplay(const QString& path, double speed);
    /// The example program on the start page; empty if not installed.
    [[nodiscard]] static QString exampleProgram();
    void recordExample();
    /// Calls `then` when no data would be lost: at once, or after Save or Discard, but not after Cancel. Cancels a
    /// pending start.
    void leave(std::function<void()> then);
    /// "The recording of app is not saved.", or the same for a part of it. For a recovered recording as well.
    [[nodiscard]] QString unsavedTitle() const;

  signals:
    /// Another recording starts, so the current trace closes.
    void beginning(const QString& name);
    /// The start failed, so the current trace stays.
    void startFailed(const QString& sentence);
    void messageWanted(const highwater::ui::Message& message);
    /// Applies to the trace on screen, which is not being recorded.
    void markWanted();
    void snapshotWanted();
    void saved(const QString& path);
    /// Recording requires administrator rights.
    void elevationWanted();
    /// The user discarded the recording, so the trace closes.
    void discarded();

  private:
    void takeChoices(const ui::RecordChoices& choices);
    void leavePage(const QString& problem);
    void mark();
    void takeSnapshot();
    void takePicture();
    void reportPicture();
    void reportNoData(const QString& sentence, source::NoDataDiagnosis::Fix fix);
    ui::MessageLink linkTo(source::NoDataDiagnosis::Fix fix);
    void askToDiscard();
    [[nodiscard]] QString unsavedChangesText() const;
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
    void reportFileErrors(const RecordingFacts& facts);
    void followTabs();

    ApplicationSettings& settings_;
    SymbolSession& symbols_;
    ui::AnalysisTabs& tabs_;
    QMainWindow& window_;
    RecordingSession session_;
    GrowthWatch growth_{session_};
    ResidentWatch residentMemory_{session_};
    RecoveryController* recovery_ = nullptr;
    ui::RecordBar* bar_;
    QMenu* replay_;
    QPointer<ui::RecordPage> page_;
    QTimer processTimer_;
    bool listing_ = false;
    bool reportedSpoolError_ = false;
    bool reportedMissing_ = false;
    int marks_ = 0;                        ///< set in this recording
    ui::RecordChoices starting_, current_; ///< options of the pending recording and of the current one
    QString savedAs_;                      ///< the last file to which this recording was saved; empty: none
    std::function<void()> afterSave_;
};

} // namespace highwater::app

#pragma once

#include <QList>
#include <QToolBar>

class QAction;
class QLabel;

namespace highwater::ui {

class Sparkline;

/// Facts about a recording shown in the bar.
struct RecordBarFacts {
    bool isOpen = false;            ///< there is a recording, running or not
    bool isRecording = false;       ///< it is running
    bool isCollectingNames = false; ///< it is only waiting for names of managed code
    bool isRecovered = false;       ///< an unsaved recording of an earlier run, opened as a file
    bool canSave = false;
    bool hasTrace = false; ///< a trace is shown, so marks can be added
    QString name;
    quint32 pid = 0; ///< 0: unknown
    qint64 elapsedMs = 0;
    quint64 events = 0;
    quint64 eventsPerSecond = 0;
    quint64 eventsLost = 0;
    quint64 fileBytes = 0;
    qint64 keptFromMs = 0;       ///< older ended allocations were discarded; 0: none were
    QString end = {};            ///< how the program ended: "ended (exit code 3)"; empty: unknown, or still running
    bool isStopped = false;      ///< stopped on request
    bool ranOn = false;          ///< the program was still running then
    QList<qint64> privateBytes;  ///< samples of the program, oldest first; empty: unknown
    quint64 unrecordedBytes = 0; ///< growth of memory that was not recorded
};

/// State of a recording and the option to follow its end: a bar that is visible while a recording is open. Creates the
/// commands Record, Stop, Save, Mark, Snapshot and Discard, which the main tool bar and the menu show. GUI thread only.
class RecordBar : public QToolBar {
    Q_OBJECT
  public:
    explicit RecordBar(QWidget* parent = nullptr);

    void setFacts(const RecordBarFacts& facts);
    void setFollowing(bool follows);
    /// Call after restoring the window layout, which does not include the bar's visibility.
    void showIfOpen();
    [[nodiscard]] QAction* recordAction() const { return record_; }
    [[nodiscard]] QAction* stopAction() const { return stop_; }
    [[nodiscard]] QAction* saveAction() const { return save_; }
    [[nodiscard]] QAction* discardAction() const { return discard_; }
    [[nodiscard]] QAction* markAction() const { return mark_; }
    [[nodiscard]] QAction* snapshotAction() const { return snapshot_; }
    /// In the menu only.
    [[nodiscard]] QAction* pictureAction() const { return picture_; }
    /// Triggered only by the user.
    [[nodiscard]] QAction* followAction() const { return follow_; }
    /// The texts of the bar.
    [[nodiscard]] QString words() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    [[nodiscard]] static QString endWords(const RecordBarFacts& facts);
    QAction* makeCommand(const char* name, const QString& text, const QKeySequence& key);
    void setLooks();
    void updateStopLook();
    void showMemoryLine();
    void showMemory(const RecordBarFacts& facts);

    QAction* record_;
    QAction* stop_;
    QAction* save_;
    QAction* mark_;
    QAction* snapshot_;
    QAction* picture_;
    QAction* discard_;
    QAction* follow_;
    QLabel* program_;
    QLabel* numbers_;
    QLabel* memory_;
    Sparkline* memoryLine_;
    bool isOpen_ = false, isCollectingNames_ = false;
};

} // namespace highwater::ui

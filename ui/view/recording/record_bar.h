#pragma once

#include <QList>
#include <QToolBar>

class QAction;
class QLabel;

namespace highwater::ui {

class Sparkline;

/// What the bar tells of a recording.
struct RecordBarFacts {
    bool isOpen = false;            ///< there is a recording, going on or not
    bool isRecording = false;       ///< it goes on
    bool isCollectingNames = false; ///< it goes on only for names of managed code
    bool isRecovered = false;       ///< no recording of this run, but one that was left unsaved, open as a file
    bool canSave = false;
    bool hasTrace = false; ///< something is shown: marks can be made on it
    QString name;
    quint32 pid = 0; ///< 0: not known
    qint64 elapsedMs = 0;
    quint64 events = 0;
    quint64 eventsPerSecond = 0;
    quint64 eventsLost = 0;
    quint64 fileBytes = 0;
    qint64 keptFromMs = 0;      ///< what had ended before was let go; 0: nothing was
    QString end = {};           ///< how the program ended; empty: not known, or it goes on
    bool isStopped = false;     ///< over because that was asked for
    bool ranOn = false;         ///< the program, when that was
    QList<qint64> privateBytes; ///< of the program, oldest first; empty: not known
};

/// How a recording stands, and whether the time axis follows its end: a line that is there while a recording is open.
/// Makes the commands Record, Stop, Save, Mark, Snapshot and Discard, which the main tool bar and the menu show.
/// GUI thread only.
class RecordBar : public QToolBar {
    Q_OBJECT
  public:
    explicit RecordBar(QWidget* parent = nullptr);

    void setFacts(const RecordBarFacts& facts);
    void setFollowing(bool follows);
    /// After the layout of the window was restored, which does not know of this recording.
    void showIfOpen();
    [[nodiscard]] QAction* recordAction() const { return record_; }
    [[nodiscard]] QAction* stopAction() const { return stop_; }
    [[nodiscard]] QAction* saveAction() const { return save_; }
    [[nodiscard]] QAction* discardAction() const { return discard_; }
    [[nodiscard]] QAction* markAction() const { return mark_; }
    [[nodiscard]] QAction* snapshotAction() const { return snapshot_; }
    /// Triggered: by the reader only.
    [[nodiscard]] QAction* followAction() const { return follow_; }
    /// What it tells, as it reads.
    [[nodiscard]] QString words() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    [[nodiscard]] static QString endWords(const RecordBarFacts& facts);
    QAction* makeCommand(const char* name, const QString& text, const QKeySequence& key);
    void setLooks();
    void lookStop();
    void showMemoryLine();

    QAction* record_;
    QAction* stop_;
    QAction* save_;
    QAction* mark_;
    QAction* snapshot_;
    QAction* discard_;
    QAction* follow_;
    QLabel* program_;
    QLabel* numbers_;
    QLabel* memory_;
    Sparkline* memoryLine_;
    bool isOpen_ = false, isCollectingNames_ = false;
};

} // namespace highwater::ui

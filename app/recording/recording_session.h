#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/retired_work.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/no_data_diagnosis.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::app {

/// How the recording stands, in plain values.
struct RecordingFacts {
    QString name;          ///< of the program, or of the file that is played
    std::uint32_t pid = 0; ///< 0: not known yet
    std::int64_t elapsedMs = 0;
    std::uint64_t events = 0;
    std::uint64_t eventsPerSecond = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t fileBytes = 0;
    std::uint64_t missingEvents = 0;        ///< that the disk could not take: they are in memory alone
    std::int64_t keptFromMs = 0;            ///< where the part begins that is kept; 0: all is
    QString end;                            ///< "exit code 3"; empty: it goes on, or it is not known
    bool isStopped = false;                 ///< over because that was asked for, not because the program ended
    bool ranOn = false;                     ///< the program, when that was
    bool isCollectingNames = false;         ///< it is over, but names of managed code still come
    QString spoolError;                     ///< empty: the file grows
    std::vector<std::int64_t> privateBytes; ///< of the program, a sample a second, oldest first; the newest of them
};

/// What the recorder itself decides: when it ends, and how the file is written. A value.
struct RecordingLimits {
    pipeline::StopConditions stopWhen;
    etl::Compression compression = etl::Compression::Xpress;
    std::optional<pipeline::KeepLast> keepLast; ///< nothing: all
    pipeline::SnapshotPlan snapshots;           ///< that it takes by itself
};

/// One recording at a time: starts it, brings what it publishes to the GUI thread four times a second, saves it on a
/// worker, and throws it away. Nothing here waits for the recording. GUI thread only.
class RecordingSession : public QObject {
    Q_OBJECT
  public:
    using Names = std::shared_ptr<const symbols::NameSource>;
    using MakeNames = std::function<Names()>;

    /// `folder`: where the records go while they come; made when needed.
    explicit RecordingSession(QString folder, QObject* parent = nullptr);
    /// What was not saved is deleted.
    ~RecordingSession() override;

    /// On a worker; beginning() or startFailed() follows. The recording that there is, if any, is given up only when
    /// the new one begins. `names`: called then.
    void start(const source::CaptureLaunch& launch, const source::CaptureOptions& options, MakeNames names = {},
               const RecordingLimits& limits = {});
    /// A process that runs already.
    void start(std::uint32_t pid, const QString& name, const source::CaptureOptions& options, MakeNames names = {},
               const RecordingLimits& limits = {});
    /// Plays a trace as if it happened now: 1 as recorded, 10 ten times as fast, 0 as fast as it can be taken.
    void startReplay(const QString& path, double speed, MakeNames names = {});
    /// What was asked for and has not begun: nothing follows.
    void abandonStart();
    /// Ends it soon: ended() follows. While it starts: startFailed(), or beginning() and then ended().
    void stop();
    /// Names that are still being collected are not waited for.
    void skipNames();
    /// On a worker; saved() or saveFailed() follows. A recording that was stopped is waited for.
    void save(const QString& path);
    /// A named instant, now. Comes back with noted().
    void mark(const QString& name);
    /// A heap snapshot of this moment: its number. Nothing: nothing is recorded, or there are too many.
    std::optional<quint32> takeSnapshot();
    /// What has ended meanwhile is told at once, not with the next look.
    void lookNow();
    /// A mark at an instant of a recording that has ended: comes back with noted(), and the next save() writes it. Its
    /// ticks, as Mark has them; nothing: there is no such recording.
    std::optional<qint64> markLate(TraceTime time, const QString& name);
    /// A heap snapshot of such an instant: its exact time.
    TraceTime snapshotLate(quint32 number, TraceTime time);
    void undoLateSnapshot(TraceTime time);
    /// Another name for a mark; empty: deleted. `ticks` as Mark has them.
    void editMark(qint64 ticks, const QString& name);
    /// Stops it and deletes its file.
    void discard();

    /// Another one is wanted, and has not begun: all below is of the one before.
    [[nodiscard]] bool isStarting() const { return starting_ != nullptr; }
    /// Of what is starting; empty: nothing is.
    [[nodiscard]] QString startingName() const { return starting_ ? starting_->name : QString(); }
    [[nodiscard]] bool isOpen() const { return recording_ != nullptr; }
    [[nodiscard]] bool isRecording() const { return isOpen() && !hasEnded_; }
    [[nodiscard]] bool isSaving() const { return saving_.valid(); }
    /// Something would be lost if it went away now. A replay is not: its file is there.
    [[nodiscard]] bool isUnsaved() const { return isOpen() && !isReplay_ && !isSaved_; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    [[nodiscard]] const QString& spool() const { return spool_; }
    [[nodiscard]] const RecordingFacts& facts() const { return facts_; }
    [[nodiscard]] TraceProperties properties() const;
    /// Of the recording; null: there is none.
    [[nodiscard]] const pipeline::TraceLoader* loader() const;

  signals:
    /// What was asked for records now: the recording that there was goes after this.
    void beginning(const QString& name);
    /// It does not: why. The recording that there was is as before.
    void startFailed(const QString& sentence);
    /// The labels are the same object for all publications of one recording.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// Marks and samples until now, when they have changed.
    void noted(std::shared_ptr<const highwater::TraceNotes> notes);
    /// After the last publication. `sentence`: why it failed, or what ended it early; empty if all went well.
    void ended(highwater::pipeline::LoadState state, const QString& sentence);
    /// facts() and the rest above may be others.
    void changed();
    /// `sentence`: what the file lacks; empty: nothing.
    void saved(const QString& path, const QString& sentence);
    void saveFailed(const QString& sentence);
    /// Nothing has come for a while: why that may be, and what would help.
    void noDataDiagnosed(const QString& sentence, highwater::source::NoDataDiagnosis::Fix fix);

  private:
    using Opened = Result<std::unique_ptr<source::RecordSource>>;
    /// A recording that was asked for and has not begun.
    struct Starting {
        QString name;
        MakeNames names{};
        RecordingLimits limits{};
        source::CaptureOptions options{};
        std::string program{}; ///< that is launched; empty: it runs already
        std::uint32_t pid = 0; ///< 0: not known yet
        bool isReplay = false;
        bool isStopped = false; ///< meanwhile
        std::stop_source opening{}, skipNames{};
        pipeline::Recording::OpenSource open{};
        std::future<Opened> opened{};
    };

    void open(Starting starting);
    void lookAtStart();
    void begin(Starting starting, Opened opened);
    void makeSpool(const QString& name);
    void poll();
    void publishNewest();
    void tellNotes();
    void noteMemory(const TraceNotes& notes);
    void notePrograms(const store::PublishedTrace& trace);
    void noteEnd();
    void markTheEnd();
    void diagnoseNoData();
    void reportNoData();
    void measure();
    void finishSave();
    void retire();
    void noteEdited();

    /// What a save came to.
    struct Saved {
        Result<std::string> lacks; ///< what the file lacks, as Recording::save() says it
        bool isAll = false;        ///< nothing was recorded after it began
    };

    QString folder_, spool_;
    std::shared_ptr<QTemporaryDir> replayFolder_;    ///< of a replay; outlives its recording
    std::shared_ptr<pipeline::Recording> recording_; ///< shared with the worker that saves it
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::shared_ptr<const store::PublishedTrace> shown_;
    std::shared_ptr<const TraceNotes> reported_;
    RecordingFacts facts_;
    bool isReplay_ = false, isStopped_ = false, hasEnded_ = false, isSaved_ = false, reportedNoData_ = false;
    QElapsedTimer since_, sinceRate_;
    std::uint64_t eventsAtRate_ = 0;
    QTimer timer_, startTimer_;
    std::unique_ptr<Starting> starting_;
    source::CaptureOptions captured_; ///< of the recording that there is
    std::stop_source skipNames_;
    std::string program_; ///< that was launched; empty: it ran already
    std::future<source::NoDataDiagnosis> diagnosis_;
    QString savePath_;
    std::future<Saved> saving_;
    bool isEditedMeanwhile_ = false; ///< a mark was, since it began
    RetiredWork retired_;            ///< recordings on their way out
};

} // namespace highwater::app

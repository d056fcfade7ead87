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

/// The state of the recording as plain values.
struct RecordingFacts {
    QString name;          ///< name of the program or the replayed file
    std::uint32_t pid = 0; ///< 0: unknown yet
    std::int64_t elapsedMs = 0;
    std::uint64_t events = 0;
    std::uint64_t eventsPerSecond = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t fileBytes = 0;
    std::uint64_t missingEvents = 0;        ///< events that the disk could not take; they exist only in memory
    std::int64_t keptFromMs = 0;            ///< start of the kept part; 0: everything is kept
    QString end;                            ///< by endText(); empty: still running, or unknown
    bool isStopped = false;                 ///< stopped on request, not because the program ended
    bool ranOn = false;                     ///< the program when it was stopped
    bool isCollectingNames = false;         ///< stopped, but names of managed code are still being collected
    QString spoolError;                     ///< empty: the file is still written
    QString pictureRefusal;                 ///< why the last picture of memory was not taken; empty: it was
    std::vector<std::int64_t> privateBytes; ///< memory of the program, the newest samples, one per second, oldest first
};

/// Options handled by the recorder: when it stops, and how it writes the file. A value.
struct RecordingLimits {
    pipeline::StopConditions stopWhen;
    etl::Compression compression = etl::Compression::Xpress;
    std::optional<pipeline::KeepLast> keepLast; ///< nothing: all
    pipeline::SnapshotPlan snapshots;           ///< automatic snapshots
};

/// Runs one recording at a time: starts it, brings its publications to the GUI thread four times a second, saves it on
/// a worker, and discards it. Never blocks. GUI thread only.
class RecordingSession : public QObject {
    Q_OBJECT
  public:
    using Names = std::shared_ptr<const symbols::NameSource>;
    using MakeNames = std::function<Names()>;

    /// `folder`: where events are written during recording; created when needed.
    explicit RecordingSession(QString folder, QObject* parent = nullptr);
    /// Deletes unsaved data.
    ~RecordingSession() override;

    /// Starts on a worker; beginning() or startFailed() follows. The current recording ends only when the new one
    /// starts. `names` is called then.
    void start(const source::CaptureLaunch& launch, const source::CaptureOptions& options, MakeNames names = {},
               const RecordingLimits& limits = {});
    /// Records a running process.
    void start(std::uint32_t pid, const QString& name, const source::CaptureOptions& options, MakeNames names = {},
               const RecordingLimits& limits = {});
    /// Replays a trace as if it happened now, at a multiple of the recorded speed; 0 means full speed.
    void startReplay(const QString& path, double speed, MakeNames names = {});
    /// Cancels a pending start; no signal follows.
    void abandonStart();
    /// Stops the recording; ended() follows. During a start, startFailed() follows, or beginning() and then ended().
    void stop();
    /// Skips names that are still being collected.
    void skipNames();
    /// Saves on a worker; saved() or saveFailed() follows. Waits for a stopped recording.
    void save(const QString& path);
    /// Adds a mark now; noted() follows.
    void mark(const QString& name);
    /// Takes a heap snapshot now and returns its number. Empty: not recording, or too many snapshots.
    std::optional<quint32> takeSnapshot();
    /// Takes a picture of memory; pictureEnded() follows unless the recording ends before.
    void takePicture();
    /// Checks now whether the recording has ended instead of waiting for the next poll.
    void lookNow();
    /// Adds a mark to an ended recording; noted() follows, and the next save() writes it. Returns its ticks as in Mark;
    /// empty if there is no such recording.
    std::optional<qint64> markLate(TraceTime time, const QString& name);
    /// Adds a heap snapshot at such an instant and returns its exact time.
    TraceTime snapshotLate(quint32 number, TraceTime time);
    void undoLateSnapshot(TraceTime time);
    /// Renames a mark, or deletes it if the name is empty. `ticks` as in Mark.
    void editMark(qint64 ticks, const QString& name);
    /// Stops the recording and deletes its file.
    void discard();

    /// Whether another recording is starting; the functions below still describe the current one.
    [[nodiscard]] bool isStarting() const { return starting_ != nullptr; }
    /// Name of the pending recording; empty: none.
    [[nodiscard]] QString startingName() const { return starting_ ? starting_->name : QString(); }
    [[nodiscard]] bool isOpen() const { return recording_ != nullptr; }
    [[nodiscard]] bool isRecording() const { return isOpen() && !hasEnded_; }
    [[nodiscard]] bool isSaving() const { return saving_.valid(); }
    /// Whether discarding would lose data. False for a replay, whose file exists.
    [[nodiscard]] bool isUnsaved() const { return isOpen() && !isReplay_ && !isSaved_; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    [[nodiscard]] const QString& spool() const { return spool_; }
    [[nodiscard]] const RecordingFacts& facts() const { return facts_; }
    [[nodiscard]] TraceProperties properties() const;
    /// The recording's trace; null: none.
    [[nodiscard]] const pipeline::TraceLoader* loader() const;

  signals:
    /// The requested recording has started; the previous one is destroyed after this signal.
    void beginning(const QString& name);
    /// The start failed with this reason. The previous recording is unchanged.
    void startFailed(const QString& sentence);
    /// The labels are the same object for all publications of one recording.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// Marks and samples so far, when they have changed.
    void noted(std::shared_ptr<const highwater::TraceNotes> notes);
    /// Emitted after the last publication. `sentence`: why it failed or ended early; empty on success.
    void ended(highwater::pipeline::LoadState state, const QString& sentence);
    /// facts() and the other values above may have changed.
    void changed();
    /// `sentence`: data missing from the file; empty: none.
    void saved(const QString& path, const QString& sentence);
    void saveFailed(const QString& sentence);
    /// A requested picture of memory is in the trace, or was refused: RecordingFacts::pictureRefusal.
    void pictureEnded();
    /// No data has arrived for a while: the possible reason and a remedy.
    void noDataDiagnosed(const QString& sentence, highwater::source::NoDataDiagnosis::Fix fix);

  private:
    using Opened = Result<std::unique_ptr<source::RecordSource>>;
    /// A pending recording.
    struct Starting {
        QString name;
        MakeNames names{};
        RecordingLimits limits{};
        source::CaptureOptions options{};
        std::string program{}; ///< launched program; empty: a running process
        std::uint32_t pid = 0; ///< 0: unknown yet
        bool isReplay = false;
        bool isStopped = false; ///< stopped during the start
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
    void reportNotes();
    void noteMemory(const TraceNotes& notes);
    void notePrograms(const store::PublishedTrace& trace);
    void noteEnd();
    void markTheEnd();
    void diagnoseNoData();
    void reportNoData();
    void measure();
    void followPicture(bool isDone);
    void finishSave();
    void retire();
    void noteEdited();

    /// The result of a save.
    struct Saved {
        Result<std::string> lacks; ///< data missing from the file, as in Recording::save()
        bool isAll = false;        ///< nothing was recorded after the save started
    };

    QString folder_, spool_;
    std::shared_ptr<QTemporaryDir> replayFolder_;    ///< for a replay; outlives its recording
    std::shared_ptr<pipeline::Recording> recording_; ///< shared with the worker that saves it
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::shared_ptr<const store::PublishedTrace> shown_;
    std::shared_ptr<const TraceNotes> reported_;
    RecordingFacts facts_;
    bool isReplay_ = false, isStopped_ = false, hasEnded_ = false, isSaved_ = false, reportedNoData_ = false;
    std::optional<std::size_t> picturesBefore_; ///< number at the request of one; nothing: none
    QElapsedTimer since_, sinceRate_;
    std::uint64_t eventsAtRate_ = 0;
    QTimer timer_, startTimer_;
    std::unique_ptr<Starting> starting_;
    source::CaptureOptions captured_; ///< options of the current recording
    std::stop_source skipNames_;
    std::string program_; ///< launched program; empty: a running process
    std::future<source::NoDataDiagnosis> diagnosis_;
    QString savePath_;
    std::future<Saved> saving_;
    bool isEditedMeanwhile_ = false; ///< a mark has changed since the save started
    RetiredWork retired_;            ///< recordings being destroyed
};

} // namespace highwater::app

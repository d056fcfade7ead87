#pragma once

#include "core/base/result.h"
#include "core/etl/etl_writer.h"
#include "core/pipeline/memory_growth.h"
#include "core/pipeline/picture_taker.h"
#include "core/pipeline/recording_notes.h"
#include "core/pipeline/recording_window.h"
#include "core/pipeline/snapshot_schedule.h"
#include "core/pipeline/spool/recording_saver.h"
#include "core/pipeline/spool/spool_file.h"
#include "core/pipeline/spool_writer.h"
#include "core/pipeline/target_watch.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/trace_store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::pipeline {

struct RecordingOptions {
    /// The file for records during the recording; deleted with the object unless it was saved. Its folder must exist,
    /// and the file must not.
    std::filesystem::path spool;
    etl::Compression compression = etl::Compression::Xpress;
    /// A killed recorder loses the records since the last flush. Including undelivered data of the source, this is less
    /// than 1 s.
    std::chrono::milliseconds flushEvery{200};
    /// The same for uncompressed files, for which each flush uses a whole buffer per processor.
    static constexpr std::chrono::milliseconds kFlushPlainEvery{500};
    std::chrono::milliseconds syncEvery{1000}; ///< against power failures
    /// Batches of the source that may wait for the disk before the source must also wait...
    std::size_t mostBatchesWaiting = 256;
    /// ...but not for a disk that accepts nothing for this long. Then these bytes may wait, and events that arrive when
    /// they are full are missing in the file, which records that. They are not missing in memory.
    std::chrono::milliseconds diskPatience{500};
    std::uint64_t mostBytesWaiting = std::uint64_t{256} << 20;
    StopConditions stopWhen{};
    SnapshotPlan snapshots{};
    PicturePlan pictures{};       ///< needs the rows of blocks
    TargetWatch::Questions ask{}; ///< about the memory of recorded processes
    PictureTaker::Copy copy = source::copyProcess;
    /// Nothing: everything is kept.
    std::optional<KeepLast> keepLast{};
    /// Counted: rows of blocks are not shown, and are only kept if another option needs them. trace() then has neither
    /// rows of blocks nor stacks; trace().heapAllocations() returns their number.
    store::BlockRows blocks = store::BlockRows::Kept;
    /// The source may deliver some seconds late (CaptureOptions::mayLag). A snapshot still has the time of its request.
    bool mayLag = false;
    /// The spool, for callers that check whether it can be written before they open the source. Null: it is created
    /// then.
    std::shared_ptr<etl::ByteOutput> output{};
    /// Signaled when the recording is stopped, for a source that takes long to open.
    std::stop_source opening{};
};

/// The current state of a recording.
struct RecordingStatus {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0; ///< size of the spool
    /// The reason why the spool is no longer written (disk full). The recording continues in memory, and flushed data
    /// can be saved. Reset if only the newest part is kept and a later file could be written.
    std::optional<Error> spoolError;
    /// The reason why the spool keeps everything although only the newest part is wanted. It is tried again.
    std::optional<Error> windowError;
    std::uint64_t missingEvents = 0;    ///< memory events that are missing in the file because the disk could not keep
                                        ///< up
    std::uint32_t snapshots = 0;        ///< snapshots taken
    std::uint32_t snapshotsRefused = 0; ///< snapshots refused because of kMostSnapshots
    std::string pictureRefusal;         ///< why the last picture of memory could not be taken; empty: it was
    std::string stopReason;             ///< the stop condition that ended the recording; empty if none
};

/// Records from a realtime source: into memory as TraceLoader does (or only the data it needs), and into a valid .etl
/// beside it, buffer by buffer, on a separate thread. If this program dies, the spool can be opened up to its last
/// flush. If only the newest part is kept, memory and file occasionally discard the oldest part; outstanding
/// allocations stay.
///
/// The constructor starts. All functions may be called by any thread. save() blocks; call it from a worker.
class Recording {
  public:
    using OpenSource = std::function<Result<std::unique_ptr<source::RecordSource>>(TraceHealth& health)>;

    Recording(OpenSource open, RecordingOptions options);
    /// Stops, waits, and deletes an unsaved recording.
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// The growing trace, with the error if its state is Failed. Finished when the recording has ended.
    [[nodiscard]] const TraceLoader& trace() const { return *loader_; }
    [[nodiscard]] RecordingStatus status() const;

    /// Ends the recording soon, after the requested pictures and a last sample of resident memory; everything recorded
    /// until now is kept.
    void stop();
    void wait();

    /// The recorded processes, once they are known.
    [[nodiscard]] std::vector<std::uint32_t> targets() const;

    /// Adds a named mark at the time that the stream has reached. It appears in trace().notes() soon after.
    void mark(const std::string& name);
    /// Renames a mark; an empty name deletes it. The record of the mark stays in the file; the edit is a separate,
    /// later record. The next save() writes an edit that is made after the end.
    void editMark(std::int64_t markTicks, const std::string& name) { notes_.editMark(markTicks, name); }
    /// Adds a mark at an instant of a recording that has ended; the next save() writes it. trace().notes() do not
    /// contain it. Returns the final mark. Its time may differ by some ticks because all marks have different times.
    Mark markLate(TraceTime time, const std::string& name);
    /// For a recording that has ended: names of marks that were requested after its last batch, for markLate(). They
    /// are not reported elsewhere.
    [[nodiscard]] std::vector<std::string> takeWaitingMarks() { return notes_.takeWaitingMarks(); }

    /// Takes a snapshot of the outstanding allocations of all recorded processes at the time that the stream has
    /// reached. It appears in trace() soon after. Returns its number; nothing if the recording has ended or has
    /// kMostSnapshots already.
    std::optional<std::uint32_t> takeSnapshot() { return takeSnapshot(SnapshotOrigin::Asked); }
    /// The same for an instant of a recording that has ended; the next save() writes it. Its number is higher than all
    /// others. Returns its exact time, which is needed to undo it.
    TraceTime snapshotLate(std::uint32_t number, TraceTime time);
    void undoLateSnapshot(TraceTime time);

    /// Takes a picture of the memory of all recorded processes. It appears in trace() when it is computed, or the
    /// reason why it could not be taken in the trace health.
    void takePicture();
    /// Whether a picture is being taken.
    [[nodiscard]] bool isTakingPicture() const { return pictures_.isBusy(); }

    /// Saves the current trace under this name; also works during the recording, and any number of times. Replaces an
    /// existing file, but only when the new one is complete. Returns a sentence about data missing in the file, or an
    /// empty string.
    Result<std::string> save(const std::filesystem::path& path);
    /// Keeps the recording if it could not be saved: it is not deleted with the object. Returns its path; nothing if
    /// there is no file. Blocks.
    std::optional<std::filesystem::path> leaveFile();

  private:
    std::optional<std::uint32_t> takeSnapshot(SnapshotOrigin origin);
    [[nodiscard]] std::uint32_t snapshotsTaken() const;
    [[nodiscard]] std::uint32_t firstKept(const store::PublishedTrace* trace) const;
    void afterBatch(store::TraceStore& store);
    void watchTargets(const source::RecordSource& source);
    void beginPictures(source::RecordSource& source);
    void finishPictures();
    [[nodiscard]] std::string refusalText(const PictureRefusal& refusal, std::size_t taken) const;
    [[nodiscard]] std::string whyNoPicture() const;
    void sampleAndStop();
    [[nodiscard]] std::int64_t ticksOf(TraceTime time) const;
    [[nodiscard]] std::int64_t freeTicks(TraceTime time);

    RecordingOptions options_;
    RecordingNotes notes_;
    std::atomic<bool> hasAllEvents_ = false; ///< of the source
    std::optional<MemoryGrowth> growth_;     ///< until the next picture; used by the thread of watch_
    SnapshotSchedule schedule_;            ///< used by the pipeline thread
    std::uint32_t snapshotsScheduled_ = 0; ///< the same; number that the schedule has seen
    mutable std::mutex mutex_;             ///< guards the next eight
    std::uint32_t snapshots_ = 0;
    std::uint32_t snapshotsRefused_ = 0;
    std::string stopReason_;
    std::string pictureRefusal_;
    std::size_t picturesTaken_ = 0;
    std::vector<std::uint32_t> targets_;
    std::vector<std::int64_t> lateMarks_; ///< their ticks
    std::function<std::int64_t()> clock_; ///< clock of a source that lags behind
    SpoolFile file_;
    SpoolWriter writer_;                  ///< uses the file
    RecordingSaver saver_;                ///< uses the file
    std::unique_ptr<TraceLoader> loader_; ///< uses the others
    TargetWatch watch_;                   ///< the last two because they stop the loader
    PictureTaker pictures_;
};

} // namespace highwater::pipeline

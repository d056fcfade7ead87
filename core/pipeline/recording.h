#pragma once

#include "core/base/result.h"
#include "core/etl/etl_writer.h"
#include "core/pipeline/recording_notes.h"
#include "core/pipeline/recording_window.h"
#include "core/pipeline/snapshot_schedule.h"
#include "core/pipeline/spool/recording_saver.h"
#include "core/pipeline/spool/spool_file.h"
#include "core/pipeline/spool_writer.h"
#include "core/pipeline/target_watch.h"
#include "core/pipeline/trace_loader.h"
#include "core/store/trace_store.h"

#include <chrono>
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
    /// Where the records go while they come; deleted with the object unless it was saved. Its folder must exist, and
    /// nothing may be there.
    std::filesystem::path spool;
    etl::Compression compression = etl::Compression::Xpress;
    /// What a killed recorder loses is what came since: with that, and what the source had not delivered, less than 1
    /// s.
    std::chrono::milliseconds flushEvery{200};
    /// The same for files that are not packed: there each flush costs a whole buffer for each processor.
    static constexpr std::chrono::milliseconds kFlushPlainEvery{500};
    std::chrono::milliseconds syncEvery{1000}; ///< for power cuts
    /// Batches of the source that may wait for the disk; then the source waits, too...
    std::size_t mostBatchesWaiting = 256;
    /// ...but not for a disk that takes nothing for so long. Then these bytes may wait, and what comes when they are
    /// full is missing in the file, which says so; in memory it is not.
    std::chrono::milliseconds diskPatience{500};
    std::uint64_t mostBytesWaiting = std::uint64_t{256} << 20;
    StopConditions stopWhen{};
    SnapshotPlan snapshots{};
    TargetWatch::Ask askMemory = source::memoryOf; ///< of a recorded process
    /// Nothing: all is kept.
    std::optional<KeepLast> keepLast{};
    /// Counted: nobody looks at rows of blocks, and they are kept only where another option needs them. trace() has
    /// none of them then, nor stacks; trace().heapAllocations() tells how many there were.
    store::BlockRows blocks = store::BlockRows::Kept;
    /// The source may deliver some seconds late (CaptureOptions::mayLag): a snapshot is of the time when it was asked
    /// for all the same.
    bool mayLag = false;
    /// The spool, by who wants to know that it can be written before the source is opened. Null: it is made then.
    std::shared_ptr<etl::ByteOutput> output{};
    /// Told when the recording is stopped: for a source that takes long to be opened.
    std::stop_source opening{};
};

/// How a recording stands, from moment to moment.
struct RecordingStatus {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0; ///< in the spool
    /// Why nothing more is written to the spool (disk full). The recording goes on in memory; what was flushed can be
    /// saved. Nothing again where only the newest part is kept, and a later file could be written.
    std::optional<Error> spoolError;
    /// Why the spool keeps all, although only the newest part is wanted. It is tried again.
    std::optional<Error> windowError;
    std::uint64_t missingEvents = 0;    ///< events of memory that are not in the file: the disk could not take them
    std::uint32_t snapshots = 0;        ///< that were taken
    std::uint32_t snapshotsRefused = 0; ///< because there were kMostSnapshots
    std::string stopReason;             ///< which of the stop conditions ended it; empty: none
};

/// Records from a realtime source: into memory as TraceLoader does (or only what it needs to know of them), and into a
/// valid .etl beside it, buffer by buffer, on a thread of its own. If this program dies, the spool opens up to its last
/// flush. Where only the newest part is kept, memory and file let go of the oldest one now and then; what is
/// outstanding stays.
///
/// The constructor starts. All functions may be called by any thread; save() blocks, call it from a worker.
class Recording {
  public:
    using OpenSource = std::function<Result<std::unique_ptr<source::RecordSource>>(TraceHealth& health)>;

    Recording(OpenSource open, RecordingOptions options);
    /// Stops, waits, and deletes what was not saved.
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// The growing trace, and why it Failed to start. Finished when the recording has ended.
    [[nodiscard]] const TraceLoader& trace() const { return *loader_; }
    [[nodiscard]] RecordingStatus status() const;

    /// Ends the recording soon; what was recorded until now is kept.
    void stop();
    void wait();

    /// The processes that are recorded, once they are known.
    [[nodiscard]] std::vector<std::uint32_t> targets() const;

    /// A named instant: the time that the stream has reached. It is in trace().notes() soon after.
    void mark(const std::string& name) { notes_.mark(name); }
    /// Another name for a mark; empty: none any more. The record of the mark stays in the file: the edit is one of its
    /// own, behind it. One that is made after the end is written by the next save().
    void editMark(std::int64_t markTicks, const std::string& name) { notes_.editMark(markTicks, name); }
    /// A mark at an instant of a recording that has ended: the next save() writes it. trace().notes() stay without it.
    /// As it is known from now on; its time may be some ticks another, since no two marks have the same.
    Mark markLate(TraceTime time, const std::string& name);
    /// Of a recording that has ended: names of marks that were asked for after its last batch, for markLate(). Nobody
    /// else tells of them then.
    [[nodiscard]] std::vector<std::string> takeWaitingMarks() { return notes_.takeWaitingMarks(); }

    /// Makes an instance of what is outstanding in all recorded processes at the time that the stream has reached. It
    /// is in trace() soon after. Its number; nothing: the recording has ended, or has kMostSnapshots already.
    std::optional<std::uint32_t> takeSnapshot() { return takeSnapshot(SnapshotOrigin::Asked); }
    /// The same of an instant of a recording that has ended: the next save() writes it. Its number is above those of
    /// all others. Its exact time, by which it can be taken back.
    TraceTime snapshotLate(std::uint32_t number, TraceTime time);
    void undoLateSnapshot(TraceTime time);

    /// Puts the trace as it is now under this name; while the recording goes on, too, and as often as wanted. Replaces
    /// a file that is there, but only when all is written. The sentence says what the file lacks; empty: nothing.
    Result<std::string> save(const std::filesystem::path& path);
    /// For who could not save: what was recorded until now is not deleted with the object. Where it is; nothing if
    /// there is no file. Blocks.
    std::optional<std::filesystem::path> leaveFile();

  private:
    std::optional<std::uint32_t> takeSnapshot(SnapshotOrigin origin);
    [[nodiscard]] std::uint32_t snapshotsTaken() const;
    [[nodiscard]] std::uint32_t firstKept(const store::PublishedTrace* trace) const;
    void afterBatch(store::TraceStore& store);
    void watchTargets(const source::RecordSource& source);
    [[nodiscard]] std::int64_t ticksOf(TraceTime time) const;
    [[nodiscard]] std::int64_t freeTicks(TraceTime time);

    RecordingOptions options_;
    RecordingNotes notes_;
    SnapshotSchedule schedule_;            ///< the pipeline thread's
    std::uint32_t snapshotsScheduled_ = 0; ///< the same; how many the schedule has seen
    mutable std::mutex mutex_;             ///< guards the six below
    std::uint32_t snapshots_ = 0;
    std::uint32_t snapshotsRefused_ = 0;
    std::string stopReason_;
    std::vector<std::uint32_t> targets_;
    std::vector<std::int64_t> lateMarks_; ///< their ticks
    std::function<std::int64_t()> clock_; ///< of a source that lags
    SpoolFile file_;
    SpoolWriter writer_;                  ///< uses the file
    RecordingSaver saver_;                ///< uses the file
    std::unique_ptr<TraceLoader> loader_; ///< uses the others
    TargetWatch watch_;                   ///< last: it stops the loader
};

} // namespace highwater::pipeline

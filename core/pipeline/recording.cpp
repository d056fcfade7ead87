#include "core/pipeline/recording.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/decode/records/clock.h"
#include "core/files/output_file.h"
#include "core/log/log.h"
#include "core/store/published/processes_by_pid.h"
#include "core/store/trace_store.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

namespace highwater::pipeline {
namespace {

constexpr std::int64_t kTicksForLaterMarks = 32; ///< before the end of a trace

RecordingLosses lossesOfSystem(const std::shared_ptr<const store::PublishedTrace>& trace) {
    if (!trace) return {};
    return {trace->health[Loss::EventsLost], trace->health[Loss::BuffersLost]};
}

/// Rows are needed to carry outstanding allocations over into the next file, and to measure their growth.
store::BlockRows blockRows(const RecordingOptions& options) {
    return options.keepLast || options.snapshots.onGrowth || options.pictures.isAny() ? store::BlockRows::Kept
                                                                                      : options.blocks;
}

/// `lacks`: data missing in the file; empty if complete.
void logSaved(const std::filesystem::path& path, const Result<std::string>& lacks) {
    if (!lacks.hasValue()) return log(LogLevel::Error, LogArea::Save, lacks.error().message);
    log(lacks.value().empty() ? LogLevel::Information : LogLevel::Warning, LogArea::Save,
        fmt::format("The recording was saved as {}.{}{}", utf8(path), lacks.value().empty() ? "" : " ", lacks.value()));
}

SpoolFile::Options fileOptions(RecordingOptions& options) {
    return {.place = options.spool,
            .output = std::exchange(options.output, nullptr), // another owner would keep it open and locked
            .packing = {options.compression, etl::Packing::Aside},
            .syncEvery = options.syncEvery,
            .keepsNewest = options.keepLast.has_value()};
}

SpoolWriter::Options writerOptions(const RecordingOptions& options) {
    return {.flushEvery = options.flushEvery,
            .mostBatchesWaiting = options.mostBatchesWaiting,
            .pool = {options.mostBytesWaiting, options.diskPatience},
            .keepLast = options.keepLast};
}

/// Those that are recorded at the end of the trace. The kernel of Windows, which has number 0, only has modules.
std::vector<std::uint32_t> runningProcesses(const store::PublishedTrace* trace) {
    std::vector<std::uint32_t> pids;
    if (trace == nullptr) return pids;
    for (const auto& process : trace->processes->processes())
        if (process.end == kNever && process.pid != 0) pids.push_back(process.pid);
    return pids;
}

} // namespace

Recording::Recording(OpenSource open, RecordingOptions options)
    : options_(std::move(options)),
      schedule_(options_.snapshots),
      file_(fileOptions(options_)),
      writer_(file_, writerOptions(options_)),
      saver_(file_, options_.compression, [this] { return writer_.eventsInGaps(); }),
      watch_(options_.stopWhen, options_.ask),
      pictures_(options_.pictures, options_.copy) {
    TraceInput input;
    input.open = [this, open = std::move(open)](TraceHealth& health) {
        auto source = open(health);
        if (source.hasValue()) watchTargets(*source.value());
        if (source.hasValue()) beginPictures(*source.value());
        return source;
    };
    input.opened = [this](const TraceProperties& properties) {
        notes_.begin(properties, Spool::ownProcessor(properties));
        writer_.start(properties);
        schedule_.begin(SnapshotSchedule::Clock::now());
    };
    input.addition = &notes_;
    input.tap = &writer_;
    input.blocks = blockRows(options_);
    if (options_.keepLast || options_.snapshots.isAny())
        input.afterBatch = [this](store::TraceStore& store) { afterBatch(store); };
    input.beforeEnd = [this] { finishPictures(); };
    loader_ = std::make_unique<TraceLoader>(std::move(input), TraceLoader::Start::WhenAsked);
    loader_->start(); // its thread accesses this object, which is complete now
}

void Recording::afterBatch(store::TraceStore& store) {
    if (options_.keepLast) writer_.keepWindow(store);
    if (!options_.snapshots.isAny()) return;
    const auto outstanding = store.heapBytesOutstanding();
    if (snapshotsTaken() != snapshotsScheduled_) schedule_.noteTaken(outstanding);
    if (const auto origin = schedule_.due(SnapshotSchedule::Clock::now(), outstanding)) (void)takeSnapshot(*origin);
    snapshotsScheduled_ = snapshotsTaken();
}

std::uint32_t Recording::snapshotsTaken() const {
    const std::lock_guard lock(mutex_);
    return snapshots_;
}

/// Numbers are consecutive: those before the first known one were discarded. If none is known, either all were
/// discarded, or there were none so far.
std::uint32_t Recording::firstKept(const store::PublishedTrace* trace) const {
    if (trace && trace->snapshots) return trace->snapshots->front().number;
    return trace && trace->isTrimmed() ? snapshots_ + 1 : 1;
}

/// The store decides on the final number; this only avoids requests that would fail.
std::optional<std::uint32_t> Recording::takeSnapshot(SnapshotOrigin origin) {
    if (loader_->isDone()) return std::nullopt;
    const auto trace = loader_->latest();
    const std::lock_guard lock(mutex_);
    if (snapshots_ + 1 - firstKept(trace.get()) >= kMostSnapshots) {
        ++snapshotsRefused_;
        return std::nullopt;
    }
    snapshots_ = notes_.snapshot(origin, clock_ ? std::optional(clock_()) : std::nullopt);
    if (origin == SnapshotOrigin::Asked) watch_.sampleSoon();
    return snapshots_;
}

/// The last ticks that are not after the time.
std::int64_t Recording::ticksOf(TraceTime time) const {
    const auto properties = loader_->facts().properties;
    const decode::Clock clock(properties);
    std::int64_t ticks = 0;
    if (__builtin_add_overflow(properties.firstTicks, clock.ticksIn(time.ns), &ticks)) return properties.firstTicks;
    // Rounded down twice, there and back: both must give the same instant.
    std::int64_t next = 0;
    return !__builtin_add_overflow(ticks, 1, &next) && clock.toTime(next) <= time ? next : ticks;
}

Mark Recording::markLate(TraceTime time, const std::string& name) {
    const auto ticks = freeTicks(time);
    notes_.lateMark(ticks, name);
    return {ticks, decode::Clock(loader_->facts().properties).toTime(ticks), name};
}

/// A later mark of an instant comes after the earlier ones. Marks at the very end, where users often add them after a
/// recording, would have no ticks left for that, so they are moved slightly earlier.
std::int64_t Recording::freeTicks(TraceTime time) {
    const decode::Clock clock(loader_->facts().properties);
    const auto trace = loader_->latest();
    const auto end = trace ? trace->wholeRange().end : time;
    const auto notes = loader_->notes();
    const std::lock_guard lock(mutex_);
    const auto isTaken = [&](std::int64_t ticks) {
        return std::ranges::find(lateMarks_, ticks) != lateMarks_.end() ||
               std::ranges::find(notes->marks, ticks, &Mark::ticks) != notes->marks.end();
    };
    auto wanted = ticksOf(time);
    std::int64_t last = 0;
    if (trace && !__builtin_sub_overflow(ticksOf(TraceTime{end.ns - 1}), kTicksForLaterMarks, &last) &&
        last >= ticksOf(trace->wholeRange().start))
        wanted = std::min(wanted, last);
    auto ticks = wanted;
    while (isTaken(ticks) && clock.toTime(ticks) < end && ticks < std::numeric_limits<std::int64_t>::max())
        ++ticks;
    if (ticks != wanted && clock.toTime(ticks) >= end) ticks = wanted;
    while (isTaken(ticks))
        --ticks;
    lateMarks_.push_back(ticks);
    return ticks;
}

TraceTime Recording::snapshotLate(std::uint32_t number, TraceTime time) {
    const auto ticks = ticksOf(time);
    notes_.lateSnapshot(number, ticks);
    return decode::Clock(loader_->facts().properties).toTime(ticks);
}

void Recording::undoLateSnapshot(TraceTime time) { notes_.undoLateSnapshot(ticksOf(time)); }

void Recording::mark(const std::string& name) {
    notes_.mark(name);
    watch_.sampleSoon();
}

void Recording::stop() {
    options_.opening.request_stop();
    if (!pictures_.finish([this] { sampleAndStop(); })) sampleAndStop();
}

void Recording::takePicture() {
    {
        const std::lock_guard lock(mutex_);
        pictureRefusal_.clear();
    }
    pictures_.ask();
}

void Recording::sampleAndStop() {
    if (!watch_.sampleLast([this] { loader_->cancel(); })) loader_->cancel();
}

Recording::~Recording() {
    stop();
    wait();
}

/// Targets may outlive the recording. After it, nothing is noted or stopped. While the source delivers the rest after a
/// stop, which can take seconds, samples would be newer than all events.
void Recording::watchTargets(const source::RecordSource& source) {
    TargetWatch::Listener listener;
    if (options_.pictures.onGrowth) growth_.emplace(*options_.pictures.onGrowth);
    listener.sampled = [this, clock = source.clock()](std::uint32_t pid, const source::ProcessMemory& memory) {
        const auto now = clock ? std::optional(clock()) : std::nullopt;
        if (loader_->isDone() || loader_->isCancelled()) return;
        notes_.privateBytes(pid, memory, now);
        if (growth_ && growth_->hasGrown(pid, memory.residentBytes)) pictures_.ask();
    };
    listener.reached = [this](const std::string& sentence) {
        if (loader_->isDone()) return;
        log(LogLevel::Information, LogArea::Recording, sentence);
        {
            const std::lock_guard lock(mutex_);
            stopReason_ = sentence;
        }
        stop();
    };
    listener.resident = [this](const ResidentSample& sample, std::optional<std::int64_t> ticks) {
        return loader_->isDone() ? 0 : notes_.resident(sample, ticks);
    };
    listener.notSampled = [this](const std::string& sentence) {
        log(LogLevel::Information, LogArea::Recording, sentence);
        notes_.remark(sentence);
    };
    listener.clock = source.clock();
    listener.found = source.foundProcesses();
    auto targets = source.targets();
    log(LogLevel::Information, LogArea::Recording,
        fmt::format("Recording of {} started. Until it is saved, it is written to {}.",
                    targets.empty() ? "a trace" : fmt::format("process {}", fmt::join(targets, ", ")),
                    utf8(options_.spool)));
    watch_.begin(targets, std::move(listener));
    const std::lock_guard lock(mutex_);
    targets_ = std::move(targets);
    if (options_.mayLag) clock_ = source.clock();
}

/// Only sources that know the time have pictures.
void Recording::beginPictures(source::RecordSource& source) {
    PictureTaker::Listener listener;
    listener.clock = source.clock();
    if (!listener.clock) return;
    listener.processes = [this] { return runningProcesses(loader_->latest().get()); };
    listener.timeOf = [this](std::int64_t ticks) { return decode::Clock(loader_->facts().properties).toTime(ticks); };
    listener.latest = [this] { return loader_->latest(); };
    listener.isDone = [this] { return hasAllEvents_ || loader_->isDone(); };
    listener.taken = [this](const MemoryPicture& picture, std::int64_t ticks) {
        if (notes_.picture(picture, ticks) == 0)
            notes_.remark("A picture of memory was left out because it is too large.");
        const std::lock_guard lock(mutex_);
        ++picturesTaken_;
    };
    listener.letEnd = source.letsEnd();
    listener.refused = [this, last = std::string()](const PictureRefusal& refusal) mutable {
        const auto& reason = refusal.sentence;
        std::size_t taken = 0;
        {
            const std::lock_guard lock(mutex_);
            taken = picturesTaken_;
            pictureRefusal_ = reason.starts_with("No picture ") ? reason : "No picture of memory was taken. " + reason;
            auto known = fmt::format("{} {}", refusal.pid, reason);
            if (std::exchange(last, known) == known) return; // the next periodic picture
        }
        const auto sentence = refusalText(refusal, taken);
        log(LogLevel::Information, LogArea::Recording, sentence);
        notes_.remark(sentence);
    };
    pictures_.begin(std::move(listener));
    source.whenProcessWaits([this](std::uint32_t pid) { pictures_.askAtExit(pid); });
}

/// "No picture of the memory of server (7) was taken at 12.30 s because ... 3 pictures were taken before."
std::string Recording::refusalText(const PictureRefusal& refusal, std::size_t taken) const {
    constexpr std::string_view kPlain = "No picture of memory was taken";
    std::string text(kPlain);
    const auto time =
        refusal.ticks ? std::optional(decode::Clock(loader_->facts().properties).toTime(*refusal.ticks)) : std::nullopt;
    if (const auto trace = loader_->latest(); trace && refusal.pid != 0) {
        const auto process = store::ProcessesByPid(*trace->processes).at(refusal.pid, time.value_or(trace->horizon));
        text = fmt::format("No picture of the memory of {} was taken",
                           process ? trace->processes->key(*process) : fmt::format("process {}", refusal.pid));
    }
    if (time) text += fmt::format(" at {:.2f} s", time->seconds());
    const auto& reason = refusal.sentence;
    text += reason.starts_with(kPlain) ? reason.substr(kPlain.size()) : ". " + reason;
    if (taken > 0)
        text += fmt::format(" {} {} taken before.", counted(taken, "picture"), byNumber(taken, "was", "were"));
    return text;
}

/// Processes may have ended, or recording stopped, as soon as they were copied.
void Recording::finishPictures() {
    hasAllEvents_ = true;
    pictures_.waitUntilTaken();
    if (const auto sentence = whyNoPicture(); !sentence.empty()) notes_.remark(sentence);
}

/// Why the recording has no picture although it was to have one; empty: it has one, or the source or a refusal says it.
std::string Recording::whyNoPicture() const {
    {
        const std::lock_guard lock(mutex_);
        if (picturesTaken_ > 0 || !pictureRefusal_.empty()) return {};
    }
    const bool isAnyRunning = !runningProcesses(loader_->latest().get()).empty();
    if (options_.pictures.atExit && isAnyRunning)
        return "No picture of memory was taken because the program had not ended when the recording was stopped. If it "
               "has called exit(), one of its handlers has not returned.";
    if (options_.pictures.atStop && !options_.pictures.atExit && !isAnyRunning)
        return "No picture of memory was taken because the program ended before the recording was stopped.";
    return {};
}

std::vector<std::uint32_t> Recording::targets() const {
    const std::lock_guard lock(mutex_);
    return targets_;
}

void Recording::wait() {
    loader_->wait();
    pictures_.end();
    watch_.end();
    writer_.end();
}

RecordingStatus Recording::status() const {
    RecordingStatus status;
    status.records = writer_.records();
    status.bytes = file_.bytes();
    status.missingEvents = writer_.eventsInGaps() + file_.eventsAfterCut();
    auto errors = file_.errors();
    status.spoolError = std::move(errors.file);
    status.windowError = std::move(errors.next);
    const std::lock_guard lock(mutex_);
    status.snapshots = snapshots_;
    status.snapshotsRefused = snapshotsRefused_;
    status.pictureRefusal = pictureRefusal_;
    status.stopReason = stopReason_;
    return status;
}

Result<std::string> Recording::save(const std::filesystem::path& path) {
    const auto place = TRY(OutputFile::placeFor(path));
    const bool hasEnded = loader_->isDone();
    if (hasEnded) writer_.end();
    const RecordingSaver::Moment moment{.lost = lossesOfSystem(loader_->latest()), .hasEnded = hasEnded};
    auto saved = saver_.save(place, moment, [this](etl::RecordBatch& late) { notes_.addTo(late); });
    logSaved(path, saved);
    return saved;
}

std::optional<std::filesystem::path> Recording::leaveFile() {
    stop();
    wait();
    auto kept = saver_.leave(lossesOfSystem(loader_->latest()));
    if (kept) log(LogLevel::Information, LogArea::Save, "The recording is kept as " + utf8(*kept) + ".");
    return kept;
}

} // namespace highwater::pipeline

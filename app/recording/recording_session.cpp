#include "app/recording/recording_session.h"

#include "app/recording/program_end.h"
#include "core/base/within_memory.h"
#include "core/files/private_folder.h"
#include "core/source/contract/process_memory.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/source/etl_files/replay_source.h"
#include "ui/format/qt_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace highwater::app {

using ui::toPath;

namespace {

constexpr int kRecordingPollMs = 250;
constexpr int kStartPollMs = 20;
constexpr qint64 kRateMs = 1000;
constexpr qint64 kNoDataMs = 5000;
constexpr std::ptrdiff_t kMostSamples = 120; ///< two minutes

/// Replaces characters that file systems do not accept.
QString fileWord(QString name) {
    for (auto& letter : name) {
        if (!letter.isLetterOrNumber() && !QStringLiteral("._-").contains(letter)) letter = QLatin1Char('_');
    }
    return name.left(80);
}

/// Why a file cannot be created in a folder, which may not exist yet. Does not create anything. Empty: it can.
QString whyNoFile(const QString& folder) {
    QFileInfo place(folder);
    while (!place.exists() && place.path() != place.filePath())
        place = QFileInfo(place.path());
    const auto name = QDir::toNativeSeparators(place.filePath());
    if (!place.isDir()) return RecordingSession::tr("%1 is not a folder. Move or rename it and try again.").arg(name);
    if (!place.isWritable())
        return RecordingSession::tr(
                   "You do not have permission to write to the folder %1. Change its permissions and try again.")
            .arg(name);
    if (QStorageInfo(place.filePath()).bytesAvailable() == 0)
        return RecordingSession::tr("The disk with the folder %1 is full. Free some space and try again.").arg(name);
    return {};
}

std::size_t picturesOf(const store::PublishedTrace* trace) {
    return trace != nullptr && trace->pictures ? trace->pictures->size() : 0;
}

} // namespace

RecordingSession::RecordingSession(QString folder, QObject* parent) : QObject(parent), folder_(std::move(folder)) {
    connect(&timer_, &QTimer::timeout, this, &RecordingSession::poll);
    connect(&startTimer_, &QTimer::timeout, this, &RecordingSession::lookAtStart);
}

RecordingSession::~RecordingSession() {
    timer_.stop();
    abandonStart();
    skipNames();
    if (recording_) recording_->stop();
}

void RecordingSession::start(const source::CaptureLaunch& launch, const source::CaptureOptions& options,
                             MakeNames names, const RecordingLimits& limits) {
    Starting starting{QFileInfo(QString::fromStdString(launch.program)).fileName(), std::move(names), limits, options};
    starting.options.skipNames = starting.skipNames.get_token();
    starting.program = launch.program;
    starting.open = [launch, asked = starting.options](TraceHealth&) { return source::startCapture(launch, asked); };
    open(std::move(starting));
}

void RecordingSession::start(std::uint32_t pid, const QString& name, const source::CaptureOptions& options,
                             MakeNames names, const RecordingLimits& limits) {
    Starting starting{name, std::move(names), limits, options};
    starting.options.skipNames = starting.skipNames.get_token();
    starting.pid = pid;
    auto stoppable = starting.options;
    stoppable.stop = starting.opening.get_token();
    starting.open = [pid, stoppable](TraceHealth&) { return source::startCapture(pid, stoppable); };
    open(std::move(starting));
}

void RecordingSession::startReplay(const QString& path, double speed, MakeNames names) {
    Starting starting{QFileInfo(path).fileName(), std::move(names)};
    starting.isReplay = true;
    starting.open = [file = toPath(path), speed](TraceHealth& health) -> Opened {
        auto records = TRY(source::EtlFileSource::open({file}, health));
        return std::unique_ptr<source::RecordSource>(std::make_unique<source::ReplaySource>(std::move(records), speed));
    };
    open(std::move(starting));
}

/// The start may fail, so the current recording stays until then.
void RecordingSession::open(Starting starting) {
    abandonStart();
    const auto folder = starting.isReplay ? QString() : folder_; // a replay continues without a file
    starting.opened = std::async(std::launch::async, [openSource = starting.open, folder]() -> Opened {
        if (const auto why = folder.isEmpty() ? QString() : whyNoFile(folder); !why.isEmpty())
            return Error{ErrorKind::Io, tr("Recording did not start. %1").arg(why).toStdString()};
        TraceHealth ofStart;
        return withinMemory([&] { return openSource(ofStart); });
    });
    starting_ = std::make_unique<Starting>(std::move(starting));
    startTimer_.start(kStartPollMs);
    emit changed();
}

void RecordingSession::lookAtStart() {
    if (!starting_ || starting_->opened.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    startTimer_.stop();
    auto starting = std::move(*std::exchange(starting_, nullptr));
    auto opened = starting.opened.get();
    if (opened.hasValue()) return begin(std::move(starting), std::move(opened));
    emit changed();
    emit startFailed(QString::fromStdString(opened.error().message));
}

void RecordingSession::abandonStart() {
    if (!starting_) return;
    startTimer_.stop();
    starting_->opening.request_stop();
    starting_->skipNames.request_stop();
    retired_.add([late = std::shared_ptr<Starting>(std::move(starting_))] { late->opened.wait(); });
    emit changed();
}

void RecordingSession::begin(Starting starting, Opened opened) {
    emit beginning(starting.name);
    retire();
    isReplay_ = starting.isReplay;
    captured_ = starting.options;
    program_ = starting.program;
    skipNames_ = starting.skipNames;
    makeSpool(starting.name);
    facts_ = {};
    facts_.name = starting.name;
    facts_.pid = starting.pid;
    isStopped_ = hasEnded_ = isSaved_ = reportedNoData_ = false;
    picturesBefore_.reset();
    shown_.reset();
    reported_.reset();
    labels_ = std::make_shared<analysis::FrameLabels>(starting.names ? starting.names() : nullptr);
    pipeline::RecordingOptions options;
    options.spool = toPath(spool_);
    options.stopWhen = starting.limits.stopWhen;
    options.compression = starting.limits.compression;
    if (options.compression == etl::Compression::None)
        options.flushEvery = pipeline::RecordingOptions::kFlushPlainEvery;
    options.keepLast = starting.limits.keepLast;
    options.snapshots = starting.limits.snapshots;
    options.opening = starting.opening;
    // A replayed file is opened again, which counts its losses.
    auto open = starting.open;
    if (!isReplay_)
        open = [ready = std::make_shared<Opened>(std::move(opened))](TraceHealth&) { return std::move(*ready); };
    recording_ = std::make_shared<pipeline::Recording>(std::move(open), std::move(options));
    since_.start();
    sinceRate_.start();
    eventsAtRate_ = 0;
    timer_.start(kRecordingPollMs);
    emit changed();
    if (starting.isStopped) stop();
}

/// A replay does not need recovery, so it is written outside the recordings folder and deleted with its folder.
void RecordingSession::makeSpool(const QString& name) {
    if (isReplay_) replayFolder_ = std::make_shared<QTemporaryDir>();
    const bool isTemporary = isReplay_ && replayFolder_->isValid(); // otherwise there is no temporary folder
    const QDir place(isTemporary ? replayFolder_->path() : folder_);
    std::error_code failed; // reported by the recording
    if (!isTemporary) (void)makePrivateFolder(toPath(folder_), failed);
    spool_ = place.filePath(QStringLiteral("%1 %2 %3.etl")
                                .arg(fileWord(name), QDateTime::currentDateTime().toString("yyyy-MM-dd HH-mm-ss-zzz"))
                                .arg(QCoreApplication::applicationPid()));
}

void RecordingSession::stop() {
    if (starting_) {
        starting_->isStopped = true;
        starting_->opening.request_stop();
        return;
    }
    if (!isRecording()) return;
    isStopped_ = true;
    recording_->stop();
}

void RecordingSession::skipNames() { skipNames_.request_stop(); }

void RecordingSession::save(const QString& path) {
    if (!isOpen() || isSaving()) return;
    savePath_ = path;
    saving_ = std::async(std::launch::async, [recording = recording_, file = toPath(path), whole = isStopped_] {
        if (whole) recording->wait();
        const bool isAll = recording->trace().isDone();
        return Saved{recording->save(file), isAll};
    });
    isEditedMeanwhile_ = false;
    timer_.start(kRecordingPollMs);
    emit changed();
}

void RecordingSession::mark(const QString& name) {
    if (isRecording()) recording_->mark(name.toStdString());
}

std::optional<quint32> RecordingSession::takeSnapshot() {
    return isRecording() ? recording_->takeSnapshot() : std::nullopt;
}

void RecordingSession::takePicture() {
    if (!isRecording()) return;
    picturesBefore_ = picturesOf(shown_.get());
    recording_->takePicture();
}

void RecordingSession::followPicture(bool isDone) {
    if (!picturesBefore_) return;
    facts_.pictureRefusal = QString::fromStdString(recording_->status().pictureRefusal);
    const bool isTaken = picturesOf(shown_.get()) != *picturesBefore_;
    const bool isRefused = !facts_.pictureRefusal.isEmpty() && !recording_->isTakingPicture();
    if (!isTaken && !isRefused && !isDone) return;
    if (!isTaken && facts_.pictureRefusal.isEmpty())
        facts_.pictureRefusal =
            tr("No picture of memory was taken because the recording ended before the picture was complete.");
    picturesBefore_.reset();
    emit pictureEnded();
}

void RecordingSession::lookNow() {
    if (isRecording() && recording_->trace().isDone()) poll();
}

std::optional<qint64> RecordingSession::markLate(TraceTime time, const QString& name) {
    if (!isOpen() || isRecording()) return std::nullopt;
    const auto mark = recording_->markLate(time, name.toStdString());
    auto notes = std::make_shared<TraceNotes>(reported_ ? *reported_ : TraceNotes());
    notes->marks.insert(std::ranges::upper_bound(notes->marks, mark.ticks, {}, &Mark::ticks), mark);
    reported_ = std::move(notes);
    emit noted(reported_);
    noteEdited();
    return mark.ticks;
}

TraceTime RecordingSession::snapshotLate(quint32 number, TraceTime time) {
    if (!isOpen() || isRecording()) return time;
    const auto exactly = recording_->snapshotLate(number, time);
    noteEdited();
    return exactly;
}

void RecordingSession::undoLateSnapshot(TraceTime time) {
    if (!isOpen() || isRecording()) return;
    recording_->undoLateSnapshot(time);
    noteEdited();
}

void RecordingSession::editMark(qint64 ticks, const QString& name) {
    if (!isOpen()) return;
    recording_->editMark(ticks, name.toStdString());
    noteEdited();
}

/// The saved file is out of date now.
void RecordingSession::noteEdited() {
    isSaved_ = false;
    isEditedMeanwhile_ = true;
    emit changed();
}

void RecordingSession::discard() {
    abandonStart();
    if (!isOpen()) return;
    retire();
    timer_.stop();
    hasEnded_ = true;
    emit changed();
}

/// Destroyed with its threads and file when they are ready; a running save is finished first.
void RecordingSession::retire() {
    if (!recording_) return;
    skipNames();
    recording_->stop();
    const auto saving = saving_.valid() ? saving_.share() : std::shared_future<Saved>();
    retired_.add([gone = std::move(recording_), saving, folder = std::move(replayFolder_)]() mutable {
        if (saving.valid()) saving.wait();
        gone.reset(); // and its file, before the folder
    });
    recording_.reset();
    replayFolder_.reset();
    saving_ = {};
    if (diagnosis_.valid()) retired_.add([late = diagnosis_.share()] { late.wait(); });
    diagnosis_ = {};
    shown_.reset();
    labels_.reset();
}

TraceProperties RecordingSession::properties() const {
    return recording_ ? recording_->trace().facts().properties : TraceProperties();
}

const pipeline::TraceLoader* RecordingSession::loader() const { return recording_ ? &recording_->trace() : nullptr; }

void RecordingSession::poll() {
    finishSave();
    if (!recording_) return;
    if (!hasEnded_) {
        // Check before fetching the newest prefix, so that the prefix fetched after "done" is the last one.
        const bool isDone = recording_->trace().isDone();
        measure();
        reportNotes();
        publishNewest();
        followPicture(isDone);
        if (isDone)
            noteEnd();
        else
            diagnoseNoData();
    }
    if (hasEnded_ && !isSaving()) timer_.stop();
    emit changed();
}

void RecordingSession::publishNewest() {
    auto trace = recording_->trace().latest();
    if (!trace || trace == shown_ || trace->wholeRange().isEmpty()) return;
    shown_ = trace;
    facts_.eventsLost = trace->health[Loss::EventsLost];
    if (trace->isTrimmed()) facts_.keptFromMs = trace->retainedFrom.ns / 1'000'000;
    notePrograms(*trace);
    emit published(std::move(trace), labels_);
}

void RecordingSession::reportNotes() {
    auto notes = recording_->trace().notes();
    if (notes == reported_) return;
    reported_ = notes;
    noteMemory(*notes);
    emit noted(std::move(notes));
}

void RecordingSession::noteMemory(const TraceNotes& notes) {
    facts_.privateBytes.clear();
    if (isReplay_ || notes.privateBytes.empty()) return;
    const auto pid = facts_.pid != 0 ? facts_.pid : notes.privateBytes.front().pid;
    for (const auto& sample : notes.privateBytes) {
        if (sample.pid == pid) facts_.privateBytes.push_back(static_cast<std::int64_t>(sample.bytes));
    }
    const auto extra = static_cast<std::ptrdiff_t>(facts_.privateBytes.size()) - kMostSamples;
    if (extra > 0) facts_.privateBytes.erase(facts_.privateBytes.begin(), facts_.privateBytes.begin() + extra);
}

void RecordingSession::notePrograms(const store::PublishedTrace& trace) {
    if (isReplay_ || facts_.pid != 0) return;
    for (const auto& process : trace.processes->processes()) {
        if (process.pid != 0 && process.nameKnown) {
            facts_.pid = process.pid;
            return;
        }
    }
}

void RecordingSession::noteEnd() {
    hasEnded_ = true;
    facts_.isCollectingNames = false;
    const auto state = recording_->trace().state();
    if (const auto end = recording_->trace().facts().programEnd) facts_.end = endText(*end);
    facts_.isStopped = isStopped_ || !recording_->status().stopReason.empty();
    facts_.ranOn = facts_.isStopped && !isReplay_ && facts_.pid != 0 && source::memoryOf(facts_.pid);
    const auto error = recording_->trace().error();
    const auto sentence = QString::fromStdString(error ? error->message : recording_->status().stopReason);
    if (state == pipeline::LoadState::Failed)
        retire();
    else
        markTheEnd();
    emit ended(state, sentence);
}

/// Marks requested after the last publication would exist only in the file.
void RecordingSession::markTheEnd() {
    if (!shown_) return; // there is no instant to mark
    const auto whole = shown_->wholeRange();
    for (const auto& name : recording_->takeWaitingMarks())
        (void)markLate(std::max(whole.start, TraceTime{whole.end.ns - 1}), QString::fromStdString(name));
}

/// Finding the reason inspects the process, which takes too long for this thread.
void RecordingSession::diagnoseNoData() {
    if (diagnosis_.valid()) return reportNoData();
    if (isReplay_ || reportedNoData_ || since_.elapsed() < kNoDataMs) return;
    const bool isHeard = shown_ && (captured_.heap ? shown_->heap.events : shown_->virtualAlloc.events) > 0;
    const auto targets = recording_->targets();
    if (isHeard || targets.empty()) return;
    reportedNoData_ = true;
    diagnosis_ = std::async(std::launch::async, [pid = targets.front(), program = program_, options = captured_] {
        return source::diagnoseNoEvents(pid, program, options);
    });
}

void RecordingSession::reportNoData() {
    if (diagnosis_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    const auto silence = diagnosis_.get();
    const auto what = captured_.heap ? tr("%1 has not reported any heap blocks for 5 seconds. %2")
                                     : tr("%1 has not reported any allocations for 5 seconds. %2");
    emit noDataDiagnosed(what.arg(facts_.name, QString::fromStdString(silence.why)), silence.fix);
}

void RecordingSession::measure() {
    const auto status = recording_->status();
    facts_.elapsedMs = since_.elapsed();
    facts_.events = status.records;
    facts_.fileBytes = status.bytes;
    facts_.missingEvents = status.missingEvents;
    const auto& progress = recording_->trace().progress();
    facts_.isCollectingNames = !isReplay_ && progress.total > progress.done;
    facts_.spoolError = status.spoolError ? QString::fromStdString(status.spoolError->message) : QString();
    const auto passed = sinceRate_.elapsed();
    if (passed < kRateMs) return;
    facts_.eventsPerSecond = (status.records - eventsAtRate_) * 1000 / static_cast<std::uint64_t>(passed);
    eventsAtRate_ = status.records;
    sinceRate_.start();
}

void RecordingSession::finishSave() {
    if (!isSaving() || saving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    const auto [lacks, isAll] = saving_.get();
    if (!lacks.hasValue()) return emit saveFailed(QString::fromStdString(lacks.error().message));
    isSaved_ = isAll && !isEditedMeanwhile_;
    if (recording_) facts_.fileBytes = recording_->status().bytes;
    emit saved(savePath_, QString::fromStdString(lacks.value()));
}

} // namespace highwater::app

#include "moc_recording_session.cpp"

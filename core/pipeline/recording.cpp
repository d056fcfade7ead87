#include "core/pipeline/recording.h"

#include "core/base/within_memory.h"
#include "core/files/output_file.h"
#include "core/pipeline/batch_queue.h"
#include "core/pipeline/file_gap.h"
#include "core/pipeline/file_sync.h"
#include "core/pipeline/next_spool.h"
#include "core/pipeline/saved_file.h"
#include "core/pipeline/spool.h"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace highwater::pipeline {
namespace {

RecordingLosses lossesOfSystem(const std::shared_ptr<const store::PublishedTrace>& trace) {
    if (!trace) return {};
    return {trace->health[Loss::EventsLost], trace->health[Loss::BuffersLost]};
}

} // namespace

/// Takes the batches that were decoded, and writes them where they wait for nobody.
class Recording::SpoolThread final : public etl::RecordSink, public WindowFiles {
    /// What the window asks for. When it runs, so many batches have been written at least.
    struct Task {
        std::uint64_t afterBatches = 0;
        bool replacesFile = false; ///< then nothing else is asked for until it has run
        std::function<void()> run;
    };

  public:
    explicit SpoolThread(const RecordingOptions& options)
        : options_(options),
          queue_(options.mostBatchesWaiting, {options.mostBytesWaiting, options.diskPatience}),
          place_(options.spool),
          isOwn_(options.output != nullptr),
          sync_(options.syncEvery, [this](const Error& error) { noteSyncError(error); }) {}
    ~SpoolThread() override {
        end();
        if (!isOwn_) return;
        closeFile(); // Windows deletes no open files
        options_.output.reset();
        std::error_code gone;
        std::filesystem::remove(place_, gone);
    }

    /// Before the first batch.
    void open(const TraceProperties& properties) {
        properties_ = properties;
        newestTicks_ = properties.firstTicks;
        if (options_.keepLast) window_.emplace(*options_.keepLast, properties, *this);
        {
            const std::lock_guard lock(mutex_);
            if (auto opened = openFirst(); !opened.hasValue()) noteError(opened.error());
        }
        thread_ = std::thread([this] { run(); });
    }

    void onBatch(etl::RecordBatch& batch) override {
        batchRecords_ = batch.records.size();
        records_.fetch_add(batchRecords_, std::memory_order_relaxed);
        newestTicks_ = std::max(newestTicks_, batch.reachedTicks);
        if (batch.records.empty()) return;
        newestTicks_ = std::max(newestTicks_, batch.records.back().ticks);
        push(batch);
    }
    /// Pipeline thread, after onBatch().
    void keepWindow(store::TraceStore& store) {
        if (window_) window_->afterBatch(store, newestTicks_, batchRecords_);
    }

    // --- WindowFiles, on the pipeline thread ---
    [[nodiscard]] std::uint64_t wholeBytes() const override { return bytes_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t nextBytes() const override { return nextBytes_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool isReady() const override { return tasksOpen_.load(std::memory_order_acquire) == 0; }
    void beginNext(std::int64_t startTicks) override {
        addTask({.run = [this, startTicks, gone = gap_.eventsBefore()] { openNext(startTicks, gone); }});
    }
    void goOnInNext(CarriedState state) override {
        addTask({.replacesFile = true, .run = [this, state = std::move(state)] { switchToNext(state); }});
    }

    /// All batches have come: writes the rest.
    void end() {
        const std::lock_guard lock(endMutex_);
        if (gap_.isOpen()) closeGap();
        queue_.producerFinished();
        if (thread_.joinable()) thread_.join();
    }

    [[nodiscard]] RecordingStatus status() const {
        RecordingStatus status;
        status.records = records_.load(std::memory_order_relaxed);
        status.bytes = bytes_.load(std::memory_order_relaxed);
        status.missingEvents = inGaps() + afterCut_.load(std::memory_order_relaxed);
        const std::lock_guard lock(errorMutex_);
        status.spoolError = error_;
        status.windowError = windowError_;
        return status;
    }

    /// Nothing is written any more.
    std::optional<std::filesystem::path> leaveFile(const RecordingLosses& lost) {
        const std::lock_guard oneAtATime(saveMutex_);
        (void)complete(lost);
        const std::lock_guard lock(mutex_);
        closeFile();
        if (!isOwn_ || bytes_.load(std::memory_order_relaxed) == 0) return std::nullopt;
        isOwn_ = false;
        return place_;
    }

    /// `addition`: what it adds after the last batch belongs into the file, too.
    Result<std::string> save(const std::filesystem::path& path, const RecordingLosses& lost, bool hasEnded,
                             RecordAddition& addition) {
        return withinMemory([&] { return saveNow(path, lost, hasEnded, addition); });
    }

  private:
    Result<std::string> saveNow(const std::filesystem::path& path, const RecordingLosses& lost, bool hasEnded,
                                RecordAddition& addition) {
        const std::lock_guard oneAtATime(saveMutex_);
        if (hasEnded) addition.addTo(late_); // before the end nothing is late
        const bool isClosed = !late_.records.empty() && file_.output == nullptr && bytes_.load() > 0;
        const auto saved = isClosed ? saveAnew(path, lost) : saveFile(path, lost, hasEnded);
        if (!saved.hasValue()) return saved.error();
        const std::lock_guard lock(errorMutex_);
        if (error_) {
            const auto lacks = afterCut_.load(std::memory_order_relaxed);
            const auto howMuch = lacks > 0 ? fmt::format(" It lacks {} events.", lacks) : "";
            return fmt::format("The file ends before the recording does.{} {}", howMuch, error_->message);
        }
        std::string remark;
        if (const auto missing = inGaps(); missing > 0)
            remark = fmt::format("{} events are missing in the file: the disk could not keep up.", missing);
        if (syncError_)
            remark += fmt::format("{}The disk does not say that it has all of the file: keep another copy. {}",
                                  remark.empty() ? "" : " ", syncError_->message);
        return remark;
    }

    /// A source is not kept waiting by a disk that stands still. What gives other records their meaning is always
    /// taken.
    void push(etl::RecordBatch& batch) {
        const bool isTaken = !gap_.isOpen() && queue_.offer(batch);
        if (!isTaken) {
            if (gap_.isOpen() && queue_.isHalfEmpty())
                gap_.close(batch, Spool::ownProcessor(properties_));
            else
                gap_.take(batch);
            inGaps_.store(gap_.events(), std::memory_order_relaxed);
            queue_.force(batch);
        }
        ++pushed_;
    }
    void closeGap() {
        etl::RecordBatch last;
        gap_.close(last, Spool::ownProcessor(properties_));
        queue_.force(last);
        ++pushed_;
    }

    Result<void> saveFile(const std::filesystem::path& path, const RecordingLosses& lost, bool hasEnded) {
        const Reading reading(*this);
        writeLate();
        const auto bytes = complete(lost);
        if (bytes == 0) return cannotSave(path, "nothing was written. " + errorText());
        if (hasEnded && moveTo(path)) return {};
        return saveCopy(place_, bytes, path);
    }

    /// A file that was saved after the end is closed: what came later makes another one of it. It waits on where it was
    /// not written to.
    Result<void> saveAnew(const std::filesystem::path& path, const RecordingLosses& lost) {
        auto written = saveWithLate(place_, late_.records, lost, options_.compression, path);
        if (!written.hasValue()) return written;
        std::error_code failed;
        if (std::filesystem::equivalent(place_, path, failed)) late_.recycle();
        return {};
    }

    /// As long as it lives the file keeps its place: who copies it must not go on in the next one. (Windows would not
    /// even let that one take the place.)
    class Reading {
      public:
        explicit Reading(SpoolThread& of) : of_(of) { set(true); }
        ~Reading() { set(false); }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

      private:
        void set(bool isRead) {
            const std::lock_guard lock(of_.mutex_);
            of_.isRead_ = isRead;
        }
        SpoolThread& of_;
    };

    void writeLate() {
        const std::lock_guard lock(mutex_);
        if (file_.spool && !late_.records.empty()) note(file_.spool->write(late_.records));
        late_.recycle();
    }

    /// How much of the file is a whole trace.
    std::uint64_t complete(const RecordingLosses& lost) {
        std::uint64_t bytes = 0;
        {
            const std::lock_guard lock(mutex_);
            if (file_.spool) note(file_.spool->finish(lost));
            bytes = bytes_.load(std::memory_order_relaxed);
        }
        if (auto synced = sync_.syncNow(); !synced.hasValue()) noteSyncError(synced.error());
        return bytes;
    }

    void closeFile() {
        sync_.setFile(nullptr);
        file_.close();
    }

    /// Of a recording that has ended; the cheap way where both places are on one disk. Nothing is written any more.
    bool moveTo(const std::filesystem::path& path) {
        const std::lock_guard lock(mutex_);
        closeFile();
        if (!isOwn_) return false;
        std::error_code failed;
        std::filesystem::rename(place_, path, failed);
        if (failed) return false;
        place_ = path;
        isOwn_ = false;
        return true;
    }

    Result<void> openFirst() {
        auto output = std::exchange(options_.output, nullptr);
        if (!output) {
            auto created = OutputFile::createNew(options_.spool);
            if (!created.hasValue()) return created.error();
            output = etl::outputTo(std::move(created).value());
        }
        auto opened = openSpool(std::move(output), options_.spool, properties_, options_.compression);
        if (!opened.hasValue()) return opened.error();
        file_ = std::move(opened).value();
        sync_.setFile(file_.output);
        isOwn_ = true;
        return {};
    }

    /// Runs on the spool's thread, between the batches that have been pushed and those that will be.
    void addTask(Task task) {
        task.afterBatches = pushed_;
        const std::lock_guard lock(tasksMutex_);
        tasks_.push_back(std::move(task));
        tasksOpen_.fetch_add(1, std::memory_order_relaxed);
    }
    void runTasks() {
        while (auto task = nextTask()) {
            const OpenTask isOpen(tasksOpen_);
            task->run();
        }
    }

    /// One of tasksOpen_, however it ends.
    class OpenTask {
      public:
        explicit OpenTask(std::atomic<int>& all) : all_(all) {}
        ~OpenTask() { all_.fetch_sub(1, std::memory_order_release); }
        OpenTask(const OpenTask&) = delete;
        OpenTask& operator=(const OpenTask&) = delete;

      private:
        std::atomic<int>& all_;
    };

    /// `eventsBefore`: missing in gaps that the next file does not tell of.
    void openNext(std::int64_t startTicks, std::uint64_t eventsBefore) {
        gapsBeforeNext_ = eventsBefore;
        nextBytes_.store(0, std::memory_order_relaxed);
        if (!file_.spool) return;
        auto next = NextSpool::create(
            {.place = place_, .startTicks = startTicks, .properties = properties_, .compression = options_.compression},
            facts_);
        if (!next.hasValue()) return noteWindow(next.error());
        next_ = std::move(next).value();
    }

    /// A next file that fails is given up: then the one that is there goes on growing.
    void switchToNext(const CarriedState& state) {
        auto next = std::move(next_);
        if (!next || !file_.spool) return;
        if (auto completed = next->complete(state); !completed.hasValue()) return noteWindow(completed.error());
        closeFile(); // Windows replaces no open files
        auto taken = next->takePlace();
        if (!taken.hasValue()) return noteError(taken.error());
        file_ = std::move(taken).value();
        sync_.setFile(file_.output);
        afterCut_.store(0, std::memory_order_relaxed);
        gapsBefore_.store(gapsBeforeNext_, std::memory_order_relaxed);
        bytes_.store(file_.spool->bytesWritten(), std::memory_order_relaxed);
        const std::lock_guard lock(errorMutex_);
        windowError_.reset();
        error_.reset(); // of the file that is gone, as the other
        syncError_.reset();
    }

    void run() {
        auto flushAt = std::chrono::steady_clock::now() + options_.flushEvery;
        while (!queue_.isFinished()) {
            auto batch = queue_.popFor(options_.flushEvery);
            const std::lock_guard lock(mutex_);
            tryTo([&] {
                runTasks();
                if (batch) write(*batch);
                const auto now = std::chrono::steady_clock::now();
                if (!file_.spool || now < flushAt) return;
                flushAt = now + options_.flushEvery;
                if (file_.spool->hasUnflushed()) note(file_.spool->flush());
            });
        }
        const std::lock_guard lock(mutex_);
        tryTo([&] {
            runTasks();
            next_.reset();
            if (file_.spool) note(file_.spool->flush());
        });
    }

    /// When memory runs out, the file lacks what was at hand, and says so. The next one would lack it without a word.
    template <typename Work>
    void tryTo(const Work& work) {
        const auto done = withinMemory([&]() -> Result<void> {
            work();
            return {};
        });
        if (done.hasValue()) return;
        noteError(done.error());
        if (std::exchange(next_, nullptr)) noteWindow(done.error());
    }

    void write(const etl::RecordBatch& batch) {
        ++popped_;
        if (!file_.spool) return;
        note(file_.spool->write(batch.records));
        if (options_.keepLast) facts_.take(batch.records);
        if (!next_) return;
        if (auto written = next_->write(batch.records); written.hasValue()) {
            nextBytes_.store(next_->bytesWritten(), std::memory_order_relaxed);
        } else {
            noteWindow(written.error());
            next_.reset();
        }
    }

    void note(const Result<void>& result) {
        bytes_.store(file_.spool->bytesWritten(), std::memory_order_relaxed);
        sync_.noteWritten();
        if (file_.spool->error()) afterCut_.store(file_.spool->eventsAfterError(), std::memory_order_relaxed);
        if (!result.hasValue()) noteError(result.error());
    }
    void noteWindow(std::optional<Error> error) {
        const std::lock_guard lock(errorMutex_);
        windowError_ = std::move(error);
    }
    void noteError(const Error& error) {
        const std::lock_guard lock(errorMutex_);
        if (!error_) error_ = error;
    }
    void noteSyncError(const Error& error) {
        const std::lock_guard lock(errorMutex_);
        if (!syncError_) syncError_ = error;
    }
    /// Of the file as it is now.
    [[nodiscard]] std::uint64_t inGaps() const {
        return inGaps_.load(std::memory_order_relaxed) - gapsBefore_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::string errorText() const {
        const std::lock_guard lock(errorMutex_);
        return error_ ? error_->message : std::string("the recording has not begun");
    }

    /// The last one, which puts another file in the place, may also run later.
    std::optional<Task> nextTask() {
        const std::lock_guard lock(tasksMutex_);
        if (tasks_.empty() || tasks_.front().afterBatches > popped_) return std::nullopt;
        if (tasks_.front().replacesFile && isRead_) return std::nullopt;
        auto task = std::move(tasks_.front());
        tasks_.pop_front();
        return task;
    }

    RecordingOptions options_;
    BatchQueue queue_;
    TraceProperties properties_;
    // Of the pipeline thread.
    std::optional<RecordingWindow> window_;
    std::int64_t newestTicks_ = 0;
    std::size_t batchRecords_ = 0;
    std::uint64_t pushed_ = 0;
    FileGap gap_;

    std::mutex tasksMutex_;
    std::deque<Task> tasks_;
    std::atomic<int> tasksOpen_{0};
    std::atomic<std::uint64_t> records_{0};
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<std::uint64_t> nextBytes_{0};
    std::atomic<std::uint64_t> inGaps_{0};     ///< events that are missing there
    std::atomic<std::uint64_t> gapsBefore_{0}; ///< and those of them that are older than the file
    std::atomic<std::uint64_t> afterCut_{0};   ///< and behind the end of a file that was cut off
    std::mutex mutex_;                         ///< guards the seven below
    OpenSpool file_;
    bool isRead_ = false; ///< somebody copies the file
    std::unique_ptr<NextSpool> next_;
    std::uint64_t gapsBeforeNext_ = 0;
    KeptFacts facts_;
    std::uint64_t popped_ = 0;
    std::filesystem::path place_; ///< of the file, wherever it was moved to
    bool isOwn_;                  ///< the file is there, and deleted at the end
    mutable std::mutex errorMutex_;
    std::optional<Error> error_, windowError_;
    std::optional<Error> syncError_; ///< the file is whole, but perhaps not on the disk
    std::mutex saveMutex_;
    etl::RecordBatch late_; ///< added after the last batch, and not in the file yet; guarded by saveMutex_
    std::mutex endMutex_;
    FileSync sync_;
    std::thread thread_; ///< last: uses the others
};

Recording::Recording(OpenSource open, RecordingOptions options)
    : options_(std::move(options)),
      spool_(std::make_unique<SpoolThread>(options_)),
      watch_(options_.stopWhen, options_.askMemory) {
    options_.output.reset(); // the spool's alone: whoever else held it would keep the file open and locked
    TraceInput input;
    input.open = [this, open = std::move(open)](TraceHealth& health) {
        { const std::lock_guard isBuilt(building_); }
        auto source = open(health);
        if (source.hasValue()) watchTargets(*source.value());
        return source;
    };
    input.opened = [this](const TraceProperties& properties) {
        notes_.begin(properties, Spool::ownProcessor(properties));
        spool_->open(properties);
    };
    input.addition = &notes_;
    input.tap = spool_.get();
    if (options_.keepLast) {
        input.afterBatch = [spool = spool_.get()](store::TraceStore& store) { spool->keepWindow(store); };
    }
    const std::lock_guard building(building_);
    loader_ = std::make_unique<TraceLoader>(std::move(input));
}

void Recording::stop() {
    options_.opening.request_stop();
    loader_->cancel();
}

Recording::~Recording() {
    stop();
    wait();
}

/// Targets may live on after the recording: nothing is noted, and nothing stopped, any more.
void Recording::watchTargets(const source::RecordSource& source) {
    TargetWatch::Listener listener;
    listener.sampled = [this](std::uint32_t pid, const source::ProcessMemory& memory) {
        if (!loader_->isDone()) notes_.privateBytes(pid, memory.privateBytes, memory.residentBytes);
    };
    listener.reached = [this](const std::string& sentence) {
        if (loader_->isDone()) return;
        {
            const std::lock_guard lock(mutex_);
            stopReason_ = sentence;
        }
        stop();
    };
    auto targets = source.targets();
    watch_.begin(targets, std::move(listener));
    const std::lock_guard lock(mutex_);
    targets_ = std::move(targets);
}

std::vector<std::uint32_t> Recording::targets() const {
    const std::lock_guard lock(mutex_);
    return targets_;
}

void Recording::wait() {
    loader_->wait();
    watch_.end();
    spool_->end();
}

RecordingStatus Recording::status() const {
    auto status = spool_->status();
    const std::lock_guard lock(mutex_);
    status.stopReason = stopReason_;
    return status;
}

Result<std::string> Recording::save(const std::filesystem::path& path) {
    const auto place = OutputFile::placeFor(path);
    if (!place.hasValue()) return place.error();
    const bool hasEnded = loader_->isDone();
    if (hasEnded) spool_->end();
    return spool_->save(place.value(), lossesOfSystem(loader_->latest()), hasEnded, notes_);
}

std::optional<std::filesystem::path> Recording::leaveFile() {
    stop();
    wait();
    return spool_->leaveFile(lossesOfSystem(loader_->latest()));
}

} // namespace highwater::pipeline

#pragma once

#include "core/etl/raw_record.h"
#include "core/pipeline/batch_queue.h"
#include "core/pipeline/recording_window.h"
#include "core/pipeline/spool/file_gap.h"
#include "core/pipeline/spool/spool_file.h"
#include "core/pipeline/spool/spool_tasks.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace highwater::pipeline {

/// Takes the batches of a recording after they were decoded, and writes them to its file on a separate thread that
/// never blocks others. A stalled disk causes a gap in the file, which records it.
class SpoolWriter final : public etl::RecordSink, public WindowFiles {
  public:
    struct Options {
        std::chrono::milliseconds flushEvery{200};
        std::size_t mostBatchesWaiting = 256;
        BatchQueue::Pool pool{};
        std::optional<KeepLast> keepLast{};
    };

    /// The file must outlive this object.
    SpoolWriter(SpoolFile& file, const Options& options);
    /// Writes the remaining batches.
    ~SpoolWriter() override;

    // --- On the pipeline thread ---
    /// Before the first batch.
    void start(const TraceProperties& properties);
    void onBatch(etl::RecordBatch& batch) override;
    /// After onBatch().
    void keepWindow(store::TraceStore& store);
    [[nodiscard]] std::uint64_t wholeBytes() const override { return file_.bytes(); }
    [[nodiscard]] std::uint64_t nextBytes() const override { return file_.nextBytes(); }
    [[nodiscard]] bool isReady() const override { return tasks_.areDone(); }
    void beginNext(std::int64_t startTicks) override;
    void continueInNext(CarryOver state) override;

    // --- Any thread ---
    /// All batches have arrived: writes the rest and waits for it.
    void end();
    [[nodiscard]] std::uint64_t records() const { return records_.load(std::memory_order_relaxed); }
    /// Events missing in gaps of the current file.
    [[nodiscard]] std::uint64_t eventsInGaps() const {
        return inGaps_.load(std::memory_order_relaxed) - file_.eventsInOlderGaps();
    }

  private:
    void push(etl::RecordBatch& batch);
    void closeGap();
    void run();
    template <typename Work>
    void tryTo(const Work& work);

    SpoolFile& file_;
    Options options_;
    BatchQueue queue_;
    SpoolTasks tasks_;
    std::atomic<std::uint64_t> records_{0};
    std::atomic<std::uint64_t> inGaps_{0}; ///< events, in all files
    // Used by the pipeline thread only.
    TraceProperties properties_;
    std::optional<RecordingWindow> window_;
    std::int64_t newestTicks_ = 0;
    std::size_t batchRecords_ = 0;
    std::uint64_t pushed_ = 0;
    FileGap gap_;

    std::mutex endMutex_;
    std::thread thread_; ///< last because it uses the others
};

} // namespace highwater::pipeline

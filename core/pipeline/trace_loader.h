#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/event/record_counts.h"
#include "core/event/trace_health.h"
#include "core/event/trace_properties.h"
#include "core/source/etl_file_source.h"
#include "core/store/published_trace.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace highwater::pipeline {

/// What is known of a trace besides its rows.
struct TraceFacts {
    TraceProperties properties;
    source::EtlFileFacts files;
    RecordCounts counts; ///< complete when loading has finished
};

enum class LoadState : std::uint8_t { Opening, Loading, Finished, Cancelled, Failed };

/// Reads one trace (one or more files) into a store: source and header walk on one thread, decode and store on another
/// (the pipeline thread, the only writer). Prefixes are published some ten times a second while it goes on.
///
/// The constructor starts; the destructor stops and waits. All functions may be called by any thread.
class TraceLoader {
  public:
    explicit TraceLoader(std::vector<std::filesystem::path> paths);
    ~TraceLoader();
    TraceLoader(const TraceLoader&) = delete;
    TraceLoader& operator=(const TraceLoader&) = delete;

    [[nodiscard]] LoadState state() const { return state_.load(std::memory_order_acquire); }
    [[nodiscard]] bool isDone() const { return state() >= LoadState::Finished; }
    /// Bytes of the files, read and in all.
    [[nodiscard]] const Progress& progress() const { return progress_; }
    /// The newest prefix: null while opening and when opening failed. After Cancelled: what had been read.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> latest() const;
    /// Properties and file facts once state is beyond Opening; counts once isDone().
    [[nodiscard]] TraceFacts facts() const;
    /// Why it Failed. Also set when reading failed in the middle: what was read stays.
    [[nodiscard]] std::optional<Error> error() const;

    void cancel() { stop_.request_stop(); }
    void wait();

  private:
    void run();
    void load(source::EtlFileSource& source);
    void publish(std::shared_ptr<const store::PublishedTrace> trace);
    void fail(Error error);

    std::vector<std::filesystem::path> paths_;
    TraceHealth health_;
    Progress progress_;
    std::atomic<LoadState> state_{LoadState::Opening};
    mutable std::mutex mutex_; ///< guards the three below
    std::shared_ptr<const store::PublishedTrace> latest_;
    TraceFacts facts_;
    std::optional<Error> error_;
    std::stop_source stop_;
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace highwater::pipeline

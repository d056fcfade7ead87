#pragma once

#include "core/etl/etl_writer.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace highwater::pipeline {

/// Occasionally syncs a file to the disk on a separate thread. This may take seconds, in which the writer continues if
/// the system allows it (on Windows a write waits). Written data is already with the system; syncing only protects
/// against power failures. Any thread.
class FileSync {
  public:
    /// That thread calls `failed`.
    FileSync(std::chrono::milliseconds every, std::function<void(const Error&)> failed);
    ~FileSync();
    FileSync(const FileSync&) = delete;
    FileSync& operator=(const FileSync&) = delete;

    /// Uses this file from now on, or none if null. Waits until the previous one is no longer used.
    void setFile(std::shared_ptr<etl::ByteOutput> file);
    /// Data was written.
    void noteWritten() { isDirty_.store(true, std::memory_order_relaxed); }
    /// Syncs immediately and waits for it.
    Result<void> syncNow();

  private:
    void run();

    std::chrono::milliseconds every_;
    std::function<void(const Error&)> failed_;
    std::atomic<bool> isDirty_{false};
    std::mutex fileMutex_; ///< held while the file is used
    std::shared_ptr<etl::ByteOutput> file_;
    std::mutex endMutex_;
    std::condition_variable ends_;
    bool isEnding_ = false;
    std::thread thread_; ///< last because it uses the others
};

} // namespace highwater::pipeline

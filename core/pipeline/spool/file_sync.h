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

/// Brings what was written to a file onto the disk now and then, on a thread of its own: that may take seconds, in
/// which whoever writes goes on where the system lets them (Windows makes a write wait). What is written is with the system already; this is for power cuts alone. Any thread.
class FileSync {
  public:
    /// `failed` is called by that thread.
    FileSync(std::chrono::milliseconds every, std::function<void(const Error&)> failed);
    ~FileSync();
    FileSync(const FileSync&) = delete;
    FileSync& operator=(const FileSync&) = delete;

    /// From now on this file, and null: none. Waits until the one before is not used any more.
    void setFile(std::shared_ptr<etl::ByteOutput> file);
    /// Something was written.
    void noteWritten() { isDirty_.store(true, std::memory_order_relaxed); }
    /// At once, and waits for it.
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
    std::thread thread_; ///< last: uses the others
};

} // namespace highwater::pipeline
